package github

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/stretchr/testify/require"

	"github.com/evidence-gate/evidence-gate/internal/githubtest"
	"github.com/evidence-gate/evidence-gate/snapshot"
)

// world is the simulator with one repository and the App installed on it.
type world struct {
	*githubtest.Server
	clock  *githubtest.Clock
	repo   *githubtest.Repository
	app    *App
	client *Client
}

func newWorld(t *testing.T) *world {
	t.Helper()
	clock := githubtest.NewClock(time.Now().Truncate(time.Second))
	w := &world{Server: githubtest.NewT(t, githubtest.Options{Clock: clock.Now}), clock: clock}
	w.repo = w.World().AddRepository("acme/widgets", githubtest.RepositoryOptions{})
	app, err := NewApp(AppConfig{ID: w.App().ID, PrivateKey: w.App().PrivateKey, BaseURL: w.URL(), Now: clock.Now})
	require.NoError(t, err)
	w.app = app
	id, err := app.InstallationFor(t.Context(), widgets)
	require.NoError(t, err)
	w.client, err = app.Installation(id)
	require.NoError(t, err)
	return w
}

func (w *world) load(t *testing.T, pr *githubtest.PullRequest) snapshot.Snapshot {
	t.Helper()
	s, err := w.client.Snapshot(t.Context(), widgets, pr.Number(), LoadOptions{App: w.App().Slug, HasChecks: hasChecks})
	require.NoError(t, err)
	return s
}

func hasChecks(body string) bool { return strings.Contains(body, "## Required Checks") }

func (w *world) stamp() string { return w.clock.Now().UTC().Format(time.RFC3339) }

func user(login string) *snapshot.Actor { return &snapshot.Actor{Login: login, Type: "User"} }

func member(login, role string) *snapshot.Actor {
	return &snapshot.Actor{Login: login, Type: "User", Permission: role}
}

