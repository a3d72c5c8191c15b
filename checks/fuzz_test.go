package checks

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"github.com/evidence-gate/evidence-gate/internal/growth"
	"github.com/evidence-gate/evidence-gate/prbody"
	"github.com/evidence-gate/evidence-gate/report"
)

const (
	fuzzHead = "b7d41e9f02c36a58d1f4e07b9c8a25630fe1d794"
	fuzzTask = "## Required Checks\n\n- [RC-1] `npm test` [source: pr_body, status_check]\n- [RC-2] Settings page (kind: manual) [observations: theme, tab@unit]\n\n"
	fuzzBody = "## Evidence\nCurrent PR head: " + fuzzHead + "\n\n- Required check: [RC-1] `npm test`\n  Verdict: passed\n  Evidence: 128 passing (exit 0)\n" +
		"- Required check: [RC-2] Settings page\n  Kind: manual\n  Verdict: passed\n  Evidence: see the observation\n  Observation: theme\n  Level: unit\n  Result: it stayed dark\n\n"
)

// documentPair are the body and the task of one case of testdata/cases.
type documentPair struct{ body, issue string }

func documentPairs(f *testing.F) []documentPair {
	f.Helper()
	files, err := filepath.Glob("../testdata/cases/*.json")
	require.NoError(f, err)
	require.NotEmpty(f, files)
	var out []documentPair
	for _, file := range files {
		data, err := os.ReadFile(file)
		require.NoError(f, err)
		var c struct {
			Snapshot struct {
				PullRequest struct{ Body *string } `json:"pull_request"`
				Issue       *struct{ Body *string }
			}
		}
		require.NoError(f, json.Unmarshal(data, &c))
		if s := c.Snapshot; s.PullRequest.Body != nil && s.Issue != nil && s.Issue.Body != nil {
			out = append(out, documentPair{*s.PullRequest.Body, *s.Issue.Body})
		}
	}
	return out
}

