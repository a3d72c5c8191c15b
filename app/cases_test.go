package app

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/evidence-gate/evidence-gate/app/config"
	"github.com/evidence-gate/evidence-gate/app/metrics"
	"github.com/evidence-gate/evidence-gate/checks"
	"github.com/evidence-gate/evidence-gate/internal/fulltest"
	"github.com/evidence-gate/evidence-gate/internal/githubtest"
	"github.com/evidence-gate/evidence-gate/internal/render"
	"github.com/evidence-gate/evidence-gate/profile/policy"
	"github.com/evidence-gate/evidence-gate/report"
	"github.com/evidence-gate/evidence-gate/snapshot"
)

// everyNth is how many of the cases go through a service of their own outside full tests.
const everyNth = 12

// One engine, proved (design section 19): what a GitHub can show of a case leads through webhook,
// queue, loader and worker to the Report that follows from the case itself, and that is published.
func TestCasesThroughTheService(t *testing.T) {
	t.Parallel()
	cases, err := filepath.Glob("../testdata/cases/*.json")
	require.NoError(t, err)
	require.NotEmpty(t, cases)
	for i, name := range cases {
		if !fulltest.Enabled() && i%everyNth != 0 {
			continue
		}
		t.Run(filepath.Base(name), func(t *testing.T) {
			t.Parallel()
			text, err := os.ReadFile(name)
			require.NoError(t, err)
			var c struct {
				Snapshot snapshot.Snapshot `json:"snapshot"`
			}
			require.NoError(t, json.Unmarshal(text, &c))
			w := githubtest.NewT(t, githubtest.Options{})
			pr, known, err := w.World().Show(c.Snapshot)
			if errors.Is(err, githubtest.ErrNotShown) {
				return // no GitHub can show it
			}
			require.NoError(t, err)
			if known.PullRequest.State != "open" {
				return // the service judges open pull requests only
			}
			throughTheService(t, w, pr, known)
		})
	}
}

func throughTheService(t *testing.T, w *githubtest.Server, pr *githubtest.PullRequest, known snapshot.Snapshot) {
	t.Helper()
	if contract := checks.Remember(known); contract != nil {
		known.Memory = &snapshot.Memory{Contract: contract} // the service remembers it at first sight
	}
	want := checks.Evaluate(known, report.Merge)
	name := "evidence-gate"
	if p, faults := policy.Resolve(known.Policy, known.OrganisationPolicy); len(faults) == 0 {
		name = p.CheckName
	}
	judged := make(chan report.Report, 8)
	settings := config.Config{
		Listen: "127.0.0.1:0", AdminListen: "127.0.0.1:0", DatabasePath: newDatabase(t), GitHubURL: w.URL(),
		AppID: w.App().ID, PrivateKey: w.App().PrivateKey, WebhookSecrets: []string{w.App().WebhookSecret}, CheckName: "evidence-gate", Enrol: config.EnrolAll,
	}
	numbers := metrics.New()
	client, err := NewGitHub(settings, numbers, checks.HasChecks)
	require.NoError(t, err)
	service, err := New(settings, Deps{
		GitHub: client, Self: client.Self, Metrics: numbers, Log: slog.New(slog.NewTextHandler(io.Discard, nil)),
		Evaluate: func(s snapshot.Snapshot, stage report.Stage) report.Report {
			r := checks.Evaluate(s, stage)
			judged <- r
			return r
		},
	})
	require.NoError(t, err)
	ctx, stop := context.WithTimeout(t.Context(), time.Minute)
	defer stop()
	ended := make(chan error, 1)
	go func() { ended <- service.Run(ctx) }()

	w.Webhooks().SetTarget(service.WebhookURL())
	repo := pr.Repository()
	_, err = w.Webhooks().Send(ctx, "pull_request", map[string]any{
		"action": "edited", "number": pr.Number(),
		"pull_request": map[string]any{"number": pr.Number(), "head": map[string]any{"sha": pr.HeadSHA()}},
		"repository":   map[string]any{"id": known.Repository.ID, "full_name": repo.FullName(), "name": known.Repository.Name, "owner": map[string]any{"login": known.Repository.Owner}},
	})
	require.NoError(t, err)
	require.NoError(t, w.WaitFor(ctx, func() bool {
		runs := repo.CheckRuns(pr.HeadSHA())
		return len(runs) > 0 && runs[len(runs)-1].Name == name
	}))
	require.Equal(t, asJSON(t, want), asJSON(t, <-judged))
	title, _, _ := render.CheckRun(want, render.CheckRunOptions{})
	found := 0
	for _, run := range repo.CheckRuns(pr.HeadSHA()) {
		if run.App == w.App().Slug && run.Name == name && run.ExternalID != "" {
			found++
			require.Equal(t, title, run.Title)
			switch {
			case want.Mode == "report" || want.Conclusion == report.Neutral:
				require.Equal(t, "success", run.Conclusion)
			case want.Conclusion == report.Pending:
				require.Equal(t, "in_progress", run.Status)
			default:
				require.Equal(t, string(want.Conclusion), run.Conclusion)
			}
		}
	}
	require.Equal(t, 1, found)
	stop()
	require.NoError(t, <-ended)
}

func asJSON(t *testing.T, r report.Report) string {
	t.Helper()
	text, err := json.MarshalIndent(r, "", " ")
	require.NoError(t, err)
	return string(text)
}
