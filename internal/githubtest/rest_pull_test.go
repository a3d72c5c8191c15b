package githubtest

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestTheBodyOfAPullRequestIsWritten(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	pr := f.repo.OpenPullRequest(PullRequestOptions{Author: "eng", Title: "Add dark mode", Body: "before"})
	f.server.World().AddUserToken("ghp_eng", "eng")
	f.server.World().AddUserToken("ghp_reader", "reader")
	f.repo.SetRole("eng", "read")
	f.repo.SetRole("reader", "read")
	for _, c := range []struct {
		name, token string
		body        map[string]any
		status      int
		after       string
	}{
		{"the app", "", map[string]any{"body": "by the app"}, 200, "by the app"},
		{"the author, who may only read the repository", "ghp_eng", map[string]any{"body": "by the author"}, 200, "by the author"},
		{"another reader", "ghp_reader", map[string]any{"body": "by a reader"}, 403, "by the author"},
		{"too long", "", map[string]any{"body": strings.Repeat("é", maxBody+1)}, 422, "by the author"},
		{"nothing to change", "", map[string]any{}, 200, "by the author"},
	} {
		if c.token != "" {
			f.token = c.token
		} else {
			f.token = f.installationToken("acme")
		}
		require.Equal(t, c.status, f.do("PATCH", "/repos/acme/widgets/pulls/1", c.body).status, c.name)
		require.Equal(t, c.after, pr.Body(), c.name)
	}
	require.Equal(t, 404, f.do("PATCH", "/repos/acme/widgets/pulls/9", map[string]any{"body": "x"}).status)
}