func TestASnapshotOfAPullRequest(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.repo.SetRole("eng", "write")
	w.repo.SetRole("lead", "maintain")
	const checks = "## Required Checks\n\n- [RC-1] `npm test`\n"
	issue := w.repo.AddIssue(githubtest.IssueOptions{Author: "lead", Title: "Dark mode", Body: checks, Labels: []string{"ui"}})
	issueAt := w.stamp()
	note := issue.Comment("eng", "first")
	w.clock.Advance(time.Minute)
	note.Edit("eng", "second")
	edited := w.stamp()
	w.clock.Advance(time.Minute)
	body := fmt.Sprintf("Closes #%d\n", issue.Number())
	pr := w.repo.OpenPullRequest(githubtest.PullRequestOptions{
		Author: "eng", Title: "Add dark mode", Body: body, Labels: []string{"docs"}, Draft: true,
		Commits: []githubtest.Commit{{Authors: []string{"eng", "pair", "who@example.com"}, Committer: "web-flow"}},
	})
	opened := w.stamp()
	w.clock.Advance(time.Minute)
	pr.EditBody("lead", body+"## Evidence\n")
	rewritten := w.stamp()
	talk := pr.Comment("dependabot[bot]", "hello")
	pr.Review(githubtest.ReviewOptions{Author: "lead", State: "approved", Body: "fine"})
	run := githubtest.CheckRunOptions{SHA: pr.HeadSHA(), Name: "test", Workflow: "ci", Conclusion: "failure", DetailsURL: "https://ci.example.com/1"}
	run.StartedAt, run.CompletedAt = w.clock.Now(), w.clock.Now()
	w.repo.AddCheckRun(run)
	w.repo.AddStatus(githubtest.StatusOptions{SHA: pr.HeadSHA(), Context: "ci/legacy", Creator: "ci[bot]", TargetURL: "https://ci.example.com/2"})
	w.ForgetRequests()

	s := w.load(t, pr)
	require.Equal(t, 1, w.CountRequests(githubtest.Match{Operation: "PullRequest"}))
	at := w.stamp()
	one := 1
	require.Equal(t, snapshot.Snapshot{
		Schema: 1, Now: at, App: w.App().Slug,
		Repository: snapshot.Repository{ID: w.repo.ID(), Owner: "acme", Name: "widgets", DefaultBranch: "main", Private: true, Maintainers: 1},
		PullRequest: snapshot.PullRequest{
			Number: pr.Number(), Title: "Add dark mode", Body: new(body + "## Evidence\n"), State: "open", Draft: true,
			Author: member("eng", "write"), HeadSHA: pr.HeadSHA(), BaseSHA: w.repo.Branch("main"), BaseRef: "main", CreatedAt: opened,
			ChangedFiles: &one, ChangedPaths: []string{"src/main.go"},
			Labels:  []snapshot.Label{{Name: "docs", By: member("eng", "write")}},
			Commits: []snapshot.Commit{{SHA: pr.HeadSHA(), Authors: []*string{new("eng"), new("pair"), nil}, CommittedAt: opened}},
			Revisions: []snapshot.Revision{
				{Editor: member("eng", "write"), EditedAt: opened, Body: &body},
				{Editor: member("lead", "maintain"), EditedAt: rewritten, Body: new(body + "## Evidence\n")},
			},
		},
		Linked: []snapshot.Linked{{Repository: "acme/widgets", Number: issue.Number(), Source: "closing", Readable: true, HasChecks: true}},
		Issue: &snapshot.Issue{
			Number: issue.Number(), Title: "Dark mode", Body: new(checks), Author: member("lead", "maintain"), Labels: []string{"ui"},
			Revisions: []snapshot.Revision{{Editor: member("lead", "maintain"), EditedAt: issueAt, Body: new(checks)}},
			Comments: []snapshot.Comment{{
				ID: note.ID(), Author: member("eng", "write"), Body: "second", CreatedAt: issueAt, UpdatedAt: edited,
				Revisions: []snapshot.Revision{
					{Editor: member("eng", "write"), EditedAt: issueAt, Body: new("first")},
					{Editor: member("eng", "write"), EditedAt: edited, Body: new("second")},
				},
			}},
		},
		Comments: []snapshot.Comment{{
			ID: talk.ID(), Author: &snapshot.Actor{Login: "dependabot[bot]", Type: "Bot"}, Body: "hello", CreatedAt: rewritten, UpdatedAt: rewritten,
			Revisions: []snapshot.Revision{{Editor: &snapshot.Actor{Login: "dependabot[bot]", Type: "Bot"}, EditedAt: rewritten, Body: new("hello")}},
		}},
		Reviews: []snapshot.Review{{Author: member("lead", "maintain"), State: "approved", CommitSHA: pr.HeadSHA(), SubmittedAt: rewritten, Body: "fine"}},
		StatusChecks: []snapshot.StatusCheck{
			{Name: "test", App: "github-actions", Workflow: "ci", Status: "completed", Conclusion: new("failure"), StartedAt: &at, CompletedAt: &at, URL: "https://ci.example.com/1"},
			{Context: "ci/legacy", State: "success", Creator: "ci[bot]", CreatedAt: at, URL: "https://ci.example.com/2"},
		},
	}, s)
}

