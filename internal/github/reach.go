package github

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	gogithub "github.com/google/go-github/v66/github"
)

// OpenPullRequest is an open pull request as a list shows it.
type OpenPullRequest struct {
	Number  int
	HeadSHA string
	Base    string // name of its base branch
}

// Open lists the open pull requests of a repository, lowest number first.
func (c *Client) Open(ctx context.Context, repo Repo) ([]OpenPullRequest, error) {
	doing := fmt.Sprintf("list the open pull requests of %s", repo)
	byNumber := map[int]OpenPullRequest{} // one that moves between two pages is listed twice
	err := c.find(ctx, doing, "Open", map[string]any{"owner": repo.Owner, "name": repo.Name}, func(pr pullRequestRef) {
		byNumber[pr.Number] = OpenPullRequest{Number: pr.Number, HeadSHA: pr.HeadRefOID, Base: pr.BaseRefName}
	})
	open := make([]OpenPullRequest, 0, len(byNumber))
	for _, pr := range byNumber {
		open = append(open, pr)
	}
	slices.SortFunc(open, func(a, b OpenPullRequest) int { return cmp.Compare(a.Number, b.Number) })
	return open, err
}

// InstalledRepository is a repository that an installation covers.
type InstalledRepository struct {
	ID       int64
	Repo     Repo
	Archived bool // nothing can be written there
}

// InstalledRepositories lists the repositories that an installation's client may act on, in the order
// of their ids.
func (c *Client) InstalledRepositories(ctx context.Context) ([]InstalledRepository, error) {
	const doing = "list the installation's repositories"
	var all []InstalledRepository
	options := &gogithub.ListOptions{PerPage: pageSize}
	for range mostPages {
		page, resp, err := c.rest.Apps.ListRepos(ctx, options)
		if err != nil {
			return nil, failure(doing, "", c.now(), err)
		}
		for _, r := range page.Repositories {
			all = append(all, InstalledRepository{ID: r.GetID(), Repo: Repo{Owner: r.GetOwner().GetLogin(), Name: r.GetName()}, Archived: r.GetArchived()})
		}
		if resp.NextPage == 0 {
			slices.SortFunc(all, func(a, b InstalledRepository) int { return cmp.Compare(a.ID, b.ID) })
			return all, nil
		}
		options.Page = resp.NextPage
	}
	return nil, tooMany(doing, "repositories")
}

// InstallationByID is one installation as it is now; NotFound when it was deleted.
func (a *App) InstallationByID(ctx context.Context, id int64) (Installation, error) {
	doing := fmt.Sprintf("read the App's installation %d", id)
	found, _, err := a.rest.Apps.GetInstallation(ctx, id)
	if err != nil {
		return Installation{}, a.failure(doing, err)
	}
	if found.GetID() != id {
		return Installation{}, unreadable(doing)
	}
	return Installation{ID: id, Account: found.GetAccount().GetLogin(), Suspended: found.SuspendedAt != nil}, nil
}

// Refresh forgets everything that may change without a new commit, such as people's roles, when an
// event told that it did.
func (c *Client) Refresh() {
	c.cache.mu.Lock()
	defer c.cache.mu.Unlock()
	for key, e := range c.cache.entries {
		if e.life != forEver {
			c.cache.drop(key)
		}
	}
}
