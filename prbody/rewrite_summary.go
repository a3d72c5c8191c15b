package prbody

import (
	"strings"

	"github.com/evidence-gate/evidence-gate/internal/markdown"
)

// summary are the other sections of a pull request's summary (design section 15). None of them is
// ever judged.
var summary = []struct{ title, ask string }{
	{"Artifacts", "links to what came out of the work: builds, recordings, logs"},
	{"Deviations", "what was done otherwise than the task asks, and why"},
	{"Process Observations", "what was learned about the way of working"},
	{"Known Gaps", "what does not work or was not looked at"},
	{"Follow-Ups", "what is left for later, with links to its tasks"},
	{"Trace", "where the work was recorded: runs, logs, conversations"},
}

// Summary is the other sections of a summary, ready to fill.
func Summary() string {
	text, _ := AddSummary("")
	return text
}

// AddSummary puts the summary sections that a body lacks at its end and names them.
func AddSummary(body string) (text string, added []string) {
	d, err := markdown.Parse(body)
	if err != nil {
		return body, nil
	}
	l := splitLines(body)
	var missing strings.Builder
	for _, s := range summary {
		if len(d.Sections(s.title)) > 0 {
			continue
		}
		if len(added) > 0 {
			missing.WriteString("\n")
		}
		missing.WriteString("## " + s.title + "\n\nREPLACE: " + s.ask + "\n")
		added = append(added, s.title)
	}
	if len(added) > 0 {
		l.append(missing.String())
	}
	return l.String(), added
}
