package github

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	keywords "github.com/evidence-gate/evidence-gate/internal/closing"
	"github.com/evidence-gate/evidence-gate/internal/githubtest"
	"github.com/evidence-gate/evidence-gate/snapshot"
)

// On a base that is not the default branch GitHub links no issue, so the body's closing keywords
// name the task (section 14, Loading).
func TestTasksByKeywordOnAnotherBase(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.repo.PushBranch("eng", "release/1", githubtest.Commit{})
	task := w.repo.AddIssue(githubtest.IssueOptions{Body: "## Required Checks\n"})
	note := w.repo.AddIssue(githubtest.IssueOptions{Body: "nothing"})
	second := w.repo.AddIssue(githubtest.IssueOptions{Body: "## Required Checks\n"})
	other := w.repo.OpenPullRequest(githubtest.PullRequestOptions{Author: "eng"})
	const own = "acme/widgets"
	link := func(number int, checks bool) snapshot.Linked {
		return snapshot.Linked{Repository: own, Number: number, Source: "keyword", Readable: true, HasChecks: checks}
	}
	for _, row := range []struct {
		about, body string
		base        string
		linked      []snapshot.Linked
		issue       int
	}{
		{"one", fmt.Sprintf("Closes #%d", task.Number()), "release/1", []snapshot.Linked{link(task.Number(), true)}, task.Number()},
		{"the one with checks counts", fmt.Sprintf("Closes #%d, fixes #%d", note.Number(), task.Number()), "release/1",
			[]snapshot.Linked{link(note.Number(), false), link(task.Number(), true)}, task.Number()},
		{"one issue written twice", fmt.Sprintf("Closes #%d, closes acme/widgets#%d", task.Number(), task.Number()), "release/1",
			[]snapshot.Linked{link(task.Number(), true)}, task.Number()},
		{"several with checks", fmt.Sprintf("Closes #%d, fixes #%d", second.Number(), task.Number()), "release/1",
			[]snapshot.Linked{link(second.Number(), true), link(task.Number(), true)}, 0},
		{"another repository", "Closes acme/other#3", "release/1", []snapshot.Linked{{Repository: "acme/other", Number: 3, Source: "keyword"}}, 0},
		{"no such issue is no silence", "Closes #4711", "release/1", []snapshot.Linked{{Repository: own, Number: 4711, Source: "keyword"}}, 0},
		{"a page of this GitHub", fmt.Sprintf("Closes https://github.com/acme/widgets/issues/%d", task.Number()), "release/1",
			[]snapshot.Linked{link(task.Number(), true)}, task.Number()},
		{"a page of another host is no link", fmt.Sprintf("Closes https://evil.example/acme/widgets/issues/%d", task.Number()), "release/1", nil, 0},
		{"a page of another host in front", fmt.Sprintf("Closes https://evil.example/acme/widgets/issues/%d, closes #%d", second.Number(), task.Number()), "release/1",
			[]snapshot.Linked{link(task.Number(), true)}, task.Number()},
		{"a number that no issue can have", "Closes #9999999999", "release/1", []snapshot.Linked{{Repository: own, Number: 9999999999, Source: "keyword"}}, 0},
		{"a pull request is no task", fmt.Sprintf("Closes #%d", other.Number()), "release/1", nil, 0},
		{"a pull request beside the task", fmt.Sprintf("Closes #%d, closes #%d", other.Number(), task.Number()), "release/1",
			[]snapshot.Linked{link(task.Number(), true)}, task.Number()},
		{"only live text", fmt.Sprintf("`Closes #%d`", task.Number()), "release/1", nil, 0},
		{"on the default branch GitHub's own word counts", fmt.Sprintf("Closes #%d", task.Number()), "main",
			[]snapshot.Linked{{Repository: own, Number: task.Number(), Source: "closing", Readable: true, HasChecks: true}}, task.Number()},
	} {
		pr := w.repo.OpenPullRequest(githubtest.PullRequestOptions{Author: "eng", Base: row.base, Body: row.body})
		s := w.load(t, pr)
		require.Equal(t, row.linked, s.Linked, row.about)
		if row.issue == 0 {
			require.Nil(t, s.Issue, row.about)
			continue
		}
		require.NotNil(t, s.Issue, row.about)
		require.Equal(t, row.issue, s.Issue.Number, row.about)
	}
}

