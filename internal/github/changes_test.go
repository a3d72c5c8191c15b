package github

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/evidence-gate/evidence-gate/internal/githubtest"
	"github.com/evidence-gate/evidence-gate/snapshot"
)

func files(n int) []githubtest.File {
	list := make([]githubtest.File, n)
	for i := range list {
		list[i] = githubtest.File{Path: fmt.Sprintf("src/%04d.go", i)}
	}
	return list
}

func TestChangedPaths(t *testing.T) {
	t.Parallel()
	const listing = "/repos/acme/widgets/pulls/*/files"
	for name, c := range map[string]struct {
		files    []githubtest.File
		want     []string
		count    int // of want, when there are too many to name
		requests int
		reason   string
	}{
		"none": {files: []githubtest.File{}},
		"both names of a renamed file": {
			files: []githubtest.File{{Path: "b.go", Previous: "z.go", Status: "renamed"}, {Path: "a.go", Status: "removed"}},
			want:  []string{"a.go", "b.go", "z.go"}, requests: 1,
		},
		"a name that is old and new": {
			files: []githubtest.File{{Path: "b.go", Previous: "a.go", Status: "renamed"}, {Path: "a.go", Previous: "b.go", Status: "renamed"}},
			want:  []string{"a.go", "b.go"}, requests: 1,
		},
		"a full page":          {files: files(100), count: 100, requests: 1},
		"several pages":        {files: files(250), count: 250, requests: 3},
		"the most":             {files: files(3000), count: 3000, requests: 30},
		"more than are listed": {files: files(3001), reason: "GitHub lists 3000 of the 3001 changed files: split the pull request"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			pr := w.open(githubtest.PullRequestOptions{Commits: []githubtest.Commit{{Files: c.files}}})
			s := w.load(t, pr)
			require.Equal(t, c.requests, w.asked(listing))
			if c.reason != "" {
				require.Equal(t, snapshot.Unavailable{Fact: "changed_paths", Reason: c.reason}, unreadFact(t, s))
				require.Empty(t, s.PullRequest.ChangedPaths)
				return
			}
			require.Empty(t, s.Unavailable)
			if c.count == 0 {
				require.Equal(t, c.want, s.PullRequest.ChangedPaths)
				return
			}
			require.Len(t, s.PullRequest.ChangedPaths, c.count)
			require.True(t, slices.IsSorted(s.PullRequest.ChangedPaths))
		})
	}
}

func TestChangedPathsThatDoNotAddUp(t *testing.T) {
	t.Parallel()
	const files = "/repos/acme/widgets/pulls/42/files"
	other := strings.Replace(changedFileData("b.js")["contents_url"].(string), headSHA, strings.Repeat("f0", 20), 1)
	for name, c := range map[string]struct {
		list   []object
		status int
		reason string
		kind   Kind
	}{
		"fewer than counted":   {list: []object{changedFileData("a.js")}, reason: "counts 3 changed files and lists others"},
		"more than counted":    {list: []object{changedFileData("a"), changedFileData("b"), changedFileData("c"), changedFileData("d")}, reason: "counts 3 changed files and lists others"},
		"of another head":      {list: []object{changedFileData("a.js"), {"filename": "b.js", "status": "added", "contents_url": other}, changedFileData("c.js")}, kind: Incomplete},
		"a removed one's link": {list: []object{changedFileData("a.js"), {"filename": "b.js", "status": "removed", "contents_url": other}, changedFileData("c.js")}},
		"no diff":              {status: http.StatusUnprocessableEntity, reason: "GitHub refused the request with 422"},
		"refused":              {status: http.StatusForbidden, reason: "GitHub refused it"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			gh := newStub(t, func(w http.ResponseWriter, r *http.Request) {
				switch {
				case r.URL.Path == files && c.status != 0:
					reply(w, c.status, message("Sorry, there was a problem generating this diff."))
				case r.URL.Path == files:
					reply(w, http.StatusOK, c.list)
				case r.Method == http.MethodGet:
					replyREST(t, w, r)
				default:
					reply(w, http.StatusOK, answerOf(pullRequestData()))
				}
			})
			s, err := gh.installation(t).Snapshot(t.Context(), widgets, 42, LoadOptions{})
			if c.kind != "" {
				require.Equal(t, c.kind, KindOf(err))
				require.ErrorContains(t, err, "the head was "+headSHA)
				return
			}
			require.NoError(t, err)
			if c.reason == "" {
				require.Equal(t, []string{"a.js", "b.js", "c.js"}, s.PullRequest.ChangedPaths)
				return
			}
			require.Empty(t, s.PullRequest.ChangedPaths)
			require.Equal(t, "changed_paths", unreadFact(t, s).Fact)
			require.Contains(t, unreadFact(t, s).Reason, c.reason)
		})
	}
}
