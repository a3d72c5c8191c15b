package checks

import "strings"

// Trust labels and assurances that this version can reach (section 10).
const (
	selfReported    = "self_reported"
	platformChecked = "platform_checked"
)

// actionsApp is the slug of GitHub Actions, whose runs the change itself can rewrite.
const actionsApp = "github-actions"

// label sets how far a satisfied check can be trusted (section 10).
func (p *proof) label() {
	label := selfReported
	if p.out.Via != nil && *p.out.Via == "status_check" {
		label = platformChecked
		own, _ := p.producers()
		if len(own) == 1 && own[0].app == actionsApp && p.m.e.workflowTouched() {
			label = selfReported
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

// assurance is the strongest label that every check reaches.
func (e *evaluation) assurance() string {
	if len(e.report.Checks) == 0 {
		return selfReported
	}
	for _, c := range e.report.Checks {
		if c.TrustLabel == nil || *c.TrustLabel != platformChecked {
			return selfReported
		}
	}
	return platformChecked
}
