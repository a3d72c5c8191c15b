package githubtest

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func logins(r reply) []string {
	r.t.Helper()
	require.Equal(r.t, 200, r.status, r.text)
	names := []string{}
	for _, a := range r.list() {
		names = append(names, a["login"].(string))
	}
	return names
}

// https://docs.github.com/en/rest/collaborators/collaborators
func TestACustomRoleFoldsToItsBase(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.server.World().AddCustomRole("release-manager", "maintain")
	f.repo.SetRole("lead", "release-manager")
	answer := f.do("GET", "/repos/acme/widgets/collaborators/lead/permission", nil)
	require.Equal(t, "write", answer.at("permission"))
	require.Equal(t, "release-manager", answer.at("role_name"))
	require.Equal(t, true, answer.at("user", "permissions", "maintain"))
	require.Equal(t, false, answer.at("user", "permissions", "admin"))
}

func TestBotsAreNoCollaborators(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.repo.SetRole("helper[bot]", "write")
	answer := f.do("GET", "/repos/acme/widgets/collaborators/helper%5Bbot%5D/permission", nil)
	require.Equal(t, 404, answer.status)
	require.Equal(t, "helper[bot] is not a user", answer.at("message"))
}

func TestCollaboratorsAreShownToThoseWhoCanPush(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	for _, role := range []string{"admin", "maintain", "write", "triage", "read", "none"} {
		f.repo.SetRole("has-"+role, role)
		f.server.World().AddUserToken("ghp_"+role, "has-"+role)
	}
	const list, one = "/repos/acme/widgets/collaborators", "/repos/acme/widgets/collaborators/has-read/permission"
	for filter, want := range map[string][]string{
		"":                     {"has-admin", "has-maintain", "has-write", "has-triage", "has-read"},
		"?permission=push":     {"has-admin", "has-maintain", "has-write"},
		"?permission=maintain": {"has-admin", "has-maintain"},
		"?permission=admin":    {"has-admin"},
	} {
		require.Equal(t, want, logins(f.do("GET", list+filter, nil)), filter)
	}
	require.Equal(t, 422, f.do("GET", list+"?permission=owner", nil).status)
	for role, status := range map[string]int{"admin": 200, "write": 200, "triage": 403, "read": 403, "none": 404} {
		require.Equal(t, status, f.as("ghp_"+role, "GET", list, nil).status, role)
		require.Equal(t, status, f.as("ghp_"+role, "GET", one, nil).status, role)
	}
}

// https://docs.github.com/en/rest/teams/members#list-team-members
func TestTeamsAreShownToTheirOrganization(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	w := f.server.World()
	w.AddTeamMember("acme", "core", "lead")
	w.AddTeamMember("acme", "Core", "eng")
	w.AddTeamMember("globex", "core", "other")
	w.AddOrganization("globex")
	for _, login := range []string{"lead", "other"} {
		w.AddUserToken("ghp_"+login, login)
	}
	const path = "/orgs/acme/teams/core/members"
	require.Equal(t, []string{"lead", "eng"}, logins(f.do("GET", path, nil)))
	require.Equal(t, []string{"lead", "eng"}, logins(f.as("ghp_lead", "GET", path, nil)))
	require.Equal(t, 404, f.as("ghp_other", "GET", path, nil).status)
	require.Equal(t, 404, f.do("GET", "/orgs/acme/teams/none/members", nil).status)
	require.Equal(t, 404, f.do("GET", "/orgs/eng/teams/core/members", nil).status, "a user has no teams")
	require.Equal(t, 403, f.do("GET", "/orgs/globex/teams/core/members", nil).status)
	w.AddWorkflowToken("ghs_job", f.repo, map[string]string{"contents": "read"})
	require.Equal(t, 403, f.as("ghs_job", "GET", path, nil).status)
	w.Installation("acme").SetPermission("members", "")
	refused := f.do("GET", path, nil)
	require.Equal(t, 403, refused.status)
	require.Equal(t, "members=read", refused.header.Get("X-Accepted-GitHub-Permissions"))
}
