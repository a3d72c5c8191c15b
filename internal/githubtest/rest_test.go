package githubtest

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// https://docs.github.com/en/rest/using-the-rest-api/using-pagination-in-the-rest-api
func TestLinkPaging(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	issue := f.repo.AddIssue(IssueOptions{})
	for i := range 65 {
		issue.Comment("eng", fmt.Sprint(i+1))
	}
	for _, test := range []struct {
		query       string
		first, size int
		rels        string
	}{
		{"", 1, 30, "next=2 last=3"},
		{"?page=2", 31, 30, "prev=1 next=3 last=3 first=1"},
		{"?page=3", 61, 5, "prev=2 first=1"},
		{"?page=4", 0, 0, "prev=3 first=1"},
		{"?per_page=100", 1, 65, ""},
		{"?per_page=1000", 1, 65, ""},
		{"?per_page=10&page=7", 61, 5, "prev=6 first=1"},
		{"?per_page=0", 1, 30, "next=2 last=3"},
		{"?page=x", 1, 30, "next=2 last=3"},
	} {
		t.Run(test.query, func(t *testing.T) {
			t.Parallel()
			answer := f.do("GET", "/repos/acme/widgets/issues/1/comments"+test.query, nil)
			require.Equal(t, 200, answer.status)
			list := answer.list()
			require.Len(t, list, test.size)
			if test.size > 0 {
				require.Equal(t, fmt.Sprint(test.first), list[0]["body"])
			}
			require.Equal(t, test.rels, rels(answer.header.Get("Link")))
		})
	}
	first := f.do("GET", "/repos/acme/widgets/issues/1/comments?per_page=64", nil).header.Get("Link")
	next, _, _ := strings.Cut(strings.TrimPrefix(first, "<"), ">")
	require.Contains(t, next, fmt.Sprintf("/repositories/%d/issues/1/comments", f.repo.ID()))
	require.Len(t, f.do("GET", next, nil).list(), 1, "the link leads to the next page")
}

// rels lists the relations of a Link header with their pages, in order.
func rels(link string) string {
	var list []string
	for part := range strings.SplitSeq(link, ", ") {
		url, rel, found := strings.Cut(part, `>; rel="`)
		if !found {
			continue
		}
		_, page, _ := strings.Cut(url, "?")
		for pair := range strings.SplitSeq(page, "&") {
			if number, isPage := strings.CutPrefix(pair, "page="); isPage {
				list = append(list, strings.TrimSuffix(rel, `"`)+"="+number)
			}
		}
	}
	return strings.Join(list, " ")
}

// https://docs.github.com/en/rest/using-the-rest-api/best-practices-for-using-the-rest-api
func TestConditionalRequestsAreFree(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	first := f.do("GET", "/repos/acme/widgets", nil)
	etag := first.header.Get("ETag")
	require.NotEmpty(t, etag)
	again := f.as(f.token, "GET", "/repos/acme/widgets", nil, "If-None-Match", etag)
	require.Equal(t, http.StatusNotModified, again.status)
	require.Empty(t, again.text)
	require.Equal(t, first.header.Get("X-RateLimit-Remaining"), again.header.Get("X-RateLimit-Remaining"))
	f.repo.SetDefaultBranch("other")
	require.Equal(t, 200, f.as(f.token, "GET", "/repos/acme/widgets", nil, "If-None-Match", etag).status)
}

// https://docs.github.com/en/rest/using-the-rest-api/rate-limits-for-the-rest-api
func TestRateLimit(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	first := f.do("GET", "/repos/acme/widgets", nil)
	require.Equal(t, "5000", first.header.Get("X-RateLimit-Limit"))
	require.Equal(t, "4999", first.header.Get("X-RateLimit-Remaining"))
	require.Equal(t, "1", first.header.Get("X-RateLimit-Used"))
	require.Equal(t, "core", first.header.Get("X-RateLimit-Resource"))
	require.Equal(t, fmt.Sprint(start.Add(time.Hour).Unix()), first.header.Get("X-RateLimit-Reset"))
	f.server.World().Installation("acme").SetRateLimit(0)
	refused := f.do("GET", "/repos/acme/widgets", nil)
	require.Equal(t, 403, refused.status)
	require.Contains(t, refused.at("message"), "API rate limit exceeded for installation ID")
	require.Equal(t, "0", refused.header.Get("X-RateLimit-Remaining"))
	require.EqualValues(t, 0, f.do("GET", "/rate_limit", nil).at("resources", "core", "remaining"))
	query := f.graphql("{ rateLimit { remaining } }", nil)
	require.Equal(t, 200, query.status)
	require.Equal(t, "RATE_LIMITED", query.at("errors", 0, "type"))
	f.clock.Advance(59 * time.Minute)
	require.Equal(t, 403, f.do("GET", "/repos/acme/widgets", nil).status)
	f.clock.Advance(time.Minute)
	f.token = f.installationToken("acme")
	require.Equal(t, 200, f.do("GET", "/repos/acme/widgets", nil).status)
}

