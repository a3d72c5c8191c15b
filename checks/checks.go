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
	contract *Contract
	report   report.Report
}

// A judge adds its part to the Report. It returns false when nothing else may be judged after it.
type judge struct {
	name string
	run  func(*evaluation) bool
}

// judges lists who judges, in order. Attempts, profile, policy, people and memory join here.
var judges = []judge{
	{"documents", (*evaluation).judgeDocuments},
	{"members", (*evaluation).judgeMembers},
	{"task", (*evaluation).judgeTask},
	{"contract", (*evaluation).judgeContract},
	{"evidence", (*evaluation).judgeEvidence},
}

func evaluate(e *evaluation) report.Report {
	e.report = report.Report{
		Schema: report.Schema, Stage: e.stage, HeadSHA: e.snapshot.PullRequest.HeadSHA,
		Level: "checks", Mode: "enforce", Assurance: selfReported,
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
	e.report.Conclusion = report.Conclude(e.report.Diagnostics)
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

func (e *evaluation) add(d ...report.Diagnostic) {
	e.report.Diagnostics = append(e.report.Diagnostics, d...)
}

func pointer[T any](v T) *T { return &v }
