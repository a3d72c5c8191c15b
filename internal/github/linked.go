package github

import (
	"context"
	"fmt"
	"strings"

	"github.com/evidence-gate/evidence-gate/snapshot"
)

// closing is the source of a link that GitHub itself draws.
const closing = "closing"

// linked reads which tasks the pull request closes, and the one task that counts.
//
// GitHub may count a closing reference and then leave its node null or out: an issue that this
// token may not see. It does not say which one that is. Silence would look like no task at all, so
// such a reference stands as an unreadable entry under the pull request's own number, which is
// never a task, and the issue is named as unavailable.
func (l *loading) linked(ctx context.Context, pr *pullRequestNode, own string, o LoadOptions) ([]snapshot.Linked, *snapshot.Issue, error) {
	if pr.Closing == nil {
		l.holes.add(factIssue, "GitHub left the closing references out")
		return nil, nil, nil
	}
	pages, err := further(ctx, l, list{"MoreIssues", pr.ID, factIssue}, pr.Closing)
	if err != nil {
		return nil, nil, err
	}
	var found []snapshot.Linked
	var readable, counting []*issueNode
	total, seen := 0, 0
	for _, page := range pages {
		total = page.TotalCount
		for _, n := range page.Nodes {
			if n == nil || n.Repository == nil {
				continue
			}
			seen++
			link := snapshot.Linked{Repository: n.Repository.NameWithOwner, Number: n.Number, Source: closing}
			if strings.EqualFold(n.Repository.NameWithOwner, own) {
				link.Readable = true
				link.HasChecks = o.HasChecks == nil || o.HasChecks(n.Body)
				readable = append(readable, n)
				if link.HasChecks {
					counting = append(counting, n)
				}
			}
			found = append(found, link)
		}
	}
	if seen > total {
		return nil, nil, l.incomplete("GitHub counts %d closing references and listed %d", total, seen)
	}
	for range total - seen {
		found = append(found, snapshot.Linked{Repository: own, Number: pr.Number, Source: closing})
	}
	if total > seen {
		l.holes.add(factIssue, fmt.Sprintf("GitHub counts %d linked issues and shows %d: the App or token needs the permission %q", total, seen, "issues: read"))
	}
	issue, err := l.issue(ctx, chosen(readable, counting))
	return found, issue, err
}

// chosen is the task that counts: of several, the only one with required checks. When none of
// several has any, the first shows its maintainer what is missing; when more than one has, none.
func chosen(readable, counting []*issueNode) *issueNode {
	switch {
	case len(counting) == 1:
		return counting[0]
	case len(counting) == 0 && len(readable) > 0:
		return readable[0]
	}
	return nil
}

func (l *loading) issue(ctx context.Context, n *issueNode) (*snapshot.Issue, error) {
	if n == nil {
		return nil, nil
	}
	labels, err := rest(ctx, l, list{"MoreLabels", n.ID, factLabels}, n.Labels)
	if err != nil {
		return nil, err
	}
	history, err := l.revisions(ctx, list{"MoreEdits", n.ID, factIssueRevisions}, text{n.Body, n.CreatedAt, n.Author}, n.Edits)
	if err != nil {
		return nil, err
	}
	comments, err := l.comments(ctx, list{"MoreComments", n.ID, factIssueComments}, n.Comments)
	if err != nil {
		return nil, err
	}
	issue := &snapshot.Issue{
		Number:    n.Number,
		Title:     n.Title,
		Body:      &n.Body,
		Author:    actor(n.Author),
		Revisions: history,
		Comments:  comments,
	}
	for _, label := range labels {
		issue.Labels = append(issue.Labels, label.Name)
	}
	return issue, nil
}
