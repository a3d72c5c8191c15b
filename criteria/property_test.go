package criteria_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/evidence-gate/evidence-gate/criteria"
	"github.com/evidence-gate/evidence-gate/prbody"
	"github.com/evidence-gate/evidence-gate/report"
)

// fields are what a criterion says.
func fields(c criteria.Criterion) []any { return []any{c.ID, c.Kind, c.Text, c.From, c.Broken} }

// again requires that a criterion, written, reads back as the same one.
func again(t require.TestingT, c criteria.Criterion) {
	written := c.Markdown()
	list, diagnostics := criteria.Read("## Acceptance Criteria\n\n" + written + "\n")
	require.Empty(t, diagnostics, "%q", written)
	require.Len(t, list.Criteria, 1, "%q", written)
	require.Equal(t, fields(c), fields(list.Criteria[0]), "%q", written)
}

func TestWrittenCriteriaReadBack(t *testing.T) {
	t.Parallel()
	word := rapid.StringMatching("[a-zA-Z0-9*_`<>&#.\\-äé]{1,8}")
	rapid.Check(t, func(t *rapid.T) {
		c := criteria.Criterion{
			ID:   "AC-" + rapid.StringMatching("[1-9][0-9]{0,5}").Draw(t, "number"),
			Kind: rapid.SampledFrom(criteria.Kinds).Draw(t, "kind"),
			Text: "x" + strings.Join(rapid.SliceOfN(word, 1, 6).Draw(t, "words"), " "),
			From: rapid.SliceOfN(rapid.StringMatching(`docs/[a-z_]{1,6}(\([1-9]\))?\.md#br-[1-9]`), 1, 3).Draw(t, "from"),
		}
		again(t, c)
	})
}

// A criterion of any text that is read reads back the same.
func TestReadCriteriaReadBack(t *testing.T) {
	t.Parallel()
	for _, line := range []string{
		"- [AC-1] (kind: unit) `npm test` prints **ok** and `(kind: e2e)` \\[AC-2]", "- [AC-1] a (kind: e2e) b [from: a(b; c] c", "- [AC-1] (kind: unit) a_b *c* <b>d</b> &amp; &lt;e>",
		"- [AC-1] (from: `a)b`; kind: manual) x ](y)", "- [AC-1] (kind: unit) (other: x) [z] it is ~~not~~ so", "- [AC-1] (kind: unit) `` a ` b `` ends in \\\\",
	} {
		list, diagnostics := criteria.Read("## Acceptance Criteria\n\n" + line + "\n")
		require.Empty(t, diagnostics, line)
		require.Len(t, list.Criteria, 1, line)
		again(t, list.Criteria[0])
	}
}

const several = "## Acceptance Criteria\n\n- [AC-1] (kind: unit) the cache is `emptied`\n- [AC-2] (kind: regression) an expired token is refused\n- [AC-3] (kind: manual) the page looks right\n"

// The entries that are ready to fill never pass as they are, and pass once they are filled.
func TestEntriesReadyToFill(t *testing.T) {
	t.Parallel()
	list, _ := criteria.Read(several)
	section := strings.TrimSpace(list.Entries(""))
	require.Equal(t, 3, strings.Count(section, "- Criterion: [AC-"))
	for _, signed := range []bool{false, true} {
		got := judge(t, several, section, func(f *criteria.Facts) { f.SignedOff = signed })
		require.Equal(t, []report.Criterion{{ID: "AC-1"}, {ID: "AC-2"}, {ID: "AC-3"}}, got.Criteria)
		require.Equal(t, []report.Code{report.CodeCriterionUnsatisfied, report.CodeCriterionUnsatisfied, report.CodeCriterionUnsatisfied}, codes(got.Diagnostics))
		require.Empty(t, got.SignOff)
	}
	var filled []string
	for _, l := range strings.Split(section, "\n") {
		if strings.HasPrefix(l, "  Evidence: REPLACE") {
			l = "  Evidence: check:RC-1; before the change it failed, after it it passed"
		}
		filled = append(filled, l)
	}
	got := judge(t, several, strings.Join(filled, "\n"), nil)
	require.Equal(t, []report.Criterion{{ID: "AC-1", Satisfied: true}, {ID: "AC-2", Satisfied: true}, {ID: "AC-3", Satisfied: true}}, got.Criteria, "%+v", got.Diagnostics)

	require.Equal(t, "\n"+list.Criteria[1].Entry()+"\n", list.Entries("## Evidence\n- Criterion: [AC-1]\n- Criterion: [AC-3]\n"), "only what is missing")
	broken, _ := criteria.Read(several + "- [AC-4] no kind\n")
	require.Equal(t, list.Entries(""), broken.Entries(""), "a malformed criterion is corrected first")
}

// Entries of criteria are foreign items to the reader of the section, and disturb nothing (M7).
func TestEntriesDoNotDisturbTheSection(t *testing.T) {
	t.Parallel()
	list, _ := criteria.Read(several)
	plain := "## Evidence\nCurrent PR head: " + head + "\n\n- Required check: [RC-1] `npm test`\n  Verdict: passed\n  Evidence: 128 passing (exit 0)\n"
	want, err := prbody.Read(plain)
	require.NoError(t, err)
	got, err := prbody.Read(plain + list.Entries("") + "- Criterion: [AC-1]\n  Evidence: check:RC-1\n")
	require.NoError(t, err)
	require.Empty(t, got.Diagnostics)
	require.Len(t, got.Entries, 1)
	require.Equal(t, []any{want.Entries[0].Identity(), want.Entries[0].Verdict, want.Entries[0].Evidence, want.Entries[0].Broken},
		[]any{got.Entries[0].Identity(), got.Entries[0].Verdict, got.Entries[0].Evidence, got.Entries[0].Broken})
	require.Equal(t, want.Markers, got.Markers)
}

// Hidden text proves nothing (section 19).
func TestHiddenEntriesProveNothing(t *testing.T) {
	t.Parallel()
	proof := entry("check:RC-1")
	hide := map[string]func(string) string{
		"comment": func(s string) string { return "<!--\n" + s + "\n-->" },
		"fence":   func(s string) string { return "~~~\n" + s + "\n~~~" },
		"quote":   func(s string) string { return "> " + strings.ReplaceAll(s, "\n", "\n> ") },
		"code":    func(s string) string { return "    " + strings.ReplaceAll(s, "\n", "\n    ") },
		"script":  func(s string) string { return "<script>\n" + s + "\n</script>" },
		"another": func(s string) string { return "## Notes\n\n" + s },
		"nested":  func(s string) string { return "- x\n\n  " + strings.ReplaceAll(s, "\n", "\n  ") },
	}
	for name, by := range hide {
		got := judge(t, task(unit), "Text.\n\n"+by(proof), nil)
		require.False(t, got.Criteria[0].Satisfied, name)
	}
	require.True(t, judge(t, task(unit), "Text.\n\n"+proof, nil).Criteria[0].Satisfied)
}
