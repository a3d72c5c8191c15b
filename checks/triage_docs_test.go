package checks_test

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/evidence-gate/evidence-gate/checks"
	"github.com/evidence-gate/evidence-gate/report"
	"github.com/evidence-gate/evidence-gate/snapshot"
)

// triageExample is a marked example of docs/triage.md: a comment or an edit of the last one, by whom,
// the verdict that the body has meanwhile, and what comes of it at a stage.
var triageExample = regexp.MustCompile("(?s)<!-- example: (comment|edit) by ([a-z]+); ([a-z]+); (review|merge): ([a-z_]+)(?: ([a-z_.]+))? -->\n```md\n(.*?)```")

// Every example of the guide for failed checks does what the guide says. The comments of one section
// of the page stand under one task.
func TestExamplesOfTheTriageGuide(t *testing.T) {
	t.Parallel()
	guide, err := os.ReadFile("../docs/triage.md")
	require.NoError(t, err)
	people := map[string]*snapshot.Actor{"eng": user("eng", "write"), "lead": user("lead", "maintain")}
	evidence := map[string]string{"passed": "128 passing, 0 failing (exit 0)", "failed": "3 failing in the cache suite (exit 1)", "blocked": "the runner went away after 40 s"}
	run := 0
	for _, section := range pageSections(string(guide)) {
		s := proved()
		s.PullRequest.Author, s.Repository.Maintainers = people["eng"], 2
		for _, e := range triageExample.FindAllStringSubmatch(section, -1) {
			kind, who, verdict, text := e[1], e[2], e[3], e[7]
			at := "2026-11-29T1" + string(rune('0'+run)) + ":00:00Z"
			run++
			require.NotNil(t, people[who], who)
			comments := s.Issue.Comments
			if kind == "edit" {
				last := &comments[len(comments)-1]
				was := last.Body
				last.Body, last.UpdatedAt = text, at
				last.Revisions = []snapshot.Revision{{Editor: last.Author, EditedAt: last.CreatedAt, Body: &was}, {Editor: people[who], EditedAt: at, Body: &text}}
			} else {
				s.Issue.Comments = append(comments, snapshot.Comment{ID: int64(100 + len(comments)), Author: people[who], Body: text, CreatedAt: at, UpdatedAt: at})
			}
			setEvidence(&s, "- Required check: [RC-1] `npm test`\n  Verdict: "+verdict+"\n  Evidence: "+evidence[verdict]+"\n")
			got := checks.Evaluate(s, report.Stage(e[4]))
			require.Equal(t, report.Conclusion(e[5]), got.Conclusion, "%s%v", text, got.Diagnostics)
			var errors []string
			for _, d := range got.Diagnostics {
				require.NotEqual(t, report.Warning, d.Severity, "%s%v", text, d)
				if d.Severity == report.Error {
					errors = append(errors, string(d.Code))
				}
			}
			require.Equal(t, e[6], strings.Join(errors, " "), text)
		}
	}
	require.Equal(t, 7, run)
}

// pageSections parts a page at its headings of level 2; those inside a code block are text.
func pageSections(page string) []string {
	sections, fenced := []string{""}, false
	for line := range strings.Lines(page) {
		if strings.HasPrefix(line, "```") {
			fenced = !fenced
		}
		if strings.HasPrefix(line, "## ") && !fenced {
			sections = append(sections, "")
		}
		sections[len(sections)-1] += line
	}
	return sections
}
