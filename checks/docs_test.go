package checks_test

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/evidence-gate/evidence-gate/bench/corpus"
	"github.com/evidence-gate/evidence-gate/checks"
	"github.com/evidence-gate/evidence-gate/report"
)

// docExample is a marked example of docs/evidence.md: what it is, what comes of it, and its text.
var docExample = regexp.MustCompile("(?s)<!-- example: (issue|body|entry)(?:, ([a-z_.]+))? -->\n```md\n(.*?)```")

// Every example of the guide for writers does what the guide says.
func TestExamplesOfTheGuide(t *testing.T) {
	t.Parallel()
	guide, err := os.ReadFile("../docs/evidence.md")
	require.NoError(t, err)
	examples := docExample.FindAllStringSubmatch(string(guide), -1)
	require.Len(t, examples, 6)
	issue := ""
	for _, e := range examples {
		kind, want, text := e[1], e[2], e[3]
		body, task := text, issue
		switch kind {
		case "issue":
			issue = text
			continue
		case "entry":
			body = "## Evidence\nCurrent PR head: " + corpus.Head + "\n\n" + text
			task = "## Required Checks\n\n- [RC-1] `npm test`\n"
		}
		got := checks.Lint(checks.Files{Body: body, Issue: &task, Head: corpus.Head, Stage: report.Merge})
		if want == "succeeds" {
			require.Equal(t, report.Success, got.Conclusion, "%s%v", text, got.Diagnostics)
			require.Empty(t, got.Diagnostics, text)
			continue
		}
		require.Len(t, got.Diagnostics, 1, text)
		require.Equal(t, report.Code(want), got.Diagnostics[0].Code, text)
	}
}

// The README shows evidence that passes as it stands there.
func TestExampleOfTheReadme(t *testing.T) {
	t.Parallel()
	readme, err := os.ReadFile("../README.md")
	require.NoError(t, err)
	blocks := strings.Split(string(readme), "```")
	var issue, body string
	for i := 1; i < len(blocks); i += 2 {
		text := strings.TrimPrefix(blocks[i], "md\n")
		if strings.HasPrefix(text, "## Required Checks") {
			issue = text
		}
		if strings.HasPrefix(text, "## Evidence") {
			body = text
		}
	}
	got := checks.Lint(checks.Files{Body: body, Issue: &issue, Head: corpus.Head, Stage: report.Merge})
	require.Equal(t, report.Success, got.Conclusion, "%v", got.Diagnostics)
}