// A task that was moved to another repository, or deleted, is named as unreadable, never silence.
func TestATaskThatMovedOrIsGone(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.repo.PushBranch("eng", "release/1", githubtest.Commit{})
	other := w.World().AddRepository("acme/other", githubtest.RepositoryOptions{})
	moved := w.repo.AddIssue(githubtest.IssueOptions{Body: "## Required Checks\n"})
	gone := w.repo.AddIssue(githubtest.IssueOptions{Body: "## Required Checks\n"})
	for name, number := range map[string]int{"moved": moved.Number(), "gone": gone.Number()} {
		pr := w.repo.OpenPullRequest(githubtest.PullRequestOptions{Author: "eng", Base: "release/1", Body: fmt.Sprintf("Closes #%d", number)})
		require.NotNil(t, w.load(t, pr).Issue, "%s: as long as it is there", name)
		if name == "moved" {
			moved.Transfer("lead", other)
		} else {
			gone.Delete("lead")
		}
		s := w.load(t, pr)
		require.Nil(t, s.Issue, name)
		require.Len(t, s.Linked, 1, name)
		require.False(t, s.Linked[0].Readable, name)
	}
}

// The host of a reference is compared with that of the pages that belong to the address.
func TestTheHostOfPages(t *testing.T) {
	t.Parallel()
	for address, want := range map[string]string{
		"https://api.github.com":               "github.com",
		"https://API.GitHub.com/":              "github.com",
		"https://api.tenant.ghe.com":           "tenant.ghe.com",
		"https://git.example.com/api/v3":       "git.example.com",
		"https://git.example.com:8443/api/v3/": "git.example.com:8443",
		"https://api.example.com":              "", // GitHub itself is asked
		"http://127.0.0.1:8080":                "",
	} {
		to, err := parseEndpoint(address, "")
		require.NoError(t, err)
		require.Equal(t, want, to.web(), address)
	}
	own := []snapshot.Linked{{Repository: "acme/widgets", Number: 3, Source: "keyword"}}
	for body, want := range map[string][]snapshot.Linked{
		"closes https://git.example.com/acme/widgets/issues/3":              own,
		"closes https://GIT.example.com/acme/widgets/issues/3":              own,
		"closes #3, closes https://git.example.com/ACME/widgets/issues/3":   own,
		"closes https://git.example.com:444/acme/widgets/issues/3":          nil,
		"closes https://git.example.com.evil.example/acme/widgets/issues/3": nil,
		"closes https://github.com/acme/widgets/issues/3":                   nil,
		"closes https://git.example.com@evil.example/acme/widgets/issues/3": nil,
		"closes https://evil.example/acme/other/issues/3":                   nil,
	} {
		references, _, err := keywords.References(body)
		require.NoError(t, err)
		require.Equal(t, want, named{own: widgets, web: "git.example.com"}.links(references), body)
	}
}

func TestAllNamedTasksAreReadByOneRequest(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.repo.PushBranch("eng", "release/1", githubtest.Commit{})
	var body strings.Builder
	for range 49 {
		fmt.Fprintf(&body, "closes #%d\n", w.repo.AddIssue(githubtest.IssueOptions{Body: "nothing"}).Number())
	}
	task := w.repo.AddIssue(githubtest.IssueOptions{Body: "## Required Checks\n"})
	fmt.Fprintf(&body, "closes #%d\n", task.Number())
	pr := w.repo.OpenPullRequest(githubtest.PullRequestOptions{Author: "eng", Base: "release/1", Body: body.String()})
	w.ForgetRequests()
	s := w.load(t, pr)
	require.Equal(t, task.Number(), s.Issue.Number)
	require.Len(t, s.Linked, 50)
	require.Equal(t, 1, w.CountRequests(githubtest.Match{Operation: "Tasks"}))
	require.Zero(t, w.CountRequests(githubtest.Match{Operation: "Task"}))
	require.Empty(t, s.Unavailable)

	// The one that counts is read to its end.
	const many = 7
	for i := range many {
		task.Comment("eng", fmt.Sprintf("comment %d", i))
		task.EditBody("lead", fmt.Sprintf("## Required Checks\nedit %d", i))
	}
	s = w.load(t, pr)
	require.Empty(t, s.Unavailable)
	require.Len(t, s.Issue.Comments, many)
	require.Equal(t, "comment 6", s.Issue.Comments[many-1].Body)
	require.Len(t, s.Issue.Revisions, many+1)

	pr.EditBody("eng", body.String()+"closes #4711\n")
	s = w.load(t, pr)
	require.Len(t, s.Unavailable, 1, "what is not read any more is no silence")
	require.Equal(t, "issue", s.Unavailable[0].Fact)
	require.Contains(t, s.Unavailable[0].Reason, "more than 50 issues")
}

