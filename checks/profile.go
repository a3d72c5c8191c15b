package checks

import "github.com/evidence-gate/evidence-gate/profile"

// judgeProfile reads the verification profile, whose facts are shown beside the checks (section 7).
func (e *evaluation) judgeProfile() bool {
	if e.offline {
		return true
	}
	p, diagnostics := profile.Judge(e.snapshot)
	e.add(diagnostics...)
	e.profile, e.facts = p, NewFactIndex(p)
	return true
}
