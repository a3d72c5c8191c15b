package github

import (
	"context"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/golang-jwt/jwt/v4"
	"github.com/stretchr/testify/require"
)

func noRuns(w http.ResponseWriter, _ *http.Request) {
	reply(w, http.StatusOK, object{"total_count": 0, "check_runs": []any{}})
}

func TestTheAppSignsWithClaimsThatGitHubTakes(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 11, 30, 10, 0, 0, 999, time.UTC)
	gh := newStub(t, func(w http.ResponseWriter, _ *http.Request) { reply(w, http.StatusOK, object{"id": 5}) })
	id, err := gh.app(t, at(now)).InstallationFor(t.Context(), widgets)
	require.NoError(t, err)
	require.EqualValues(t, 5, id)
	require.Equal(t, "/repos/acme/widgets/installation", gh.calls()[0].path)

	raw, found := strings.CutPrefix(gh.calls()[0].authorization, "Bearer ")
	require.True(t, found)
	var claims jwt.RegisteredClaims
	parser := jwt.NewParser(jwt.WithoutClaimsValidation(), jwt.WithValidMethods([]string{"RS256"}))
	_, err = parser.ParseWithClaims(raw, &claims, func(*jwt.Token) (any, error) { return &testKey().PublicKey, nil })
	require.NoError(t, err)
	require.Equal(t, "77", claims.Issuer)
	require.Equal(t, now.Add(-60*time.Second).Unix(), claims.IssuedAt.Unix())
	require.Greater(t, claims.ExpiresAt.Unix(), now.Unix())
	require.Less(t, claims.ExpiresAt.Sub(now), 10*time.Minute)
}

func TestInstallationTokensAreKeptAndSent(t *testing.T) {
	t.Parallel()
	gh := newStub(t, noRuns)
	app := gh.app(t)
	for range 3 {
		c, err := app.Installation(5)
		require.NoError(t, err)
		_, err = c.CheckRuns(t.Context(), widgets, headSHA, "evidence-gate")
		require.NoError(t, err)
	}
	require.Equal(t, 1, gh.tokensHanded())
	require.Equal(t, "token "+firstToken, gh.calls()[2].authorization)

	app.Forget(5)
	c, err := app.Installation(5)
	require.NoError(t, err)
	_, err = c.CheckRuns(t.Context(), widgets, headSHA, "evidence-gate")
	require.NoError(t, err)
	require.Equal(t, 2, gh.tokensHanded())
}

// Run with -race: sharing one AppsTransport between installations is a data race.
func TestInstallationsRefreshTheirTokensAtOnce(t *testing.T) {
	t.Parallel()
	gh := newStub(t, noRuns)
	app := gh.app(t)
	var all sync.WaitGroup
	for id := range int64(8) {
		all.Go(func() {
			c, err := app.Installation(id%4 + 1)
			if err == nil {
				_, err = c.CheckRuns(t.Context(), widgets, headSHA, "evidence-gate")
			}
			if err != nil {
				t.Error(err)
			}
			if _, err := app.InstallationFor(t.Context(), widgets); KindOf(err) != Unavailable {
				t.Errorf("expected an answer without an id to be refused, found %v", err)
			}
		})
	}
	all.Wait()
	require.Equal(t, 4, gh.tokensHanded())
}

func TestA401MakesANewToken(t *testing.T) {
	t.Parallel()
	gh := newStub(t, nil)
	gh.tokens = []string{firstToken, "ghs_second"}
	gh.answer = func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Authorization") != "token ghs_second" {
			reply(w, http.StatusUnauthorized, message("Bad credentials"))
			return
		}
		reply(w, http.StatusCreated, object{"id": 9})
	}
	run, err := gh.installation(t).CreateCheckRun(t.Context(), widgets, CheckRun{Name: "evidence-gate", HeadSHA: headSHA})
	require.NoError(t, err)
	require.EqualValues(t, 9, run.ID)
	calls := gh.calls()
	require.Len(t, calls, 2)
	require.NotEmpty(t, calls[0].body)
	require.Equal(t, calls[0].body, calls[1].body, "the request is sent again whole")
}

func TestA401ThatStaysIsReportedAfterOneMoreTry(t *testing.T) {
	t.Parallel()
	gh := newStub(t, func(w http.ResponseWriter, _ *http.Request) {
		reply(w, http.StatusUnauthorized, message("Bad credentials"))
	})
	_, err := gh.installation(t).CheckRuns(t.Context(), widgets, headSHA, "evidence-gate")
	require.Equal(t, Unauthorized, KindOf(err))
	require.ErrorContains(t, err, "Bad credentials")
	require.Len(t, gh.calls(), 2)
	require.Equal(t, 2, gh.tokensHanded())
}

