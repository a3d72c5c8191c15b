package profile_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/evidence-gate/evidence-gate/profile"
	"github.com/evidence-gate/evidence-gate/report"
)

func complete(id string) profile.Fact {
	return profile.Fact{
		ID: id, Command: "npm test", LastOutcome: "timed_out", DurationMS: "180000", TimeoutMS: "180000", HostCeilingMS: "unknown",
		Strategy: "background", Updated: "2026-11-20", Source: "issue:#42", RevisitWhen: "the suite is split", Decision: "none",
	}
}

func record(t *testing.T, text string, f profile.Fact) string {
	t.Helper()
	out, diagnostics, err := profile.Record(text, f, nil)
	require.NoError(t, err)
	require.Empty(t, diagnostics)
	return out.Text
}

func TestRecordAddsAFact(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ about, text, want string }{
		{"an empty file", "", "## Verification Operating Facts\n\n" + fact("VF-a")},
		{"no section", "# Widgets\n\ntext\n", "# Widgets\n\ntext\n\n## Verification Operating Facts\n\n" + fact("VF-a")},
		{"no section and no line end", "# Widgets", "# Widgets\n\n## Verification Operating Facts\n\n" + fact("VF-a")},
		{
			"the empty state", "# Widgets\n\n## Verification Operating Facts\n\n" + profile.EmptyState + "\n\n## Other\n\n*  text  \n",
			"# Widgets\n\n## Verification Operating Facts\n\n" + fact("VF-a") + "\n## Other\n\n*  text  \n",
		},
		{"the empty state at the end", "## Verification Operating Facts\n" + profile.EmptyState, "## Verification Operating Facts\n" + strings.TrimSuffix(fact("VF-a"), "\n")},
		{"below another fact", section(fact("VF-b", "Command", "`x`")), section(fact("VF-b", "Command", "`x`"), fact("VF-a"))},
		{
			"below another fact with a note", "## Verification Operating Facts\n\n" + fact("VF-b", "Command", "`x`") + "\nA note.\n",
			"## Verification Operating Facts\n\n" + fact("VF-b", "Command", "`x`") + "\nA note.\n\n" + fact("VF-a"),
		},
		{"a section of level 3", "### Verification Operating Facts\n\n" + profile.EmptyState + "\n", "### Verification Operating Facts\n\n#" + fact("VF-a")},
		{
			"windows line ends", "# W\r\n\r\n## Verification Operating Facts\r\n\r\n" + profile.EmptyState + "\r\n",
			"# W\r\n\r\n## Verification Operating Facts\r\n\r\n" + strings.ReplaceAll(fact("VF-a"), "\n", "\r\n"),
		},
	} {
		t.Run(c.about, func(t *testing.T) {
			t.Parallel()
			require.Equal(t, c.want, record(t, c.text, complete("VF-a")))
			require.Equal(t, c.want, record(t, c.want, complete("VF-a")), "the same fact again changes nothing")
		})
	}
}

func TestRecordChangesAFact(t *testing.T) {
	t.Parallel()
	f := complete("VF-a")
	f.TimeoutMS, f.Strategy, f.RevisitWhen = "600000", "ci", "the runner has *more* memory"
	for _, c := range []struct{ about, text, want string }{
		{
			"three fields of it", section(fact("VF-a"), fact("VF-b", "Command", "`x`")),
			section(fact("VF-a", "Timeout ms", "600000", "Strategy", "ci", "Revisit when", `the runner has \*more\* memory`), fact("VF-b", "Command", "`x`")),
		},
		{
			"bullets, notes, order and repeated spaces stay",
			"## Verification Operating Facts\n\n### VF-a\nA note.\n\n* **Timeout ms:**   180000\n* Command:  `npm test`\n" + strings.ReplaceAll(fact("", "Timeout ms", "-", "Command", "-"), "### \n\n", "") + "\nAnother note.\n",
			"## Verification Operating Facts\n\n### VF-a\nA note.\n\n* Timeout ms: 600000\n* Command:  `npm test`\n" + strings.ReplaceAll(fact("", "Timeout ms", "-", "Command", "-", "Strategy", "ci", "Revisit when", `the runner has \*more\* memory`), "### \n\n", "") + "\nAnother note.\n",
		},
		{
			"a field that was left out", section(fact("VF-a", "Timeout ms", "-", "Strategy", "ci", "Revisit when", `the runner has \*more\* memory`)),
			section(fact("VF-a", "Timeout ms", "-", "Strategy", "ci", "Revisit when", `the runner has \*more\* memory`) + "- Timeout ms: 600000\n"),
		},
		{
			"a condition of two lines", section(fact("VF-a", "Timeout ms", "600000", "Strategy", "ci", "Revisit when", "the suite\n  is split")),
			section(fact("VF-a", "Timeout ms", "600000", "Strategy", "ci", "Revisit when", `the runner has \*more\* memory`)),
		},
	} {
		t.Run(c.about, func(t *testing.T) {
			t.Parallel()
			require.Equal(t, c.want, record(t, c.text, f))
		})
	}
}

