package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/evidence-gate/evidence-gate/checks"
	"github.com/evidence-gate/evidence-gate/internal/githubtest"
	"github.com/evidence-gate/evidence-gate/report"
	"github.com/evidence-gate/evidence-gate/snapshot"
)

// world is a simulated GitHub with one pull request of eng, a checkout of its branch, and a door
// between GitHub and the program at which a test can stand.
type world struct {
	*githubtest.Server
	clock       *githubtest.Clock
	repo        *githubtest.Repository
	issue       *githubtest.Issue
	pr          *githubtest.PullRequest
	dir         string
	environment map[string]string
	sleep       func(time.Duration)

	mu     sync.Mutex
	spans  [][2]time.Time                                           // when each request came and was answered
	arrive func(r *http.Request, operation string)                  // before a request reaches GitHub
	answer func(r *http.Request, operation string, b []byte) []byte // what becomes of GitHub's answer
}

const taskText = "## Required Checks\n\n- [RC-1] `npm test`\n- [RC-2] `npm run lint` [source: pr_body, status_check]\n"

func newWorld(t *testing.T) *world {
	t.Helper()
	w := &world{clock: githubtest.NewClock(time.Date(2026, 11, 30, 10, 0, 0, 0, time.UTC)), dir: t.TempDir()}
	w.Server = githubtest.NewT(t, githubtest.Options{Clock: w.clock.Now})
	w.repo = w.World().AddRepository("acme/widgets", githubtest.RepositoryOptions{})
	w.repo.SetRole("eng", "write")
	w.repo.SetRole("lead", "maintain")
	w.World().AddUserToken("ghp_eng", "eng")
	w.issue = w.repo.AddIssue(githubtest.IssueOptions{Author: "lead", Title: "Dark mode", Body: taskText})
	w.pr = w.repo.OpenPullRequest(githubtest.PullRequestOptions{
		Author: "eng", Title: "Add dark mode", Branch: "dark", Body: fmt.Sprintf("Closes #%d\n", w.issue.Number()),
	})
	w.environment = map[string]string{"GITHUB_API_URL": w.door(t), "GH_TOKEN": "ghp_eng"}
	w.git(t, "init", "--quiet", "--initial-branch", "dark")
	w.git(t, "commit", "--quiet", "--allow-empty", "--message", "first")
	w.git(t, "remote", "add", "origin", "https://github.com/acme/widgets.git")
	return w
}

// door is a server in front of the simulator.
func (w *world) door(t *testing.T) string {
	t.Helper()
	to, err := url.Parse(w.URL())
	require.NoError(t, err)
	proxy := httputil.NewSingleHostReverseProxy(to)
	proxy.ErrorHandler = func(http.ResponseWriter, *http.Request, error) { panic(http.ErrAbortHandler) }
	proxy.ModifyResponse = func(resp *http.Response) error {
		if at, ok := strings.CutPrefix(resp.Header.Get("Location"), w.URL()); ok {
			resp.Header.Set("Location", at) // relative to this door
		}
		w.mu.Lock()
		answer := w.answer
		w.mu.Unlock()
		if answer == nil {
			return nil
		}
		text, err := io.ReadAll(resp.Body)
		if err != nil {
			return err
		}
		text = answer(resp.Request, resp.Request.Header.Get("X-Operation"), text)
		resp.Body = io.NopCloser(bytes.NewReader(text))
		resp.ContentLength = int64(len(text))
		resp.Header.Set("Content-Length", fmt.Sprint(len(text)))
		return nil
	}
	server := httptest.NewServer(http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		r.Body = io.NopCloser(bytes.NewReader(body))
		var asked struct {
			Operation string `json:"operationName"`
		}
		_ = json.Unmarshal(body, &asked)
		r.Header.Set("X-Operation", asked.Operation)
		w.mu.Lock()
		arrive := w.arrive
		w.mu.Unlock()
		if arrive != nil {
			arrive(r, asked.Operation)
		}
		came := time.Now()
		proxy.ServeHTTP(rw, r)
		w.mu.Lock()
		defer w.mu.Unlock()
		w.spans = append(w.spans, [2]time.Time{came, time.Now()})
	}))
	t.Cleanup(server.Close)
	return server.URL
}

