package main

import (
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// What a terminal would obey is written nowhere, and shown nowhere.
func TestNoControlCharacterIsRecorded(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	carrier, known := filepath.Join(w.dir, "carrier.md"), filepath.Join(w.dir, "project.md")
	for _, c := range []struct {
		about string
		args  []string
		flag  string
	}{
		{"what was seen", with(timedOut, "--file", carrier, "--partial-evidence", "a \x1b[31m b"), "--partial-evidence"},
		{"a dry run", with(timedOut, "--file", carrier, "--dry-run", "--command", "a\x07b"), "--command"},
		{"on GitHub", with(timedOut, "--partial-evidence", "a \u009b31m b"), "--partial-evidence"},
		{"a prediction", []string{"attempt", "predict", "RC-1", "--file", carrier, "--evidence", "a\x7f"}, "--evidence"},
		{"a triage", []string{"triage", "RC-1", "--file", carrier, "--reason", "a\x00"}, "--reason"},
		{"the name of a file", with(timedOut, "--file", carrier+"\x1b"), "--file"},
		{"a fact", []string{"profile", "record", "VF-a", "--file", known, "--command", "a\x1b[2J"}, "--command"},
	} {
		got := w.run(c.args...)
		require.Equal(t, exitUsage, got.code, c.about)
		require.Contains(t, got.stderr, c.flag+": expected text without control characters, found U+", c.about)
		requireNoControls(t, got)
	}
	got := w.run(with(timedOut, "--partial-evidence", "a\xff")...)
	require.Equal(t, exitUsage, got.code)
	require.Contains(t, got.stderr, "--partial-evidence: expected UTF-8 text")
	require.NoFileExists(t, carrier)
	require.NoFileExists(t, known)
	require.Empty(t, w.comments(t))

	got = w.run(with(timedOut, "--file", carrier, "--command", "npm test", "--partial-evidence", "two\r\n\tlines")...)
	require.Equal(t, 0, got.code, got.stderr)
	text, err := os.ReadFile(carrier)
	require.NoError(t, err)
	require.Contains(t, string(text), "- Partial evidence: two lines\n", "white space is no control character")
}

// A dry run shows what is in the file already, which anybody may have written.
func TestADryRunIsHarmless(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	carrier := filepath.Join(w.dir, "carrier.md")
	require.Equal(t, 0, w.run(with(timedOut, "--file", carrier, "--command", "npm test")...).code)
	text, err := os.ReadFile(carrier)
	require.NoError(t, err)
	hostile := strings.Replace(string(text), "none failed", "none\t\x1b[31mfailed\u202e", 1)
	require.NotEqual(t, string(text), hostile)
	require.NoError(t, os.WriteFile(carrier, []byte(hostile), 0o600))
	predict := []string{"attempt", "predict", "RC-1", "--file", carrier, "--evidence", "1,204 of 2,310 tests took 180 s", "--window-ms", "330000-380000", "--timeout-ms", "400000"}
	for _, more := range []string{"--dry-run", "--json"} {
		got := w.run(with(predict, more)...)
		require.Equal(t, 0, got.code, got.stderr)
		requireNoControls(t, got)
		require.NotContains(t, got.stdout, "\u202e", more)
	}
	after, err := os.ReadFile(carrier)
	require.NoError(t, err)
	require.True(t, strings.HasPrefix(string(after), strings.TrimSuffix(hostile, "[[agent: engineer]]\n")), "every byte that was there stays")
}

func TestHarmless(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"a\tb\r\nc\n": "a\tb\r\nc\n", "\u00e9 \U0001F469\u200d\U0001F4BB\n\n": "\u00e9 \U0001F469\u200d\U0001F4BB\n\n", "": "",
		"a\rb": "a<U+000D>b", "\x1b[0m": "<U+001B>[0m", "\u009b": "<U+009B>", "\u202e": "<U+202E>", "\u2066": "<U+2066>", "\x00": "<U+0000>",
	} {
		require.Equal(t, want, harmless(text))
	}
}

// Twelve runs that end at the same time are twelve attempts.
func TestAttemptsAtTheSameTime(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	task := filepath.Join(w.dir, "task.md")
	require.NoError(t, os.WriteFile(task, []byte("## Verification Attempts\n\nNo verification attempts are currently recorded.\n"), 0o600))
	w.sleep = time.Sleep // the writers wait for each other
	var runs sync.WaitGroup
	const all = 12
	ended := make([]outcome, all)
	for i := range all {
		runs.Go(func() {
			ended[i] = w.run("attempt", "add", "RC-1", "--file", task, "--command", "npm test", "--strategy", "ci", "--outcome", "blocked", "--partial-evidence", "no runner took the job for two hours")
		})
	}
	runs.Wait()
	for _, got := range ended {
		require.Equal(t, 0, got.code, got.stderr)
	}
	text, err := os.ReadFile(task)
	require.NoError(t, err)
	require.Equal(t, all, strings.Count(string(text), "\n#### Attempt "), string(text))
	require.Contains(t, string(text), "\n#### Attempt 12\n")
}
