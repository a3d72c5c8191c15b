package main

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// A text in another encoding is not blamed for lacking what cannot be read.
func TestOnlyUTF8IsRead(t *testing.T) {
	t.Parallel()
	const task = "## Required Checks\n\n- [RC-1] `npm test`\n"
	wide := func(text string, before, behind string) string {
		var out strings.Builder
		for _, r := range text {
			out.WriteString(before + string(r) + behind)
		}
		return out.String()
	}
	w := newWorld(t)
	for name, c := range map[string]struct{ text, says string }{
		"latin-1":               {strings.Replace(task, "npm test", "npm t\xe9st", 1), "line 3 holds the byte 0xE9, which is no character: save the file as UTF-8"},
		"half a character":      {task + "\xe2\x82", "line 4 holds the byte 0xE2"},
		"UTF-16 with a mark":    {"\xff\xfe" + wide(task, "", "\x00"), "is UTF-16 or UTF-32 text: save it as UTF-8"},
		"UTF-16, the other end": {"\xfe\xff" + wide(task, "\x00", ""), "is UTF-16 or UTF-32 text"},
		"UTF-16 without a mark": {wide(task, "", "\x00"), "is UTF-16 or UTF-32 text"},
	} {
		write(t, w, "task.md", c.text)
		write(t, w, "body.md", w.evidence(w.pr.HeadSHA()))
		for _, args := range [][]string{
			{"scaffold", "--issue", w.dir + "/task.md", "--head", w.pr.HeadSHA()},
			{"brief", "--issue", w.dir + "/task.md"},
			{"lint", w.dir + "/task.md"},
			{"lint", w.dir + "/body.md", "--issue", w.dir + "/task.md", "--json"},
			{"profile", "validate", "--file", w.dir + "/task.md"},
			with(timedOut, "--file", w.dir+"/task.md"),
		} {
			got := w.run(args...)
			require.Equal(t, exitCouldNotJudge, got.code, "%s: %v: %s", name, args, got.stdout)
			require.Contains(t, got.stderr, c.says, "%s: %v", name, args)
			require.NotContains(t, got.stdout+got.stderr, "contract.missing", "%s: %v", name, args)
		}
	}
	write(t, w, "task.md", "\ufeff"+task+"\u00e9 \ufffd\n")
	got := w.run("scaffold", "--issue", w.dir+"/task.md", "--head", w.pr.HeadSHA())
	require.Equal(t, 0, got.code, "a mark of UTF-8 and a character that replaced another are UTF-8: %s", got.stderr)

	write(t, w, "evidence.yml", "version: 1\n# t\xe9st\n")
	got = w.run("policy", "validate", w.dir+"/evidence.yml")
	require.Equal(t, exitFailure, got.code)
	require.Contains(t, got.stdout, "policy:2:", "package policy points at the place")
}
