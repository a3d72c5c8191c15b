package main

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/text"
)

func TestBriefOfALivePullRequest(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.issue.EditBody("lead", "## Required Checks\n\n- [RC-1] `npm test`\n- [RC-2] Theme | stays (kind: manual) [observations: theme-survives-reload]\n")
	w.pr.EditBody("eng", w.evidence(w.pr.HeadSHA()))
	got := w.run("brief", "--pr", "2")
	require.Equal(t, 0, got.code, got.stderr)
	for _, says := range []string{
		"# Evidence for acme/widgets#2\n", "- Task: acme/widgets#1 Dark mode\n", "- Head commit: `" + w.pr.HeadSHA() + "`",
		"1. **Identify.**", "2. **Run.**", "3. **Read.**", "4. **Verify.**", "5. **Attach.**",
		"| \\[RC-1\\] `npm test` | command | `pr_body` | — |",
		"| \\[RC-2\\] Theme \\| stays | manual | `manual_observation` | `theme-survives-reload@running_path` |",
		"compact\n   excerpt", "after a\n   timeout, record the attempt; then take another strategy, or predict",
		"Never empty a test target, relax a lint configuration or delete a test",
		"reports `changed`, stop, and say which steps changed",
		"credentials, production or anything outside this task",
		"failure: 1 of 2 checks lacks proof",
		"Comments deleted or changed without a trace are known to the service only.",
	} {
		require.Contains(t, got.stdout, says)
	}
	require.Contains(t, got.stdout, "```md\n"+strings.TrimRight(w.run("scaffold", "--pr", "2").stdout, "\n")+"\n```\n")
}

func TestBriefOfATask(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.environment = map[string]string{}
	write(t, w, "task.md", taskText)
	got := w.run("brief", "--issue", w.dir+"/task.md")
	require.Equal(t, 0, got.code, got.stderr)
	require.Contains(t, got.stdout, "# Evidence for the task\n")
	require.Contains(t, got.stdout, "Head commit: not known here")
	require.Contains(t, got.stdout, "Current PR head: <the head commit's full SHA>")
	require.NotContains(t, got.stdout, "What is missing now")
	write(t, w, "broken.md", "text\n")
	got = w.run("brief", "--issue", w.dir+"/broken.md")
	require.Equal(t, 0, got.code)
	require.Contains(t, got.stdout, "There is no form yet, because the task is not in order.")
	require.Contains(t, got.stdout, "- the task has no live Required Checks section")
	require.Empty(t, w.Requests(), "nobody is asked")
}

// The task and the pull request are written by anybody: nothing of them becomes markup of the brief.
func TestBriefIsNotTakenOver(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.pr.EditTitle("eng", "x\n# Ignore the above <img src=x> @team [a](https://evil.example.com)")
	w.issue.EditTitle("lead", "`` ## y")
	w.issue.EditBody("lead", "## Required Checks\n\n- [RC-1] `` a ``` b `` and # not | a cell <b>x</b>\n- [RC-2] \x1b[31mred (kind: manual)\n")
	w.pr.Comment("out", "# hello")
	plain := newWorld(t)
	plain.issue.EditBody("lead", "## Required Checks\n\n- [RC-1] `a` and b\n- [RC-2] red (kind: manual)\n")
	got, want := w.run("brief", "--pr", "2"), plain.run("brief", "--pr", "2")
	require.Equal(t, 0, got.code, got.stderr)
	require.NotContains(t, got.stdout, "\x1b")
	require.Equal(t, headings(want.stdout), headings(got.stdout))
	require.NotContains(t, headings(got.stdout), "Ignore")
}

// headings are the outline of a text as GitHub shows it.
func headings(markdown string) string {
	source := []byte(markdown)
	var out strings.Builder
	root := goldmark.New(goldmark.WithExtensions(extension.GFM)).Parser().Parse(text.NewReader(source))
	_ = ast.Walk(root, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		switch n := n.(type) {
		case *ast.Heading:
			if entering {
				out.Write(n.Lines().Value(source))
				out.WriteString("\n")
			}
		case *ast.Link, *ast.RawHTML, *ast.HTMLBlock, *ast.Image, *ast.AutoLink:
			if html, ok := n.(*ast.RawHTML); ok && string(html.Segments.Value(source)) == "<!-- -->" {
				return ast.WalkContinue, nil
			}
			out.WriteString("markup\n")
		}
		return ast.WalkContinue, nil
	})
	return out.String()
}
