// Package approval judges who stands behind a pull request (design section 10): which approvals of the
// head count, who is too close to the work to give one and why, whose request for changes stands in
// the way, when only a person can approve, and whether an admin passed the gate (section 9). It also
// holds the table from which trust labels and the assurance follow; docs/trust.md is that table.
//
// It is pure. How approvals are asked for is left to the service, and what an override does to the
// other findings to package checks.
//
// Nothing here fails open. An approval counts only when everything that it needs is known: who gave
// it, with which role, on which commit, and that nothing later from the same account takes it back. A
// request for changes counts unless it is known that it does not.
package approval

import (
	"github.com/evidence-gate/evidence-gate/profile/policy"
	"github.com/evidence-gate/evidence-gate/report"
	"github.com/evidence-gate/evidence-gate/snapshot"
)

// Facts is everything that is needed to judge the approvals of one pull request.
type Facts struct {
	Snapshot snapshot.Snapshot
	Policy   policy.Effective
	Level    policy.Level // in force, as the task may have raised it; one that is none counts as the highest
	Stage    report.Stage

	Recorders    []Recorder // who recorded attempts; recorded runs are read from the Snapshot
	SelfReported bool       // some check rests on the word of whoever wrote the evidence
	PersonChecks []string   // names of the checks that wait for a person (`method: person`)
	SignOff      []string   // ids of the criteria that wait for a maintainer's sign-off
}

// Recorder is an account that recorded attempts of a check.
type Recorder struct {
	Actor   *snapshot.Actor // nil: it is not known who did
	Check   string          // empty when it is not known
	Comment int64           // 0 when it is not known
}

// Result is what was concluded from [Facts]. Only Diagnostics depend on the stage: stage review asks
// for no approval, so it has none.
type Result struct {
	Diagnostics []report.Diagnostic
	Approvals   []report.Approval // every approval of the head, and whether it counts
	Notes       []string          // in the words of a Report's notes

	Reviewed     bool // an independent approval of the head
	Person       bool // an approval of the head by the person rule of checks+human
	SelfApproved bool // Person, and only by whoever wrote the evidence, as there is no other maintainer

	Rejections int        // requests for changes that count
	Escalated  bool       // so many that only a person can approve
	Asked      bool       // a reviewer asked for a person
	Involved   []Involved // who is too close to the work to review it; filled where a review is asked for

	Override        *snapshot.Action // by which an admin passed the gate for this head; nil: none counts
	OverrideRefused string           // why the last override that was tried does not count, as a sentence
}

// Involved is an account that cannot review this pull request, and what it did.
type Involved struct {
	Login string
	Why   string // the rest of a sentence that begins with the login
}
