package githubtest

import (
	"context"
	"encoding/base64"
	"fmt"
	"strconv"
	"strings"

	"github.com/graph-gophers/graphql-go"
)

type commitResolver struct {
	world      *World
	repository *Repository
	commit     *commit
}

// commitOf resolves a commit; null when there is none with that id.
func commitOf(w *World, r *Repository, sha string) *commitResolver {
	c := r.commits[sha]
	if c == nil {
		return nil
	}
	return &commitResolver{w, r, c}
}

func (c *commitResolver) ID() graphql.ID         { return commitID(c.repository, c.commit.sha) }
func (c *commitResolver) Oid() text              { return text(c.commit.sha) }
func (c *commitResolver) AbbreviatedOid() string { return c.commit.sha[:7] }
func (c *commitResolver) Message() string        { return c.commit.message }
func (c *commitResolver) AuthoredDate() text     { return dateTime(c.commit.at) }
func (c *commitResolver) CommittedDate() text    { return dateTime(c.commit.at) }
func (c *commitResolver) URL() text {
	return text(webURL + "/" + c.repository.fullName() + "/commit/" + c.commit.sha)
}
func (c *commitResolver) Repository() *repositoryResolver {
	return &repositoryResolver{c.world, c.repository}
}

// MessageHeadline is the first line.
func (c *commitResolver) MessageHeadline() string {
	line, _, _ := strings.Cut(c.commit.message, "\n")
	return line
}

// Author is the first author.
func (c *commitResolver) Author() *gitActorResolver {
	return &gitActorResolver{c.commit.authors[0], c.commit.at}
}

// Committer of the commit.
func (c *commitResolver) Committer() *gitActorResolver {
	return &gitActorResolver{c.commit.committer, c.commit.at}
}

// Authors are the author and the co-authors.
func (c *commitResolver) Authors(args pageArgs) (*connection[*gitActorResolver], error) {
	return connect(c.commit.authors, args, func(g gitActor) *gitActorResolver { return &gitActorResolver{g, c.commit.at} })
}

// AssociatedPullRequests as GitHub associates them; see [Repository.pullsWithCommit].
func (c *commitResolver) AssociatedPullRequests(ctx context.Context, args pageArgs) (*connection[*pullResolver], error) {
	if err := permit(ctx, c.repository, "pull_requests"); err != nil {
		return nil, err
	}
	pulls := c.repository.pullsWithCommit(c.commit.sha)
	return connect(pulls, args, func(p *PullRequest) *pullResolver { return &pullResolver{c.world, p} })
}

// commitID is the global id of a commit, which belongs to a repository.
func commitID(r *Repository, sha string) graphql.ID {
	return graphql.ID("C_" + base64.RawURLEncoding.EncodeToString(fmt.Appendf(nil, "sim:%d:%s", r.id, sha)))
}

// commitByID finds the commit of a global id.
func (w *World) commitByID(id graphql.ID) *commitResolver {
	encoded, isCommit := strings.CutPrefix(string(id), "C_")
	decoded, err := base64.RawURLEncoding.DecodeString(encoded)
	parts := strings.Split(string(decoded), ":")
	if !isCommit || err != nil || len(parts) != 3 {
		return nil
	}
	for _, r := range w.repositories {
		if strconv.FormatInt(r.id, 10) == parts[1] {
			return commitOf(w, r, parts[2])
		}
	}
	return nil
}

// ToCommit is the only kind of Git object that is modelled.
func (c *commitResolver) ToCommit() (*commitResolver, bool) { return c, true }

// StatusCheckRollup needs the statuses permission; null when there is neither a status nor a check
// run.
func (c *commitResolver) StatusCheckRollup(ctx context.Context) (*rollupResolver, error) {
	if err := permit(ctx, c.repository, "statuses"); err != nil {
		return nil, err
	}
	r := &rollupResolver{
		commit: c, runs: c.repository.latestCheckRuns(c.commit.sha), statuses: c.repository.latestStatuses(c.commit.sha),
	}
	if len(r.runs)+len(r.statuses) == 0 {
		return nil, nil
	}
	return r, nil
}
