package githubtest

import (
	"context"
	"fmt"

	"github.com/graph-gophers/graphql-go"
)

// documentResolver is what everything with a text and an edit history has in common.
type documentResolver struct {
	repository *Repository
	document   *document
	permission string // that shows the texts of past revisions, when it is write
}

func (d documentResolver) author() *actorResolver { return actor(d.document.author) }

func (d documentResolver) editor() *actorResolver {
	editor, _ := d.document.edited()
	return actor(editor)
}

func (d documentResolver) lastEditedAt() *text {
	_, at := d.document.edited()
	return optionalTime(at)
}

func (d documentResolver) edits(ctx context.Context, args pageArgs) (*connection[*editResolver], error) {
	shown := executionOf(ctx).grant.mayReadEdits(d.repository, d.permission)
	return connect(d.document.edits(), args, func(r revision) *editResolver { return &editResolver{r, shown} })
}

// editResolver is a UserContentEdit. Its diff holds the whole text of the revision: null once it
// was erased, and for tokens that cannot write.
type editResolver struct {
	revision revision
	shown    bool
}

func (e *editResolver) ID() graphql.ID            { return globalID("UCE", e.revision.id) }
func (e *editResolver) CreatedAt() text           { return dateTime(e.revision.at) }
func (e *editResolver) EditedAt() text            { return dateTime(e.revision.at) }
func (e *editResolver) Editor() *actorResolver    { return actor(e.revision.editor) }
func (e *editResolver) DeletedAt() *text          { return optionalTime(e.revision.deletedAt) }
func (e *editResolver) DeletedBy() *actorResolver { return actor(e.revision.deletedBy) }

// UpdatedAt moves when the revision is erased.
func (e *editResolver) UpdatedAt() text {
	if !e.revision.deletedAt.IsZero() {
		return dateTime(e.revision.deletedAt)
	}
	return dateTime(e.revision.at)
}

// Diff is the text of the revision.
func (e *editResolver) Diff() *string {
	if !e.shown || !e.revision.deletedAt.IsZero() {
		return nil
	}
	return &e.revision.text
}

type commentResolver struct {
	world   *World
	comment *Comment
}

func (c *commentResolver) document() documentResolver {
	permission := "issues"
	if c.comment.pull != nil {
		permission = "pull_requests"
	}
	return documentResolver{c.comment.thread.repository, &c.comment.body, permission}
}

func (c *commentResolver) ID() graphql.ID            { return globalID("IC", c.comment.id) }
func (c *commentResolver) DatabaseID() *int32        { return databaseID(c.comment.id) }
func (c *commentResolver) FullDatabaseID() *text     { return bigInt(c.comment.id) }
func (c *commentResolver) Body() string              { return c.comment.body.text() }
func (c *commentResolver) Author() *actorResolver    { return c.document().author() }
func (c *commentResolver) Editor() *actorResolver    { return c.document().editor() }
func (c *commentResolver) CreatedAt() text           { return dateTime(c.comment.body.created()) }
func (c *commentResolver) UpdatedAt() text           { return dateTime(c.comment.updatedAt) }
func (c *commentResolver) LastEditedAt() *text       { return c.document().lastEditedAt() }
func (c *commentResolver) IncludesCreatedEdit() bool { return len(c.comment.body.revisions) > 1 }
func (c *commentResolver) IsMinimized() bool         { return false }
func (c *commentResolver) MinimizedReason() *string  { return nil }
func (c *commentResolver) Repository() *repositoryResolver {
	return &repositoryResolver{c.world, c.comment.thread.repository}
}
func (c *commentResolver) URL() text {
	return text(c.world.commentJSON(c.comment)["html_url"].(string))
}

// Issue that the comment is on. For a comment on a pull request GitHub answers with the issue behind
// it, which is not modelled.
func (c *commentResolver) Issue() (*issueResolver, error) {
	if c.comment.issue == nil {
		return nil, fmt.Errorf("IssueComment.issue of a comment on a pull request is not modelled")
	}
	return &issueResolver{c.world, c.comment.issue}, nil
}

// PullRequest that the comment is on, null on issues.
func (c *commentResolver) PullRequest() *pullResolver {
	if c.comment.pull == nil {
		return nil
	}
	return &pullResolver{c.world, c.comment.pull}
}

// UserContentEdits is the edit history, newest first.
func (c *commentResolver) UserContentEdits(ctx context.Context, args pageArgs) (*connection[*editResolver], error) {
	return c.document().edits(ctx, args)
}
