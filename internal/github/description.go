package github

import (
	"context"
	"fmt"
	"strings"

	gogithub "github.com/google/go-github/v66/github"
)

const pullsWrite = "pull requests: write"

// Description is the text of a pull request as it stands at one moment, with the head it stands
// beside.
type Description struct {
	Body    string
	HeadSHA string
	State   string // open, closed or merged
}

// Description reads the body and the head of a pull request, and nothing else.
func (c *Client) Description(ctx context.Context, repo Repo, number int) (Description, error) {
	doing := fmt.Sprintf("read the body of %s#%d", repo, number)
	if err := repo.check(); err != nil {
		return Description{}, err
	}
	pr, _, err := c.rest.PullRequests.Get(ctx, repo.Owner, repo.Name, number)
	if err != nil {
		return Description{}, failure(doing, "pull requests: read", c.now(), err)
	}
	return description(doing, pr)
}

// WriteBody replaces the body of a pull request and returns what GitHub stored. GitHub has no
// conditional write: who must not overwrite another's edit reads right before, and the revisions
// right after.
func (c *Client) WriteBody(ctx context.Context, repo Repo, number int, body string) (Description, error) {
	doing := fmt.Sprintf("write the body of %s#%d", repo, number)
	if err := repo.check(); err != nil {
		return Description{}, err
	}
	pr, _, err := c.rest.PullRequests.Edit(ctx, repo.Owner, repo.Name, number, &gogithub.PullRequest{Body: &body})
	if err != nil {
		return Description{}, failure(doing, pullsWrite, c.now(), err)
	}
	return description(doing, pr)
}

func description(doing string, pr *gogithub.PullRequest) (Description, error) {
	d := Description{Body: pr.GetBody(), HeadSHA: strings.ToLower(pr.GetHead().GetSHA()), State: pr.GetState()}
	if pr.GetMerged() {
		d.State = "merged"
	}
	if d.HeadSHA == "" || d.State == "" {
		return Description{}, unreadable(doing)
	}
	return d, nil
}