// https://docs.github.com/en/rest/collaborators/collaborators#get-repository-permissions-for-a-user
func TestPermissionFoldsRoles(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	for _, test := range []struct{ role, permission string }{
		{"admin", "admin"}, {"maintain", "write"}, {"write", "write"}, {"triage", "read"}, {"read", "read"}, {"none", "none"},
	} {
		f.repo.SetRole("eng", test.role)
		answer := f.do("GET", "/repos/acme/widgets/collaborators/eng/permission", nil)
		require.Equal(t, test.permission, answer.at("permission"), test.role)
		require.Equal(t, test.role, answer.at("role_name"))
	}
	require.Equal(t, 404, f.do("GET", "/repos/acme/widgets/collaborators/nobody/permission", nil).status)
}

func TestListPulls(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	one := f.repo.OpenPullRequest(PullRequestOptions{Author: "eng", Branch: "one"})
	f.clock.Advance(time.Second)
	f.repo.OpenPullRequest(PullRequestOptions{Author: "guest", Branch: "one", Fork: "guest"})
	f.clock.Advance(time.Second)
	f.repo.OpenPullRequest(PullRequestOptions{Author: "eng", Base: "release"}).Close("eng")
	f.clock.Advance(time.Second)
	one.EditTitle("eng", "changed last")
	for _, test := range []struct {
		query   string
		numbers []float64
	}{
		{"", []float64{2, 1}},
		{"?state=closed", []float64{3}},
		{"?state=all", []float64{3, 2, 1}},
		{"?state=all&base=release", []float64{3}},
		{"?head=acme:one", []float64{1}},
		{"?head=guest:one", []float64{2}},
		{"?head=guest:two", []float64{}},
		{"?sort=updated&direction=desc", []float64{1, 2}},
		{"?sort=created&direction=asc", []float64{1, 2}},
	} {
		numbers := []float64{}
		for _, p := range f.do("GET", "/repos/acme/widgets/pulls"+test.query, nil).list() {
			numbers = append(numbers, p["number"].(float64))
		}
		require.Equal(t, test.numbers, numbers, test.query)
	}
}

// https://docs.github.com/en/rest/commits/commits#list-pull-requests-associated-with-a-commit
func TestPullsOfCommit(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	branch := f.repo.OpenPullRequest(PullRequestOptions{Author: "eng"})
	fork := f.repo.OpenPullRequest(PullRequestOptions{Author: "guest", Fork: "guest"})
	closed := f.repo.OpenPullRequest(PullRequestOptions{Author: "eng"})
	closed.Close("eng")
	count := func(sha string) int {
		return len(f.do("GET", "/repos/acme/widgets/commits/"+sha+"/pulls", nil).list())
	}
	require.Equal(t, 1, count(branch.HeadSHA()))
	require.Equal(t, 0, count(fork.HeadSHA()), "an open pull request of a fork is not associated")
	require.Equal(t, 0, count(closed.HeadSHA()))
	merge := branch.Merge("lead")
	require.Equal(t, 1, count(merge))
	unknown := f.do("GET", "/repos/acme/widgets/commits/"+strings.Repeat("0", 40)+"/pulls", nil)
	require.Equal(t, 422, unknown.status)
	require.Contains(t, unknown.at("message"), "No commit found for SHA")
}

func TestRenamedRepositoryRedirects(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.repo.Rename("gizmos")
	moved := f.do("GET", "/repos/acme/widgets/pulls?state=all", nil)
	require.Equal(t, 301, moved.status)
	location := moved.header.Get("Location")
	require.Equal(t, fmt.Sprintf("%s/repositories/%d/pulls?state=all", f.server.URL(), f.repo.ID()), location)
	require.Equal(t, 200, f.do("GET", location, nil).status)
}

