package demo

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"sync"

	"github.com/evidence-gate/evidence-gate/app"
	"github.com/evidence-gate/evidence-gate/app/config"
	"github.com/evidence-gate/evidence-gate/app/metrics"
	"github.com/evidence-gate/evidence-gate/checks"
	"github.com/evidence-gate/evidence-gate/internal/githubtest"
)

// anyPort lets the system choose a free port that only this machine reaches.
const anyPort = "127.0.0.1:0"

// checkName is what the published check run is called.
const checkName = "evidence-gate"

// stage is everything that runs: GitHub's stand-in, the service and their files.
type stage struct {
	github   *githubtest.Server
	service  *app.Service
	unknown  *unmodelled
	folder   string
	database string

	ctx   context.Context // ends with the caller's, or with the service when that fails
	end   context.CancelCauseFunc
	ended chan error // the service's last word; nil when it did not start
}

// build starts everything. What was started before something failed is ended again.
func (d director) build(ctx context.Context, log *slog.Logger) (_ *stage, err error) {
	s := &stage{unknown: &unmodelled{}}
	s.ctx, s.end = context.WithCancelCause(ctx)
	defer func() {
		if err != nil {
			err = errors.Join(err, s.strike())
		}
	}()
	if s.folder, err = os.MkdirTemp(d.temp, "evidence-gate-demo-"); err != nil {
		return nil, fmt.Errorf("make a folder for the database: %w", err)
	}
	s.database = filepath.Join(s.folder, "evidence-gate.db")
	// The secret is new each time: with --keep the service stays reachable for others on this machine.
	s.github, err = githubtest.New(s.unknown, githubtest.Options{App: githubtest.App{WebhookSecret: rand.Text()}})
	if err != nil {
		return nil, err
	}
	if s.service, err = d.service(s, log); err != nil {
		return nil, err
	}
	s.github.Webhooks().SetTarget(s.service.WebhookURL())
	s.ended = make(chan error, 1)
	go s.serve()
	return s, nil
}

// service is the real service, as serve runs it, with the simulator as its GitHub.
func (d director) service(s *stage, log *slog.Logger) (*app.Service, error) {
	settings := config.Config{
		Listen: anyPort, AdminListen: anyPort, DatabasePath: s.database, GitHubURL: s.github.URL(),
		AppID: s.github.App().ID, PrivateKey: s.github.App().PrivateKey,
		WebhookSecrets: []string{s.github.App().WebhookSecret}, Enrol: config.EnrolByPolicy, CheckName: checkName,
	}
	numbers := metrics.New()
	client, err := app.NewGitHub(settings, numbers, checks.HasChecks)
	if err != nil {
		return nil, err
	}
	return app.New(settings, app.Deps{
		GitHub: client, Self: client.Self, Evaluate: d.evaluate, Metrics: numbers, Log: log,
	})
}

// serviceEnded is the cause of a context that ended because the service did, by itself.
type serviceEnded struct{ reason error }

func (e serviceEnded) Error() string { return fmt.Sprintf("the service ended by itself: %v", e.reason) }
func (e serviceEnded) Unwrap() error { return e.reason }

// serve runs the service. When it ends by itself everybody who waits for it is told.
func (s *stage) serve() {
	err := s.service.Run(s.ctx)
	if s.ctx.Err() == nil {
		s.end(serviceEnded{err})
		err = nil
	}
	s.ended <- err
}

// broken is why the demo cannot go on, nil when it was merely stopped.
func (s *stage) broken() error {
	var ended serviceEnded
	if errors.As(context.Cause(s.ctx), &ended) {
		return ended
	}
	return nil
}

// strike ends everything, in the order in which work flows, and removes the files.
func (s *stage) strike() error {
	s.end(context.Canceled)
	var errs []error
	if s.ended != nil {
		if err := <-s.ended; err != nil {
			errs = append(errs, fmt.Errorf("stop the service: %w", err))
		}
	}
	if s.github != nil {
		s.github.Close()
	}
	if s.folder != "" {
		if err := os.RemoveAll(s.folder); err != nil {
			errs = append(errs, fmt.Errorf("remove the demo's files: %w", err))
		}
	}
	return errors.Join(errs...)
}

// unmodelled remembers what the service asked and the simulator does not know. A story that rests
// on such an answer is not true.
type unmodelled struct {
	mu    sync.Mutex
	first string
}

// Errorf implements githubtest.Reporter.
func (u *unmodelled) Errorf(format string, args ...any) {
	u.mu.Lock()
	defer u.mu.Unlock()
	if u.first == "" {
		u.first = fmt.Sprintf(format, args...)
	}
}

func (u *unmodelled) err() error {
	u.mu.Lock()
	defer u.mu.Unlock()
	if u.first == "" {
		return nil
	}
	return errors.New(u.first)
}
