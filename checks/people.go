package checks

import (
	"slices"

	"github.com/evidence-gate/evidence-gate/approval"
	"github.com/evidence-gate/evidence-gate/report"
)

// judgePeople judges who stands behind the pull request (section 10), once it is known what the
// evidence rests on. Checks that only a person can settle are satisfied by that person's approval.
func (e *evaluation) judgePeople() bool {
	if e.offline && (e.contract == nil || !e.asksForPeople()) {
		return true
	}
	f := approval.Facts{
		Snapshot: e.snapshot, Policy: e.policy, Level: e.level, Stage: e.stage,
		Recorders: e.recorders(), SelfReported: e.selfReported(), PersonChecks: e.personChecks(), SignOff: e.criteria.SignOff,
	}
	e.people = approval.Judge(f)
	for _, d := range e.people.Diagnostics {
		if !e.offline || d.Code != report.CodeSnapshotFactUnavailable { // files have no such facts
			e.add(d)
		}
	}
	e.report.Approvals = e.people.Approvals
	for _, n := range e.people.Notes {
		e.note(n)
	}
	for i := range e.report.Checks {
		c := &e.report.Checks[i]
		if e.contract.Checks[i].needsPerson() && !e.people.Person {
			c.Satisfied = c.Satisfied && e.stage == report.Review
		}
		if c.TrustLabel != nil {
			c.TrustLabel = pointer(approval.Label([]string{*c.TrustLabel}, e.people))
		}
	}
	if e.people.Person {
		e.criteria = e.criteria.WithSignOff()
	}
	e.report.Criteria = e.criteria.Criteria
	return true
}

// asksForPeople reports whether somebody's approval is asked for. Files know of none, so that they
// cannot say that the pull request may merge.
func (e *evaluation) asksForPeople() bool {
	return e.level.Review() || e.level.Human() || len(e.personChecks()) > 0 || len(e.criteria.SignOff) > 0
}

// recorders are the accounts whose word the recorded attempts are.
func (e *evaluation) recorders() []approval.Recorder {
	var out []approval.Recorder
	for _, r := range e.attempts.Recorders {
		out = append(out, approval.Recorder{Actor: r.Actor, Check: r.Check, Comment: r.Comment})
	}
	return out
}

// selfReported reports whether some check rests on the word of whoever wrote the evidence.
func (e *evaluation) selfReported() bool {
	return slices.ContainsFunc(e.report.Checks, func(c report.Check) bool {
		return c.TrustLabel == nil || *c.TrustLabel == approval.SelfReportedLabel
	})
}

// personChecks are the checks that wait for a person whatever the level.
func (e *evaluation) personChecks() []string {
	var names []string
	for i := range e.contract.Checks {
		if c := &e.contract.Checks[i]; c.needsPerson() {
			names = append(names, c.Name())
		}
	}
	return names
}

// override lets an admin's override for this head pass the gate: every error becomes a note beside it
// (section 8).
func (e *evaluation) override() {
	if e.offline || e.neutral != "" {
		return
	}
	found, refused := approval.FindOverride(e.snapshot, e.policy.Roles)
	if found == nil {
		e.refusedOverride(refused)
		return
	}
	for i := range e.report.Diagnostics {
		if d := &e.report.Diagnostics[i]; d.Severity == report.Error {
			d.Severity = report.Note
		}
	}
	e.report.Diagnostics = append([]report.Diagnostic{approval.Overridden(*found)}, e.report.Diagnostics...)
}

// refusedOverride shows beside the approvals that an override was tried and why it does not count.
func (e *evaluation) refusedOverride(why string) {
	for i := len(e.snapshot.Actions) - 1; i >= 0 && why != ""; i-- {
		if a := e.snapshot.Actions[i]; a.Kind == "override" {
			e.report.Approvals = append(e.report.Approvals, report.Approval{Actor: handName(a.Actor), As: "override", Because: why})
			return
		}
	}
}
