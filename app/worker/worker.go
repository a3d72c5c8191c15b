// Package worker does what the queue asks for (design section 14): it finds the pull requests that
// a head or a task stands for, and judges pull requests: load, evaluate, publish. It decides what is
// tried again, what waits and what is given up. How a pull request is read and a check run written
// is left to GitHub's side, what was seen before to the memory, commands to their handler, and the
// verdict to the engine.
package worker

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"runtime/debug"
	"time"

	"github.com/riverqueue/river"

	"github.com/evidence-gate/evidence-gate/app/command"
	"github.com/evidence-gate/evidence-gate/app/memory"
	"github.com/evidence-gate/evidence-gate/app/metrics"
	"github.com/evidence-gate/evidence-gate/app/publish"
	"github.com/evidence-gate/evidence-gate/app/queue"
	"github.com/evidence-gate/evidence-gate/app/store"
	"github.com/evidence-gate/evidence-gate/internal/github"
	"github.com/evidence-gate/evidence-gate/internal/published"
	"github.com/evidence-gate/evidence-gate/profile/policy"
	"github.com/evidence-gate/evidence-gate/report"
	"github.com/evidence-gate/evidence-gate/snapshot"
)

const (
	// debounce: events come in bursts, such as a push with its labels and its edited body.
	debounce = 500 * time.Millisecond
	// debounceAtMost keeps a steady stream of events from putting the run off for ever.
	debounceAtMost = 5 * time.Second
)

// Installation is GitHub as one installation of the app sees it.
type Installation interface {
	Snapshot(ctx context.Context, repo github.Repo, number int) (snapshot.Snapshot, error)
	PullRequestsClosing(ctx context.Context, repo github.Repo, issue int) ([]int, error)
	PullRequestsByHead(ctx context.Context, repo github.Repo, sha string) ([]int, error)
	Open(ctx context.Context, repo github.Repo) ([]github.OpenPullRequest, error)
	Refresh() // of what may have changed without a new commit
	Publish(ctx context.Context, target publish.Target, r report.Report) (publish.Outcome, error)
	// Published reads back what the App's own check runs of that name on a commit say, the newest first.
	Published(ctx context.Context, repo github.Repo, sha, name string) ([]published.State, error)
	RequestReviews(ctx context.Context, repo github.Repo, number int, users, teams []string) error
	MaintainersOf(ctx context.Context, repo github.Repo, by policy.Roles) ([]string, error)
	command.GitHub
}

// GitHub gives the installation for a repository; id is 0 when no event has named it.
type GitHub interface {
	Installation(ctx context.Context, id int64, repo github.Repo) (Installation, error)
	// InstallationFor is the installation that covers the repository; InstallationByID how one stands.
	InstallationFor(ctx context.Context, repo github.Repo) (int64, error)
	InstallationByID(ctx context.Context, id int64) (github.Installation, error)
	// Repositories are those of an installation.
	Repositories(ctx context.Context, id int64) ([]github.InstalledRepository, error)
}

// Evaluate is the engine.
type Evaluate func(snapshot.Snapshot, report.Stage) report.Report

// Worker holds what jobs need.
type Worker struct {
	Store    *store.Store
	GitHub   GitHub
	Evaluate Evaluate
	EnrolAll bool // publish in repositories without a policy too
	// CheckName is what check runs are called where no policy names them.
	CheckName string
	Commands  *command.Handler
	Memory    memory.Memory
	Metrics   *metrics.Metrics
	Log       *slog.Logger
	Now       func() time.Time

	runs knownRuns
}

// Workers registers both kinds of jobs.
func (w *Worker) Workers() *river.Workers {
	workers := river.NewWorkers()
	river.AddWorker(workers, &evaluator{w: w})
	river.AddWorker(workers, &resolver{w: w})
	return workers
}

type evaluator struct {
	river.WorkerDefaults[queue.Evaluate]
	w *Worker
}

func (e *evaluator) Work(ctx context.Context, job *river.Job[queue.Evaluate]) error {
	return run(ctx, e.w, job, job.Args.TargetID, e.w.judge)
}

type resolver struct {
	river.WorkerDefaults[queue.Resolve]
	w *Worker
}

func (r *resolver) Work(ctx context.Context, job *river.Job[queue.Resolve]) error {
	return run(ctx, r.w, job, job.Args.TargetID, r.w.resolve)
}

// task is one run of a job on its target.
type task struct {
	store.Target
	repo     github.Repo
	attempt  int
	complete store.InTx
	log      *slog.Logger
}

// run is the frame of both kinds. do must end by completing the job together with the target; it
// says whether the target changed meanwhile and has to be looked at again.
func run[Args river.JobArgs](ctx context.Context, w *Worker, job *river.Job[Args], id int64,
	do func(context.Context, task) (again bool, err error),
) error {
	target, err := w.Store.Target(ctx, id)
	if errors.Is(err, store.ErrNoTarget) {
		return nil
	}
	if err != nil {
		return err
	}
	t := task{
		Target:   target,
		repo:     github.Repo{Owner: target.Owner, Name: target.Repository},
		attempt:  job.Attempt,
		complete: queue.Complete(job),
	}
	t.log = w.Log.With("repository", t.repo.String(), string(t.Kind), t.Name, "attempt", t.attempt)
	if wait := waitFor(target, w.Now()); wait > 0 {
		return river.JobSnooze(wait)
	}
	again, err := guarded(ctx, t, do)
	if err != nil {
		discard := func(reason string) store.InTx { return queue.Discard(job, w.Now(), reason) }
		return w.failed(ctx, t, job.Args.Kind(), err, discard)
	}
	if again {
		return river.JobSnooze(debounce)
	}
	return nil
}

// Due is when the burst of events counts as over.
func Due(t store.Target) time.Time {
	quiet, latest := t.LastEventAt.Add(debounce), t.FirstEventAt.Add(debounceAtMost)
	if latest.Before(quiet) {
		return latest
	}
	return quiet
}

// waitFor is how long the burst may still last. A wait longer than any can be comes from a clock that
// was set back since: it is over.
func waitFor(t store.Target, now time.Time) time.Duration {
	wait := Due(t).Sub(now)
	if wait < 0 || wait > debounceAtMost {
		return 0
	}
	return wait
}

// guarded turns a panic into an error, so that it counts as a failed attempt like any other.
func guarded(ctx context.Context, t task, do func(context.Context, task) (bool, error)) (again bool, err error) {
	defer func() {
		if cause := recover(); cause != nil {
			t.log.ErrorContext(ctx, "panic in a job", "panic", fmt.Sprint(cause), "stack", string(debug.Stack()))
			again, err = false, fmt.Errorf("panic: %v", cause)
		}
	}()
	return do(ctx, t)
}
