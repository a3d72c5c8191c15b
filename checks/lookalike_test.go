package checks_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/evidence-gate/evidence-gate/bench/corpus"
	"github.com/evidence-gate/evidence-gate/checks"
	"github.com/evidence-gate/evidence-gate/report"
)

// A check without an entry is told which line its author probably meant (E1).
func TestALineThatLooksLikeAnEntryIsNamed(t *testing.T) {
	t.Parallel()
	issue := "## Required Checks\n\n- [RC-1] `npm test`\n"
	for _, row := range []struct{ about, text, why string }{
		{"no colon", "- Required check [RC-1] `npm test`\n  Verdict: passed\n  Evidence: 12 rows\n", "line 4 names it but is no entry: it does not start with `Required check:`"},
		{"another label", "- [x] [RC-1] `npm test`: passed\n", "line 4 names it but is no entry: it does not start with `Required check:`"},
		{"nested", "- Checks\n  - Required check: [RC-1] `npm test`\n    Verdict: passed\n", "line 5 names it but is no entry: it stands inside another list item"},
		{"quoted", "> - Required check: [RC-1] `npm test`\n>   Verdict: passed\n", "line 4 names it but is no entry: it stands in a quote"},
		{"a paragraph", "Required check: [RC-1] `npm test`\n\nVerdict: passed\n", "line 4 names it but is no entry: it is no list item"},
		{"a heading", "### [RC-1] `npm test`\n\n- Verdict: passed\n", "line 4 names it but is no entry: it is no list item"},
	} {
		body := "## Evidence\nCurrent PR head: " + corpus.Head + "\n\n" + row.text
		got := checks.Lint(checks.Files{Body: body, Issue: &issue, Head: corpus.Head, Stage: report.Merge})
		require.Equal(t, report.Failure, got.Conclusion, row.about)
		require.Equal(t, report.CodeCheckUnsatisfied, got.Diagnostics[0].Code, row.about)
		require.Contains(t, got.Diagnostics[0].Message, row.why, row.about)
	}
}
