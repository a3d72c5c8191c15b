package githubtest

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// pullQuery asks for members of acme/widgets#number.
func (f *fixture) pull(number int, members string) reply {
	f.Helper()
	answer := f.graphql(`query Pull($n: Int!) { repository(owner: "acme", name: "widgets") { pullRequest(number: $n) { `+members+` } } }`,
		map[string]any{"n": number})
	require.Equal(f, 200, answer.status, answer.text)
	return answer
}

func (r reply) pull(path ...any) any {
	r.t.Helper()
	require.Nil(r.t, r.object()["errors"], r.text)
	return r.at(append([]any{"data", "repository", "pullRequest"}, path...)...)
}

func TestLoginsInGraphQL(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.server.World().AddMannequin("imported")
	for number, test := range []struct {
		login           string
		deleted         bool
		graphql, rest   any
		graphqlTypename any
	}{
		{"eng", false, "eng", "eng", "User"},
		{"helper[bot]", false, "helper", "helper[bot]", "Bot"},
		{"acme", false, "acme", "acme", "Organization"},
		{"imported", false, "imported", "imported", "Mannequin"},
		{"gone", true, nil, "ghost", nil},
	} {
		f.repo.OpenPullRequest(PullRequestOptions{Author: test.login})
		if test.deleted {
			f.server.World().DeleteAccount(test.login)
		}
		answer := f.pull(number+1, "author { __typename login }")
		if test.deleted {
			require.Nil(t, answer.pull("author"))
		} else {
			require.Equal(t, test.graphql, answer.pull("author", "login"))
			require.Equal(t, test.graphqlTypename, answer.pull("author", "__typename"))
		}
		rest := f.do("GET", fmt.Sprintf("/repos/acme/widgets/pulls/%d", number+1), nil)
		require.Equal(t, test.rest, rest.at("user", "login"))
	}
}

func TestUserContentEdits(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	pr := f.repo.OpenPullRequest(PullRequestOptions{Author: "eng", Body: "one"})
	const members = `body includesCreatedEdit lastEditedAt editor { login } userContentEdits(first: 10) { totalCount nodes { editedAt deletedAt diff editor { login } deletedBy { login } } }`
	untouched := f.pull(1, members)
	require.EqualValues(t, 0, untouched.pull("userContentEdits", "totalCount"), "the creation counts only once there is an edit")
	require.Nil(t, untouched.pull("lastEditedAt"))

	f.clock.Advance(time.Minute)
	pr.EditBody("eng", "two")
	pr.EditBody("eng", "two")
	f.clock.Advance(time.Minute)
	pr.EditBody("helper[bot]", "three")
	edited := f.pull(1, members)
	require.EqualValues(t, 3, edited.pull("userContentEdits", "totalCount"), "the same text is no edit")
	require.Equal(t, true, edited.pull("includesCreatedEdit"))
	require.Equal(t, "helper", edited.pull("editor", "login"))
	for i, diff := range []string{"three", "two", "one"} {
		require.Equal(t, diff, edited.pull("userContentEdits", "nodes", i, "diff"), "diff holds the whole text, newest first")
	}
	require.Equal(t, "2026-11-30T10:01:00Z", edited.pull("userContentEdits", "nodes", 1, "editedAt"))

	pr.EraseRevision("lead", 1)
	erased := f.pull(1, members)
	require.Nil(t, erased.pull("userContentEdits", "nodes", 1, "diff"))
	require.Equal(t, "2026-11-30T10:02:00Z", erased.pull("userContentEdits", "nodes", 1, "deletedAt"))
	require.Equal(t, "lead", erased.pull("userContentEdits", "nodes", 1, "deletedBy", "login"))

	f.server.World().DeleteAccount("eng")
	require.Nil(t, f.pull(1, members).pull("userContentEdits", "nodes", 2, "editor"))

	f.server.World().Installation("acme").SetPermission("pull_requests", "read")
	require.Nil(t, f.pull(1, members).pull("userContentEdits", "nodes", 0, "diff"), "null without write access")
}

