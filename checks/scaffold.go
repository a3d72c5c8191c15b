package checks

import (
	"fmt"
	"strings"

	"github.com/evidence-gate/evidence-gate/prbody"
	"github.com/evidence-gate/evidence-gate/profile"
	"github.com/evidence-gate/evidence-gate/report"
)

// Scaffold writes the Evidence section for a task's contract, ready to fill: every check with the
// fields that its kind needs and the head they are for, then every acceptance criterion. The
// diagnostics are those of the task; when one of its contract is an error there is no section.
func Scaffold(issue, head string) (string, []report.Diagnostic) {
	f := FormOfTask(issue, head, profile.Profile{})
	return f.Text(), f.Diagnostics
}

func section(contract Contract, head string) string { return sectionWith(contract, head, nil) }

func sectionWith(contract Contract, head string, facts *FactIndex) string {
	var out strings.Builder
	fmt.Fprintf(&out, "## %s\nCurrent PR head: %s\n", prbody.SectionName, head)
	for _, c := range contract.Checks {
		if !c.statusOnly() {
			out.WriteString("\n" + entryWith(c, head, facts.For(c.Command)) + "\n")
		}
	}
	return out.String()
}

// statusOnly reports whether only a status on the head can prove the check, so that an entry would
// claim what CI has to say.
func (c *RequiredCheck) statusOnly() bool {
	return len(c.Sources) == 1 && c.Sources[0] == StatusCheck
}

// entryTemplate is one entry ready to fill. Its placeholders never pass (E4).
func entryTemplate(c RequiredCheck, head string) string { return entryWith(c, head, nil) }

func entryWith(c RequiredCheck, head string, fact *report.Fact) string {
	if head == "" {
		head = "<the head commit's full SHA>"
	}
	lines := []string{"- Required check: " + declaredText(c)}
	if fact != nil {
		lines = append(lines, "  "+factComment(fact))
	}
	if asked := c.askedComment(); asked != "" {
		lines = append(lines, "  "+asked)
	}
	source := c.Sources[0]
	if source == StatusCheck && len(c.Sources) > 1 {
		source = c.Sources[1]
	}
	if c.Declared && c.Kind != Command {
		lines = append(lines, "  Kind: "+c.Kind)
	}
	if source != PRBody {
		lines = append(lines, "  Source: "+source)
	}
	if c.Declared && c.Kind != Command {
		lines = append(lines, "  Implementation head: "+head)
	}
	lines = append(lines, "  Verdict: not run", "  Evidence: REPLACE: what the final run showed")
	for _, o := range c.Observations {
		for _, l := range recordLines(o, head, source) {
			lines = append(lines, "  "+l)
		}
	}
	return strings.Join(lines, "\n")
}

// recordLines are the lines of one observation record.
func recordLines(o Declaration, head, source string) []string {
	return []string{
		"Observation: " + o.Name,
		"Level: " + o.Level,
		"Result: REPLACE: what you did and what you saw",
		"Artifact: " + head,
		"Source: " + source,
	}
}

// declaredText is the check as the contract writes it, id first, without annotations.
func declaredText(c RequiredCheck) string {
	id := ""
	if c.ID != "" {
		id = "[" + c.ID + "] "
	}
	return id + c.line.Markdown()
}
