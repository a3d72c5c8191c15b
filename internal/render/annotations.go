package render

import (
	"fmt"
	"strings"

	"github.com/evidence-gate/evidence-gate/report"
)

// What GitHub shows of a step's annotations ("Workflow commands for GitHub Actions" and the limits
// of the runner): ten of each kind, with messages of up to 4,096 characters.
const (
	maxAnnotations       = 10
	maxAnnotationTitle   = 120
	maxAnnotationMessage = 4096
)

// annotationKinds are the workflow commands that annotate, by severity.
var annotationKinds = []struct {
	severity report.Severity
	command  string
	one      string
}{
	{report.Error, "error", "error"},
	{report.Warning, "warning", "warning"},
	{report.Note, "notice", "note"},
}

// Annotations writes the diagnostics of a Report, errors first, and further remarks as workflow
// commands of GitHub Actions, one line each (design section 16). They name no file, since what they
// are about is no file of the repository. Of each kind ten are shown; the last of more says how many
// are left out.
func Annotations(r report.Report, remarks ...string) string {
	var b strings.Builder
	for _, kind := range annotationKinds {
		var found []annotation
		for _, d := range r.Diagnostics {
			if d.Severity == kind.severity {
				found = append(found, annotate(d))
			}
		}
		if kind.severity == report.Note {
			for _, remark := range remarks {
				found = append(found, annotation{"Evidence", visible(remark)})
			}
		}
		shown := found
		if len(found) > maxAnnotations {
			shown = found[:maxAnnotations-1]
		}
		for _, a := range shown {
			b.WriteString(a.command(kind.command))
		}
		if rest := len(found) - len(shown); rest > 0 {
			more := annotation{"Evidence", fmt.Sprintf("and %s more; the job summary and the report name them", counted(rest, kind.one))}
			b.WriteString(more.command(kind.command))
		}
	}
	return b.String()
}

// annotation is a title and a message, both made visible.
type annotation struct{ title, message string }

func annotate(d report.Diagnostic) annotation {
	title := visible(shorten(string(d.Code), maxAnnotationTitle))
	if d.Check != nil && *d.Check != "" {
		title += " (" + visible(shorten(oneSpaced(*d.Check), maxAnnotationTitle)) + ")"
	}
	lines := []string{visible(shorten(oneSpaced(d.Message), maxMessage))}
	if at := place(d.Where); at != "" {
		lines[0] += " (" + at + ")"
	}
	switch help := visibleLines(shorten(d.Help, maxHelp)); {
	case d.Help == "":
	case len(help) == 1:
		lines = append(lines, "help: "+help[0])
	default:
		lines = append(append(lines, "help:"), help...)
	}
	return annotation{title, strings.Join(lines, "\n")}
}

// command is the annotation as one line that the runner reads as one command and nothing else.
func (a annotation) command(name string) string {
	return "::" + name + " title=" + escapeProperty(shorten(a.title, maxAnnotationTitle)) +
		"::" + escapeData(shorten(a.message, maxAnnotationMessage)) + "\n"
}

// escapeData and escapeProperty write text as the runner's toolkit does (@actions/core, command.ts).
func escapeData(s string) string {
	return strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A").Replace(s)
}

func escapeProperty(s string) string {
	return strings.NewReplacer(":", "%3A", ",", "%2C").Replace(escapeData(s))
}

func oneSpaced(s string) string { return strings.Join(strings.Fields(s), " ") }
