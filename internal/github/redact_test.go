package github

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// quotesBack are GitHubs and proxies that say the token they were sent.
var quotesBack = map[string]func(w http.ResponseWriter, token string){
	"401": func(w http.ResponseWriter, token string) {
		reply(w, http.StatusUnauthorized, message("Bad credentials: "+token))
	},
	"403": func(w http.ResponseWriter, token string) {
		reply(w, http.StatusForbidden, message("Resource not accessible by "+token))
	},
	"404": func(w http.ResponseWriter, token string) { reply(w, http.StatusNotFound, message(token)) },
	"422": func(w http.ResponseWriter, token string) {
		reply(w, http.StatusUnprocessableEntity, message("Authorization: Bearer "+token))
	},
	"502": func(w http.ResponseWriter, token string) {
		reply(w, http.StatusBadGateway, message(strings.Repeat("x", 250)+token))
	},
	"a limit": func(w http.ResponseWriter, token string) { reply(w, http.StatusTooManyRequests, message("of "+token)) },
	"a header": func(w http.ResponseWriter, token string) {
		w.Header().Set("X-Accepted-GitHub-Permissions", "issues="+token)
		reply(w, http.StatusForbidden, message("no"))
	},
	"errors in a 200": func(w http.ResponseWriter, token string) {
		reply(w, http.StatusOK, object{"data": nil, "errors": []any{object{"type": "X " + token, "message": "for " + token}}})
	},
	"a part withheld in a 200": func(w http.ResponseWriter, token string) {
		reply(w, http.StatusOK, object{"data": object{"repository": object{"pullRequest": nil}}, "errors": []any{
			object{"type": "FORBIDDEN", "message": "for " + token, "path": []any{"repository", "pullRequest", token}},
		}})
	},
	"no HTTP": func(w http.ResponseWriter, token string) {
		if conn, _, err := w.(http.Hijacker).Hijack(); err == nil {
			_, _ = conn.Write([]byte("Denied for Bearer " + token + "\r\n\r\n"))
			_ = conn.Close()
		}
	},
}

func TestATokenThatIsQuotedBackIsNotSaid(t *testing.T) {
	t.Parallel()
	const personal = "ghp_personalSecret"
	for name, answer := range quotesBack {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			gh := newStub(t, func(w http.ResponseWriter, r *http.Request) {
				_, token, _ := strings.Cut(r.Header.Get("Authorization"), " ")
				answer(w, token)
			})
			byToken, err := NewTokenClient(TokenConfig{Token: personal, BaseURL: gh.URL})
			require.NoError(t, err)
			for _, c := range []*Client{byToken, gh.installation(t)} {
				_, graphql := c.Snapshot(t.Context(), widgets, 1, LoadOptions{})
				_, rest := c.CheckRuns(t.Context(), widgets, headSHA, "evidence-gate")
				require.Error(t, graphql)
				require.Equal(t, !strings.HasSuffix(name, "in a 200"), rest != nil, "such an answer is none of REST's")
				for _, err := range []error{graphql, rest} {
					for _, secret := range []string{personal, firstToken} {
						require.NotContains(t, fmt.Sprintf("%v %+v", err, err), secret)
					}
				}
			}
			_, err = gh.app(t).Slug(t.Context()) // signed by the App's own JWT
			require.Error(t, err)
			require.NotContains(t, err.Error(), "eyJ", "the beginning of a JWT")
		})
	}
}

func TestAFactIsNotRedacted(t *testing.T) {
	t.Parallel()
	s, err := loadOne(t, with(func(pr object) { pr["body"] = "I pasted " + firstToken }))
	require.NoError(t, err)
	require.Equal(t, "I pasted "+firstToken, *s.PullRequest.Body, "who writes the body back must not change it")
}

