package github

import (
	"context"
	"fmt"

	gogithub "github.com/google/go-github/v66/github"
)

const pullRequestsWrite = "pull requests: write"

// RequestReviews asks people and teams, the latter by their slugs, for a review of a pull request. Who
// was asked before stays asked. GitHub refuses the whole request with an error of the kind Invalid when
// one of them is no collaborator, or is the pull request's author.
func (c *Client) RequestReviews(ctx context.Context, repo Repo, number int, users, teams []string) error {
	doing := fmt.Sprintf("request reviews of %s#%d", repo, number)
	if err := repo.check(); err != nil {
		return err
	}
	if _, _, err := c.rest.PullRequests.RequestReviewers(ctx, repo.Owner, repo.Name, number, gogithub.ReviewersRequest{
		Reviewers: users, TeamReviewers: teams,
	}); err != nil {
		return failure(doing, pullRequestsWrite, c.now(), err)
	}
	return nil
}
