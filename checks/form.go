package checks

import (
	"slices"

	"github.com/evidence-gate/evidence-gate/criteria"
	"github.com/evidence-gate/evidence-gate/profile"
	"github.com/evidence-gate/evidence-gate/profile/policy"
	"github.com/evidence-gate/evidence-gate/report"
	"github.com/evidence-gate/evidence-gate/snapshot"
)

// Form is what the evidence of a pull request has to look like. While the task, its linking or the
// policy is not in order there is no contract to go by, and the diagnostics say why.
type Form struct {
	Contract    Contract
	Section     string // the Evidence section with every check, ready to fill; empty without a contract
	Criteria    criteria.List
	Diagnostics []report.Diagnostic
	Neutral     string // why nothing will be judged; empty when the pull request is
}

// Text is the whole section: the checks, then the criteria.
func (f Form) Text() string {
	if f.Section == "" {
		return ""
	}
	return f.Section + f.Criteria.Entries("")
}

// FormOf reads the form of a Snapshot: the contract as Evaluate judges it, from the task and the
// policy, and what the profile knows of each command.
func FormOf(s snapshot.Snapshot) Form {
	e := &evaluation{snapshot: s, stage: report.Review}
	judged := e.judgePolicy() || e.neutral != ""
	if judged && e.judgeTask() && e.judgeContract() {
		e.judgeProfile()
	}
	if e.needFact("issue") {
		e.contract = nil
	}
	if e.contract == nil {
		return Form{Diagnostics: e.report.Diagnostics, Neutral: e.neutral}
	}
	f := formOf(*e.contract, s.PullRequest.HeadSHA, e.facts, e.report.Diagnostics)
	f.Neutral = e.neutral
	if e.policy.Criteria == policy.Off {
		f.Criteria, f.Diagnostics = criteria.List{}, e.report.Diagnostics
	}
	return f
}

// FormOfTask is the form of a task before there is a pull request.
func FormOfTask(task, head string, known profile.Profile) Form {
	contract, diagnostics := ReadContract(task)
	if hasError(diagnostics) {
		return Form{Diagnostics: diagnostics}
	}
	return formOf(contract, head, NewFactIndex(known), diagnostics)
}

func formOf(contract Contract, head string, facts *FactIndex, diagnostics []report.Diagnostic) Form {
	f := Form{Contract: contract, Criteria: contract.Criteria, Diagnostics: slices.Concat(diagnostics, contract.faults)}
	f.Section = sectionWith(contract, head, facts)
	return f
}
