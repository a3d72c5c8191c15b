package action_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/evidence-gate/evidence-gate/internal/githubtest"
	"github.com/evidence-gate/evidence-gate/report"
)

const (
	firstStep = "Set up Go"
	judgeStep = "Judge the evidence"
)

// built is the folder in which the steps before the judgement have been run once by bash, as written.
type built struct {
	once sync.Once
	temp string
}

func (b *built) get(t *testing.T) string {
	t.Helper()
	b.once.Do(func() {
		w := newWorld(t)
		w.open(githubtest.PullRequestOptions{})
		f := newFiles(t, w.payload(t, "pull_request"))
		e := readAction(t).execution(t, w.variables("pull_request", f))
		require.Equal(t, 0, e.run(t, firstStep), "%s", e.log.String())
		require.Equal(t, "success", e.output(t, "conclusion"))
		require.NotEmpty(t, e.outputs["caches"]["key"])
		require.DirExists(t, e.outputs["caches"]["build"])
		require.DirExists(t, e.outputs["caches"]["modules"])
		b.temp = f.temp
	})
	require.NotEmpty(t, b.temp, "the first run failed")
	return b.temp
}

// A step that cannot find the caches ends the run: with empty names the next step would keep, or
// restore, the wrong folder.
func TestTheCachesAreFoundOrTheStepFails(t *testing.T) {
	t.Parallel()
	const finding = "Find the caches"
	for name, program := range map[string]string{
		"go fails":              "echo broken >&2; exit 3",
		"go says nothing":       "exit 0",
		"go lacks one of them":  `if [ "$2" = GOMODCACHE ]; then exit 0; fi; echo "/somewhere/$2"`,
		"go fails for the last": `if [ "$2" = GOVERSION ]; then exit 3; fi; echo "/somewhere/$2"`,
	} {
		folder := t.TempDir()
		require.NoError(t, os.WriteFile(filepath.Join(folder, "go"), []byte("#!/bin/sh\n"+program+"\n"), 0o700))
		w := newWorld(t)
		e := readAction(t).execution(t, w.variables("pull_request", newFiles(t, nil)))
		e.variables["PATH"] = folder + string(os.PathListSeparator) + os.Getenv("PATH")
		at := slices.IndexFunc(e.Runs.Steps, func(s step) bool { return s.Name == finding })
		require.NotZero(t, e.script(t, e.Runs.Steps[at]), name)
		require.Empty(t, e.outputs["caches"], name)
	}
}

// scenario is one run of action.yml for an event.
type scenario struct {
	*execution
	summary string
}

func (w *world) scenario(t *testing.T, temp, event string, payload []byte) *scenario {
	t.Helper()
	f := newFiles(t, payload)
	f.temp = temp
	return &scenario{readAction(t).execution(t, w.variables(event, f)), f.summary}
}

func (s *scenario) require(t *testing.T, code int, conclusion report.Conclusion) report.Report {
	t.Helper()
	require.Equal(t, code, s.run(t, judgeStep), "%s", s.log.String())
	require.Equal(t, string(conclusion), s.output(t, "conclusion"))
	require.NotContains(t, s.log.String()+read(t, s.summary), token)
	require.NotEmpty(t, read(t, s.summary))
	var r report.Report
	require.NoError(t, json.Unmarshal([]byte(read(t, s.output(t, "report"))), &r))
	require.Equal(t, conclusion, r.Conclusion)
	require.Equal(t, r.HeadSHA, s.output(t, "head-sha"))
	return r
}

