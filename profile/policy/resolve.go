package policy

import (
	"github.com/evidence-gate/evidence-gate/report"
	"github.com/evidence-gate/evidence-gate/snapshot"
)

// Source is whose file a policy was read from.
type Source string

// The sources, in the order in which they are looked for.
const (
	Repository   Source = "repository"
	Organisation Source = "organisation"
	BuiltIn      Source = "default"
)

// document is how diagnostics name the file.
func (s Source) document() string {
	if s == Organisation {
		return "organisation_policy"
	}
	return "policy"
}

// Default is the policy where there is no file (design section 9).
func Default() Policy {
	return Policy{
		Source: BuiltIn,
		Demands: Demands{
			Level: LevelChecks, StatusChecks: Explicit, Contradictions: Fail, Unrenewed: Warn,
			Criteria: Optional, NoChanges: Flag, MaxRejections: 3, MaxAttempts: 3,
		},
		Mode:            Enforce,
		CheckName:       "evidence-gate",
		Tasks:           Tasks{Source: FromIssue, Require: true},
		Roles:           Roles{Maintainers: MaintainerRole{Permission: "maintain"}},
		PersonVia:       AnyWay,
		Notify:          Request,
		ContractChanges: Maintainers,
		Kind:            CLI,
	}
}

// Resolve reads the policy that is in force: the repository's file, else the organisation's, else the
// defaults. One file counts as a whole; nothing is merged, and a broken file of the repository does
// not fall back to the organisation's. Only the organisation's floor holds beside a repository's own
// file, so that a broken file of the organisation is a fault even then.
//
// A nil file is one that is not there; one that could not be read must not be given as nil. While
// there is an error among the diagnostics, the policy must not be judged by.
func Resolve(repository, organisation *snapshot.File) (Policy, []report.Diagnostic) {
	if repository == nil && organisation == nil {
		return Default(), nil
	}
	var above Policy
	var faults []report.Diagnostic
	if organisation != nil {
		above, faults = Read(organisation.Text, Organisation)
	}
	if repository == nil {
		return above, faults
	}
	own, more := Read(repository.Text, Repository)
	own.Floor = above.Floor
	return own, append(more, faults...)
}
