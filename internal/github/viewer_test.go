package github

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/evidence-gate/evidence-gate/profile/policy"
	"github.com/evidence-gate/evidence-gate/snapshot"
)

// Whose word a token is: the account, its role in the repository, and the teams that were asked for.
func TestViewer(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.repo.SetRole("lead", "maintain")
	w.World().AddUserToken("ghp_lead", "lead")
	c, err := NewTokenClient(TokenConfig{Token: "ghp_lead", BaseURL: w.URL(), Now: w.clock.Now})
	require.NoError(t, err)
	got, err := c.Viewer(t.Context(), widgets, nil)
	require.NoError(t, err)
	require.Equal(t, &snapshot.Actor{Login: "lead", Type: "User", Permission: "maintain"}, got)

	w.repo.SetRole("eng", "read")
	w.World().AddUserToken("ghp_reader", "eng")
	reader, err := NewTokenClient(TokenConfig{Token: "ghp_reader", BaseURL: w.URL(), Now: w.clock.Now})
	require.NoError(t, err)
	got, err = reader.Viewer(t.Context(), widgets, nil)
	require.NoError(t, err)
	require.Equal(t, "read", got.Permission, "who may not ask for roles has no more")

	n, err := c.Maintainers(t.Context(), widgets, policy.Default().Roles)
	require.NoError(t, err)
	require.Equal(t, 1, n)
	n, err = reader.Maintainers(t.Context(), widgets, policy.Default().Roles)
	require.NoError(t, err)
	require.Zero(t, n, "not shown")

	w.World().AddTeamMember("acme", "leads", "lead")
	w.World().AddTeamMember("acme", "others", "eng")
	got, err = c.Viewer(t.Context(), widgets, []string{"acme/leads", "others"})
	require.NoError(t, err)
	require.Equal(t, []string{"acme/leads"}, got.Teams)

	_, err = w.client.Viewer(t.Context(), widgets, nil)
	require.Equal(t, Forbidden, KindOf(err), "an installation is nobody")
}
