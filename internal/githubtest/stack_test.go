package githubtest

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// https://docs.github.com/en/graphql/reference/objects#ref: "A list of pull requests with this ref as
// the head ref."
func TestPullRequestsFromABranch(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.repo.PushBranch("eng", "dev", Commit{})
	first := f.repo.OpenPullRequest(PullRequestOptions{Author: "lead", Branch: "dev"})
	f.repo.OpenPullRequest(PullRequestOptions{Author: "eng", Branch: "dev", Base: "release"}).Close("eng")
	f.repo.OpenPullRequest(PullRequestOptions{Author: "guest", Branch: "dev", Fork: "guest"})
	stacked := f.repo.OpenPullRequest(PullRequestOptions{Author: "eng", Base: "dev"})
	ask := func(members string) reply { return f.pull(stacked.Number(), "baseRef { id "+members+" }") }
	open := ask("associatedPullRequests(first: 5, states: [OPEN]) { totalCount nodes { number isCrossRepository author { login } } }")
	require.EqualValues(t, 1, open.pull("baseRef", "associatedPullRequests", "totalCount"), "neither the closed one nor the fork's, whose branch has the same name")
	require.EqualValues(t, first.Number(), open.pull("baseRef", "associatedPullRequests", "nodes", 0, "number"))
	require.Equal(t, false, open.pull("baseRef", "associatedPullRequests", "nodes", 0, "isCrossRepository"))
	require.EqualValues(t, 2, ask("associatedPullRequests(first: 1) { totalCount }").pull("baseRef", "associatedPullRequests", "totalCount"))

	page := f.graphql("query($id: ID!) { node(id: $id) { ... on Ref { name associatedPullRequests(last: 1) { nodes { number } } } } }",
		map[string]any{"id": open.pull("baseRef", "id")})
	require.Equal(t, "dev", page.at("data", "node", "name"))
	require.EqualValues(t, 2, page.at("data", "node", "associatedPullRequests", "nodes", 0, "number"))
}
