package checks

import (
	"fmt"
	"slices"

	"github.com/evidence-gate/evidence-gate/profile/policy"
	"github.com/evidence-gate/evidence-gate/report"
	"github.com/evidence-gate/evidence-gate/snapshot"
)

// judgePolicy finds out what the policy asks of this pull request (section 9). While the policy has
// an error nothing else is judged (C6), and where it does not apply nothing is.
func (e *evaluation) judgePolicy() bool {
	if e.offline {
		e.policy = policy.Effective{Policy: policy.Default()}
		return true
	}
	if e.needFact("policy") {
		return false
	}
	rules, diagnostics := policy.Resolve(e.snapshot.Policy, e.snapshot.OrganisationPolicy)
	e.add(diagnostics...)
	if hasError(diagnostics) {
		return false
	}
	e.policy = rules.For(e.snapshot)
	e.report.Level, e.report.Mode = string(e.policy.Level), e.policy.Mode
	if e.policyChanged() {
		e.note("policy_changed_here")
	}
	if e.policy.Neutral != "" {
		e.neutral = e.policy.Neutral
		return false
	}
	for _, missing := range e.policy.Missing {
		e.need(missing)
	}
	for _, key := range e.policy.UnjudgedAt(e.stage) {
		e.add(unjudgedKey(key))
	}
	return true
}

// policyChanged reports whether the pull request changes the policy that it will be judged by next.
func (e *evaluation) policyChanged() bool {
	if p := e.snapshot.Policy; p != nil && p.ChangedInPullRequest {
		return true
	}
	return slices.Contains(e.snapshot.PullRequest.ChangedPaths, policy.Path)
}

func unjudgedKey(key policy.Key) report.Diagnostic {
	d := report.New(report.CodeGateUnavailable, fmt.Sprintf("the policy's %s: %s asks for %s, which this version cannot judge", key.Name, key.Value, key.Why))
	d.Details = map[string]any{"key": key.Name}
	d.Where = &report.Where{Document: key.Document, Line: key.Line}
	d.Help = "take the key out until a version that can is installed; the README lists what this one judges"
	return d
}

// policyDocument is the name of the policy in diagnostics.
const policyDocument = "policy"

// needFact reports a fact that is needed, when it could not be read.
func (e *evaluation) needFact(fact string) bool {
	for _, u := range e.snapshot.Unavailable {
		if u.Fact == fact {
			e.need(u)
			return true
		}
	}
	return false
}

// need reports a fact that had to be read and was not.
func (e *evaluation) need(u snapshot.Unavailable) {
	d := report.New(report.CodeSnapshotFactUnavailable, fmt.Sprintf("%s could not be read: %s", u.Fact, u.Reason))
	d.Details = map[string]any{"fact": u.Fact}
	e.add(d)
}
