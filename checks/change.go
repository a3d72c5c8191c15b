package checks

import (
	"fmt"

	"github.com/evidence-gate/evidence-gate/prbody"
	"github.com/evidence-gate/evidence-gate/profile/policy"
	"github.com/evidence-gate/evidence-gate/report"
)

// judgeChange reports a pull request that changes no file (section 10).
func (e *evaluation) judgeChange() bool {
	files := e.snapshot.PullRequest.ChangedFiles
	if files == nil || *files > 0 || e.policy.NoChanges == policy.Allow {
		return true
	}
	d := report.New(report.CodeChangeEmpty, "the pull request changes no file")
	if ev, err := prbody.Read(e.body()); err == nil && ev.NoCode != nil {
		d.Severity = report.Note
		d.Message += fmt.Sprintf("; its reason: %q", firstWords(ev.NoCode.Text))
		d.Where = &ev.NoCode.Where
	}
	e.add(d)
	return true
}
