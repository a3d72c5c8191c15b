package githubtest

import (
	"slices"
	"strings"
)

// "REST API endpoints for repositories", "… for pull requests" and "… for commits".
var repositoryEndpoints = []endpoint{
	{pattern: "GET /repos/{owner}/{repo}", accepts: "metadata=read", handle: (*call).getRepository},
	{
		pattern: "GET /repos/{owner}/{repo}/pulls", paged: true, query: []string{"state", "head", "base", "sort", "direction"},
		accepts: "pull_requests=read", handle: (*call).listPulls,
	},
	{pattern: "GET /repos/{owner}/{repo}/pulls/{number}", accepts: "pull_requests=read", handle: (*call).getPull},
	{pattern: "GET /repos/{owner}/{repo}/pulls/{number}/files", paged: true, accepts: "pull_requests=read", handle: (*call).listFiles},
	{pattern: "GET /repos/{owner}/{repo}/commits/{sha}/pulls", paged: true, accepts: "pull_requests=read", handle: (*call).listPullsOfCommit},
}

func (c *call) getRepository() response { return ok(c.world.fullRepositoryJSON(c.repository)) }

func (c *call) pull() *PullRequest { return c.repository.pulls[int(c.number("number"))] }

func (c *call) getPull() response {
	if p := c.pull(); p != nil {
		return ok(c.world.fullPullJSON(p))
	}
	return notFound()
}

func (c *call) listPulls() response {
	query := c.request.URL.Query()
	state := query.Get("state")
	if state == "" {
		state = "open"
	}
	if !slices.Contains([]string{"open", "closed", "all"}, state) {
		return invalid(problem{Resource: "PullRequest", Field: "state", Code: "invalid"})
	}
	pulls := slices.DeleteFunc(c.repository.sortedPulls(), func(p *PullRequest) bool {
		return (state != "all" && stateOf(p.open) != state) || !p.headMatches(query.Get("head")) ||
			(query.Get("base") != "" && query.Get("base") != p.base)
	})
	if refused := c.sortPulls(pulls); refused != nil {
		return *refused
	}
	return listed(c, pulls, c.world.pullJSON)
}

// headMatches reads the filter "owner:branch"; GitHub ignores one without a colon.
func (p *PullRequest) headMatches(filter string) bool {
	owner, branch, found := strings.Cut(filter, ":")
	return !found || (strings.EqualFold(p.headRepository.owner.login, owner) && p.headBranch == branch)
}

// sortPulls orders by creation, newest first, unless asked otherwise.
func (c *call) sortPulls(pulls []*PullRequest) *response {
	query := c.request.URL.Query()
	by, direction := query.Get("sort"), query.Get("direction")
	if by == "" {
		by = "created"
		if direction == "" {
			direction = "desc"
		}
	}
	if by != "created" && by != "updated" {
		c.server.reporter.Errorf("githubtest: sort=%s of %s is not modelled", by, c.endpoint.pattern)
	}
	if by == "updated" {
		slices.SortStableFunc(pulls, func(a, b *PullRequest) int { return a.updatedAt.Compare(b.updatedAt) })
	}
	if direction == "desc" {
		slices.Reverse(pulls)
	}
	return nil
}

// maxFiles: "Responses include a maximum of 3000 files".
const maxFiles = 3000

func (c *call) listFiles() response {
	p := c.pull()
	if p == nil {
		return notFound()
	}
	files := p.files()
	return listed(c, files[:min(len(files), maxFiles)], func(f File) object { return c.world.fileJSON(p, f) })
}

func (c *call) listPullsOfCommit() response {
	sha := c.request.PathValue("sha")
	if c.repository.commits[sha] == nil {
		return unprocessable("No commit found for SHA: " + sha)
	}
	return listed(c, c.repository.pullsWithCommit(sha), c.world.pullJSON)
}
