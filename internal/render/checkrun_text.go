package render

import (
	"fmt"
	"sort"
	"strings"

	"github.com/evidence-gate/evidence-gate/report"
)

func checkRunText(r report.Report) string {
	var b strings.Builder
	diagnosticSections(&b, r.Diagnostics)
	if len(r.Checks) > maxChecks {
		b.WriteString("### All required checks\n\n")
		checksTable(&b, r.Checks, maxChecksInFull)
	}
	recorded(&b, r.Checks)
	contractChanges(&b, r.Contract.Changed)
	criteria(&b, r.Criteria)
	episodes(&b, r.Episodes)
	approvals(&b, r.Approvals)
	if r.Contract.Digest != "" {
		fmt.Fprintf(&b, "Contract: %s\n", codeSpan(r.Contract.Digest))
	}
	return b.String()
}

// diagnosticSections writes the diagnostics out, errors first, under who must act on them.
func diagnosticSections(b *strings.Builder, diagnostics []report.Diagnostic) {
	sorted := bySeverity(diagnostics)
	room := maxDiagnostics
	var left []report.Diagnostic
	for _, severity := range []report.Severity{report.Error, report.Warning, report.Note} {
		for _, owner := range owners {
			first := true
			for _, d := range sorted {
				if d.Severity != severity || d.Owner != owner {
					continue
				}
				if room == 0 {
					left = append(left, d)
					continue
				}
				if first {
					fmt.Fprintf(b, "### %s\n\n", sectionTitle(severity, owner))
					first = false
				}
				writeDiagnostic(b, d)
				room--
			}
		}
	}
	countTheRest(b, left)
}

func sectionTitle(severity report.Severity, owner report.Owner) string {
	switch {
	case severity == report.Note:
		return "Notes"
	case severity == report.Warning:
		return "Warnings for the " + ownerNames[owner]
	case owner == report.Machine:
		return "Waiting"
	}
	return "For the " + ownerNames[owner]
}

func writeDiagnostic(b *strings.Builder, d report.Diagnostic) {
	fmt.Fprintf(b, "- %s\n", oneLine(d))
	if d.Help != "" {
		b.WriteString("\n" + codeBlock(shorten(d.Help, maxHelp), "  ", "text"))
	}
	b.WriteString("\n")
}

// countTheRest names how many diagnostics of each code were left out.
func countTheRest(b *strings.Builder, left []report.Diagnostic) {
	if len(left) == 0 {
		return
	}
	counts := map[report.Code]int{}
	for _, d := range left {
		counts[d.Code]++
	}
	codes := make([]report.Code, 0, len(counts))
	for code := range counts {
		codes = append(codes, code)
	}
	sort.Slice(codes, func(i, j int) bool { return codes[i] < codes[j] })
	fmt.Fprintf(b, "### And %s more\n\n", counted(len(left), "finding"))
	for i, code := range codes {
		if i == maxDiagnosticCodes {
			fmt.Fprintf(b, "- … and %s more\n", counted(len(codes)-i, "code"))
			break
		}
		fmt.Fprintf(b, "- %s: %d\n", codeSpan(string(code)), counts[code])
	}
	b.WriteString("\n")
}

// recorded quotes what the entries say, for whoever reviews.
func recorded(b *strings.Builder, checks []report.Check) {
	shown := 0
	for _, c := range checks {
		if c.Evidence == "" && len(c.Observations) == 0 {
			continue
		}
		if shown == 0 {
			b.WriteString("### Evidence as recorded\n\n")
		}
		if shown++; shown > maxChecks {
			b.WriteString("- … and more in the pull request body\n")
			break
		}
		fmt.Fprintf(b, "- %s %s\n", codeSpan(shorten(c.Name(), maxCellText)), escapeProse(shorten(c.Evidence, maxMessage)))
		for _, o := range c.Observations[:min(len(c.Observations), maxObservations)] {
			fmt.Fprintf(b, "  - %s (%s): %s\n", codeSpan(shorten(o.Name, maxCellText)), escape(plainWord(o.Level)), escapeProse(shorten(o.Result, maxMessage)))
		}
	}
	if shown > 0 {
		b.WriteString("\n")
	}
}

func contractChanges(b *strings.Builder, changes []report.Change) {
	if len(changes) == 0 {
		return
	}
	b.WriteString("### Changes of the contract\n\n")
	for i, c := range changes {
		if i == maxChanges {
			fmt.Fprintf(b, "- … and %s more\n", counted(len(changes)-i, "change"))
			break
		}
		line := codeSpan(shorten(c.Check, maxCellText)) + " " + escape(c.Change)
		if c.Was != "" {
			line += ", was " + codeSpan(shorten(c.Was, maxCellText))
		}
		if c.Is != "" {
			line += ", is " + codeSpan(shorten(c.Is, maxCellText))
		}
		fmt.Fprintf(b, "- %s\n", line)
	}
	b.WriteString("\n")
}

func criteria(b *strings.Builder, criteria []report.Criterion) {
	if len(criteria) == 0 {
		return
	}
	b.WriteString("### Acceptance criteria\n\n")
	for _, c := range criteria[:min(len(criteria), maxChecksInFull)] {
		state := "not satisfied"
		if c.Satisfied {
			state = "satisfied"
		}
		fmt.Fprintf(b, "- %s: %s\n", codeSpan(shorten(c.ID, maxCellText)), state)
	}
	b.WriteString("\n")
}

func episodes(b *strings.Builder, episodes []report.Episode) {
	if len(episodes) == 0 {
		return
	}
	b.WriteString("### Attempts\n\n| Check | Attempts | Latest | Triage | State |\n| --- | --- | --- | --- | --- |\n")
	for _, e := range episodes[:min(len(episodes), maxChecksInFull)] {
		fmt.Fprintf(b, "| %s | %d | %s | %s | %s |\n", tableCell(codeSpan(shorten(e.Check, maxCellText))), e.Attempts,
			tableCell(escape(plainWord(e.Latest))), tableCell(escape(triage(e))), tableCell(escape(episodeState(e.State))))
	}
	b.WriteString("\n")
}

func approvals(b *strings.Builder, approvals []report.Approval) {
	if len(approvals) == 0 {
		return
	}
	b.WriteString("### Approvals\n\n")
	for _, a := range approvals[:min(len(approvals), maxChecksInFull)] {
		line := codeSpan(a.Actor) + " counts"
		if !a.Counts {
			line = codeSpan(a.Actor) + " does not count"
		}
		if a.As != "" {
			line += " as " + escape(plainWord(a.As))
		}
		if a.Because != "" {
			line += ": " + escapeProse(shorten(a.Because, maxMessage))
		}
		fmt.Fprintf(b, "- %s\n", line)
	}
	b.WriteString("\n")
}
