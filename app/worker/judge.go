package worker

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/evidence-gate/evidence-gate/app/publish"
	"github.com/evidence-gate/evidence-gate/app/store"
	"github.com/evidence-gate/evidence-gate/report"
	"github.com/evidence-gate/evidence-gate/snapshot"
)

// headPatience is how many runs wait for GitHub to show the head that an event announced. After
// that the head it shows is believed: events may arrive out of order.
const headPatience = 3

// errHeadNotVisible is a read that is older than the event that led to it.
var errHeadNotVisible = errors.New("GitHub does not show the announced head commit yet")

// judge loads, evaluates and publishes one pull request.
func (w *Worker) judge(ctx context.Context, t task) (again bool, err error) {
	installation, err := w.GitHub.Installation(ctx, t.InstallationID, t.repo)
	if err != nil {
		return false, err
	}
	facts, err := installation.Snapshot(ctx, t.repo, t.Number())
	if err != nil {
		return false, err
	}
	pull := facts.PullRequest
	if pull.State != "open" {
		w.Metrics.Evaluated("closed")
		t.log.InfoContext(ctx, "not judged: the pull request is not open", "state", pull.State)
		return w.Store.Finish(ctx, t.Target, store.Judged{}, t.complete)
	}
	if t.HeadSHA != "" && t.HeadSHA != pull.HeadSHA && t.attempt < headPatience {
		return false, fmt.Errorf("%w: expected %s, found %s", errHeadNotVisible, t.HeadSHA, pull.HeadSHA)
	}
	verdict := w.Evaluate(facts, report.Merge)
	if err := w.publish(ctx, installation, t, pull.HeadSHA, verdict); err != nil {
		return false, err
	}
	w.Metrics.Evaluated(string(verdict.Conclusion))
	return w.Store.Finish(ctx, t.Target, store.Judged{HeadSHA: pull.HeadSHA, Tasks: tasksOf(facts)}, t.complete)
}

// publish puts a report on the head. Doing so again after a kill finds the same check run.
func (w *Worker) publish(ctx context.Context, to Installation, t task, head string, r report.Report) error {
	outcome, err := w.runs.publish(t.RepositoryID, head, func(known *publish.Published) (publish.Outcome, error) {
		return to.Publish(ctx, publish.Target{
			Repo: t.repo, Number: t.Number(), HeadSHA: head, Known: known, Rerequested: t.Rerun,
		}, r)
	})
	if err != nil {
		return err
	}
	lag := w.Now().Sub(t.FirstEventAt)
	w.Metrics.Published(outcome.Did, lag)
	t.log.InfoContext(ctx, "published", "head", head, "conclusion", r.Conclusion, "did", outcome.Did,
		"check_run", outcome.Run.ID, "since_event_ms", lag.Milliseconds())
	return nil
}

// tasksOf lists the tasks that the pull request is linked to.
func tasksOf(s snapshot.Snapshot) []string {
	tasks := []string{}
	if s.Issue != nil {
		tasks = append(tasks, taskName(s.Repository.FullName(), s.Issue.Number))
	}
	for _, linked := range s.Linked {
		tasks = append(tasks, taskName(linked.Repository, linked.Number))
	}
	return tasks
}

// taskName names a task as it is remembered; GitHub's names ignore case.
func taskName(repository string, number int) string {
	return strings.ToLower(fmt.Sprintf("%s#%d", repository, number))
}
