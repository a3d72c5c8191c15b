package render_test

import (
	"errors"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/evidence-gate/evidence-gate/internal/render"
	"github.com/evidence-gate/evidence-gate/report"
)

func text(t testing.TB, r report.Report, documents map[string]string, o render.Options) string {
	t.Helper()
	var b strings.Builder
	require.NoError(t, render.Text(&b, r, documents, o))
	return b.String()
}

func TestText(t *testing.T) {
	t.Parallel()
	failure, documents := failing()
	formOnly := succeeding()
	formOnly.Stage, formOnly.HeadSHA, formOnly.Notes = report.Review, "", []string{"head_not_judged", "contract_not_judged"}
	for name, r := range map[string]report.Report{"failing": failure, "succeeding": succeeding(), "waiting": waiting(), "form-only": formOnly} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			requireValid(t, r)
			golden(t, "text/"+name+".txt", text(t, r, documents, render.Options{Width: 90}))
		})
	}
	t.Run("coloured", func(t *testing.T) {
		t.Parallel()
		golden(t, "text/coloured.txt", strings.ReplaceAll(text(t, failure, documents, render.Options{Color: true}), "\x1b", "ESC"))
	})
}

func TestTextMarksTheColumn(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("0123456789", 30)
	cases := []struct {
		name, line  string
		column, end int
		wantLine    string
		wantMarker  string
	}{
		{"one character", "Verdict: ok", 10, 0, "Verdict: ok", "         ^"},
		{"up to the end column", "Verdict: ok", 10, 12, "Verdict: ok", "         ^^"},
		{"a tab before it", "\tVerdict: ok", 11, 0, "    Verdict: ok", "             ^"},
		{"a tab inside the line", "ab\tcd", 4, 6, "ab  cd", "    ^^"},
		{"wide characters before it", "結果: ok", 5, 7, "結果: ok", "      ^^"},
		{"a wide character", "ok 結果", 4, 6, "ok 結果", "   ^^^^"},
		{"combining characters before it", "re\u0301sume\u0301: ok", 10, 0, "re\u0301sume\u0301: ok", "       ^"},
		{"a combining character", "re\u0301s", 3, 0, "re\u0301s", " ^"},
		{"an invisible character", "pas\u200bsed", 4, 0, "pas<U+200B>sed", "   ^^^^^^^^"},
		{"a control character", "a\x1b[31mb", 2, 0, "a<U+001B>[31mb", " ^^^^^^^^"},
		{"a direction override", "a\u202eb", 3, 0, "a<U+202E>b", "         ^"},
		{"a byte that is no UTF-8", "a\xffb", 3, 0, "a<0xFF>b", "       ^"},
		{"a variation selector", "✔\ufe0f ok", 4, 0, "✔<U+FE0F> ok", "          ^"},
		{"behind the line", "Verdict:", 9, 0, "Verdict:", "        ^"},
		{"the empty line", "", 1, 0, "", "^"},
		{"far behind the line", "Verdict:", 100, 0, "Verdict:", "        ^"},
		{"a long line, at its start", long, 1, 0, "0123456789012345678901234567890123456789012345678901…", "^"},
		{"a long line, in its middle", long, 151, 153, "…3456789012345678901234567890123456789012345678901234…", "                  ^^"},
		{"a long line, at its end", long, 300, 0, "", ""},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			r := empty(report.Failure, "one")
			r.Diagnostics = []report.Diagnostic{at(report.New(report.CodeVerdictInvalid, "wrong"), "pull_request.body", 2, c.column, c.end)}
			out := strings.Split(text(t, r, map[string]string{"pull_request.body": "first\r\n" + c.line + "\r\nlast"}, render.Options{Width: 60}), "\n")
			require.Equal(t, "error[verdict.invalid] pull_request.body:2:"+itoa(c.column), out[3])
			if c.name == "a long line, at its end" {
				require.True(t, strings.HasSuffix(out[4], "6789"), out[4])
				require.Len(t, out[5], len(strings.Replace(out[4], "…", ".", 1)), "the caret is under the last character")
				return
			}
			require.Equal(t, strings.TrimRight("  2 | "+c.wantLine, " "), strings.TrimRight(out[4], " "))
			require.Equal(t, "    | "+c.wantMarker, out[5])
		})
	}
}

func itoa(n int) string {
	digits := ""
	for ; n > 0; n /= 10 {
		digits = string(rune('0'+n%10)) + digits
	}
	return digits
}

// A line of a megabyte costs no more than its part that is shown.
func TestTextOfAHugeLine(t *testing.T) {
	t.Parallel()
	r := empty(report.Failure, "one")
	r.Diagnostics = []report.Diagnostic{at(report.New(report.CodeVerdictInvalid, "wrong"), "pull_request.body", 1, 500_000, 0)}
	out := text(t, r, map[string]string{"pull_request.body": strings.Repeat("é", 1<<19)}, render.Options{})
	require.Less(t, len(out), 2000)
	require.Contains(t, out, "^")
}