func TestIdsBeyond32Bits(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.repo.OpenPullRequest(PullRequestOptions{}).Comment("eng", "hi")
	answer := f.pull(1, "databaseId fullDatabaseId comments(first: 1) { nodes { databaseId fullDatabaseId } }")
	require.Nil(t, answer.pull("databaseId"))
	id := answer.pull("comments", "nodes", 0, "fullDatabaseId")
	require.Nil(t, answer.pull("comments", "nodes", 0, "databaseId"))
	require.Equal(t, fmt.Sprintf("%.0f", f.do("GET", "/repos/acme/widgets/issues/1/comments", nil).at(0, "id")), id)
}

func TestStatusCheckRollup(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	sha := f.repo.OpenPullRequest(PullRequestOptions{}).HeadSHA()
	const members = `commits(last: 1) { nodes { commit { oid statusCheckRollup { state contexts(first: 10) { totalCount checkRunCount nodes {
		__typename
		... on CheckRun { name status conclusion completedAt checkSuite { app { slug } workflowRun { workflow { name } } } }
		... on StatusContext { context state creator { login } }
	} } } } } }`
	rollup := []any{"commits", "nodes", 0, "commit", "statusCheckRollup"}
	at := func(path ...any) any { return f.pull(1, members).pull(append(rollup[:5:5], path...)...) }
	require.Nil(t, f.pull(1, members).pull(rollup...), "null without statuses and check runs")

	run := f.repo.AddCheckRun(CheckRunOptions{SHA: sha, Name: "npm test", Workflow: "ci", Status: "in_progress"})
	require.Equal(t, "PENDING", at("state"))
	require.Nil(t, at("contexts", "nodes", 0, "conclusion"))
	require.Equal(t, "ci", at("contexts", "nodes", 0, "checkSuite", "workflowRun", "workflow", "name"))
	f.repo.SetCheckRun(run, "completed", "success")
	require.Equal(t, "SUCCESS", at("state"))
	f.repo.AddStatus(StatusOptions{SHA: sha, Context: "ci/legacy", State: "error", Creator: "ci[bot]"})
	require.Equal(t, "ERROR", at("state"))
	require.Equal(t, "ci", at("contexts", "nodes", 1, "creator", "login"))
	f.repo.AddStatus(StatusOptions{SHA: sha, Context: "ci/legacy"})
	require.EqualValues(t, 2, at("contexts", "totalCount"), "a later status of the context replaces the earlier one")
	require.Equal(t, "SUCCESS", at("state"))
	f.repo.AddCheckRun(CheckRunOptions{SHA: sha, Name: "lint", App: "linter", Conclusion: "action_required"})
	require.Equal(t, "FAILURE", at("state"))
	require.Nil(t, at("contexts", "nodes", 1, "checkSuite", "workflowRun"))
}

// https://docs.github.com/en/issues/tracking-your-work-with-issues/linking-a-pull-request-to-an-issue
func TestClosingIssues(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	for range 3 {
		f.repo.AddIssue(IssueOptions{})
	}
	f.server.World().AddRepository("acme/gadgets", RepositoryOptions{}).AddIssue(IssueOptions{})
	pr := f.repo.OpenPullRequest(PullRequestOptions{Author: "eng"})
	for _, test := range []struct{ body, numbers string }{
		{"Closes #1", "acme/widgets#1"},
		{"fixed #2, RESOLVES: #1", "acme/widgets#2 acme/widgets#1"},
		{"resolve acme/gadgets#1", "acme/gadgets#1"},
		{"closes https://github.com/acme/widgets/issues/3", "acme/widgets#3"},
		{"closes #1 and closes #1", "acme/widgets#1"},
		{"see #1", ""},
		{"forecloses #1", ""},
		{"closes #99", ""},
		{"`closes #1`", ""},
		{"```\ncloses #1\n```", ""},
		{"<!-- closes #1 -->", ""},
	} {
		pr.EditBody("eng", test.body)
		require.Equal(t, test.numbers, f.closing(pr.Number()), test.body)
	}
	pr.EditBody("eng", "Closes #1")
	back := f.graphql(`{ repository(owner: "acme", name: "widgets") { issue(number: 1) { closedByPullRequestsReferences(first: 5, includeClosedPrs: false) { nodes { number } } } } }`, nil)
	require.EqualValues(t, pr.Number(), back.at("data", "repository", "issue", "closedByPullRequestsReferences", "nodes", 0, "number"))
	pr.ChangeBase("eng", "release")
	require.Empty(t, f.closing(pr.Number()), "only the default branch closes issues")
	pr.ChangeBase("eng", "main")
	pr.LinkIssue(f.repo.AddIssue(IssueOptions{}))
	require.Equal(t, "acme/widgets#1 acme/widgets#5", f.closing(pr.Number()))
	pr.Merge("lead")
	require.Equal(t, "closed", f.do("GET", "/repos/acme/widgets/issues/1", nil).at("state"))
}