// chained is what f does, and the most requests of it of which each came when the one before had been
// answered. Every answer takes a while, so that what is asked at once overlaps.
func (w *world) chained(f func() outcome) (outcome, int) {
	w.Fail(githubtest.Fault{Times: -1, Latency: 80 * time.Millisecond})
	defer w.ClearFaults()
	w.mu.Lock()
	w.spans = nil
	w.mu.Unlock()
	done := f()
	w.mu.Lock()
	defer w.mu.Unlock()
	slices.SortFunc(w.spans, func(a, b [2]time.Time) int { return a[1].Compare(b[1]) })
	var last time.Time
	n := 0
	for _, s := range w.spans {
		if s[0].After(last) {
			n, last = n+1, s[1]
		}
	}
	return done, n
}

func (w *world) onArrival(f func(r *http.Request, operation string)) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.arrive = f
}

func (w *world) onAnswer(f func(r *http.Request, operation string, b []byte) []byte) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.answer = f
}

func (w *world) git(t *testing.T, args ...string) {
	t.Helper()
	command := exec.Command("git", args...)
	command.Dir = w.dir
	command.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_CONFIG_NOSYSTEM=1",
		"GIT_AUTHOR_NAME=eng", "GIT_AUTHOR_EMAIL=eng@example.com", "GIT_COMMITTER_NAME=eng", "GIT_COMMITTER_EMAIL=eng@example.com")
	out, err := command.CombinedOutput()
	require.NoError(t, err, "git %v: %s", args, out)
}

// outcome is what a command line came to.
type outcome struct {
	code   int
	stdout string
	stderr string
}

func (o outcome) report(t *testing.T) report.Report {
	t.Helper()
	var r report.Report
	require.NoError(t, json.Unmarshal([]byte(o.stdout), &r), o.stderr)
	return r
}

func (w *world) run(args ...string) outcome {
	var out, errs bytes.Buffer
	p := process{
		stdin: strings.NewReader(""), stdout: &out, stderr: &errs, dir: w.dir, now: w.clock.Now,
		getenv: func(name string) string { return w.environment[name] },
		sleep: func(_ context.Context, d time.Duration) error {
			w.clock.Advance(d)
			if w.sleep != nil {
				w.sleep(d)
			}
			return nil
		},
	}
	code := run(args, p, engine{evaluate: checks.Evaluate, lint: checks.Lint})
	return outcome{code, out.String(), errs.String()}
}

// evidence is a body that proves both checks for a head.
func (w *world) evidence(head string) string {
	return fmt.Sprintf("Closes #%d\n\n## Evidence\nCurrent PR head: %s\n\n"+
		"- Required check: [RC-1] `npm test`\n  Verdict: passed\n  Evidence: 128 passing, 0 failing (exit 0)\n\n"+
		"- Required check: [RC-2] `npm run lint`\n  Verdict: passed\n  Evidence: 0 problems in 212 files (exit 0)\n", w.issue.Number(), head)
}

// judged is what `evaluate` makes of the Snapshot that `snapshot` prints.
func (w *world) judged(t *testing.T, stage report.Stage, args ...string) (snapshot.Snapshot, report.Report) {
	t.Helper()
	printed := w.run(append([]string{"snapshot"}, args...)...)
	require.Equal(t, 0, printed.code, printed.stderr)
	s, err := snapshot.Decode(strings.NewReader(printed.stdout))
	require.NoError(t, err)
	return s, checks.Evaluate(s, stage)
}

func write(t *testing.T, w *world, name, content string) {
	t.Helper()
	require.NoError(t, os.WriteFile(w.dir+"/"+name, []byte(content), 0o600))
}
