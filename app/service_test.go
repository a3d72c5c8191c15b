package app

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/evidence-gate/evidence-gate/app/config"
	"github.com/evidence-gate/evidence-gate/app/event"
	"github.com/evidence-gate/evidence-gate/app/store"
	"github.com/evidence-gate/evidence-gate/internal/github"
	"github.com/evidence-gate/evidence-gate/report"
	"github.com/evidence-gate/evidence-gate/snapshot"
)

func TestAnEventBecomesAPublishedReport(t *testing.T) {
	t.Parallel()
	r := start(t)
	guid := r.accept("pull_request", pullRequest("opened", 42, headA))
	r.deliveryIs(guid, "done")

	published := r.github.publications()
	require.Len(t, published, 1)
	require.Equal(t, widgets, published[0].Repo)
	require.Equal(t, 42, published[0].Number)
	require.Equal(t, headA, published[0].HeadSHA)
	require.Nil(t, published[0].Known)
	require.Equal(t, report.Merge, published[0].Report.Stage, "the app's check asks whether it may merge")
	require.Equal(t, []int64{9}, r.github.asked)

	guid = r.accept("pull_request", pullRequest("edited", 42, headA))
	r.deliveryIs(guid, "done")
	published = r.github.publications()
	require.EqualValues(t, 1, published[1].Known.ID, "the check run is remembered")
	require.False(t, published[1].Rerequested)

	require.True(t, r.metric(`evidence_gate_deliveries_total{event="pull_request",outcome="accepted"} 2`))
	require.True(t, r.metric(`evidence_gate_evaluations_total{conclusion="success"} 2`))
	require.True(t, r.metric(`evidence_gate_deliveries{state="done"} 2`))
	require.True(t, r.metric(`evidence_gate_lag_seconds 0`))
	require.NotContains(t, r.log.String(), secret)
}

func TestManyEventsAreOneEvaluation(t *testing.T) {
	t.Parallel()
	r := start(t)
	sent := make(chan struct{})
	r.github.onLoad = func(context.Context) error { <-sent; return nil }
	var guids []string
	for range 20 {
		guids = append(guids, r.accept("pull_request", pullRequest("labeled", 42, headA)))
	}
	close(sent)
	for _, guid := range guids {
		r.deliveryIs(guid, "done")
	}
	// One, or two when this machine took so long that the first one had begun.
	require.LessOrEqual(t, len(r.github.publications()), 2)
	require.True(t, r.metric(`evidence_gate_deliveries{state="done"} 20`))
}

func TestAnEventDuringARunLeadsToAnotherRun(t *testing.T) {
	t.Parallel()
	r := start(t)
	loading, goOn := make(chan struct{}, 9), make(chan struct{})
	r.github.onLoad = func(context.Context) error {
		loading <- struct{}{}
		<-goOn
		return nil
	}
	first := r.accept("pull_request", pullRequest("opened", 42, headA))
	<-loading
	second := r.accept("pull_request", pullRequest("edited", 42, headA))
	close(goOn)
	r.deliveryIs(first, "done")
	r.deliveryIs(second, "done")
	require.Equal(t, 2, r.github.count("snapshot"), "what the event changed was not in the first reading")
}

func TestRedeliveries(t *testing.T) {
	t.Parallel()
	r := start(t)
	guid := r.accept("pull_request", pullRequest("opened", 42, headA))
	r.deliveryIs(guid, "done")
	status, answer := r.deliver(guid, "pull_request", pullRequest("opened", 42, headA))
	require.Equal(t, http.StatusAccepted, status)
	require.Contains(t, answer, "work is done")

	r.github.fail("snapshot", &github.Error{Kind: github.Forbidden, Permission: "pull requests: read", Message: "grant it"})
	failed := r.accept("pull_request", pullRequest("edited", 42, headA))
	r.deliveryIs(failed, "failed")
	status, _ = r.deliver(failed, "pull_request", pullRequest("edited", 42, headA))
	require.Equal(t, http.StatusAccepted, status)
	r.deliveryIs(failed, "done")
	require.Equal(t, 3, r.github.count("snapshot"), "the done one asked for none, the failed one for another")
}

