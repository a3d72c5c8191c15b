package github

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/vektah/gqlparser/v2"
	"github.com/vektah/gqlparser/v2/validator/rules"

	"github.com/evidence-gate/evidence-gate/internal/fulltest"
	"github.com/evidence-gate/evidence-gate/internal/githubtest"
	"github.com/evidence-gate/evidence-gate/snapshot"
)

func TestTheQueriesByBranchAndTask(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"OfBranch", "Task"} {
		require.True(t, strings.HasPrefix(branchQueries[name], "query "+name))
		require.NoError(t, githubtest.ValidateQuery(branchQueries.operation(name)), name)
	}
}

func TestGitHubsSchemaHasTheQueriesByBranchAndTask(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile(fulltest.NPM(t, "@octokit/graphql-schema/schema.graphql"))
	require.NoError(t, err)
	schema := gitHubsSchema(t, string(text))
	for _, name := range []string{"OfBranch", "Task"} {
		document, problems := gqlparser.LoadQueryWithRules(schema, branchQueries.operation(name), rules.NewDefaultRules())
		require.Empty(t, problems, name)
		require.Empty(t, deprecated(document), name)
	}
}

func TestPullRequestsOfABranch(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for range 120 {
		w.repo.OpenPullRequest(githubtest.PullRequestOptions{Author: "eng", Branch: "dark"})
	}
	merged := w.repo.OpenPullRequest(githubtest.PullRequestOptions{Author: "eng", Branch: "dark"})
	merged.Merge("lead")
	fork := w.repo.OpenPullRequest(githubtest.PullRequestOptions{Author: "out", Fork: "out", Branch: "dark"})
	w.repo.OpenPullRequest(githubtest.PullRequestOptions{Author: "eng", Branch: "other"})
	orphan := w.repo.OpenPullRequest(githubtest.PullRequestOptions{Author: "gone", Fork: "gone", Branch: "dark"})
	w.World().Repository("gone/widgets").Delete()
	w.repo.Rename("gadgets")

	found, err := w.client.PullRequestsOfBranch(t.Context(), widgets, "dark")
	require.NoError(t, err)
	require.Equal(t, Repo{Owner: "acme", Name: "gadgets"}, found.Repository, "by the name of today")
	require.Equal(t, "main", found.DefaultBranch)
	require.Len(t, found.Pulls, 123)
	byNumber := map[int]BranchPull{}
	for _, p := range found.Pulls {
		byNumber[p.Number] = p
	}
	require.Equal(t, BranchPull{fork.Number(), "open", fork.HeadSHA(), "out/widgets"}, byNumber[fork.Number()])
	require.Equal(t, BranchPull{orphan.Number(), "open", orphan.HeadSHA(), ""}, byNumber[orphan.Number()])
	require.Equal(t, "merged", found.Pulls[122].State, "what has ended comes last")
	require.Equal(t, "acme/gadgets", found.Pulls[122].HeadRepository)

	_, err = w.client.PullRequestsOfBranch(t.Context(), Repo{"acme", "nothing"}, "dark")
	require.Equal(t, NotFound, KindOf(err))
}

func TestTheBodyIsReadAndWritten(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	pr := w.repo.OpenPullRequest(githubtest.PullRequestOptions{Author: "eng", Body: "before\r\n"})
	d, err := w.client.Description(t.Context(), widgets, pr.Number())
	require.NoError(t, err)
	require.Equal(t, Description{Body: "before\r\n", HeadSHA: pr.HeadSHA(), State: "open"}, d)
	d, err = w.client.WriteBody(t.Context(), widgets, pr.Number(), "after <&>\n")
	require.NoError(t, err)
	require.Equal(t, Description{Body: "after <&>\n", HeadSHA: pr.HeadSHA(), State: "open"}, d)
	require.Equal(t, "after <&>\n", pr.Body())

	_, err = w.client.WriteBody(t.Context(), widgets, pr.Number(), "")
	require.NoError(t, err)
	require.Empty(t, pr.Body(), "an empty body is written too")

	_, err = w.client.WriteBody(t.Context(), widgets, 99, "text")
	require.Equal(t, NotFound, KindOf(err))
	w.repo.SetRole("reader", "read")
	w.World().AddUserToken("ghp_reader", "reader")
	reader, err := NewTokenClient(TokenConfig{Token: "ghp_reader", BaseURL: w.URL()})
	require.NoError(t, err)
	_, err = reader.WriteBody(t.Context(), widgets, pr.Number(), "text")
	require.Equal(t, Forbidden, KindOf(err))
	w.repo.Rename("gadgets")
	_, err = w.client.WriteBody(t.Context(), widgets, pr.Number(), "by the old name")
	require.NoError(t, err)
	require.Equal(t, "by the old name", pr.Body())
}

func TestATaskNamedByItsNumber(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	closed := w.repo.AddIssue(githubtest.IssueOptions{Body: "## Required Checks\n"})
	named := w.repo.AddIssue(githubtest.IssueOptions{Author: "lead", Title: "Named", Body: "## Required Checks\nx", Labels: []string{"ui"}})
	named.Comment("eng", "hello")
	plain := w.repo.AddIssue(githubtest.IssueOptions{Body: "nothing"})
	pr := w.repo.OpenPullRequest(githubtest.PullRequestOptions{Author: "eng"})
	pr.LinkIssue(closed)
	hidden := w.World().AddRepository("acme/secret", githubtest.RepositoryOptions{NotInstalled: true})
	pr.LinkIssue(hidden.AddIssue(githubtest.IssueOptions{}))
	s := w.load(t, pr)
	require.NotEmpty(t, s.Unavailable)
	load := func(task int) (snapshot.Snapshot, error) {
		return w.client.Snapshot(t.Context(), widgets, pr.Number(), LoadOptions{HasChecks: hasChecks, Task: task})
	}

	got, err := load(named.Number())
	require.NoError(t, err)
	require.Equal(t, []snapshot.Linked{{Repository: "acme/widgets", Number: named.Number(), Source: "flag", Readable: true, HasChecks: true}}, got.Linked)
	require.Equal(t, "Named", got.Issue.Title)
	require.Equal(t, []string{"ui"}, got.Issue.Labels)
	require.Len(t, got.Issue.Comments, 1)
	require.Empty(t, got.Unavailable, "what was withheld was about other tasks")

	got, err = load(plain.Number())
	require.NoError(t, err)
	require.False(t, got.Linked[0].HasChecks)
	for _, number := range []int{99, pr.Number()} {
		_, err = load(number)
		require.Equal(t, NotFound, KindOf(err))
		require.ErrorContains(t, err, fmt.Sprintf("read the task acme/widgets#%d", number))
	}
	w.World().Installation("acme").SetPermission("issues", "")
	_, err = load(named.Number())
	require.Equal(t, Forbidden, KindOf(err))
	require.ErrorContains(t, err, "issues: read")
}
