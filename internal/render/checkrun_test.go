package render_test

import (
	"os/exec"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	east "github.com/yuin/goldmark/extension/ast"
	gtext "github.com/yuin/goldmark/text"
	"pgregory.net/rapid"

	"github.com/evidence-gate/evidence-gate/internal/fulltest"
	"github.com/evidence-gate/evidence-gate/internal/render"
	"github.com/evidence-gate/evidence-gate/report"
)

func checkRun(r report.Report, o render.CheckRunOptions) string {
	title, summary, text := render.CheckRun(r, o)
	return "TITLE\n" + title + "\n\nSUMMARY\n" + summary + "\nTEXT\n" + text
}

func TestCheckRun(t *testing.T) {
	t.Parallel()
	failure, _ := failing()
	reportOnly, _ := failing()
	reportOnly.Mode = "report"
	strange, _ := hostile("@octocat [click](https://evil.example) <img src=x> | `a | b` #1\n# Heading\n\x1b[31m")
	for name, r := range map[string]report.Report{
		"failing": failure, "succeeding": succeeding(), "waiting": waiting(), "report-only": reportOnly, "large": large(), "hostile": strange,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if name != "hostile" {
				requireValid(t, r)
			}
			golden(t, "checkrun/"+name+".md", checkRun(r, render.CheckRunOptions{FullReportURL: "https://gate.example.com/acme/widgets/pull/42"}))
		})
	}
}

func TestCheckRunTitleFitsGitHub(t *testing.T) {
	t.Parallel()
	r := empty(report.Failure, strings.Repeat("é", 255))
	r.Mode = "report"
	title, _, _ := render.CheckRun(r, render.CheckRunOptions{})
	require.Len(t, []rune(title), 250)
	require.True(t, strings.HasSuffix(title, "…"))
}

// However much there is to say, the first screen stays one and the text stays under what GitHub takes.
func TestCheckRunStaysReadable(t *testing.T) {
	t.Parallel()
	_, summary, text := render.CheckRun(large(), render.CheckRunOptions{})
	require.Less(t, len(summary), 12_000)
	require.Less(t, len(text), 65_535)
	require.Contains(t, summary, "… and 390 errors more, see below")
	require.Contains(t, summary, "… and 460 checks more, 100 of them satisfied.")
	require.Contains(t, text, "And 340 findings more")
	require.Contains(t, text, "`check.unsatisfied`: 340")
}

func TestCheckRunLinksOnlyToWebPages(t *testing.T) {
	t.Parallel()
	for _, address := range []string{"", "javascript:alert(1)", "/relative", "//host/path", "data:text/html,a", "https://", "ftp://host/a"} {
		_, summary, _ := render.CheckRun(succeeding(), render.CheckRunOptions{FullReportURL: address})
		require.NotContains(t, summary, "](", address)
	}
}

// Whatever stands in a Report, the Markdown holds no mention, reference, HTML, image or link of it,
// and its tables keep their shape.
func TestCheckRunIsHarmless(t *testing.T) {
	t.Parallel()
	markdown := goldmark.New(goldmark.WithExtensions(extension.GFM, extension.Footnote))
	rapid.Check(t, func(t *rapid.T) {
		r, _ := hostile(hostileText().Draw(t, "text"))
		r.Checks[0].Link, r.Checks[1].Link = "", ""
		title, summary, text := render.CheckRun(r, render.CheckRunOptions{})
		require.NotContains(t, title, "\n")
		for _, source := range []string{summary, text} {
			requireHarmless(t, markdown, source)
		}
	})
}

// live finds what GitHub turns into mentions, references and links in the text of a page.
var live = regexp.MustCompile(`@[A-Za-z0-9]|#[0-9]|(?i:gh-[0-9])|(?i:https?://)|(?i:\bwww\.)`)

func requireHarmless(t *rapid.T, markdown goldmark.Markdown, source string) {
	data := []byte(source)
	err := ast.Walk(markdown.Parser().Parse(gtext.NewReader(data)), func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			return ast.WalkContinue, nil
		}
		switch n := n.(type) {
		case *ast.CodeSpan, *ast.FencedCodeBlock:
			return ast.WalkSkipChildren, nil
		case *ast.RawHTML:
			var raw []byte
			for i := range n.Segments.Len() {
				segment := n.Segments.At(i)
				raw = append(raw, segment.Value(data)...)
			}
			require.Equal(t, "<!-- -->", string(raw))
		case *ast.HTMLBlock, *ast.Link, *ast.Image, *ast.AutoLink, *ast.CodeBlock, *ast.ThematicBreak, *east.FootnoteLink, *east.TaskCheckBox:
			require.Fail(t, "live Markdown", "%T in\n%s", n, source)
		case *ast.Heading:
			require.Equal(t, 3, n.Level, source)
		case *east.TableRow:
			require.Contains(t, []int{4, 5}, n.Parent().FirstChild().ChildCount(), source)
			require.Equal(t, n.Parent().FirstChild().ChildCount(), n.ChildCount(), source)
		case *ast.Paragraph, *ast.TextBlock, *east.TableCell:
			for _, run := range textRuns(n, data) {
				require.NotRegexp(t, live, run, source)
			}
		}
		return ast.WalkContinue, nil
	})
	require.NoError(t, err)
}

// textRuns are the texts of a node that GitHub's filters see in one piece: code and HTML part them.
func textRuns(n ast.Node, source []byte) []string {
	var runs []string
	var run strings.Builder
	end := func() {
		if run.Len() > 0 {
			runs = append(runs, run.String())
		}
		run.Reset()
	}
	for child := n.FirstChild(); child != nil; child = child.NextSibling() {
		switch child := child.(type) {
		case *ast.Text:
			segment := child.Segment
			run.Write(unescaped(segment.Value(source)))
		case *ast.String:
			run.Write(child.Value)
		case *ast.Emphasis:
			end()
			runs = append(runs, textRuns(child, source)...)
		default:
			end()
		}
	}
	end()
	return runs
}

func unescaped(text []byte) []byte {
	return regexp.MustCompile("\\\\([!-/:-@\\[-`{-~])").ReplaceAll(text, []byte("$1"))
}

// GitHub's own parser reads the same Markdown; goldmark is not the judge of what it does.
func TestCheckRunIsHarmlessToGitHubsParser(t *testing.T) {
	t.Parallel()
	parser, err := exec.LookPath("cmark-gfm")
	fulltest.Needs(t, "cmark-gfm, GitHub's Markdown parser", err == nil)
	code := regexp.MustCompile(`(?s)<code.*?</code>`)
	tag := regexp.MustCompile(`<[^>]*>`)
	harmless := regexp.MustCompile(`^(</?(p|strong|ul|ol|li|table|thead|tbody|tr|th|td|h3|blockquote|pre)>|<!-- -->)$`)
	for seed := range 200 {
		r, _ := hostile(hostileText().Example(seed))
		r.Checks[0].Link, r.Checks[1].Link = "", ""
		_, summary, text := render.CheckRun(r, render.CheckRunOptions{})
		command := exec.Command(parser, "--unsafe", "-e", "table", "-e", "autolink", "-e", "strikethrough", "-e", "tasklist", "-e", "footnotes")
		command.Stdin = strings.NewReader(summary + "\n\n" + text)
		html, err := command.Output()
		require.NoError(t, err)
		for _, found := range tag.FindAllString(code.ReplaceAllString(string(html), ""), -1) {
			require.Regexp(t, harmless, found, "%s", html)
		}
	}
}
