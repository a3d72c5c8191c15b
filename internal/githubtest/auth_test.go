package githubtest

import (
	"fmt"
	"testing"
	"time"

	"github.com/golang-jwt/jwt/v4"
	"github.com/stretchr/testify/require"
)

// https://docs.github.com/en/apps/creating-github-apps/authenticating-with-a-github-app/generating-a-json-web-token-jwt-for-a-github-app
func TestAppJWT(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	now := f.clock.Now()
	otherKey, err := NewPrivateKey()
	require.NoError(t, err)
	claims := func(change func(jwt.MapClaims)) string { return f.appJWT(change) }
	set := func(name string, value any) string {
		return claims(func(c jwt.MapClaims) { c[name] = value })
	}
	signed := func(method jwt.SigningMethod, key any) string {
		token, err := jwt.NewWithClaims(method, jwt.MapClaims{
			"iat": now.Unix(), "exp": now.Add(time.Minute).Unix(), "iss": fmt.Sprint(f.server.App().ID),
		}).SignedString(key)
		require.NoError(t, err)
		return token
	}
	for _, test := range []struct {
		name, token string
		status      int
		message     string
	}{
		{"as the documentation says", claims(nil), 200, ""},
		{"iss may be the client id", set("iss", f.server.App().ClientID), 200, ""},
		{"iss may be a number", set("iss", f.server.App().ID), 200, ""},
		{"iat 60 seconds ahead is drift", set("iat", now.Add(time.Minute).Unix()), 200, ""},
		{"iat further ahead", set("iat", now.Add(61*time.Second).Unix()), 401, "'Issued at' claim ('iat') must be an Integer representing the time that the assertion was issued"},
		{"iat a clock five minutes off", set("iat", now.Add(5*time.Minute).Unix()), 401, "'Issued at' claim"},
		{"iat missing", claims(func(c jwt.MapClaims) { delete(c, "iat") }), 401, "'Issued at' claim"},
		{"iat a string", set("iat", "now"), 401, "'Issued at' claim"},
		{"exp ten minutes ahead", set("exp", now.Add(10*time.Minute).Unix()), 200, ""},
		{"exp more than ten minutes ahead", set("exp", now.Add(601*time.Second).Unix()), 401, "'Expiration time' claim ('exp') is too far in the future"},
		{"exp past", set("exp", now.Unix()), 401, "must be a numeric value representing the future time"},
		{"exp missing", claims(func(c jwt.MapClaims) { delete(c, "exp") }), 401, "'Expiration time' claim"},
		{"another app", set("iss", "99"), 404, "Integration not found"},
		{"another key", signed(jwt.SigningMethodRS256, otherKey), 401, "A JSON web token could not be decoded"},
		{"HS256", signed(jwt.SigningMethodHS256, []byte("x")), 401, "A JSON web token could not be decoded"},
		{"RS512", signed(jwt.SigningMethodRS512, f.server.App().PrivateKey), 401, "A JSON web token could not be decoded"},
		{"an installation token", f.token, 401, "A JSON web token could not be decoded"},
		{"none", "", 401, "A JSON web token could not be decoded"},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			answer := f.as(test.token, "GET", "/app", nil)
			require.Equal(t, test.status, answer.status, answer.text)
			if test.message != "" {
				require.Contains(t, answer.at("message"), test.message)
				require.NotEmpty(t, answer.at("documentation_url"))
			}
		})
	}
}

// https://docs.github.com/en/apps/creating-github-apps/authenticating-with-a-github-app/authenticating-as-a-github-app-installation
func TestInstallationToken(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	w := f.server.World()
	w.AddRepository("acme/gadgets", RepositoryOptions{})
	w.AddRepository("other/secret", RepositoryOptions{})
	w.AddRepository("other/open", RepositoryOptions{Public: true})
	path := fmt.Sprintf("/app/installations/%d/access_tokens", w.Installation("acme").ID())
	narrow := func(body any) string {
		answer := f.as(f.appJWT(nil), "POST", path, body)
		require.Equal(t, 201, answer.status, answer.text)
		require.Equal(t, "2026-11-30T11:00:00Z", answer.at("expires_at"))
		return answer.at("token").(string)
	}
	for _, test := range []struct {
		name, token, path string
		status            int
	}{
		{"covers its account's repositories", f.token, "/repos/acme/widgets", 200},
		{"and no private one of others", f.token, "/repos/other/secret", 404},
		{"public ones can be read", f.token, "/repos/other/open", 200},
		{"names ignore case", f.token, "/repos/ACME/Widgets", 200},
		{"narrowed to a repository", narrow(map[string]any{"repositories": []string{"gadgets"}}), "/repos/acme/widgets", 404},
		{"narrowed to it by id", narrow(map[string]any{"repository_ids": []int64{f.repo.ID()}}), "/repos/acme/widgets", 200},
		{"narrowed permissions", narrow(map[string]any{"permissions": map[string]string{"checks": "write"}}), "/repos/acme/widgets/pulls", 403},
		{"unknown token", "ghs_0000", "/repos/acme/widgets", 401},
		{"no token", "", "/repos/acme/widgets", 401},
		{"the app's JWT", f.appJWT(nil), "/repos/acme/widgets", 401},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			answer := f.as(test.token, "GET", test.path, nil)
			require.Equal(t, test.status, answer.status, answer.text)
		})
	}
	refused := f.as(f.appJWT(nil), "POST", path, map[string]any{"permissions": map[string]string{"contents": "write"}})
	require.Equal(t, 422, refused.status)
	require.Contains(t, refused.text, "not granted to this installation")
	require.Equal(t, 422, f.as(f.appJWT(nil), "POST", path, map[string]any{"repositories": []string{"nothing"}}).status)
	require.Equal(t, 404, f.as(f.appJWT(nil), "POST", "/app/installations/1/access_tokens", nil).status)
}

