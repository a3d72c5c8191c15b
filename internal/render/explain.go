package render

import (
	"fmt"
	"io"
	"strings"

	"github.com/evidence-gate/evidence-gate/report"
)

// Explain writes one row of the code table for a terminal, with a wrong and a right example.
func Explain(w io.Writer, d report.Definition, o Options) error {
	if o.Width <= 0 {
		o.Width = defaultWidth
	}
	t := &textWriter{options: o}
	t.line("%s (%s)", t.color(severityColors[d.Severity], fmt.Sprintf("%s[%s]", d.Severity, d.Code)), reference(d.Rule))
	t.line("")
	t.paragraph("", sentence(d.Meaning))
	t.paragraph("", whoActs(d))
	t.line("")
	t.paragraph(t.color(bold, "help:")+" ", d.Help)
	if e, ok := d.Code.Examples(); ok {
		t.line("")
		t.paragraph("", examplesIntroduction)
		t.example("", e.Context)
		t.example("Wrong", e.Wrong)
		t.example("Right", e.Right)
	}
	_, err := io.WriteString(w, t.out.String())
	return err
}

const examplesIntroduction = "In the examples the pull request's head is " + report.ExampleHead + "."

func (t *textWriter) example(side string, parts []report.Part) {
	for _, p := range parts {
		if p.Hidden {
			continue
		}
		t.line("")
		t.line("%s", t.color(bold, partTitle(side, p))+":")
		t.line("")
		for _, line := range visibleLines(p.Text) {
			t.line("%s", strings.TrimRight("    "+line, " "))
		}
	}
}

// partTitle says what is shown: the side of the example, where the text stands, and how often.
func partTitle(side string, p report.Part) string {
	title := placeTitles[p.Place]
	if side != "" {
		title = side + ", " + title
	} else {
		title = strings.ToUpper(title[:1]) + title[1:]
	}
	if p.Times > 1 {
		title += fmt.Sprintf(", %d times one after another", p.Times)
	}
	return title
}

var placeTitles = map[report.Place]string{
	report.PlaceBody:    "pull request body",
	report.PlaceHead:    "in the Evidence section",
	report.PlaceEntries: "in the Evidence section",
	report.PlaceIssue:   "the task",
	report.PlaceChecks:  "the task's Required Checks",
	report.PlaceFacts:   "members of the Snapshot",
	report.PlaceNote:    "before",
}

// reference names what in the design defines a code.
func reference(rule string) string {
	if strings.HasPrefix(rule, "section ") {
		return "design " + rule
	}
	return "design rule " + rule
}

// sentence makes a phrase of the table a sentence.
func sentence(phrase string) string {
	return strings.ToUpper(phrase[:1]) + phrase[1:] + "."
}

func whoActs(d report.Definition) string {
	if d.Severity == report.Note {
		return "Nobody has to act."
	}
	who := "Who acts: the " + ownerNames[d.Owner] + "."
	if d.Owner == report.Machine {
		who = "Nobody has to act; it is waited for."
	}
	if d.Varies {
		who += " Severity or owner can differ, as said above or by whose text it is about."
	}
	return who
}

// List writes every code with its meaning, one a line.
func List(w io.Writer, definitions []report.Definition) error {
	longest := 0
	for _, d := range definitions {
		longest = max(longest, len(d.Code))
	}
	var b strings.Builder
	for _, d := range definitions {
		fmt.Fprintf(&b, "%-*s  %-7s  %s\n", longest, d.Code, d.Severity, d.Meaning)
	}
	_, err := io.WriteString(w, b.String())
	return err
}
