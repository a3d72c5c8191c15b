// Package queue keeps the service's jobs in River, on the same database as the store (design section
// 14, Queue; the settings follow design section 18). It knows the kinds of jobs, that a target has
// at most one that is not finished, and how a job is completed or discarded in a transaction. What a
// job does is left to the worker.
package queue

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"sync/atomic"
	"time"

	"github.com/riverqueue/river"
	"github.com/riverqueue/river/riverdriver"
	"github.com/riverqueue/river/riverdriver/riversqlite"
	"github.com/riverqueue/river/rivertype"

	"github.com/evidence-gate/evidence-gate/app/store"
)

const (
	// background is how many jobs of background work run at the same time, beside the others.
	background = 4

	// fetchCooldown: River's throughput is workers per fetch; its default of 100 ms is too slow.
	fetchCooldown = 10 * time.Millisecond
	// fetchPoll is how soon a job is seen, new or after its snooze. River polls for its notifications
	// too on SQLite, so they would gain nothing.
	fetchPoll = 30 * time.Millisecond
	// jobTimeout bounds one run; requests to GitHub are bounded by themselves.
	jobTimeout = time.Minute
	// rescueAfter is when River takes a job for stuck. Its default is an hour.
	rescueAfter = 2 * time.Minute
	// completedRetention: nothing reads completed jobs, and a busy service makes many.
	completedRetention = 10 * time.Minute
	discardedRetention = 30 * 24 * time.Hour

	// riverAttempts keeps River from discarding a job on its own: giving up must go together with
	// what the store records about it, so the worker does it.
	riverAttempts = 10000
)

// Evaluate judges one pull request.
type Evaluate struct {
	TargetID int64 `json:"target_id" river:"unique"`
}

// Kind is River's name of the job.
func (Evaluate) Kind() string { return "evaluate" }

// Resolve finds the pull requests that a head or a task stands for.
type Resolve struct {
	TargetID int64 `json:"target_id" river:"unique"`
}

// Kind is River's name of the job.
func (Resolve) Kind() string { return "resolve" }

// Options tune a Queue.
type Options struct {
	Workers  *river.Workers
	Parallel int                          // jobs that run at the same time
	Grace    time.Duration                // how long running jobs may go on during Stop
	Due      func(store.Target) time.Time // when the first run for a target that changed may start
	Retry    river.ClientRetryPolicy
	Logger   *slog.Logger
}

// Queue runs jobs. It is safe for concurrent use.
type Queue struct {
	client  *river.Client[*sql.Tx]
	due     func(store.Target) time.Time
	running atomic.Bool
}

// New prepares the queue on the store's database and connects the store to it.
func New(s *store.Store, o Options) (*Queue, error) {
	client, err := river.NewClient[*sql.Tx](looking{riversqlite.New(s.DB()), s.JobDue}, &river.Config{
		Queues:                      map[string]river.QueueConfig{store.Events: {MaxWorkers: o.Parallel}, store.Sweeps: {MaxWorkers: background}},
		Workers:                     o.Workers,
		RetryPolicy:                 o.Retry,
		Logger:                      o.Logger,
		SoftStopTimeout:             o.Grace,
		PollOnly:                    true,
		FetchCooldown:               fetchCooldown,
		FetchPollInterval:           fetchPoll,
		JobTimeout:                  jobTimeout,
		RescueStuckJobsAfter:        rescueAfter,
		MaxAttempts:                 riverAttempts,
		CompletedJobRetentionPeriod: completedRetention,
		CancelledJobRetentionPeriod: discardedRetention,
		DiscardedJobRetentionPeriod: discardedRetention,
	})
	if err != nil {
		return nil, fmt.Errorf("prepare the queue: %w", err)
	}
	q := &Queue{client: client, due: o.Due}
	s.SetEnqueue(q.enqueue)
	return q, nil
}

// Start begins to run jobs; Stop ends it.
func (q *Queue) Start(ctx context.Context) error {
	if err := q.client.Start(context.WithoutCancel(ctx)); err != nil {
		return fmt.Errorf("start the queue: %w", err)
	}
	q.running.Store(true)
	return nil
}

