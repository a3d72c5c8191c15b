package github

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestEveryRefusalHasItsKind(t *testing.T) {
	t.Parallel()
	now := time.Now().Truncate(time.Second)
	in := func(d time.Duration) string { return strconv.FormatInt(now.Add(d).Unix(), 10) }
	const secondary = "You have exceeded a secondary rate limit. Please wait a few minutes before you try again."
	type header = map[string]string
	for name, c := range map[string]struct {
		status     int
		header     header
		text       string
		docs       string
		kind       Kind
		after      time.Duration
		permission string
		says       string
	}{
		"absent":                     {status: 404, text: "Not Found", kind: NotFound, says: "the App is installed"},
		"deleted":                    {status: 410, text: "Gone", kind: NotFound},
		"token expired":              {status: 401, text: "Bad credentials", kind: Unauthorized, says: "Bad credentials"},
		"permission, by operation":   {status: 403, text: "Resource not accessible by integration", kind: Forbidden, permission: "checks: read", says: `grant the App "checks: read"`},
		"permission, by header":      {status: 403, header: header{"X-Accepted-GitHub-Permissions": "checks=write,pull_requests=read; contents=write"}, text: "Resource not accessible by integration", kind: Forbidden, permission: "checks: write and pull requests: read, or contents: write"},
		"suspended":                  {status: 403, text: "This installation has been suspended", kind: Suspended, says: "unsuspend"},
		"blocked":                    {status: 451, text: "Repository access blocked", kind: Forbidden, says: "Repository access blocked"},
		"single sign-on":             {status: 403, text: "Resource protected by organization SAML enforcement.", kind: Forbidden, says: "SAML"},
		"primary limit":              {status: 403, header: header{"X-RateLimit-Remaining": "0", "X-RateLimit-Reset": in(90 * time.Second)}, text: "API rate limit exceeded", kind: RateLimited, after: 90 * time.Second},
		"primary limit, 429":         {status: 429, header: header{"X-RateLimit-Remaining": "0", "X-RateLimit-Reset": in(90 * time.Second)}, text: "API rate limit exceeded", kind: RateLimited, after: 90 * time.Second},
		"primary limit, long past":   {status: 403, header: header{"X-RateLimit-Remaining": "0", "X-RateLimit-Reset": in(-time.Hour)}, text: "API rate limit exceeded", kind: RateLimited, after: time.Second},
		"primary limit, far off":     {status: 403, header: header{"X-RateLimit-Remaining": "0", "X-RateLimit-Reset": in(50 * time.Hour)}, text: "API rate limit exceeded", kind: RateLimited, after: longestWait},
		"secondary limit, by text":   {status: 403, text: secondary, kind: RateLimited, after: time.Minute},
		"secondary limit, by header": {status: 403, header: header{"Retry-After": "30"}, text: "Forbidden", kind: RateLimited, after: 30 * time.Second},
		"secondary limit, 429":       {status: 429, header: header{"Retry-After": "30"}, text: secondary, kind: RateLimited, after: 30 * time.Second},
		"secondary limit, by link":   {status: 403, text: "Slow down", docs: "https://docs.github.com/rest/overview/rate-limits-for-the-rest-api#about-secondary-rate-limits", kind: RateLimited, after: time.Minute},
		"secondary, budget left":     {status: 403, header: header{"X-RateLimit-Remaining": "4000", "X-RateLimit-Reset": in(50 * time.Minute)}, text: secondary, kind: RateLimited, after: time.Minute},
		"abuse detection, older":     {status: 403, text: "You have triggered an abuse detection mechanism.", kind: RateLimited, after: time.Minute},
		"retry after a date":         {status: 429, header: header{"Retry-After": now.Add(time.Minute).UTC().Format(http.TimeFormat)}, kind: RateLimited, after: time.Minute},
		"server error":               {status: 500, text: "Server Error", kind: Unavailable, says: "500"},
		"bad gateway":                {status: 502, kind: Unavailable, says: "no reason given"},
		"maintenance":                {status: 503, header: header{"Retry-After": "120"}, text: "Unavailable", kind: Unavailable, after: 2 * time.Minute},
		"accepted, not ready":        {status: 202, text: "", kind: Unavailable},
		"refused":                    {status: 422, text: "Validation Failed", kind: Invalid, says: "Validation Failed"},
		"text with control bytes":    {status: 422, text: "a\x00b\n\x1b[31mc" + strings.Repeat("x", 5000), kind: Invalid, says: "a b [31mc"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			gh := newStub(t, func(w http.ResponseWriter, _ *http.Request) {
				for k, v := range c.header {
					w.Header().Set(k, v)
				}
				reply(w, c.status, object{"message": c.text, "documentation_url": c.docs})
			})
			client := gh.installation(t, at(now))
			_, err := client.CheckRuns(t.Context(), widgets, headSHA, "evidence-gate")
			checkError := func(err error, permission bool) {
				t.Helper()
				var e *Error
				require.ErrorAs(t, err, &e)
				require.Equal(t, c.kind, e.Kind, "%v", err)
				require.InDelta(t, c.after.Seconds(), e.RetryAfter.Seconds(), 2, "%v", err)
				if permission {
					require.Equal(t, c.permission, e.Permission)
				}
				require.Contains(t, e.Error(), c.says)
				require.Less(t, len(e.Error()), 1000)
				require.NotContains(t, fmt.Sprintf("%v %+v %#v", err, err, e), firstToken)
				require.False(t, strings.ContainsAny(e.Error(), "\x00\n\x1b"))
				require.Equal(t, c.kind == RateLimited || c.kind == Unavailable, e.Temporary())
			}
			checkError(err, true)
			if c.docs != "" || c.status == 202 {
				return // GraphQL says it otherwise
			}
			fresh := gh.installation(t, at(now))
			_, err = fresh.Snapshot(t.Context(), widgets, 1, LoadOptions{})
			if c.permission == "checks: read" {
				require.Equal(t, Forbidden, KindOf(err))
				return
			}
			checkError(err, c.permission != "")
		})
	}
}