func TestEveryListIsReadToItsEnd(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	issue := w.repo.AddIssue(githubtest.IssueOptions{Body: "## Required Checks\n"})
	coauthors := []string{"eng"}
	for i := range 44 {
		coauthors = append(coauthors, fmt.Sprintf("pair-%d", i))
	}
	pr := w.repo.OpenPullRequest(githubtest.PullRequestOptions{
		Author: "eng", Body: fmt.Sprintf("Closes #%d", issue.Number()), Commits: []githubtest.Commit{{Authors: coauthors}},
	})
	const many = 205
	for range many - 1 {
		pr.Push("eng", githubtest.Commit{})
	}
	busy := issue.Comment("eng", "edit 0")
	for i := range many {
		pr.AddLabel("lead", fmt.Sprintf("label-%d", i))
		issue.AddLabel("lead", fmt.Sprintf("label-%d", i))
		pr.EditBody("eng", fmt.Sprintf("Closes #%d, edit %d", issue.Number(), i))
		issue.EditBody("lead", fmt.Sprintf("## Required Checks\nedit %d", i))
		pr.Comment("eng", fmt.Sprintf("comment %d", i))
		issue.Comment("eng", fmt.Sprintf("comment %d", i))
		busy.Edit("eng", fmt.Sprintf("edit %d", i+1))
		pr.Review(githubtest.ReviewOptions{Author: "lead", Body: fmt.Sprintf("review %d", i)})
		w.repo.AddStatus(githubtest.StatusOptions{SHA: pr.HeadSHA(), Context: fmt.Sprintf("status-%d", i)})
		w.repo.AddCheckRun(githubtest.CheckRunOptions{SHA: pr.HeadSHA(), Name: fmt.Sprintf("run-%d", i)})
	}

	s := w.load(t, pr)
	require.Empty(t, s.Unavailable)
	require.Len(t, s.PullRequest.Labels, many)
	require.Len(t, s.PullRequest.Commits, many)
	require.Len(t, s.PullRequest.Commits[0].Authors, 45)
	require.Len(t, s.PullRequest.Revisions, many+1)
	require.Equal(t, s.PullRequest.Body, s.PullRequest.Revisions[many].Body)
	require.Len(t, s.Comments, many)
	require.Equal(t, "comment 204", s.Comments[204].Body)
	require.Len(t, s.Reviews, many)
	require.Len(t, s.StatusChecks, 2*many)
	require.Len(t, s.Issue.Labels, many)
	require.Len(t, s.Issue.Revisions, many+1)
	require.Len(t, s.Issue.Comments, many+1)
	for i, r := range s.Issue.Comments[0].Revisions {
		require.Equal(t, fmt.Sprintf("edit %d", i), *r.Body, "oldest first, across pages")
	}
	require.Len(t, s.Issue.Comments[0].Revisions, many+1)
}

func TestMoreLinkedTasksThanOnePage(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	pr := w.repo.OpenPullRequest(githubtest.PullRequestOptions{Author: "eng"})
	for i := range 8 {
		body := "nothing"
		if i == 7 {
			body = "## Required Checks\n"
		}
		pr.LinkIssue(w.repo.AddIssue(githubtest.IssueOptions{Body: body}))
	}
	s := w.load(t, pr)
	require.Len(t, s.Linked, 8)
	require.Equal(t, s.Linked[7].Number, s.Issue.Number, "of several, the one with required checks")
}

func TestATaskOfAnotherRepository(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	readable := w.World().AddRepository("acme/other", githubtest.RepositoryOptions{})
	hidden := w.World().AddRepository("acme/secret", githubtest.RepositoryOptions{NotInstalled: true})
	for name, repo := range map[string]*githubtest.Repository{"readable": readable, "hidden": hidden} {
		issue := repo.AddIssue(githubtest.IssueOptions{Body: "## Required Checks\n"})
		pr := w.repo.OpenPullRequest(githubtest.PullRequestOptions{Author: "eng"})
		pr.LinkIssue(issue)
		s := w.load(t, pr)
		require.Nil(t, s.Issue, name)
		require.Len(t, s.Linked, 1, "%s: never silence", name)
		require.False(t, s.Linked[0].Readable, name)
		require.NotZero(t, s.Linked[0].Number, name)
	}
}