// Stop takes no more jobs and waits for those that run. After the grace period they are cancelled
// and put back.
func (q *Queue) Stop(ctx context.Context) error {
	if !q.running.Swap(false) {
		return nil
	}
	if err := q.client.Stop(ctx); err != nil {
		return fmt.Errorf("stop the queue: %w", err)
	}
	return nil
}

// Running says whether jobs are being run.
func (q *Queue) Running() bool { return q.running.Load() }

// unfinished are the states in which a job stands for its target. Running must be among them, or a
// second one could start beside it; completed must not, or nothing would ever be judged twice.
var unfinished = []rivertype.JobState{
	rivertype.JobStateAvailable, rivertype.JobStatePending, rivertype.JobStateRetryable,
	rivertype.JobStateRunning, rivertype.JobStateScheduled,
}

// enqueue inserts a job for each target that has none, to run when the burst of events is over. River
// would let it wait in the state scheduled, which it looks at only every 5 seconds; what it snoozes for
// less than that stays available with a time to come, and so do these.
func (q *Queue) enqueue(ctx context.Context, tx *sql.Tx, targets []store.Target) error {
	jobs := make([]river.InsertManyParams, 0, len(targets))
	for _, t := range targets {
		jobs = append(jobs, river.InsertManyParams{Args: jobOf(t), InsertOpts: &river.InsertOpts{
			Queue:       queueOf(t),
			ScheduledAt: q.due(t),
			UniqueOpts:  river.UniqueOpts{ByArgs: true, ByState: unfinished},
		}})
	}
	if _, err := q.client.InsertManyFastTx(ctx, tx, jobs); err != nil {
		return fmt.Errorf("queue %d jobs: %w", len(jobs), err)
	}
	for _, name := range []string{store.Events, store.Sweeps} {
		if err := store.MakeAvailable(ctx, tx, name); err != nil {
			return err
		}
	}
	return nil
}

// queueOf is where the job of a target waits.
func queueOf(t store.Target) string {
	if t.Background {
		return store.Sweeps
	}
	return store.Events
}

func jobOf(t store.Target) river.JobArgs {
	if t.Kind == store.PullRequest {
		return Evaluate{TargetID: t.ID}
	}
	return Resolve{TargetID: t.ID}
}

// Complete completes the job in the transaction. It must be called from the job's own run.
func Complete[Args river.JobArgs](job *river.Job[Args]) store.InTx {
	return func(ctx context.Context, tx *sql.Tx) error {
		_, err := river.JobCompleteTx[*riversqlite.Driver](ctx, tx, job)
		if errors.Is(err, river.ErrNotFound) {
			return fmt.Errorf("complete job %d: it is gone: %w", job.ID, err)
		}
		return err
	}
}

// Discard ends the job in the transaction as one that was given up, with the reason. Left to River,
// an event that arrives in between would find the job still running and get none of its own.
func Discard[Args river.JobArgs](job *river.Job[Args], now time.Time, reason string) store.InTx {
	return func(ctx context.Context, tx *sql.Tx) error {
		client, err := river.ClientFromContextSafely[*sql.Tx](ctx)
		if err != nil {
			return err
		}
		problem, err := json.Marshal(rivertype.AttemptError{At: now, Attempt: job.Attempt, Error: reason})
		if err != nil {
			return err
		}
		set := riverdriver.JobSetStateDiscarded(job.ID, now, problem, nil)
		_, err = client.Driver().UnwrapExecutor(tx).JobSetStateIfRunningMany(ctx, &riverdriver.JobSetStateIfRunningManyParams{
			ID:              []int64{set.ID},
			Attempt:         []*int{set.Attempt},
			ErrData:         [][]byte{set.ErrData},
			FinalizedAt:     []*time.Time{set.FinalizedAt},
			MetadataDoMerge: []bool{false},
			MetadataUpdates: [][]byte{nil},
			ScheduledAt:     []*time.Time{set.ScheduledAt},
			State:           []rivertype.JobState{set.State},
		})
		if err != nil {
			return fmt.Errorf("discard job %d: %w", job.ID, err)
		}
		return nil
	}
}