func (f *fixture) closing(number int) string {
	answer := f.pull(number, "closingIssuesReferences(first: 10) { nodes { number repository { nameWithOwner } } }")
	var names []string
	for i := range answer.pull("closingIssuesReferences", "nodes").([]any) {
		node := answer.pull("closingIssuesReferences", "nodes", i).(map[string]any)
		names = append(names, fmt.Sprintf("%s#%.0f", node["repository"].(map[string]any)["nameWithOwner"], node["number"]))
	}
	return strings.Join(names, " ")
}

func TestUnreadableParts(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name    string
		take    string // permission taken from the installation
		members string
		path    string
	}{
		{"a private issue elsewhere", "", "number closes: closingIssuesReferences(first: 5) { totalCount nodes { number } }", "[repository pullRequest closes nodes 1]"},
		{"issues", "issues", "number closingIssuesReferences(first: 5) { nodes { number } }", "[repository pullRequest closingIssuesReferences nodes 0] [repository pullRequest closingIssuesReferences nodes 1]"},
		{"pull requests", "pull_requests", "number", "[repository pullRequest]"},
		{"contents", "contents", "number baseRef { name }", "[repository pullRequest baseRef]"},
		{"statuses", "statuses", "number commits(last: 1) { nodes { commit { statusCheckRollup { state } } } }", "[repository pullRequest commits nodes 0 commit statusCheckRollup]"},
		{"checks", "checks", "number commits(last: 1) { nodes { commit { statusCheckRollup { contexts(first: 5) { nodes { ... on CheckRun { name } } } } } } }", "[repository pullRequest commits nodes 0 commit statusCheckRollup contexts nodes 0]"},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			f := newFixture(t)
			f.repo.AddIssue(IssueOptions{})
			f.server.World().AddRepository("other/secret", RepositoryOptions{}).AddIssue(IssueOptions{})
			pr := f.repo.OpenPullRequest(PullRequestOptions{Body: "closes #1, closes other/secret#1"})
			f.repo.AddCheckRun(CheckRunOptions{SHA: pr.HeadSHA(), Name: "npm test"})
			if test.take != "" {
				f.server.World().Installation("acme").SetPermission(test.take, "")
			}
			answer := f.pull(2, test.members)
			var paths []string
			for i, e := range answer.at("errors").([]any) {
				paths = append(paths, fmt.Sprint(e.(map[string]any)["path"]))
				require.Equal(t, "FORBIDDEN", answer.at("errors", i, "type"))
				require.Equal(t, "Resource not accessible by integration", answer.at("errors", i, "message"))
				require.NotNil(t, answer.at("errors", i, "locations", 0, "line"))
			}
			require.Equal(t, test.path, strings.Join(paths, " "))
			if test.take != "pull_requests" {
				require.EqualValues(t, 2, answer.at("data", "repository", "pullRequest", "number"), "the rest of the data is there")
			}
		})
	}
}

