//go:build unix

package verify

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/evidence-gate/evidence-gate/verify/records"
	"github.com/evidence-gate/evidence-gate/verify/tamper"
)

func verified(t testing.TB, s Session) Result {
	t.Helper()
	r, err := Verify(t.Context(), s)
	require.NoError(t, err)
	requireResult(t, r)
	return r
}

const twoSteps = `checks:
  - { name: tests, run: echo tested, layer: test }
  - { name: lint, run: "true", layer: lint }
`

func TestEveryRunIsComparedAndRecorded(t *testing.T) {
	t.Parallel()
	root := project(t, twoSteps)
	s := session(t, root)
	r := verified(t, s)
	require.Equal(t, Green, r.Outcome)
	require.Equal(t, tamper.FirstUse, r.TamperCheck)
	require.NotNil(t, r.FirstGreenAt)
	require.NotNil(t, r.FirstTestPassAt)
	require.Equal(t, tamper.OK, verified(t, s).TamperCheck)

	write(t, root, strings.ReplaceAll(twoSteps, "echo tested", "echo ran >ran"))
	s.Policy = readPolicy(t, root)
	r = verified(t, s)
	require.Equal(t, Changed, r.Outcome)
	require.Equal(t, 5, r.ExitCode())
	require.Equal(t, []string{tamper.Outside}, r.Copies)
	require.Equal(t, "tests", r.Changes[0].Step)
	require.Empty(t, r.Steps)
	require.NoFileExists(t, filepath.Join(root, "ran"), "nothing runs")

	refused := s.Refuse(&tamper.RefusedError{Why: "somebody"})
	require.Equal(t, 6, refused.ExitCode())
	requireResult(t, refused)

	var outcomes []string
	for line := range strings.Lines(content(t, root, records.Dir, records.FileName)) {
		var record records.Record
		require.NoError(t, json.Unmarshal([]byte(line), &record))
		outcomes = append(outcomes, record.Outcome)
		require.NotContains(t, line, "echo")
		require.NotContains(t, line, "tested")
		require.NotContains(t, line, root)
	}
	require.Equal(t, []string{Green, Green, Changed, Refused}, outcomes)
}

func TestNotEvenTheTeardownRunsAfterAChange(t *testing.T) {
	t.Parallel()
	checks := `checks:
  - { name: a, run: echo >ran }
  - { name: down, run: echo >ran, phase: teardown }
`
	root := project(t, checks+"digest: sha256:"+strings.Repeat("0", 64)+"\n")
	r := verified(t, session(t, root))
	require.Equal(t, Changed, r.Outcome)
	require.Equal(t, []string{tamper.File}, r.Copies)
	require.NoFileExists(t, filepath.Join(root, "ran"))
}

func TestAFreshCloneIsFileOnly(t *testing.T) {
	t.Parallel()
	root := project(t, twoSteps)
	write(t, root, twoSteps+"digest: "+tamper.Digest(readPolicy(t, root))+"\n")
	require.Equal(t, tamper.FileOnly, verified(t, session(t, root)).TamperCheck)
}

func TestNothingRunsWhenTheStateFolderCannotBeWritten(t *testing.T) {
	t.Parallel()
	root := project(t, `checks: [{ name: a, run: echo >ran }]`+"\n")
	s := session(t, root)
	file := filepath.Join(t.TempDir(), "file")
	require.NoError(t, os.WriteFile(file, nil, 0o644))
	s.Store = tamper.StoreAt(filepath.Join(file, "state"))
	_, err := Verify(t.Context(), s)
	require.ErrorContains(t, err, "EVIDENCE_GATE_STATE_DIR")
	require.NoFileExists(t, filepath.Join(root, "ran"))
}

// What cannot be kept on disk is a warning: the steps have run.
func TestAFolderForRunsThatCannotBeWritten(t *testing.T) {
	t.Parallel()
	for name, spoil := range map[string]func(root string) error{
		"a file is in its place": func(root string) error { return os.WriteFile(filepath.Join(root, ".evidence"), nil, 0o644) },
		"a link is in its place": func(root string) error { return os.Symlink(os.TempDir(), filepath.Join(root, ".evidence")) },
		"its runs are a link": func(root string) error {
			return errorsOf(os.Mkdir(filepath.Join(root, ".evidence"), 0o755), os.Symlink(os.TempDir(), filepath.Join(root, ".evidence", "runs")))
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			root := project(t, twoSteps)
			require.NoError(t, spoil(root))
			r := verified(t, session(t, root))
			require.Equal(t, Green, r.Outcome)
			require.NotEmpty(t, r.Warnings)
			require.Contains(t, r.Warnings[0], "cannot be kept")
			require.Empty(t, r.Steps[0].Log)
		})
	}
}

