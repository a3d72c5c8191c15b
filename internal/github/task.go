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

// taskFacts are what the linked issues of a Snapshot can lack.
var taskFacts = []string{factIssue, factIssueComments, factIssueRevisions}

// WithTask replaces the task of a Snapshot by the issue with that number of the same repository,
// whatever the pull request says it closes.
func (c *Client) WithTask(ctx context.Context, s snapshot.Snapshot, number int, o LoadOptions) (snapshot.Snapshot, error) {
	repo := Repo{Owner: s.Repository.Owner, Name: s.Repository.Name}
	if err := repo.check(); err != nil {
		return snapshot.Snapshot{}, err
	}
	l := &loading{client: c, doing: fmt.Sprintf("read the task %s#%d", repo, number)}
	n, err := l.task(ctx, repo, number)
	if err != nil {
		return snapshot.Snapshot{}, err
	}
	issue, err := l.issue(ctx, n)
	if err != nil {
		return snapshot.Snapshot{}, err
	}
	s.Issue = issue
	s.Linked = []snapshot.Linked{{
		Repository: repo.String(), Number: n.Number, Source: flag, Readable: true,
		HasChecks: o.HasChecks == nil || o.HasChecks(n.Body),
	}}
	s.Unavailable = slices.DeleteFunc(slices.Clone(s.Unavailable), func(u snapshot.Unavailable) bool {
		return slices.Contains(taskFacts, u.Fact)
	})
	s.Unavailable = append(s.Unavailable, l.holes.found...)
	return s, nil
}

func (l *loading) task(ctx context.Context, repo Repo, number int) (*issueNode, error) {
	var data struct {
		Repository *struct {
			NameWithOwner string     `json:"nameWithOwner"`
			Issue         *issueNode `json:"issue"`
		} `json:"repository"`
	}
	variables := map[string]any{"owner": repo.Owner, "name": repo.Name, "number": number}
	answer, err := l.client.query(ctx, l.doing, request{Text: branchQueries.operation("Task"), Operation: "Task", Variables: variables}, &data)
	if err != nil {
		return nil, err
	}
	if data.Repository == nil || data.Repository.Issue == nil {
		if len(answer.holes) > 0 {
			return nil, withheldTask(l.doing, answer.holes[0])
		}
		return nil, &Error{Kind: NotFound, Operation: l.doing, Message: noSuchThing}
	}
	for _, e := range answer.holes {
		l.holes.add(taskFact(e.Path), fmt.Sprintf("GitHub withheld it (%s): the App or token needs the permission %q", quote(e.Message), "issues: read"))
	}
	n := data.Repository.Issue
	if n.Repository == nil || !strings.EqualFold(n.Repository.NameWithOwner, data.Repository.NameWithOwner) {
		return nil, &Error{Kind: NotFound, Operation: l.doing, Message: "the issue was moved to another repository"}
	}
	return n, nil
}

func withheldTask(doing string, e graphQLError) *Error {
	if e.Type == "NOT_FOUND" {
		return &Error{Kind: NotFound, Operation: doing, Message: noSuchThing}
	}
	lost := withheldWhole(doing, e)
	lost.Permission = "issues: read"
	lost.Message = forbidden(lost.Permission, quote(e.Message))
	return lost
}

// taskFact is the fact that a hole in the answer to Task leaves out.
func taskFact(p path) string {
	for _, row := range []struct{ at, fact string }{
		{"repository.issue.comments", factIssueComments},
		{"repository.issue.userContentEdits", factIssueRevisions},
		{"repository.issue.labels", factLabels},
	} {
		if p.begins(strings.Split(row.at, ".")) {
			return row.fact
		}
	}
	return factIssue
}
