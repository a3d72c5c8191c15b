package worker

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/evidence-gate/evidence-gate/app/publish"
	"github.com/evidence-gate/evidence-gate/app/store"
	"github.com/evidence-gate/evidence-gate/report"
)

// No check run stays in progress for ever (design section 14, Publishing).
const (
	// judgementDeadline is how long a judgement may take, with everything that is tried again.
	judgementDeadline = 10 * time.Minute
	// WaitDeadline is how long a verdict may wait for something.
	WaitDeadline = 24 * time.Hour
)

// inTime is the verdict, or what is said instead of one that has waited for too long: that it waits no
// more. A person's re-run and another head start the wait anew.
func (w *Worker) inTime(t store.Target, r report.Report) report.Report {
	if r.Conclusion != report.Pending || t.PendingSince.IsZero() || t.Rerun || t.JudgedSHA != r.HeadSHA ||
		w.Now().Sub(t.PendingSince) < WaitDeadline {
		return r
	}
	late := report.New(report.CodeGateUnavailable, fmt.Sprintf("The gate waited for %.0f hours, since %s, and what it waits for did not come.",
		WaitDeadline.Hours(), t.PendingSince.UTC().Format(time.RFC3339)))
	late.Help = "See what is pending below; once it is repaired, press Re-run. Any new event judges again too."
	r.Diagnostics = append(slices.Clone(r.Diagnostics), late)
	r.Conclusion = report.Conclude(r.Diagnostics)
	r.Title = "Waited for too long: what is pending did not come"
	return r
}

// concludeClosed concludes the run of a pull request that was closed while its verdict waited. Where
// others have the head, theirs is published there instead.
func (w *Worker) concludeClosed(ctx context.Context, to Installation, t task, others []int) error {
	if t.PendingSince.IsZero() || t.JudgedSHA == "" || len(others) > 0 || t.Standing.Enrolment != store.Enrolled {
		return nil
	}
	r := unavailable(t.JudgedSHA, "it was closed while its verdict waited.")
	r.Mode = t.Standing.Mode
	_, _, err := w.publish(ctx, to, t, publish.Target{HeadSHA: t.JudgedSHA, CheckName: t.Standing.CheckName}, r)
	return err
}

// sayLate says that the judgement takes too long where nothing else is shown: the run on this head is in
// progress, or there is none yet. The judgement is still tried.
func (w *Worker) sayLate(ctx context.Context, t task, cause error) {
	if t.Kind != store.PullRequest || t.HeadSHA == "" || w.Now().Sub(t.FirstEventAt) < judgementDeadline {
		return
	}
	if t.JudgedSHA == t.HeadSHA && t.PendingSince.IsZero() {
		return // the last verdict stands
	}
	w.sayUnavailable(ctx, t, clip(cause.Error()))
}
