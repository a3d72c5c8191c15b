//go:build unix

package verify

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/evidence-gate/evidence-gate/profile/policy"
	"github.com/evidence-gate/evidence-gate/verify/agent"
)

// tokens are variables of every kind that no step may get.
var tokens = []string{
	"GH_TOKEN", "GITHUB_TOKEN", "SSH_AUTH_SOCK", "ACTIONS_RUNTIME_TOKEN", "ACTIONS_CACHE_URL", "ACTIONS_ID_TOKEN_REQUEST_URL",
	"EVIDENCE_GATE_TOKEN", "EVIDENCE_GATE_STATE_DIR", "NPM_TOKEN", "CLIENT_SECRET", "PG_PASSWORD", "AWS_SECRET_ACCESS_KEY", "my_api_key", "gh_token",
}

// The steps say themselves what reached them: in a shell, without one, and while serving.
func TestNoTokenReachesAStep(t *testing.T) {
	t.Parallel()
	var environ []string
	for _, name := range tokens {
		environ = append(environ, name+"=value-of-"+name)
	}
	root := project(t, `pass_env: [NPM_TOKEN, NOT_SET_KEY]
checks:
  - { name: setup, run: env >setup, phase: setup }
  - { name: check, run: env >check }
  - { name: no shell, run: [sh, -c, env >plain] }
  - { name: serve, run: 'env >serve; TEST_SERVER=200 PORT=${TEST_PORT} exec "$SELF"', phase: serve, probe: "http://127.0.0.1:${TEST_PORT}/" }
  - { name: down, run: env >down, phase: teardown }
`)
	environ = append(environ, "TEST_PORT="+freePort(t), "CI_REGION=eu")
	r := Run(t.Context(), planOf(t, root, Selection{}, environ...), quick())
	require.Equal(t, Green, r.Outcome, r.Failure)
	for _, file := range []string{"setup", "check", "plain", "serve", "down"} {
		env := content(t, root, file)
		require.Contains(t, env, "NPM_TOKEN=value-of-NPM_TOKEN\n", "pass_env lists it")
		require.Contains(t, env, "CI_REGION=eu\n")
		require.NotContains(t, env, "NOT_SET_KEY")
		for _, name := range tokens {
			if name != "NPM_TOKEN" {
				require.NotContains(t, env, "value-of-"+name+"\n", "%s in %s", name, file)
				require.NotContains(t, "\n"+env, "\n"+name+"=", file)
			}
		}
	}
}

func TestIsToken(t *testing.T) {
	t.Parallel()
	for _, name := range tokens {
		require.True(t, isToken(name), name)
	}
	for _, name := range []string{"PATH", "TOKENS", "TOKEN_COUNT", "KEYBOARD", "MONKEY", "GH_HOST", "GITHUB_SHA", "GITHUB_ACTIONS", "PASSWORD_STORE_DIR", "SECRETS_DIR", "CI"} {
		require.False(t, isToken(name), name)
	}
}

func TestEnvironment(t *testing.T) {
	t.Parallel()
	value := func(env []string, name string) (string, bool) {
		i := slices.IndexFunc(env, func(line string) bool { return strings.HasPrefix(line, name+"=") })
		if i < 0 {
			return "", false
		}
		return strings.TrimPrefix(env[i], name+"="), true
	}
	p := policy.Policy{Env: map[string]string{"PORT": "5187", "EMPTY": "filled", "DJANGO_SECRET_KEY": "for tests", "EQUALS": "a=b"}, PassEnv: []string{"PASSED_TOKEN"}}
	caller := []string{"PORT=80", "EMPTY=", "DJANGO_SECRET_KEY=the real one", "TWICE=1", "TWICE=2", "PASSED_TOKEN=passed-value", "OLDPWD=/x", "PWD=/x", "nonsense", "=C:=x"}
	for _, marker := range agent.Markers() {
		caller = append(caller, marker+"=1")
	}
	env, secrets := environment(caller, p, "/project")
	for name, want := range map[string]string{
		"PORT":              "80",        // the caller's value wins
		"EMPTY":             "",          // and so does an empty one
		"DJANGO_SECRET_KEY": "for tests", // a token is removed, and then unset
		"EQUALS":            "a=b",
		"TWICE":             "2",
		"PASSED_TOKEN":      "passed-value",
		"PWD":               "/project",
	} {
		got, set := value(env, name)
		require.True(t, set, name)
		require.Equal(t, want, got, name)
	}
	_, set := value(env, "OLDPWD")
	require.False(t, set)
	for _, marker := range agent.Markers() {
		_, set := value(env, marker)
		require.False(t, set, marker)
	}
	require.ElementsMatch(t, []string{"the real one", "passed-value"}, secrets, "what pass_env lets through is masked, too")
	require.True(t, slices.IsSorted(env))
}

func TestExpand(t *testing.T) {
	t.Parallel()
	env := []string{"PORT=5187", "EMPTY="}
	for text, want := range map[string]string{
		"http://127.0.0.1:${PORT}/": "http://127.0.0.1:5187/",
		"${PORT}${EMPTY}${PORT}":    "51875187",
		"$PORT and ${} and ${1}":    "$PORT and ${} and ${1}",
	} {
		got, err := expand(text, env)
		require.NoError(t, err, text)
		require.Equal(t, want, got)
	}
	_, err := expand("http://127.0.0.1:${WEB_PORT}/", env)
	require.ErrorContains(t, err, "${WEB_PORT} is not set in the environment of the steps: give it a value under `env` in the policy")
}