func TestGraphQLErrors(t *testing.T) {
	t.Parallel()
	told := &complaints{}
	f := startFixture(t, RepositoryOptions{}, told)
	f.server.World().AddRepository("other/secret", RepositoryOptions{})
	f.repo.OpenPullRequest(PullRequestOptions{})
	pull := func(members string) string {
		return `{ repository(owner: "acme", name: "widgets") { pullRequest(number: 1) { ` + members + ` } } }`
	}
	for _, test := range []struct {
		name, query string
		variables   map[string]any
		kind        any
		message     string
		complains   bool
	}{
		{"no such repository", `{ repository(owner: "acme", name: "x") { name } }`, nil, "NOT_FOUND", "Could not resolve to a Repository with the name 'acme/x'.", false},
		{"not visible", `{ repository(owner: "other", name: "secret") { name } }`, nil, "NOT_FOUND", "Could not resolve to a Repository", false},
		{"no such pull request", `{ repository(owner: "acme", name: "widgets") { pullRequest(number: 9) { title } } }`, nil, "NOT_FOUND", "Could not resolve to a PullRequest with the number of 9.", false},
		{"no such issue", `{ repository(owner: "acme", name: "widgets") { issue(number: 1) { title } } }`, nil, "NOT_FOUND", "Could not resolve to an Issue with the number of 1.", false},
		{"no such node", `{ node(id: "PR_x") { id } }`, nil, "NOT_FOUND", "Could not resolve to a node with the global id of 'PR_x'", false},
		{"neither first nor last", pull("comments { totalCount }"), nil, "MISSING_PAGINATION_BOUNDARIES", "You must provide a `first` or `last` value to properly paginate the `comments` connection.", false},
		{"more than 100", pull("comments(first: 101) { totalCount }"), nil, "EXCESSIVE_PAGINATION", "Requesting 101 records on the `comments` connection exceeds the `first` limit of 100 records.", false},
		{"more than 100 from the end", pull("comments(last: 200) { totalCount }"), nil, "EXCESSIVE_PAGINATION", "exceeds the `last` limit", false},
		{"below zero", pull("comments(first: -1) { totalCount }"), nil, "INVALID_PAGINATION", "cannot be less than zero", false},
		{"no cursor of ours", pull(`comments(first: 1, after: "x") { totalCount }`), nil, "INVALID_CURSOR_ARGUMENTS", "`x` does not appear to be a valid cursor.", false},
		{"too many nodes", pull("comments(first: 100) { nodes { userContentEdits(first: 100) { nodes { id } } } } reviews(first: 100) { nodes { commit { associatedPullRequests(first: 100) { nodes { commits(first: 100) { nodes { id } } } } } } }"), nil, "MAX_NODE_LIMIT_EXCEEDED", "exceeds the maximum limit of 500,000", false},
		{"variable missing", `query($n: Int!) { repository(owner: "acme", name: "widgets") { pullRequest(number: $n) { title } } }`, nil, nil, "Variable $n of type Int! was provided invalid value", false},
		{"variable of another type", `query($n: Int!) { repository(owner: "acme", name: "widgets") { pullRequest(number: $n) { title } } }`, map[string]any{"n": "one"}, nil, "Variable $n of type Int! was provided invalid value", false},
		{"unknown field", pull("additions"), nil, nil, "Field 'additions' doesn't exist on type 'PullRequest'", true},
		{"unknown argument", pull("comments(first: 1, orderBy: {field: UPDATED_AT, direction: ASC}) { totalCount }"), nil, nil, "Field 'comments' doesn't accept argument 'orderBy'", true},
		{"no GraphQL", "{", nil, nil, "Expected Name", true},
	} {
		t.Run(test.name, func(t *testing.T) {
			before := told.all()
			answer := f.graphql(test.query, test.variables)
			require.Equal(t, 200, answer.status)
			require.Equal(t, test.kind, answer.at("errors", 0, "type"), answer.text)
			require.Contains(t, answer.at("errors", 0, "message"), test.message)
			require.Equal(t, test.complains, told.all() != before, told.all())
		})
	}
	require.Contains(t, told.all(), `"additions" on type "PullRequest"`, "what is not modelled is named")
}

