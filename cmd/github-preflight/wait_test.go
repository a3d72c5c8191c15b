package main

import (
	"bytes"
	"errors"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/evidence-gate/evidence-gate/internal/github"
	"github.com/evidence-gate/evidence-gate/internal/githubtest"
	"github.com/evidence-gate/evidence-gate/report"
)

// pendingWorld is a world in which only a status is missing. It returns the running check run.
func pendingWorld(t *testing.T) (*world, int64) {
	t.Helper()
	w := newWorld(t)
	w.pr.EditBody("eng", strings.Split(w.evidence(w.pr.HeadSHA()), "\n- Required check: [RC-2]")[0])
	return w, w.repo.AddCheckRun(githubtest.CheckRunOptions{SHA: w.pr.HeadSHA(), Name: "npm run lint", Status: "in_progress"})
}

func TestWaitingForAStatus(t *testing.T) {
	t.Parallel()
	for conclusion, code := range map[string]int{"success": exitSuccess, "failure": exitFailure} {
		w, run := pendingWorld(t)
		var pauses []time.Duration
		w.sleep = func(d time.Duration) {
			if pauses = append(pauses, d); len(pauses) == 9 {
				w.repo.SetCheckRun(run, "completed", conclusion)
			}
		}
		got := w.run("--wait", "10m")
		require.Equal(t, code, got.code, got.stdout)
		require.Empty(t, strings.ReplaceAll(got.stderr, lastNote(got.stderr), ""), "no progress outside a terminal")
		require.Len(t, pauses, 9)
		for i := 1; i < len(pauses); i++ {
			require.GreaterOrEqual(t, pauses[i], pauses[i-1])
			require.LessOrEqual(t, pauses[i], 30*time.Second)
		}
		require.Equal(t, 30*time.Second, pauses[8])
	}
}

func lastNote(text string) string {
	if i := strings.Index(text, "note: this checkout"); i >= 0 {
		return text[i:]
	}
	return text
}

func TestWaitingEndsWithItsTime(t *testing.T) {
	t.Parallel()
	w, _ := pendingWorld(t)
	start := w.clock.Now()
	got := w.run("--wait", "1m", "--json")
	require.Equal(t, exitWaiting, got.code)
	require.Equal(t, report.Pending, got.report(t).Conclusion)
	require.Equal(t, time.Minute, w.clock.Now().Sub(start), "it looks once more at the very end, not later")

	require.Equal(t, exitWaiting, w.run().code, "without --wait it looks once")
	require.Equal(t, time.Minute, w.clock.Now().Sub(start))
}

func TestWaitingEndsWhenSomebodyMustAct(t *testing.T) {
	t.Parallel()
	w, _ := pendingWorld(t)
	w.sleep = func(time.Duration) { w.pr.Push("eng", githubtest.Commit{}) }
	got := w.run("--wait", "10m")
	require.Equal(t, exitFailure, got.code)
	require.Equal(t, 2, w.CountRequests(githubtest.Match{Operation: "PullRequest"}))
}