func TestNamedTasksCountInTheBounds(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	task := w.repo.AddIssue(githubtest.IssueOptions{Body: strings.Repeat("x", 5000)})
	l := &loading{client: w.client, doing: "test"}
	read, err := l.tasks(t.Context(), widgets, []int{task.Number(), 4711})
	require.NoError(t, err)
	require.Len(t, read.issues, 1)
	require.Equal(t, 1, l.requests)
	require.Greater(t, l.bytes, 5000)
	_, err = l.task(t.Context(), widgets, task.Number())
	require.NoError(t, err)
	require.Equal(t, 2, l.requests)
	l.requests = mostRequests
	_, err = l.tasks(t.Context(), widgets, []int{task.Number()})
	require.Equal(t, TooLarge, KindOf(err))
	l.requests = mostRequests
	_, err = l.lost(t.Context(), widgets, []snapshot.Linked{{Repository: "acme/widgets", Number: 1}})
	require.Equal(t, TooLarge, KindOf(err))
}

// On the default branch GitHub's own word counts. Where it links nothing, a task that the body names
// and that is not there any more is unreadable, not missing.
func TestTasksThatGitHubDoesNotLinkAnyMore(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	other := w.World().AddRepository("acme/other", githubtest.RepositoryOptions{})
	add := func() *githubtest.Issue {
		return w.repo.AddIssue(githubtest.IssueOptions{Body: "## Required Checks\n"})
	}
	moved, gone, there := add(), add(), add()
	pull := w.repo.OpenPullRequest(githubtest.PullRequestOptions{Author: "eng"})
	hidden, secret := add(), w.World().AddRepository("acme/secret", githubtest.RepositoryOptions{NotInstalled: true})
	unreadable := func(number int) []snapshot.Linked {
		return []snapshot.Linked{{Repository: "acme/widgets", Number: number, Source: "keyword"}}
	}
	for _, row := range []struct {
		about, body string
		happens     func(*githubtest.PullRequest)
		want        []snapshot.Linked
	}{
		{"moved", fmt.Sprintf("Closes #%d", moved.Number()), func(*githubtest.PullRequest) { moved.Transfer("lead", other) },
			[]snapshot.Linked{{Repository: "acme/other", Number: 1, Source: "keyword"}}},
		{"moved out of sight", fmt.Sprintf("Closes #%d", hidden.Number()), func(*githubtest.PullRequest) { hidden.Transfer("lead", secret) }, unreadable(hidden.Number())},
		{"deleted", fmt.Sprintf("Closes #%d", gone.Number()), func(*githubtest.PullRequest) { gone.Delete("lead") }, unreadable(gone.Number())},
		{"never there", "Closes #4711", nil, unreadable(4711)},
		{"in a repository that is hidden", "Closes acme/secret#3", nil, []snapshot.Linked{{Repository: "acme/secret", Number: 3, Source: "keyword"}}},
		{"a page of another host", fmt.Sprintf("Closes https://evil.example/acme/widgets/issues/%d", gone.Number()), nil, nil},
		{"a pull request", fmt.Sprintf("Closes #%d", pull.Number()), nil, nil},
		{"no keyword", fmt.Sprintf("See #%d", gone.Number()), nil, nil},
		{"linked", fmt.Sprintf("Closes #%d", there.Number()), nil,
			[]snapshot.Linked{{Repository: "acme/widgets", Number: there.Number(), Source: "closing", Readable: true, HasChecks: true}}},
	} {
		pr := w.repo.OpenPullRequest(githubtest.PullRequestOptions{Author: "eng", Body: row.body})
		if row.happens != nil {
			require.NotNil(t, w.load(t, pr).Issue, "%s: as long as it is there", row.about)
			row.happens(pr)
		}
		s := w.load(t, pr)
		require.Equal(t, row.want, s.Linked, row.about)
		require.Equal(t, row.about == "linked", s.Issue != nil, row.about)
		require.Empty(t, s.Unavailable, row.about)
	}
}