func TestAWriteWithoutThePermissionNamesIt(t *testing.T) {
	t.Parallel()
	gh := newStub(t, func(w http.ResponseWriter, _ *http.Request) {
		reply(w, http.StatusForbidden, message("Resource not accessible by integration"))
	})
	_, err := gh.installation(t).CreateCheckRun(t.Context(), widgets, CheckRun{Name: "evidence-gate", HeadSHA: headSHA})
	require.EqualError(t, err, `could not create the check run "evidence-gate" of acme/widgets at `+headSHA+
		`: the permission is missing: grant the App "checks: write" in its settings, accept the change on the installation, and try again; for a token, one with that permission (Resource not accessible by integration)`)
}

func TestAnAnswerThatIsNoneIsUnavailable(t *testing.T) {
	t.Parallel()
	hijack := func(raw string) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) {
			conn, _, err := w.(http.Hijacker).Hijack()
			if err == nil {
				_, _ = conn.Write([]byte(raw))
				_ = conn.Close()
			}
		}
	}
	for name, answer := range map[string]http.HandlerFunc{
		"closed connection": hijack(""),
		"body cut short":    hijack("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 500\r\n\r\n{\"data\": {\"repository\""),
		"truncated JSON":    func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte(`{"data": {"repo`)) },
		"HTML":              func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte(`<html>Sign in</html>`)) },
		"another shape":     func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte(`[1, 2]`)) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := newStub(t, answer).installation(t)
			_, err := c.Snapshot(t.Context(), widgets, 1, LoadOptions{})
			require.Equal(t, Unavailable, KindOf(err), "%v", err)
			_, err = c.CheckRuns(t.Context(), widgets, headSHA, "evidence-gate")
			require.Equal(t, Unavailable, KindOf(err), "%v", err)
			_, err = c.CreateCheckRun(t.Context(), widgets, CheckRun{Name: "x", HeadSHA: headSHA})
			require.Equal(t, Unavailable, KindOf(err), "%v", err)
		})
	}
}

func TestAnEmptyAnswerIsNoSuccess(t *testing.T) {
	t.Parallel()
	gh := newStub(t, func(http.ResponseWriter, *http.Request) {})
	c := gh.installation(t)
	_, err := c.CreateCheckRun(t.Context(), widgets, CheckRun{Name: "x", HeadSHA: headSHA})
	require.Equal(t, Unavailable, KindOf(err))
	_, err = c.UpdateCheckRun(t.Context(), widgets, CheckRun{ID: 3, Name: "x"})
	require.Equal(t, Unavailable, KindOf(err))
	_, err = c.Snapshot(t.Context(), widgets, 1, LoadOptions{})
	require.Equal(t, Unavailable, KindOf(err))
}

func TestGitHubDown(t *testing.T) {
	t.Parallel()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	address := "http://" + listener.Addr().String()
	require.NoError(t, listener.Close())
	c, err := NewTokenClient(TokenConfig{Token: "ghp_personal", BaseURL: address})
	require.NoError(t, err)
	_, err = c.Snapshot(t.Context(), widgets, 1, LoadOptions{})
	require.Equal(t, Unavailable, KindOf(err))
	require.ErrorContains(t, err, "could not read the pull request acme/widgets#1: no answer from GitHub")
	require.NotContains(t, err.Error(), "ghp_personal")
}

