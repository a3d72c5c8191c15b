package github

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/evidence-gate/evidence-gate/internal/githubtest"
)

func TestOpenPullRequestsWithTheirHeadsAndBases(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	first := w.repo.OpenPullRequest(githubtest.PullRequestOptions{Author: "eng"})
	second := w.repo.OpenPullRequest(githubtest.PullRequestOptions{Author: "stranger", Fork: "stranger", Base: "release"})
	w.repo.OpenPullRequest(githubtest.PullRequestOptions{Author: "eng"}).Close("eng")
	open, err := w.client.Open(t.Context(), widgets)
	require.NoError(t, err)
	require.Equal(t, []OpenPullRequest{
		{first.Number(), first.HeadSHA(), "main"}, {second.Number(), second.HeadSHA(), "release"},
	}, open)
	_, err = w.client.Open(t.Context(), Repo{"acme", "nowhere"})
	require.Equal(t, NotFound, KindOf(err))
}

func TestInstalledRepositoriesHaveIDs(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	want := map[int64]Repo{w.repo.ID(): widgets}
	for i := range 101 {
		name := fmt.Sprintf("r%d", i)
		want[w.World().AddRepository("acme/"+name, githubtest.RepositoryOptions{}).ID()] = Repo{"acme", name}
	}
	all, err := w.client.InstalledRepositories(t.Context())
	require.NoError(t, err)
	got, last := map[int64]Repo{}, int64(0)
	for _, r := range all {
		require.Greater(t, r.ID, last, "in the order of their ids")
		got[r.ID], last = r.Repo, r.ID
	}
	require.Equal(t, want, got)
}

func TestOneInstallation(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	at := w.World().Installation("acme")
	found, err := w.app.InstallationByID(t.Context(), at.ID())
	require.NoError(t, err)
	require.Equal(t, Installation{ID: at.ID(), Account: "acme"}, found)
	at.Suspend()
	found, err = w.app.InstallationByID(t.Context(), at.ID())
	require.NoError(t, err)
	require.True(t, found.Suspended)
	at.Uninstall()
	_, err = w.app.InstallationByID(t.Context(), at.ID())
	require.Equal(t, NotFound, KindOf(err))
}

func TestRefreshForgetsWhatMayChange(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.client.cache.keep("role", "write", 1, time.Minute)
	w.client.cache.keep("file", "text", 1, forEver)
	w.client.Refresh()
	_, ok := recall[string](w.client.cache, "role")
	require.False(t, ok)
	_, ok = recall[string](w.client.cache, "file")
	require.True(t, ok)
}