func TestADeletedForkAndDeletedAccounts(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	pr := w.repo.OpenPullRequest(githubtest.PullRequestOptions{Author: "gone", Fork: "gone", Body: "text"})
	pr.Comment("gone", "hello")
	pr.Review(githubtest.ReviewOptions{Author: "gone"})
	w.World().Repository("gone/widgets").Delete()
	w.World().DeleteAccount("gone")
	s := w.load(t, pr)
	require.True(t, s.PullRequest.Fork)
	require.Equal(t, pr.HeadSHA(), s.PullRequest.HeadSHA)
	require.Nil(t, s.PullRequest.Author)
	require.Nil(t, s.Comments[0].Author)
	require.Nil(t, s.Reviews[0].Author)
	require.Equal(t, []*string{nil}, s.PullRequest.Commits[0].Authors)
}

func TestErasedAndHiddenRevisions(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	issue := w.repo.AddIssue(githubtest.IssueOptions{Author: "lead", Body: "## Required Checks\na"})
	issue.EditBody("lead", "## Required Checks\nb")
	pr := w.repo.OpenPullRequest(githubtest.PullRequestOptions{Author: "eng", Body: fmt.Sprintf("Closes #%d secret", issue.Number())})
	pr.EditBody("eng", fmt.Sprintf("Closes #%d", issue.Number()))
	pr.EraseRevision("lead", 0)
	s := w.load(t, pr)
	require.Empty(t, s.Unavailable)
	require.True(t, s.PullRequest.Revisions[0].Erased)
	require.Nil(t, s.PullRequest.Revisions[0].Body)
	require.Equal(t, s.PullRequest.Body, s.PullRequest.Revisions[1].Body)

	w.repo.SetRole("reader", "read")
	w.World().AddUserToken("ghp_reader", "reader")
	reader, err := NewTokenClient(TokenConfig{Token: "ghp_reader", BaseURL: w.URL()})
	require.NoError(t, err)
	s, err = reader.Snapshot(t.Context(), widgets, pr.Number(), LoadOptions{})
	require.NoError(t, err)
	require.Len(t, s.Unavailable, 2)
	require.Equal(t, snapshot.Unavailable{Fact: "issue.revisions", Reason: unreadableHistory}, s.Unavailable[0])
	require.Equal(t, "permissions", s.Unavailable[1].Fact, "who wrote the contract counts")
	require.Nil(t, s.Issue.Revisions[0].Body)
	require.False(t, s.Issue.Revisions[0].Erased)
	require.Equal(t, s.Issue.Body, s.Issue.Revisions[1].Body)
}

func TestAPermissionThatIsMissingIsNamed(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	issue := w.repo.AddIssue(githubtest.IssueOptions{Body: "## Required Checks\n"})
	pr := w.repo.OpenPullRequest(githubtest.PullRequestOptions{Author: "eng", Body: fmt.Sprintf("Closes #%d", issue.Number())})
	w.repo.AddCheckRun(githubtest.CheckRunOptions{SHA: pr.HeadSHA(), Name: "test", Workflow: "ci"})
	installation := w.World().Installation("acme")
	for _, c := range []struct{ permission, fact, says string }{
		{"checks", "status_checks", "checks: read and commit statuses: read"},
		{"statuses", "status_checks", "checks: read and commit statuses: read"},
		{"issues", "issue", "issues: read"},
		{"actions", "status_checks", "actions: read"},
		{"contents", "", "contents: read"},
		{"pull_requests", "", "pull requests: read"},
	} {
		installation.SetPermission(c.permission, "")
		s, err := w.client.Snapshot(t.Context(), widgets, pr.Number(), LoadOptions{HasChecks: hasChecks})
		if c.fact == "" {
			require.Equal(t, Forbidden, KindOf(err), "%s: %v", c.permission, err)
			require.ErrorContains(t, err, fmt.Sprintf("grant the App %q", c.says))
		} else {
			require.NoError(t, err, c.permission)
			require.Len(t, s.Unavailable, 1, c.permission)
			require.Equal(t, c.fact, s.Unavailable[0].Fact, c.permission)
			require.Contains(t, s.Unavailable[0].Reason, c.says)
			require.Equal(t, c.fact != "issue", s.Linked[0].Readable, c.permission)
		}
		installation.SetPermission(c.permission, "write")
	}
	require.Empty(t, w.load(t, pr).Unavailable)

	installation.SetPermission("checks", "read")
	_, err := w.client.CreateCheckRun(t.Context(), widgets, CheckRun{Name: "evidence-gate", HeadSHA: pr.HeadSHA()})
	require.Equal(t, Forbidden, KindOf(err))
	require.ErrorContains(t, err, `grant the App "checks: write"`)
}

