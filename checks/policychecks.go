package checks

import (
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"github.com/evidence-gate/evidence-gate/criteria"
	"github.com/evidence-gate/evidence-gate/internal/checkline"
	"github.com/evidence-gate/evidence-gate/internal/markdown"
	"github.com/evidence-gate/evidence-gate/prbody"
	"github.com/evidence-gate/evidence-gate/profile/policy"
	"github.com/evidence-gate/evidence-gate/report"
	"github.com/evidence-gate/evidence-gate/snapshot"
)

// contractOf reads the contract from where the policy says that it stands: the task, the policy, or
// both (section 9). A nil issue is no task.
func contractOf(issue *snapshot.Issue, p policy.Effective) (Contract, []report.Diagnostic) {
	own, diagnostics := policyContract(p.Contract())
	if p.Tasks.Source == policy.FromPolicy || issue == nil && p.Tasks.Source == policy.FromBoth {
		if len(own.Checks) == 0 && !hasError(diagnostics) {
			d := report.New(report.CodeContractMissing, "the policy declares no check with an id")
			d.Where = &report.Where{Document: policyDocument}
			d.Help = "checks: [ { id: RC-1, name: unit tests, run: go test ./... } ]"
			diagnostics = append(diagnostics, d)
		}
		if issue != nil && issue.Body != nil {
			own.Criteria, own.faults = criteria.Read(*issue.Body)
		}
		return own, diagnostics
	}
	body := ""
	if issue != nil && issue.Body != nil {
		body = *issue.Body
	}
	contract, found := ReadContract(body)
	if len(own.Checks) > 0 && declaresNothing(body) {
		found = nil
	}
	contract.Checks = append(contract.Checks, own.Checks...)
	joint := contractReader{contract: contract}
	joint.identities()
	if hasError(found) { // reported already
		joint.diagnostics = nil
	}
	return contract, slices.Concat(found, diagnostics, joint.diagnostics)
}

// declaresNothing reports whether a task has no contract section and nothing that was meant as one.
func declaresNothing(body string) bool {
	d, err := markdown.Parse(body)
	if err != nil || len(d.Sections(ContractSection)) > 0 {
		return false
	}
	found := d.Instead(ContractSection).What
	return found == markdown.FoundNothing || found == markdown.FoundEmpty
}

// policyContract makes checks of the policy's entries, by the rules of a task (C2 to C6): a command
// is proved in the body or by a status, anything else by observations.
func policyContract(entries []policy.Check) (Contract, []report.Diagnostic) {
	if len(entries) == 0 {
		return Contract{}, nil
	}
	var text strings.Builder
	text.WriteString("## " + ContractSection + "\n\n")
	lines := make([]int, 0, len(entries))
	for _, entry := range entries {
		text.WriteString("- [" + entry.ID + "] " + entryText(entry) + "\n")
		lines = append(lines, entry.Line)
	}
	d, err := markdown.Parse(text.String())
	if err != nil {
		return Contract{}, []report.Diagnostic{prbody.Refusal(err, policyDocument, report.Maintainer)}
	}
	r := contractReader{d: d, places: lines}
	r.read()
	for i := range r.contract.Checks {
		r.contract.Checks[i].where = r.placed(r.contract.Checks[i].where)
	}
	return r.contract, r.diagnostics
}

// entryText is an entry of the policy as a task would write it.
func entryText(entry policy.Check) string {
	var annotations []string
	text := checkline.Squeeze(entry.Text)
	if command := commandText(entry); command != "" {
		text = codeSpan(command)
		annotations = append(annotations, "kind: "+Command, "source: "+PRBody+", "+StatusCheck)
	} else if entry.Kind != "" {
		annotations = append(annotations, "kind: "+entry.Kind)
	}
	if len(entry.Observations) > 0 {
		annotations = append(annotations, "observations: "+strings.Join(entry.Observations, ", "))
	}
	for _, a := range annotations {
		text += " [" + a + "]"
	}
	return text
}

// commandText is the command of an entry as one would type it.
func commandText(entry policy.Check) string {
	if len(entry.Args) == 0 {
		return checkline.Squeeze(entry.Run)
	}
	words := make([]string, 0, len(entry.Args))
	for _, word := range entry.Args {
		quoted, err := syntax.Quote(word, syntax.LangPOSIX)
		if err != nil {
			quoted = word
		}
		words = append(words, quoted)
	}
	return checkline.Squeeze(strings.Join(words, " "))
}

// codeSpan quotes a text that may hold backticks.
func codeSpan(text string) string {
	fence := "`"
	for strings.Contains(text, fence) {
		fence += "`"
	}
	if fence == "`" {
		return fence + text + fence
	}
	return fence + " " + text + " " + fence
}

// placed is a place of the policy for one in the text that was made of its entries, whose first
// entry stands in line 3.
func (r *contractReader) placed(w report.Where) report.Where {
	if r.places == nil {
		return w
	}
	line := 0
	if i := w.Line - 3; i >= 0 && i < len(r.places) {
		line = r.places[i]
	}
	return report.Where{Document: policyDocument, Line: line}
}
