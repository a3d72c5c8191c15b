package githubtest

import "net/http"

// "Update a pull request" of "REST API endpoints for pull requests", as far as it changes the body.
var pullEndpoints = []endpoint{
	{pattern: "PATCH /repos/{owner}/{repo}/pulls/{number}", writes: true, accepts: "pull_requests=write", handle: (*call).updatePull},
}

func (c *call) updatePull() response {
	p := c.pull()
	if p == nil {
		return notFound()
	}
	if u := c.grant.user; u != nil && u != p.body.author && !atLeast(c.repository.role(u), "write") {
		return failure(http.StatusForbidden, "Forbidden")
	}
	var asked struct {
		Body *string `json:"body"`
	}
	if refused := c.decode(&asked); refused != nil {
		return *refused
	}
	if asked.Body == nil {
		return ok(c.world.fullPullJSON(p))
	}
	if len([]rune(*asked.Body)) > maxBody {
		return invalid(problem{
			Resource: "Issue", Field: "body", Code: "custom", Message: "body is too long (maximum is 65536 characters)",
		})
	}
	if changes := p.setBody(c.actor().login, *asked.Body); changes != nil {
		c.world.emitPull(p, "edited", c.actor(), map[string]any{"changes": changes})
	}
	return ok(c.world.fullPullJSON(p))
}