func TestDeletedAndTransferredIssues(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.repo.AddIssue(IssueOptions{}).Delete("lead")
	gadgets := f.server.World().AddRepository("acme/gadgets", RepositoryOptions{})
	secret := f.server.World().AddRepository("acme/secret", RepositoryOptions{NotInstalled: true})
	f.repo.AddIssue(IssueOptions{}).Transfer("lead", gadgets)
	f.repo.AddIssue(IssueOptions{}).Transfer("lead", secret)
	f.repo.AddIssue(IssueOptions{}).Transfer("lead", gadgets).Transfer("lead", f.repo)
	require.Equal(t, 410, f.do("GET", "/repos/acme/widgets/issues/1", nil).status)
	moved := f.do("GET", "/repos/acme/widgets/issues/2", nil)
	require.Equal(t, 301, moved.status)
	location := fmt.Sprintf("%s/repositories/%d/issues/1", f.server.URL(), gadgets.ID())
	require.Equal(t, location, moved.header.Get("Location"))
	require.Equal(t, location, moved.at("url"))
	require.Equal(t, 200, f.do("GET", location, nil).status)
	require.Equal(t, 404, f.do("GET", "/repos/acme/widgets/issues/3", nil).status, "moved out of sight")
	again := f.do("GET", "/repos/acme/widgets/issues/4", nil).header.Get("Location")
	require.Equal(t, 5.0, f.do("GET", f.do("GET", again, nil).header.Get("Location"), nil).at("number"), "moved on, from one place to the next")
	require.Equal(t, 404, f.do("GET", "/repos/acme/widgets/issues/2/comments", nil).status)
	require.Equal(t, 404, f.do("POST", "/repos/acme/widgets/issues/2/comments", map[string]any{"body": "hi"}).status)
}

func TestUnmodelledRequestsAreReportedByName(t *testing.T) {
	t.Parallel()
	told := &complaints{}
	f := startFixture(t, RepositoryOptions{}, told)
	pr := f.repo.OpenPullRequest(PullRequestOptions{})
	for _, test := range []struct {
		method, path string
		body         any
		status       int
		complaint    string
	}{
		{"GET", "/user/repos", nil, 404, "GET /user/repos"},
		{"DELETE", "/repos/acme/widgets", nil, 404, "DELETE /repos/acme/widgets"},
		{"GET", "/repos//widgets", nil, 404, "GET /repos//widgets"},
		{"GET", "/repos/acme/widgets/pulls?milestone=1", nil, 200, `"milestone" of GET /repos/{owner}/{repo}/pulls`},
		{"GET", "/repos/acme/widgets/pulls/1?page=2", nil, 200, `"page"`},
		{"POST", "/repos/acme/widgets/check-runs", map[string]any{"name": "x", "head_sha": pr.HeadSHA(), "colour": 1}, 422, `"colour" of POST /repos/{owner}/{repo}/check-runs`},
		{"POST", "/repos/acme/widgets/check-runs", map[string]any{"output": map[string]any{"annotations": []any{}}}, 422, `"annotations"`},
		{"POST", "/graphql", map[string]any{"query": "{ viewer { login } }"}, 200, `"viewer" on type "Query"`},
	} {
		answer := f.do(test.method, test.path, test.body)
		require.Equal(t, test.status, answer.status, answer.text)
		require.Contains(t, told.all(), test.complaint)
	}
}

func TestBadJSON(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.repo.AddIssue(IssueOptions{})
	for body, status := range map[string]int{
		`{"body": `: 400, `{"body": 7}`: 422, `{}`: 422, ``: 422, `{"body": ""}`: 422,
		`{"body": "` + strings.Repeat("x", 65537) + `"}`: 422, `{"body": "fine"}`: 201,
	} {
		answer := f.do("POST", "/repos/acme/widgets/issues/1/comments", body)
		require.Equal(t, status, answer.status, "%.40s: %s", body, answer.text)
	}
	require.Equal(t, 400, f.do("POST", "/graphql", "{").status)
}

func TestEnterpriseAddresses(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	require.Equal(t, 200, f.do("GET", "/api/v3/repos/acme/widgets", nil).status)
	require.Equal(t, 200, f.do("POST", "/api/graphql", map[string]any{"query": "{ rateLimit { cost } }"}).status)
}

func TestUserAgentIsRequired(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	require.Equal(t, 403, f.as(f.token, "GET", "/repos/acme/widgets", nil, "User-Agent", "").status)
}