// What `profile validate` would refuse is refused before anything is written.
func TestRecordRefuses(t *testing.T) {
	t.Parallel()
	with := func(change func(*profile.Fact)) profile.Fact {
		f := complete("VF-a")
		change(&f)
		return f
	}
	for _, c := range []struct {
		about string
		text  string
		fact  profile.Fact
		want  report.Code
	}{
		{"an id that is none", "", complete("full-suite"), report.CodeProfileIdInvalid},
		{"a field without a value", "", with(func(f *profile.Fact) { f.RevisitWhen = "" }), report.CodeProfileFieldMissing},
		{"a value that is not allowed", "", with(func(f *profile.Fact) { f.Strategy = "parallel" }), report.CodeProfileFieldInvalid},
		{"a source that is not durable", "", with(func(f *profile.Fact) { f.Source = "we saw it" }), report.CodeProfileSourceNotDurable},
		{"a decision that does not exist", "", with(func(f *profile.Fact) { f.Decision = "D-nowhere" }), report.CodeProfileDecisionMissing},
		{"a routine pass", "", with(func(f *profile.Fact) { f.LastOutcome, f.Strategy = "passed", "foreground" }), report.CodeProfileRoutineFact},
		{"a command that has a fact", section(fact("VF-b")), complete("VF-a"), report.CodeProfileCommandDuplicate},
		{"a fact that is there twice", section(fact("VF-a", "Strategy", "ci"), fact("VF-a", "Command", "`x`")), complete("VF-a"), report.CodeProfileIdDuplicate},
		{"a field that is there twice", section(fact("VF-a") + "- Strategy: ci\n"), complete("VF-a"), report.CodeProfileFieldRepeated},
		{"two sections", section(fact("VF-b")) + section(), complete("VF-a"), report.CodeSectionDuplicate},
		{"a file that is too large", strings.Repeat("text\n", 1<<18), complete("VF-a"), report.CodeDocumentTooLarge},
		{"an invisible character", "", with(func(f *profile.Fact) { f.Command = "npm\u200b test" }), report.CodeTextInvisibleCharacter},
	} {
		t.Run(c.about, func(t *testing.T) {
			t.Parallel()
			out, diagnostics, err := profile.Record(c.text, c.fact, nil)
			require.NoError(t, err)
			require.Empty(t, out.Text)
			require.Contains(t, codes(diagnostics), c.want)
			for _, d := range diagnostics {
				require.Equal(t, report.Error, d.Severity)
			}
		})
	}
}

// A fact can be recorded beside one that is wrong already, and one can be put right after the other.
func TestRecordBesideABrokenFact(t *testing.T) {
	t.Parallel()
	broken := fact("VF-b", "Command", "`x`", "Strategy", "parallel")
	require.Equal(t, section(broken, fact("VF-a")), record(t, section(broken), complete("VF-a")))
	f := complete("VF-b")
	f.Command, f.Strategy = "x", "split"
	require.Equal(t, section(fact("VF-b", "Command", "`x`", "Strategy", "split")), record(t, section(broken), f))
}

// What cannot be written without touching other text is left to a person.
func TestRecordLeavesOtherTextAlone(t *testing.T) {
	t.Parallel()
	for about, text := range map[string]string{
		"a fence that is not closed":   "# Widgets\n\n```\n",
		"a comment that is not closed": "## Verification Operating Facts\n\n" + fact("VF-b", "Command", "`x`") + "\n<!-- later\n",
	} {
		_, diagnostics, err := profile.Record(text, complete("VF-a"), nil)
		require.Empty(t, diagnostics, about)
		require.ErrorContains(t, err, "by hand", about)
	}
	f := complete("VF-a")
	f.RevisitWhen = "red \x1b[31m text"
	_, _, err := profile.Record("", f, nil)
	require.ErrorContains(t, err, "control character")
}

// parse(render(x)) = x (design section 19).
func TestWhatIsWrittenReadsBack(t *testing.T) {
	t.Parallel()
	words := rapid.SampledFrom([]string{
		"npm", "test", "a_b", "_x_", "*x*", "\\*", "~~a~~", "|", "[x]", "[a](b)", "<b>", "&amp;", "&", "#12", "@team", "x:", "https://x.org/a_b?c=d&e=f", "🎨", ":tada:", "ü", "1.", "+", "-", "`", "``", "a`b", "\\", "C:\\dir", "$HOME", "!",
		"Timeout", "ms:", "Timeout ms: 5", "### VF-b", "<!--", "-->", "www.x.org", "\"q\"", "://", "a\\",
	})
	text := func(t *rapid.T, name string) string {
		return strings.Join(rapid.SliceOfN(words, 1, 6).Draw(t, name), " ")
	}
	rapid.Check(t, func(t *rapid.T) {
		f := complete("VF-" + rapid.StringMatching(`[A-Za-z0-9][A-Za-z0-9._-]{0,12}`).Draw(t, "id"))
		f.Command, f.RevisitWhen = text(t, "command"), "when "+text(t, "condition")
		f.Strategy = rapid.SampledFrom(profile.Strategies).Draw(t, "strategy")
		f.LastOutcome = rapid.SampledFrom([]string{"failed", "timed_out", "blocked"}).Draw(t, "outcome")
		f.TimeoutMS = rapid.SampledFrom([]string{"1", "180000", "999999999999999999", "none", "unknown"}).Draw(t, "timeout")
		f.Source = rapid.SampledFrom([]string{"issue:#42", "https://x.org/a_b?c=d&e=f*g", "docs/my_file_name.md#a_b_", "T-9"}).Draw(t, "source")
		out, diagnostics, err := profile.Record(section(fact("VF-0-other", "Command", "`other`")), f, nil)
		require.NoError(t, err)
		require.Empty(t, diagnostics)
		p, left := profile.Read(out.Text)
		require.Empty(t, left)
		back, ok := p.Fact(f.ID)
		require.True(t, ok)
		written, err := f.Markdown()
		require.NoError(t, err)
		require.Contains(t, out.Text, written)
		again, err := back.Markdown()
		require.NoError(t, err)
		require.Equal(t, written, again)
		require.Equal(t, f.Report(), back.Report())
		require.Equal(t, []string{f.Source, f.RevisitWhen, f.Decision}, []string{back.Source, back.RevisitWhen, back.Decision})
	})
}
