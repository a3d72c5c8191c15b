package app

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/evidence-gate/evidence-gate/app/config"
	"github.com/evidence-gate/evidence-gate/internal/github"
	"github.com/evidence-gate/evidence-gate/internal/githubtest"
	"github.com/evidence-gate/evidence-gate/report"
)

// twins are two open pull requests with one head commit: one proves its check, the other does not.
type twins struct {
	*gate
	head             string
	proven, unproven *githubtest.PullRequest
}

func newTwins(t *testing.T, provenFirst bool) *twins {
	t.Helper()
	w := &twins{gate: newGate(t, onePolicy)}
	task := w.repo.AddIssue(githubtest.IssueOptions{Author: "lead", Title: "Light mode", Body: "## Required Checks\n\n- [RC-1] `npm test`\n"})
	w.head = w.repo.PushBranch("eng", "one", githubtest.Commit{})
	w.repo.CreateBranch("two", w.head)
	w.start(config.EnrolByPolicy)
	closes := fmt.Sprintf("Closes #%d\n", task.Number())
	open := func(branch string, proven bool) *githubtest.PullRequest {
		body := closes
		if proven {
			body += w.evidence()
		}
		pull := w.repo.OpenPullRequest(githubtest.PullRequestOptions{Author: "eng", Title: "Light mode", Branch: branch, Body: body})
		w.pull = pull
		w.quiet()
		return pull
	}
	if provenFirst {
		w.proven = open("one", true)
		w.concludes("success")
		w.unproven = open("two", false)
	} else {
		w.unproven = open("one", false)
		w.concludes("failure")
		w.proven = open("two", true)
	}
	w.quiet()
	w.waitFor("both are named", func() bool {
		return len(w.runs("evidence-gate")) == 1 && w.run().Conclusion == "failure" &&
			w.says(fmt.Sprintf("#%d: success", w.proven.Number()), fmt.Sprintf("#%d: failure", w.unproven.Number()))
	})
	return w
}

func (w *twins) evidence() string {
	return "\n## Evidence\nCurrent PR head: " + w.head + "\n\n- Required check: [RC-1] `npm test`\n  Verdict: passed\n  Evidence: final run: 128 passing, 0 failing (exit 0)\n"
}

func (w *twins) says(words ...string) bool {
	for _, word := range words {
		if !strings.Contains(w.run().Summary, word) {
			return false
		}
	}
	return true
}

// TestTheWorstVerdictOfASharedHeadCounts: otherwise the pull request that was judged last would decide,
// and an unproven one could merge behind a proven one.
func TestTheWorstVerdictOfASharedHeadCounts(t *testing.T) {
	t.Parallel()
	for _, provenFirst := range []bool{true, false} {
		t.Run(fmt.Sprintf("proven first: %t", provenFirst), func(t *testing.T) {
			t.Parallel()
			w := newTwins(t, provenFirst)
			require.True(t, w.says("head of 2 open pull requests", fmt.Sprintf("that of #%d", w.unproven.Number())))

			// Whichever is judged last, the run stays as it is.
			updates := w.run().Updates
			for i, pull := range []*githubtest.PullRequest{w.proven, w.unproven, w.proven} {
				pull.EditTitle("eng", fmt.Sprintf("Light mode, version %d", i))
				w.quiet()
			}
			require.Equal(t, "failure", w.run().Conclusion)
			require.Equal(t, updates, w.run().Updates, "an unchanged verdict is not published again")

			w.unproven.Close("eng")
			w.concludes("success")
			require.NotContains(t, w.run().Summary, "share this check run")
			w.unproven.Reopen("eng")
			w.concludes("failure")
		})
	}
}

func TestWhoLeavesASharedHeadTakesItsVerdictAlong(t *testing.T) {
	t.Parallel()
	w := newTwins(t, true)
	moved := w.unproven.Push("eng", githubtest.Commit{})
	w.waitFor("the verdict on the head that was left", func() bool {
		return w.repo.CheckRuns(w.head)[0].Conclusion == "success"
	})
	w.waitFor("the verdict on the new head", func() bool {
		runs := w.repo.CheckRuns(moved)
		return len(runs) == 1 && runs[0].Conclusion == "failure"
	})
}

// TestATwinThatCannotBeReadDoesNotPass: what is not known of it might be a failure.
func TestATwinThatCannotBeReadDoesNotPass(t *testing.T) {
	t.Parallel()
	r := start(t)
	r.deliveryIs(r.accept("pull_request", pullRequest("opened", 42, headA)), "done")
	r.github.fail("snapshot", nil, &github.Error{Kind: github.TooLarge, Message: "it has too many comments"})
	r.deliveryIs(r.accept("pull_request", pullRequest("opened", 43, headA)), "done")
	published := r.github.publications()
	require.Len(t, published, 2)
	require.Equal(t, report.ActionRequired, published[1].Report.Conclusion)
	require.Equal(t, report.CodeGateUnavailable, published[1].Report.Diagnostics[0].Code)
	require.Equal(t, 42, published[1].Number)
	require.Len(t, published[1].Sharing, 2)

	r.github.fail("snapshot", nil, &github.Error{Kind: github.Unavailable, Message: "GitHub is down"})
	r.deliveryIs(r.accept("pull_request", pullRequest("edited", 43, headA)), "done")
	published = r.github.publications()
	require.Len(t, published, 3, "what may end by itself is tried again")
	require.Equal(t, report.Success, published[2].Report.Conclusion)
}

// TestEachCheckNameHasAVerdictOfItsOwn: pull requests into branches whose policies name the check run
// differently share nothing.
func TestEachCheckNameHasAVerdictOfItsOwn(t *testing.T) {
	t.Parallel()
	w := newTwins(t, true)
	w.repo.SetFile("release", ".github/evidence.yml", "version: 1\ncheck_name: release evidence\n")
	w.unproven.ChangeBase("lead", "release")
	w.waitFor("a run of its own", func() bool {
		runs := w.runs("release evidence")
		return len(runs) == 1 && runs[0].Conclusion == "failure"
	})
	w.waitFor("the other one passes", func() bool { return w.run().Conclusion == "success" })
}

// quiet waits until every delivery so far is done with.
func (g *gate) quiet() {
	g.Helper()
	ctx := g.Context()
	require.NoError(g, g.Webhooks().Flush(ctx))
	require.Eventually(g, g.done, patient, 5*time.Millisecond, "the events are done")
}
