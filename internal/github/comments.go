package github

import (
	"context"
	_ "embed"
	"fmt"
	"maps"
	"time"

	gogithub "github.com/google/go-github/v66/github"

	"github.com/evidence-gate/evidence-gate/snapshot"
)

//go:embed comment.graphql
var commentText string

// commentQueries use the fragments of pull_request.graphql too.
var commentQueries = func() document {
	d := maps.Clone(pullRequestQueries)
	maps.Copy(d, parseDocument(commentText))
	return d
}()

// Comments of issues and of pull requests' conversations are one thing to GitHub; which of the two
// permissions counts depends on where one stands.
const (
	commentsRead  = "issues: read and pull requests: read"
	commentsWrite = "issues: write and pull requests: write"
)

// CommentLimit is the most characters that GitHub takes in a comment ("body is too long (maximum is
// 65536 characters)").
const CommentLimit = 65536

// Reaction is an answer to a comment without words.
type Reaction string

// The reactions that are used, in GitHub's words.
const (
	ThumbsUp Reaction = "+1"
	Confused Reaction = "confused"
)

// ReadComment reads a comment with its whole history as it stands at this moment. The history of a
// comment that this token may not see is an error of the kind Forbidden.
func (c *Client) ReadComment(ctx context.Context, repo Repo, id int64) (snapshot.Comment, error) {
	doing := fmt.Sprintf("read the comment %d of %s", id, repo)
	if err := repo.check(); err != nil {
		return snapshot.Comment{}, err
	}
	found, _, err := c.rest.Issues.GetComment(ctx, repo.Owner, repo.Name, id)
	if err != nil {
		return snapshot.Comment{}, failure(doing, commentsRead, c.now(), err)
	}
	if found.GetNodeID() == "" {
		return snapshot.Comment{}, unreadable(doing)
	}
	n, err := c.commentNode(ctx, doing, found.GetNodeID())
	if err != nil {
		return snapshot.Comment{}, err
	}
	l := &loading{client: c, doing: doing}
	read, err := l.comments(ctx, list{fact: factComments}, &connection[comment]{TotalCount: 1, Nodes: []*comment{n}})
	switch {
	case err != nil:
		return snapshot.Comment{}, err
	case len(l.holes.found) > 0:
		return snapshot.Comment{}, &Error{Kind: Forbidden, Operation: doing, Permission: commentsWrite,
			Message: forbidden(commentsWrite, l.holes.found[0].Reason)}
	case read[0].ID != id:
		return snapshot.Comment{}, unreadable(doing)
	}
	return read[0], nil
}

func (c *Client) commentNode(ctx context.Context, doing, id string) (*comment, error) {
	var data struct {
		Node *comment `json:"node"`
	}
	answer, err := c.query(ctx, doing, request{
		Text: commentQueries.operation("Comment"), Operation: "Comment", Variables: map[string]any{"id": id},
	}, &data)
	switch {
	case err != nil:
		return nil, err
	case len(answer.holes) > 0:
		return nil, &Error{Kind: Forbidden, Operation: doing, Permission: commentsRead, Message: forbidden(commentsRead, quote(answer.holes[0].Message))}
	case data.Node == nil:
		return nil, &Error{Kind: NotFound, Operation: doing, Message: noSuchThing}
	}
	return data.Node, nil
}

// Comments lists the comments of an issue or pull request that were written or changed since then,
// oldest first and without their histories.
func (c *Client) Comments(ctx context.Context, repo Repo, number int, since time.Time) ([]snapshot.Comment, error) {
	doing := fmt.Sprintf("read the comments of %s#%d", repo, number)
	if err := repo.check(); err != nil {
		return nil, err
	}
	options := &gogithub.IssueListCommentsOptions{ListOptions: gogithub.ListOptions{PerPage: pageSize}}
	if !since.IsZero() {
		options.Since = new(since.UTC())
	}
	var comments []snapshot.Comment
	for range mostPages {
		page, resp, err := c.rest.Issues.ListComments(ctx, repo.Owner, repo.Name, number, options)
		if err != nil {
			return nil, failure(doing, commentsRead, c.now(), err)
		}
		for _, one := range page {
			comments = append(comments, restComment(one))
		}
		if resp.NextPage == 0 {
			return comments, nil
		}
		options.Page = resp.NextPage
	}
	return nil, tooMany(doing, "comments")
}

func restComment(c *gogithub.IssueComment) snapshot.Comment {
	return snapshot.Comment{
		ID:        c.GetID(),
		Author:    actor(&actorNode{Type: c.GetUser().GetType(), Login: c.GetUser().GetLogin()}),
		Body:      c.GetBody(),
		CreatedAt: c.GetCreatedAt().UTC().Format(time.RFC3339),
		UpdatedAt: c.GetUpdatedAt().UTC().Format(time.RFC3339),
	}
}

// CreateComment writes a comment on an issue or pull request and returns its id.
func (c *Client) CreateComment(ctx context.Context, repo Repo, number int, body string) (int64, error) {
	doing := fmt.Sprintf("write a comment on %s#%d", repo, number)
	if err := repo.check(); err != nil {
		return 0, err
	}
	made, _, err := c.rest.Issues.CreateComment(ctx, repo.Owner, repo.Name, number, &gogithub.IssueComment{Body: &body})
	if err != nil {
		return 0, failure(doing, commentsWrite, c.now(), err)
	}
	if made.GetID() == 0 {
		return 0, unreadable(doing)
	}
	return made.GetID(), nil
}

// EditComment replaces the text of a comment. GitHub has no conditional write: who must not overwrite
// another's edit reads the comment right before and its history right after.
func (c *Client) EditComment(ctx context.Context, repo Repo, id int64, body string) error {
	doing := fmt.Sprintf("change the comment %d of %s", id, repo)
	if err := repo.check(); err != nil {
		return err
	}
	changed, _, err := c.rest.Issues.EditComment(ctx, repo.Owner, repo.Name, id, &gogithub.IssueComment{Body: &body})
	if err != nil {
		return failure(doing, commentsWrite, c.now(), err)
	}
	if changed.GetID() != id {
		return unreadable(doing)
	}
	return nil
}

// React adds a reaction to a comment. One that is there already stays: GitHub keeps each once.
func (c *Client) React(ctx context.Context, repo Repo, id int64, with Reaction) error {
	doing := fmt.Sprintf("react to the comment %d of %s", id, repo)
	if err := repo.check(); err != nil {
		return err
	}
	if _, _, err := c.rest.Reactions.CreateIssueCommentReaction(ctx, repo.Owner, repo.Name, id, string(with)); err != nil {
		return failure(doing, commentsWrite, c.now(), err)
	}
	return nil
}