func TestTokensEnd(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	installation := f.server.World().Installation("acme")
	get := func(token string) reply { return f.as(token, "GET", "/repos/acme/widgets", nil) }
	f.clock.Advance(time.Hour - time.Second)
	require.Equal(t, 200, get(f.token).status)
	f.clock.Advance(time.Second)
	expired := get(f.token)
	require.Equal(t, 401, expired.status)
	require.Equal(t, "Bad credentials", expired.at("message"))

	fresh := f.installationToken("acme")
	installation.Suspend()
	suspended := get(fresh)
	require.Equal(t, 403, suspended.status)
	require.Equal(t, "This installation has been suspended", suspended.at("message"))
	path := fmt.Sprintf("/app/installations/%d/access_tokens", installation.ID())
	require.Equal(t, 403, f.as(f.appJWT(nil), "POST", path, nil).status)
	installation.Unsuspend()
	require.Equal(t, 200, get(fresh).status)

	installation.Revoke()
	require.Equal(t, 401, get(fresh).status)
	fresh = f.installationToken("acme")
	installation.Uninstall()
	require.Equal(t, 401, get(fresh).status)
	require.Equal(t, 404, f.as(f.appJWT(nil), "POST", path, nil).status)
	require.Equal(t, 404, f.as(f.appJWT(nil), "GET", "/repos/acme/widgets/installation", nil).status)
}

// "Permissions required for GitHub Apps": the header names what the endpoint accepts.
func TestMissingPermission(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		permission, level, method, path string
		accepted                        string
	}{
		{"checks", "read", "POST", "/check-runs", "checks=write"},
		{"checks", "", "GET", "/check-runs/1", "checks=read"},
		{"pull_requests", "", "GET", "/pulls", "pull_requests=read"},
		{"pull_requests", "", "GET", "/pulls/2/files", "pull_requests=read"},
		{"issues", "", "GET", "/issues/1", "issues=read"},
		{"issues", "read", "POST", "/issues/1/comments", "issues=write"},
	} {
		t.Run(test.permission+" "+test.path, func(t *testing.T) {
			t.Parallel()
			f := newFixture(t)
			f.repo.AddIssue(IssueOptions{})
			f.repo.OpenPullRequest(PullRequestOptions{})
			f.server.World().Installation("acme").SetPermission(test.permission, test.level)
			answer := f.do(test.method, "/repos/acme/widgets"+test.path, nil)
			require.Equal(t, 403, answer.status, answer.text)
			require.Equal(t, "Resource not accessible by integration", answer.at("message"))
			require.Equal(t, test.accepted, answer.header.Get("X-Accepted-GitHub-Permissions"))
		})
	}
}

func TestPublicRepositoriesAreReadWithoutPermission(t *testing.T) {
	t.Parallel()
	f := startFixture(t, RepositoryOptions{Public: true}, nil)
	f.server.World().Installation("acme").SetPermission("pull_requests", "")
	require.Equal(t, 200, f.do("GET", "/repos/acme/widgets/pulls", nil).status)
	f.server.World().Installation("acme").SetPermission("checks", "read")
	require.Equal(t, 403, f.do("POST", "/repos/acme/widgets/check-runs", nil).status)
}

func TestUserToken(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	w := f.server.World()
	w.AddUserToken("ghp_eng", "eng")
	w.AddUserToken("ghp_guest", "guest")
	f.repo.SetRole("eng", "write")
	pr := f.repo.OpenPullRequest(PullRequestOptions{Author: "eng"})
	require.Equal(t, 200, f.as("ghp_eng", "GET", "/repos/acme/widgets/pulls/1", nil).status)
	require.Equal(t, 404, f.as("ghp_guest", "GET", "/repos/acme/widgets/pulls/1", nil).status)
	comment := f.as("ghp_eng", "POST", "/repos/acme/widgets/issues/1/comments", map[string]any{"body": "hi"})
	require.Equal(t, 201, comment.status, comment.text)
	require.Equal(t, "eng", comment.at("user", "login"))
	refused := f.as("ghp_eng", "POST", "/repos/acme/widgets/check-runs", map[string]any{"name": "x", "head_sha": pr.HeadSHA()})
	require.Equal(t, 403, refused.status, refused.text)
}
