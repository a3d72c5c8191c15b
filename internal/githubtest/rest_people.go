package githubtest

import (
	"cmp"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
)

// "REST API endpoints for collaborators" and "List team members" of "REST API endpoints for team
// members".
var peopleEndpoints = []endpoint{
	{
		pattern: "GET /repos/{owner}/{repo}/collaborators", paged: true, query: []string{"affiliation", "permission"},
		accepts: "metadata=read", handle: (*call).listCollaborators,
	},
	{
		pattern: "GET /repos/{owner}/{repo}/collaborators/{user}/permission", accepts: "metadata=read",
		handle: (*call).getPermission,
	},
	{pattern: "GET /orgs/{org}/teams/{team}/members", paged: true, query: []string{"role"}, handle: (*call).listTeamMembers},
}

// pushAccess refuses people who cannot write: "The authenticated user must have write, maintain, or
// admin privileges on the repository to use this endpoint".
func (c *call) pushAccess(to string) *response {
	if u := c.grant.user; u == nil || atLeast(c.repository.role(u), "write") {
		return nil
	}
	answer := failure(http.StatusForbidden, "Must have push access to view "+to+".")
	return &answer
}

// getPermission folds maintain into write and triage into read; role_name tells them apart. Bots are
// no users to it.
func (c *call) getPermission() response {
	if refused := c.pushAccess("collaborator permission"); refused != nil {
		return *refused
	}
	login := c.request.PathValue("user")
	a := c.world.accounts[strings.ToLower(login)]
	if a == nil || a.kind != "User" {
		return failure(http.StatusNotFound, fmt.Sprintf("%s is not a user", login))
	}
	role := c.repository.role(a)
	permission := role
	switch role {
	case "maintain":
		permission = "write"
	case "triage":
		permission = "read"
	}
	return ok(object{"permission": permission, "role_name": c.repository.roleName(a), "user": c.collaboratorJSON(a)})
}

// roleName is the name of an account's role, that of a custom one included.
func (r *Repository) roleName(a *account) string {
	if name := r.roles[a]; r.world.customRoles[name] != "" {
		return name
	}
	return r.role(a)
}

func (c *call) collaboratorJSON(a *account) object {
	role := c.repository.role(a)
	json := c.world.userJSON(a)
	json["role_name"] = c.repository.roleName(a)
	json["permissions"] = object{
		"admin": role == "admin", "maintain": atLeast(role, "maintain"), "push": atLeast(role, "write"),
		"triage": atLeast(role, "triage"), "pull": atLeast(role, "read"),
	}
	return json
}

// filters of the list of collaborators, and the role that each asks for at least.
var permissionFilters = map[string]string{
	"": "read", "pull": "read", "triage": "triage", "push": "write", "maintain": "maintain", "admin": "admin",
}

func (c *call) listCollaborators() response {
	if refused := c.pushAccess("repository collaborators"); refused != nil {
		return *refused
	}
	query := c.request.URL.Query()
	if a := query.Get("affiliation"); a != "" && a != "all" {
		c.server.reporter.Errorf("githubtest: affiliation=%s of %s is not modelled", a, c.endpoint.pattern)
	}
	wanted, known := permissionFilters[query.Get("permission")]
	if !known {
		return invalid(problem{Resource: "Collaborator", Field: "permission", Code: "invalid"})
	}
	accounts := slices.DeleteFunc(slices.SortedFunc(maps.Keys(c.repository.roles), byAge), func(a *account) bool {
		return a.deleted || a.kind != "User" || !atLeast(c.repository.role(a), wanted)
	})
	return listed(c, accounts, c.collaboratorJSON)
}

func byAge(a, b *account) int { return cmp.Compare(a.id, b.id) }

// listTeamMembers needs the organization's permission members. People see the teams of their own
// organizations.
func (c *call) listTeamMembers() response {
	organization, team := c.request.PathValue("org"), c.request.PathValue("team")
	if refused := c.seesTeams(organization); refused != nil {
		return *refused
	}
	members, known := c.world.teams[teamKey(organization, team)]
	if !known {
		return notFound()
	}
	if role := c.request.URL.Query().Get("role"); role != "" && role != "all" {
		c.server.reporter.Errorf("githubtest: role=%s of %s is not modelled", role, c.endpoint.pattern)
	}
	accounts := slices.DeleteFunc(slices.SortedFunc(maps.Keys(members), byAge), func(a *account) bool { return a.deleted })
	return listed(c, accounts, func(a *account) object {
		json := c.world.userJSON(a)
		json["role"], json["inherited"] = "member", false
		return json
	})
}

func (c *call) seesTeams(organization string) *response {
	answer := notFound()
	owner := c.world.accounts[strings.ToLower(organization)]
	switch {
	case owner == nil || owner.kind != "Organization":
		return &answer
	case c.grant.user != nil && !c.world.belongs(c.grant.user, organization):
		return &answer
	case c.grant.user == nil && !c.grant.readsMembers(owner):
		answer = missingPermission("members=read")
		return &answer
	}
	return nil
}

// readsMembers says whether an installation's token reads the members of an organization.
func (g *grant) readsMembers(organization *account) bool {
	level := g.installation.permissions["members"]
	if g.permissions != nil && strength(g.permissions["members"]) < strength(level) {
		level = g.permissions["members"]
	}
	return g.installation.account == organization && strength(level) >= strength("read")
}