// What is wrong is told to who can put it right: an App has a key and an installation, a token has not.
func TestAdviceIsForWhoAsks(t *testing.T) {
	t.Parallel()
	now := time.Now().Truncate(time.Second)
	for _, c := range []struct {
		status          int
		text            string
		toApp, toToken  string
		neverToTheToken string
		headers         map[string]string
	}{
		{401, "Bad credentials", "check that app id and private key belong together", "the token: it has expired, was revoked, or is for another GitHub (Bad credentials)", "private key", nil},
		{401, "Bad credentials", "this machine's clock is", "the token: it has expired", "clock", map[string]string{"Date": now.Add(-time.Hour).UTC().Format(http.TimeFormat)}},
		{404, "Not Found", "the App is installed on the repository", "that the token may read the repository", "App", nil},
		{403, "Resource not accessible by integration", `grant the App "checks: read"`, `the token lacks the permission "checks: read": use one that has it`, "App", nil},
	} {
		gh := newStub(t, func(w http.ResponseWriter, _ *http.Request) {
			for name, value := range c.headers {
				w.Header().Set(name, value)
			}
			reply(w, c.status, message(c.text))
		})
		_, err := gh.installation(t, at(now)).CheckRuns(t.Context(), widgets, headSHA, "evidence-gate")
		require.ErrorContains(t, err, c.toApp)
		byToken, err := NewTokenClient(TokenConfig{Token: "ghp_1234", BaseURL: gh.URL, Now: func() time.Time { return now }})
		require.NoError(t, err)
		_, rest := byToken.CheckRuns(t.Context(), widgets, headSHA, "evidence-gate")
		require.ErrorContains(t, rest, c.toToken)
		require.NotContains(t, rest.Error(), c.neverToTheToken)
		_, graphql := byToken.Snapshot(t.Context(), widgets, 1, LoadOptions{})
		require.NotContains(t, graphql.Error(), c.neverToTheToken)
	}
	gh := newStub(t, func(w http.ResponseWriter, _ *http.Request) {
		reply(w, http.StatusOK, object{"data": object{"repository": nil}, "errors": []any{object{"type": "NOT_FOUND", "path": []any{"repository"}, "message": "Could not resolve"}}})
	})
	byToken, err := NewTokenClient(TokenConfig{Token: "ghp_1234", BaseURL: gh.URL})
	require.NoError(t, err)
	_, err = byToken.Snapshot(t.Context(), widgets, 1, LoadOptions{})
	require.Equal(t, NotFound, KindOf(err))
	require.NotContains(t, err.Error(), "App")
	_, err = gh.installation(t).Snapshot(t.Context(), widgets, 1, LoadOptions{})
	require.ErrorContains(t, err, "the App is installed")
}

func TestAPermissionThatGraphQLNamesIsAskedOfWhoLacksIt(t *testing.T) {
	t.Parallel()
	gh := newStub(t, func(w http.ResponseWriter, _ *http.Request) {
		reply(w, http.StatusOK, object{"data": object{"repository": object{"nameWithOwner": "acme/widgets", "pullRequest": nil}}, "errors": []any{
			object{"type": "FORBIDDEN", "message": "Resource not accessible", "path": []any{"repository", "pullRequest"}},
		}})
	})
	byToken, err := NewTokenClient(TokenConfig{Token: "ghp_1234", BaseURL: gh.URL})
	require.NoError(t, err)
	_, err = byToken.Snapshot(t.Context(), widgets, 1, LoadOptions{})
	require.ErrorContains(t, err, `the token lacks the permission "pull requests: read": use one that has it`)
	require.NotContains(t, err.Error(), "App")
	_, err = gh.installation(t).Snapshot(t.Context(), widgets, 1, LoadOptions{})
	require.ErrorContains(t, err, `grant the App "pull requests: read"`)
}

