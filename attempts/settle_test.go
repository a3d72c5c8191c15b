package attempts_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/evidence-gate/evidence-gate/attempts"
	"github.com/evidence-gate/evidence-gate/report"
)

// A9: what did not pass is past once the check passed, which another command tells nothing of.
func TestAPassOfTheCheck(t *testing.T) {
	t.Parallel()
	const (
		foreground = "Strategy: foreground"
		focused    = "Strategy: focused"
	)
	for _, c := range []struct {
		name     string
		check    string // its command; none: it has none, or it is not known
		command  string
		strategy string
		settles  bool
	}{
		{"the check's command", "npm test", "npm test", foreground, true},
		{"with a comment", "npm test", "npm test # again", foreground, true},
		{"with an option", "npm test", "npm test -- --ci", foreground, true},
		{"with a timeout and a log", "npm test", "timeout 600 npm test > log 2>&1", foreground, true},
		{"in an environment", "npm test", "CI=1 npm test", foreground, true},
		{"in a folder", "npm test", "cd web && npm test", foreground, true},
		{"by the rule of section 5", "npm test", "/usr/bin/npm test", foreground, true},
		{"a part of it", "npm test", "npx vitest run src/cache.test.ts", focused, true},
		{"a part of it, split", "npm test", "npx vitest run --shard 2/2", "Strategy: split", true},
		{"any of a check without a command", "", "make check", foreground, true},

		{"nothing", "npm test", "true", foreground, false},
		{"nothing, with the command as a comment", "npm test", "true # npm test", foreground, false},
		{"nothing, of a check without a command", "", "/bin/true", foreground, false},
		{"nothing, called a part", "npm test", "echo ok", focused, false},
		{"its name alone", "npm test", "echo npm test", foreground, false},
		{"another command", "npm test", "npm run lint", foreground, false},
		{"a longer word", "npm test", "npm tests", foreground, false},
		{"what passes whatever happens", "npm test", "npm test || true", foreground, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			f := facts(comment(101, eng, "09:05", carrier("RC-1", attempt(1, "Strategy: ci"), attempt(2, "Command: `"+c.command+"`", c.strategy, "Outcome: passed"))))
			f.SameCommand = func(a, b string) bool { return a == "/usr/bin/"+b }
			if c.check != "" {
				f.Commands = map[string]string{"RC-1": c.check}
			}
			got := attempts.Judge(f)
			s, ok := got.Of("RC-1")
			require.True(t, ok)
			require.Equal(t, attempts.Passed, s.Latest)
			require.Equal(t, c.settles, s.Passed)
			if c.settles {
				require.Empty(t, findings(got))
				require.Equal(t, attempts.Resolved, s.State)
				return
			}
			require.Equal(t, []string{"error episode.active"}, findings(got))
			require.Equal(t, attempts.Active, s.State)
			d := got.Diagnostics[0]
			require.Equal(t, c.command, d.Details["found_command"])
			require.Contains(t, d.Help, "the check's own command")
			f.Stage = report.Review
			require.Empty(t, findings(attempts.Judge(f)), "at stage review recorded is enough")
		})
	}
}

// A9: a maintainer's final triage of that pass satisfies the check, as does a later pass of its
// command; where nothing failed there is nothing to settle.
func TestAPassOfAnotherCommandIsNoDeadEnd(t *testing.T) {
	t.Parallel()
	other := attempt(2, "Command: `true`", "Strategy: foreground", "Outcome: passed")
	first := attempt(1, "Strategy: ci")
	f := facts(comment(101, eng, "09:05", carrier("RC-1", first, other)), comment(201, lead, "10:05", triageComment("RC-1", triage(2))))
	f.Commands = map[string]string{"RC-1": "npm test"}
	require.Empty(t, findings(attempts.Judge(f)))
	s, _ := attempts.Judge(f).Of("RC-1")
	require.True(t, s.Satisfied)
	f.Task = f.Task[:1:1]
	f.Task[0] = comment(101, eng, "09:05", carrier("RC-1", first, other, attempt(3, "Strategy: ci", "Timeout ms: 300000", "Outcome: passed")))
	require.Empty(t, findings(attempts.Judge(f)))
	f.Task[0] = comment(101, eng, "09:05", carrier("RC-1", other))
	require.Equal(t, []string{"note carrier.routine"}, findings(attempts.Judge(f)))
}
