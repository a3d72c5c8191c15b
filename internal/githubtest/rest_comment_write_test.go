package githubtest

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func onComment(c *Comment, more string) string {
	return fmt.Sprintf("/repos/acme/widgets/issues/comments/%d%s", c.ID(), more)
}

func TestACommentIsReadAndWritten(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	issue := f.repo.AddIssue(IssueOptions{Author: "lead"})
	pr := f.repo.OpenPullRequest(PullRequestOptions{Author: "eng"})
	f.server.World().AddUserToken("ghp_eng", "eng")
	f.server.World().AddUserToken("ghp_reader", "reader")
	f.repo.SetRole("eng", "read")
	f.repo.SetRole("reader", "read")
	for _, c := range []*Comment{issue.Comment("eng", "before"), pr.Comment("eng", "before")} {
		read := f.do("GET", onComment(c, ""), nil)
		require.Equal(t, 200, read.status)
		require.Equal(t, "before", read.at("body"))
		for _, row := range []struct {
			who, token, body string
			status           int
			after            string
		}{
			{"the app", f.token, "by the app", 200, "by the app"},
			{"the author, who may only read the repository", "ghp_eng", "by the author", 200, "by the author"},
			{"another reader", "ghp_reader", "by a reader", 403, "by the author"},
			{"too long", f.token, strings.Repeat("é", maxBody+1), 422, "by the author"},
			{"empty", f.token, "", 422, "by the author"},
		} {
			require.Equal(t, row.status, f.as(row.token, "PATCH", onComment(c, ""), map[string]any{"body": row.body}).status, row.who)
			require.Equal(t, row.after, c.Body(), row.who)
		}
	}
	gone := issue.Comment("eng", "x")
	gone.Delete("eng")
	require.Equal(t, 404, f.do("GET", onComment(gone, ""), nil).status)
	require.Equal(t, 404, f.do("PATCH", onComment(gone, ""), map[string]any{"body": "y"}).status)
	require.Equal(t, 404, f.do("POST", onComment(gone, "/reactions"), map[string]any{"content": "+1"}).status)
}

func TestReactionsAreKeptOnce(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	c := f.repo.AddIssue(IssueOptions{Author: "lead"}).Comment("lead", "hi")
	for _, content := range []string{"+1", "confused", "+1"} {
		require.Less(t, f.do("POST", onComment(c, "/reactions"), map[string]any{"content": content}).status, 300)
	}
	require.Equal(t, []string{"evidence-gate[bot] +1", "evidence-gate[bot] confused"}, c.Reactions())
	require.EqualValues(t, 2, f.do("GET", onComment(c, ""), nil).at("reactions", "total_count"))
}

// Either permission reads and writes comments, but each only where its own kind of thread is.
func TestCommentsNeedThePermissionOfTheirThread(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	onIssue := f.repo.AddIssue(IssueOptions{Author: "lead"}).Comment("eng", "before")
	onPull := f.repo.OpenPullRequest(PullRequestOptions{Author: "eng"}).Comment("eng", "before")
	installation := f.server.World().Installation("acme")
	installation.SetPermission("issues", "read")
	refused := f.do("PATCH", onComment(onIssue, ""), map[string]any{"body": "after"})
	require.Equal(t, 403, refused.status)
	require.Equal(t, "issues=write", refused.header.Get("X-Accepted-GitHub-Permissions"))
	require.Equal(t, 403, f.do("POST", onComment(onIssue, "/reactions"), map[string]any{"content": "+1"}).status)
	require.Equal(t, 200, f.do("GET", onComment(onIssue, ""), nil).status)
	require.Equal(t, 200, f.do("PATCH", onComment(onPull, ""), map[string]any{"body": "after"}).status)
	installation.SetPermission("pull_requests", "read")
	require.Equal(t, 403, f.do("PATCH", onComment(onPull, ""), map[string]any{"body": "again"}).status)
	require.Equal(t, "before", onIssue.Body())
	require.Equal(t, "after", onPull.Body())
}
