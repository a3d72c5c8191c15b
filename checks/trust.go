package checks

import (
	"strings"

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

// workflowTouched reports whether the pull request may change what GitHub Actions runs. Paths that
// were not read may be any.
func (e *evaluation) workflowTouched() bool {
	pr := e.snapshot.PullRequest
	for _, path := range pr.ChangedPaths {
		if strings.HasPrefix(path, ".github/workflows/") || strings.HasPrefix(path, ".github/actions/") || path == ".github/evidence.yml" {
			e.note("workflow_changed_by_author")
			return true
		}
	}
	return len(pr.ChangedPaths) == 0 && (pr.ChangedFiles == nil || *pr.ChangedFiles > 0)
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