// The run steps of action.yml as a runner would run them, event by event.
func TestActionYML(t *testing.T) {
	t.Parallel()
	var b built
	temp := b.get(t)

	t.Run("every activity of a pull request", func(t *testing.T) {
		w := newWorld(t)
		pr := w.open(githubtest.PullRequestOptions{Draft: true})
		judge := func(activity string, code int, conclusion report.Conclusion) {
			t.Helper()
			payload := w.payload(t, "pull_request")
			require.Contains(t, string(payload), fmt.Sprintf(`"action":%q`, activity))
			r := w.scenario(t, temp, "pull_request", payload).require(t, code, conclusion)
			require.Equal(t, pr.HeadSHA(), r.HeadSHA, activity)
		}
		judge("opened", 0, report.Success)
		pr.SetDraft("eng", false)
		judge("ready_for_review", 0, report.Success)
		pr.EditBody("eng", strings.Replace(pr.Body(), "passed", "failed", 1))
		judge("edited", 1, report.Failure)
		pr.EditBody("eng", w.proof(pr.HeadSHA()))
		judge("edited", 0, report.Success)
		pr.Push("eng", githubtest.Commit{})
		judge("synchronize", 1, report.Failure)
		pr.EditBody("eng", w.proof(pr.HeadSHA()))
		pr.Close("eng")
		pr.Reopen("eng")
		judge("reopened", 0, report.Success)
		pr.AddLabel("lead", "docs")
		judge("labeled", 0, report.Success)
	})

	t.Run("a repeated run has a stale payload", func(t *testing.T) {
		t.Parallel()
		w := newWorld(t)
		pr := w.open(githubtest.PullRequestOptions{Body: "Nothing yet."})
		stale := w.payload(t, "pull_request")
		first := w.scenario(t, temp, "pull_request", stale).require(t, 1, report.Failure)
		pr.Push("eng", githubtest.Commit{})
		pr.EditBody("eng", w.proof(pr.HeadSHA()))
		again := w.scenario(t, temp, "pull_request", stale).require(t, 0, report.Success)
		require.NotEqual(t, first.HeadSHA, again.HeadSHA)
		require.Equal(t, pr.HeadSHA(), again.HeadSHA)
	})

	t.Run("pull_request_target from a fork", func(t *testing.T) {
		t.Parallel()
		w := newWorld(t)
		pr := w.open(githubtest.PullRequestOptions{Author: "stranger", Fork: "stranger"})
		pr.EditBody("stranger", pr.Body()+"\nThank you.\n")
		s := w.scenario(t, temp, "pull_request_target", w.payload(t, "pull_request"))
		s.variables["GITHUB_SHA"] = w.repo.Branch("main")
		require.Equal(t, pr.HeadSHA(), s.require(t, 0, report.Success).HeadSHA)
	})

	t.Run("the read-only token of a fork", func(t *testing.T) {
		t.Parallel()
		w := newWorld(t)
		pr := w.open(githubtest.PullRequestOptions{Author: "stranger", Fork: "stranger"})
		w.World().AddWorkflowToken(token, w.repo, map[string]string{
			"actions": "read", "checks": "read", "contents": "read", "issues": "read", "pull_requests": "read", "statuses": "read",
		})
		w.scenario(t, temp, "pull_request", w.payload(t, "pull_request")).require(t, 0, report.Success)
		pr.EditBody("stranger", pr.Body()+"\nThank you.\n")
		w.scenario(t, temp, "pull_request", w.payload(t, "pull_request")).require(t, 0, report.Success)
		w.task.EditBody("lead", "Edited.\n\n"+w.task.Body())
		s := w.scenario(t, temp, "pull_request", w.payload(t, "pull_request"))
		s.require(t, 3, report.ActionRequired)
		require.Contains(t, strings.Join(annotations(t, s.log.String()), "\n"),
			"GitHub shows earlier texts to tokens with write access only")
	})

	t.Run("comments", func(t *testing.T) {
		t.Parallel()
		w := newWorld(t)
		pr := w.open(githubtest.PullRequestOptions{})
		pr.Comment("lead", "please look")
		w.scenario(t, temp, "issue_comment", w.payload(t, "issue_comment")).require(t, 0, report.Success)
		w.task.Comment("eng", "a question")
		s := w.scenario(t, temp, "issue_comment", w.payload(t, "issue_comment"))
		require.Equal(t, 0, s.run(t, judgeStep))
		require.Contains(t, s.log.String(), "nothing to judge")
		require.Empty(t, s.output(t, "conclusion"))
	})

	t.Run("GITHUB_SHA is the test merge", func(t *testing.T) {
		t.Parallel()
		w := newWorld(t)
		pr := w.open(githubtest.PullRequestOptions{Body: w.proof(testMerge)})
		s := w.scenario(t, temp, "pull_request", w.payload(t, "pull_request"))
		require.Equal(t, pr.HeadSHA(), s.require(t, 1, report.Failure).HeadSHA)
		require.Contains(t, s.log.String(), "which is GITHUB_SHA of this run")
	})

	t.Run("inputs are no code", func(t *testing.T) {
		t.Parallel()
		w := newWorld(t)
		w.open(githubtest.PullRequestOptions{})
		marker := filepath.Join(t.TempDir(), "marker")
		for _, name := range []string{"pr", "issue", "stage", "wait"} {
			s := w.scenario(t, temp, "pull_request", w.payload(t, "pull_request"))
			s.inputs[name] = `"; touch ` + marker + "; $(touch " + marker + ") `touch " + marker + "`\ntouch " + marker
			s.require(t, 2, report.ActionRequired)
			_, err := os.Stat(marker)
			require.ErrorIs(t, err, os.ErrNotExist, name)
		}
		s := w.scenario(t, temp, "pull_request", w.payload(t, "pull_request"))
		s.inputs["token"] = `$(touch ` + marker + `)`
		s.require(t, 3, report.ActionRequired)
		_, err := os.Stat(marker)
		require.ErrorIs(t, err, os.ErrNotExist)
	})

	t.Run("it could not judge", func(t *testing.T) {
		t.Parallel()
		w := newWorld(t)
		w.open(githubtest.PullRequestOptions{})
		s := w.scenario(t, temp, "pull_request", w.payload(t, "pull_request"))
		s.inputs["token"] = "ghs_expired"
		s.require(t, 3, report.ActionRequired)
		require.Len(t, annotations(t, s.log.String()), 1)

		s = w.scenario(t, temp, "push", []byte(`{"ref":"refs/heads/main"}`))
		s.require(t, 2, report.ActionRequired)
		require.Contains(t, s.log.String(), "names no pull request")
	})
}
