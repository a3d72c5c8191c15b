package github

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/evidence-gate/evidence-gate/snapshot"
)

// These answers are GitHub's for cases that the simulator does not play: parts withheld, unknown
// types, lists that do not add up.

func page(nodes ...any) object {
	if nodes == nil {
		nodes = []any{}
	}
	return object{"totalCount": len(nodes), "pageInfo": object{"hasNextPage": false, "endCursor": nil}, "nodes": nodes}
}

func pullRequestData() object {
	return object{
		"id": "PR_1", "number": 42, "title": "Dark mode", "body": "", "state": "OPEN", "isDraft": false,
		"isCrossRepository": false, "createdAt": "2026-11-30T09:00:00Z", "author": nil, "headRefOid": headSHA,
		"baseRefName": "main", "baseRef": object{"id": "REF_1", "target": object{"oid": baseSHA}, "stacked": page()}, "changedFiles": 3,
		"labels": page(), "labelings": labelingsOf(), "userContentEdits": page(),
		"comments": page(), "reviews": page(), "commits": page(), "closingIssuesReferences": page(),
		"head": object{"nodes": []any{object{"commit": object{"id": "C_1", "oid": headSHA, "statusCheckRollup": nil}}}},
	}
}

func issueData(repository string, number int, body string) object {
	return object{
		"id": "I_1", "number": number, "title": "Task", "body": body, "createdAt": "2026-11-29T09:00:00Z", "author": nil,
		"repository": object{"nameWithOwner": repository}, "labels": page(), "userContentEdits": page(), "comments": page(),
	}
}

func answerOf(pr any, errors ...any) object {
	data := object{"repository": object{
		"databaseId": 5_000_000_000, "nameWithOwner": "acme/widgets", "isPrivate": true, "defaultBranchRef": nil, "pullRequest": pr,
	}}
	if errors == nil {
		return object{"data": data}
	}
	return object{"data": data, "errors": errors}
}

func refused(kind string, path ...any) object {
	return object{"type": kind, "path": append([]any{"repository", "pullRequest"}, path...), "message": "Resource not accessible by integration"}
}

// load reads acme/widgets#42 from canned answers, one an operation.
func load(t *testing.T, answers map[string]object, o LoadOptions) (snapshot.Snapshot, error) {
	t.Helper()
	gh := newStub(t, func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodGet {
			replyREST(t, w, r)
			return
		}
		var asked struct {
			OperationName string `json:"operationName"`
		}
		if err := json.NewDecoder(r.Body).Decode(&asked); err != nil {
			t.Error(err)
		}
		answer, ok := answers[asked.OperationName]
		if !ok {
			t.Errorf("unexpected operation %s", asked.OperationName)
		}
		reply(w, http.StatusOK, answer)
	})
	return gh.installation(t).Snapshot(t.Context(), widgets, 42, o)
}

// replyREST answers for a base without files, three changed files and people without a role.
func replyREST(t *testing.T, w http.ResponseWriter, r *http.Request) {
	switch p := r.URL.Path; {
	case strings.Contains(p, "/contents/"):
		reply(w, http.StatusNotFound, message("Not Found"))
	case strings.HasSuffix(p, "/pulls/42/files"):
		reply(w, http.StatusOK, []object{changedFileData("a.js"), changedFileData("b.js"), changedFileData("c.js")})
	case strings.HasSuffix(p, "/collaborators"):
		reply(w, http.StatusOK, []object{})
	case strings.HasSuffix(p, "/permission"):
		reply(w, http.StatusOK, object{"permission": "none", "role_name": "none", "user": object{}})
	default:
		t.Errorf("unexpected request %s", p)
	}
}

func changedFileData(name string) object {
	return object{"filename": name, "status": "modified", "contents_url": "https://api.github.com/repos/acme/widgets/contents/" + name + "?ref=" + headSHA}
}

// labelingsOf is a page of events that set labels.
func labelingsOf(nodes ...any) object {
	if nodes == nil {
		nodes = []any{}
	}
	return object{"pageInfo": object{"hasPreviousPage": false, "startCursor": nil}, "nodes": nodes}
}

func loadOne(t *testing.T, pr any, errors ...any) (snapshot.Snapshot, error) {
	t.Helper()
	return load(t, map[string]object{"PullRequest": answerOf(pr, errors...)}, LoadOptions{})
}

