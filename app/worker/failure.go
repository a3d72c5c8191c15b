package worker

import (
	"context"
	"errors"
	"math/rand/v2"
	"time"

	"github.com/riverqueue/river"
	"github.com/riverqueue/river/rivertype"

	"github.com/evidence-gate/evidence-gate/app/publish"
	"github.com/evidence-gate/evidence-gate/app/store"
	"github.com/evidence-gate/evidence-gate/internal/github"
	"github.com/evidence-gate/evidence-gate/report"
)

const (
	// tries is how often a job is tried: with the back-off below for about two hours, which
	// outlasts most of GitHub's incidents.
	tries = 20
	// vanishedAttempts: a pull request may be missing right after its event, for some seconds.
	vanishedAttempts = 4
	// patience bounds waiting that does not count as attempts, such as for rate limits.
	patience = 24 * time.Hour

	// recordTimeout bounds what is done about a failed run.
	recordTimeout = 30 * time.Second

	firstBackoff = time.Second
	mostBackoff  = 10 * time.Minute
	// failureLimit bounds the reason that is stored and shown, in characters.
	failureLimit = 1000
)

// step is what happens after a failed run.
type step int

const (
	retry  step = iota // later, counting as an attempt
	wait               // as long as GitHub asks, not counting
	drop               // the subject is gone: nothing to do
	giveUp             // a dead letter
)

// stepAfter decides by the kind of failure. Rate limits end by themselves; what a person must
// repair is given up until the next event.
func stepAfter(err error, attempt int, waited time.Duration) step {
	var failure *github.Error
	if !errors.As(err, &failure) {
		return countAttempt(attempt)
	}
	switch failure.Kind {
	case github.NotFound:
		if attempt < vanishedAttempts {
			return retry
		}
		return drop
	case github.Forbidden, github.Suspended, github.Invalid, github.TooLarge:
		return giveUp
	case github.RateLimited:
		return waitAtMost(waited)
	}
	if failure.RetryAfter > 0 {
		return waitAtMost(waited)
	}
	return countAttempt(attempt)
}

func countAttempt(attempt int) step {
	if attempt >= tries {
		return giveUp
	}
	return retry
}

func waitAtMost(waited time.Duration) step {
	if waited > patience {
		return giveUp
	}
	return wait
}

// failed handles the error of a run.
func (w *Worker) failed(ctx context.Context, t task, job string, err error, discard func(reason string) store.InTx) error {
	if ctx.Err() != nil && errors.Is(ctx.Err(), context.Canceled) {
		return ctx.Err() // the service stops: the queue puts the job back, the attempt does not count
	}
	// A run that took too long is recorded all the same.
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), recordTimeout)
	defer cancel()
	kind := kindOf(err)
	switch stepAfter(err, t.attempt, w.Now().Sub(t.FirstEventAt)) {
	case wait:
		after := retryAfter(err)
		w.sayLate(ctx, t, err)
		t.log.WarnContext(ctx, "waits as GitHub asks", "failure", kind, "wait", after.String(), "error", err.Error())
		w.Metrics.Retried(job, kind)
		return river.JobSnooze(after)
	case drop:
		t.log.InfoContext(ctx, "nothing to do: it is not there", "error", err.Error())
		again, err := w.Store.Finish(ctx, t.Target, store.Judged{}, t.complete)
		return snoozeIf(again, err)
	case giveUp:
		return w.giveUp(ctx, t, job, err, discard)
	}
	w.sayLate(ctx, t, err)
	t.log.WarnContext(ctx, "failed and is tried again", "failure", kind, "error", err.Error())
	w.Metrics.Retried(job, kind)
	return err
}