// within requires that every diagnostic stands inside its document.
func within(t *testing.T, diagnostics []report.Diagnostic, texts map[string]string) {
	t.Helper()
	for _, d := range diagnostics {
		require.NotEmpty(t, d.Message)
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

// FuzzReadContract reads tasks made of a text, a unit that is repeated and another text.
func FuzzReadContract(f *testing.F) {
	for _, pair := range documentPairs(f) {
		f.Add(pair.issue, "", "")
	}
	for _, unit := range []string{
		"(kind: x)", "(sorce: x)", "(source: pr_body)", "[observations: a]", "a,", "`a` ", "(", "[", "\n- [RC-1] `a`", "\n- a", "\n- ", "\n\ntext", "\n\n### [RC-2]", "\n\n> - [RC-2] `a`", "\n<!-- [RC-2] -->\n",
		"\n\n|[RC-2]|\n|-|\n", "\n\n```\n- `a` [RC-\n```\n", "\n  - [RC-2]", "\n\n## Required Checks\n", "\u200b", "(expected: exit 1)", "(method: person)", "(topology: x)", "(status: a; app: b)", "manual: ", "[RC-", "]",
	} {
		f.Add("## Required Checks\n\n- [RC-1] ", unit, "`x`")
		f.Add(fuzzTask+"\n```\n", unit, "\n```\n")
	}
	meter := growth.NewMeter(func(issue string) { ReadContract(issue) }, fuzzTask)
	f.Fuzz(func(t *testing.T, before, unit, after string) {
		issue := growth.Repeat(before, unit, after, 400)
		contract, diagnostics := ReadContract(issue)
		within(t, diagnostics, map[string]string{IssueDocument: issue})
		for _, c := range contract.Checks {
			require.NotEmpty(t, c.Sources)
			require.Contains(t, kinds, c.Kind)
		}
		again, _ := ReadContract(issue)
		require.Equal(t, contract.Digest(), again.Digest())
		meter.Check(t, before, unit, after)
	})
}

// FuzzEvaluate judges a body against a task, each with a unit that is repeated.
func FuzzEvaluate(f *testing.F) {
	for _, pair := range documentPairs(f) {
		f.Add(pair.body, "", pair.issue, "")
	}
	for _, pair := range []documentPair{
		{"`a` ", "`b` "}, {"`a 'b'` ", "`a b` "}, {"\n  Observation: a\n  Level: unit", "a,"}, {"\n- Required check: [RC-1] `npm test`", ""}, {"\n- Required check: [RC-3] x", "\n- [RC-3] x"},
		{"\n- Required check: x", "\n- y"}, {"x", "x"}, {"\nCurrent PR head: x", ""}, {"\n\n|a|\n|-|\n", ""}, {"\n  Verdict: failed", ""}, {"3 failing ", ""}, {"\n- Required check: npm test", "(kind: manual)"},
	} {
		f.Add(fuzzBody+"- Required check: [RC-1] ", pair.body, fuzzTask+"- [RC-9] ", pair.issue)
		f.Add("## Evidence\n- Required check: [RC-1] `x`\n  Evidence: ", pair.body, "## Required Checks\n- [RC-1] manual: `x` [observations: ", pair.issue)
	}
	judge := func(body, issue string) report.Report {
		return Lint(Files{Body: body, Issue: &issue, Head: fuzzHead, Stage: report.Merge})
	}
	meter := growth.NewMeter(func(body string) { judge(body, fuzzTask) }, fuzzBody)
	f.Fuzz(func(t *testing.T, body, bodyUnit, issue, issueUnit string) {
		b, i := growth.Repeat(body, bodyUnit, "", 400), growth.Repeat(issue, issueUnit, "", 400)
		r := judge(b, i)
		within(t, r.Diagnostics, map[string]string{IssueDocument: i, prbody.Document: b})
		require.Equal(t, report.Conclude(r.Diagnostics), r.Conclusion)
		require.Less(t, utf8.RuneCountInString(r.Title), 256)
		if r.Conclusion == report.Success {
			require.NotEmpty(t, r.Checks, "zero checks never pass (C1)")
			for _, c := range r.Checks {
				require.True(t, c.Satisfied)
			}
		}
		if bodyUnit == "" || issueUnit == "" {
			meter.Check(t, body, bodyUnit, "")
			return
		}
		// Both documents grow together.
		both := growth.NewMeter(func(text string) {
			half := len(text) / 2
			judge(growth.Repeat(body, bodyUnit, "", half), growth.Repeat(issue, issueUnit, "", half))
		}, fuzzBody)
		both.Check(t, "", "x", "")
	})
}

// FuzzScaffold writes sections for tasks: every section has an entry for each check that an entry can
// prove, and none of them passes unfilled (E4).
func FuzzScaffold(f *testing.F) {
	for _, pair := range documentPairs(f) {
		f.Add(pair.issue)
	}
	f.Fuzz(func(t *testing.T, issue string) {
		section, diagnostics := Scaffold(issue, fuzzHead)
		within(t, diagnostics, map[string]string{IssueDocument: issue})
		if section == "" {
			require.True(t, hasError(diagnostics))
			return
		}
		ev, err := prbody.Read(section)
		if err != nil {
			return // as large as the task, with fields for every check
		}
		require.True(t, ev.Found)
		require.Len(t, ev.Markers, 1)
		contract, _ := ReadContract(issue)
		wanted := 0
		for _, c := range contract.Checks {
			if !c.statusOnly() {
				wanted++
			}
		}
		require.Len(t, ev.Entries, wanted, "%s", section)
		if wanted > 0 {
			require.NotEqual(t, report.Success, Lint(Files{Body: section, Issue: &issue, Head: fuzzHead, Stage: report.Merge}).Conclusion)
		}
	})
}

// FuzzSameCommand compares commands: the relation holds both ways and for every text with itself.
func FuzzSameCommand(f *testing.F) {
	for _, pair := range [][2]string{
		{"npm test", "npm  test"}, {"php8.3 x", "/usr/bin/php x"}, {`C:\php\php.exe x`, "php x"}, {"a 'b c'", `a "b c"`}, {"a | b", "a | b"}, {"a $B", "a $B"}, {"a=1 b", "b"}, {"a # b", "a"}, {"((((", "$(("}, {"''", "x"}, {"a\\", "a"}, {"{a,b}", "~/a"},
	} {
		f.Add(pair[0], pair[1], "")
	}
	for _, unit := range []string{"(", "((", "$(", "$((", "`", "'", `"`, `\`, "{", "<(", "a=", "a[", "|", "<<a ", "if ", "case a in ", "do ", "!", "$'", "${a", "~/", "*", "=(", "+=("} {
		f.Add("a ", "b ", unit)
	}
	meter := growth.NewMeter(func(text string) { SameCommand(text[:min(len(text), maxCommand)], "php x") }, "npm run test -- --filter 'a b' ")
	f.Fuzz(func(t *testing.T, a, b, unit string) {
		require.True(t, SameCommand(a, a))
		require.Equal(t, SameCommand(a, b), SameCommand(b, a), "%q and %q", a, b)
		_ = SameCommand(a+unit, b+unit)
		meter.Check(t, a, unit, "")
	})
}
