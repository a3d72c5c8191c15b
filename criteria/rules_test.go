package criteria_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/evidence-gate/evidence-gate/criteria"
	"github.com/evidence-gate/evidence-gate/report"
)

func TestRulesThatNoCriterionCovers(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name      string
		from      string
		file      string
		rules     []string
		uncovered []string
	}{
		{"by its anchor", "docs/rules.md#br-3", "docs/rules.md", []string{"BR-3"}, nil},
		{"by its id", "BR-3", "docs/rules.md", []string{"BR-3"}, nil},
		{"by a path with a dot", "./docs/rules.md#BR-3", "docs/rules.md", []string{"BR-3"}, nil},
		{"by a link", "https://github.com/acme/widgets/blob/main/docs/rules.md#br-3", "docs/rules.md", []string{"BR-3"}, nil},
		{"rules that are listed with their file", "docs/rules.md#br-3", "", []string{"docs/rules.md#br-3"}, nil},
		{"several", "docs/rules.md#br-3, docs/rules.md#br-4", "docs/rules.md", []string{"BR-3", "BR-4"}, nil},
		{"no rules", "docs/rules.md#br-3", "docs/rules.md", nil, nil},
		{"another rule", "docs/rules.md#br-3", "docs/rules.md", []string{"BR-30", "BR-3"}, []string{"BR-30"}},
		{"another file", "docs/other.md#br-3", "docs/rules.md", []string{"BR-3"}, []string{"BR-3"}},
		{"another folder", "old/docs/rules.md#br-3", "docs/rules.md", []string{"BR-3"}, []string{"BR-3"}},
		{"the file alone", "docs/rules.md", "docs/rules.md", []string{"BR-3"}, []string{"BR-3"}},
		{"a rule listed twice", "x", "", []string{"BR-3", "br-3"}, []string{"BR-3"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			got := judge(t, task(unit+" (from: "+c.from+")"), entry("check:RC-1"), func(f *criteria.Facts) { f.Rules, f.RulesFile = c.rules, c.file })
			require.True(t, got.Criteria[0].Satisfied)
			if c.uncovered == nil {
				require.Empty(t, got.Diagnostics)
				return
			}
			require.Equal(t, []report.Code{report.CodeCriterionRuleUncovered}, codes(got.Diagnostics))
			d := got.Diagnostics[0]
			require.Equal(t, report.Note, d.Severity)
			require.Equal(t, c.uncovered, d.Details["rules"])
			require.Contains(t, d.Message, "1 business rule is covered by no criterion of the task: "+c.uncovered[0])
			require.Contains(t, d.Help, "(from: ")
		})
	}
}

func TestManyUncoveredRulesAreOneNote(t *testing.T) {
	t.Parallel()
	var rules []string
	for i := range 1000 {
		rules = append(rules, fmt.Sprintf("BR-%d", i+1))
	}
	got := judge(t, task("- The cache is emptied."), "", func(f *criteria.Facts) { f.Rules = rules })
	require.Len(t, got.Diagnostics, 1)
	require.Contains(t, got.Diagnostics[0].Message, "1000 business rules are covered by no criterion of the task: BR-1, BR-2")
	require.Contains(t, got.Diagnostics[0].Message, "and 980 more")
	require.Len(t, got.Diagnostics[0].Details["rules"], 200)
}

// A criterion that is malformed covers nothing.
func TestBrokenCriteriaCoverNothing(t *testing.T) {
	t.Parallel()
	list, _ := criteria.Read(task("- [AC-1] x (from: BR-3)"))
	got := criteria.Judge(criteria.Facts{Criteria: list, Mode: "optional", Rules: []string{"BR-3"}})
	require.Equal(t, []report.Code{report.CodeCriterionRuleUncovered}, codes(got.Diagnostics))
}
