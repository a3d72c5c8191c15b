package checks_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/evidence-gate/evidence-gate/checks"
	"github.com/evidence-gate/evidence-gate/internal/markdown"
	"github.com/evidence-gate/evidence-gate/report"
	"github.com/evidence-gate/evidence-gate/snapshot"
)

// fill turns a scaffold into finished evidence.
func fill(section string, exit string) string {
	return strings.NewReplacer(
		"Verdict: not run", "Verdict: passed",
		"Evidence: REPLACE: what the final run showed", "Evidence: 128 passing, 0 failing ("+exit+")",
		"Result: REPLACE: what you did and what you saw", "Result: chose Dark, reloaded, and the menu stayed dark",
	).Replace(section)
}

// boundaries are the offsets between the blocks of a body, where text of its own can stand.
func boundaries(body string) []int {
	d, err := markdown.Parse(body)
	if err != nil || d.Text() != body {
		return nil
	}
	offsets := []int{0, len(body)}
	lines := strings.SplitAfter(body, "\n")
	for _, b := range d.Blocks()[min(1, len(d.Blocks())):] {
		if b.Kind() == markdown.Definition {
			continue
		}
		offset := 0
		for _, l := range lines[:b.Position().Line-1] {
			offset += len(l)
		}
		offsets = append(offsets, offset)
	}
	return offsets
}

// hidden are the ways to write text that GitHub does not show as text (M4).
var hidden = map[string]func(text string) string{
	"comment": func(text string) string { return "<!--\n" + strings.ReplaceAll(text, "-->", "") + "\n-->" },
	"fence":   func(text string) string { return "~~~~~~~~\n" + text + "\n~~~~~~~~" },
	"quote":   func(text string) string { return "> " + strings.ReplaceAll(text, "\n", "\n> ") },
	"code":    func(text string) string { return "    " + strings.ReplaceAll(text, "\n", "\n    ") },
	"script":  func(text string) string { return "<script>\n" + strings.ReplaceAll(text, "</", "") + "\n</script>" },
}

// Adding hidden text never turns a verdict from failure to success (section 19).
func TestHiddenTextProvesNothing(t *testing.T) {
	t.Parallel()
	var open []conformanceCase
	for _, c := range readCases(t) {
		if body := c.Snapshot.PullRequest.Body; body != nil && len(boundaries(*body)) > 0 && checks.Evaluate(c.Snapshot, c.Stage).Conclusion != report.Success {
			open = append(open, c)
		}
	}
	require.NotEmpty(t, open)
	rapid.Check(t, func(t *rapid.T) {
		c := rapid.SampledFrom(open).Draw(t, "case")
		s := c.Snapshot
		proofs := proof
		if s.Issue != nil && s.Issue.Body != nil {
			if section, _ := checks.Scaffold(*s.Issue.Body, s.PullRequest.HeadSHA); section != "" {
				proofs = fill(section, "exit 0")
			}
		}
		kind := rapid.SampledFrom([]string{"comment", "fence", "quote", "code", "script"}).Draw(t, "kind")
		at := rapid.SampledFrom(boundaries(*s.PullRequest.Body)).Draw(t, "offset")
		body := (*s.PullRequest.Body)[:at] + "\n\n" + hidden[kind](proofs) + "\n\n" + (*s.PullRequest.Body)[at:]
		s.PullRequest.Body = &body
		got := checks.Evaluate(s, c.Stage)
		require.NotEqual(t, report.Success, got.Conclusion, "%s: %s\n%s", c.ID, c.About, body)
	})
}

// word draws a piece of a check's text that Markdown could take for markup.
func word() *rapid.Generator[string] {
	return rapid.SampledFrom([]string{
		"npm", "test", "page", "keeps", "the", "theme", "a_b", "_x_", "__init__", "*x*", "**b**", "x*y", "\\*", "\\_", "~~old~~", "~", "|", "a|b", "(note)", "[x]", "[a](http://x.org)", "<b>b</b>", "&amp;", "&lt;T&gt;", "<T>", "a < b", "&",
		"#12", "@team", "x:y", "note:", "https://x.org/a_b?c=d", "\U0001F3A8", ":tada:", "ü", "\u3000", "1.", "+", "=", "\"q\"", "it's", "\\\\", "C:\\dir", "$HOME", "100%", "{a,b}", "!", "![i](u)", "^", "- x", "> y", "RC-1", "[RC-x]", "()", "]", "kind",
	})
}

// command draws a code span.
func command() *rapid.Generator[string] {
	return rapid.SampledFrom([]string{
		"`npm test`", "`php8.3 vendor/bin/phpunit`", "`go test ./... -run 'Test A'`", "`a | b`", "`a && b > c`", "`echo \"x\"`", "`` echo `date` ``", "``` a``b ```", "`a_b *c* <d>`", "`[x]`", "`[source: x]`", "`(kind: manual)`",
		"`x \\\\ y`", "`  two  spaces  `", "`&amp;`", "`-`", "`RC-1`", "`a;b`", "`command: x`", "`é`",
	})
}

