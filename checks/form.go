package checks

import (
	"github.com/evidence-gate/evidence-gate/report"
	"github.com/evidence-gate/evidence-gate/snapshot"
)

// Form is what the evidence of a pull request has to look like: the contract as Evaluate judges it,
// from the task and the policy, and the section ready to fill. While the task, its linking or the
// policy is not in order there is neither, and the diagnostics say why.
type Form struct {
	Contract    Contract
	Section     string // empty without a contract
	Diagnostics []report.Diagnostic
	Neutral     string // why nothing will be judged; empty when the pull request is
}

// FormOf reads the form of a Snapshot.
func FormOf(s snapshot.Snapshot) Form {
	e := &evaluation{snapshot: s, stage: report.Review}
	judged := e.judgePolicy() || e.neutral != ""
	if judged && e.judgeTask() && e.judgeContract() {
		e.judgeProfile()
	}
	if e.unavailable("issue") {
		e.contract = nil
		e.needFact("issue")
	}
	form := Form{Diagnostics: e.report.Diagnostics, Neutral: e.neutral}
	if e.contract != nil {
		form.Contract, form.Section = *e.contract, sectionWith(*e.contract, s.PullRequest.HeadSHA, e.facts)
	}
	return form
}
