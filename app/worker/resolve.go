package worker

import (
	"context"
	"slices"

	"github.com/evidence-gate/evidence-gate/app/store"
	"github.com/evidence-gate/evidence-gate/internal/github"
)

// resolve finds the open pull requests behind a head or a task and queues them.
func (w *Worker) resolve(ctx context.Context, t task) (again bool, err error) {
	switch t.Kind {
	case store.Installation:
		return w.lookThrough(ctx, t)
	case store.Whole, store.Base:
		return w.everyOpen(ctx, t)
	}
	installation, err := w.GitHub.Installation(ctx, t.InstallationID, t.repo)
	if err != nil {
		return false, err
	}
	var numbers []int
	if t.Kind == store.Issue {
		numbers, err = w.closing(ctx, installation, t)
	} else {
		numbers, err = installation.PullRequestsByHead(ctx, t.repo, t.Name)
	}
	if err != nil {
		return false, err
	}
	t.log.InfoContext(ctx, "resolved", "pull_requests", numbers)
	return w.Store.Resolve(ctx, t.Target, numbers, t.complete)
}

// closing lists the pull requests that close the task now, and those that did when they were last
// judged: a task that was deleted, moved or unlinked changes their verdict too.
func (w *Worker) closing(ctx context.Context, from Installation, t task) ([]int, error) {
	known, err := w.Store.LinkedPullRequests(ctx, t.RepositoryID, taskName(t.repo.String(), t.Number()))
	if err != nil {
		return nil, err
	}
	numbers, err := from.PullRequestsClosing(ctx, t.repo, t.Number())
	if err != nil && (github.KindOf(err) != github.NotFound || len(known) == 0) {
		return nil, err
	}
	numbers = append(slices.Clone(numbers), known...)
	slices.Sort(numbers)
	return slices.Compact(numbers), nil
}
