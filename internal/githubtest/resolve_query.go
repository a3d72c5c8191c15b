package githubtest

import (
	"context"

	"github.com/graph-gophers/graphql-go"
)

type queryResolver struct{ world *World }

type repositoryArgs struct {
	FollowRenames bool
	Name, Owner   string
}

// Repository by owner and name; not found when the token does not see it.
func (q *queryResolver) Repository(ctx context.Context, args repositoryArgs) (*repositoryResolver, error) {
	name := args.Owner + "/" + args.Name
	r := q.world.repository(name)
	if r == nil && args.FollowRenames {
		r = q.world.renamedRepository(name)
	}
	if r == nil || !executionOf(ctx).grant.sees(r) {
		return nil, unresolved("a Repository with the name '%s'.", name)
	}
	return &repositoryResolver{q.world, r}, nil
}

// Node by its global id.
func (q *queryResolver) Node(ctx context.Context, args struct{ ID graphql.ID }) (*nodeResolver, error) {
	g := executionOf(ctx).grant
	var found any
	var r *Repository
	permission := "metadata"
	switch n := q.world.nodes[string(args.ID)].(type) {
	case *Repository:
		found, r = &repositoryResolver{q.world, n}, n
	case *Issue:
		found, r, permission = &issueResolver{q.world, n}, n.repository, "issues"
	case *PullRequest:
		found, r, permission = &pullResolver{q.world, n}, n.repository, "pull_requests"
	case *Review:
		found, r, permission = &reviewResolver{q.world, n}, n.pull.repository, "pull_requests"
	case *Comment:
		found, r, permission = &commentResolver{q.world, n}, n.thread.repository, "issues"
		if n.pull != nil {
			permission = "pull_requests"
		}
	}
	if c := q.world.commitByID(args.ID); c != nil {
		found, r, permission = c, c.repository, "contents"
	}
	if b := q.world.refByID(args.ID); b != nil {
		found, r, permission = b, b.repository, "contents"
	}
	if r == nil || r.deleted || !g.sees(r) {
		return nil, unresolved("a node with the global id of '%s'", args.ID)
	}
	if err := permit(ctx, r, permission); err != nil {
		return nil, err
	}
	return &nodeResolver{found, args.ID}, nil
}

// RateLimit is the state of the hour's budget.
func (q *queryResolver) RateLimit(ctx context.Context) *rateLimitResolver {
	run := executionOf(ctx)
	limit, used, reset := run.grant.rate().state(q.world.clock(), "graphql")
	return &rateLimitResolver{
		Limit: int32(limit), Used: int32(used), Remaining: int32(limit - used), ResetAt: dateTime(reset),
		Cost: int32(run.cost.points()), NodeCount: int32(run.cost.nodes),
	}
}

type rateLimitResolver struct {
	Limit, Used, Remaining, Cost, NodeCount int32
	ResetAt                                 text
}

type nodeResolver struct {
	value any
	id    graphql.ID
}

// ID is the global id.
func (n *nodeResolver) ID() graphql.ID { return n.id }

func nodeAs[T any](n *nodeResolver) (T, bool) {
	value, ok := n.value.(T)
	return value, ok
}

// The kinds of node that can be asked for by id are repositories, issues, pull requests, comments,
// reviews, commits and branches; the rest is there because the schema's interface names it.

func (n *nodeResolver) ToRepository() (*repositoryResolver, bool) {
	return nodeAs[*repositoryResolver](n)
}
func (n *nodeResolver) ToIssue() (*issueResolver, bool)          { return nodeAs[*issueResolver](n) }
func (n *nodeResolver) ToPullRequest() (*pullResolver, bool)     { return nodeAs[*pullResolver](n) }
func (n *nodeResolver) ToIssueComment() (*commentResolver, bool) { return nodeAs[*commentResolver](n) }
func (n *nodeResolver) ToPullRequestReview() (*reviewResolver, bool) {
	return nodeAs[*reviewResolver](n)
}
func (n *nodeResolver) ToApp() (*appResolver, bool)                     { return nodeAs[*appResolver](n) }
func (n *nodeResolver) ToBot() (*actorResolver, bool)                   { return nil, false }
func (n *nodeResolver) ToUser() (*actorResolver, bool)                  { return nil, false }
func (n *nodeResolver) ToMannequin() (*actorResolver, bool)             { return nil, false }
func (n *nodeResolver) ToOrganization() (*actorResolver, bool)          { return nil, false }
func (n *nodeResolver) ToEnterpriseUserAccount() (*actorResolver, bool) { return nil, false }
func (n *nodeResolver) ToCheckRun() (*checkRunResolver, bool)           { return nodeAs[*checkRunResolver](n) }
func (n *nodeResolver) ToCheckSuite() (*suiteResolver, bool)            { return nodeAs[*suiteResolver](n) }
func (n *nodeResolver) ToCommit() (*commitResolver, bool)               { return nodeAs[*commitResolver](n) }
func (n *nodeResolver) ToLabeledEvent() (*labelEventResolver, bool)     { return nil, false }
func (n *nodeResolver) ToUnlabeledEvent() (*labelEventResolver, bool)   { return nil, false }
func (n *nodeResolver) ToLabel() (*labelResolver, bool)                 { return nodeAs[*labelResolver](n) }
func (n *nodeResolver) ToPullRequestCommit() (*pullCommitResolver, bool) {
	return nodeAs[*pullCommitResolver](n)
}
func (n *nodeResolver) ToRef() (*refResolver, bool) { return nodeAs[*refResolver](n) }
func (n *nodeResolver) ToStatusCheckRollup() (*rollupResolver, bool) {
	return nodeAs[*rollupResolver](n)
}
func (n *nodeResolver) ToStatusContext() (*statusResolver, bool) { return nodeAs[*statusResolver](n) }
func (n *nodeResolver) ToUserContentEdit() (*editResolver, bool) { return nodeAs[*editResolver](n) }
func (n *nodeResolver) ToWorkflow() (*workflowResolver, bool)    { return nodeAs[*workflowResolver](n) }
func (n *nodeResolver) ToWorkflowRun() (*workflowRunResolver, bool) {
	return nodeAs[*workflowRunResolver](n)
}
