package profile_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"github.com/evidence-gate/evidence-gate/internal/growth"
	"github.com/evidence-gate/evidence-gate/profile"
	"github.com/evidence-gate/evidence-gate/report"
)

// FuzzRead reads texts made of a text, a unit that is repeated and another text: no panic, no cost
// that grows faster than the text, places inside it, and a fact can be recorded or is refused.
func FuzzRead(f *testing.F) {
	f.Add(section(fact("VF-full-suite")), "", "")
	f.Add(section(profile.EmptyState), "", "")
	for _, unit := range []string{
		"### VF-a\n", "### x\n", "#### VF-a\n", fact("VF-a"), "- Comand: x\n", "- Command: `x`\n", "Command: x\n", "- Strategy: ci\n", "- Revisit when: a\n", "  b\n", "\u200b", "\u202e", ":", "：", "Timeout ms: ", ":a:", "- Decision: D-a\n",
		"\n## Verification Operating Facts\n", "\n# Verification Operating Facts\n", profile.EmptyState + "\n\n", "`", "`x` ", "|a|\n|-|\n", "> - Command: x\n", "VF-", "-", "- a\n  - b\n", "\r", "\r\n",
	} {
		f.Add("## Verification Operating Facts\n\n### VF-a\n\n", unit, "\n")
		f.Add("## Verification Operating Facts\n\n- Command: ", unit, "\n")
	}
	meter := growth.NewMeter(func(text string) { _, _ = profile.Read(text) }, section(fact("VF-full-suite")))
	f.Fuzz(func(t *testing.T, before, unit, after string) {
		text := growth.Repeat(before, unit, after, 400)
		p, diagnostics := profile.Read(text)
		for _, d := range append(diagnostics, p.MissingDecisions(nil)...) {
			require.Equal(t, report.Warning, d.Severity)
			require.Equal(t, report.Maintainer, d.Owner)
			within(t, text, *d.Where)
		}
		recorded(t, text, p)
		meter.Check(t, before, unit, after)
	})
}

// recorded holds that a fact is written whole, and that every line but its own stays.
func recorded(t *testing.T, text string, before profile.Profile) {
	t.Helper()
	out, diagnostics, err := profile.Record(text, complete("VF-new-fact"), nil)
	if err != nil || len(diagnostics) > 0 {
		require.Empty(t, out.Text)
		return
	}
	p, _ := profile.Read(out.Text)
	require.Len(t, p.Facts, len(before.Facts)+1)
	written := strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(out.Text)
	for line := range strings.Lines(strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(text)) {
		if line = strings.TrimSpace(line); line != "" && !strings.Contains(line, "No project-wide") {
			require.Contains(t, written, line)
		}
	}
}

func within(t *testing.T, text string, w report.Where) {
	t.Helper()
	text = strings.ReplaceAll(strings.ReplaceAll(strings.TrimPrefix(text, "\ufeff"), "\r\n", "\n"), "\r", "\n")
	lines := strings.Split(text, "\n")
	require.Equal(t, profile.Document, w.Document)
	require.True(t, w.Line >= 0 && w.Line <= len(lines) && w.EndLine <= len(lines), "%+v of %d lines", w, len(lines))
	if w.Line > 0 {
		require.LessOrEqual(t, w.Column, utf8.RuneCountInString(lines[w.Line-1])+1, "%+v in %q", w, lines[w.Line-1])
	}
	if w.EndLine > 0 {
		require.True(t, w.EndLine > w.Line || w.EndLine == w.Line && w.EndColumn >= w.Column, "%+v ends before it starts", w)
	}
}