func with(change func(object)) object {
	pr := pullRequestData()
	change(pr)
	return pr
}

func TestTheLeastThatGitHubShows(t *testing.T) {
	t.Parallel()
	s, err := loadOne(t, pullRequestData())
	require.NoError(t, err)
	require.EqualValues(t, 5_000_000_000, s.Repository.ID)
	require.Equal(t, "acme/widgets", s.Repository.FullName())
	require.Equal(t, "", *s.PullRequest.Body)
	require.Nil(t, s.PullRequest.Author, "a deleted account")
	require.Equal(t, baseSHA, s.PullRequest.BaseSHA)
	require.Equal(t, 3, *s.PullRequest.ChangedFiles)
	require.Nil(t, s.Issue)
	require.Empty(t, s.Linked)
	require.Empty(t, s.Unavailable)
}

func TestWithheldPartsAreNamed(t *testing.T) {
	t.Parallel()
	run := object{"__typename": "CheckRun", "name": "test", "status": "COMPLETED", "conclusion": "SUCCESS", "checkSuite": object{"app": nil, "workflowRun": nil}}
	rollup := func(nodes ...any) object {
		return object{"nodes": []any{object{"commit": object{"id": "C_1", "oid": headSHA, "statusCheckRollup": object{"contexts": page(nodes...)}}}}}
	}
	for name, c := range map[string]struct {
		change func(object)
		errors []any
		fact   string
		says   string
	}{
		"labels":              {func(pr object) { pr["labels"] = nil }, []any{refused("FORBIDDEN", "labels")}, "labels", "pull requests: read"},
		"revisions":           {func(pr object) { pr["userContentEdits"] = nil }, []any{refused("FORBIDDEN", "userContentEdits")}, "pull_request.revisions", "pull requests: read"},
		"reviews":             {func(pr object) { pr["reviews"] = nil }, []any{refused("FORBIDDEN", "reviews")}, "reviews", "pull requests: read"},
		"comments":            {func(pr object) { pr["comments"] = nil }, []any{refused("FORBIDDEN", "comments")}, "comments", "pull requests: read"},
		"status checks":       {func(object) {}, []any{refused("FORBIDDEN", "head", "nodes", 0, "commit", "statusCheckRollup")}, "status_checks", "checks: read and commit statuses: read"},
		"the workflow":        {func(pr object) { pr["head"] = rollup(run) }, []any{refused("FORBIDDEN", "head", "nodes", 0, "commit", "statusCheckRollup", "contexts", "nodes", 0, "checkSuite", "workflowRun")}, "status_checks", "actions: read"},
		"one context is null": {func(pr object) { pr["head"] = rollup(run, nil) }, nil, "status_checks", "left a part of it out"},
		"issue comments": {func(pr object) {
			issue := issueData("acme/widgets", 7, "")
			issue["comments"] = nil
			pr["closingIssuesReferences"] = page(issue)
		}, []any{refused("FORBIDDEN", "closingIssuesReferences", "nodes", 0, "comments")}, "issue.comments", "issues: read"},
		"issue revisions": {func(pr object) {
			issue := issueData("acme/widgets", 7, "")
			issue["userContentEdits"] = nil
			pr["closingIssuesReferences"] = page(issue)
		}, []any{refused("FORBIDDEN", "closingIssuesReferences", "nodes", 0, "userContentEdits")}, "issue.revisions", "issues: write"},
		"closing references":  {func(pr object) { pr["closingIssuesReferences"] = nil }, []any{refused("FORBIDDEN", "closingIssuesReferences")}, "issue", "issues: read"},
		"null without a word": {func(pr object) { pr["reviews"] = nil }, nil, "reviews", "left it out"},
		"no commit":           {func(pr object) { pr["head"] = object{"nodes": []any{}} }, nil, "status_checks", "no commit"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s, err := loadOne(t, with(c.change), c.errors...)
			require.NoError(t, err)
			require.Len(t, s.Unavailable, 1)
			require.Equal(t, c.fact, s.Unavailable[0].Fact)
			require.Contains(t, s.Unavailable[0].Reason, c.says)
		})
	}
}