func TestATaskOrACommitIsResolvedToItsPullRequests(t *testing.T) {
	t.Parallel()
	r := start(t)
	r.github.set(func() {
		r.github.closing[7] = []int{1, 2}
		r.github.byHead[headB] = []int{3}
		r.github.heads = map[int]string{2: strings.Repeat("c", 40), 3: headB}
	})
	edited := r.accept("issues", issue("edited", 7))
	completed := r.accept("check_run", checkRun("completed", 15368, headB))
	unrelated := r.accept("check_run", checkRun("completed", 15368, headA))
	for _, guid := range []string{edited, completed, unrelated} {
		r.deliveryIs(guid, "done")
	}
	var numbers []int
	for _, p := range r.github.publications() {
		numbers = append(numbers, p.Number)
	}
	require.ElementsMatch(t, []int{1, 2}, without(numbers, 3))
	require.Equal(t, 1, r.github.count("closing"))
}

func without(numbers []int, one int) []int {
	var rest []int
	for _, n := range numbers {
		if n != one {
			rest = append(rest, n)
		}
	}
	return rest
}

func TestADeletedTaskReachesThePullRequestsThatWereLinked(t *testing.T) {
	t.Parallel()
	r := start(t)
	r.github.set(func() {
		r.github.linked = []snapshot.Linked{{Repository: "Acme/Widgets", Number: 7, Source: "closing", Readable: true}}
	})
	r.deliveryIs(r.accept("pull_request", pullRequest("opened", 42, headA)), "done")
	r.github.fail("closing", &github.Error{Kind: github.NotFound, Message: "there is none"})
	r.deliveryIs(r.accept("issues", issue("deleted", 7)), "done")
	require.Equal(t, 2, r.github.count("snapshot"))
}

func TestAPersonsRerunIsPublishedThoughUnchanged(t *testing.T) {
	t.Parallel()
	r := start(t)
	r.github.set(func() { r.github.byHead[headA] = []int{42} })
	r.deliveryIs(r.accept("check_run", checkRun("rerequested", 77, headA)), "done")
	r.deliveryIs(r.accept("pull_request", pullRequest("edited", 42, headA)), "done")
	published := r.github.publications()
	require.Len(t, published, 2)
	require.True(t, published[0].Rerequested)
	require.False(t, published[1].Rerequested)
}

func TestClosedPullRequestsAreNotJudged(t *testing.T) {
	t.Parallel()
	for _, state := range []string{"closed", "merged"} {
		r := start(t)
		r.github.set(func() { r.github.state = state })
		r.deliveryIs(r.accept("issue_comment", `{"action":"created","issue":{"number":42,"pull_request":{}},"comment":{},`+from+`}`), "done")
		require.Empty(t, r.github.publications())
		require.True(t, r.metric(`evidence_gate_evaluations_total{conclusion="closed"} 1`))
	}
}

func TestGitHubDown(t *testing.T) {
	t.Parallel()
	r := start(t)
	down := &github.Error{Kind: github.Unavailable, Status: 502, Message: "GitHub answered 502 Bad Gateway: try again"}
	r.github.fail("snapshot", down, down, &github.Error{Kind: github.Incomplete, Message: "read again"})
	r.github.fail("publish", down, errors.New("connection reset"))
	guid := r.accept("pull_request", pullRequest("opened", 42, headA))
	r.deliveryIs(guid, "done")
	require.Equal(t, 6, r.github.count("snapshot"), "three failed readings, and one for each publication tried")
	require.Len(t, r.github.publications(), 1)
	require.True(t, r.metric(`evidence_gate_retries_total{failure="unavailable",job="evaluate"} 3`))
	require.Contains(t, r.log.String(), "502 Bad Gateway")
}

