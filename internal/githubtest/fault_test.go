package githubtest

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestFaults(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	get := func() reply { return f.do("GET", "/repos/acme/widgets", nil) }
	for _, status := range []int{500, 502, 503, 429, 403} {
		f.server.Fail(Fault{Status: status, RetryAfter: 7 * time.Second, Times: 2})
		for range 2 {
			failed := get()
			require.Equal(t, status, failed.status)
			require.Equal(t, "7", failed.header.Get("Retry-After"))
			require.NotEmpty(t, failed.at("documentation_url"))
		}
		require.Equal(t, 200, get().status)
	}
	f.server.Fail(Fault{Status: 502})
	require.Empty(t, get().header.Get("Retry-After"))

	f.server.Fail(SecondaryRateLimit(time.Minute))
	limited := get()
	require.Equal(t, 403, limited.status)
	require.Contains(t, limited.at("message"), "secondary rate limit")
	require.Equal(t, "60", limited.header.Get("Retry-After"))

	f.server.Fail(Fault{Status: 301, Header: map[string]string{"Location": "http://attacker.example/"}})
	require.Equal(t, "http://attacker.example/", get().header.Get("Location"))

	f.server.Fail(Fault{Drop: true})
	_, err := f.try(f.token, "GET", "/repos/acme/widgets", nil)
	require.Error(t, err)

	f.server.Fail(Fault{Status: 500, Times: -1})
	require.Equal(t, 500, get().status)
	require.Equal(t, 500, get().status)
	f.server.ClearFaults()
	require.Equal(t, 200, get().status)
}

func TestFaultsMatch(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.repo.OpenPullRequest(PullRequestOptions{})
	f.server.Fail(Fault{Match: Match{Method: "POST", Path: "/repos/*/*/check-runs"}, Status: 502})
	f.server.Fail(Fault{Match: Match{Operation: "Pull"}, GraphQLErrors: []map[string]any{{"type": "INTERNAL", "message": "Something went wrong"}}})
	require.Equal(t, 200, f.do("GET", "/repos/acme/widgets", nil).status)
	require.Equal(t, 502, f.do("POST", "/repos/acme/widgets/check-runs", nil).status)
	require.NotNil(t, f.graphql("query Other { rateLimit { cost } }", nil).at("data", "rateLimit"))
	failed := f.graphql("query Pull { rateLimit { cost } }", nil)
	require.Equal(t, 200, failed.status)
	require.Nil(t, failed.at("data"))
	require.Equal(t, "Something went wrong", failed.at("errors", 0, "message"))
}

func TestFaultAfterTheEffect(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	pr := f.repo.OpenPullRequest(PullRequestOptions{})
	body := map[string]any{"name": "Evidence", "head_sha": pr.HeadSHA()}
	f.server.Fail(Fault{Match: Match{Method: "POST"}, Drop: true, AfterEffect: true})
	_, err := f.try(f.token, "POST", "/repos/acme/widgets/check-runs", body)
	require.Error(t, err)
	require.Len(t, f.repo.CheckRuns(pr.HeadSHA()), 1, "the run was made, the caller does not know")
	f.server.Fail(Fault{Match: Match{Method: "POST"}, Status: 502})
	require.Equal(t, 502, f.do("POST", "/repos/acme/widgets/check-runs", body).status)
	require.Len(t, f.repo.CheckRuns(pr.HeadSHA()), 1)
}

func TestLatency(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.server.Fail(Fault{Latency: 30 * time.Millisecond})
	started := time.Now()
	require.Equal(t, 200, f.do("GET", "/repos/acme/widgets", nil).status)
	require.GreaterOrEqual(t, time.Since(started), 30*time.Millisecond)
	f.server.Fail(Fault{Latency: time.Hour})
	done := make(chan struct{})
	go func() {
		defer close(done)
		_, _ = f.try(f.token, "GET", "/repos/acme/widgets", nil)
	}()
	f.wait(func() bool { return f.server.faults.empty() })
	f.server.Close()
	<-done // closing ends what is delayed
}

