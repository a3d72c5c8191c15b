package github

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/evidence-gate/evidence-gate/snapshot"
)

// LoadOptions is what the loader needs to know from others.
type LoadOptions struct {
	// App is the slug of this product's GitHub App; its own check runs are no evidence.
	App string
	// HasChecks says whether a task's text has a live section of required checks; the pure core
	// knows. Nil: every task counts.
	HasChecks func(body string) bool
	// Task is the number of an issue of the same repository that a person named as the task,
	// whatever the pull request closes; 0 when nobody did.
	Task int
	// Published asks for what the App remembers, from its check run on the head: for callers that
	// have no store of their own.
	Published bool
}

// Snapshot reads every fact about a pull request that GitHub shows this client: one request for what
// changes, one more for each further page, and what hangs on commits or on people only when it is
// not known from before. A fact that is withheld stands in the Snapshot's unavailable with its
// reason; lists that do not add up, and a head that moved meanwhile, are Incomplete errors.
func (c *Client) Snapshot(ctx context.Context, repo Repo, number int, o LoadOptions) (snapshot.Snapshot, error) {
	if err := repo.check(); err != nil {
		return snapshot.Snapshot{}, err
	}
	l := &loading{client: c, doing: fmt.Sprintf("read the pull request %s#%d", repo, number)}
	now := c.now().UTC().Format(time.RFC3339)
	r, task, err := l.begin(ctx, repo, number, o.Task)
	if err != nil {
		return snapshot.Snapshot{}, err
	}
	s := snapshot.Snapshot{Schema: snapshot.Schema, Now: now, App: o.App, Repository: repository(r)}
	if err := l.fill(ctx, &s, r.PullRequest, task, o); err != nil {
		return snapshot.Snapshot{}, err
	}
	if err := l.surroundings(ctx, &s, o); err != nil {
		return snapshot.Snapshot{}, err
	}
	s.Unavailable = l.holes.found
	return s, nil
}

func (l *loading) first(ctx context.Context, repo Repo, number int) (*repositoryNode, error) {
	var data struct {
		Repository *repositoryNode `json:"repository"`
	}
	errors, err := l.query(ctx, "PullRequest", map[string]any{"owner": repo.Owner, "name": repo.Name, "number": number}, &data)
	if err != nil {
		return nil, err
	}
	l.client.asks.holes(&l.holes)
	if lost := l.holes.addErrors(l.client, l.doing, errors); lost != nil {
		return nil, lost
	}
	switch {
	case data.Repository != nil && data.Repository.PullRequest != nil:
		return data.Repository, nil
	case len(errors) > 0: // a part that GitHub may not leave null took the whole with it
		return nil, l.client.withheldWhole(l.doing, errors[0])
	}
	return nil, &Error{Kind: NotFound, Operation: l.doing, Message: l.client.absent()}
}

// fill reads what hangs on the pull request, to the end of every list.
func (l *loading) fill(ctx context.Context, s *snapshot.Snapshot, pr *pullRequestNode, task *issueNode, o LoadOptions) error {
	var err error
	s.PullRequest = pullRequest(pr)
	if s.PullRequest.Labels, err = l.labels(ctx, pr); err != nil {
		return err
	}
	if s.PullRequest.StackedOn, err = l.stackedOn(ctx, pr, s.Repository.FullName()); err != nil {
		return err
	}
	if s.PullRequest.Commits, err = l.commits(ctx, pr); err != nil {
		return err
	}
	if s.PullRequest.Revisions, err = l.revisions(ctx, list{"MoreEdits", pr.ID, factRevisions}, text{pr.Body, pr.CreatedAt, pr.Author}, pr.Edits); err != nil {
		return err
	}
	if s.Comments, err = l.comments(ctx, list{"MoreComments", pr.ID, factComments}, pr.Comments); err != nil {
		return err
	}
	if s.Reviews, err = l.reviews(ctx, pr); err != nil {
		return err
	}
	if s.StatusChecks, err = l.statusChecks(ctx, pr); err != nil {
		return err
	}
	if task != nil {
		return l.byHand(ctx, s, task, o)
	}
	s.Linked, s.Issue, err = l.linked(ctx, pr, s.Repository.FullName(), o)
	return err
}

func repository(r *repositoryNode) snapshot.Repository {
	owner, name, _ := strings.Cut(r.NameWithOwner, "/")
	found := snapshot.Repository{ID: r.DatabaseID, Owner: owner, Name: name, Private: r.IsPrivate}
	if r.DefaultBranchRef != nil {
		found.DefaultBranch = r.DefaultBranchRef.Name
	}
	return found
}

func pullRequest(pr *pullRequestNode) snapshot.PullRequest {
	found := snapshot.PullRequest{
		Number:       pr.Number,
		Title:        pr.Title,
		Body:         &pr.Body,
		State:        strings.ToLower(pr.State),
		Draft:        pr.IsDraft,
		Fork:         pr.IsCrossRepository,
		Author:       actor(pr.Author),
		HeadSHA:      pr.HeadRefOID,
		BaseRef:      pr.BaseRefName,
		CreatedAt:    pr.CreatedAt,
		ChangedFiles: pr.ChangedFiles,
	}
	if pr.BaseRef != nil && pr.BaseRef.Target != nil {
		found.BaseSHA = pr.BaseRef.Target.OID
	}
	return found
}

func (l *loading) commits(ctx context.Context, pr *pullRequestNode) ([]snapshot.Commit, error) {
	nodes, err := rest(ctx, l, list{"MoreCommits", pr.ID, factCommits}, pr.Commits)
	if err != nil {
		return nil, err
	}
	var commits []snapshot.Commit
	for _, n := range nodes {
		if n.Commit == nil {
			l.holes.add(factCommits, "GitHub left a commit out")
			continue
		}
		authors, err := rest(ctx, l, list{"MoreAuthors", n.Commit.ID, factCommits}, n.Commit.Authors)
		if err != nil {
			return nil, err
		}
		commits = append(commits, snapshot.Commit{
			SHA:         n.Commit.OID,
			Authors:     l.client.to.commitAuthors(authors, n.Commit.Committer),
			CommittedAt: n.Commit.CommittedDate,
		})
	}
	return commits, nil
}

// noCommit is git's null object: a review whose commit is gone is on no head, and still counts as
// a review.
const noCommit = "0000000000000000000000000000000000000000"

func (l *loading) reviews(ctx context.Context, pr *pullRequestNode) ([]snapshot.Review, error) {
	nodes, err := rest(ctx, l, list{"MoreReviews", pr.ID, factReviews}, pr.Reviews)
	var reviews []snapshot.Review
	for _, n := range nodes {
		r := snapshot.Review{Author: actor(n.Author), State: strings.ToLower(n.State), CommitSHA: noCommit, Body: n.Body}
		if n.Commit != nil {
			r.CommitSHA = n.Commit.OID
		}
		if n.SubmittedAt != nil {
			r.SubmittedAt = *n.SubmittedAt
		}
		reviews = append(reviews, r)
	}
	return reviews, err
}
