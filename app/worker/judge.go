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
		again, err := w.affected(ctx, t, pull.HeadSHA, t.HeadSHA, t.JudgedSHA)
		if err != nil {
			return false, err
		}
		if err := w.concludeClosed(ctx, installation, t, again); err != nil {
			return false, err
		}
		return w.Store.Finish(ctx, t.Target, store.Judged{Closed: true, Again: again}, t.complete)
	}
	judged := store.Judged{HeadSHA: pull.HeadSHA, Tasks: tasksOf(facts), Standing: store.Standing{Enrolment: store.NotEnrolled}}
	if !w.enrolled(facts) {
		if judged.Again, err = w.affectedBy(ctx, t, judged); err != nil {
			return false, err
		}
		w.Metrics.Evaluated("not_enrolled")
		t.log.InfoContext(ctx, "not judged: neither the repository nor its organisation has a policy")
		return w.Store.Finish(ctx, t.Target, judged, t.complete)
	}
	verdict := w.Evaluate(facts, report.Merge)
	policy, readable := policyOf(facts)
	contract, err := w.Memory.Learn(ctx, t.RepositoryID, facts, verdict)
	if err != nil {
		return false, err
	}
	target := publish.Target{
		HeadSHA: pull.HeadSHA, CheckName: checkName(policy, readable, t.Standing), Former: t.Standing.CheckName,
		Memory: w.block(ctx, t, facts, policy.Roles, verdict, contract),
	}
	judged.Pending = verdict.Conclusion == report.Pending
	name, own, err := w.publish(ctx, installation, t, target, w.inTime(t.Target, verdict))
	if err != nil {
		return false, err
	}
	if own {
		if err := w.Store.Published(ctx, t.Target, taskOf(facts)); err != nil {
			return false, err
		}
	}
	if readable {
		w.ask(ctx, installation, t, facts, policy, verdict)
	}
	w.Metrics.Evaluated(string(verdict.Conclusion))
	judged.Standing = store.Standing{Enrolment: store.Enrolled, CheckName: name, Mode: verdict.Mode}
	if judged.Again, err = w.affectedBy(ctx, t, judged); err != nil {
		return false, err
	}
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
	recalled, err := w.Memory.Recall(ctx, memory.Pull{
		RepositoryID: t.RepositoryID, Trusted: policy.Roles.Trusted,
		Published: w.readBack(from, t, checkName(policy, readable, t.Standing)),
	}, facts)
	if err != nil {
		return facts, false, err
	}
	if recalled.Snapshot, err = w.asNow(ctx, from, t, policy.Roles, recalled.Snapshot); err != nil {
		return facts, false, err
	}
	if !readable || !obey {
		return recalled.Snapshot, false, nil
	}
	heads, err := w.heads(ctx, t, facts)
	if err != nil {
		return facts, false, err
	}
	shown, err := w.Store.PublishedTask(ctx, t.Target)
	if err != nil {
		return facts, false, err
	}
	changed, err = w.Commands.Handle(ctx, command.Request{
		GitHub: from, Log: t.log, Repo: t.repo, RepositoryID: t.RepositoryID, InstallationID: t.InstallationID,
		App: facts.App, Facts: recalled.Snapshot, Missed: recalled.Missed, Policy: policy, Known: knownTo(facts),
		Heads: heads, PublishedTask: shown,
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

// publish puts a report on the head and returns the name of its check run, and whether it shows this
// report or that of another pull request with the same head. Doing so again after a kill finds the same
// check run.
func (w *Worker) publish(ctx context.Context, to Installation, t task, target publish.Target, r report.Report) (name string, own bool, err error) {
	target.Repo, target.Number, target.Rerequested = t.repo, t.Number(), t.Rerun
	outcome, err := w.runs.publish(t.RepositoryID, target.HeadSHA, func(known *publish.Published) (publish.Outcome, error) {
		target.Known = known
		if r, err = w.share(ctx, to, t, &target, r); err != nil {
			return publish.Outcome{}, err
		}
		return to.Publish(ctx, target, r)
	})
	if err != nil {
		return "", false, err
	}
	lag := w.Now().Sub(t.FirstEventAt)
	w.Metrics.Published(outcome.Did, lag)
	t.log.InfoContext(ctx, "published", "head", target.HeadSHA, "conclusion", r.Conclusion, "did", outcome.Did,
		"check_run", outcome.Run.ID, "since_event_ms", lag.Milliseconds())
	return outcome.Run.Name, target.Number == t.Number(), nil
}

// taskOf is the number of the task, 0 for none.
func taskOf(s snapshot.Snapshot) int {
	if s.Issue == nil {
		return 0
	}
	return s.Issue.Number
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
