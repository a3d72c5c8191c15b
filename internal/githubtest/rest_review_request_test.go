package githubtest

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestReviewsAreRequestedFromCollaborators(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	for _, login := range []string{"eng", "lead", "reviewer"} {
		f.repo.SetRole(login, "write")
	}
	f.server.World().AddTeamMember("acme", "core", "lead")
	pr := f.repo.OpenPullRequest(PullRequestOptions{Author: "eng"})
	const path = "/repos/acme/widgets/pulls/1/requested_reviewers"
	for _, row := range []struct {
		rule         string
		users, teams []string
		status       int
	}{
		{"a collaborator", []string{"lead"}, nil, 201},
		{"who was asked before, and another", []string{"lead", "reviewer"}, nil, 201},
		{"a team", nil, []string{"core"}, 201},
		{"the author", []string{"eng"}, nil, 422},
		{"a stranger among others", []string{"lead", "passer"}, nil, 422},
		{"a bot", []string{"helper[bot]"}, nil, 422},
		{"no such team", nil, []string{"nobody"}, 422},
	} {
		answer := f.do("POST", path, map[string]any{"reviewers": row.users, "team_reviewers": row.teams})
		require.Equal(t, row.status, answer.status, row.rule)
	}
	require.Equal(t, []string{"lead", "reviewer", "acme/core"}, pr.RequestedReviewers())
	listed := f.do("GET", "/repos/acme/widgets/pulls/1", nil)
	require.Equal(t, "reviewer", listed.at("requested_reviewers").([]any)[1].(map[string]any)["login"])
	require.Equal(t, 404, f.do("POST", "/repos/acme/widgets/pulls/9/requested_reviewers", map[string]any{}).status)
	f.server.World().Installation("acme").SetPermission("pull_requests", "read")
	require.Equal(t, 403, f.do("POST", path, map[string]any{"reviewers": []string{"lead"}}).status)
}
