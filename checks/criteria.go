package checks

import (
	"strings"

	"github.com/evidence-gate/evidence-gate/criteria"
	"github.com/evidence-gate/evidence-gate/profile/policy"
	"github.com/evidence-gate/evidence-gate/snapshot"
)

// judgeCriteria judges the acceptance criteria of the task (section 10).
func (e *evaluation) judgeCriteria() bool {
	if e.contract == nil || e.policy.Criteria == policy.Off || e.withoutCriteria() {
		return true
	}
	e.add(e.contract.faults...)
	f := criteria.Facts{
		Criteria: e.contract.Criteria, Mode: e.policy.Criteria, Body: e.body(), Head: e.snapshot.PullRequest.HeadSHA, Unbound: e.unbound,
		Checks: e.report.Checks, Diagnostics: e.report.Diagnostics, Attempts: e.attempts.Of,
		Runs: e.snapshot.Runs, ContractDigest: e.report.Contract.Digest,
		ChangedPaths: e.snapshot.PullRequest.ChangedPaths, Unavailable: e.unavailable,
		RulesFile: e.policy.BusinessRules, SameCommand: SameCommand,
	}
	if e.snapshot.References != nil {
		f.Rules = e.snapshot.References.Rules
	}
	e.criteria = criteria.Judge(f)
	e.add(e.criteria.Diagnostics...)
	for _, fact := range e.criteria.Needs {
		if !e.needFact(fact) {
			e.need(snapshot.Unavailable{Fact: fact, Reason: "it is not among the facts"})
		}
	}
	return true
}

// withoutCriteria reports whether neither the task nor the body speaks of criteria, as in most pull
// requests, so that there is nothing to read.
func (e *evaluation) withoutCriteria() bool {
	return e.contract.Criteria.Empty() && len(e.contract.faults) == 0 && e.policy.Criteria != policy.Required &&
		e.policy.BusinessRules == "" && !strings.Contains(e.body(), "riterion") && !strings.Contains(e.body(), "RITERION")
}
