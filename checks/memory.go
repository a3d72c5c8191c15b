package checks

import (
	"fmt"
	"slices"
	"strings"

	"github.com/evidence-gate/evidence-gate/criteria"

	"github.com/evidence-gate/evidence-gate/internal/checkline"
	"github.com/evidence-gate/evidence-gate/internal/markdown"
	"github.com/evidence-gate/evidence-gate/profile/policy"
	"github.com/evidence-gate/evidence-gate/report"
	"github.com/evidence-gate/evidence-gate/snapshot"
)

// judgeMemory compares the contract with the one that is remembered (section 10): additions are
// taken; while a check is changed or gone, nothing is accepted until a maintainer accepts.
func (e *evaluation) judgeMemory() bool {
	remembered := (*snapshot.RememberedContract)(nil)
	if e.snapshot.Memory != nil {
		remembered = e.snapshot.Memory.Contract
	}
	if e.offline || remembered == nil || e.snapshot.Issue == nil || e.policy.Tasks.Source == policy.FromPolicy {
		return true
	}
	other := remembered.Issue != 0 && remembered.Issue != e.snapshot.Issue.Number
	was := rememberedContract(*remembered)
	if e.policy.StatusChecks == policy.Implied {
		was.implyStatus()
	}
	e.report.Contract.Changed = changes(was, *e.contract)
	if e.policy.Criteria != policy.Off {
		e.report.Contract.Changed = append(e.report.Contract.Changed, criteriaChanges(*remembered, *e.contract)...)
	}
	weakened := weakening(e.report.Contract.Changed)
	if !other && len(weakened) == 0 {
		return true
	}
	refused, accepted := e.acceptedBy("accept_contract")
	if accepted {
		return true
	}
	if other {
		d := report.New(report.CodeTaskChanged, fmt.Sprintf("the task is #%d, but the pull request was opened for #%d", e.snapshot.Issue.Number, remembered.Issue))
		e.add(withRefusal(d, refused))
	}
	for i, c := range weakened {
		if i == maxChangesNamed {
			break
		}
		e.add(withRefusal(contractChanged(c, e.changedBy(c.Check)), refused))
	}
	return false
}

// maxChangesNamed bounds the changes that have a diagnostic of their own; the Report lists all.
const maxChangesNamed = 10

func withRefusal(d report.Diagnostic, refused string) report.Diagnostic {
	if refused != "" {
		d.Message += "; " + refused
	}
	d.Where = &report.Where{Document: IssueDocument}
	return d
}

func contractChanged(c report.Change, by string) report.Diagnostic {
	if by != "" {
		by = " " + by
	}
	message := fmt.Sprintf("%s was removed from the task%s; it was: %s", c.Check, by, firstWords(c.Was))
	if c.Change == "edited" {
		message = fmt.Sprintf("%s was changed in the task%s, from: %s to: %s", c.Check, by, firstWords(c.Was), firstWords(c.Is))
	}
	d := report.New(report.CodeContractChanged, message)
	d.Check = pointer(c.Check)
	d.Details = map[string]any{"change": c.Change, "was": c.Was}
	if c.Is != "" {
		d.Details["is"] = c.Is
	}
	return d
}

// weakening lists the changes that somebody has to accept: all but additions.
func weakening(all []report.Change) []report.Change {
	var out []report.Change
	for _, c := range all {
		if c.Change != "added" {
			out = append(out, c)
		}
	}
	return out
}

// changes compares two contracts check by check, by id, else by match key. How a check is spelled
// does not matter where it means the same.
func changes(was, is Contract) []report.Change {
	now, seen := map[string]*RequiredCheck{}, map[string]bool{}
	for i := range is.Checks {
		if c := &is.Checks[i]; c.where.Document != policyDocument {
			now[c.identity()] = c
		}
	}
	out := []report.Change{}
	for i := range was.Checks {
		old := &was.Checks[i]
		identity := old.identity()
		seen[identity] = true
		c, there := now[identity]
		switch {
		case !there:
			out = append(out, report.Change{Check: old.Name(), Change: "removed", Was: checkline.Whole(old.line.Line)})
		case string(old.canonical(nil)) != string(c.canonical(nil)):
			out = append(out, report.Change{Check: old.Name(), Change: "edited", Was: checkline.Whole(old.line.Line), Is: checkline.Whole(c.line.Line)})
		}
	}
	for i := range is.Checks {
		if c := &is.Checks[i]; now[c.identity()] == c && !seen[c.identity()] {
			out = append(out, report.Change{Check: c.Name(), Change: "added", Is: checkline.Whole(c.line.Line)})
		}
	}
	return out
}

