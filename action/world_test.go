package action_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/evidence-gate/evidence-gate/action"
	"github.com/evidence-gate/evidence-gate/checks"
	"github.com/evidence-gate/evidence-gate/internal/githubtest"
	"github.com/evidence-gate/evidence-gate/internal/render"
	"github.com/evidence-gate/evidence-gate/report"
	"github.com/evidence-gate/evidence-gate/snapshot"
)

const (
	token     = "ghs_of_the_job"
	testMerge = "7e57000000000000000000000000000000000000" // what GITHUB_SHA is on pull_request events
)

// everything is what the least permissions of docs/workflows grant.
var everything = map[string]string{
	"actions": "read", "checks": "read", "contents": "read", "issues": "write", "pull_requests": "read", "statuses": "read",
}

// world is a simulated GitHub with a task of one check.
type world struct {
	*githubtest.Server
	clock *githubtest.Clock
	repo  *githubtest.Repository
	task  *githubtest.Issue
}

func newWorld(t *testing.T) *world {
	t.Helper()
	w := &world{clock: githubtest.NewClock(time.Date(2026, 11, 30, 10, 0, 0, 0, time.UTC))}
	w.Server = githubtest.NewT(t, githubtest.Options{Clock: w.clock.Now})
	w.Webhooks().Hold()
	w.repo = w.World().AddRepository("acme/widgets", githubtest.RepositoryOptions{})
	w.repo.SetRole("lead", "maintain")
	w.repo.SetRole("eng", "write")
	w.task = w.repo.AddIssue(githubtest.IssueOptions{Author: "lead", Title: "Dark mode", Body: "## Required Checks\n\n- [RC-1] `npm test`\n"})
	w.World().AddWorkflowToken(token, w.repo, everything)
	return w
}

// open opens a pull request whose evidence is complete.
func (w *world) open(o githubtest.PullRequestOptions) *githubtest.PullRequest {
	if o.Author == "" {
		o.Author = "eng"
	}
	const head = "b7d41e9f02c36a58d1f4e07b9c8a25630fe1d794"
	o.Commits = []githubtest.Commit{{SHA: head}}
	if o.Body == "" {
		o.Body = w.proof(head)
	}
	return w.repo.OpenPullRequest(o)
}

// proof is a body that proves the task's check for a head.
func (w *world) proof(head string) string {
	return fmt.Sprintf("Closes #%d\n\n## Evidence\n\nCurrent PR head: %s\n\n- Required check: [RC-1] `npm test`\n  Verdict: passed\n  Evidence: 128 passing, 0 failing (exit 0)\n", w.task.Number(), head)
}

// payload is that of the newest event of a name.
func (w *world) payload(t *testing.T, event string) []byte {
	t.Helper()
	pending := w.Webhooks().Pending()
	for i := len(pending) - 1; i >= 0; i-- {
		if pending[i].Event == event {
			return pending[i].Payload
		}
	}
	require.Fail(t, "there was no event "+event)
	return nil
}

// variables are those of a runner of this GitHub.
func (w *world) variables(event string, f files) map[string]string {
	return map[string]string{
		"GITHUB_EVENT_NAME": event, "GITHUB_EVENT_PATH": f.event, "GITHUB_OUTPUT": f.output, "GITHUB_STEP_SUMMARY": f.summary,
		"RUNNER_TEMP": f.temp, "GITHUB_REPOSITORY": "acme/widgets", "GITHUB_SHA": testMerge,
		"GITHUB_API_URL": w.URL(), "GITHUB_GRAPHQL_URL": w.GraphQLURL(), "GITHUB_SERVER_URL": "https://github.example.com",
		"INPUT_TOKEN": token, "INPUT_STAGE": "review",
	}
}

// job is one run of the Action in this process.
type job struct {
	files
	variables map[string]string
	asked     map[string]bool // variables that were read
	log       bytes.Buffer
	outcome   action.Outcome
	err       error
	pauses    []time.Duration
	asleep    func() // what happens meanwhile
}

func (w *world) job(t *testing.T, event string, payload []byte) *job {
	t.Helper()
	f := newFiles(t, payload)
	return &job{files: f, variables: w.variables(event, f), asked: map[string]bool{}}
}

func (j *job) run(t *testing.T, w *world) *job {
	t.Helper()
	process := action.Process{
		Getenv: func(name string) string {
			j.asked[name] = true
			return j.variables[name]
		},
		Stdout: &j.log, Now: w.clock.Now,
		Sleep: func(ctx context.Context, d time.Duration) error {
			j.pauses = append(j.pauses, d)
			w.clock.Advance(d)
			if j.asleep != nil {
				j.asleep()
			}
			return ctx.Err()
		},
	}
	j.outcome, j.err = action.Run(t.Context(), process, engine())
	require.NotContains(t, j.log.String()+read(t, j.summary)+fmt.Sprint(j.err), token)
	return j
}

// engine is what the command line gives to the Action.
func engine() action.Engine {
	return action.Engine{
		Evaluate: checks.Evaluate, HasChecks: checks.HasChecks,
		Unread: func(stage report.Stage, err error) report.Report {
			return report.Report{
				Schema: 1, Stage: stage, Conclusion: report.ActionRequired, Title: "Nothing could be judged", Level: "checks",
				Diagnostics: []report.Diagnostic{report.New(report.CodeGateUnavailable, err.Error())},
			}
		},
		Print: func(w io.Writer, r report.Report, s snapshot.Snapshot) error {
			return render.Text(w, r, map[string]string{"pull_request.body": *s.PullRequest.Body}, render.Options{})
		},
	}
}

func (j *job) requireConclusion(t *testing.T, want report.Conclusion) {
	t.Helper()
	require.NoError(t, j.err)
	require.Equal(t, want, j.outcome.Report.Conclusion, "%s", j.log.String())
	require.Equal(t, string(want), outputs(t, j.output)["conclusion"])
}

// saved is the report file that the outputs name.
func (j *job) saved(t *testing.T) report.Report {
	t.Helper()
	path := outputs(t, j.output)["report"]
	require.True(t, strings.HasPrefix(path, j.temp), path)
	var r report.Report
	require.NoError(t, json.Unmarshal([]byte(read(t, path)), &r))
	return r
}

var errClosed = errors.New("closed")

type closedWriter struct{}

func (closedWriter) Write([]byte) (int, error) { return 0, errClosed }

func mustTime(t *testing.T, stamp string) time.Time {
	t.Helper()
	at, err := time.Parse(time.RFC3339, stamp)
	require.NoError(t, err)
	return at
}
