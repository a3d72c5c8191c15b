package publish

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/evidence-gate/evidence-gate/report"
)

// The table of design section 8.
func TestConclusionsOnGitHub(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		conclusion       report.Conclusion
		mode             string
		status, onGitHub string
		completes        bool
	}{
		"success":                      {report.Success, "", "completed", "success", true},
		"failure":                      {report.Failure, "enforce", "completed", "failure", true},
		"action required":              {report.ActionRequired, "", "completed", "action_required", true},
		"pending":                      {report.Pending, "", "in_progress", "", false},
		"neutral passes":               {report.Neutral, "", "completed", "success", true},
		"failure in mode report":       {report.Failure, "report", "completed", "success", true},
		"pending in mode report":       {report.Pending, "report", "completed", "success", true},
		"action needed in mode report": {report.ActionRequired, "report", "completed", "success", true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := concluded(c.conclusion)
			r.Mode = c.mode
			run, err := newPublisher(nil).run(target(), r)
			require.NoError(t, err)
			require.Equal(t, c.status, run.Status)
			require.Equal(t, c.onGitHub, run.Conclusion)
			require.Equal(t, c.completes, !run.CompletedAt.IsZero())
			require.Equal(t, noon, run.StartedAt)
			require.Equal(t, "evidence-gate", run.Name)
			require.Equal(t, head, run.HeadSHA)
		})
	}
}

func TestDigest(t *testing.T) {
	t.Parallel()
	detailed := func() report.Report {
		r := concluded(report.Failure)
		r.Diagnostics = []report.Diagnostic{{Code: "head.stale", Details: map[string]any{"a": 1, "b": 2, "c": 3}}}
		return r
	}
	digest := func(change func(*Publisher, *report.Report)) string {
		p, r := newPublisher(nil), detailed()
		change(&p, &r)
		run, err := p.run(target(), r)
		require.NoError(t, err)
		return run.ExternalID
	}
	same := digest(func(*Publisher, *report.Report) {})
	require.Regexp(t, `^sha256:[0-9a-f]{64}$`, same)
	for range 20 {
		require.Equal(t, same, digest(func(*Publisher, *report.Report) {}), "the order of keys makes no difference")
	}
	for name, change := range map[string]func(*Publisher, *report.Report){
		"conclusion": func(_ *Publisher, r *report.Report) { r.Conclusion = report.Success },
		"diagnostic": func(_ *Publisher, r *report.Report) { r.Diagnostics[0].Message = "other" },
		"details":    func(_ *Publisher, r *report.Report) { r.Diagnostics[0].Details["b"] = 3 },
		"wording":    func(p *Publisher, _ *report.Report) { p.RenderVersion = "2" },
		"link": func(p *Publisher, _ *report.Report) {
			p.DetailsURL = func(Target) string { return "https://gate.example.com" }
		},
	} {
		require.NotEqual(t, same, digest(change), name)
	}
}
