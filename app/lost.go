package app

import (
	"context"
	"sync"
	"time"

	"github.com/evidence-gate/evidence-gate/app/recovery"
	"github.com/evidence-gate/evidence-gate/app/sweep"
	"github.com/evidence-gate/evidence-gate/internal/github"
)

// Reach is what is asked of GitHub beyond single repositories, to find what events did not tell.
type Reach interface {
	sweep.GitHub
	recovery.GitHub
}

// seekLost looks for lost events from now on until ctx ends: pull requests without a verdict, and
// deliveries that did not arrive. Either goes on when the other is stuck. The function it returns waits
// for both.
func (s *Service) seekLost(ctx context.Context) (wait func()) {
	var both sync.WaitGroup
	if s.reach == nil {
		return both.Wait
	}
	sweeper := &sweep.Sweeper{GitHub: s.reach, Store: s.store, Log: s.log, Now: s.now}
	recoverer := &recovery.Recovery{GitHub: s.reach, Store: s.store, Log: s.log, Now: s.now, Settling: s.settling}
	for _, run := range []func(context.Context, time.Duration){sweeper.Run, recoverer.Run} {
		both.Go(func() { run(ctx, s.seek) })
	}
	return both.Wait
}

// Installations implements sweep.GitHub.
func (g *GitHub) Installations(ctx context.Context) ([]github.Installation, error) {
	return g.app.Installations(ctx)
}

// Open implements sweep.GitHub.
func (g *GitHub) Open(ctx context.Context, installation int64, repo github.Repo) ([]github.OpenPullRequest, error) {
	client, err := g.app.Installation(installation)
	if err != nil {
		return nil, err
	}
	return client.Open(ctx, repo)
}

// Deliveries implements recovery.GitHub.
func (g *GitHub) Deliveries(ctx context.Context, cursor string) ([]github.Delivery, string, error) {
	return g.app.Deliveries(ctx, cursor)
}

// Redeliver implements recovery.GitHub.
func (g *GitHub) Redeliver(ctx context.Context, id int64) error { return g.app.Redeliver(ctx, id) }
