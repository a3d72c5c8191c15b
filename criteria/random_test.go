package criteria_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/evidence-gate/evidence-gate/criteria"
	"github.com/evidence-gate/evidence-gate/report"
)

// pieces are what random documents are made of.
var pieces = []string{
	"\n- ", "\n", "\n\n", "\n  - ", "  ", " ", "[AC-1]", "[AC-2]", "[ac-1] ", "[AC1]", "[AC-1](x)", "(kind: unit) ", "(kind: regression)", "(kind: manual; from: a#br-3)", "[kind:", "(from: ", ")", "]", "(", "[", "`", "``", "*", "_", "x holds ", "x", ";", ",", ":", "：", "\\", "<b>", "&amp;", "&#91;",
	"\n> ", "\n```\n", "<!--", "-->", "\n|a|\n|-|\n", "\n\n### ", "\n## Acceptance Criteria\n", "\n## Evidence\n", "\u200b", "é", "✅ ", "\r\n", "\t",
	"Criterion: ", "Evidence: ", "Verdict: ", "passed", "failed", "check:", "RC-1", "RC-3", "test:", "cache is emptied", " in ", "command:", "npm test", "pr ", "src/cache.js", "manual", "REPLACE", "before it failed, after it passed",
}

func randomText(t *rapid.T, name string) string {
	return strings.Join(rapid.SliceOfN(rapid.SampledFrom(pieces), 0, 30).Draw(t, name), "")
}

// Whatever the documents hold: diagnostics stand inside them, a criterion that is not satisfied has its
// reason, and one that is malformed is never satisfied.
func TestAnyDocuments(t *testing.T) {
	t.Parallel()
	checks, reported := judged()
	rapid.Check(t, func(rt *rapid.T) {
		issue := "## Acceptance Criteria\n\n- [AC-1] (kind: unit) x\n- " + randomText(rt, "issue")
		body := "## Evidence\n\n- Criterion: [AC-1]\n  Evidence: " + randomText(rt, "body")
		list, diagnostics := criteria.Read(issue)
		f := criteria.Facts{Criteria: list, Mode: "required", Body: body, Head: head, Checks: checks, Diagnostics: reported, ChangedPaths: []string{"src/cache.js"}}
		got := criteria.Judge(f)
		within(t, append(slices.Clone(diagnostics), got.Diagnostics...), map[string]string{criteria.IssueDocument: issue, "pull_request.body": body})
		require.Len(rt, got.Criteria, len(list.Criteria))
		refused := slices.ContainsFunc(diagnostics, func(d report.Diagnostic) bool { return d.Severity == report.Error })
		unclear := strings.Contains(body, "\u200b")
		for i, c := range list.Criteria {
			if c.Broken {
				require.True(rt, refused, "%q", issue)
				require.False(rt, got.Criteria[i].Satisfied)
				continue
			}
			again(rt, c)
			said := slices.ContainsFunc(got.Diagnostics, func(d report.Diagnostic) bool {
				return d.Severity == report.Error && d.Check != nil && *d.Check == c.ID
			})
			require.True(rt, got.Criteria[i].Satisfied != said || unclear || slices.Contains(got.SignOff, c.ID), "%s: %+v\n%q\n%q", c.ID, got, issue, body)
		}
	})
}
