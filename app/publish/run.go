package publish

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/evidence-gate/evidence-gate/app/button"
	"github.com/evidence-gate/evidence-gate/internal/github"
	"github.com/evidence-gate/evidence-gate/report"
)

// GitHub's words for check runs. Its neutral and skipped satisfy a required check, so they have no
// place here (design section 14).
const (
	completed      = "completed"
	inProgress     = "in_progress"
	success        = "success"
	failure        = "failure"
	actionRequired = "action_required"
)

// states is the table of design section 8: what each conclusion is on GitHub.
var states = map[report.Conclusion]struct{ status, conclusion string }{
	report.Success:        {completed, success},
	report.Failure:        {completed, failure},
	report.ActionRequired: {completed, actionRequired},
	report.Pending:        {inProgress, ""},
	report.Neutral:        {completed, success}, // with the reason: GitHub lets neutral pass
}

// ReportOnly is the policy's mode that publishes and never blocks; its title, which says what the
// conclusion would have been, is the renderer's (design section 8).
const ReportOnly = "report"

// run is the check run that says what the report says.
func (p Publisher) run(target Target, r report.Report) (github.CheckRun, error) {
	state, ok := states[r.Conclusion]
	if !ok {
		return github.CheckRun{}, fmt.Errorf("publish %s#%d: expected a report with a conclusion, found %q", target.Repo, target.Number, r.Conclusion)
	}
	if !strings.EqualFold(r.HeadSHA, target.HeadSHA) {
		return github.CheckRun{}, fmt.Errorf("publish %s#%d: expected a report on %s, found one on %q", target.Repo, target.Number, target.HeadSHA, r.HeadSHA)
	}
	if r.Mode == ReportOnly {
		state.status, state.conclusion = completed, success
	}
	details := ""
	if p.DetailsURL != nil {
		details = p.DetailsURL(target)
	}
	digest, err := p.digest(details, target, r)
	if err != nil {
		return github.CheckRun{}, err
	}
	title, summary, text := p.Render(r)
	summary = withSharing(summary, target.Number, target.Sharing)
	run := github.CheckRun{
		Name:       cmp.Or(target.CheckName, p.CheckName),
		HeadSHA:    target.HeadSHA,
		Status:     state.status,
		Conclusion: state.conclusion,
		ExternalID: digest,
		Title:      cmp.Or(line(title), string(r.Conclusion)), // GitHub refuses an empty one
		Summary:    cmp.Or(document(summary, details), string(r.Conclusion)),
		Text:       ending(text, details, target.Memory),
		Buttons:    buttons(r),
		DetailsURL: details,
		StartedAt:  p.Now(),
	}
	if state.status == completed {
		run.CompletedAt = p.Now()
	}
	return run, nil
}

// buttons are those that the report calls for.
func buttons(r report.Report) []github.Button {
	var list []github.Button
	for _, b := range button.For(r) {
		list = append(list, github.Button{Identifier: string(b.Name), Label: b.Label, Description: b.Description})
	}
	return list
}
