package criteria_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/evidence-gate/evidence-gate/criteria"
	"github.com/evidence-gate/evidence-gate/report"
)

// task is a task with these lines in its section.
func task(lines ...string) string {
	return "The cache grows.\n\n## Acceptance Criteria\n\n" + strings.Join(lines, "\n") + "\n\n## Required Checks\n\n- [RC-1] `npm test`\n"
}

func codes(ds []report.Diagnostic) []report.Code {
	out := []report.Code{}
	for _, d := range ds {
		out = append(out, d.Code)
	}
	return out
}

func TestReadsTheForm(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		line string
		want criteria.Criterion
	}{
		"the form of the design": {
			"- [AC-1] (kind: unit) the cache is emptied", criteria.Criterion{ID: "AC-1", Kind: criteria.Unit, Text: "the cache is emptied"}},
		"its source": {
			"- [AC-1] (kind: business-rule) refunds need a receipt (from: docs/rules.md#br-3)",
			criteria.Criterion{ID: "AC-1", Kind: criteria.BusinessRule, Text: "refunds need a receipt", From: []string{"docs/rules.md#br-3"}}},
		"several sources": {
			"- [AC-1] (kind: unit) x holds (from: docs/rules.md#br-3, docs/rules.md#br-4)",
			criteria.Criterion{ID: "AC-1", Kind: criteria.Unit, Text: "x holds", From: []string{"docs/rules.md#br-3", "docs/rules.md#br-4"}}},
		"one group for both, in square brackets": {
			"- [AC-1] x holds [kind: e2e; from: BR-3]", criteria.Criterion{ID: "AC-1", Kind: criteria.E2E, Text: "x holds", From: []string{"BR-3"}}},
		"case, spaces and a task box": {
			"- [x] [ac-12]   (Kind:  Business Rule)  x   holds", criteria.Criterion{ID: "AC-12", Kind: criteria.BusinessRule, Text: "x holds"}},
		"emphasis and a full-width colon": {
			"* **[AC-1]** (kind：security) x *holds*", criteria.Criterion{ID: "AC-1", Kind: criteria.Security, Text: "x holds"}},
		"a numbered list, over two lines": {
			"1. [AC-1] (kind: manual) the page\n   looks right", criteria.Criterion{ID: "AC-1", Kind: criteria.Manual, Text: "the page looks right"}},
		"an annotation in code is text": {
			"- [AC-1] (kind: unit) it prints `(kind: e2e)`", criteria.Criterion{ID: "AC-1", Kind: criteria.Unit, Text: "it prints (kind: e2e)"}},
		"other brackets are text": {
			"- [AC-1] (kind: integration) it answers (within 2 s) [always]", criteria.Criterion{ID: "AC-1", Kind: criteria.Integration, Text: "it answers (within 2 s) [always]"}},
		"the same kind twice": {
			"- [AC-1] (kind: unit) x holds (kind: Unit)", criteria.Criterion{ID: "AC-1", Kind: criteria.Unit, Text: "x holds"}},
		"an id that a definition makes a link": {
			"- [AC-1] (kind: unit) x holds\n\n[AC-1]: https://example.com", criteria.Criterion{ID: "AC-1", Kind: criteria.Unit, Text: "x holds"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			list, diagnostics := criteria.Read(task(c.line))
			if name != "an id that a definition makes a link" {
				require.Empty(t, diagnostics)
			}
			require.Len(t, list.Criteria, 1)
			got := list.Criteria[0]
			require.Equal(t, []any{c.want.ID, c.want.Kind, c.want.Text, c.want.From}, []any{got.ID, got.Kind, got.Text, got.From})
			require.Equal(t, criteria.IssueDocument, got.Where.Document)
			require.Equal(t, 5, got.Where.Line)
		})
	}
}