func TestGraphQLNeedsAToken(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	query := map[string]any{"query": "{ rateLimit { cost } }"}
	none := f.as("", "POST", "/graphql", query)
	require.Equal(t, 401, none.status)
	require.Equal(t, "This endpoint requires you to be authenticated.", none.at("message"))
	require.Equal(t, 401, f.as("ghs_unknown", "POST", "/graphql", query).status)
}

func TestConnections(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	pr := f.repo.OpenPullRequest(PullRequestOptions{})
	for i := range 5 {
		pr.Comment("eng", fmt.Sprint(i+1))
	}
	const members = "comments(%s) { totalCount pageInfo { hasNextPage hasPreviousPage startCursor endCursor } nodes { body } }"
	ask := func(arguments string) (string, reply) {
		answer := f.pull(1, fmt.Sprintf(members, arguments))
		var bodies []string
		for i := range answer.pull("comments", "nodes").([]any) {
			bodies = append(bodies, answer.pull("comments", "nodes", i, "body").(string))
		}
		require.EqualValues(t, 5, answer.pull("comments", "totalCount"))
		return strings.Join(bodies, " "), answer
	}
	bodies, first := ask("first: 2")
	require.Equal(t, "1 2", bodies)
	require.Equal(t, true, first.pull("comments", "pageInfo", "hasNextPage"))
	require.Equal(t, false, first.pull("comments", "pageInfo", "hasPreviousPage"))
	cursor := first.pull("comments", "pageInfo", "endCursor").(string)
	bodies, rest := ask(`first: 100, after: "` + cursor + `"`)
	require.Equal(t, "3 4 5", bodies)
	require.Equal(t, false, rest.pull("comments", "pageInfo", "hasNextPage"))
	bodies, last := ask("last: 2")
	require.Equal(t, "4 5", bodies)
	require.Equal(t, true, last.pull("comments", "pageInfo", "hasPreviousPage"))
	bodies, _ = ask(`last: 2, before: "` + last.pull("comments", "pageInfo", "startCursor").(string) + `"`)
	require.Equal(t, "2 3", bodies)
	bodies, empty := ask(`first: 0`)
	require.Empty(t, bodies)
	require.Nil(t, empty.pull("comments", "pageInfo", "endCursor"))
}

// https://docs.github.com/en/graphql/overview/rate-limits-and-query-limits-for-the-graphql-api
func TestCost(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.repo.OpenPullRequest(PullRequestOptions{})
	answer := f.graphql(`{ rateLimit { cost nodeCount limit used remaining resetAt } repository(owner: "acme", name: "widgets") {
		pullRequests(first: 100) { nodes { reviews(first: 10) { nodes { userContentEdits(first: 5) { totalCount } } } } } } }`, nil)
	limit := func(name string) any { return answer.at("data", "rateLimit", name) }
	require.EqualValues(t, 11, limit("cost"), "(1 + 100 + 1,000) / 100")
	require.EqualValues(t, 100+1000+5000, limit("nodeCount"))
	require.EqualValues(t, 5000-11, limit("remaining"))
	require.Equal(t, "graphql", answer.header.Get("X-RateLimit-Resource"))
	require.Equal(t, "4989", answer.header.Get("X-RateLimit-Remaining"))
}

func TestForks(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	pr := f.repo.OpenPullRequest(PullRequestOptions{Author: "guest", Fork: "guest"})
	const members = "isCrossRepository headRefName headRepository { nameWithOwner isFork } headRepositoryOwner { login } headRef { name }"
	answer := f.pull(1, members)
	require.Equal(t, true, answer.pull("isCrossRepository"))
	require.Equal(t, "guest/widgets", answer.pull("headRepository", "nameWithOwner"))
	head := pr.HeadSHA()
	sha := pr.Push("guest", Commit{})
	require.NotEqual(t, head, sha)
	require.Equal(t, sha, f.pull(1, "headRefOid").pull("headRefOid"))
	f.server.World().Repository("guest/widgets").Delete()
	gone := f.pull(1, members)
	require.Nil(t, gone.pull("headRepository"))
	require.Nil(t, gone.pull("headRef"))
	require.Equal(t, "guest", gone.pull("headRepositoryOwner", "login"))
	rest := f.do("GET", "/repos/acme/widgets/pulls/1", nil)
	require.Nil(t, rest.at("head", "repo"))
	require.Equal(t, sha, rest.at("head", "sha"))
}