func TestAPartThatTakesTheWholeWithItNamesThePermission(t *testing.T) {
	t.Parallel()
	_, err := loadOne(t, nil, refused("FORBIDDEN", "comments"))
	require.Equal(t, Forbidden, KindOf(err))
	require.ErrorContains(t, err, `grant the App "pull requests: read"`)
	_, err = loadOne(t, pullRequestData(), refused("FORBIDDEN", "somethingNew"))
	require.Equal(t, Forbidden, KindOf(err))
	require.ErrorContains(t, err, "repository.pullRequest.somethingNew")
}

func TestListsThatDoNotAddUpFailClosed(t *testing.T) {
	t.Parallel()
	more := func(cursor any) object {
		p := page(object{"name": "docs"})
		p["totalCount"], p["pageInfo"] = 2, object{"hasNextPage": true, "endCursor": cursor}
		return p
	}
	short := page(object{"name": "docs"})
	short["totalCount"] = 2
	labels := func(p object) map[string]object {
		return map[string]object{"PullRequest": answerOf(with(func(pr object) { pr["labels"] = p }))}
	}
	second := func(p any) map[string]object {
		answers := labels(more("X"))
		answers["MoreLabels"] = object{"data": object{"node": p}}
		return answers
	}
	for name, answers := range map[string]map[string]object{
		"fewer than counted":          labels(short),
		"a page without a cursor":     labels(more(nil)),
		"a page that leads to itself": second(object{"page": more("X")}),
		"the second page is short":    second(object{"page": func() object { p := page(); p["totalCount"] = 2; return p }()}),
		"the count grew meanwhile":    second(object{"page": func() object { p := page(object{"name": "x"}); p["totalCount"] = 3; return p }()}),
		"the node is gone":            second(nil),
		"the node was never there": {
			"PullRequest": labels(more("X"))["PullRequest"],
			"MoreLabels":  {"data": object{"node": nil}, "errors": []any{object{"type": "NOT_FOUND", "path": []any{"node"}, "message": "Could not resolve to a node"}}},
		},
		"an edit of a comment is missing": {"PullRequest": answerOf(with(func(pr object) {
			edits := page()
			edits["totalCount"] = 2
			pr["comments"] = page(object{"id": "IC_1", "fullDatabaseId": "5000000001", "body": "x", "userContentEdits": edits})
		}))},
		"more closing references than counted": {"PullRequest": answerOf(with(func(pr object) {
			p := page(issueData("acme/widgets", 7, ""))
			p["totalCount"] = 0
			pr["closingIssuesReferences"] = p
		}))},
		"the last commit is not the head": {"PullRequest": answerOf(with(func(pr object) {
			pr["head"] = object{"nodes": []any{object{"commit": object{"id": "C_1", "oid": "b2" + headSHA[2:], "statusCheckRollup": nil}}}}
		}))},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := load(t, answers, LoadOptions{})
			require.Equal(t, Incomplete, KindOf(err), "%v", err)
			require.ErrorContains(t, err, "could not read the pull request acme/widgets#42")
		})
	}
}

func TestGitHubListsNoMoreThanSomeCommits(t *testing.T) {
	t.Parallel()
	var nodes []any
	for range commitsListed {
		nodes = append(nodes, object{"commit": object{"id": "C", "oid": headSHA, "authors": page(), "committer": nil}})
	}
	p := page(nodes...)
	p["totalCount"] = 300
	s, err := loadOne(t, with(func(pr object) { pr["commits"] = p }))
	require.NoError(t, err)
	require.Equal(t, []snapshot.Unavailable{{Fact: "commits", Reason: "GitHub lists 250 of the 300 commits: split the pull request"}}, s.Unavailable)
}

func TestUnknownUnionMembersAreTolerated(t *testing.T) {
	t.Parallel()
	s, err := loadOne(t, with(func(pr object) {
		contexts := page(
			object{"__typename": "QuantumCheck"},
			object{"__typename": "StatusContext", "context": "ci/legacy", "state": "SUCCESS", "creator": object{"__typename": "Bot", "login": "ci"}},
		)
		pr["head"] = object{"nodes": []any{object{"commit": object{"id": "C_1", "oid": headSHA, "statusCheckRollup": object{"contexts": contexts}}}}}
	}))
	require.NoError(t, err)
	require.Equal(t, []snapshot.StatusCheck{{Context: "ci/legacy", State: "success", Creator: "ci[bot]"}}, s.StatusChecks)
	require.Empty(t, s.Unavailable)
}

