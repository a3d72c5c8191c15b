package worker

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/evidence-gate/evidence-gate/app/store"
	"github.com/evidence-gate/evidence-gate/internal/github"
)

// errNotCovered is a repository or an installation that GitHub does not show; right after an event that
// may be its own delay.
var errNotCovered = errors.New("GitHub does not show it to the App")

// lookThrough queues every repository of an installation. What is stored of one that was uninstalled is
// deleted; one that is suspended is left until it is not.
func (w *Worker) lookThrough(ctx context.Context, t task) (again bool, err error) {
	found, err := w.GitHub.InstallationByID(ctx, t.InstallationID)
	switch {
	case github.KindOf(err) == github.NotFound && t.attempt < vanishedAttempts:
		return false, fmt.Errorf("%w: installation %d", errNotCovered, t.InstallationID)
	case github.KindOf(err) == github.NotFound:
		return w.forgetInstallation(ctx, t)
	case err != nil:
		return false, err
	case found.Suspended:
		t.log.InfoContext(ctx, "left alone: the installation is suspended")
		return w.Store.Finish(ctx, t.Target, store.Judged{}, t.complete)
	}
	repositories, err := w.GitHub.Repositories(ctx, t.InstallationID)
	if err != nil {
		return false, err
	}
	var changes []store.Change
	for _, r := range repositories {
		if !r.Archived {
			changes = append(changes, store.Change{
				Subject: store.Subject{RepositoryID: r.ID, Kind: store.Whole}, InstallationID: t.InstallationID,
				Owner: r.Repo.Owner, Repository: r.Repo.Name, At: t.LastEventAt,
			})
		}
	}
	t.log.InfoContext(ctx, "resolved", "repositories", len(changes))
	return w.Store.Expand(ctx, t.Target, changes, t.complete)
}

func (w *Worker) forgetInstallation(ctx context.Context, t task) (again bool, err error) {
	ids, err := w.Store.RepositoriesOf(ctx, t.InstallationID)
	if err != nil {
		return false, err
	}
	t.log.InfoContext(ctx, "the App was uninstalled: what was stored is deleted", "repositories", len(ids))
	return w.Store.Forget(ctx, t.Target, ids, t.complete)
}

// everyOpen queues the open pull requests of a repository, or of one of its branches. What is stored of
// a repository that the App does not cover any more is deleted.
func (w *Worker) everyOpen(ctx context.Context, t task) (again bool, err error) {
	t, covered, err := w.located(ctx, t)
	if err != nil {
		return false, err
	}
	if !covered {
		t.log.InfoContext(ctx, "the App does not cover the repository any more: what was stored is deleted")
		return w.Store.Forget(ctx, t.Target, []int64{t.RepositoryID}, t.complete)
	}
	installation, err := w.GitHub.Installation(ctx, t.InstallationID, t.repo)
	if err != nil {
		return false, err
	}
	installation.Refresh()
	open, err := installation.Open(ctx, t.repo)
	if err != nil {
		return false, err
	}
	var changes []store.Change
	for _, pr := range open {
		if t.Kind == store.Base && pr.Base != t.Name {
			continue
		}
		changes = append(changes, store.Change{
			Subject: store.Numbered(t.RepositoryID, store.PullRequest, pr.Number), InstallationID: t.InstallationID,
			Owner: t.Owner, Repository: t.Repository, HeadSHA: pr.HeadSHA, At: t.LastEventAt,
		})
	}
	t.log.InfoContext(ctx, "resolved", "pull_requests", len(changes))
	return w.Store.Expand(ctx, t.Target, changes, t.complete)
}

// located finds the repository by its name as it is now and the installation that covers it: events that
// tell of a new name or owner may come in any order. Only what GitHub shows neither by its name nor among
// the repositories of its last installation counts as not covered.
func (w *Worker) located(ctx context.Context, t task) (found task, covered bool, err error) {
	known := t.InstallationID
	t.InstallationID, err = w.GitHub.InstallationFor(ctx, t.repo)
	if err == nil || github.KindOf(err) != github.NotFound {
		return t, err == nil, err
	}
	if t.attempt < vanishedAttempts {
		return t, false, fmt.Errorf("%w: %s", errNotCovered, t.repo)
	}
	if t.InstallationID = known; known == 0 {
		return t, false, nil
	}
	repositories, err := w.GitHub.Repositories(ctx, known)
	if github.KindOf(err) == github.NotFound {
		return t, false, nil
	}
	at := slices.IndexFunc(repositories, func(r github.InstalledRepository) bool { return r.ID == t.RepositoryID })
	if err != nil || at < 0 {
		return t, false, err
	}
	t.repo = repositories[at].Repo
	t.Owner, t.Repository = t.repo.Owner, t.repo.Name
	return t, true, nil
}