func TestATokenNeverLeavesForAnotherHost(t *testing.T) {
	t.Parallel()
	for _, status := range []int{http.StatusMovedPermanently, http.StatusFound, http.StatusTemporaryRedirect, http.StatusPermanentRedirect} {
		t.Run(http.StatusText(status), func(t *testing.T) {
			t.Parallel()
			var mu sync.Mutex
			var reached []http.Header
			other := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
				mu.Lock()
				defer mu.Unlock()
				reached = append(reached, r.Header)
			}))
			t.Cleanup(other.Close)
			gh := newStub(t, func(w http.ResponseWriter, r *http.Request) {
				http.Redirect(w, r, other.URL+"/elsewhere", status)
			})
			personal, err := NewTokenClient(TokenConfig{Token: "ghp_personal", BaseURL: gh.URL})
			require.NoError(t, err)
			for _, c := range []*Client{gh.installation(t), personal} {
				_, err := c.CheckRuns(t.Context(), widgets, headSHA, "evidence-gate")
				require.Equal(t, Unavailable, KindOf(err))
				require.ErrorContains(t, err, "was not followed")
				_, err = c.CreateCheckRun(t.Context(), widgets, CheckRun{Name: "x", HeadSHA: headSHA})
				require.Error(t, err)
				_, err = c.Snapshot(t.Context(), widgets, 1, LoadOptions{})
				require.Error(t, err)
			}
			_, err = gh.app(t).InstallationFor(t.Context(), widgets)
			require.ErrorContains(t, err, "was not followed")
			mu.Lock()
			defer mu.Unlock()
			require.Empty(t, reached, "no request, with or without a token, may reach another host")
		})
	}
}

func TestATokenRequestIsNotRedirected(t *testing.T) {
	t.Parallel()
	gh := newStub(t, func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, "/elsewhere", http.StatusTemporaryRedirect)
	})
	gh.tokens = nil
	_, err := gh.installation(t).CheckRuns(t.Context(), widgets, headSHA, "evidence-gate")
	require.Equal(t, Unavailable, KindOf(err))
	require.Empty(t, gh.calls())
}

func TestARenamedRepositoryIsFollowedOnTheSameHost(t *testing.T) {
	t.Parallel()
	gh := newStub(t, func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/repositories/3/check-runs" {
			http.Redirect(w, r, "/repositories/3/check-runs", http.StatusMovedPermanently)
			return
		}
		noRuns(w, r)
	})
	_, err := gh.installation(t).CheckRuns(t.Context(), widgets, headSHA, "evidence-gate")
	require.NoError(t, err)
	require.Equal(t, "token "+firstToken, gh.calls()[1].authorization)
}

func TestAnAnswerWithoutATokenIsRefused(t *testing.T) {
	t.Parallel()
	for _, body := range []string{"null", "{}", `{"token": ""}`, `{"token": "ghs_x"}`, "[]", "<html>", `{"token": "ghs_x", "expires_at"`} {
		t.Run(body, func(t *testing.T) {
			t.Parallel()
			gh := newStub(t, func(w http.ResponseWriter, _ *http.Request) {
				w.WriteHeader(http.StatusCreated)
				_, _ = w.Write([]byte(body))
			})
			gh.tokens = nil
			_, err := gh.installation(t).CheckRuns(t.Context(), widgets, headSHA, "evidence-gate")
			require.Equal(t, Unavailable, KindOf(err))
			require.Empty(t, gh.calls(), "nothing may be sent without a token")
		})
	}
}

func TestWhyThereIsNoToken(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		status int
		text   string
		kind   Kind
		says   string
	}{
		"suspended": {http.StatusForbidden, "This installation has been suspended", Suspended, "must unsuspend it"},
		"deleted":   {http.StatusNotFound, "Not Found", NotFound, "the App is installed"},
		"wrong key": {http.StatusUnauthorized, "A JSON web token could not be decoded", Unauthorized, "app id and private key"},
		"down":      {http.StatusBadGateway, "Server Error", Unavailable, "502"},
		"limited":   {http.StatusForbidden, "You have exceeded a secondary rate limit", RateLimited, "asks to wait 1m0s"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			gh := newStub(t, func(w http.ResponseWriter, _ *http.Request) { reply(w, c.status, message(c.text)) })
			gh.tokens = nil
			_, err := gh.installation(t).CheckRuns(t.Context(), widgets, headSHA, "evidence-gate")
			require.Equal(t, c.kind, KindOf(err), "%v", err)
			require.ErrorContains(t, err, c.says)
			require.ErrorContains(t, err, "could not read the check runs")
		})
	}
}

