package github

import (
	"context"
	"fmt"
	"strings"

	"github.com/evidence-gate/evidence-gate/snapshot"
)

// mostLost bounds how many issues are looked up one by one, all at the same time.
const mostLost = 10

// whereabouts is what GitHub says of an issue by its number: REST, unlike GraphQL, follows one that
// was moved to another repository ("Get an issue" in GitHub's documentation).
type whereabouts struct {
	Number        int       `json:"number"`
	RepositoryURL string    `json:"repository_url"`
	PullRequest   *struct{} `json:"pull_request"`
}

// repository is the full name of the repository that it is in.
func (w whereabouts) repository() string {
	parts := strings.Split(strings.TrimRight(w.RepositoryURL, "/"), "/")
	if len(parts) < 2 {
		return ""
	}
	return strings.Join(parts[len(parts)-2:], "/")
}

// lost are the links among those that lead to no readable task of this repository: of another
// repository, moved there, deleted or hidden. What is there and is only not linked by GitHub is no
// link, and neither is a pull request.
func (l *loading) lost(ctx context.Context, own Repo, links []snapshot.Linked) ([]snapshot.Linked, error) {
	found := make([]*snapshot.Linked, len(links))
	var all []work
	for i, link := range links {
		switch {
		case link.Repository != own.String():
			found[i] = &link
		case len(all) < mostLost:
			all = append(all, func(ctx context.Context) (err error) {
				found[i], err = l.lookUp(ctx, own, link)
				return err
			})
		}
	}
	if l.requests += len(all); l.requests > mostRequests {
		return nil, tooManyRequests(l.doing)
	}
	if err := together(ctx, all); err != nil {
		return nil, err
	}
	var lost []snapshot.Linked
	for _, link := range found {
		if link != nil {
			lost = append(lost, *link)
		}
	}
	return lost, nil
}

// lookUp is the link to where an issue is now, nil when it is where it should be.
func (l *loading) lookUp(ctx context.Context, own Repo, link snapshot.Linked) (*snapshot.Linked, error) {
	doing := fmt.Sprintf("look for the task %s#%d", own, link.Number)
	var at whereabouts
	_, _, err := l.client.get(ctx, doing, issuesRead, fmt.Sprintf("repos/%s/%s/issues/%d", own.Owner, own.Name, link.Number), &at)
	switch kind := KindOf(err); {
	case kind == NotFound || kind == Forbidden:
		return &link, nil
	case err != nil:
		return nil, err
	case at.PullRequest != nil || strings.EqualFold(at.repository(), own.String()):
		return nil, nil
	}
	if repo, err := ParseRepo(at.repository()); err == nil && at.Number > 0 {
		link.Repository, link.Number = repo.String(), at.Number
	}
	return &link, nil
}
