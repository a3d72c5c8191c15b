// Package checks decides: it reads the contract of the task, matches the evidence of the pull request
// body against it and turns a Snapshot into a Report (design sections 4, 5, 8 and 11). It is pure:
// no network, clock, environment or file system. How the evidence is written is known to package
// prbody; how facts are obtained and what is done with a Report is left to the callers, so that the
// service, the command line and the Action cannot disagree.
//
// A verdict is reached by a list of judges over one Snapshot, each of which adds its part to the
// Report. A member of the Snapshot that is not empty and has no judge yet never passes (section 1).
package checks

import (
	"slices"

	"github.com/evidence-gate/evidence-gate/approval"
	"github.com/evidence-gate/evidence-gate/attempts"
	"github.com/evidence-gate/evidence-gate/criteria"
	"github.com/evidence-gate/evidence-gate/profile"
	"github.com/evidence-gate/evidence-gate/profile/policy"
	"github.com/evidence-gate/evidence-gate/report"
	"github.com/evidence-gate/evidence-gate/snapshot"
)

// Evaluate turns all facts into all conclusions.
func Evaluate(s snapshot.Snapshot, stage report.Stage) report.Report {
	return evaluate(&evaluation{snapshot: s, stage: stage})
}

// Files is what can be judged offline. A nil Issue means that the contract is not known and an
// empty Head that the head commit is not; then only the form is judged.
type Files struct {
	Body  string
	Issue *string
	Head  string
	Stage report.Stage
}

// Lint judges files by the rules of Evaluate, as far as they go without GitHub.
func Lint(f Files) report.Report {
	e := &evaluation{stage: f.Stage, offline: true}
	e.snapshot.PullRequest.Body = &f.Body
	e.snapshot.PullRequest.HeadSHA = f.Head
	if f.Issue != nil {
		e.snapshot.Issue = &snapshot.Issue{Body: f.Issue}
	}
	return evaluate(e)
}

// evaluation is one judgement under way.
type evaluation struct {
	snapshot snapshot.Snapshot
	stage    report.Stage
	offline  bool // only files are known
	policy   policy.Effective
	level    policy.Level            // of the policy and the task together
	neutral  string                  // why nothing is judged; empty when the pull request is
	needed   []string                // facts that were missing and are reported
	past     map[string]pastContract // by the texts of the task that were read
	contract *Contract
	profile  profile.Profile
	facts    *FactIndex
	attempts attempts.Result
	unbound  bool // the section is for another commit, so that no entry proves anything for the head
	criteria criteria.Result
	people   approval.Result
	report   report.Report
}

// A judge adds its part to the Report. It returns false when nothing else may be judged after it.
type judge struct {
	name string
	run  func(*evaluation) bool
}

// judges lists who judges, in order. The policy comes first: where it is off, nothing is looked at
// (section 8).
var judges = []judge{
	{"policy", (*evaluation).judgePolicy},
	{"documents", (*evaluation).judgeDocuments},
	{"members", (*evaluation).judgeMembers},
	{"task", (*evaluation).judgeTask},
	{"level", (*evaluation).judgeLevel},
	{"contract", (*evaluation).judgeContract},
	{"hand", (*evaluation).judgeHand},
	{"memory", (*evaluation).judgeMemory},
	{"change", (*evaluation).judgeChange},
	{"profile", (*evaluation).judgeProfile},
	{"attempts", (*evaluation).judgeAttempts},
	{"evidence", (*evaluation).judgeEvidence},
	{"criteria", (*evaluation).judgeCriteria},
	{"people", (*evaluation).judgePeople},
}

func evaluate(e *evaluation) report.Report {
	e.report = report.Report{
		Schema: report.Schema, Stage: e.stage, HeadSHA: e.snapshot.PullRequest.HeadSHA,
		Level: "checks", Mode: "enforce", Assurance: approval.SelfReportedAssurance,
		Notes: []string{}, Checks: []report.Check{}, Episodes: []report.Episode{}, Diagnostics: []report.Diagnostic{},
		Contract: report.Contract{Changed: []report.Change{}},
	}
	if e.snapshot.PullRequest.State == "merged" {
		e.note("merged")
	}
	for _, j := range judges {
		if !j.run(e) {
			break
		}
	}
	e.override()
	e.report.Conclusion = report.Conclude(e.report.Diagnostics)
	if e.neutral != "" && e.report.Conclusion == report.Success {
		e.report.Conclusion = report.Neutral
	}
	e.report.Assurance = e.assurance()
	e.report.Title = e.title()
	return e.report
}

func (e *evaluation) note(n string) {
	for _, known := range e.report.Notes {
		if known == n {
			return
		}
	}
	e.report.Notes = append(e.report.Notes, n)
}

// add adds diagnostics to the Report. That a fact could not be read is said once, whoever needs it.
func (e *evaluation) add(found ...report.Diagnostic) {
	for _, d := range found {
		if fact, named := d.Details["fact"].(string); named && d.Code == report.CodeSnapshotFactUnavailable {
			if slices.Contains(e.needed, fact) {
				continue
			}
			e.needed = append(e.needed, fact)
		}
		e.report.Diagnostics = append(e.report.Diagnostics, d)
	}
}

func pointer[T any](v T) *T { return &v }
