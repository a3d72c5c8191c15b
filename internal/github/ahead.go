package github

import "context"

// Ahead reads what every pull request of a repository may need and does not depend on which one it
// is, so that it is at hand when it is wanted: the owner's policy. Most of its failures matter only
// when it is wanted, and come up again there.
func (c *Client) Ahead(ctx context.Context, repo Repo) error {
	if err := repo.check(); err != nil {
		return err
	}
	_, err := c.sharedPolicy(ctx, repo.Owner)
	return err
}
