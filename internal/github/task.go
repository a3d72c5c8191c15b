package github

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/evidence-gate/evidence-gate/snapshot"
)

// flag is the source of a link that a person named.
const flag = "flag"

// linkFacts are what a Snapshot can lack because of the issues that the pull request closes.
var linkFacts = []string{factIssue, factIssueComments, factIssueRevisions}

// begin reads the pull request and, at the same time, the task that a person named; it is nil when
// nobody did. What is withheld of the issues that the pull request closes does not matter then.
func (l *loading) begin(ctx context.Context, repo Repo, number, task int) (*repositoryNode, *issueNode, error) {
	if task == 0 {
		r, err := l.first(ctx, repo, number)
		return r, nil, err
	}
	var r *repositoryNode
	var n *issueNode
	beside := &loading{client: l.client, doing: fmt.Sprintf("read the task %s#%d", repo, task)}
	err := together(ctx, []work{
		func(ctx context.Context) (err error) {
			r, err = l.first(ctx, repo, number)
			return err
		},
		func(ctx context.Context) (err error) {
			n, err = beside.task(ctx, repo, task)
			return err
		},
	})
	if err != nil {
		return nil, nil, err
	}
	l.requests, l.bytes = l.requests+beside.requests, l.bytes+beside.bytes
	l.holes.found = slices.DeleteFunc(l.holes.found, func(u snapshot.Unavailable) bool { return slices.Contains(linkFacts, u.Fact) })
	l.client.asks.taskHoles(&l.holes)
	for _, u := range beside.holes.found {
		l.holes.add(u.Fact, u.Reason)
	}
	return r, n, nil
}

// taskHoles are the facts of a task itself that a host's GraphQL leaves out.
func (d *dialect) taskHoles(h *holes) {
	var all holes
	d.holes(&all)
	for _, u := range all.found {
		if u.Fact != factIssue {
			h.add(u.Fact, u.Reason)
		}
	}
}

// byHand takes the task that a person named.
func (l *loading) byHand(ctx context.Context, s *snapshot.Snapshot, task *issueNode, o LoadOptions) (err error) {
	s.Linked = []snapshot.Linked{{
		Repository: s.Repository.FullName(), Number: task.Number, Source: flag, Readable: true,
		HasChecks: o.HasChecks == nil || o.HasChecks(task.Body),
	}}
	s.Issue, err = l.issue(ctx, task)
	return err
}

func (l *loading) task(ctx context.Context, repo Repo, number int) (*issueNode, error) {
	var data struct {
		Repository *struct {
			NameWithOwner string     `json:"nameWithOwner"`
			Issue         *issueNode `json:"issue"`
		} `json:"repository"`
	}
	variables := map[string]any{"owner": repo.Owner, "name": repo.Name, "number": number}
	holes, err := l.queryOf(ctx, branchQueries, "Task", variables, &data)
	if err != nil {
		return nil, err
	}
	if data.Repository == nil || data.Repository.Issue == nil {
		if len(holes) > 0 {
			return nil, l.withheldTask(holes[0])
		}
		return nil, &Error{Kind: NotFound, Operation: l.doing, Message: l.client.absent()}
	}
	n := data.Repository.Issue
	if n.Repository == nil || !strings.EqualFold(n.Repository.NameWithOwner, data.Repository.NameWithOwner) {
		return nil, &Error{Kind: NotFound, Operation: l.doing, Message: "the issue was moved: " + moved(n)}
	}
	l.taskHoles(holes)
	return n, nil
}

// moved says where an issue of another repository is.
func moved(n *issueNode) string {
	if n.Repository == nil {
		return "it is in another repository"
	}
	return fmt.Sprintf("it is %s#%d now", quote(n.Repository.NameWithOwner), n.Number)
}

func (l *loading) withheldTask(e graphQLError) *Error {
	if e.Type == "NOT_FOUND" {
		return &Error{Kind: NotFound, Operation: l.doing, Message: l.client.absent()}
	}
	lost := l.client.withheldWhole(l.doing, e)
	lost.Permission = issuesRead
	lost.Message = l.client.forbidden(lost.Permission, quote(e.Message))
	return lost
}

const issuesRead = "issues: read"

// taskHoles names what GitHub withheld of a task, each by its path from the repository on.
func (l *loading) taskHoles(holes []graphQLError) {
	for _, e := range holes {
		l.holes.add(taskFact(e.Path), fmt.Sprintf("GitHub withheld it (%s): the App or token needs the permission %q", quote(e.Message), issuesRead))
	}
}

// taskFact is the fact that a hole in the answer to Task or Tasks leaves out.
func taskFact(p path) string {
	for _, row := range []struct{ at, fact string }{
		{"repository.*.comments", factIssueComments},
		{"repository.*.userContentEdits", factIssueRevisions},
		{"repository.*.labels", factLabels},
	} {
		if p.begins(strings.Split(row.at, ".")) {
			return row.fact
		}
	}
	return factIssue
}
