package worker

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/riverqueue/river/rivertype"
	"github.com/stretchr/testify/require"

	"github.com/evidence-gate/evidence-gate/app/store"
	"github.com/evidence-gate/evidence-gate/internal/github"
	"github.com/evidence-gate/evidence-gate/report"
)

func TestStepAfter(t *testing.T) {
	t.Parallel()
	failure := func(kind github.Kind) error { return fmt.Errorf("load: %w", &github.Error{Kind: kind}) }
	asks := func(kind github.Kind) error { return &github.Error{Kind: kind, RetryAfter: time.Minute} }
	rows := []struct {
		rule    string
		err     error
		attempt int
		waited  time.Duration
		want    step
	}{
		{"GitHub is down", failure(github.Unavailable), 1, 0, retry},
		{"GitHub is down for very long", failure(github.Unavailable), 20, 0, giveUp},
		{"GitHub is down and says until when", asks(github.Unavailable), 20, 0, wait},
		{"a rate limit", asks(github.RateLimited), 20, time.Hour, wait},
		{"a rate limit without a time", failure(github.RateLimited), 1, 0, wait},
		{"a rate limit that never ends", asks(github.RateLimited), 1, 25 * time.Hour, giveUp},
		{"what was read does not add up", failure(github.Incomplete), 19, 0, retry},
		{"the token is not accepted", failure(github.Unauthorized), 1, 0, retry},
		{"not there right after the event", failure(github.NotFound), 3, 0, retry},
		{"not there at all", failure(github.NotFound), 4, 0, drop},
		{"a missing permission", failure(github.Forbidden), 1, 0, giveUp},
		{"a suspended installation", failure(github.Suspended), 1, 0, giveUp},
		{"a refused request", failure(github.Invalid), 1, 0, giveUp},
		{"an answer that is too large", failure(github.TooLarge), 1, 0, giveUp},
		{"an error of our own", errors.New("disk full"), 1, 0, retry},
		{"an error of our own that stays", errors.New("disk full"), 20, 0, giveUp},
	}
	for _, row := range rows {
		t.Run(row.rule, func(t *testing.T) {
			t.Parallel()
			require.Equal(t, row.want, stepAfter(row.err, row.attempt, row.waited))
		})
	}
}

func TestKindsOfFailuresAreAClosedSet(t *testing.T) {
	t.Parallel()
	require.Equal(t, "forbidden", kindOf(fmt.Errorf("x: %w", &github.Error{Kind: github.Forbidden})))
	require.Equal(t, "head_not_visible", kindOf(fmt.Errorf("%w: a, b", errHeadNotVisible)))
	require.Equal(t, "timeout", kindOf(fmt.Errorf("x: %w", context.DeadlineExceeded)))
	require.Equal(t, "internal", kindOf(errors.New("anything")))
}

func TestRetryAfterIsHonouredWithSomeJitter(t *testing.T) {
	t.Parallel()
	for range 100 {
		after := retryAfter(&github.Error{Kind: github.RateLimited, RetryAfter: time.Minute})
		require.GreaterOrEqual(t, after, time.Minute)
		require.Less(t, after, 67*time.Second)
	}
	require.GreaterOrEqual(t, retryAfter(&github.Error{Kind: github.RateLimited}), time.Second)
}

func TestBackoffDoublesUpToTenMinutes(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)
	policy := Backoff{Now: func() time.Time { return now }}
	for attempt, about := range map[int]time.Duration{
		1: time.Second, 2: 2 * time.Second, 5: 16 * time.Second, 10: 512 * time.Second, 11: 10 * time.Minute, 9999: 10 * time.Minute,
	} {
		delays := map[time.Duration]bool{}
		for range 50 {
			delay := policy.NextRetry(&rivertype.JobRow{Attempt: attempt}).Sub(now)
			require.InDelta(t, about.Seconds(), delay.Seconds(), about.Seconds()*0.21, "attempt %d", attempt)
			delays[delay] = true
		}
		require.Greater(t, len(delays), 1, "with jitter")
	}
}

func TestABurstOfEventsIsWaitedForButNotForEver(t *testing.T) {
	t.Parallel()
	first := time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)
	after := func(d time.Duration) store.Target {
		return store.Target{FirstEventAt: first, LastEventAt: first.Add(d)}
	}
	require.Equal(t, first.Add(500*time.Millisecond), Due(after(0)))
	require.Equal(t, first.Add(2500*time.Millisecond), Due(after(2*time.Second)))
	require.Equal(t, first.Add(5*time.Second), Due(after(time.Minute)))
}

func TestAClockThatWasSetBackHoldsNothingUp(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)
	at := func(event time.Time) time.Duration {
		return waitFor(store.Target{FirstEventAt: event, LastEventAt: event}, now)
	}
	require.Equal(t, 500*time.Millisecond, at(now))
	require.Equal(t, 300*time.Millisecond, at(now.Add(-200*time.Millisecond)))
	require.Zero(t, at(now.Add(-time.Hour)))
	require.Zero(t, at(now.Add(time.Hour)), "the event was noted by a clock that ran an hour ahead")
}

func TestAGateThatCouldNotJudgeNeverPasses(t *testing.T) {
	t.Parallel()
	r := unavailable("abc", "GitHub is down")
	require.Equal(t, report.ActionRequired, r.Conclusion)
	require.Equal(t, "abc", r.HeadSHA)
	require.Equal(t, report.CodeGateUnavailable, r.Diagnostics[0].Code)
	require.Contains(t, r.Diagnostics[0].Message, "GitHub is down")
}
