package main

import (
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/evidence-gate/evidence-gate/internal/githubtest"
	"github.com/evidence-gate/evidence-gate/snapshot"
)

// A form is copied, and shown on terminals before. What nobody can type has no place in it, and is
// not replaced in silence either: the copy would not match the check.
func TestNoFormHoldsAControlCharacter(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]string{"ESC": "\x1b[31m", "BEL": "\x07", "C1": "\u009b31m", "DEL": "\x7f", "backspace": "\b"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			task := "## Required Checks\n\n- [RC-1] `npm test`\n- [RC-2] `npm run " + c + "lint`\n"
			w.issue.EditBody("lead", task)
			write(t, w, "task.md", task)
			before := w.pr.Body()
			head := w.pr.HeadSHA()
			for _, args := range [][]string{
				{"scaffold"}, {"scaffold", "--full"}, {"scaffold", "--write"}, {"scaffold", "--write", "--full"},
				{"scaffold", "--issue", w.dir + "/task.md", "--head", head},
			} {
				got := w.run(args...)
				require.Equal(t, exitWaiting, got.code, "the task's maintainer must act: %v", args)
				require.NotContains(t, got.stdout, "Required check", args)
				require.Contains(t, got.stderr, "error[text.invisible_character] issue.body:4:19", args)
				require.Contains(t, got.stderr, "nobody can type", args)
				requireNoControls(t, got)
			}
			require.Equal(t, before, w.pr.Body())
			require.Zero(t, w.CountRequests(githubtest.Match{Method: http.MethodPatch}))
			for _, args := range [][]string{{"brief"}, {"brief", "--issue", w.dir + "/task.md"}} {
				got := w.run(args...)
				require.Equal(t, 0, got.code, args)
				require.Contains(t, got.stdout, "There is no form yet", args)
				require.NotContains(t, got.stdout, "Exactly this", args)
				require.NotContains(t, got.stdout, "\ufffd", args)
				requireNoControls(t, got)
			}
		})
	}
	w := newWorld(t)
	w.issue.EditBody("lead", "## Required Checks\r\n\r\n- [RC-1] `npm\ttest`\r\n")
	got := w.run("scaffold")
	require.Equal(t, 0, got.code, "a tab and a line break are none: %s", got.stderr)
}

func requireNoControls(t *testing.T, got outcome) {
	t.Helper()
	for _, r := range got.stdout + got.stderr {
		require.False(t, r < ' ' && r != '\n' && r != '\t' || r >= 0x7f && r < 0xa0, "%q", r)
	}
}

// JSON lets most control characters stand; on a terminal they would be obeyed.
func TestJSONIsHarmlessAndTheSame(t *testing.T) {
	t.Parallel()
	const title = "a\u009b31mb\x7f\u202ec\x1b[0m \u00e9 \U0001F469\u200d\U0001F4BB"
	w := newWorld(t)
	w.pr.EditTitle("eng", title)
	got := w.run("snapshot")
	require.Equal(t, 0, got.code, got.stderr)
	requireNoControls(t, got)
	require.NotContains(t, got.stdout, "\u202e")
	s, err := snapshot.Decode(strings.NewReader(got.stdout))
	require.NoError(t, err)
	require.Equal(t, title, s.PullRequest.Title)

	w.pr.EditBody("eng", "Closes #1\n\n## Evidence\n\nCurrent PR head: \u009b31m\n")
	requireNoControls(t, w.run("--json"))
	requireNoControls(t, w.run())
}
