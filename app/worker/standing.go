package worker

import (
	"slices"

	"github.com/evidence-gate/evidence-gate/app/store"
	"github.com/evidence-gate/evidence-gate/profile/policy"
	"github.com/evidence-gate/evidence-gate/report"
	"github.com/evidence-gate/evidence-gate/snapshot"
)

// enrolled says whether anything may be published (design section 9): the repository has a policy of
// its own or its organisation's, unless all are enrolled. A policy that could not be read counts as
// one, so that nothing fails open.
func (w *Worker) enrolled(s snapshot.Snapshot) bool {
	return w.EnrolAll || s.Policy != nil || s.OrganisationPolicy != nil || unread(s, "policy")
}

func unread(s snapshot.Snapshot, fact string) bool {
	return slices.ContainsFunc(s.Unavailable, func(u snapshot.Unavailable) bool { return u.Fact == fact })
}

// policyOf is the policy in force for the pull request. ok is false when it is broken or could not be
// read: nobody has a role by it then.
func policyOf(s snapshot.Snapshot) (p policy.Effective, ok bool) {
	read, faults := policy.Resolve(s.Policy, s.OrganisationPolicy)
	broken := slices.ContainsFunc(faults, func(d report.Diagnostic) bool { return d.Severity == report.Error })
	return read.For(s), !broken && !unread(s, "policy")
}

// checkName is what the policy calls the check run: empty, for the service's own name, when it does
// not say. While the policy cannot be read, the name that was used last stands.
func checkName(p policy.Effective, readable bool, before store.Standing) string {
	switch {
	case !readable:
		return before.CheckName
	case p.Origin("check_name").Source == policy.BuiltIn:
		return ""
	}
	return p.CheckName
}
