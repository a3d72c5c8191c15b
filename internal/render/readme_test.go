package render_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/evidence-gate/evidence-gate/checks"
	"github.com/evidence-gate/evidence-gate/internal/render"
	"github.com/evidence-gate/evidence-gate/report"
)

// The README shows a check run as people see it: the summary for its own example of evidence, in
// which one verdict is not one of the four words.
func TestTheCheckRunOfTheReadme(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("../../README.md")
	require.NoError(t, err)
	readme := string(text)
	issue := block(t, readme, "## Required Checks")
	body := block(t, readme, "## Evidence")
	at := strings.LastIndex(body, "Verdict: passed")
	body = body[:at] + "Verdict: PASS" + body[at+len("Verdict: passed"):]
	head := strings.Fields(body[strings.Index(body, "Current PR head: "):])[3]
	got := checks.Lint(checks.Files{Body: body, Issue: &issue, Head: head, Stage: report.Merge})
	_, summary, _ := render.CheckRun(got, render.CheckRunOptions{})
	shown, _, _ := strings.Cut(summary, "\nJudged: ")
	quoted := "> " + strings.ReplaceAll(strings.TrimSpace(shown), "\n", "\n> ")
	quoted = strings.ReplaceAll(quoted, "> \n", ">\n")
	require.Contains(t, readme, quoted)
}

func block(t *testing.T, text, start string) string {
	t.Helper()
	_, rest, found := strings.Cut(text, "```md\n"+start)
	require.True(t, found, start)
	inside, _, _ := strings.Cut(rest, "```")
	return start + inside
}

// Every relative link of the documentation leads somewhere.
func TestLinksOfTheDocumentation(t *testing.T) {
	t.Parallel()
	pages, err := filepath.Glob("../../docs/*.md")
	require.NoError(t, err)
	for _, page := range append(pages, "../../README.md", "../../CONTRIBUTING.md", "../../SECURITY.md") {
		text, err := os.ReadFile(page)
		require.NoError(t, err)
		for _, link := range links.FindAllStringSubmatch(string(text), -1) {
			target, _, _ := strings.Cut(link[1], "#")
			if target == "" || strings.Contains(target, ":") {
				continue
			}
			require.FileExists(t, filepath.Join(filepath.Dir(page), target), page)
		}
	}
}

// links are links whose target is no name in capitals or an example's address.
var links = regexp.MustCompile(`\]\(([a-zA-Z0-9_./#:-]+)\)`)
