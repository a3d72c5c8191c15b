package main

import (
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/evidence-gate/evidence-gate/internal/githubtest"
)

// What to do is told to who runs this program, about the thing that stands in the way.
func TestAdvice(t *testing.T) {
	t.Parallel()
	query := githubtest.Match{Operation: "PullRequest"}
	patch := githubtest.Match{Method: http.MethodPatch}
	for _, c := range []struct {
		name      string
		fault     githubtest.Fault
		args      []string
		says, not []string
	}{
		{"an expired token", githubtest.Fault{Match: query, Status: 401, Message: "Bad credentials"}, nil,
			[]string{"GitHub does not accept the token: it has expired", "help: the token is from GH_TOKEN: renew it"}, []string{"private key", "app id"}},
		{"nothing there", githubtest.Fault{Match: query, Status: 404, Message: "Not Found"}, nil,
			[]string{"that the token may read the repository", "help: check the number and the name"}, []string{"App"}},
		{"a token that may not read", githubtest.Fault{Match: query, Status: 403, Message: "Resource not accessible by personal access token"}, nil,
			[]string{"help: the token is from GH_TOKEN: give it read access to the repository's contents"}, []string{"write access"}},
		{"a token that may not write", githubtest.Fault{Match: patch, Status: 403, Message: "Resource not accessible by personal access token"}, []string{"scaffold", "--write"},
			[]string{"help: the token is from GH_TOKEN: give it write access to the repository's pull requests"}, []string{"read access"}},
		{"a redirect elsewhere", githubtest.Fault{Match: query, Status: 301, Header: map[string]string{"Location": "https://evil.example.com/graphql"}}, nil,
			[]string{"help: set GITHUB_API_URL (or GH_HOST, or the remote) to the address that GitHub has now"}, []string{"help: try again"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			w.Fail(c.fault)
			got := w.run(c.args...)
			require.Equal(t, exitCouldNotJudge, got.code)
			for _, words := range c.says {
				require.Contains(t, got.stderr, words)
			}
			for _, words := range c.not {
				require.NotContains(t, got.stderr, words)
			}
		})
	}
}

// What a server says is shown on a terminal and put into a Report: it commands nothing, turns nothing
// around, and gives no secret away.
func TestWhatAServerSaysIsHarmless(t *testing.T) {
	t.Parallel()
	for _, message := range []string{"\u009b31mred", "\u202egnorw", "\x1b]0;title\x07", "for Bearer ghp_eng", "at https://eng:sekrit@proxy/"} {
		w := newWorld(t)
		w.Fail(githubtest.Fault{Match: githubtest.Match{Operation: "PullRequest"}, Status: 422, Message: message, Times: -1})
		for _, args := range [][]string{nil, {"--json"}, {"snapshot"}, {"brief"}, {"scaffold"}} {
			got := w.run(args...)
			require.Equal(t, exitCouldNotJudge, got.code)
			for _, never := range []string{"\u009b", "\u202e", "\x1b", "\x07", "ghp_eng", "sekrit", `\u009b`, `\u202e`} {
				require.NotContains(t, got.stdout+got.stderr, never, "%q %v", message, args)
			}
		}
	}
}

func TestAFactThatWasNotReadIsNotTriedAgainByItself(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.pr.EditBody("eng", w.evidence(w.pr.HeadSHA()))
	w.onAnswer(func(_ *http.Request, operation string, text []byte) []byte {
		if operation != "PullRequest" {
			return text
		}
		return change(text, func(data map[string]any) any {
			data["repository"].(map[string]any)["pullRequest"].(map[string]any)["reviews"] = nil
			return []any{map[string]any{"type": "FORBIDDEN", "message": "no", "path": []any{"repository", "pullRequest", "reviews"}}}
		})
	})
	got := w.run("--json")
	require.Equal(t, exitCouldNotJudge, got.code)
	require.Contains(t, got.report(t).Diagnostics[0].Help, "a command or job is run again")
	require.Contains(t, got.report(t).Diagnostics[0].Help, "what the app or the token may read")
	text := w.run()
	require.Contains(t, strings.Join(strings.Fields(text.stdout), " "), "next: operator of the gate (1 error): the app tries again by itself, a command or job is run again")
	require.NotContains(t, text.stdout, "log")
}

func TestAFileOfGhThatIsBroken(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	folder := t.TempDir()
	file := filepath.Join(folder, "hosts.yml")
	require.NoError(t, os.WriteFile(file, []byte("github.com:\n\t- oauth_token: gho_sekrit\n"), 0o600))
	got := w.program(t, []string{"GH_TOKEN=", "GH_CONFIG_DIR=" + folder})
	require.Equal(t, exitCouldNotJudge, got.code)
	require.Contains(t, got.stderr, "there is no token for github.com")
	require.Contains(t, got.stderr, "gh's own file "+file+" could not be read: repair it, or log in anew")
	require.NotContains(t, got.stderr, "sekrit")
}

func TestNoPasswordIsRepeated(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for _, environment := range []map[string]string{
		{"GITHUB_API_URL": "https://eng:%zzsekrit@github.example.com", "GH_TOKEN": "ghp_eng"},
		{"GITHUB_API_URL": "https://eng:sekrit@github.example.com", "GH_TOKEN": "ghp_eng"},
		{"GITHUB_API_URL": "https://eng:sekrit@github.example.com"},
		{"GH_REPO": "https://eng:sekrit@github.com/acme", "GH_TOKEN": "ghp_eng"},
	} {
		w.environment = environment
		for _, args := range [][]string{{"--json"}, {"snapshot"}} {
			got := w.run(args...)
			require.Equal(t, exitCouldNotJudge, got.code, "%v", environment)
			require.NotContains(t, got.stdout+got.stderr, "sekrit", "%v", environment)
		}
	}
	got := w.run("--pr", "https://eng:sekrit@github.com/acme/widgets/pull/2")
	require.Equal(t, exitUsage, got.code)
	require.NotContains(t, got.stderr, "sekrit")
}