func TestRequestLog(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.server.ForgetRequests()
	f.do("GET", "/api/v3/repos/acme/widgets/pulls?state=all", nil)
	f.graphql("query Pull { rateLimit { cost } }", nil)
	f.server.Fail(Fault{Drop: true})
	_, _ = f.try(f.token, "GET", "/repos/acme/widgets", nil)
	requests := f.server.Requests()
	require.Len(t, requests, 3)
	require.Equal(t, "/repos/acme/widgets/pulls", requests[0].Path)
	require.Equal(t, "all", requests[0].Query.Get("state"))
	require.Equal(t, http.StatusOK, requests[0].Status)
	require.Equal(t, "Pull", requests[1].Operation)
	require.True(t, requests[2].Injected)
	require.Zero(t, requests[2].Status)
	require.Equal(t, 1, f.server.CountRequests(Match{Operation: "Pull"}))
	require.Equal(t, 1, f.server.CountRequests(Match{Path: "/repos/*/*/pulls"}))
	require.Equal(t, 2, f.server.CountRequests(Match{Method: "GET"}))
}

func TestWaitFor(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	pr := f.repo.OpenPullRequest(PullRequestOptions{})
	go func() {
		_, _ = f.try(f.token, "POST", "/repos/acme/widgets/check-runs", map[string]any{"name": "Evidence", "head_sha": pr.HeadSHA()})
	}()
	f.wait(func() bool { return len(f.repo.CheckRuns(pr.HeadSHA())) == 1 })
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Millisecond)
	defer cancel()
	err := f.server.WaitFor(ctx, func() bool { return false })
	require.ErrorIs(t, err, context.DeadlineExceeded)
}

// Everything at once, for the race detector.
func TestConcurrentUse(t *testing.T) {
	t.Parallel()
	f, target := hooked(t)
	pr := f.repo.OpenPullRequest(PullRequestOptions{Author: "eng"})
	const each = 8
	var group sync.WaitGroup
	for i := range each {
		for _, act := range []func(){
			func() { pr.EditBody("eng", fmt.Sprint("text ", i)) },
			func() { pr.Comment("lead", fmt.Sprint(i)) },
			func() { pr.Push("eng", Commit{}) },
			func() { f.do("GET", "/repos/acme/widgets/pulls/1", nil) },
			func() {
				f.pull(1, "body comments(first: 100) { nodes { body } } commits(last: 1) { nodes { commit { oid } } }")
			},
			func() {
				f.do("POST", "/repos/acme/widgets/check-runs", map[string]any{"name": "Evidence", "head_sha": pr.HeadSHA()})
			},
			func() { f.repo.CheckRuns(pr.HeadSHA()) },
			func() { f.server.Requests() },
		} {
			group.Add(1)
			go func() {
				defer group.Done()
				act()
			}()
		}
	}
	group.Wait()
	f.flush()
	require.Len(t, pr.Comments(), each)
	opened, edits, comments, pushes, runs := 1, each, each, each, each
	require.Len(t, target.all(), opened+edits+comments+pushes+runs)
}

func TestDemoUseWithoutTesting(t *testing.T) {
	t.Parallel()
	told := &complaints{}
	server, err := New(told, Options{RateLimit: 10})
	require.NoError(t, err)
	server.Close()
	server.Close()
	_, err = New(told, Options{Address: "256.0.0.1:0"})
	require.ErrorContains(t, err, "256.0.0.1:0")
}

// TestACallerThatGoesAwayIsNotReported: a test that kills a service within a query would fail.
func TestACallerThatGoesAwayIsNotReported(t *testing.T) {
	t.Parallel()
	told := &complaints{}
	f := startFixture(t, RepositoryOptions{}, told)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	query := `{"query": "query Q { repository(owner: \"acme\", name: \"widgets\") { nameWithOwner } }"}`
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, f.server.GraphQLURL(), strings.NewReader(query))
	require.NoError(t, err)
	request.Header.Set("Authorization", "Bearer "+f.token)
	f.server.answerGraphQL(request)
	require.Empty(t, told.all())
}