func (c *RequiredCheck) identity() string {
	if c.ID != "" {
		return c.ID
	}
	return c.line.Key
}

// rememberedContract reads the remembered checks by the rules of a task. One that cannot be read any
// more stays as a check that nothing equals.
func rememberedContract(remembered snapshot.RememberedContract) Contract {
	var text strings.Builder
	text.WriteString("## " + ContractSection + "\n\n")
	remembered.Checks = slices.DeleteFunc(slices.Clone(remembered.Checks), isCriterion)
	for _, c := range remembered.Checks {
		line := checkline.Squeeze(c.Text)
		if c.ID != nil && !strings.HasPrefix(strings.ToUpper(line), "["+strings.ToUpper(*c.ID)+"]") {
			line = "[" + *c.ID + "] " + line
		}
		text.WriteString("- " + line + "\n")
	}
	d, err := markdown.Parse(text.String())
	if err == nil {
		r := contractReader{d: d}
		r.read()
		if len(r.contract.Checks) == len(remembered.Checks) {
			return r.contract
		}
	}
	var out Contract
	for _, c := range remembered.Checks {
		unread := RequiredCheck{Text: c.Text}
		if c.ID != nil {
			unread.ID = *c.ID
		}
		out.Checks = append(out.Checks, unread)
	}
	return out
}

// Remember is the contract of a Snapshot as it is remembered at first sight: as the task's text stood
// when the pull request was created (section 10). Nil when there is no contract to remember then.
func Remember(s snapshot.Snapshot) *snapshot.RememberedContract {
	if s.Issue == nil || s.Issue.Body == nil {
		return nil
	}
	text := *s.Issue.Body
	if then := textAt(*s.Issue, s.PullRequest.CreatedAt); then != nil {
		text = *then
	}
	contract, diagnostics := ReadContract(text)
	if hasError(diagnostics) || len(contract.Checks) == 0 {
		return nil
	}
	out := &snapshot.RememberedContract{Issue: s.Issue.Number, Digest: contract.Digest(), RecordedAt: s.Now}
	for i := range contract.Checks {
		c := &contract.Checks[i]
		r := snapshot.RememberedCheck{Text: checkline.Whole(c.line.Line)}
		if c.ID != "" {
			r.ID = pointer(c.ID)
		}
		out.Checks = append(out.Checks, r)
	}
	for _, c := range contract.Criteria.Criteria {
		if c.ID != "" {
			out.Checks = append(out.Checks, snapshot.RememberedCheck{ID: pointer(c.ID), Text: c.Line()})
		}
	}
	return out
}

// isCriterion reports whether a remembered line is an acceptance criterion: those are remembered
// beside the checks, by their own ids.
func isCriterion(c snapshot.RememberedCheck) bool { return c.ID != nil && criteria.ID(*c.ID) != "" }

// criteriaChanges compares the acceptance criteria with the remembered ones. Where only their digest
// was remembered, it tells that something changed, not what.
func criteriaChanges(remembered snapshot.RememberedContract, is Contract) []report.Change {
	now, seen := map[string]string{}, map[string]bool{}
	for _, c := range is.Criteria.Criteria {
		now[c.ID] = c.Line()
	}
	var out []report.Change
	for _, c := range remembered.Checks {
		if !isCriterion(c) {
			continue
		}
		id := criteria.ID(*c.ID)
		seen[id] = true
		switch line, there := now[id]; {
		case !there:
			out = append(out, report.Change{Check: id, Change: "removed", Was: c.Text})
		case checkline.Squeeze(line) != checkline.Squeeze(c.Text):
			out = append(out, report.Change{Check: id, Change: "edited", Was: c.Text, Is: line})
		}
	}
	for _, c := range is.Criteria.Criteria {
		if len(seen) > 0 && c.ID != "" && !seen[c.ID] {
			out = append(out, report.Change{Check: c.ID, Change: "added", Is: c.Line()})
		}
	}
	if len(seen) == 0 && !sameCriteria(remembered, is) {
		out = append(out, report.Change{Check: criteria.SectionName, Change: "edited", Was: "as the digest of first sight has them", Is: "as the task has them now"})
	}
	return out
}

// sameCriteria tells by the remembered digest whether the criteria are those of first sight: it is
// then the digest of the remembered checks with the present criteria, or with none.
func sameCriteria(remembered snapshot.RememberedContract, is Contract) bool {
	if remembered.Digest == "" {
		return true
	}
	was := rememberedContract(remembered)
	without := was.Digest()
	was.Criteria = is.Criteria
	return remembered.Digest == without || remembered.Digest == was.Digest()
}
