package githubtest

import (
	"net/http"
	"slices"
	"strings"
)

// "REST API endpoints for GitHub Apps", "… for GitHub App installations" and "… for rate limits".
var appEndpoints = []endpoint{
	{pattern: "GET /app", app: true, handle: (*call).getApp},
	{pattern: "GET /app/installations", app: true, paged: true, handle: (*call).listInstallations},
	{pattern: "GET /app/installations/{installation}", app: true, handle: (*call).getInstallation},
	{pattern: "POST /app/installations/{installation}/access_tokens", app: true, writes: true, handle: (*call).createToken},
	{pattern: "GET /repos/{owner}/{repo}/installation", app: true, handle: (*call).getRepositoryInstallation},
	{pattern: "GET /installation/repositories", paged: true, handle: (*call).listInstallationRepositories},
	{pattern: "GET /rate_limit", free: true, handle: (*call).getRateLimit},
}

func (c *call) getApp() response {
	app := c.world.appJSON(c.world.appNamed(c.world.app.Slug))
	app["client_id"] = c.world.app.ClientID
	app["installations_count"] = len(c.installations())
	return ok(app)
}

func (c *call) installations() []*Installation {
	return slices.DeleteFunc(slices.Clone(c.world.installations), func(i *Installation) bool { return i.deleted })
}

func (c *call) listInstallations() response {
	return listed(c, c.installations(), c.world.installationJSON)
}

func (c *call) installation() *Installation {
	for _, i := range c.installations() {
		if i.id == c.number("installation") {
			return i
		}
	}
	return nil
}

func (c *call) getInstallation() response {
	if i := c.installation(); i != nil {
		return ok(c.world.installationJSON(i))
	}
	return notFound()
}

func (c *call) getRepositoryInstallation() response {
	if i := c.world.installationFor(c.repository); i != nil {
		return ok(c.world.installationJSON(i))
	}
	return notFound()
}

type tokenRequest struct {
	Repositories  []string          `json:"repositories"`
	RepositoryIDs []int64           `json:"repository_ids"`
	Permissions   map[string]string `json:"permissions"`
}

func (c *call) createToken() response {
	i := c.installation()
	if i == nil {
		return notFound()
	}
	if !i.suspendedAt.IsZero() {
		return *suspended()
	}
	var asked tokenRequest
	if refused := c.decode(&asked); refused != nil {
		return *refused
	}
	g := &grant{installation: i, expiresAt: c.world.clock().Add(tokenLifetime).UTC()}
	if refused := c.narrow(g, asked); refused != nil {
		return *refused
	}
	return created(c.tokenJSON(g))
}

// narrow limits a token to the repositories and permissions asked for.
func (c *call) narrow(g *grant, asked tokenRequest) *response {
	for name, level := range asked.Permissions {
		if strength(level) == 0 || strength(g.installation.permissions[name]) < strength(level) {
			answer := unprocessable("The permissions requested are not granted to this installation.")
			return &answer
		}
	}
	g.permissions = asked.Permissions
	if len(asked.Repositories)+len(asked.RepositoryIDs) == 0 {
		return nil
	}
	g.repositories = map[int64]bool{}
	for _, r := range c.world.repositories {
		named := slices.ContainsFunc(asked.Repositories, func(name string) bool { return strings.EqualFold(name, r.name) })
		if g.installation.covers(r) && !r.deleted && (named || slices.Contains(asked.RepositoryIDs, r.id)) {
			g.repositories[r.id] = true
		}
	}
	if len(g.repositories) < len(asked.Repositories)+len(asked.RepositoryIDs) {
		answer := unprocessable("There is at least one repository that does not exist or is not accessible to the parent installation.")
		return &answer
	}
	return nil
}

func (c *call) tokenJSON(g *grant) object {
	permissions := g.permissions
	if permissions == nil {
		permissions = g.installation.permissions
	}
	json := object{
		"token": c.world.newToken(g), "expires_at": timestamp(g.expiresAt), "permissions": permissions,
		"repository_selection": "all",
	}
	if g.repositories != nil || g.installation.selected != nil {
		json["repository_selection"] = "selected"
	}
	if g.repositories != nil {
		list := []object{}
		for _, r := range c.world.repositories {
			if g.repositories[r.id] {
				list = append(list, c.world.repositoryJSON(r))
			}
		}
		json["repositories"] = list
	}
	return json
}

func (c *call) listInstallationRepositories() response {
	if c.grant.installation == nil {
		return failure(http.StatusForbidden, "You must authenticate with an installation access token in order to list repositories for an installation.")
	}
	covered := slices.DeleteFunc(slices.Clone(c.world.repositories), func(r *Repository) bool {
		return r.deleted || !c.grant.covers(r)
	})
	answer := wrapped(c, "repositories", covered, c.world.repositoryJSON)
	answer.body.(object)["repository_selection"] = "all"
	if c.grant.installation.selected != nil {
		answer.body.(object)["repository_selection"] = "selected"
	}
	return answer
}

func (c *call) getRateLimit() response {
	resource := func(name string) object {
		limit, used, reset := c.grant.rate().state(c.world.clock(), name)
		return object{"limit": limit, "used": used, "remaining": limit - used, "reset": reset.Unix(), "resource": name}
	}
	return ok(object{
		"resources": object{"core": resource("core"), "graphql": resource("graphql"), "search": resource("search")},
		"rate":      resource("core"),
	})
}
