package checks

import (
	"github.com/evidence-gate/evidence-gate/approval"
)

// actionsApp is the slug of GitHub Actions, whose runs the change itself can rewrite.
const actionsApp = "github-actions"

// label sets how far a satisfied check can be trusted (section 10).
func (p *proof) label() {
	label := approval.SelfReportedLabel
	if p.out.Via != nil && *p.out.Via == "status_check" {
		label = approval.PlatformChecked
		own, _ := p.producers()
		if len(own) == 1 && own[0].app == actionsApp && p.m.e.workflowTouched() {
			label = approval.SelfReportedLabel
		}
	}
	p.out.TrustLabel = pointer(label)
}

// workflowTouched reports whether the pull request may change what GitHub Actions runs, and notes
// that it does.
func (e *evaluation) workflowTouched() bool {
	touched := approval.WorkflowTouched(e.snapshot.PullRequest)
	if touched && len(e.snapshot.PullRequest.ChangedPaths) > 0 {
		e.note("workflow_changed_by_author")
	}
	return touched
}

// assurance is the strongest label that every check reaches, raised by the approvals of the head.
func (e *evaluation) assurance() string {
	labels := make([]string, 0, len(e.report.Checks))
	for _, c := range e.report.Checks {
		label := ""
		if c.TrustLabel != nil {
			label = *c.TrustLabel
		}
		labels = append(labels, label)
	}
	return approval.Assurance(labels, e.people)
}
