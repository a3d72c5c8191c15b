// Package app is the service (design section 14): it puts intake, store, queue, worker and publisher
// together, serves webhooks and the operators' port, and stops gracefully. The parts are packages of
// their own below it:
//
//	event    payload -> hint
//	intake   HTTP request -> delivery on disk -> 202
//	store    what must not be forgotten, in one database
//	queue    jobs on the same database
//	worker   a job: load, evaluate, publish; or find the pull requests
//	memory   what was seen of carriers, beside what GitHub still shows
//	command  slash commands: find, carry out, answer
//	publish  report -> check run
//	sweep    pull requests that no event told of
//	recovery deliveries that did not arrive
//	config   where settings come from
//	metrics  what operators watch
package app

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"sync/atomic"
	"time"

	"github.com/evidence-gate/evidence-gate/app/command"
	"github.com/evidence-gate/evidence-gate/app/config"
	"github.com/evidence-gate/evidence-gate/app/event"
	"github.com/evidence-gate/evidence-gate/app/intake"
	"github.com/evidence-gate/evidence-gate/app/memory"
	"github.com/evidence-gate/evidence-gate/app/metrics"
	"github.com/evidence-gate/evidence-gate/app/queue"
	"github.com/evidence-gate/evidence-gate/app/store"
	"github.com/evidence-gate/evidence-gate/app/worker"
)

// WebhookPath is where GitHub delivers to.
const WebhookPath = "/webhooks/github"

const (
	// parallelJobs: they mostly wait for GitHub, which asks not to be called by too many at once.
	parallelJobs = 16
	// grace is how long running jobs may finish when the service stops; then they are put back.
	grace = 10 * time.Second
	// Stopping takes less than the 30 seconds after which container runtimes kill: senders get
	// hangUp to finish what they send, jobs their grace and stopTimeout in all.
	hangUp      = 3 * time.Second
	stopTimeout = 15 * time.Second
	// pruneEvery and keepDeliveries: GitHub redelivers for three days.
	pruneEvery     = time.Hour
	keepDeliveries = 7 * 24 * time.Hour
	// requeueEvery: work whose job was lost, for example removed by hand, is found again.
	requeueEvery = 5 * time.Minute
	// overdueEvery: the deadline that is looked after is a day.
	overdueEvery = time.Minute
	// wakeEvery is how soon a pull request is looked at again once its time has come.
	wakeEvery = 5 * time.Second
)

// Deps is what the service is given from outside.
type Deps struct {
	GitHub   worker.GitHub
	Reach    Reach             // nil: lost events are not looked for
	Self     func() event.Self // who the service is on GitHub; the slug may become known later
	Evaluate worker.Evaluate
	Metrics  *metrics.Metrics // nil: new ones
	Log      *slog.Logger     // nil: nothing is logged
	Now      func() time.Time // nil: the machine's clock

	firstBackoff time.Duration // 0: the worker's own
	wakeEvery    time.Duration // 0: as above
	grace        time.Duration // 0: as above
	settling     time.Duration // 0: the recovery's own
	overdueEvery time.Duration // 0: as above
}

// Service is one service process.
type Service struct {
	store    *store.Store
	queue    *queue.Queue
	metrics  *metrics.Metrics
	log      *slog.Logger
	now      func() time.Time
	wake     time.Duration // how often to look whose time has come
	reach    Reach
	overdue  time.Duration // how often to look for verdicts that wait for too long; 0: as usual
	settling time.Duration // how long a delivery may be on its way
	seek     time.Duration // how often lost events are looked for
	webhooks *server
	admin    *server
	stopping atomic.Bool
}