// giveUp leaves a dead letter: in the queue, in the store, in the log, in the metrics and, for a
// pull request, as a check run that says why.
func (w *Worker) giveUp(ctx context.Context, t task, job string, cause error, discard func(reason string) store.InTx) error {
	reason := clip(cause.Error())
	if t.Kind == store.PullRequest && t.HeadSHA != "" {
		w.sayUnavailable(ctx, t, reason)
	}
	again, err := w.Store.Fail(ctx, t.Target, reason, discard(reason))
	if err == nil && !again {
		t.log.ErrorContext(ctx, "given up until the next event", "failure", kindOf(cause), "error", reason)
		w.Metrics.GaveUp(job, kindOf(cause))
	}
	return snoozeIf(again, err)
}

// sayUnavailable publishes that the gate could not judge. It is tried once: whatever kept the
// judgement back may keep this back too. In a repository that was not enrolled when it was last judged
// nothing is published; one that was never judged counts as enrolled, since its policy is not known.
func (w *Worker) sayUnavailable(ctx context.Context, t task, reason string) {
	before, err := w.Store.StandingOf(ctx, t.Target)
	if err == nil && before.Enrolment == store.NotEnrolled && !w.EnrolAll {
		return
	}
	var installation Installation
	if err == nil {
		installation, err = w.GitHub.Installation(ctx, t.InstallationID, t.repo)
	}
	if err == nil {
		r := unavailable(t.HeadSHA, reason)
		r.Mode = before.Mode
		_, _, err = w.publish(ctx, installation, t, publish.Target{HeadSHA: t.HeadSHA, CheckName: before.CheckName}, r)
	}
	if err != nil {
		t.log.WarnContext(ctx, "could not publish that the gate is unavailable", "error", err.Error())
	}
}

// unavailable is the report of a gate that could not judge (design section 8): it never passes.
func unavailable(head, reason string) report.Report {
	diagnostic := report.New(report.CodeGateUnavailable, "The gate could not judge this pull request: "+reason)
	diagnostic.Help = "Press Re-run once the cause is repaired; any new event tries again too."
	return report.Report{
		Schema:      report.Schema,
		Conclusion:  report.Conclude([]report.Diagnostic{diagnostic}),
		Stage:       report.Merge,
		Title:       "The gate could not judge this pull request",
		HeadSHA:     head,
		Level:       "checks",
		Assurance:   "self_reported",
		Notes:       []string{},
		Checks:      []report.Check{},
		Episodes:    []report.Episode{},
		Diagnostics: []report.Diagnostic{diagnostic},
		Contract:    report.Contract{Changed: []report.Change{}},
	}
}

func snoozeIf(again bool, err error) error {
	if err == nil && again {
		return river.JobSnooze(debounce)
	}
	return err
}

// kindOf names the failure for logs and metrics, from a closed set.
func kindOf(err error) string {
	if kind := github.KindOf(err); kind != "" {
		return string(kind)
	}
	switch {
	case errors.Is(err, errHeadNotVisible):
		return "head_not_visible"
	case errors.Is(err, errNotCovered):
		return "not_covered"
	case errors.Is(err, context.DeadlineExceeded):
		return "timeout"
	}
	return "internal"
}

func retryAfter(err error) time.Duration {
	after := firstBackoff
	var failure *github.Error
	if errors.As(err, &failure) {
		after = max(after, failure.RetryAfter)
	}
	// Not all at once when the limit ends.
	return after + rand.N(after/10+time.Second)
}

// Backoff is when the queue tries a failed job again: doubling, with jitter of a fifth.
type Backoff struct {
	Now   func() time.Time
	First time.Duration // a second when zero
}

// NextRetry implements River's policy.
func (b Backoff) NextRetry(job *rivertype.JobRow) time.Time {
	first := b.First
	if first == 0 {
		first = firstBackoff
	}
	delay := mostBackoff
	if job.Attempt <= 10 {
		delay = min(first<<max(job.Attempt-1, 0), mostBackoff)
	}
	return b.Now().Add(delay - delay/5 + rand.N(2*delay/5+1))
}

func clip(text string) string {
	runes := []rune(text)
	if len(runes) <= failureLimit {
		return text
	}
	return string(runes[:failureLimit]) + "…"
}