func TestRefusesWhatIsMalformed(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		lines   string
		line    int
		message string
		help    string
	}{
		"no kind": {"- [AC-1] the cache is emptied", 5, "AC-1 does not say its kind", "- [AC-1] (kind: unit) the cache is emptied"},
		"an unknown kind": {"- [AC-1] (kind: integartion) x holds", 5, `"integartion" in AC-1 is no kind; it is one of unit, integration`,
			"- [AC-1] (kind: integration) x holds"},
		"two kinds":        {"- [AC-1] (kind: unit) x holds (kind: e2e)", 5, "AC-1 gives its kind twice", "- [AC-1] (kind: unit) x holds"},
		"a kind misspelt":  {"- [AC-1] (kinds: unit) x holds", 5, `"kinds" in AC-1 is no annotation; did you mean "kind"?`, "- [AC-1] (kind: unit) x holds"},
		"an empty kind":    {"- [AC-1] (kind: ) x holds", 5, `"kind" in AC-1 has no value`, "- [AC-1] (kind: unit) x holds"},
		"an empty source":  {"- [AC-1] (kind: e2e; from:) x holds", 5, `"from" in AC-1 has no value`, "- [AC-1] (kind: e2e) x holds"},
		"an open bracket":  {"- [AC-1] (kind: unit x holds", 5, `the bracket of "(kind: unit x holds" in AC-1 is not closed`, "- [AC-1] (kind: unit) (kind: unit x holds"},
		"no text":          {"- [AC-1] (kind: unit)", 5, "AC-1 does not say what must hold", "- [AC-1] (kind: unit) what must hold"},
		"a placeholder":    {"- [AC-1] (kind: unit) TBD", 5, "AC-1 does not say what must hold", "- [AC-1] (kind: unit) what must hold"},
		"nearly an id":     {"- [AC2] (kind: unit) x holds", 5, "[AC2] is no id", "- [AC-2] (kind: unit) x holds"},
		"no number":        {"- [AC-] (kind: unit) x holds", 5, "[AC-] is no id", "- [AC-1] (kind: unit) x holds"},
		"no id but a kind": {"- (kind: unit) x holds", 5, `the criterion "x holds" has no id`, "- [AC-1] (kind: unit) x holds"},
		"no id among others": {"- [AC-7] (kind: unit) x holds\n- y holds", 6, `the criterion "y holds" has no id`,
			"- [AC-8] (kind: unit) y holds"},
		"doubled": {"- [AC-1] (kind: unit) x holds\n- [AC-2] (kind: unit) y holds\n- [AC-1] (kind: e2e) z holds", 7, "AC-1 is used twice, in lines 5 and 7",
			"- [AC-3] (kind: e2e) z holds"},
		"nested":         {"- [AC-1] (kind: unit) x holds\n  - [AC-2] (kind: unit) y holds", 6, "AC-2 stands outside the top-level list", "- [AC-2] (kind: unit) y holds"},
		"a paragraph":    {"[AC-1] (kind: unit) x holds", 5, "AC-1 stands outside the top-level list", "- [AC-1] (kind: unit) x holds"},
		"a heading":      {"### [AC-1] x holds", 5, "AC-1 stands outside the top-level list", "- [AC-1] (kind: unit) x holds"},
		"in other words": {"- [AC-1] (kind: unit) x holds\n\nAs [AC-2] says, y holds.", 7, "AC-2 stands outside the top-level list", "- [AC-2] (kind: unit) what must hold"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			list, diagnostics := criteria.Read(task(c.lines))
			require.Equal(t, []report.Code{report.CodeCriterionInvalid}, codes(diagnostics), "%+v", diagnostics)
			d := diagnostics[0]
			require.Equal(t, report.Error, d.Severity)
			require.Equal(t, report.Maintainer, d.Owner)
			require.Equal(t, c.line, d.Where.Line)
			require.Contains(t, d.Message, c.message)
			require.Contains(t, d.Help, c.help)
			for _, l := range list.Criteria {
				if l.Where.Line == c.line {
					require.True(t, l.Broken)
				}
			}
		})
	}
}

