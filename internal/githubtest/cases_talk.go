package githubtest

import (
	"slices"
	"time"

	"github.com/evidence-gate/evidence-gate/snapshot"
)

// addTalk adds the comments of the task and of the conversation, and the reviews.
func (b *caseBuilder) addTalk() {
	if b.issue != nil {
		b.known.Issue.Comments = b.comments(b.known.Issue.Comments, &b.issue.thread, b.issue, nil)
	}
	b.known.Comments = b.comments(b.known.Comments, &b.pull.thread, nil, b.pull)
	b.known.Reviews = slices.Clone(b.known.Reviews)
	for i := range b.known.Reviews {
		r := &b.known.Reviews[i]
		added := &Review{pull: b.pull, id: b.world.nextID("review"), state: r.State, commit: r.CommitSHA, submittedAt: b.time(r.SubmittedAt)}
		b.write(&added.body, r.Author, r.SubmittedAt, r.Body, nil)
		b.repo.addCommit(Commit{SHA: r.CommitSHA}, "")
		b.pull.reviews = append(b.pull.reviews, added)
		b.world.nodes[nodeID("PRR", added.id)] = added
		r.Author = b.actor(r.Author)
	}
}

// comments adds comments with their own ids, and returns them as a loader knows them.
func (b *caseBuilder) comments(list []snapshot.Comment, t *thread, i *Issue, p *PullRequest) []snapshot.Comment {
	list = slices.Clone(list)
	for n := range list {
		c := &list[n]
		added := &Comment{world: b.world, thread: t, issue: i, pull: p, id: c.ID, updatedAt: b.time(c.UpdatedAt)}
		c.Revisions = b.write(&added.body, c.Author, c.CreatedAt, c.Body, c.Revisions)
		t.comments = append(t.comments, added)
		b.world.nodes[nodeID("IC", added.id)] = added
		c.Author = b.actor(c.Author)
	}
	return list
}

// addStatuses adds the check runs, each of a workflow run of its own, and the commit statuses.
func (b *caseBuilder) addStatuses() {
	b.known.StatusChecks = slices.Clone(b.known.StatusChecks)
	for i := range b.known.StatusChecks {
		if c := &b.known.StatusChecks[i]; c.Context != "" {
			b.addCommitStatus(c)
		} else {
			b.addRun(c)
		}
	}
}

func (b *caseBuilder) addCommitStatus(c *snapshot.StatusCheck) {
	s := &commitStatus{
		StatusOptions: StatusOptions{SHA: b.pull.head, Context: c.Context, State: c.State, Creator: c.Creator, TargetURL: c.URL},
		id:            b.world.nextID("status"), creator: b.world.account(c.Creator), createdAt: b.time(c.CreatedAt),
	}
	b.repo.statuses = append(b.repo.statuses, s)
	c.CreatedAt = s.createdAt.Format(time.RFC3339)
}

func (b *caseBuilder) addRun(c *snapshot.StatusCheck) {
	app := b.world.appNamed(c.App)
	suite := &checkSuite{id: b.world.nextID("check_suite"), repository: b.repo, app: app, sha: b.pull.head, createdAt: b.world.now()}
	if c.Workflow != "" {
		suite.workflow = &workflow{
			id: b.world.nextID("workflow"), runID: b.world.nextID("workflow_run"), name: c.Workflow, number: len(b.repo.suites) + 1,
		}
	}
	run := &checkRun{suite: suite, CheckRun: CheckRun{
		ID: b.world.nextID("check_run"), Name: c.Name, HeadSHA: b.pull.head, App: app.slug, Status: c.Status, DetailsURL: c.URL,
		Conclusion: textOf(c.Conclusion),
	}}
	if c.StartedAt != nil {
		run.StartedAt = b.time(*c.StartedAt)
	}
	if c.CompletedAt != nil {
		run.CompletedAt = b.time(*c.CompletedAt)
	}
	b.repo.suites = append(b.repo.suites, suite)
	b.repo.checkRuns = append(b.repo.checkRuns, run)
	if c.URL == "" {
		c.URL = string((&checkRunResolver{&commitResolver{repository: b.repo}, run}).Permalink())
	}
}
