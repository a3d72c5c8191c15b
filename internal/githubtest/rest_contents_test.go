package githubtest

import (
	"encoding/base64"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func contents(r reply) string {
	r.t.Helper()
	require.Equal(r.t, 200, r.status, r.text)
	require.Equal(r.t, "base64", r.at("encoding"))
	text, err := base64.StdEncoding.DecodeString(r.at("content").(string))
	require.NoError(r.t, err)
	return string(text)
}

// https://docs.github.com/en/rest/repos/contents#get-repository-content
func TestContentsAreThoseOfACommit(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	const path = "/repos/acme/widgets/contents/.github/evidence.yml"
	empty := f.repo.Branch("main")
	first := f.repo.SetFile("main", ".github/evidence.yml", "version: 1\n")
	long := strings.Repeat("# long\n", 40)
	second := f.repo.SetFile("main", ".github/evidence.yml", long)
	require.Equal(t, 404, f.do("GET", path+"?ref="+empty, nil).status)
	require.Equal(t, "version: 1\n", contents(f.do("GET", path+"?ref="+first, nil)))
	require.Equal(t, long, contents(f.do("GET", path+"?ref="+second, nil)))
	require.Equal(t, long, contents(f.do("GET", path+"?ref=main", nil)))
	require.Equal(t, long, contents(f.do("GET", path, nil)), "the default branch when none is named")
	f.repo.RemoveFile("main", ".github/evidence.yml")
	require.Equal(t, 404, f.do("GET", path, nil).status)
	unknown := f.do("GET", path+"?ref="+strings.Repeat("0", 40), nil)
	require.Equal(t, 404, unknown.status)
	require.Contains(t, unknown.at("message"), "No commit found for the ref")
}

func TestContentsOfAPullRequestReachTheBaseWhenItIsMerged(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.repo.SetFile("main", "old.md", "kept")
	pr := f.repo.OpenPullRequest(PullRequestOptions{Author: "eng", Commits: []Commit{
		{Files: []File{{Path: "new.md", Previous: "old.md", Status: "renamed", Text: "kept"}, {Path: "more.md", Text: "more"}}},
	}})
	path := "/repos/acme/widgets/contents/"
	require.Equal(t, "kept", contents(f.do("GET", path+"new.md?ref="+pr.HeadSHA(), nil)))
	require.Equal(t, 404, f.do("GET", path+"old.md?ref="+pr.HeadSHA(), nil).status)
	require.Equal(t, 404, f.do("GET", path+"new.md", nil).status)
	pr.Merge("lead")
	require.Equal(t, "kept", contents(f.do("GET", path+"new.md", nil)))
	require.Equal(t, "more", contents(f.do("GET", path+"more.md", nil)))
	require.Equal(t, 404, f.do("GET", path+"old.md", nil).status)
}

func TestFoldersAndLargeFiles(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.repo.SetFile("main", "docs/b.md", "bee")
	f.repo.SetFile("main", "docs/a/deep.md", "")
	list := f.do("GET", "/repos/acme/widgets/contents/docs", nil).list()
	require.Len(t, list, 2)
	require.Equal(t, "a", list[0]["name"])
	require.Equal(t, "dir", list[0]["type"])
	require.Equal(t, "b.md", list[1]["name"])
	require.Equal(t, "file", list[1]["type"])
	require.EqualValues(t, 3, list[1]["size"])

	f.repo.SetFile("main", "large.md", strings.Repeat("x", maxContent+1))
	large := f.do("GET", "/repos/acme/widgets/contents/large.md", nil)
	require.Equal(t, "none", large.at("encoding"))
	require.Empty(t, large.at("content"))
	require.EqualValues(t, maxContent+1, large.at("size"))

	var files []File
	for i := range maxListed + 5 {
		files = append(files, File{Path: fmt.Sprintf("many/%d.md", i)})
	}
	f.repo.PushBranch("eng", "main", Commit{Files: files})
	require.Len(t, f.do("GET", "/repos/acme/widgets/contents/many", nil).list(), maxListed)
}

func TestContentsNeedTheirPermission(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.server.World().Installation("acme").SetPermission("contents", "")
	refused := f.do("GET", "/repos/acme/widgets/contents/src/main.go", nil)
	require.Equal(t, 403, refused.status)
	require.Equal(t, "contents=read", refused.header.Get("X-Accepted-GitHub-Permissions"))
}