// contract draws a task's text whose contract has no error.
func contract(t *rapid.T) (issue, exit string) {
	exit = "exit 0"
	var out strings.Builder
	out.WriteString("## Required Checks\n\n")
	for i := range rapid.IntRange(1, 4).Draw(t, "checks") {
		text := strings.Join(rapid.SliceOfN(word(), 0, 5).Draw(t, "words"), " ")
		line := fmt.Sprintf("check %d %s", i, text)
		annotations := ""
		switch kind := rapid.SampledFrom([]string{"command", "prefixed command", "plain", "manual", "manual prefix", "contract_proof"}).Draw(t, "kind"); kind {
		case "command":
			line += " " + command().Draw(t, "command")
			annotations = rapid.SampledFrom([]string{"", "(source: pr_body, status_check)", "[sources: status_check | pr_body; app: ci]", "(kind: Command)"}).Draw(t, "sources")
		case "prefixed command":
			line = "command: " + line + " " + command().Draw(t, "command")
		case "plain":
		case "manual":
			annotations = "(kind: manual)"
		case "manual prefix":
			line = "manual: " + line
		default:
			annotations = "[proof kind: Contract Proof; source: automated_observation]"
		}
		if strings.Contains(annotations, "manual") || strings.Contains(annotations, "Contract") || strings.HasPrefix(line, "manual:") {
			line += rapid.SampledFrom([]string{"", " `extra`", " " + "`a` and `b`"}).Draw(t, "code")
			annotations += rapid.SampledFrom([]string{"", " [observations: theme-survives, tab@unit]", " (observation: one @ helper)"}).Draw(t, "observations")
		}
		id := ""
		if rapid.Bool().Draw(t, "id") {
			id = fmt.Sprintf("[RC-%d] ", i+1)
		}
		out.WriteString("- " + id + line + " " + annotations + "\n")
	}
	return out.String(), exit
}

// A scaffold that is filled in is success (section 19).
func TestFilledScaffoldSucceeds(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		issue, exit := contract(t)
		section, diagnostics := checks.Scaffold(issue, head)
		require.NotEmpty(t, section, "%s\n%+v", issue, diagnostics)
		s := pullRequest(section, issue)
		require.NotEqual(t, report.Success, checks.Evaluate(s, report.Merge).Conclusion, "unfilled")
		body := fill(section, exit)
		s = pullRequest(body, issue)
		for _, stage := range []report.Stage{report.Review, report.Merge} {
			got := checks.Evaluate(s, stage)
			require.Equal(t, report.Success, got.Conclusion, "%s\n%s\n%+v", issue, body, got.Diagnostics)
			for _, d := range got.Diagnostics {
				require.NotEqual(t, report.CodeEntryTextDiffers, d.Code, "%s\n%s", issue, body)
			}
		}
	})
}

// The form of line ends and a byte order mark change nothing, positions included (M1).
func TestLineEndsChangeNothing(t *testing.T) {
	t.Parallel()
	for _, c := range readCases(t) {
		want := checks.Evaluate(c.Snapshot, c.Stage)
		for name, written := range map[string]func(string) string{
			"BOM":          func(s string) string { return "\ufeff" + s },
			"CRLF":         func(s string) string { return strings.ReplaceAll(s, "\n", "\r\n") },
			"CR":           func(s string) string { return strings.ReplaceAll(s, "\n", "\r") },
			"BOM and CRLF": func(s string) string { return "\ufeff" + strings.ReplaceAll(s, "\n", "\r\n") },
		} {
			s, ok := rewritten(c.Snapshot, written)
			if !ok {
				continue
			}
			require.Equal(t, want, checks.Evaluate(s, c.Stage), "%s with %s", c.ID, name)
		}
	}
}

// rewritten is a Snapshot whose texts are written otherwise; ok is false when one of them already has
// a form of its own.
func rewritten(s snapshot.Snapshot, written func(string) string) (snapshot.Snapshot, bool) {
	ok := true
	change := func(text *string) *string {
		if text == nil {
			return nil
		}
		if strings.Contains(*text, "\r") || strings.HasPrefix(*text, "\ufeff") || len(*text) > mebibyte/2 {
			ok = false
		}
		out := written(*text)
		return &out
	}
	s.PullRequest.Body = change(s.PullRequest.Body)
	s.PullRequest.Revisions = append([]snapshot.Revision{}, s.PullRequest.Revisions...)
	for i := range s.PullRequest.Revisions {
		s.PullRequest.Revisions[i].Body = change(s.PullRequest.Revisions[i].Body)
	}
	if s.Issue != nil {
		issue := *s.Issue
		issue.Body = change(issue.Body)
		s.Issue = &issue
	}
	return s, ok
}
