package render

import (
	"fmt"
	"io"
	"strings"

	"github.com/evidence-gate/evidence-gate/report"
)

const referenceHead = `# Diagnostics

Every finding of Evidence Gate has a code. Codes are stable: they are never renamed or reused.
` + "`github-preflight explain CODE`" + ` shows one of them on the command line. This page is generated
from the table in ` + "`report`" + `; do not edit it (` + "`go generate ./internal/render`" + ` writes it anew).

Errors decide the conclusion, by who must act on them: any error of the engineer makes it
` + "`failure`" + `; else any of a maintainer, an approver or the operator ` + "`action_required`" + `; else any that
only waits for a machine ` + "`pending`" + `; else it is ` + "`success`" + `. Warnings and notes decide nothing.

Rules such as E6 and sections are those of the design. In the examples the pull request's head is
` + "`" + report.ExampleHead + "`" + `; what an example does not show is as in the
plainest pull request that succeeds. ` + "`<U+200B>`" + ` stands for the character of that number, and
` + "`" + report.OtherFields + "`" + ` for the fields that an example does not show; the examples of the codes
` + "`field_missing`" + ` show all of them. Codes without an example belong to parts that do not report them yet.

`

// Reference writes docs/diagnostics.md: every code of the table with its examples.
func Reference(w io.Writer, definitions []report.Definition) error {
	var b strings.Builder
	b.WriteString(referenceHead)
	area := ""
	for _, d := range definitions {
		if now, _, _ := strings.Cut(string(d.Code), "."); now != area {
			area = now
			fmt.Fprintf(&b, "## %s\n\n", area)
		}
		writeDefinition(&b, d)
	}
	_, err := io.WriteString(w, strings.TrimRight(b.String(), "\n")+"\n")
	return err
}

func writeDefinition(b *strings.Builder, d report.Definition) {
	fmt.Fprintf(b, "### `%s`\n\n", d.Code)
	varies := ""
	if d.Varies {
		varies = " (usually)"
	}
	fmt.Fprintf(b, "%s, %s%s, %s. %s\n\n", d.Severity, d.Owner, varies, reference(d.Rule), escape(sentence(d.Meaning)))
	fmt.Fprintf(b, "Help: %s\n\n", escape(d.Help))
	e, ok := d.Code.Examples()
	if !ok {
		return
	}
	writeParts(b, "", e.Context)
	writeParts(b, "Wrong", e.Wrong)
	writeParts(b, "Right", e.Right)
}

func writeParts(b *strings.Builder, side string, parts []report.Part) {
	for _, p := range parts {
		if p.Hidden {
			continue
		}
		if sentence, ok := partSentence(p); ok {
			if side != "" {
				sentence = side + ": " + sentence
			}
			b.WriteString(escape(sentence) + "\n\n")
			continue
		}
		fmt.Fprintf(b, "%s:\n\n%s\n", partTitle(side, p), codeBlock(p.Text, "", languages[p.Place]))
	}
}

// languages are those of the code blocks.
var languages = map[report.Place]string{
	report.PlaceBody: "md", report.PlaceHead: "md", report.PlaceEntries: "md", report.PlaceIssue: "md", report.PlaceChecks: "md", report.PlaceCriteria: "md",
	report.PlaceComment: "md", report.PlaceAttempts: "md", report.PlaceTriage: "md", report.PlaceProfile: "md",
	report.PlacePolicy: "yaml", report.PlaceFacts: "json", report.PlaceReviews: "text",
}