func TestWaitingEndsWithTheCaller(t *testing.T) {
	t.Parallel()
	release := make(chan struct{})
	gh := newStub(t, func(http.ResponseWriter, *http.Request) { <-release })
	t.Cleanup(func() { close(release) }) // before the server waits for its requests
	c := gh.installation(t)
	ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer cancel()
	for _, call := range []func() error{
		func() error { _, err := c.Snapshot(ctx, widgets, 1, LoadOptions{}); return err },
		func() error { _, err := c.CheckRuns(ctx, widgets, headSHA, "evidence-gate"); return err },
	} {
		err := call()
		require.Equal(t, Unavailable, KindOf(err))
		require.ErrorIs(t, err, context.DeadlineExceeded)
	}
}

func TestAnAnswerOverTheLimitIsRefused(t *testing.T) {
	t.Parallel()
	gh := newStub(t, func(w http.ResponseWriter, _ *http.Request) {
		chunk := []byte(strings.Repeat(" ", 1<<20))
		for range answerLimit>>20 + 1 {
			if _, err := w.Write(chunk); err != nil {
				return
			}
		}
	})
	c := gh.installation(t)
	_, err := c.Snapshot(t.Context(), widgets, 1, LoadOptions{})
	require.Equal(t, TooLarge, KindOf(err))
	require.ErrorContains(t, err, "32 MiB")
	_, err = c.CheckRuns(t.Context(), widgets, headSHA, "evidence-gate")
	require.Equal(t, TooLarge, KindOf(err))
}

func TestHostileNamesNeverReachAPath(t *testing.T) {
	t.Parallel()
	gh := newStub(t, noRuns)
	c := gh.installation(t)
	for _, repo := range []Repo{{"acme", ".."}, {"..", "widgets"}, {"acme", "a/b"}, {"acme", "a?b"}, {"", "x"}, {"acme", ""}, {"acme", "x\n"}, {"a%2fb", "x"}} {
		_, err := c.CheckRuns(t.Context(), repo, headSHA, "evidence-gate")
		require.Equal(t, Invalid, KindOf(err), "%v", repo)
		_, err = c.Snapshot(t.Context(), repo, 1, LoadOptions{})
		require.Equal(t, Invalid, KindOf(err), "%v", repo)
		_, err = c.PullRequestsClosing(t.Context(), repo, 1)
		require.Equal(t, Invalid, KindOf(err), "%v", repo)
		_, err = gh.app(t).InstallationFor(t.Context(), repo)
		require.Equal(t, Invalid, KindOf(err), "%v", repo)
	}
	for _, sha := range []string{"", "main", "../x", strings.ToUpper(headSHA), headSHA[:39]} {
		_, err := c.CheckRuns(t.Context(), widgets, sha, "evidence-gate")
		require.Equal(t, Invalid, KindOf(err), "%q", sha)
		_, err = c.PullRequestsByHead(t.Context(), widgets, sha)
		require.Equal(t, Invalid, KindOf(err), "%q", sha)
	}
	require.Empty(t, gh.requests)
	repo, err := ParseRepo("acme/widgets")
	require.NoError(t, err)
	require.Equal(t, widgets, repo)
	for _, full := range []string{"acme", "acme/", "/widgets", "a/b/c", "acme/.."} {
		_, err := ParseRepo(full)
		require.Error(t, err, full)
	}
}

func TestEveryRequestIsObserved(t *testing.T) {
	t.Parallel()
	gh := newStub(t, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("X-RateLimit-Remaining", "4321")
		if r.URL.Path == "/graphql" {
			w.WriteHeader(http.StatusBadGateway)
			return
		}
		noRuns(w, r)
	})
	var calls []Call
	c := gh.installation(t, func(config *AppConfig) { config.Observe = func(c Call) { calls = append(calls, c) } })
	_, err := c.CheckRuns(t.Context(), widgets, headSHA, "evidence-gate")
	require.NoError(t, err)
	_, err = c.Snapshot(t.Context(), widgets, 1, LoadOptions{})
	require.Error(t, err)
	for i := range calls {
		require.Positive(t, calls[i].Took)
		calls[i].Took = 0
	}
	require.Equal(t, []Call{
		{API: "token", Method: "POST", Status: 201, Remaining: -1},
		{API: "rest", Method: "GET", Status: 200, Remaining: 4321},
		{API: "graphql", Method: "POST", Status: 502, Remaining: 4321},
	}, calls)
}
