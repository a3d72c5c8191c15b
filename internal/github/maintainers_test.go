package github

import (
	"fmt"
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/evidence-gate/evidence-gate/internal/githubtest"
	"github.com/evidence-gate/evidence-gate/profile/policy"
)

// Whether there is another maintainer decides who may approve or triage their own work (A6, section
// 10), so it is counted for every pull request.
func TestMaintainersAreCounted(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		policy  string
		prepare func(*world)
		want    int
	}{
		"by the default":                {want: 2},
		"a lower threshold":             {policy: "permission: write", want: 3},
		"a higher one, and listed ones": {policy: "permission: admin, users: [Lead, guest]", want: 3},
		"listed and by permission":      {policy: "users: [LEAD]", want: 2},
		"a team": {policy: "teams: [core]", prepare: func(w *world) {
			w.World().AddTeamMember("acme", "core", "boss")
			w.World().AddTeamMember("acme", "core", "guest")
		}, want: 3},
		"a custom role": {prepare: func(w *world) {
			w.World().AddCustomRole("release-manager", "maintain")
			w.repo.SetRole("custom", "release-manager")
		}, want: 3},
		"the list is not shown":      {prepare: func(w *world) { w.forbid("/repos/acme/widgets/collaborators") }, want: 0},
		"a team that does not exist": {policy: "teams: [core]", want: 0},
		"a team that is not shown": {policy: "teams: [core]", prepare: func(w *world) {
			w.World().AddTeamMember("acme", "core", "guest")
			w.World().Installation("acme").SetPermission("members", "")
		}, want: 0},
		"more people than are listed": {prepare: func(w *world) {
			for i := range mostCollaboratorPages*pageSize + 1 {
				w.repo.SetRole(fmt.Sprintf("user-%d", i), "maintain")
			}
		}, want: 0},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			for login, role := range map[string]string{"boss": "admin", "lead": "maintain", "eng": "write", "reader": "read"} {
				w.repo.SetRole(login, role)
			}
			if c.policy != "" {
				w.repo.SetFile("main", ".github/evidence.yml", "version: 1\nroles: { maintainers: { "+c.policy+" } }\n")
			}
			if c.prepare != nil {
				c.prepare(w)
			}
			s := w.load(t, w.open(githubtest.PullRequestOptions{Author: "eng"}))
			require.Empty(t, s.Unavailable, "no role of anybody decides here")
			require.Equal(t, c.want, s.Repository.Maintainers)
		})
	}
}

func TestMaintainersAreBelievedForAWhile(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.repo.SetRole("boss", "admin")
	pr := w.open(githubtest.PullRequestOptions{})
	require.Equal(t, 1, w.load(t, pr).Repository.Maintainers)
	w.repo.SetRole("lead", "maintain")
	require.Equal(t, 1, w.load(t, pr).Repository.Maintainers)
	require.Equal(t, 2, w.asked("/repos/acme/widgets/collaborators"), "once for each role")
	w.clock.Advance(peopleLife)
	require.Equal(t, 2, w.load(t, pr).Repository.Maintainers)

	w.clock.Advance(peopleLife)
	w.Fail(githubtest.Fault{Match: githubtest.Match{Path: "/repos/acme/widgets/collaborators"}, Status: http.StatusBadGateway})
	_, err := w.client.Snapshot(t.Context(), widgets, pr.Number(), LoadOptions{})
	require.Equal(t, Unavailable, KindOf(err), "a failure that ends is no answer")
	require.Equal(t, 2, w.load(t, pr).Repository.Maintainers)
}

// A filter may name exactly a role or that and all above: both come to the same count. A role that
// nobody knows may be a maintainer's.
func TestCollaboratorsByEitherReadingOfTheFilter(t *testing.T) {
	t.Parallel()
	all := map[string]string{"boss": "admin", "lead": "maintain", "eng": "write"}
	for name, c := range map[string]struct {
		fits func(filter, role string) bool
		role string // of somebody else
		want int
	}{
		"exactly":        {func(filter, role string) bool { return filter == role }, "", 2},
		"or above":       {func(filter, role string) bool { return filter != "admin" || role == "admin" }, "", 2},
		"all":            {func(string, string) bool { return true }, "", 2},
		"nobody":         {func(string, string) bool { return false }, "", 0},
		"a role unknown": {func(filter, role string) bool { return filter == role }, "owner", 0},
	} {
		gh := newStub(t, func(w http.ResponseWriter, r *http.Request) {
			list := []object{}
			for login, role := range all {
				if c.fits(r.URL.Query().Get("permission"), role) {
					list = append(list, object{"login": login, "role_name": role})
				}
			}
			if c.role != "" {
				list = append(list, object{"login": "x", "role_name": c.role})
			}
			reply(w, http.StatusOK, list)
		})
		n, err := gh.installation(t).Maintainers(t.Context(), widgets, policy.Default().Roles)
		require.NoError(t, err)
		require.Equal(t, c.want, n, name)
	}
}