func TestTableHoldsNoCriteria(t *testing.T) {
	t.Parallel()
	list, diagnostics := criteria.Read(task("| id | text |\n| - | - |\n| [AC-1] | x holds |"))
	require.True(t, list.Empty())
	require.Equal(t, []report.Code{report.CodeCriterionInvalid}, codes(diagnostics))
	require.Contains(t, diagnostics[0].Message, "AC-1 stands outside the top-level list")
	require.Contains(t, diagnostics[0].Help, "- [AC-1] (kind: unit) what must hold")
	require.Contains(t, []int{5, 6, 7}, diagnostics[0].Where.Line)
}

func TestDoubledCriteriaAreBothBroken(t *testing.T) {
	t.Parallel()
	list, _ := criteria.Read(task("- [AC-1] (kind: unit) x holds", "- [AC-1] (kind: unit) x holds", "- [AC-2] (kind: unit) y holds"))
	require.Len(t, list.Criteria, 3)
	require.True(t, list.Criteria[0].Broken)
	require.True(t, list.Criteria[1].Broken)
	require.False(t, list.Criteria[2].Broken)
}

func TestManyFaultsAreCounted(t *testing.T) {
	t.Parallel()
	list, diagnostics := criteria.Read(task(strings.Repeat("- [AC-1] x holds\n", 1000)))
	require.Len(t, list.Criteria, 1000)
	for _, c := range list.Criteria {
		require.True(t, c.Broken)
	}
	require.Len(t, diagnostics, 201)
	require.Contains(t, diagnostics[200].Message, "1799 more criteria are malformed", "a thousand without a kind, and all but the first doubled")
}

// Plain sentences under the heading are no criteria: most tasks that have it use no ids.
func TestPlainSentencesAreNoCriteria(t *testing.T) {
	t.Parallel()
	for name, text := range map[string]string{
		"sentences":         task("- The cache is emptied.", "- It is fast (from: the start)."),
		"prose":             task("The cache is emptied."),
		"no response":       task("_No response_"),
		"placeholders":      task("- TBD", "- None"),
		"two such sections": task("- The cache is emptied.") + "\n## Acceptance Criteria\n\n- It is fast.\n",
		"no section":        "## Required Checks\n\n- [RC-1] `npm test`\n",
		"an empty task":     "",
		"elsewhere":         "[AC-1] (kind: unit) x\n\n## Acceptance Criteria\n\n- The cache is emptied.\n",
		"a fenced section":  "```\n## Acceptance Criteria\n\n- [AC-1] (kind: unit) x\n```\n",
	} {
		list, diagnostics := criteria.Read(text)
		require.Empty(t, diagnostics, name)
		require.True(t, list.Empty(), name)
		require.Nil(t, list.Canonical(), name)
	}
}

func TestHiddenCriteriaAreNamed(t *testing.T) {
	t.Parallel()
	live := "- [AC-1] (kind: unit) x holds\n\n"
	for name, hidden := range map[string]string{
		"a comment":          "<!--\n- [AC-2] (kind: unit) y holds\n-->",
		"a fence":            "```\n- [AC-2] (kind: unit) y holds\n```",
		"a quote":            "> - [AC-2] (kind: unit) y holds",
		"code":               "Text.\n\n    - [AC-2] (kind: unit) y holds",
		"a comment in a row": "- <!-- [AC-2] (kind: unit) y holds -->",
	} {
		list, diagnostics := criteria.Read(task(live + hidden))
		require.Equal(t, []report.Code{report.CodeContractHiddenCheck}, codes(diagnostics), name)
		require.Equal(t, report.Warning, diagnostics[0].Severity, name)
		require.Contains(t, diagnostics[0].Message, "AC-2", name)
		require.Len(t, list.Criteria, 1, name)
	}
	_, diagnostics := criteria.Read(task(live + "<!-- [AC-1] was agreed on Monday -->\n\nWhat [AC-1] means: x."))
	require.Empty(t, diagnostics, "a text may speak of a criterion that the list has")
}