func TestATokenWithWhiteSpaceInside(t *testing.T) {
	t.Parallel()
	for token, says := range map[string]string{
		"": "found none", " \n": "found none",
		"ghp_a ghp_b":  "found a space, a line break or an invisible character inside it",
		"ghp_a\nghp_b": "found a space, a line break", "ghp_a\u200b": "an invisible character inside it", "ghp_\x00": "an invisible character",
	} {
		_, err := NewTokenClient(TokenConfig{Token: token})
		require.ErrorContains(t, err, says, "%q", token)
		require.NotContains(t, err.Error(), "ghp_")
	}
	_, err := NewTokenClient(TokenConfig{Token: " ghp_a\n"})
	require.NoError(t, err, "around it, white space is no mistake")
}

func TestQuotedTextIsHarmless(t *testing.T) {
	t.Parallel()
	for given, want := range map[string]string{
		"Bad credentials":                             "Bad credentials",
		"a\x00b\n\x1b[31mc\x7f":                       "a b [31mc",
		"a\u0085b\u009b31mc":                          "a b 31mc",
		"a\u202eb\u2066c\u200bd\ufefff":               "a b c d f",
		"a\u2028b\u2029c\u00a0d":                      "a b c d",
		"caf\u00e9 \u65e5\u672c":                      "caf\u00e9 \u65e5\u672c",
		"\xff":                                        "?",
		"at https://eng:pass@host/x":                  "at https://…@host/x",
		`"http://eng:pa ss@host": invalid userinfo`:   `"http://…@host": invalid userinfo`,
		"see https://docs.github.com/rest and ask @x": "see https://docs.github.com/rest and ask @x",
	} {
		require.Equal(t, want, quote(given), "%q", given)
	}
}

func TestAddressesAreShownWithoutSecrets(t *testing.T) {
	t.Parallel()
	for given, want := range map[string]string{
		"https://github.com/acme/widgets":              "https://github.com/acme/widgets",
		"https://eng:sekrit@github.com/acme":           "https://…@github.com/acme",
		"https://sekrit@github.com/acme":               "https://…@github.com/acme",
		"https://eng:se/kr@it@github.com/acme":         "https://…@github.com/acme",
		"https://eng:se?krit@github.com/acme":          "https://…@github.com/acme",
		"eng:sekrit@github.com/acme/widgets":           "…@github.com/acme/widgets",
		"git@github.com:acme/widgets.git":              "git@github.com:acme/widgets.git",
		"https://github.com/acme?access_token=sekrit":  "https://github.com/acme?…",
		"https://eng:%zz sekrit@ho st/x?token=sekrit2": "https://…@ho st/x?…",
	} {
		require.Equal(t, want, HideAddress(given), given)
	}
	for _, address := range []string{"https://eng:%zzsekrit@host", "https://eng:sekrit@host", "ftp://eng:sekrit@host", "eng:sekrit@host", "https://host?token=sekrit"} {
		_, err := NewTokenClient(TokenConfig{Token: "ghp_1234", BaseURL: address})
		require.Error(t, err, address)
		require.NotContains(t, err.Error(), "sekrit")
		_, err = NewTokenClient(TokenConfig{Token: "ghp_1234", GraphQLURL: address})
		require.Error(t, err, address)
		require.NotContains(t, err.Error(), "sekrit")
	}
}

// A proxy's address is somebody's password too.
func TestAProxyThatCannotBeRead(t *testing.T) {
	t.Parallel()
	for _, reason := range []string{
		`invalid proxy address "http://eng:se krit@proxy": parse "http://eng:se krit@proxy": net/url: invalid userinfo`,
		`invalid proxy address "http://eng:se/krit@proxy": parse "http://eng:se/krit@proxy": invalid port ":se" after host`,
	} {
		failed := failure("x", "", time.Now(), &url.Error{Op: "Post", URL: "https://api.github.com/graphql", Err: fmt.Errorf("%s", reason)})
		require.Equal(t, Unavailable, failed.Kind)
		require.Contains(t, failed.Error(), "the address of the proxy")
		require.NotContains(t, failed.Error(), "se")
	}
}