func TestNoSuchPullRequest(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	_, err := w.client.Snapshot(t.Context(), widgets, 4711, LoadOptions{})
	require.Equal(t, NotFound, KindOf(err))
	_, err = w.client.Snapshot(t.Context(), Repo{"acme", "nowhere"}, 1, LoadOptions{})
	require.Equal(t, NotFound, KindOf(err))
	_, err = w.app.InstallationFor(t.Context(), Repo{"acme", "nowhere"})
	require.Equal(t, NotFound, KindOf(err))
}

func TestPullRequestsOfAnIssue(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	issue := w.repo.AddIssue(githubtest.IssueOptions{})
	other := w.World().AddRepository("acme/other", githubtest.RepositoryOptions{})
	body := fmt.Sprintf("Closes acme/widgets#%d", issue.Number())
	var want []int
	for range 103 {
		want = append(want, w.repo.OpenPullRequest(githubtest.PullRequestOptions{Author: "eng", Body: body}).Number())
	}
	w.repo.OpenPullRequest(githubtest.PullRequestOptions{Author: "eng", Body: body}).Close("eng")
	other.OpenPullRequest(githubtest.PullRequestOptions{Author: "eng", Body: body})
	numbers, err := w.client.PullRequestsClosing(t.Context(), widgets, issue.Number())
	require.NoError(t, err)
	require.Equal(t, want, numbers)
	_, err = w.client.PullRequestsClosing(t.Context(), widgets, 4711)
	require.Equal(t, NotFound, KindOf(err))
}

func TestPullRequestsOfAHead(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	own := w.repo.OpenPullRequest(githubtest.PullRequestOptions{Author: "eng"})
	first := own.HeadSHA()
	own.Push("eng", githubtest.Commit{})
	fork := w.repo.OpenPullRequest(githubtest.PullRequestOptions{Author: "stranger", Fork: "stranger"})
	closed := w.repo.OpenPullRequest(githubtest.PullRequestOptions{Author: "eng"})
	closed.Close("eng")
	for range 101 {
		w.repo.OpenPullRequest(githubtest.PullRequestOptions{Author: "eng"})
	}
	for name, c := range map[string]struct {
		sha  string
		want []int
	}{
		"a branch of the repository": {own.HeadSHA(), []int{own.Number()}},
		"a fork":                     {fork.HeadSHA(), []int{fork.Number()}},
		"a commit that is no head":   {first, nil},
		"a closed pull request":      {closed.HeadSHA(), nil},
		"a commit that nobody knows": {strings.Repeat("f", 40), nil},
	} {
		numbers, err := w.client.PullRequestsByHead(t.Context(), widgets, c.sha)
		require.NoError(t, err, name)
		require.Equal(t, c.want, numbers, name)
	}
	heads, err := w.client.OpenPullRequests(t.Context(), widgets)
	require.NoError(t, err)
	require.Len(t, heads, 103)
	require.Equal(t, fork.HeadSHA(), heads[fork.Number()])
}

