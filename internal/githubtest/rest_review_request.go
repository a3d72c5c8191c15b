package githubtest

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
)

// "Request reviewers for a pull request" of "REST API endpoints for review requests".
var reviewRequestEndpoints = []endpoint{
	{
		pattern: "POST /repos/{owner}/{repo}/pulls/{number}/requested_reviewers", writes: true,
		accepts: "pull_requests=write", handle: (*call).requestReviewers,
	},
}

// requestReviewers refuses the whole request when one of those named cannot be asked: the author, who
// is no collaborator, and a bot. Who was asked before is not asked again.
func (c *call) requestReviewers() response {
	p := c.pull()
	if p == nil {
		return notFound()
	}
	var asked struct {
		Reviewers     []string `json:"reviewers"`
		TeamReviewers []string `json:"team_reviewers"`
	}
	if refused := c.decode(&asked); refused != nil {
		return *refused
	}
	for _, login := range asked.Reviewers {
		switch a := c.world.accounts[strings.ToLower(login)]; {
		case a == p.body.author:
			return unprocessable("Review cannot be requested from pull request author.")
		case a == nil || a.kind != "User" || !atLeast(c.repository.role(a), "read"):
			return unprocessable(fmt.Sprintf("Reviews may only be requested from collaborators. One or more of the users or teams you specified is not a collaborator of the %s repository.", c.repository.fullName()))
		}
	}
	for _, slug := range asked.TeamReviewers {
		if _, known := c.world.teams[teamKey(c.repository.owner.login, slug)]; !known {
			return unprocessable(fmt.Sprintf("Could not resolve to a node with the global id of '%s'.", slug))
		}
	}
	w := c.world
	for _, login := range asked.Reviewers {
		a := w.account(login)
		if !slices.Contains(p.requested, a.login) {
			p.requested = append(p.requested, a.login)
			w.emitPull(p, "review_requested", c.actor(), object{"requested_reviewer": w.userJSON(a)})
		}
	}
	for _, slug := range asked.TeamReviewers {
		if name := c.repository.owner.login + "/" + slug; !slices.Contains(p.requested, name) {
			p.requested = append(p.requested, name)
			w.emitPull(p, "review_requested", c.actor(), object{"requested_team": w.teamJSON(c.repository.owner.login, slug)})
		}
	}
	return response{status: http.StatusCreated, body: w.pullJSON(p)}
}

// RequestedReviewers are the logins, and the teams as organisation/slug, that were asked for a review,
// in that order.
func (p *PullRequest) RequestedReviewers() []string {
	w := p.repository.world
	return look(w, func() []string { return slices.Clone(p.requested) })
}

// requestedJSON are the people and teams that were asked, as a pull request lists them.
func (w *World) requestedJSON(p *PullRequest) (people, teams []object) {
	people, teams = []object{}, []object{}
	for _, name := range p.requested {
		if organization, slug, team := strings.Cut(name, "/"); team {
			teams = append(teams, w.teamJSON(organization, slug))
		} else {
			people = append(people, w.userJSON(w.account(name)))
		}
	}
	return people, teams
}

func (w *World) teamJSON(organization, slug string) object {
	u := w.apiURL + "/organizations/" + organization + "/team/" + slug
	return object{
		"id": 1, "node_id": nodeID("T", 1), "name": slug, "slug": slug, "description": nil, "privacy": "closed",
		"notification_setting": "notifications_enabled", "permission": "pull", "url": u, "html_url": webURL + "/orgs/" + organization + "/teams/" + slug,
		"members_url": u + "/members{/member}", "repositories_url": u + "/repos", "parent": nil,
		"type": "organization", "organization_id": w.account(organization).id,
	}
}