func TestAClockThatIsOffIsNamed(t *testing.T) {
	t.Parallel()
	theirs := time.Now().UTC().Truncate(time.Second)
	for name, c := range map[string]struct {
		off  time.Duration
		says string
	}{
		"ahead":   {5 * time.Minute, "this machine's clock is 5m0s ahead of GitHub's"},
		"behind":  {-15 * time.Minute, "this machine's clock is 15m0s behind GitHub's"},
		"correct": {2 * time.Second, "app id and private key"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			gh := newStub(t, func(w http.ResponseWriter, _ *http.Request) {
				w.Header().Set("Date", theirs.Format(http.TimeFormat))
				reply(w, http.StatusUnauthorized, message("'Issued at' claim ('iat') must be an Integer representing the time that the assertion was issued"))
			})
			gh.tokens = nil
			app := gh.app(t, at(theirs.Add(c.off)))
			client, err := app.Installation(5)
			require.NoError(t, err)
			_, err = client.Snapshot(t.Context(), widgets, 1, LoadOptions{})
			require.Equal(t, Unauthorized, KindOf(err))
			require.ErrorContains(t, err, c.says)
			_, err = app.InstallationFor(t.Context(), widgets)
			require.ErrorContains(t, err, c.says)
		})
	}
}

func TestConfigurationMistakesAreFoundAtOnce(t *testing.T) {
	t.Parallel()
	_, err := NewApp(AppConfig{PrivateKey: testKey()})
	require.ErrorContains(t, err, "App's id")
	_, err = NewApp(AppConfig{ID: 1})
	require.ErrorContains(t, err, "private key")
	for _, address := range []string{"api.github.com", "ftp://github.com", "https://", "https://user:pass@github.com", "https://github.com?x=1"} {
		_, err = NewApp(AppConfig{ID: 1, PrivateKey: testKey(), BaseURL: address})
		require.ErrorContains(t, err, "GitHub address", address)
		require.NotContains(t, err.Error(), "pass")
	}
	for _, token := range []string{"", "  ", "two words", "with\nbreak"} {
		_, err = NewTokenClient(TokenConfig{Token: token})
		require.ErrorContains(t, err, "GitHub token")
	}
	app, err := NewApp(AppConfig{ID: 1, PrivateKey: testKey()})
	require.NoError(t, err)
	_, err = app.Installation(0)
	require.Equal(t, Invalid, KindOf(err))
}

func TestWhereGraphQLAnswers(t *testing.T) {
	t.Parallel()
	for rest, graphql := range map[string]string{
		"":                               "https://api.github.com/graphql",
		"https://api.github.com":         "https://api.github.com/graphql",
		"https://api.github.com/":        "https://api.github.com/graphql",
		"https://ghe.example.com/api/v3": "https://ghe.example.com/api/graphql",
		"https://api.acme.ghe.com":       "https://api.acme.ghe.com/graphql",
		"http://127.0.0.1:3000":          "http://127.0.0.1:3000/graphql",
	} {
		to, err := parseEndpoint(rest, "")
		require.NoError(t, err)
		require.Equal(t, graphql, to.graphql.String(), rest)
	}
	to, err := parseEndpoint("https://ghe.example.com/api/v3", "https://ghe.example.com/special/graphql")
	require.NoError(t, err)
	require.Equal(t, "https://ghe.example.com/special/graphql", to.graphql.String())
}

func TestRequestsStayBelowTheEnterpriseAddress(t *testing.T) {
	t.Parallel()
	gh := newStub(t, noRuns)
	gh.URL += "/api/v3"
	_, err := gh.installation(t).CheckRuns(t.Context(), widgets, headSHA, "evidence-gate")
	require.NoError(t, err)
	require.Equal(t, "/api/v3/app/installations/5/access_tokens", gh.requests[0].path)
	require.Equal(t, "/api/v3/repos/acme/widgets/commits/"+headSHA+"/check-runs", gh.requests[1].path)
	_, _ = gh.installation(t).Snapshot(context.WithoutCancel(t.Context()), widgets, 1, LoadOptions{})
	require.Equal(t, "/api/graphql", gh.requests[len(gh.requests)-1].path)
}

// TestAnAppThatGitHubDoesNotKnowIsAMistakeInTheConfiguration: GitHub answers 404, as for a thing that is
// gone, and work for such a thing counts as done.
func TestAnAppThatGitHubDoesNotKnowIsAMistakeInTheConfiguration(t *testing.T) {
	t.Parallel()
	s := newStub(t, func(w http.ResponseWriter, _ *http.Request) {
		reply(w, http.StatusNotFound, message("Integration not found"))
	})
	_, err := s.app(t).Slug(t.Context())
	require.Equal(t, Unauthorized, KindOf(err))
	require.ErrorContains(t, err, "knows no App with the id 77: check app id")
}