func TestInvisibleCharactersBreakACriterion(t *testing.T) {
	t.Parallel()
	for name, line := range map[string]string{
		"in the id":   "- [AC\u200b-1] (kind: unit) x holds",
		"in the kind": "- [AC-1] (kind: un\u200bit) x holds",
		"in the name": "- [AC-1] (ki\u00adnd: unit) x holds",
		"in the text": "- [AC-1] (kind: unit) x \u202eholds",
	} {
		list, diagnostics := criteria.Read(task(line))
		require.Contains(t, codes(diagnostics), report.CodeTextInvisibleCharacter, name)
		require.Equal(t, report.Maintainer, diagnostics[0].Owner, name)
		require.Len(t, list.Criteria, 1, name)
		require.True(t, list.Criteria[0].Broken, name)
		require.Equal(t, "AC-1", list.Criteria[0].ID, name)
	}
}

func TestSectionAsAnyOther(t *testing.T) {
	t.Parallel()
	item := "\n\n- [AC-1] (kind: unit) x holds\n"
	list, diagnostics := criteria.Read("### ✅ Acceptance criteria:" + item)
	require.Equal(t, []report.Code{report.CodeSectionLevel}, codes(diagnostics))
	require.Len(t, list.Criteria, 1)

	list, diagnostics = criteria.Read("## Acceptance Criteria" + item + "\n## Acceptance Criteria" + item)
	require.Equal(t, []report.Code{report.CodeSectionDuplicate}, codes(diagnostics))
	require.Equal(t, report.Maintainer, diagnostics[0].Owner)
	require.Contains(t, diagnostics[0].Message, "in lines 1 and 5")
	require.True(t, list.Empty())

	list, diagnostics = criteria.Read("## Acceptance Criteria\n\n### Must" + item + "\n### May\n\n- [AC-2] (kind: e2e) y holds\n")
	require.Empty(t, diagnostics)
	require.Len(t, list.Criteria, 2)

	list, diagnostics = criteria.Read("## Acceptance Criteria\r\n\r\n- [AC-1] (kind: unit) x holds\r\n")
	require.Empty(t, diagnostics)
	require.Len(t, list.Criteria, 1)
}

func TestRefusedDocuments(t *testing.T) {
	t.Parallel()
	_, diagnostics := criteria.Read("## Acceptance Criteria\n\n- [AC-1] (kind: unit) " + strings.Repeat("x", 1<<20))
	require.Equal(t, []report.Code{report.CodeDocumentTooLarge}, codes(diagnostics))
	_, diagnostics = criteria.Read("## Acceptance Criteria\n\n" + strings.Repeat("> ", 30000) + "x")
	require.Equal(t, []report.Code{report.CodeDocumentTooComplex}, codes(diagnostics))
	require.Equal(t, report.Maintainer, diagnostics[0].Owner)
}

// The digest lists criteria in order with their fields, and not the prose around them (C7).
func TestCanonical(t *testing.T) {
	t.Parallel()
	read := func(lines ...string) string {
		list, _ := criteria.Read(task(lines...))
		return string(list.Canonical())
	}
	first, second := "- [AC-1] (kind: unit) x <b>holds</b> (from: docs/rules.md#br-3)", "- [AC-2] (kind: e2e) y holds"
	want := `[{"id":"AC-1","kind":"unit","text":"x holds","from":["docs/rules.md#br-3"]},{"id":"AC-2","kind":"e2e","text":"y holds"}]`
	require.Equal(t, want, read(first, second))
	require.Equal(t, want, read("Prose.\n", "* [x] [ac-1] x  holds [from: docs/rules.md#br-3; kind: unit]", "* **[AC-2]** (kind: e2e) y holds", "\nMore prose."))
	for _, other := range [][]string{
		{second, first}, {first}, {first, "- [AC-2] (kind: unit) y holds"}, {first, "- [AC-2] (kind: e2e) y holds now"},
		{"- [AC-1] (kind: unit) x holds", second}, {first, "- [AC-3] (kind: e2e) y holds"},
	} {
		require.NotEqual(t, want, read(other...))
	}
}
