package github

import (
	"context"
	_ "embed"
	"fmt"
	"maps"
	"strings"
)

//go:embed branch.graphql
var branchText string

// branchQueries use the fragments of pull_request.graphql too.
var branchQueries = func() document {
	d := maps.Clone(pullRequestQueries)
	maps.Copy(d, parseDocument(branchText))
	return d
}()

// mostBranchPages bounds how many pull requests from branches of one name are looked through:
// "main" and "patch-1" are head branches of thousands of them.
const mostBranchPages = 20

// BranchPull is a pull request as a search by head branch lists it. HeadRepository is the full name
// of the repository that holds the branch, empty when that was deleted.
type BranchPull struct {
	Number         int
	State          string // open, closed or merged
	HeadSHA        string
	HeadRepository string
}

// BranchPulls are the pull requests of one repository whose head branch has one name, whichever
// repository holds the branch: open ones first, then the newest.
type BranchPulls struct {
	Repository    Repo   // as GitHub calls it now, even when it was asked for by an old name
	DefaultBranch string // empty when it is not shown to this token
	Pulls         []BranchPull
}

type branchPullNode struct {
	Number     int    `json:"number"`
	State      string `json:"state"`
	HeadRefOID string `json:"headRefOid"`
	Repository *struct {
		NameWithOwner string `json:"nameWithOwner"`
	} `json:"headRepository"`
}

type branchNode struct {
	NameWithOwner string                      `json:"nameWithOwner"`
	Default       *refNode                    `json:"defaultBranchRef"`
	Open          *connection[branchPullNode] `json:"open"`
	Ended         *connection[branchPullNode] `json:"ended"`
}

// PullRequestsOfBranch lists the pull requests of the repository that have a head branch of that
// name, in it or in a fork. Of those that have ended only the newest are listed.
func (c *Client) PullRequestsOfBranch(ctx context.Context, repo Repo, branch string) (BranchPulls, error) {
	if err := repo.check(); err != nil {
		return BranchPulls{}, err
	}
	doing := fmt.Sprintf("find the pull request of %s from the branch %q", repo, quote(branch))
	var found BranchPulls
	var ended []BranchPull
	variables := map[string]any{"owner": repo.Owner, "name": repo.Name, "branch": branch}
	for range mostBranchPages {
		r, err := c.branchPage(ctx, doing, variables)
		if err != nil {
			return BranchPulls{}, err
		}
		found.Repository.Owner, found.Repository.Name, _ = strings.Cut(r.NameWithOwner, "/")
		if r.Default != nil {
			found.DefaultBranch = r.Default.Name
		}
		found.Pulls, ended = append(found.Pulls, branchPulls(r.Open)...), branchPulls(r.Ended)
		cursor := r.Open.PageInfo.EndCursor
		switch {
		case !r.Open.PageInfo.HasNextPage:
			found.Pulls = append(found.Pulls, ended...)
			return found, nil
		case cursor == "" || cursor == variables["cursor"]:
			return BranchPulls{}, &Error{Kind: Incomplete, Operation: doing, Message: "GitHub promises a further page and does not lead to it: try again"}
		}
		variables["cursor"] = cursor
	}
	return BranchPulls{}, &Error{Kind: TooLarge, Operation: doing,
		Message: fmt.Sprintf("more than %d open pull requests have a head branch of this name: name yours by its number", mostBranchPages*pageSize)}
}

// branchPage reads one page. A default branch that is withheld is no reason to fail.
func (c *Client) branchPage(ctx context.Context, doing string, variables map[string]any) (*branchNode, error) {
	var data struct {
		Repository *branchNode `json:"repository"`
	}
	answer, err := c.query(ctx, doing, request{Text: branchQueries.operation("OfBranch"), Operation: "OfBranch", Variables: variables}, &data)
	switch {
	case err != nil:
		return nil, err
	case data.Repository != nil && data.Repository.Open != nil && data.Repository.Ended != nil:
		return data.Repository, nil
	case len(answer.holes) > 0:
		return nil, c.withheldWhole(doing, answer.holes[0])
	case data.Repository == nil:
		return nil, &Error{Kind: NotFound, Operation: doing, Message: c.absent()}
	}
	return nil, unreadable(doing)
}

func branchPulls(page *connection[branchPullNode]) []BranchPull {
	var pulls []BranchPull
	for _, n := range page.Nodes {
		if n == nil {
			continue
		}
		pull := BranchPull{Number: n.Number, State: strings.ToLower(n.State), HeadSHA: n.HeadRefOID}
		if n.Repository != nil {
			pull.HeadRepository = n.Repository.NameWithOwner
		}
		pulls = append(pulls, pull)
	}
	return pulls
}