func TestRateLimitsAreWaitedForAndDoNotCount(t *testing.T) {
	t.Parallel()
	r := start(t)
	limited := &github.Error{Kind: github.RateLimited, RetryAfter: time.Second, Message: "the rate limit is used up"}
	r.github.fail("snapshot", limited)
	asked := time.Now()
	r.deliveryIs(r.accept("pull_request", pullRequest("opened", 42, headA)), "done")
	require.GreaterOrEqual(t, time.Since(asked), time.Second)
	require.True(t, r.metric(`evidence_gate_retries_total{failure="rate_limited",job="evaluate"} 1`))
}

func TestAMissingPermissionIsADeadLetterThatSaysSo(t *testing.T) {
	t.Parallel()
	r := start(t)
	missing := &github.Error{
		Kind: github.Forbidden, Status: 403, Operation: "read acme/widgets#42", Permission: "issues: read",
		Message: `the permission is missing: grant the App "issues: read" in its settings`,
	}
	r.github.fail("snapshot", missing)
	guid := r.accept("pull_request", pullRequest("opened", 42, headA))
	r.deliveryIs(guid, "failed")

	published := r.github.publications()
	require.Len(t, published, 1)
	require.Equal(t, headA, published[0].HeadSHA)
	require.Equal(t, report.ActionRequired, published[0].Report.Conclusion)
	diagnostic := published[0].Report.Diagnostics[0]
	require.Equal(t, report.CodeGateUnavailable, diagnostic.Code)
	require.Contains(t, diagnostic.Message, `"issues: read"`)

	require.True(t, r.metric(`evidence_gate_dead_letters 1`))
	require.True(t, r.metric(`evidence_gate_dead_letters_total{failure="forbidden",job="evaluate"} 1`))
	require.True(t, r.metric(`evidence_gate_queue_jobs{state="discarded"} 1`))
	require.Contains(t, r.log.String(), "given up until the next event")
	target, err := r.store.Find(t.Context(), store.Numbered(5, store.PullRequest, 42))
	require.NoError(t, err)
	require.Contains(t, target.Failure, "issues: read")

	r.deliveryIs(r.accept("pull_request", pullRequest("edited", 42, headA)), "done")
	require.True(t, r.metric(`evidence_gate_dead_letters 0`), "the next event takes it up again")
}

func TestADeadLetterThatCannotBePublishedIsStillOne(t *testing.T) {
	t.Parallel()
	r := start(t)
	r.github.fail("publish", &github.Error{Kind: github.Forbidden, Permission: "checks: write", Message: `grant "checks: write"`},
		&github.Error{Kind: github.Forbidden, Permission: "checks: write", Message: `grant "checks: write"`})
	r.deliveryIs(r.accept("pull_request", pullRequest("opened", 42, headA)), "failed")
	require.Contains(t, r.log.String(), "could not publish that the gate is unavailable")
}

func TestWhatKeepsFailingIsGivenUp(t *testing.T) {
	t.Parallel()
	r := start(t)
	r.github.set(func() { r.github.sticky = true })
	r.github.fail("closing", &github.Error{Kind: github.Unavailable, Message: "GitHub is down"})
	// Twenty attempts take minutes with any back-off; the last one is enough here.
	guid := r.accept("issues", issue("edited", 7))
	r.until("a first attempt", func() bool { return r.github.count("closing") > 0 })
	r.until("the last attempt", func() bool {
		_, err := r.store.DB().ExecContext(t.Context(), `UPDATE river_job SET attempt = 19, scheduled_at = '2020-01-01', state = 'available' WHERE state IN ('retryable', 'available')`)
		require.NoError(t, err)
		state, err := r.store.DeliveryState(t.Context(), guid)
		require.NoError(t, err)
		return state == "failed"
	})
	require.True(t, r.metric(`evidence_gate_dead_letters_total{failure="unavailable",job="resolve"} 1`))
}

func TestAPanicIsAFailedAttempt(t *testing.T) {
	t.Parallel()
	r := start(t)
	panicked := false
	r.github.onLoad = func(context.Context) error {
		if !panicked {
			panicked = true
			panic("boom")
		}
		return nil
	}
	r.deliveryIs(r.accept("pull_request", pullRequest("opened", 42, headA)), "done")
	require.Contains(t, r.log.String(), "boom")
}

