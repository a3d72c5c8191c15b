package worker

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/evidence-gate/evidence-gate/app/command"
	"github.com/evidence-gate/evidence-gate/app/memory"
	"github.com/evidence-gate/evidence-gate/app/publish"
	"github.com/evidence-gate/evidence-gate/app/store"
	"github.com/evidence-gate/evidence-gate/attempts"
	"github.com/evidence-gate/evidence-gate/profile"
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
	facts, err := w.load(ctx, installation, t)
	if err != nil {
		return false, err
	}
	pull := facts.PullRequest
	if pull.State != "open" {
		w.Metrics.Evaluated("closed")
		t.log.InfoContext(ctx, "not judged: the pull request is not open", "state", pull.State)
		return w.Store.Finish(ctx, t.Target, store.Judged{}, t.complete)
	}
	judged := store.Judged{HeadSHA: pull.HeadSHA, Tasks: tasksOf(facts), Standing: store.Standing{Enrolment: store.NotEnrolled}}
	if !w.enrolled(facts) {
		w.Metrics.Evaluated("not_enrolled")
		t.log.InfoContext(ctx, "not judged: neither the repository nor its organisation has a policy")
		return w.Store.Finish(ctx, t.Target, judged, t.complete)
	}
	verdict := w.Evaluate(facts, report.Merge)
	policy, readable := policyOf(facts)
	target := publish.Target{HeadSHA: pull.HeadSHA, CheckName: checkName(policy, readable, t.Standing), Former: t.Standing.CheckName}
	name, err := w.publish(ctx, installation, t, target, verdict)
	if err != nil {
		return false, err
	}
	w.Metrics.Evaluated(string(verdict.Conclusion))
	judged.Standing = store.Standing{Enrolment: store.Enrolled, CheckName: name, Mode: verdict.Mode}
	return w.Store.Finish(ctx, t.Target, judged, t.complete)
}

// load reads a pull request and what is known of it, and carries out the commands in its comments. A
// command may change what was read: then it is read once more.
func (w *Worker) load(ctx context.Context, from Installation, t task) (snapshot.Snapshot, error) {
	facts, changed, err := w.loadOnce(ctx, from, t, true)
	if err == nil && changed {
		facts, _, err = w.loadOnce(ctx, from, t, false)
	}
	return facts, err
}

func (w *Worker) loadOnce(ctx context.Context, from Installation, t task, obey bool) (facts snapshot.Snapshot, changed bool, err error) {
	facts, err = from.Snapshot(ctx, t.repo, t.Number())
	if err != nil {
		return facts, false, err
	}
	if facts.PullRequest.State != "open" {
		return facts, false, nil
	}
	if head := facts.PullRequest.HeadSHA; t.HeadSHA != "" && t.HeadSHA != head && t.attempt < headPatience {
		return facts, false, fmt.Errorf("%w: expected %s, found %s", errHeadNotVisible, t.HeadSHA, head)
	}
	if !w.enrolled(facts) {
		return facts, false, nil
	}
	policy, readable := policyOf(facts)
	recalled, err := w.Memory.Recall(ctx, memory.Pull{RepositoryID: t.RepositoryID, Trusted: policy.Roles.Trusted}, facts)
	if err != nil {
		return facts, false, err
	}
	if !readable || !obey {
		return recalled.Snapshot, false, nil
	}
	changed, err = w.Commands.Handle(ctx, command.Request{
		GitHub: from, Log: t.log, Repo: t.repo, RepositoryID: t.RepositoryID, InstallationID: t.InstallationID,
		App: facts.App, Facts: recalled.Snapshot, Missed: recalled.Missed, Roles: policy.Roles, Known: knownTo(facts),
	})
	return recalled.Snapshot, changed, err
}

// knownTo are the things that the reference of a triage may name; nil while not all could be read.
func knownTo(s snapshot.Snapshot) *attempts.Known {
	if unread(s, "profile") || unread(s, "references") {
		return nil
	}
	facts, _ := profile.Judge(s)
	known := &attempts.Known{Facts: facts.IDs()}
	if s.References != nil {
		known.References = *s.References
	}
	return known
}

// publish puts a report on the head and returns the name of its check run. Doing so again after a kill
// finds the same check run.
func (w *Worker) publish(ctx context.Context, to Installation, t task, target publish.Target, r report.Report) (name string, err error) {
	target.Repo, target.Number, target.Rerequested = t.repo, t.Number(), t.Rerun
	outcome, err := w.runs.publish(t.RepositoryID, target.HeadSHA, func(known *publish.Published) (publish.Outcome, error) {
		target.Known = known
		return to.Publish(ctx, target, r)
	})
	if err != nil {
		return "", err
	}
	lag := w.Now().Sub(t.FirstEventAt)
	w.Metrics.Published(outcome.Did, lag)
	t.log.InfoContext(ctx, "published", "head", target.HeadSHA, "conclusion", r.Conclusion, "did", outcome.Did,
		"check_run", outcome.Run.ID, "since_event_ms", lag.Milliseconds())
	return outcome.Run.Name, nil
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
