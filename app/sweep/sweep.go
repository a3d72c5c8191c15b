// Package sweep finds open pull requests that have no verdict on their present head, because an event
// was lost or the service was down (design section 14, Recovery). It asks GitHub for lists only; the
// pull requests are judged by the worker, in a queue of their own, so that the work of webhooks does not
// starve. What it may ask for in one pass is bounded, and the next pass goes on from there.
package sweep

import (
	"context"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"time"

	"github.com/evidence-gate/evidence-gate/app/store"
	"github.com/evidence-gate/evidence-gate/internal/github"
)

const (
	// mostRepositories bounds the requests of one pass for one installation, at one for a hundred open
	// pull requests of a repository: at a pass every five minutes a quarter of GitHub's hourly budget.
	mostRepositories = 100
	// mostBacklog is how many found pull requests may wait at a time.
	mostBacklog = 20
	// backlogEvery is how often the sweep looks whether the backlog is worked off.
	backlogEvery = 250 * time.Millisecond
	// retryFailed is when work that was given up is tried again without an event.
	retryFailed = time.Hour
)

// GitHub is what a sweep asks for.
type GitHub interface {
	Installations(ctx context.Context) ([]github.Installation, error)
	Repositories(ctx context.Context, installation int64) ([]github.InstalledRepository, error)
	Open(ctx context.Context, installation int64, repo github.Repo) ([]github.OpenPullRequest, error)
}

// Store is what is known of pull requests, and where those that were found are recorded.
type Store interface {
	Verdicts(ctx context.Context, repositoryID int64) (map[int]store.Verdict, error)
	Sweep(ctx context.Context, changes []store.Change) error
	Backlog(ctx context.Context) (int, error)
}

// Sweeper makes passes. It is for one goroutine.
type Sweeper struct {
	GitHub GitHub
	Store  Store
	Log    *slog.Logger
	Now    func() time.Time

	after map[int64]int64 // by installation the id of the repository at which the last pass stopped
}

// Run makes a pass at once and then again after about that time, until ctx ends.
func (s *Sweeper) Run(ctx context.Context, every time.Duration) {
	for {
		found, err := s.Pass(ctx)
		switch {
		case ctx.Err() != nil:
			return
		case err != nil:
			s.Log.WarnContext(ctx, "the sweep could not begin", "error", err.Error())
		case found > 0:
			s.Log.InfoContext(ctx, "swept", "pull_requests", found)
		}
		select {
		case <-ctx.Done():
			return
		case <-time.After(jittered(every)):
		}
	}
}

// jittered keeps several services from asking at the same moment: a tenth more or less.
func jittered(every time.Duration) time.Duration {
	return every - every/10 + rand.N(every/5+1)
}

// Pass looks through every installation that is not suspended and says how many pull requests it found.
// What goes wrong with one installation or repository is logged and does not stop the others.
func (s *Sweeper) Pass(ctx context.Context) (found int, err error) {
	installations, err := s.GitHub.Installations(ctx)
	if err != nil {
		return 0, err
	}
	for _, installation := range installations {
		if installation.Suspended {
			continue
		}
		log := s.Log.With("installation", installation.ID, "account", installation.Account)
		here, err := s.installation(ctx, log, installation)
		found += here
		if ctx.Err() != nil {
			return found, ctx.Err()
		}
		if err != nil {
			log.WarnContext(ctx, "could not sweep the installation", "error", err.Error())
		}
	}
	return found, nil
}

func (s *Sweeper) installation(ctx context.Context, log *slog.Logger, installation github.Installation) (found int, err error) {
	repositories, err := s.GitHub.Repositories(ctx, installation.ID)
	if err != nil {
		return 0, err
	}
	for _, r := range s.turn(installation.ID, repositories) {
		here, err := s.repository(ctx, installation, r)
		found += here
		switch {
		case ctx.Err() != nil:
			return found, ctx.Err()
		case stopsAll(err):
			return found, err
		case err != nil:
			log.WarnContext(ctx, "could not sweep the repository", "repository", r.Repo.String(), "error", err.Error())
		}
	}
	return found, nil
}

// stopsAll tells failures that every other repository of the installation would meet too.
func stopsAll(err error) bool {
	switch github.KindOf(err) {
	case github.RateLimited, github.Suspended, github.Unauthorized:
		return true
	}
	return false
}

// turn are the repositories whose turn it is: those behind the last one of the pass before, and then
// from the beginning. They come in the order of their ids.
func (s *Sweeper) turn(installation int64, all []github.InstalledRepository) []github.InstalledRepository {
	var live []github.InstalledRepository
	start := 0
	for _, r := range all {
		if r.Archived {
			continue
		}
		if live = append(live, r); r.ID <= s.after[installation] {
			start = len(live)
		}
	}
	if len(live) <= mostRepositories {
		return live
	}
	var turn []github.InstalledRepository
	for i := range mostRepositories {
		turn = append(turn, live[(start+i)%len(live)])
	}
	if s.after == nil {
		s.after = map[int64]int64{}
	}
	s.after[installation] = turn[len(turn)-1].ID
	return turn
}

// repository records the open pull requests without a verdict on their head.
func (s *Sweeper) repository(ctx context.Context, installation github.Installation, r github.InstalledRepository) (found int, err error) {
	open, err := s.GitHub.Open(ctx, installation.ID, r.Repo)
	if err != nil {
		return 0, err
	}
	verdicts, err := s.Store.Verdicts(ctx, r.ID)
	if err != nil {
		return 0, err
	}
	var changes []store.Change
	for _, pr := range open {
		if !current(verdicts, pr, s.Now()) {
			changes = append(changes, store.Change{
				Subject: store.Numbered(r.ID, store.PullRequest, pr.Number), InstallationID: installation.ID,
				Owner: r.Repo.Owner, Repository: r.Repo.Name, HeadSHA: pr.HeadSHA, At: s.Now(),
			})
		}
	}
	for part := range chunks(changes) {
		if err := s.room(ctx); err != nil {
			return found, err
		}
		if err := s.Store.Sweep(ctx, part); err != nil {
			return found, err
		}
		found += len(part)
	}
	return found, nil
}

// current says whether the pull request needs no look: its head was judged, or work on it is waiting
// anyway. Work that was given up is left alone for a while.
func current(known map[int]store.Verdict, pr github.OpenPullRequest, now time.Time) bool {
	v, seen := known[pr.Number]
	switch {
	case !seen:
		return false
	case !v.FailedAt.IsZero():
		return now.Sub(v.FailedAt) < retryFailed
	}
	return v.Waiting || v.HeadSHA == pr.HeadSHA
}

func chunks(changes []store.Change) func(yield func([]store.Change) bool) {
	return func(yield func([]store.Change) bool) {
		for len(changes) > 0 {
			part := changes[:min(mostBacklog, len(changes))]
			if changes = changes[len(part):]; !yield(part) {
				return
			}
		}
	}
}

// room waits until what was found before is worked off.
func (s *Sweeper) room(ctx context.Context) error {
	ticker := time.NewTicker(backlogEvery)
	defer ticker.Stop()
	for {
		backlog, err := s.Store.Backlog(ctx)
		if err != nil || backlog < mostBacklog {
			return err
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("wait for the backlog: %w", ctx.Err())
		case <-ticker.C:
		}
	}
}
