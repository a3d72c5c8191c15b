package github

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	gogithub "github.com/google/go-github/v66/github"
)

// pullRequestRef is a pull request as find.graphql lists it.
type pullRequestRef struct {
	Number      int    `json:"number"`
	State       string `json:"state"`
	HeadRefOID  string `json:"headRefOid"`
	BaseRefName string `json:"baseRefName"`
	Repository  *struct {
		NameWithOwner string `json:"nameWithOwner"`
	} `json:"repository"`
}

// PullRequestsClosing lists the open pull requests of the repository that close an issue of it,
// lowest number first. One of another repository has its task elsewhere and is left out.
func (c *Client) PullRequestsClosing(ctx context.Context, repo Repo, issue int) ([]int, error) {
	doing := fmt.Sprintf("find the pull requests that close %s#%d", repo, issue)
	numbers := map[int]bool{}
	err := c.find(ctx, doing, "Closing", map[string]any{"owner": repo.Owner, "name": repo.Name, "number": issue}, func(pr pullRequestRef) {
		if pr.State == "OPEN" && pr.Repository != nil && strings.EqualFold(pr.Repository.NameWithOwner, repo.String()) {
			numbers[pr.Number] = true
		}
	})
	return slices.Sorted(maps.Keys(numbers)), err
}

// PullRequestsByHead lists the open pull requests, those of forks too, whose head is that commit,
// lowest number first.
//
// GitHub associates a commit with pull requests that it knows from the repository's own branches
// ("List pull requests associated with a commit"); those from forks are named only now and then. So
// when that finds none, all open pull requests are looked through, a hundred a request. A fork that
// shares its head with a branch of the repository can be missed: who needs every pull request of a
// head remembers heads as events name them.
func (c *Client) PullRequestsByHead(ctx context.Context, repo Repo, sha string) ([]int, error) {
	if err := checkCommit(repo, sha); err != nil {
		return nil, err
	}
	numbers, err := c.associated(ctx, repo, sha)
	if err != nil || len(numbers) > 0 {
		return slices.Sorted(maps.Keys(numbers)), err
	}
	doing := fmt.Sprintf("find the open pull requests of %s with the head %s", repo, sha)
	err = c.find(ctx, doing, "Open", map[string]any{"owner": repo.Owner, "name": repo.Name}, func(pr pullRequestRef) {
		if pr.HeadRefOID == sha {
			numbers[pr.Number] = true
		}
	})
	return slices.Sorted(maps.Keys(numbers)), err
}

// OpenPullRequests lists the open pull requests with their heads.
func (c *Client) OpenPullRequests(ctx context.Context, repo Repo) (map[int]string, error) {
	doing := fmt.Sprintf("list the open pull requests of %s", repo)
	heads := map[int]string{}
	err := c.find(ctx, doing, "Open", map[string]any{"owner": repo.Owner, "name": repo.Name}, func(pr pullRequestRef) {
		heads[pr.Number] = pr.HeadRefOID
	})
	return heads, err
}

func (c *Client) associated(ctx context.Context, repo Repo, sha string) (map[int]bool, error) {
	doing := fmt.Sprintf("find the pull requests of %s with the commit %s", repo, sha)
	numbers := map[int]bool{}
	options := &gogithub.ListOptions{PerPage: pageSize}
	for range mostPages {
		pulls, resp, err := c.rest.PullRequests.ListPullRequestsWithCommit(ctx, repo.Owner, repo.Name, sha, options)
		if kind := KindOf(asFailure(doing, c, err)); kind == NotFound || kind == Invalid {
			return numbers, nil // the repository does not know the commit (yet)
		}
		if err != nil {
			return nil, asFailure(doing, c, err)
		}
		for _, pr := range pulls {
			if pr.GetState() == "open" && pr.GetHead().GetSHA() == sha && strings.EqualFold(pr.GetBase().GetRepo().GetFullName(), repo.String()) {
				numbers[pr.GetNumber()] = true
			}
		}
		if resp.NextPage == 0 {
			return numbers, nil
		}
		options.Page = resp.NextPage
	}
	return nil, tooMany(doing, "pull requests")
}

// find reads a list of find.graphql to its end.
func (c *Client) find(ctx context.Context, doing, operation string, variables map[string]any, each func(pullRequestRef)) error {
	if err := (Repo{fmt.Sprint(variables["owner"]), fmt.Sprint(variables["name"])}).check(); err != nil {
		return err
	}
	for range mostPages {
		page, err := c.findPage(ctx, doing, operation, variables)
		if err != nil {
			return err
		}
		for _, pr := range page.Nodes {
			if pr != nil {
				each(*pr)
			}
		}
		cursor := page.PageInfo.EndCursor
		switch {
		case !page.PageInfo.HasNextPage:
			return nil
		case cursor == "" || cursor == variables["cursor"]:
			return &Error{Kind: Incomplete, Operation: doing, Message: "GitHub promises a further page and does not lead to it: try again"}
		}
		variables["cursor"] = cursor
	}
	return tooMany(doing, "pull requests")
}

func (c *Client) findPage(ctx context.Context, doing, operation string, variables map[string]any) (*connection[pullRequestRef], error) {
	type lister struct {
		Page *connection[pullRequestRef] `json:"page"`
	}
	var data struct {
		Repository *struct {
			lister         // Open
			Issue  *lister `json:"issue"` // Closing
		} `json:"repository"`
	}
	answer, err := c.query(ctx, doing, request{Text: findQueries.operation(operation), Operation: operation, Variables: variables}, &data)
	switch {
	case err != nil:
		return nil, err
	case len(answer.holes) > 0:
		return nil, c.withheldWhole(doing, answer.holes[0])
	case data.Repository == nil, operation == "Closing" && data.Repository.Issue == nil:
		return nil, &Error{Kind: NotFound, Operation: doing, Message: noSuchThing}
	}
	page := data.Repository.Page
	if data.Repository.Issue != nil {
		page = data.Repository.Issue.Page
	}
	if page == nil {
		return nil, unreadable(doing)
	}
	return page, nil
}

func asFailure(doing string, c *Client, err error) error {
	if err == nil {
		return nil
	}
	return failure(doing, "pull requests: read", c.now(), err)
}

func tooMany(doing, what string) error {
	return &Error{Kind: TooLarge, Operation: doing, Message: fmt.Sprintf("there are more than %d %s", mostPages*pageSize, what)}
}
