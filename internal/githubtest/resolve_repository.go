package githubtest

import (
	"context"
	"slices"
	"strings"

	"github.com/graph-gophers/graphql-go"
)

type repositoryResolver struct {
	world      *World
	repository *Repository
}

func (r *repositoryResolver) ID() graphql.ID        { return globalID("R", r.repository.id) }
func (r *repositoryResolver) DatabaseID() *int32    { return databaseID(r.repository.id) }
func (r *repositoryResolver) Name() string          { return r.repository.name }
func (r *repositoryResolver) NameWithOwner() string { return r.repository.fullName() }
func (r *repositoryResolver) Owner() *actorResolver { return &actorResolver{r.repository.owner} }
func (r *repositoryResolver) IsArchived() bool      { return r.repository.archived }
func (r *repositoryResolver) IsFork() bool          { return r.repository.parent != nil }
func (r *repositoryResolver) IsPrivate() bool       { return !r.repository.public }
func (r *repositoryResolver) Visibility() string    { return upper(visibility(r.repository)) }
func (r *repositoryResolver) URL() text             { return text(webURL + "/" + r.repository.fullName()) }

// DefaultBranchRef needs the contents permission, as all of Git does.
func (r *repositoryResolver) DefaultBranchRef(ctx context.Context) (*refResolver, error) {
	return r.ref(ctx, r.repository.defaultBranch)
}

func (r *repositoryResolver) ref(ctx context.Context, branch string) (*refResolver, error) {
	if err := permit(ctx, r.repository, "contents"); err != nil {
		return nil, err
	}
	if r.repository.branches[branch] == "" {
		return nil, nil
	}
	return &refResolver{r.world, r.repository, branch}, nil
}

// Issue by number. Deleted and transferred ones are not found.
func (r *repositoryResolver) Issue(ctx context.Context, args struct{ Number int32 }) (*issueResolver, error) {
	if err := permit(ctx, r.repository, "issues"); err != nil {
		return nil, err
	}
	i := r.repository.issues[int(args.Number)]
	if i == nil || i.gone() {
		return nil, unresolved("an Issue with the number of %d.", args.Number)
	}
	return &issueResolver{r.world, i}, nil
}

// PullRequest by number.
func (r *repositoryResolver) PullRequest(ctx context.Context, args struct{ Number int32 }) (*pullResolver, error) {
	if err := permit(ctx, r.repository, "pull_requests"); err != nil {
		return nil, err
	}
	p := r.repository.pulls[int(args.Number)]
	if p == nil {
		return nil, unresolved("a PullRequest with the number of %d.", args.Number)
	}
	return &pullResolver{r.world, p}, nil
}

type pullsArgs struct {
	pageArgs
	BaseRefName, HeadRefName *string
	Labels                   *[]string
	OrderBy                  *struct{ Direction, Field string }
	States                   *[]string
}

// PullRequests lists pull requests, by creation unless asked otherwise.
func (r *repositoryResolver) PullRequests(ctx context.Context, args pullsArgs) (*connection[*pullResolver], error) {
	if err := permit(ctx, r.repository, "pull_requests"); err != nil {
		return nil, err
	}
	return args.connect(r.world, r.repository.sortedPulls())
}

// connect are those of the pull requests that were asked for, in the order that was.
func (args pullsArgs) connect(w *World, pulls []*PullRequest) (*connection[*pullResolver], error) {
	pulls = slices.DeleteFunc(pulls, func(p *PullRequest) bool { return !args.match(p) })
	if o := args.OrderBy; o != nil {
		slices.SortStableFunc(pulls, func(a, b *PullRequest) int {
			switch o.Field {
			case "UPDATED_AT":
				return a.updatedAt.Compare(b.updatedAt)
			case "COMMENTS":
				return len(a.comments) - len(b.comments)
			}
			return a.body.created().Compare(b.body.created())
		})
		if o.Direction == "DESC" {
			slices.Reverse(pulls)
		}
	}
	return connect(pulls, args.pageArgs, func(p *PullRequest) *pullResolver { return &pullResolver{w, p} })
}

func (args pullsArgs) match(p *PullRequest) bool {
	if args.BaseRefName != nil && *args.BaseRefName != p.base || args.HeadRefName != nil && *args.HeadRefName != p.headBranch {
		return false
	}
	if args.States != nil && !slices.Contains(*args.States, p.graphqlState()) {
		return false
	}
	return args.Labels == nil || slices.ContainsFunc(p.labels, func(l *label) bool { return slices.Contains(*args.Labels, l.name) })
}

type objectArgs struct {
	Expression *string
	Oid        *text
}

// Object finds a commit by its id or by an expression that names a branch or a commit.
func (r *repositoryResolver) Object(ctx context.Context, args objectArgs) (*commitResolver, error) {
	if err := permit(ctx, r.repository, "contents"); err != nil {
		return nil, err
	}
	name := ""
	if args.Expression != nil {
		name = strings.TrimPrefix(*args.Expression, "refs/heads/")
	}
	if args.Oid != nil {
		name = string(*args.Oid)
	}
	if tip := r.repository.branches[name]; tip != "" {
		name = tip
	}
	return commitOf(r.world, r.repository, name), nil
}

type refResolver struct {
	world      *World
	repository *Repository
	branch     string
}

func (r *refResolver) ID() graphql.ID { return refPrefix(r.repository) + graphql.ID(r.branch) }
func (r *refResolver) Name() string   { return r.branch }
func (r *refResolver) Prefix() string { return "refs/heads/" }

// Target is the commit that the branch points at.
func (r *refResolver) Target() *commitResolver {
	return commitOf(r.world, r.repository, r.repository.branches[r.branch])
}

// refPrefix begins the global ids of a repository's branches; the branch's name follows.
func refPrefix(r *Repository) graphql.ID { return globalID("REF", r.id) + ":" }

// refByID finds the branch of a global id.
func (w *World) refByID(id graphql.ID) *refResolver {
	for _, r := range w.repositories {
		if branch, ok := strings.CutPrefix(string(id), string(refPrefix(r))); ok && r.branches[branch] != "" {
			return &refResolver{w, r, branch}
		}
	}
	return nil
}

// AssociatedPullRequests are the pull requests whose head is the branch, into whichever repository that
// the token sees.
func (r *refResolver) AssociatedPullRequests(ctx context.Context, args pullsArgs) (*connection[*pullResolver], error) {
	var pulls []*PullRequest
	for _, base := range r.world.repositories {
		for _, p := range base.sortedPulls() {
			if p.headRepository == r.repository && p.headBranch == r.branch && executionOf(ctx).grant.reads(base, "pull_requests") {
				pulls = append(pulls, p)
			}
		}
	}
	return args.connect(r.world, pulls)
}

type labelResolver struct{ label *label }

func labelOf(l *label) *labelResolver { return &labelResolver{l} }

func (l *labelResolver) ID() graphql.ID       { return globalID("LA", l.label.id) }
func (l *labelResolver) Name() string         { return l.label.name }
func (l *labelResolver) Color() string        { return l.label.color }
func (l *labelResolver) Description() *string { return nil }
