package github

import (
	"context"

	gogithub "github.com/google/go-github/v66/github"
)

// Installation is one account's installation of the App.
type Installation struct {
	ID        int64
	Account   string
	Suspended bool
}

// Installations lists every installation of the App.
func (a *App) Installations(ctx context.Context) ([]Installation, error) {
	const doing = "list the App's installations"
	var all []Installation
	options := &gogithub.ListOptions{PerPage: pageSize}
	for range mostPages {
		page, resp, err := a.rest.Apps.ListInstallations(ctx, options)
		if err != nil {
			return nil, a.failure(doing, err)
		}
		for _, i := range page {
			all = append(all, Installation{ID: i.GetID(), Account: i.GetAccount().GetLogin(), Suspended: i.SuspendedAt != nil})
		}
		if resp.NextPage == 0 {
			return all, nil
		}
		options.Page = resp.NextPage
	}
	return nil, tooMany(doing, "installations")
}

// Repositories lists the repositories that an installation's client may act on.
func (c *Client) Repositories(ctx context.Context) ([]Repo, error) {
	const doing = "list the installation's repositories"
	var all []Repo
	options := &gogithub.ListOptions{PerPage: pageSize}
	for range mostPages {
		page, resp, err := c.rest.Apps.ListRepos(ctx, options)
		if err != nil {
			return nil, failure(doing, "", c.now(), err)
		}
		for _, r := range page.Repositories {
			all = append(all, Repo{Owner: r.GetOwner().GetLogin(), Name: r.GetName()})
		}
		if resp.NextPage == 0 {
			return all, nil
		}
		options.Page = resp.NextPage
	}
	return nil, tooMany(doing, "repositories")
}