// What GitHub answers of an issue by its number when it links none.
func TestWhereALostTaskIs(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		answer func(w http.ResponseWriter)
		want   []snapshot.Linked
		kind   Kind
	}{
		"moved, and followed": {func(w http.ResponseWriter) {
			w.Header().Set("Location", "/repositories/77/issues/9")
			reply(w, http.StatusMovedPermanently, message("Moved Permanently"))
		}, []snapshot.Linked{{Repository: "acme/other", Number: 9, Source: "keyword"}}, ""},
		"moved out of sight": {func(w http.ResponseWriter) { reply(w, http.StatusNotFound, message("Not Found")) },
			[]snapshot.Linked{{Repository: "acme/widgets", Number: 7, Source: "keyword"}}, ""},
		"deleted": {func(w http.ResponseWriter) { reply(w, http.StatusGone, message("This issue was deleted")) },
			[]snapshot.Linked{{Repository: "acme/widgets", Number: 7, Source: "keyword"}}, ""},
		"withheld": {func(w http.ResponseWriter) {
			reply(w, http.StatusForbidden, message("Resource not accessible by integration"))
		}, []snapshot.Linked{{Repository: "acme/widgets", Number: 7, Source: "keyword"}}, ""},
		"there, and not linked yet": {func(w http.ResponseWriter) {
			reply(w, http.StatusOK, object{"number": 7, "repository_url": "https://api.github.com/repos/Acme/Widgets"})
		}, nil, ""},
		"GitHub is down": {func(w http.ResponseWriter) { reply(w, http.StatusBadGateway, message("")) }, nil, Unavailable},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			gh := newStub(t, func(w http.ResponseWriter, r *http.Request) {
				switch {
				case r.URL.Path == "/repos/acme/widgets/issues/7":
					c.answer(w)
				case r.URL.Path == "/repositories/77/issues/9":
					reply(w, http.StatusOK, object{"number": 9, "repository_url": "https://api.github.com/repos/acme/other"})
				default:
					t.Errorf("unexpected request for %s", r.URL.Path)
				}
			})
			l := &loading{client: gh.installation(t), doing: "test"}
			found, err := l.lost(t.Context(), widgets, []snapshot.Linked{{Repository: "acme/widgets", Number: 7, Source: "keyword"}})
			require.Equal(t, c.kind, KindOf(err))
			require.Equal(t, c.want, found)
		})
	}
}

// A GitHub whose GraphQL follows moved issues says itself where they are.
func TestAMovedTaskByGraphQL(t *testing.T) {
	t.Parallel()
	pr := with(func(pr object) { pr["baseRefName"], pr["body"] = "dev", "Closes #7" })
	first := answerOf(pr)
	s, err := load(t, map[string]object{"PullRequest": first, "Tasks": {"data": object{"repository": object{
		"nameWithOwner": "acme/widgets", "url": "https://github.com/acme/widgets", "task_7": issueData("acme/other", 9, "## Required Checks\n"), "pull_7": nil,
	}}}}, LoadOptions{})
	require.NoError(t, err)
	require.Equal(t, []snapshot.Linked{{Repository: "acme/other", Number: 9, Source: "keyword"}}, s.Linked)
	require.Nil(t, s.Issue)
}