func TestTheAppsReach(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for i := range 101 {
		w.World().AddRepository(fmt.Sprintf("acme/r%d", i), githubtest.RepositoryOptions{})
	}
	w.World().AddRepository("globex/one", githubtest.RepositoryOptions{})
	w.World().Installation("globex").Suspend()
	slug, err := w.app.Slug(t.Context())
	require.NoError(t, err)
	require.Equal(t, w.App().Slug, slug)
	all, err := w.app.Installations(t.Context())
	require.NoError(t, err)
	require.Equal(t, []Installation{
		{ID: w.World().Installation("acme").ID(), Account: "acme"},
		{ID: w.World().Installation("globex").ID(), Account: "globex", Suspended: true},
	}, all)
	repos, err := w.client.Repositories(t.Context())
	require.NoError(t, err)
	require.Len(t, repos, 102)
	require.Contains(t, repos, Repo{"acme", "r100"})

	suspended, err := w.app.Installation(w.World().Installation("globex").ID())
	require.NoError(t, err)
	_, err = suspended.Snapshot(t.Context(), Repo{"globex", "one"}, 1, LoadOptions{})
	require.Equal(t, Suspended, KindOf(err))
}

func TestARevokedTokenIsReplaced(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	pr := w.repo.OpenPullRequest(githubtest.PullRequestOptions{Author: "eng"})
	w.load(t, pr)
	w.World().Installation("acme").Revoke()
	w.load(t, pr)
	require.Equal(t, 3, w.CountRequests(githubtest.Match{Path: "/graphql"}), "one before, one refused, one again")
	require.Equal(t, 2, w.CountRequests(githubtest.Match{Path: "/app/installations/*/access_tokens"}))
}

func TestCheckRunsAreListedToTheEnd(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	pr := w.repo.OpenPullRequest(githubtest.PullRequestOptions{Author: "eng"})
	w.repo.AddCheckRun(githubtest.CheckRunOptions{SHA: pr.HeadSHA(), Name: "evidence-gate", App: "impostor"})
	var last CheckRun
	for range 101 {
		made, err := w.client.CreateCheckRun(t.Context(), widgets, CheckRun{Name: "evidence-gate", HeadSHA: pr.HeadSHA(), Status: "queued"})
		require.NoError(t, err)
		last = made
	}
	_, err := w.client.CreateCheckRun(t.Context(), widgets, CheckRun{Name: "evidence-gate/post-merge", HeadSHA: pr.HeadSHA()})
	require.NoError(t, err)
	last.Status, last.Conclusion, last.Title, last.Summary, last.ExternalID = "completed", "success", "Fine", "All fine", "sha256:1"
	changed, err := w.client.UpdateCheckRun(t.Context(), widgets, last)
	require.NoError(t, err)
	require.Equal(t, last.ID, changed.ID)

	runs, err := w.client.CheckRuns(t.Context(), widgets, pr.HeadSHA(), "evidence-gate")
	require.NoError(t, err)
	require.Len(t, runs, 101, "this App's own of that name, older ones too")
	require.Contains(t, runs, changed)
	require.Equal(t, w.App().Slug, changed.App)
	require.Equal(t, pr.HeadSHA(), changed.HeadSHA)
}

func TestASnapshotFitsTheSchema(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	schema, err := jsonschema.NewCompiler().Compile("../../schema/snapshot.schema.json")
	require.NoError(t, err)
	issue := w.repo.AddIssue(githubtest.IssueOptions{Body: "## Required Checks\n"})
	issue.Comment("dependabot[bot]", "hello")
	pr := w.repo.OpenPullRequest(githubtest.PullRequestOptions{Author: "gone", Fork: "gone", Body: fmt.Sprintf("Closes #%d", issue.Number())})
	pr.Review(githubtest.ReviewOptions{Author: "gone", State: "changes_requested"})
	w.repo.AddCheckRun(githubtest.CheckRunOptions{SHA: pr.HeadSHA(), Name: "test", Status: "in_progress"})
	w.repo.AddStatus(githubtest.StatusOptions{SHA: pr.HeadSHA(), Context: "ci", State: "pending"})
	w.World().DeleteAccount("gone")
	for _, permission := range []string{"", "write"} {
		w.World().Installation("acme").SetPermission("issues", permission)
		text, err := json.Marshal(w.load(t, pr))
		require.NoError(t, err)
		value, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
		require.NoError(t, err)
		require.NoError(t, schema.Validate(value), string(text))
	}
}
