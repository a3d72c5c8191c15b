package githubtest

import (
	"context"
	"slices"
	"strings"

	"github.com/graph-gophers/graphql-go"
)

type pullResolver struct {
	world *World
	pull  *PullRequest
}

func (p *pullResolver) document() documentResolver {
	return documentResolver{p.pull.repository, &p.pull.body, "pull_requests"}
}

func (p *PullRequest) graphqlState() string {
	if p.merged {
		return "MERGED"
	}
	return upper(stateOf(p.open))
}

func (p *pullResolver) ID() graphql.ID            { return globalID("PR", p.pull.pullID) }
func (p *pullResolver) DatabaseID() *int32        { return databaseID(p.pull.pullID) }
func (p *pullResolver) FullDatabaseID() *text     { return bigInt(p.pull.pullID) }
func (p *pullResolver) Number() int32             { return int32(p.pull.number) }
func (p *pullResolver) Title() string             { return p.pull.title }
func (p *pullResolver) Body() string              { return p.pull.body.text() }
func (p *pullResolver) Author() *actorResolver    { return p.document().author() }
func (p *pullResolver) Editor() *actorResolver    { return p.document().editor() }
func (p *pullResolver) State() string             { return p.pull.graphqlState() }
func (p *pullResolver) Closed() bool              { return !p.pull.open }
func (p *pullResolver) ClosedAt() *text           { return optionalTime(p.pull.closedAt) }
func (p *pullResolver) Merged() bool              { return p.pull.merged }
func (p *pullResolver) MergedAt() *text           { return optionalTime(p.pull.mergedAt) }
func (p *pullResolver) MergedBy() *actorResolver  { return actor(p.pull.mergedBy) }
func (p *pullResolver) IsDraft() bool             { return p.pull.draft }
func (p *pullResolver) IsCrossRepository() bool   { return p.pull.fromFork() }
func (p *pullResolver) CreatedAt() text           { return dateTime(p.pull.body.created()) }
func (p *pullResolver) UpdatedAt() text           { return dateTime(p.pull.updatedAt) }
func (p *pullResolver) LastEditedAt() *text       { return p.document().lastEditedAt() }
func (p *pullResolver) IncludesCreatedEdit() bool { return len(p.pull.body.revisions) > 1 }
func (p *pullResolver) BaseRefName() string       { return p.pull.base }
func (p *pullResolver) BaseRefOid() text          { return text(p.pull.baseAtOpening) }
func (p *pullResolver) HeadRefName() string       { return p.pull.headBranch }
func (p *pullResolver) HeadRefOid() text          { return text(p.pull.head) }
func (p *pullResolver) ChangedFiles() int32       { return int32(len(p.pull.files())) }
func (p *pullResolver) URL() text                 { return text(pullHTML(p.pull)) }
func (p *pullResolver) Repository() *repositoryResolver {
	return &repositoryResolver{p.world, p.pull.repository}
}
func (p *pullResolver) BaseRepository() *repositoryResolver { return p.Repository() }

// BaseRef is the base branch as it is now.
func (p *pullResolver) BaseRef(ctx context.Context) (*refResolver, error) {
	return p.Repository().ref(ctx, p.pull.base)
}

// HeadRef is null once the branch or its repository is gone.
func (p *pullResolver) HeadRef(ctx context.Context) (*refResolver, error) {
	head := p.HeadRepository(ctx)
	if err := permit(ctx, p.pull.repository, "contents"); err != nil || head == nil {
		return nil, err
	}
	if head.repository.branches[p.pull.headBranch] == "" {
		return nil, nil
	}
	return &refResolver{p.world, head.repository, p.pull.headBranch}, nil
}

// HeadRepository is null for a deleted fork, and for one that the token does not see.
func (p *pullResolver) HeadRepository(ctx context.Context) *repositoryResolver {
	head := p.pull.headRepository
	if head.deleted || (p.pull.fromFork() && !executionOf(ctx).grant.seesFork(head, p.pull.repository)) {
		return nil
	}
	return &repositoryResolver{p.world, head}
}

// seesFork says whether a fork is shown to who sees the repository that it came from.
func (g *grant) seesFork(fork, base *Repository) bool { return g.sees(fork) || g.sees(base) }

// HeadRepositoryOwner outlives the repository.
func (p *pullResolver) HeadRepositoryOwner() *actorResolver {
	return actor(p.pull.headRepository.owner)
}

// MergeCommit is null before the merge.
func (p *pullResolver) MergeCommit() *commitResolver {
	return commitOf(p.world, p.pull.repository, p.pull.mergeSHA)
}

// StatusCheckRollup of the head commit.
func (p *pullResolver) StatusCheckRollup(ctx context.Context) (*rollupResolver, error) {
	return commitOf(p.world, p.pull.repository, p.pull.head).StatusCheckRollup(ctx)
}

// Labels of the pull request.
func (p *pullResolver) Labels(args pageArgs) (*connection[*labelResolver], error) {
	return connect(p.pull.labels, args, labelOf)
}

// UserContentEdits is the body's edit history, newest first.
func (p *pullResolver) UserContentEdits(ctx context.Context, args pageArgs) (*connection[*editResolver], error) {
	return p.document().edits(ctx, args)
}

