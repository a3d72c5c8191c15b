package githubtest

import (
	"context"

	"github.com/graph-gophers/graphql-go"
)

type issueResolver struct {
	world *World
	issue *Issue
}

func (i *issueResolver) document() documentResolver {
	return documentResolver{i.issue.repository, &i.issue.body, "issues"}
}

func (i *issueResolver) ID() graphql.ID            { return globalID("I", i.issue.issueID) }
func (i *issueResolver) DatabaseID() *int32        { return databaseID(i.issue.issueID) }
func (i *issueResolver) FullDatabaseID() *text     { return bigInt(i.issue.issueID) }
func (i *issueResolver) Number() int32             { return int32(i.issue.number) }
func (i *issueResolver) Title() string             { return i.issue.title }
func (i *issueResolver) Body() string              { return i.issue.body.text() }
func (i *issueResolver) Author() *actorResolver    { return i.document().author() }
func (i *issueResolver) Editor() *actorResolver    { return i.document().editor() }
func (i *issueResolver) State() string             { return upper(stateOf(i.issue.open)) }
func (i *issueResolver) Closed() bool              { return !i.issue.open }
func (i *issueResolver) ClosedAt() *text           { return optionalTime(i.issue.closedAt) }
func (i *issueResolver) CreatedAt() text           { return dateTime(i.issue.body.created()) }
func (i *issueResolver) UpdatedAt() text           { return dateTime(i.issue.updatedAt) }
func (i *issueResolver) LastEditedAt() *text       { return i.document().lastEditedAt() }
func (i *issueResolver) IncludesCreatedEdit() bool { return len(i.issue.body.revisions) > 1 }
func (i *issueResolver) Repository() *repositoryResolver {
	return &repositoryResolver{i.world, i.issue.repository}
}
func (i *issueResolver) URL() text {
	return text(i.world.issueJSON(&i.issue.thread, nil)["html_url"].(string))
}

// Labels of the issue.
func (i *issueResolver) Labels(args pageArgs) (*connection[*labelResolver], error) {
	return connect(i.issue.labels, args, labelOf)
}

// UserContentEdits is the body's edit history, newest first.
func (i *issueResolver) UserContentEdits(ctx context.Context, args pageArgs) (*connection[*editResolver], error) {
	return i.document().edits(ctx, args)
}

// Comments, oldest first.
func (i *issueResolver) Comments(args pageArgs) (*connection[*commentResolver], error) {
	return connect(i.issue.comments, args, func(c *Comment) *commentResolver { return &commentResolver{i.world, c} })
}

type closedByArgs struct {
	pageArgs
	IncludeClosedPrs bool
}

// ClosedByPullRequestsReferences are the pull requests that close the issue; those that the token
// may not read are null.
func (i *issueResolver) ClosedByPullRequestsReferences(ctx context.Context, args closedByArgs) (*connection[*pullResolver], error) {
	run := executionOf(ctx)
	return connect(i.issue.closedBy(args.IncludeClosedPrs), args.pageArgs, func(p *PullRequest) *pullResolver {
		if !run.grant.reads(p.repository, "pull_requests") {
			run.hidden.Store(true)
			return nil
		}
		return &pullResolver{i.world, p}
	})
}