func TestWaitingOutliveFailuresThatPass(t *testing.T) {
	t.Parallel()
	query := githubtest.Match{Operation: "PullRequest"}
	limited := githubtest.SecondaryRateLimit(2 * time.Minute)
	limited.Match = query
	t.Run("for as long as GitHub asks", func(t *testing.T) {
		t.Parallel()
		w, run := pendingWorld(t)
		w.repo.SetCheckRun(run, "completed", "success")
		w.Fail(limited)
		w.Fail(githubtest.Fault{Match: query, Status: 502})
		var pauses []time.Duration
		w.sleep = func(d time.Duration) { pauses = append(pauses, d) }
		require.Equal(t, exitSuccess, w.run("--wait", "10m").code)
		require.Len(t, pauses, 2)
		require.Equal(t, 2*time.Minute, pauses[0])
		require.Less(t, pauses[1], time.Minute)
	})
	t.Run("from the first request on", func(t *testing.T) {
		t.Parallel()
		w, run := pendingWorld(t)
		w.repo.SetCheckRun(run, "completed", "success")
		w.Fail(githubtest.Fault{Match: githubtest.Match{Operation: "OfBranch"}, Status: 502, Times: 2})
		require.Equal(t, exitSuccess, w.run("--wait", "10m").code)
		w.Fail(githubtest.Fault{Match: githubtest.Match{Operation: "OfBranch"}, Status: 502})
		require.Equal(t, exitCouldNotJudge, w.run().code, "without --wait it asks once")
	})
	t.Run("not longer than its own time", func(t *testing.T) {
		t.Parallel()
		w, _ := pendingWorld(t)
		w.Fail(limited)
		w.sleep = func(time.Duration) { t.Error("it must not wait for what comes too late") }
		got := w.run("--wait", "1m")
		require.Equal(t, exitCouldNotJudge, got.code)
		require.Contains(t, got.stderr, "it asks to wait 2m0s")
	})
	t.Run("not those that do not pass", func(t *testing.T) {
		t.Parallel()
		w, _ := pendingWorld(t)
		w.sleep = func(time.Duration) { t.Error("it must not wait") }
		w.Fail(githubtest.Fault{Match: query, Status: 401, Message: "Bad credentials"})
		require.Equal(t, exitCouldNotJudge, w.run("--wait", "10m").code)
	})
	t.Run("a failure at the very end", func(t *testing.T) {
		t.Parallel()
		w, _ := pendingWorld(t)
		w.Fail(githubtest.Fault{Match: query, Status: 502, Times: -1})
		got := w.run("--wait", "1m")
		require.Equal(t, exitCouldNotJudge, got.code)
		require.Contains(t, got.stderr, "GitHub answered 502")
	})
}

func TestProgress(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	p := progress{to: &out, on: true}
	p.clear()
	require.Empty(t, out.String())
	p.show(report.Report{Title: "1 of 2 checks is pending"}, nil, 90*time.Second)
	p.show(report.Report{}, &github.Error{Kind: github.RateLimited}, time.Minute)
	p.show(report.Report{}, errors.New("x"), time.Minute)
	p.clear()
	require.Equal(t, "\rpending: 1 of 2 checks is pending (waiting for up to 1m30s)\x1b[K"+
		"\rGitHub's rate limit is used up (waiting for up to 1m0s)\x1b[K"+
		"\rGitHub does not answer (waiting for up to 1m0s)\x1b[K"+"\r\x1b[K", out.String())
	out.Reset()
	quiet := progress{to: &out}
	quiet.show(report.Report{}, nil, time.Minute)
	quiet.clear()
	require.Empty(t, out.String())
}

// A server that says nothing does not make it wait longer than asked.
func TestWaitingForAServerThatIsSilent(t *testing.T) {
	t.Parallel()
	silent := func(w *world, from func(operation string) bool) {
		held := make(chan struct{})
		t.Cleanup(func() { close(held) })
		w.onArrival(func(r *http.Request, operation string) {
			if from(operation) {
				select {
				case <-r.Context().Done():
				case <-held:
				}
			}
		})
	}
	for name, operation := range map[string]string{"from the beginning": "OfBranch", "later": "PullRequest"} {
		w, _ := pendingWorld(t)
		silent(w, func(asked string) bool { return asked == operation })
		began := time.Now()
		got := w.run("--wait", "300ms", "--json")
		require.Less(t, time.Since(began), 10*time.Second, "a request alone would take twenty")
		require.Equal(t, exitCouldNotJudge, got.code, name)
		require.Contains(t, got.stderr, "no answer in time", name)
		require.Equal(t, report.CodeGateUnavailable, got.report(t).Diagnostics[0].Code)
	}

	// What was seen before still counts.
	w, _ := pendingWorld(t)
	looks := 0
	silent(w, func(asked string) bool {
		if asked == "PullRequest" {
			looks++
		}
		return looks > 1
	})
	w.clock.Advance(time.Second)
	got := w.run("--wait", "3s", "--json")
	require.Equal(t, exitWaiting, got.code, got.stderr)
	require.Equal(t, report.Pending, got.report(t).Conclusion)
}
