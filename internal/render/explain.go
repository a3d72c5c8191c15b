package render

import (
	"cmp"
	"fmt"
	"io"
	"slices"
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
		t.paragraph("", examplesIntroduction(e))
		t.example("", e.Context)
		t.example("Wrong", e.Wrong)
		t.example("Right", e.Right)
	}
	_, err := io.WriteString(w, t.out.String())
	return err
}

// examplesIntroduction says what a reader must know of the examples of one code.
func examplesIntroduction(e report.Examples) string {
	out := "What the examples do not show is as in the plainest pull request that succeeds."
	shows := func(what string) bool {
		return slices.ContainsFunc(e.Shown(), func(p report.Part) bool { return strings.Contains(p.Text, what) })
	}
	if shows(report.ExampleHead) {
		out += " Its head is " + report.ExampleHead + "."
	}
	if shows(report.OtherFields) {
		out += " " + otherFields
	}
	return out
}

// otherFields says what the line means that stands for fields, without Markdown.
const otherFields = "\"" + report.OtherFields + "\" stands for the fields that are not shown; the examples of the codes field_missing show all of them."

func (t *textWriter) example(side string, parts []report.Part) {
	for _, p := range parts {
		if p.Hidden {
			continue
		}
		t.line("")
		if sentence, ok := partSentence(p); ok {
			if side != "" {
				sentence = t.color(bold, side+":") + " " + sentence
			}
			t.paragraph("", sentence)
			continue
		}
		t.line("%s", t.color(bold, partTitle(side, p))+":")
		t.line("")
		for _, line := range visibleLines(p.Text) {
			t.line("%s", strings.TrimRight("    "+line, " "))
		}
	}
}

// partSentence is the sentence of a part that is no text of a document.
func partSentence(p report.Part) (string, bool) {
	text := strings.TrimSpace(p.Text)
	switch p.Place {
	case report.PlaceNote:
		return text, true
	case report.PlaceStage:
		return "This is judged at stage " + text + ".", true
	}
	return "", false
}

// partTitle says what is shown: the side of the example, where the text stands, whose it is, and how
// often.
func partTitle(side string, p report.Part) string {
	title := placeTitles[p.Place]
	if p.Was {
		title = earlierTitles[p.Place]
	}
	if by := cmp.Or(p.By, usualAuthors[p.Place]); by != "" {
		title += ", by " + peopleTitles[by]
	}
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
	report.PlaceBody:     "pull request body",
	report.PlaceHead:     "in the Evidence section",
	report.PlaceEntries:  "in the Evidence section",
	report.PlaceIssue:    "the task",
	report.PlaceChecks:   "the task's Required Checks",
	report.PlaceCriteria: "the task's Acceptance Criteria",
	report.PlaceReviews:  "reviews, the oldest first",
	report.PlaceComment:  "a comment",
	report.PlaceAttempts: "in the attempt carrier, under the heading RC-1",
	report.PlaceTriage:   "in a triage comment, under the heading RC-1",
	report.PlacePolicy:   "the policy, .github/evidence.yml",
	report.PlaceProfile:  "the profile, .agenticloop/project.md",
	report.PlaceFacts:    "members of the Snapshot",
}

// earlierTitles are those of what stood there before.
var earlierTitles = map[report.Place]string{
	report.PlaceChecks:   "the task's Required Checks when the pull request was opened",
	report.PlaceAttempts: "in the attempt carrier, under the heading RC-1, before its last edit",
}

// usualAuthors are named also where the example does not: whose comment it is decides what it counts
// for.
var usualAuthors = map[report.Place]string{
	report.PlaceComment: report.ExampleAuthor,
	report.PlaceTriage:  report.ExampleMaintainer,
}

var peopleTitles = map[string]string{
	report.ExampleAuthor:     "the pull request's author",
	report.ExampleMaintainer: "a maintainer",
	report.ExampleReviewer:   "a reviewer",
	report.ExampleAdmin:      "an admin of the repository",
	report.ExampleStranger:   "somebody without write permission",
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