func TestTextWithoutTheDocument(t *testing.T) {
	t.Parallel()
	r := empty(report.Failure, "one")
	r.Diagnostics = []report.Diagnostic{
		at(report.New(report.CodeVerdictInvalid, "wrong"), "comment:5", 2, 1, 0),
		at(report.New(report.CodeVerdictInvalid, "wrong"), "pull_request.body", 99, 1, 0),
		{Code: report.CodeDocumentTooLarge, Severity: report.Error, Owner: report.Engineer, Message: "too large", Where: &report.Where{Document: "issue.body"}},
	}
	out := text(t, r, map[string]string{"pull_request.body": "one line"}, render.Options{})
	require.Contains(t, out, "error[verdict.invalid] comment:5:2:1\n  wrong\n")
	require.Contains(t, out, "error[verdict.invalid] pull_request.body:99:1\n  wrong\n")
	require.Contains(t, out, "error[document.too_large] issue.body\n  too large\n")
}

func TestTextPutsErrorsFirst(t *testing.T) {
	t.Parallel()
	r := empty(report.Failure, "one")
	r.Diagnostics = []report.Diagnostic{
		report.New(report.CodeEpisodeSlower, "a note"),
		report.New(report.CodeSectionLevel, "a warning"),
		report.New(report.CodeHeadMissing, "an error"),
	}
	out := text(t, r, nil, render.Options{})
	require.Less(t, strings.Index(out, "an error"), strings.Index(out, "a warning"))
	require.Less(t, strings.Index(out, "a warning"), strings.Index(out, "a note"))
}

// What an override passes over is not hidden behind "nothing is missing".
func TestTextOfAnOverride(t *testing.T) {
	t.Parallel()
	r := empty(report.Success, "Passed by an override")
	missing := report.New(report.CodeSectionMissing, "no section")
	missing.Severity = report.Note
	r.Diagnostics = []report.Diagnostic{report.New(report.CodeOverrideActive, "chief passed the gate"), missing}
	out := text(t, r, nil, render.Options{})
	require.Contains(t, out, "next: the override lets it merge; what the notes name stays missing\n")
	require.NotContains(t, out, "nothing is missing")
}

func TestTextReportsAClosedPipe(t *testing.T) {
	t.Parallel()
	closed := errors.New("closed")
	require.ErrorIs(t, render.Text(failingWriter{closed}, succeeding(), nil, render.Options{}), closed)
}

type failingWriter struct{ err error }

func (w failingWriter) Write([]byte) (int, error) { return 0, w.err }

// Whatever stands in a document, the terminal gets characters to draw and line breaks of ours.
func TestTextIsHarmless(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		foreign := hostileText().Draw(t, "text")
		r, documents := hostile(foreign)
		var b strings.Builder
		require.NoError(t, render.Text(&b, r, documents, render.Options{Width: rapid.IntRange(0, 120).Draw(t, "width")}))
		require.True(t, utf8.ValidString(b.String()))
		for _, c := range b.String() {
			require.True(t, c == '\n' || unicode.IsPrint(c) || unicode.Is(unicode.Zs, c), "%U", c)
		}
	})
}

// hostileText draws text of pieces that mean something to a terminal, to Markdown or to GitHub.
func hostileText() *rapid.Generator[string] {
	pieces := rapid.SampledFrom([]string{
		"\x1b[31m", "\x1b]8;;http://evil.example\x07", "\u009b31m", "\x00", "\r", "\n", "\n\n", "\t", "\u200b", "\u202e", "\u2028", "\ufeff", "\xff", "\xc3",
		"@octocat", "@acme/owners", "#1", "GH-1", "acme/widgets#2", "https://evil.example", "www.evil.example", "WWW.evil.example", "mail@evil.example", "://", "www",
		"<script>alert(1)</script>", "<img src=x onerror=alert(1)>", "<b>", "</td>", "<!--", "-->", "<https://evil.example>", "&lt;", "&#64;octocat",
		"[a](https://evil.example)", "![a](https://evil.example/a.png)", "[a]: https://evil.example", "[^1]", "`", "``", "```", "~~~", "\\", "\\|", "|", "*", "**", "_", "~~", "$",
		"# h", "- i", "1. i", "1) i", "> q", "---", "===", "- [ ] t", ":tada:", "a", "word", " ", "  ", "é", "結", "👩‍💻",
	})
	return rapid.Custom(func(t *rapid.T) string {
		return strings.Join(rapid.SliceOfN(rapid.OneOf(pieces, pieces, pieces, rapid.StringN(0, 5, -1)), 0, 12).Draw(t, "pieces"), "")
	})
}

// A triage settles a failure; it is not what failed.
func TestTextOfATriagedCheck(t *testing.T) {
	t.Parallel()
	r := empty(report.Success, "1 check is proved")
	id, via, verdict := "RC-1", "triage", "blocked"
	r.Checks = []report.Check{{ID: &id, Text: "npm test", Command: "npm test", Satisfied: true, Via: &via, Verdict: &verdict}}
	require.Contains(t, text(t, r, nil, render.Options{}), "[RC-1] `npm test`: blocked, settled by a maintainer's triage\n")
}