// Comments of the conversation, oldest first.
func (p *pullResolver) Comments(args pageArgs) (*connection[*commentResolver], error) {
	return connect(p.pull.comments, args, func(c *Comment) *commentResolver { return &commentResolver{p.world, c} })
}

type reviewsArgs struct {
	pageArgs
	Author *string
	States *[]string
}

// Reviews, oldest first.
func (p *pullResolver) Reviews(args reviewsArgs) (*connection[*reviewResolver], error) {
	reviews := slices.DeleteFunc(slices.Clone(p.pull.reviews), func(r *Review) bool {
		return (args.Author != nil && !strings.EqualFold(*args.Author, r.body.author.graphqlLogin())) ||
			(args.States != nil && !slices.Contains(*args.States, upper(r.state)))
	})
	return connect(reviews, args.pageArgs, func(r *Review) *reviewResolver { return &reviewResolver{p.world, r} })
}

// maxCommits is how many commits GitHub lists of a pull request.
const maxCommits = 250

// Commits of the pull request, oldest first. The count is true, the list ends at 250.
func (p *pullResolver) Commits(args pageArgs) (*connection[*pullCommitResolver], error) {
	shas := p.pull.commits
	shown := shas[:min(len(shas), maxCommits)]
	page, err := connect(shown, args, func(sha string) *pullCommitResolver { return &pullCommitResolver{p, sha} })
	if err == nil {
		page.total = len(shas)
	}
	return page, err
}

// Files that the pull request changes.
func (p *pullResolver) Files(args pageArgs) (*connection[*fileResolver], error) {
	return connect(p.pull.files(), args, func(f File) *fileResolver { return &fileResolver{f} })
}

// ClosingIssuesReferences are the issues that merging closes; those that the token may not read are
// null, with an error beside the data.
func (p *pullResolver) ClosingIssuesReferences(ctx context.Context, args pageArgs) (*connection[*issueResolver], error) {
	run := executionOf(ctx)
	return connect(p.pull.closing(), args, func(i *Issue) *issueResolver {
		if !run.grant.reads(i.repository, "issues") {
			run.hidden.Store(true)
			return nil
		}
		return &issueResolver{p.world, i}
	})
}

type fileResolver struct{ file File }

func (f *fileResolver) Path() string     { return f.file.Path }
func (f *fileResolver) Additions() int32 { return 1 }
func (f *fileResolver) Deletions() int32 { return 0 }

// ChangeType is what happened to the file.
func (f *fileResolver) ChangeType() string {
	switch f.file.Status {
	case "added":
		return "ADDED"
	case "removed":
		return "DELETED"
	case "renamed":
		return "RENAMED"
	}
	return "MODIFIED"
}

type pullCommitResolver struct {
	pull *pullResolver
	sha  string
}

func (c *pullCommitResolver) ID() graphql.ID             { return graphql.ID("PRC_" + c.sha) }
func (c *pullCommitResolver) PullRequest() *pullResolver { return c.pull }
func (c *pullCommitResolver) URL() text                  { return c.pull.URL() + text("/commits/"+c.sha) }
func (c *pullCommitResolver) Commit() *commitResolver {
	return commitOf(c.pull.world, c.pull.pull.repository, c.sha)
}

type reviewResolver struct {
	world  *World
	review *Review
}

func (r *reviewResolver) document() documentResolver {
	return documentResolver{r.review.pull.repository, &r.review.body, "pull_requests"}
}

func (r *reviewResolver) ID() graphql.ID             { return globalID("PRR", r.review.id) }
func (r *reviewResolver) DatabaseID() *int32         { return databaseID(r.review.id) }
func (r *reviewResolver) FullDatabaseID() *text      { return bigInt(r.review.id) }
func (r *reviewResolver) Body() string               { return r.review.body.text() }
func (r *reviewResolver) Author() *actorResolver     { return r.document().author() }
func (r *reviewResolver) Editor() *actorResolver     { return r.document().editor() }
func (r *reviewResolver) State() string              { return upper(r.review.state) }
func (r *reviewResolver) CreatedAt() text            { return dateTime(r.review.body.created()) }
func (r *reviewResolver) UpdatedAt() text            { return dateTime(r.review.submittedAt) }
func (r *reviewResolver) SubmittedAt() *text         { return optionalTime(r.review.submittedAt) }
func (r *reviewResolver) LastEditedAt() *text        { return r.document().lastEditedAt() }
func (r *reviewResolver) IncludesCreatedEdit() bool  { return len(r.review.body.revisions) > 1 }
func (r *reviewResolver) PullRequest() *pullResolver { return &pullResolver{r.world, r.review.pull} }
func (r *reviewResolver) Repository() *repositoryResolver {
	return &repositoryResolver{r.world, r.review.pull.repository}
}
func (r *reviewResolver) URL() text {
	return text(r.world.reviewJSON(r.review)["html_url"].(string))
}

// Commit that was reviewed.
func (r *reviewResolver) Commit() *commitResolver {
	return commitOf(r.world, r.review.pull.repository, r.review.commit)
}

// UserContentEdits is the review's edit history, newest first.
func (r *reviewResolver) UserContentEdits(ctx context.Context, args pageArgs) (*connection[*editResolver], error) {
	return r.document().edits(ctx, args)
}