// New opens the database and both ports. The service must be run or closed afterwards.
func New(c config.Config, d Deps) (*Service, error) {
	if d.Now == nil {
		d.Now = time.Now
	}
	if d.Log == nil {
		d.Log = slog.New(slog.DiscardHandler)
	}
	if d.Metrics == nil {
		d.Metrics = metrics.New()
	}
	s := &Service{metrics: d.Metrics, log: d.Log, now: d.Now, wake: cmp.Or(d.wakeEvery, wakeEvery), reach: d.Reach, seek: c.SweepEvery, settling: d.settling, overdue: d.overdueEvery}
	if err := s.build(c, d); err != nil {
		return nil, errors.Join(err, s.Close())
	}
	return s, nil
}

func (s *Service) build(c config.Config, d Deps) (err error) {
	if s.store, err = store.Open(context.Background(), c.DatabasePath, d.Now); err != nil {
		return err
	}
	s.metrics.Watch(s.store)
	work := &worker.Worker{
		Store: s.store, GitHub: d.GitHub, Evaluate: d.Evaluate, EnrolAll: c.Enrol == config.EnrolAll, CheckName: c.CheckName,
		Commands: &command.Handler{Store: s.store, Evaluate: d.Evaluate, Now: d.Now}, Memory: memory.Memory{Store: s.store, Now: d.Now},
		Metrics: d.Metrics, Log: d.Log, Now: d.Now,
	}
	s.queue, err = queue.New(s.store, queue.Options{
		Workers: work.Workers(), Parallel: parallelJobs, Grace: cmp.Or(d.grace, grace), Due: worker.Due,
		Retry: worker.Backoff{Now: d.Now, First: d.firstBackoff}, Logger: slog.New(atLeast{slog.LevelWarn, d.Log.Handler()}),
	})
	if err != nil {
		return err
	}
	hooks, err := intake.New(intake.Config{
		Secrets: c.WebhookSecrets, Self: d.Self, Store: s.store, Metrics: d.Metrics, Log: d.Log, Now: d.Now,
	})
	if err != nil {
		return err
	}
	mux := http.NewServeMux()
	mux.Handle(WebhookPath, hooks)
	if s.webhooks, err = listen(c.Listen, mux, d.Log); err != nil {
		return fmt.Errorf("listen: %w", err)
	}
	if s.admin, err = listen(c.AdminListen, s.adminHandler(), d.Log); err != nil {
		return fmt.Errorf("admin_listen: %w", err)
	}
	return nil
}

// WebhookURL is the address that GitHub delivers to, as this machine knows it.
func (s *Service) WebhookURL() string { return s.webhooks.url() + WebhookPath }

// AdminURL is the address of the operators' port.
func (s *Service) AdminURL() string { return s.admin.url() }

// Run serves until ctx ends, then stops gracefully: deliveries on their way are answered, running
// jobs finish or are put back, and the database is closed. The error is nil after such a stop.
func (s *Service) Run(ctx context.Context) error {
	// A stop that comes during the start is a stop, no failure.
	if err := s.store.Requeue(context.WithoutCancel(ctx)); err != nil {
		return errors.Join(fmt.Errorf("take up unfinished work: %w", err), s.Close())
	}
	if err := s.queue.Start(ctx); err != nil {
		return errors.Join(err, s.Close())
	}
	broken := make(chan error, 2)
	go func() { broken <- s.webhooks.serve() }()
	go func() { broken <- s.admin.serve() }()
	s.log.InfoContext(ctx, "serving", "webhooks", s.WebhookURL(), "admin", s.AdminURL())

	seeking, stopSeeking := context.WithCancel(ctx)
	waitForSeeking := s.seekLost(seeking)
	failure := s.tend(ctx, broken)
	stopSeeking()
	waitForSeeking()
	return errors.Join(failure, s.stop())
}

