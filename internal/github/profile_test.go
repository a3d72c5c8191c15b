package github

import (
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/evidence-gate/evidence-gate/internal/githubtest"
	"github.com/evidence-gate/evidence-gate/snapshot"
)

// The profile is judged as it would be merged (section 7): the head's where the pull request changes
// it, so that one that repairs it is not held to what it repairs; else the base's.
func TestTheProfileThatWouldBeMerged(t *testing.T) {
	t.Parallel()
	const path = ".agenticloop/project.md"
	at := func(text string, changed bool) *snapshot.File {
		return &snapshot.File{Path: path, Text: text, ChangedInPullRequest: changed}
	}
	for name, c := range map[string]struct {
		base   string // empty: there is none
		files  []githubtest.File
		fork   string
		then   func(*world)
		want   *snapshot.File
		reason string
	}{
		"not changed":           {base: "base", want: at("base", false)},
		"changed":               {base: "base", files: []githubtest.File{{Path: path, Text: "head"}}, want: at("head", true)},
		"changed from a fork":   {base: "base", files: []githubtest.File{{Path: path, Text: "head"}}, fork: "eng", want: at("head", true)},
		"changed on the base":   {base: "base", then: func(w *world) { w.repo.SetFile("main", path, "later") }, want: at("later", false)},
		"added":                 {files: []githubtest.File{{Path: path, Text: "head", Status: "added"}}, want: at("head", true)},
		"removed":               {base: "base", files: []githubtest.File{{Path: path, Status: "removed"}}},
		"renamed away":          {base: "base", files: []githubtest.File{{Path: "x.md", Previous: path, Status: "renamed"}}},
		"renamed to":            {files: []githubtest.File{{Path: path, Previous: "x.md", Text: "head", Status: "renamed"}}, want: at("head", true)},
		"none":                  {},
		"repairs a large one":   {base: strings.Repeat("x", fileLimit+1), files: []githubtest.File{{Path: path, Text: "head"}}, want: at("head", true)},
		"is too large":          {base: "base", files: []githubtest.File{{Path: path, Text: strings.Repeat("x", fileLimit+1)}}, reason: path + ": it has 1048577 bytes"},
		"a large one is not it": {base: strings.Repeat("x", fileLimit+1), reason: path + ": it has 1048577 bytes"},
		"is a folder":           {base: "base", files: []githubtest.File{{Path: path, Status: "removed"}, {Path: path + "/x"}}, reason: path + ": it is a folder"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			if c.base != "" {
				w.repo.SetFile("main", path, c.base)
			}
			o := githubtest.PullRequestOptions{Fork: c.fork}
			if c.files != nil {
				o.Commits = []githubtest.Commit{{Files: c.files}}
			}
			pr := w.open(o)
			if c.then != nil {
				c.then(w)
			}
			s := w.load(t, pr)
			require.Equal(t, c.want, s.Profile)
			if c.reason == "" {
				require.Empty(t, s.Unavailable)
				return
			}
			require.Equal(t, "profile", unreadFact(t, s).Fact)
			require.Contains(t, unreadFact(t, s).Reason, c.reason)
		})
	}
}

// Where it is not known what the pull request changes, a profile that differs on the head counts as
// changed.
func TestTheProfileWhileTheChangedPathsAreHidden(t *testing.T) {
	t.Parallel()
	const path = ".agenticloop/project.md"
	for name, c := range map[string]struct {
		files []githubtest.File
		want  *snapshot.File
	}{
		"the same": {nil, &snapshot.File{Path: path, Text: "base"}},
		"another":  {[]githubtest.File{{Path: path, Text: "head"}}, &snapshot.File{Path: path, Text: "head", ChangedInPullRequest: true}},
		"none":     {[]githubtest.File{{Path: path, Status: "removed"}}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			w.repo.SetFile("main", path, "base")
			pr := w.open(githubtest.PullRequestOptions{Commits: []githubtest.Commit{{Files: c.files}}})
			w.forbid("/repos/acme/widgets/pulls/*/files")
			s := w.load(t, pr)
			require.Equal(t, "changed_paths", unreadFact(t, s).Fact)
			require.Equal(t, c.want, s.Profile)
		})
	}
}

func TestTheHeadOfTheProfileIsNotVisibleYet(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	pr := w.open(githubtest.PullRequestOptions{Commits: []githubtest.Commit{{Files: []githubtest.File{{Path: ".agenticloop/project.md", Text: "head"}}}}})
	for _, status := range []int{http.StatusNotFound, http.StatusBadGateway} {
		w.load(t, w.open(githubtest.PullRequestOptions{})) // the base's are known
		w.Fail(githubtest.Fault{Match: githubtest.Match{Path: "/repos/acme/widgets/contents/.agenticloop/project.md"}, Status: status, Message: "No commit found for the ref " + pr.HeadSHA()})
		_, err := w.client.Snapshot(t.Context(), widgets, pr.Number(), LoadOptions{})
		require.Contains(t, []Kind{Incomplete, Unavailable}, KindOf(err))
	}
	require.Equal(t, "head", w.load(t, pr).Profile.Text)
}
