package criteria_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"github.com/evidence-gate/evidence-gate/attempts"
	"github.com/evidence-gate/evidence-gate/criteria"
	"github.com/evidence-gate/evidence-gate/internal/growth"
	"github.com/evidence-gate/evidence-gate/report"
)

// within requires that every diagnostic stands inside its document.
func within(t *testing.T, diagnostics []report.Diagnostic, texts map[string]string) {
	t.Helper()
	for _, d := range diagnostics {
		require.NotEmpty(t, d.Message)
		require.True(t, utf8.ValidString(d.Message+d.Help), d.Code)
		_, known := report.Lookup(d.Code)
		require.True(t, known, d.Code)
		if d.Where == nil || d.Where.Line == 0 {
			continue
		}
		text, named := texts[d.Where.Document]
		require.True(t, named, "%s stands in %q", d.Code, d.Where.Document)
		lines := strings.Split(strings.ReplaceAll(strings.ReplaceAll(strings.TrimPrefix(text, "\ufeff"), "\r\n", "\n"), "\r", "\n"), "\n")
		require.LessOrEqual(t, d.Where.Line, len(lines), d.Code)
		require.LessOrEqual(t, d.Where.Column, utf8.RuneCountInString(lines[d.Where.Line-1])+1, "%s: %+v", d.Code, d.Where)
		require.LessOrEqual(t, d.Where.EndLine, len(lines), d.Code)
	}
}

const listed = "## Acceptance Criteria\n\n- [AC-1] (kind: unit) the cache is emptied (from: docs/rules.md#br-3)\n- [AC-2] (kind: regression) an expired token is refused\n"

// FuzzRead reads tasks made of a text, a unit that is repeated and another text.
func FuzzRead(f *testing.F) {
	for _, unit := range []string{
		"(kind: unit)", "(kind: x", "(kind", "(from: a)", "(from: a;", ";", "; a", "(kinds: a)", "(", "[", "[AC-", "[AC-1]", "[AC-1] ", "]", "`a` ", "`(` ", "\u200b", "&amp;", "\\(", "： ",
		"\n- [AC-1] (kind: unit) x", "\n- [AC-1] x", "\n- x", "\n- ", "\n\n[AC-2] x", "\n\n### [AC-2]", "\n\n> - [AC-2] x", "\n<!-- [AC-2] -->\n", "\n\n|[AC-2]|\n|-|\n", "\n\n```\n[AC-2]\n```\n", "\n  - [AC-2]", "\n\n## Acceptance Criteria\n",
	} {
		f.Add(listed+"- [AC-3] ", unit, "x")
		f.Add("## Acceptance Criteria\n\n- [AC-3] (kind: unit", unit, ")")
	}
	meter := growth.NewMeter(func(issue string) { criteria.Read(issue) }, listed)
	f.Fuzz(func(t *testing.T, before, unit, after string) {
		issue := growth.Repeat(before, unit, after, 400)
		list, diagnostics := criteria.Read(issue)
		within(t, diagnostics, map[string]string{criteria.IssueDocument: issue})
		for _, c := range list.Criteria {
			require.True(t, c.Broken || c.ID != "" && c.Kind != "" && c.Text != "", "%+v", c)
			require.Equal(t, criteria.IssueDocument, c.Where.Document)
			if !c.Broken && !strings.ContainsAny(issue, "\x00\uFFFD") {
				again(t, c)
			}
		}
		require.Equal(t, list.Empty(), list.Canonical() == nil)
		meter.Check(t, before, unit, after)
	})
}

// FuzzJudge judges a body against a list, each with a unit that is repeated.
func FuzzJudge(f *testing.F) {
	body := "## Evidence\nCurrent PR head: " + head + "\n\n- Criterion: [AC-1]\n  Evidence: check:RC-1\n- Criterion: [AC-2]\n  Evidence: "
	for _, unit := range []string{
		"check:RC-1", "check:", "test:`cache is emptied`", "test:cache is filled", "test:a in RC-1", " in RC-1", "command:npm test", "command:", "pr src/cache.js ", "pr ", "manual ", "before it failed, after it passed; ", "failed ", "exit 1 ", "then ", "-> ",
		"\n  Evidence: check:RC-1", "\n  Evidence: test:cache is filled", "\n  Evidence: command:go vet", "\n  - check:RC-1", "\n  Verdict: passed", "\n- Criterion: [AC-1]", "\n- Criterion: [AC-2]\n  Evidence: check:RC-1", "\n- Criterion: x", "\n  ```\n  x\n  ```", "\n  > x", "`a` ", "\u200b", "\n\n  x",
	} {
		f.Add(body, unit, listed, "")
		f.Add(body+"check:RC-1\n  Evidence: ", unit, "## Acceptance Criteria\n", "\n- [AC-1] (kind: regression) x")
	}
	checks, reported := judged()
	facts := func(body, issue string) criteria.Facts {
		list, _ := criteria.Read(issue)
		return criteria.Facts{
			Criteria: list, Mode: "required", Body: body, Head: head, Checks: checks, Diagnostics: reported, ChangedPaths: []string{"src/cache.js"},
			Attempts:    func(string) (attempts.Standing, bool) { return attempts.Standing{}, false },
			SameCommand: func(a, b string) bool { return strings.EqualFold(a, b) },
			Rules:       []string{"BR-3", "BR-4"}, RulesFile: "docs/rules.md",
		}
	}
	meter := growth.NewMeter(func(body string) { criteria.Judge(facts(body, listed)) }, body+"check:RC-1\n")
	f.Fuzz(func(t *testing.T, body, bodyUnit, issue, issueUnit string) {
		b, i := growth.Repeat(body, bodyUnit, "", 400), growth.Repeat(issue, issueUnit, "", 400)
		given := facts(b, i)
		got := criteria.Judge(given)
		within(t, got.Diagnostics, map[string]string{criteria.IssueDocument: i, "pull_request.body": b})
		require.Len(t, got.Criteria, len(given.Criteria.Criteria))
		said := map[string]bool{}
		for _, d := range got.Diagnostics {
			if d.Check != nil && d.Severity == report.Error {
				said[*d.Check] = true
			}
		}
		waits := strings.Contains(b, "RC-4") || strings.Contains(b, "e2e") || strings.ContainsFunc(b, func(r rune) bool { return r > 0x7e })
		for k, c := range got.Criteria {
			if broken := given.Criteria.Criteria[k].Broken; broken {
				require.False(t, c.Satisfied)
			} else if !c.Satisfied && !waits {
				require.True(t, said[c.ID] || contains(got.SignOff, c.ID), "nothing says why %s is not satisfied", c.ID)
			}
		}
		meter.Check(t, body, bodyUnit, "")
		if issueUnit != "" {
			both := growth.NewMeter(func(text string) {
				half := len(text) / 2
				criteria.Judge(facts(growth.Repeat(body, bodyUnit, "", half), growth.Repeat(issue, issueUnit, "", half)))
			}, listed)
			both.Check(t, "", "x", "")
		}
	})
}

func contains(list []string, s string) bool {
	for _, l := range list {
		if l == s {
			return true
		}
	}
	return false
}
