package app

import (
	"cmp"
	"context"
	"errors"
	"log/slog"
	"slices"
	"sync"
	"time"

	"github.com/evidence-gate/evidence-gate/app/config"
	"github.com/evidence-gate/evidence-gate/app/event"
	"github.com/evidence-gate/evidence-gate/app/metrics"
	"github.com/evidence-gate/evidence-gate/app/publish"
	"github.com/evidence-gate/evidence-gate/app/worker"
	"github.com/evidence-gate/evidence-gate/internal/github"
	"github.com/evidence-gate/evidence-gate/internal/published"
	"github.com/evidence-gate/evidence-gate/internal/render"
	"github.com/evidence-gate/evidence-gate/report"
	"github.com/evidence-gate/evidence-gate/snapshot"
)

// renderVersion must change with the wording of check runs, so that unchanged reports are sent again.
const renderVersion = "3"

// GitHub is the real GitHub as the worker sees it.
type GitHub struct {
	app       *github.App
	checkName string
	hasChecks func(body string) bool
	now       func() time.Time

	mu   sync.Mutex
	slug string
}

// NewGitHub signs in as the configured App; it makes no request. hasChecks says whether the text of
// a task has required checks.
func NewGitHub(c config.Config, m *metrics.Metrics, hasChecks func(body string) bool) (*GitHub, error) {
	app, err := github.NewApp(github.AppConfig{
		ID: c.AppID, PrivateKey: c.PrivateKey, BaseURL: c.GitHubURL,
		Observe: func(call github.Call) { m.Called(call.API, call.Status, call.Took, call.Remaining) },
	})
	if err != nil {
		return nil, err
	}
	return &GitHub{app: app, checkName: c.CheckName, hasChecks: hasChecks, now: time.Now}, nil
}

// Self is who the service is on GitHub, without asking: the slug is empty until a job has run.
func (g *GitHub) Self() event.Self {
	g.mu.Lock()
	defer g.mu.Unlock()
	return event.Self{AppID: g.app.ID(), Slug: g.slug}
}

// Installation implements worker.GitHub.
func (g *GitHub) Installation(ctx context.Context, id int64, repo github.Repo) (worker.Installation, error) {
	slug, err := g.ownSlug(ctx)
	if err != nil {
		return nil, err
	}
	if id == 0 {
		if id, err = g.app.InstallationFor(ctx, repo); err != nil {
			return nil, err
		}
	}
	client, err := g.app.Installation(id)
	if err != nil {
		return nil, err
	}
	return installation{
		Client:  client,
		options: github.LoadOptions{App: slug, HasChecks: g.hasChecks},
		publisher: publish.Publisher{
			GitHub: client, CheckName: g.checkName, Render: g.render, RenderVersion: renderVersion, Now: g.now,
		},
	}, nil
}

// InstallationFor implements worker.GitHub.
func (g *GitHub) InstallationFor(ctx context.Context, repo github.Repo) (int64, error) {
	return g.app.InstallationFor(ctx, repo)
}

// InstallationByID implements worker.GitHub.
func (g *GitHub) InstallationByID(ctx context.Context, id int64) (github.Installation, error) {
	found, err := g.app.InstallationByID(ctx, id)
	if github.KindOf(err) == github.NotFound || found.Suspended {
		g.app.Forget(id)
	}
	return found, err
}

// Repositories implements worker.GitHub.
func (g *GitHub) Repositories(ctx context.Context, id int64) ([]github.InstalledRepository, error) {
	client, err := g.app.Installation(id)
	if err != nil {
		return nil, err
	}
	return client.InstalledRepositories(ctx)
}

// ownSlug asks once: the App's own check runs are no evidence and must be known by it.
func (g *GitHub) ownSlug(ctx context.Context) (string, error) {
	if slug := g.Self().Slug; slug != "" {
		return slug, nil
	}
	slug, err := g.app.Slug(ctx)
	if err != nil {
		return "", err
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	g.slug = slug
	return slug, nil
}

// greetingPatience is how long the first request at start may take.
const greetingPatience = 15 * time.Second

// Greet asks GitHub who the App is, so that a wrong key, id or address shows at start and not with
// the first webhook. GitHub may be down just then, so a failure only warns.
func (g *GitHub) Greet(ctx context.Context, log *slog.Logger) {
	ctx, cancel := context.WithTimeout(ctx, greetingPatience)
	defer cancel()
	slug, err := g.ownSlug(ctx)
	switch {
	case err == nil:
		log.InfoContext(ctx, "signed in to GitHub", "app", slug)
	case ctx.Err() == nil || errors.Is(ctx.Err(), context.DeadlineExceeded):
		log.WarnContext(ctx, "could not sign in to GitHub; it is tried again with each job", "error", err.Error())
	}
}

func (g *GitHub) render(r report.Report) (title, summary, text string) {
	return render.CheckRun(r, render.CheckRunOptions{})
}

type installation struct {
	*github.Client
	options   github.LoadOptions
	publisher publish.Publisher
}

func (i installation) Snapshot(ctx context.Context, repo github.Repo, number int) (snapshot.Snapshot, error) {
	return i.Client.Snapshot(ctx, repo, number, i.options)
}

func (i installation) Publish(ctx context.Context, target publish.Target, r report.Report) (publish.Outcome, error) {
	return i.publisher.Publish(ctx, target, r)
}

// Published implements worker.Installation.
func (i installation) Published(ctx context.Context, repo github.Repo, sha, name string) ([]published.State, error) {
	runs, err := i.CheckRuns(ctx, repo, sha, cmp.Or(name, i.publisher.CheckName))
	if kind := github.KindOf(err); kind == github.NotFound || kind == github.Invalid {
		return nil, nil // the commit is gone
	}
	if err != nil {
		return nil, err
	}
	slices.SortFunc(runs, func(a, b github.CheckRun) int { return cmp.Compare(b.ID, a.ID) })
	var states []published.State
	for _, run := range runs {
		if state, err := published.From(run.App, i.options.App, run.Text); err == nil {
			states = append(states, state)
		}
	}
	return states, nil
}