// tend keeps the store in order until it is time to stop.
func (s *Service) tend(ctx context.Context, broken <-chan error) error {
	prune, requeue, wake := time.NewTicker(pruneEvery), time.NewTicker(requeueEvery), time.NewTicker(s.wake)
	overdue := time.NewTicker(cmp.Or(s.overdue, overdueEvery))
	defer overdue.Stop()
	defer prune.Stop()
	defer requeue.Stop()
	defer wake.Stop()
	for {
		select {
		case <-ctx.Done():
			return nil
		case err := <-broken:
			return err
		case <-wake.C:
			if err := s.store.Wake(ctx); err != nil {
				s.log.ErrorContext(ctx, "could not look whose time has come", "error", err.Error())
			}
		case <-overdue.C:
			if err := s.store.Overdue(ctx, worker.WaitDeadline); err != nil {
				s.log.ErrorContext(ctx, "could not look for verdicts that wait for too long", "error", err.Error())
			}
		case <-requeue.C:
			if err := s.store.Requeue(ctx); err != nil {
				s.log.ErrorContext(ctx, "could not look for work without a job", "error", err.Error())
			}
		case <-prune.C:
			if err := s.store.Prune(ctx, s.now().Add(-keepDeliveries)); err != nil {
				s.log.ErrorContext(ctx, "could not forget old deliveries", "error", err.Error())
			}
		}
	}
}

// stop ends the parts in the order in which work flows.
func (s *Service) stop() error {
	s.stopping.Store(true)
	s.log.Info("stopping")
	s.hangUp("webhooks", s.webhooks)
	ctx, cancel := context.WithTimeout(context.Background(), stopTimeout)
	defer cancel()
	errs := []error{s.queue.Stop(ctx)}
	s.hangUp("admin", s.admin)
	errs = append(errs, s.store.Close())
	s.log.Info("stopped")
	return errors.Join(errs...)
}

// hangUp lets requests on their way end and cuts off those that do not: what was not answered is
// GitHub's to redeliver.
func (s *Service) hangUp(name string, port *server) {
	ctx, cancel := context.WithTimeout(context.Background(), hangUp)
	defer cancel()
	if err := port.http.Shutdown(ctx); err != nil {
		s.log.Warn("requests that did not end were cut off", "port", name)
		_ = port.http.Close()
	}
}

// Close gives back what New took. It is not needed after Run.
func (s *Service) Close() error {
	var errs []error
	for _, port := range []*server{s.webhooks, s.admin} {
		if port != nil {
			errs = append(errs, port.close())
		}
	}
	if s.store != nil {
		errs = append(errs, s.store.Close())
	}
	return errors.Join(errs...)
}

// server is one port.
type server struct {
	listener net.Listener
	http     *http.Server
}

func listen(address string, handler http.Handler, log *slog.Logger) (*server, error) {
	listener, err := net.Listen("tcp", address)
	if err != nil {
		return nil, err
	}
	return &server{listener, &http.Server{
		Handler:           handler,
		ReadHeaderTimeout: 5 * time.Second,
		ReadTimeout:       10 * time.Second, // GitHub gives up by then
		WriteTimeout:      30 * time.Second,
		IdleTimeout:       2 * time.Minute,
		MaxHeaderBytes:    64 << 10,
		ErrorLog:          slog.NewLogLogger(log.Handler(), slog.LevelWarn),
	}}, nil
}

func (s *server) url() string { return "http://" + s.listener.Addr().String() }

func (s *server) serve() error {
	if err := s.http.Serve(s.listener); !errors.Is(err, http.ErrServerClosed) {
		return fmt.Errorf("serve %s: %w", s.listener.Addr(), err)
	}
	return nil
}

func (s *server) close() error {
	err := s.listener.Close()
	if errors.Is(err, net.ErrClosed) {
		return nil
	}
	return err
}

// atLeast drops records below a level: what the queue says about every job, the worker says better.
type atLeast struct {
	level slog.Level
	slog.Handler
}

func (h atLeast) Enabled(ctx context.Context, level slog.Level) bool {
	return level >= h.level && h.Handler.Enabled(ctx, level)
}

func (h atLeast) WithAttrs(attrs []slog.Attr) slog.Handler {
	return atLeast{h.level, h.Handler.WithAttrs(attrs)}
}

func (h atLeast) WithGroup(name string) slog.Handler {
	return atLeast{h.level, h.Handler.WithGroup(name)}
}