func TestCommits(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	commits := make([]Commit, 251)
	commits[0] = Commit{Message: "First\n\nBody", Authors: []string{"eng", "somebody@example.com"}, Committer: "lead"}
	pr := f.repo.OpenPullRequest(PullRequestOptions{Author: "eng", Commits: commits})
	answer := f.pull(1, `commits(first: 1) { totalCount nodes { commit { id messageHeadline authors(first: 5) { nodes { email user { login } } } committer { user { login } } } } }`)
	commit := []any{"commits", "nodes", 0, "commit"}
	at := func(path ...any) any { return answer.pull(append(commit[:4:4], path...)...) }
	require.EqualValues(t, 251, answer.pull("commits", "totalCount"))
	require.Equal(t, "First", at("messageHeadline"))
	require.Equal(t, "eng", at("authors", "nodes", 0, "user", "login"))
	require.Nil(t, at("authors", "nodes", 1, "user"), "an address without an account")
	require.Equal(t, "lead", at("committer", "user", "login"))
	end := f.pull(1, "commits(last: 1) { pageInfo { hasNextPage } nodes { commit { oid } } }")
	require.NotEqual(t, pr.HeadSHA(), end.pull("commits", "nodes", 0, "commit", "oid"), "the list ends at 250")
	node := f.graphql(`query($id: ID!) { node(id: $id) { ... on Commit { authors(first: 1) { totalCount } } } }`, map[string]any{"id": at("id")})
	require.EqualValues(t, 2, node.at("data", "node", "authors", "totalCount"))
	pr.ForcePush("eng", Commit{})
	require.EqualValues(t, 1, f.pull(1, "commits(first: 1) { totalCount }").pull("commits", "totalCount"))
}

func TestNodes(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	issue := f.repo.AddIssue(IssueOptions{})
	comment := issue.Comment("eng", "hi")
	pr := f.repo.OpenPullRequest(PullRequestOptions{})
	pr.Review(ReviewOptions{Author: "lead", State: "approved"})
	ids := f.graphql(`{ repository(owner: "acme", name: "widgets") { id issue(number: 1) { id comments(first: 1) { nodes { id } } } pullRequest(number: 2) { id reviews(first: 1) { nodes { id state commit { oid } } } } } }`, nil)
	require.Equal(t, "APPROVED", ids.at("data", "repository", "pullRequest", "reviews", "nodes", 0, "state"))
	for kind, id := range map[string]any{
		"Repository": ids.at("data", "repository", "id"), "Issue": ids.at("data", "repository", "issue", "id"),
		"PullRequest":       ids.at("data", "repository", "pullRequest", "id"),
		"IssueComment":      ids.at("data", "repository", "issue", "comments", "nodes", 0, "id"),
		"PullRequestReview": ids.at("data", "repository", "pullRequest", "reviews", "nodes", 0, "id"),
	} {
		answer := f.graphql(`query($id: ID!) { node(id: $id) { __typename id } }`, map[string]any{"id": id})
		require.Equal(t, kind, answer.at("data", "node", "__typename"))
		require.Equal(t, id, answer.at("data", "node", "id"))
	}
	comment.Delete("eng")
	gone := f.graphql(`query($id: ID!) { node(id: $id) { id } }`, map[string]any{"id": ids.at("data", "repository", "issue", "comments", "nodes", 0, "id")})
	require.Equal(t, "NOT_FOUND", gone.at("errors", 0, "type"))
	f.server.World().Installation("acme").SetPermission("issues", "")
	hidden := f.graphql(`query($id: ID!) { node(id: $id) { id } }`, map[string]any{"id": ids.at("data", "repository", "issue", "id")})
	require.Equal(t, "FORBIDDEN", hidden.at("errors", 0, "type"))
}