func TestAReviewOfACommitThatIsGoneStays(t *testing.T) {
	t.Parallel()
	s, err := loadOne(t, with(func(pr object) {
		pr["reviews"] = page(object{"state": "CHANGES_REQUESTED", "body": "no", "author": nil, "commit": nil, "submittedAt": nil})
	}))
	require.NoError(t, err)
	require.Equal(t, []snapshot.Review{{State: "changes_requested", CommitSHA: noCommit, Body: "no"}}, s.Reviews)
}

func TestLinkedTasks(t *testing.T) {
	t.Parallel()
	own := func(n int, body string) object { return issueData("acme/widgets", n, body) }
	link := func(n int, hasChecks bool) snapshot.Linked {
		return snapshot.Linked{Repository: "acme/widgets", Number: n, Source: "closing", Readable: true, HasChecks: hasChecks}
	}
	other := snapshot.Linked{Repository: "acme/secret", Number: 9, Source: "closing"}
	unseen := snapshot.Linked{Repository: "acme/widgets", Number: 42, Source: "closing"}
	counted := func(total int, nodes ...any) object {
		p := page(nodes...)
		p["totalCount"] = total
		return p
	}
	for name, c := range map[string]struct {
		closing     object
		want        []snapshot.Linked
		issue       int
		unavailable bool
	}{
		"none":                            {page(), nil, 0, false},
		"one":                             {page(own(7, "checks")), []snapshot.Linked{link(7, true)}, 7, false},
		"one without checks":              {page(own(7, "")), []snapshot.Linked{link(7, false)}, 7, false},
		"of two the one with checks":      {page(own(7, ""), own(8, "checks")), []snapshot.Linked{link(7, false), link(8, true)}, 8, false},
		"two with checks: neither":        {page(own(7, "checks"), own(8, "checks")), []snapshot.Linked{link(7, true), link(8, true)}, 0, false},
		"two without: the first":          {page(own(7, ""), own(8, "")), []snapshot.Linked{link(7, false), link(8, false)}, 7, false},
		"another repository":              {page(issueData("acme/secret", 9, "checks")), []snapshot.Linked{other}, 0, false},
		"another repository beside one":   {page(issueData("acme/secret", 9, "checks"), own(7, "checks")), []snapshot.Linked{other, link(7, true)}, 7, false},
		"the name in another case":        {page(issueData("Acme/Widgets", 7, "checks")), []snapshot.Linked{{Repository: "Acme/Widgets", Number: 7, Source: "closing", Readable: true, HasChecks: true}}, 7, false},
		"a null node is not silence":      {page(nil), []snapshot.Linked{unseen}, 0, true},
		"a counted one is not silence":    {counted(2), []snapshot.Linked{unseen, unseen}, 0, true},
		"a counted one beside a readable": {counted(2, own(7, "checks")), []snapshot.Linked{link(7, true), unseen}, 7, true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			pr := with(func(pr object) { pr["closingIssuesReferences"] = c.closing })
			s, err := load(t, map[string]object{"PullRequest": answerOf(pr)}, LoadOptions{HasChecks: func(body string) bool { return body == "checks" }})
			require.NoError(t, err)
			require.Equal(t, c.want, s.Linked)
			if c.issue == 0 {
				require.Nil(t, s.Issue)
			} else {
				require.Equal(t, c.issue, s.Issue.Number)
			}
			require.Equal(t, c.unavailable, len(s.Unavailable) == 1 && s.Unavailable[0].Fact == "issue")
		})
	}
}