func TestAPullRequestThatIsNotThereIsLookedForSomeTimes(t *testing.T) {
	t.Parallel()
	r := start(t)
	r.github.set(func() { r.github.sticky = true })
	r.github.fail("snapshot", &github.Error{Kind: github.NotFound, Message: "there is none"})
	r.deliveryIs(r.accept("pull_request", pullRequest("opened", 42, headA)), "done")
	require.Equal(t, 4, r.github.count("snapshot"))
	require.Empty(t, r.github.publications())
}

func TestAReadingOlderThanTheEventIsRepeated(t *testing.T) {
	t.Parallel()
	r := start(t)
	r.github.onLoad = func(context.Context) error {
		if r.github.count("snapshot") == 2 {
			r.github.set(func() { r.github.head = headB })
		}
		return nil
	}
	r.deliveryIs(r.accept("pull_request", pullRequest("synchronize", 42, headB)), "done")
	published := r.github.publications()
	require.Len(t, published, 1)
	require.Equal(t, headB, published[0].HeadSHA)
}

func TestAnOlderEventDoesNotHoldTheVerdictBack(t *testing.T) {
	t.Parallel()
	r := start(t)
	r.deliveryIs(r.accept("pull_request", pullRequest("edited", 42, headB)), "done")
	published := r.github.publications()
	require.Len(t, published, 1)
	require.Equal(t, headA, published[0].HeadSHA, "the head that GitHub shows in the end is believed")
}

func TestHealth(t *testing.T) {
	t.Parallel()
	r := start(t)
	r.until("ready", func() bool { status, _ := r.get("/readyz"); return status == http.StatusOK })
	status, body := r.get("/healthz")
	require.Equal(t, http.StatusOK, status, body)
	require.True(t, r.metric(`evidence_gate_waiting 0`))

}

func TestNotReadyWithoutItsDatabase(t *testing.T) {
	t.Parallel()
	r := start(t)
	r.until("ready", func() bool { return r.notReady(t.Context()) == "" })
	_, err := r.store.DB().ExecContext(t.Context(), `DROP TABLE heartbeat`)
	require.NoError(t, err)
	status, body := r.get("/readyz")
	require.Equal(t, http.StatusServiceUnavailable, status)
	require.Contains(t, body, "database")
	status, _ = r.get("/healthz")
	require.Equal(t, http.StatusOK, status, "alive, though not ready")
}

func TestNotReadyUntilTheQueueRunsAndWhileStopping(t *testing.T) {
	t.Parallel()
	r := start(t)
	r.until("ready", func() bool { return r.notReady(t.Context()) == "" })
	r.stopping.Store(true)
	require.Equal(t, "stopping", r.notReady(t.Context()))
	r.stopping.Store(false)
	require.NoError(t, r.queue.Stop(t.Context()))
	require.Equal(t, "the queue does not run", r.notReady(t.Context()))
}

func TestStoppingLetsARunFinish(t *testing.T) {
	t.Parallel()
	r := start(t)
	loading, goOn := make(chan struct{}), make(chan struct{})
	r.github.onLoad = func(context.Context) error { close(loading); <-goOn; return nil }
	guid := r.accept("pull_request", pullRequest("opened", 42, headA))
	<-loading
	r.stop()
	r.until("draining", func() bool { return r.stopping.Load() })
	close(goOn)
	r.end()
	require.Len(t, r.github.publications(), 1)

	again := startAt(t, r.path, newFakeGitHub())
	again.deliveryIs(guid, "done")
	require.Empty(t, again.github.publications(), "nothing is left to do")
}