func errorsOf(all ...error) error {
	for _, err := range all {
		if err != nil {
			return err
		}
	}
	return nil
}

// Durations come from a steady clock, whatever the clock on the wall does meanwhile.
func TestAClockThatJumps(t *testing.T) {
	t.Parallel()
	root := project(t, twoSteps)
	s := session(t, root)
	now := clock()
	s.Now = func() time.Time {
		now = now.Add(-24 * time.Hour)
		return now
	}
	for range 2 {
		r := verified(t, s)
		require.Equal(t, Green, r.Outcome)
		require.Less(t, r.DurationMS, int64(60_000))
		for _, step := range r.Steps {
			require.Less(t, step.DurationMS, int64(60_000))
			require.FileExists(t, filepath.Join(root, step.Log))
		}
	}
}

func TestRunsAtOnce(t *testing.T) {
	t.Parallel()
	root := project(t, twoSteps)
	s := session(t, root)
	var all sync.WaitGroup
	results := make([]Result, 6)
	for i := range results {
		all.Go(func() { results[i], _ = Verify(context.WithoutCancel(t.Context()), s) })
	}
	all.Wait()
	logs := map[string]bool{}
	for _, r := range results {
		require.Equal(t, Green, r.Outcome)
		require.Empty(t, r.Warnings)
		logs[r.Steps[0].Log] = true
	}
	require.Len(t, logs, len(results), "each has its own outputs, although all started at once")
	require.Len(t, strings.Split(strings.TrimSpace(content(t, root, records.Dir, records.FileName)), "\n"), len(results))
}

func TestLogs(t *testing.T) {
	t.Parallel()
	root := project(t, `checks:
  - { name: "../../etc/pass wd: ünï", run: "echo the value is $NPM_TOKEN and hunter22-token" }
  - { name: long, run: "head -c 3000000 /dev/zero | tr '\\0' x" }
pass_env: [NPM_TOKEN]
`)
	s := session(t, root)
	s.Environ = append(s.Environ, "NPM_TOKEN=in-the-clear", "OTHER_TOKEN=hunter22-token")
	r := verified(t, s)
	require.Equal(t, ".evidence/runs/20261130T100000.000Z/01-..-..-etc-pass-wd---n-.log", r.Steps[0].Log)
	text := content(t, root, r.Steps[0].Log)
	require.Equal(t, "the value is *** and ***\n", text)
	require.Equal(t, sha256Of(text), r.Steps[0].OutputSHA256)
	require.EqualValues(t, 3_000_000, r.Steps[1].OutputBytes)
	long := content(t, root, r.Steps[1].Log)
	require.Less(t, len(long), 1<<20+100)
	require.Equal(t, sha256Of(long), r.Steps[1].OutputSHA256)
	info, err := os.Stat(filepath.Join(root, r.Steps[0].Log))
	require.NoError(t, err)
	require.EqualValues(t, 0o600, info.Mode().Perm())
	require.Equal(t, "*\n", content(t, root, ".evidence", ".gitignore"))
}

func TestEndOfOutput(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"":                           "",
		"one\ntwo\n":                 "one\ntwo",
		strings.Repeat("line\n", 90): strings.TrimSuffix(strings.Repeat("line\n", 20), "\n"),
		strings.Repeat("x", 9_000):   strings.Repeat("x", 2_000),
		"\x1b[31mred\x1b[0m \xff\n":  "<U+001B>[31mred<U+001B>[0m <0xFF>",
	} {
		require.Equal(t, want, endOf([]byte(text)), "%.40q", text)
	}
	lines := strings.Split(endOf([]byte(strings.Repeat(strings.Repeat("y", 300)+"\n", 30))), "\n")
	require.Len(t, lines, 6, "whole lines, and at most 2,000 characters")
}