func TestErrorsOfTheWholeAnswer(t *testing.T) {
	t.Parallel()
	null := func(errors ...any) object { return object{"data": nil, "errors": errors} }
	for name, c := range map[string]struct {
		answer object
		kind   Kind
		says   string
	}{
		"no such repository":   {object{"data": object{"repository": nil}, "errors": []any{object{"type": "NOT_FOUND", "path": []any{"repository"}, "message": "Could not resolve to a Repository"}}}, NotFound, "the App is installed"},
		"no such pull request": {answerOf(nil, object{"type": "NOT_FOUND", "path": []any{"repository", "pullRequest"}, "message": "Could not resolve to a PullRequest"}), NotFound, "the App is installed"},
		"null without errors":  {object{"data": object{"repository": nil}}, NotFound, "the App is installed"},
		"rate limited":         {null(object{"type": "RATE_LIMITED", "message": "API rate limit exceeded"}), RateLimited, "asks to wait"},
		"rate limit, newer":    {null(object{"type": "RATE_LIMIT", "message": "API rate limit already exceeded"}), RateLimited, "asks to wait"},
		"secondary, by text":   {null(object{"message": "You have exceeded a secondary rate limit"}), RateLimited, "asks to wait"},
		"forbidden as a whole": {null(object{"type": "FORBIDDEN", "path": []any{"repository"}, "message": "Resource not accessible by integration"}), Forbidden, "pull requests: read"},
		"a timeout":            {null(object{"message": "Something went wrong while executing your query. Please include `A1` when reporting this issue."}), Unavailable, "Something went wrong"},
		"too costly":           {answerOf(pullRequestData(), object{"type": "RESOURCE_LIMITS_EXCEEDED", "path": []any{"repository", "pullRequest", "comments"}, "message": "Resource limits"}), Unavailable, "RESOURCE_LIMITS_EXCEEDED"},
		"an old server":        {null(object{"message": "Field 'fullDatabaseId' doesn't exist on type 'IssueComment'", "extensions": object{"code": "undefinedField"}}), Invalid, "fullDatabaseId"},
		"nothing":              {object{}, Unavailable, "lacks what it must hold"},
		"a comment without id": {answerOf(with(func(pr object) {
			pr["comments"] = page(object{"id": "IC_1", "fullDatabaseId": nil, "body": "x", "userContentEdits": page()})
		})), Incomplete, "has no id"},
		"an id that is no number": {answerOf(with(func(pr object) {
			pr["comments"] = page(object{"id": "IC_1", "fullDatabaseId": "x", "body": "x", "userContentEdits": page()})
		})), Unavailable, "expected shape"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := load(t, map[string]object{"PullRequest": c.answer}, LoadOptions{})
			require.Equal(t, c.kind, KindOf(err), "%v", err)
			require.ErrorContains(t, err, c.says)
			require.ErrorContains(t, err, "acme/widgets#42")
		})
	}
}

func TestCheckRunsThatDoNotAddUpFailClosed(t *testing.T) {
	t.Parallel()
	gh := newStub(t, func(w http.ResponseWriter, _ *http.Request) {
		reply(w, http.StatusOK, object{"total_count": 2, "check_runs": []any{object{"id": 1, "name": "evidence-gate", "app": object{"id": 77}}}})
	})
	_, err := gh.installation(t).CheckRuns(t.Context(), widgets, headSHA, "evidence-gate")
	require.Equal(t, Incomplete, KindOf(err))
}

func TestAPullRequestHasItsBounds(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		label string
		says  string
	}{
		"requests": {"x", "more than 300 requests"},
		"bytes":    {strings.Repeat("x", 1<<20), "over 64 MiB"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			n := 0
			gh := newStub(t, func(w http.ResponseWriter, _ *http.Request) {
				p := page(object{"name": c.label})
				p["pageInfo"] = object{"hasNextPage": true, "endCursor": fmt.Sprint(n)}
				if n++; n == 1 {
					reply(w, http.StatusOK, answerOf(with(func(pr object) { pr["labels"] = p })))
					return
				}
				reply(w, http.StatusOK, object{"data": object{"node": object{"page": p}}})
			})
			_, err := gh.installation(t).Snapshot(t.Context(), widgets, 42, LoadOptions{})
			require.Equal(t, TooLarge, KindOf(err))
			require.ErrorContains(t, err, c.says)
		})
	}
}

func TestAnotherAppsCheckRunIsNeverOurs(t *testing.T) {
	t.Parallel()
	run := func(id, app int) object {
		return object{"id": id, "name": "evidence-gate", "app": object{"id": app}}
	}
	gh := newStub(t, func(w http.ResponseWriter, _ *http.Request) { // a server that does not filter
		reply(w, http.StatusOK, object{"total_count": 3, "check_runs": []any{run(1, 78), run(2, 77), object{"id": 3, "name": "evidence-gate"}}})
	})
	runs, err := gh.installation(t).CheckRuns(t.Context(), widgets, headSHA, "evidence-gate")
	require.NoError(t, err)
	require.Len(t, runs, 1)
	require.EqualValues(t, 2, runs[0].ID)
}