func TestARunThatDoesNotFinishInTimeIsPutBack(t *testing.T) {
	t.Parallel()
	r := start(t)
	loading := make(chan struct{})
	r.github.onLoad = func(ctx context.Context) error { close(loading); <-ctx.Done(); return ctx.Err() }
	guid := r.accept("pull_request", pullRequest("opened", 42, headA))
	<-loading
	r.end()
	require.Empty(t, r.github.publications())
	require.NotContains(t, r.log.String(), "failed and is tried again", "a stop is no failed attempt")

	again := startAt(t, r.path, newFakeGitHub())
	again.deliveryIs(guid, "done")
	require.Len(t, again.github.publications(), 1)
}

func TestWorkLeftAtAStopIsDoneAfterTheNextStart(t *testing.T) {
	t.Parallel()
	r := start(t)
	guid := r.accept("pull_request", pullRequest("opened", 42, headA)) // waits for the burst to end
	r.end()

	again := startAt(t, r.path, newFakeGitHub())
	again.deliveryIs(guid, "done")
	require.Equal(t, 1, len(r.github.publications())+len(again.github.publications()))
}

// TestStoppingDoesNotWaitForSendersThatHang: a stop that was in order is no failure, whoever holds a
// connection open.
func TestStoppingDoesNotWaitForSendersThatHang(t *testing.T) {
	t.Parallel()
	r := start(t)
	hanging, err := net.Dial("tcp", strings.TrimPrefix(r.webhooks.url(), "http://"))
	require.NoError(t, err)
	defer hanging.Close()
	_, err = fmt.Fprintf(hanging, "POST %s HTTP/1.1\r\nHost: gate\r\nExpect: 100-continue\r\nX-Hub-Signature-256: sha256=%s\r\nContent-Length: 100\r\n\r\n",
		WebhookPath, strings.Repeat("0", 64))
	require.NoError(t, err)
	line, err := bufio.NewReader(hanging).ReadString('\n')
	require.NoError(t, err)
	require.Contains(t, line, "100 Continue", "the body is being read")

	started := time.Now()
	r.end() // requires that the service returns no error
	require.Less(t, time.Since(started), hangUp+5*time.Second)
	require.Contains(t, r.log.String(), "cut off")
}

// TestAJobWaitsForItsTimeWhereItIsLookedForOften: in River's own waiting state it would be looked at
// every five seconds only.
func TestAJobWaitsForItsTimeWhereItIsLookedForOften(t *testing.T) {
	t.Parallel()
	r := start(t)
	before := time.Now()
	guid := r.accept("pull_request", pullRequest("opened", 42, headA))
	var state, due string
	require.NoError(t, r.store.DB().QueryRowContext(t.Context(),
		`SELECT state, strftime('%Y-%m-%dT%H:%M:%fZ', scheduled_at) FROM river_job`).Scan(&state, &due))
	require.Equal(t, "available", state)
	at, err := time.Parse(time.RFC3339, due)
	require.NoError(t, err)
	require.WithinDuration(t, before.Add(500*time.Millisecond), at, 400*time.Millisecond, "when the burst is over")
	r.deliveryIs(guid, "done")
	var attempt int
	require.NoError(t, r.store.DB().QueryRowContext(t.Context(), `SELECT attempt FROM river_job`).Scan(&attempt))
	require.Equal(t, 1, attempt)
}

func TestNewReportsWhatItCannotOpen(t *testing.T) {
	t.Parallel()
	r := start(t)
	configured := func(listen, path string) config.Config {
		return config.Config{Listen: listen, AdminListen: "127.0.0.1:0", DatabasePath: path, WebhookSecrets: []string{secret}}
	}
	deps := Deps{GitHub: r.github, Evaluate: verdict, Self: func() event.Self { return event.Self{} }}
	_, err := New(configured("127.0.0.1:0", r.path), deps)
	require.ErrorIs(t, err, store.ErrLocked)

	taken := strings.TrimPrefix(r.AdminURL(), "http://")
	_, err = New(configured(taken, r.path+"2"), deps)
	require.ErrorContains(t, err, "listen: ")
	service, err := New(configured("127.0.0.1:0", r.path+"2"), deps)
	require.NoError(t, err, "the failed start gave the database back")
	require.NoError(t, service.Close())
}
