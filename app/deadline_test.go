package app

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/evidence-gate/evidence-gate/internal/github"
	"github.com/evidence-gate/evidence-gate/report"
)

// ago puts a time of the one pull request back.
func (r *running) ago(column string, by time.Duration) {
	r.t.Helper()
	_, err := r.store.DB().ExecContext(r.t.Context(), `UPDATE targets SET `+column+` = $1`, time.Now().Add(-by).UnixMilli())
	require.NoError(r.t, err)
}

func (r *running) publishes(conclusion report.Conclusion) publication {
	r.t.Helper()
	var last publication
	r.until("it publishes "+string(conclusion), func() bool {
		published := r.github.publications()
		if len(published) == 0 {
			return false
		}
		last = published[len(published)-1]
		return last.Report.Conclusion == conclusion
	})
	return last
}

func pending(t *testing.T) *running {
	t.Helper()
	r := start(t)
	r.github.set(func() { r.github.title = "pending" })
	r.deliveryIs(r.accept("pull_request", pullRequest("opened", 42, headA)), "done")
	r.publishes(report.Pending)
	return r
}

// TestAVerdictThatWaitsForTooLongIsConcluded without any event, and once.
func TestAVerdictThatWaitsForTooLongIsConcluded(t *testing.T) {
	t.Parallel()
	r := pending(t)
	r.ago("last_event_at", 25*time.Hour)
	r.ago("pending_since", 25*time.Hour)
	late := r.publishes(report.ActionRequired)
	codes := []string{}
	for _, d := range late.Report.Diagnostics {
		codes = append(codes, string(d.Code))
	}
	require.Equal(t, []string{string(report.CodeCheckPending), string(report.CodeGateUnavailable)}, codes, "what it waits for is still said")

	count := len(r.github.publications())
	r.deliveryIs(r.accept("pull_request", pullRequest("edited", 42, headA)), "done")
	r.publishes(report.ActionRequired)
	require.Len(t, r.github.publications(), count+1, "an event does not start the wait anew")

	r.github.set(func() { r.github.byHead[headA] = []int{42} })
	r.deliveryIs(r.accept("check_run", checkRun("rerequested", 77, headA)), "done")
	r.publishes(report.Pending)

	r.github.set(func() { r.github.title = "" })
	r.deliveryIs(r.accept("pull_request", pullRequest("edited", 42, headA)), "done")
	r.publishes(report.Success)
}

func TestAWaitWithinItsTimeGoesOn(t *testing.T) {
	t.Parallel()
	r := pending(t)
	r.ago("pending_since", 23*time.Hour)
	r.deliveryIs(r.accept("pull_request", pullRequest("edited", 42, headA)), "done")
	r.publishes(report.Pending)
	r.ago("pending_since", 25*time.Hour)
	r.github.set(func() { r.github.head = headB })
	r.deliveryIs(r.accept("pull_request", pullRequest("synchronize", 42, headB)), "done")
	require.Equal(t, report.Pending, r.publishes(report.Pending).Report.Conclusion)
	require.Equal(t, headB, r.publishes(report.Pending).HeadSHA, "another head waits anew")
}

func TestARunIsConcludedWhenItsPullRequestIsClosedMeanwhile(t *testing.T) {
	t.Parallel()
	r := pending(t)
	r.github.set(func() { r.github.state = "closed" })
	r.deliveryIs(r.accept("pull_request", pullRequest("closed", 42, headA)), "done")
	closed := r.publishes(report.ActionRequired)
	require.Contains(t, closed.Report.Diagnostics[0].Message, "closed while its verdict waited")
	count := len(r.github.publications())
	r.deliveryIs(r.accept("pull_request", pullRequest("labeled", 42, headA)), "done")
	require.Len(t, r.github.publications(), count, "it is concluded once")
}

// TestAJudgementThatTakesTooLongIsSaid while it is still tried: nobody looks at a run in progress for
// ever, or waits for one that never comes.
func TestAJudgementThatTakesTooLongIsSaid(t *testing.T) {
	t.Parallel()
	r := pending(t)
	r.github.set(func() { r.github.sticky = true })
	r.github.fail("snapshot", &github.Error{Kind: github.Unavailable, Message: "GitHub answered 502"})
	guid := r.accept("pull_request", pullRequest("edited", 42, headA))
	r.ago("first_event_at", 11*time.Minute)
	late := r.publishes(report.ActionRequired)
	require.Contains(t, late.Report.Diagnostics[0].Message, "GitHub answered 502")
	r.github.fail("snapshot")
	r.github.set(func() { r.github.title = "" })
	r.deliveryIs(guid, "done")
	r.publishes(report.Success)
}

func TestAVerdictThatStandsIsNotReplacedByALateOne(t *testing.T) {
	t.Parallel()
	r := start(t)
	r.deliveryIs(r.accept("pull_request", pullRequest("opened", 42, headA)), "done")
	down := &github.Error{Kind: github.Unavailable, Message: "GitHub answered 502"}
	r.github.fail("snapshot", down, down, down)
	guid := r.accept("pull_request", pullRequest("edited", 42, headA))
	r.ago("first_event_at", 11*time.Minute)
	r.deliveryIs(guid, "done")
	for _, p := range r.github.publications() {
		require.Equal(t, report.Success, p.Report.Conclusion)
	}
}
