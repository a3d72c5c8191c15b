package githubtest_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/evidence-gate/evidence-gate/internal/github"
	"github.com/evidence-gate/evidence-gate/internal/githubtest"
	"github.com/evidence-gate/evidence-gate/snapshot"
)

const (
	caseHead = "3f9c1a7be2d84065c1b7a9e0d3f4628517ab90cd"
	caseBase = "51d0c3a94be7720f6a18e9c4d35b86fa02c7e91d"
)

func actor(login, kind string) *snapshot.Actor {
	return &snapshot.Actor{Login: login, Type: kind, Permission: "write", Teams: []string{"core"}}
}

// rich has a value in every member that a GitHub can show.
func rich() snapshot.Snapshot {
	created, edited := "2026-11-20T08:00:00Z", "2026-11-21T08:00:00Z"
	body, earlier := "Closes #7\n", "Closes #7, soon\n"
	return snapshot.Snapshot{
		Schema: 1, Now: "2026-11-30T10:00:00Z", App: "evidence-gate",
		Repository: snapshot.Repository{Owner: "acme", Name: "widgets", DefaultBranch: "trunk", Maintainers: 2},
		PullRequest: snapshot.PullRequest{
			Number: 42, Title: "Tidy", Body: &body, State: "open", Draft: true, Fork: true, Author: actor("eng", "User"),
			HeadSHA: caseHead, BaseSHA: caseBase, BaseRef: "trunk", CreatedAt: created, PushedAt: edited,
			ChangedFiles: new(3), ChangedPaths: []string{"a.js", "b.js"}, Labels: []snapshot.Label{{Name: "docs", By: actor("lead", "User")}},
			Commits: []snapshot.Commit{
				{SHA: caseBase[1:] + "0", Authors: []*string{new("pair"), nil}, CommittedAt: created},
				{SHA: caseHead, Authors: []*string{new("eng")}, CommittedAt: edited},
			},
			Revisions: []snapshot.Revision{
				{Editor: actor("eng", "User"), EditedAt: created, Body: &earlier},
				{Editor: nil, EditedAt: edited, Body: &body},
			},
		},
		Issue: &snapshot.Issue{
			Number: 7, Title: "T-7", Body: new("## Required Checks\n"), Author: nil, Labels: []string{"ui"},
			Revisions: []snapshot.Revision{
				{Editor: actor("lead", "User"), EditedAt: created, Erased: true},
				{Editor: actor("tool[bot]", "Bot"), EditedAt: edited, Body: new("## Required Checks\n")},
			},
			Comments: []snapshot.Comment{{ID: 11, Author: actor("tool[bot]", "Bot"), Body: "a", CreatedAt: created, UpdatedAt: edited}},
		},
		Comments: []snapshot.Comment{{ID: 12, Author: nil, Body: "b", CreatedAt: created, UpdatedAt: created}},
		Reviews:  []snapshot.Review{{Author: actor("lead", "User"), State: "approved", CommitSHA: caseHead, SubmittedAt: edited, Body: "fine"}},
		StatusChecks: []snapshot.StatusCheck{
			{Name: "test", App: "github-actions", Workflow: "ci", Status: "completed", Conclusion: new("success"), StartedAt: &created, CompletedAt: &edited},
			{Name: "test", App: "github-actions", Workflow: "ci", Status: "in_progress", StartedAt: &edited, URL: "https://ci.example.com/1"},
			{Context: "ci/legacy", State: "pending", Creator: "ci-bot"},
		},
		References: &snapshot.References{Decisions: []string{"D-1"}},
		Memory:     &snapshot.Memory{},
	}
}

// What Show says that a loader can know is what the loader comes to.
func TestShowIsWhatTheLoaderReads(t *testing.T) {
	t.Parallel()
	for name, change := range map[string]func(*snapshot.Snapshot){
		"rich":                      func(*snapshot.Snapshot) {},
		"merged":                    func(s *snapshot.Snapshot) { s.PullRequest.State = "merged" },
		"closed":                    func(s *snapshot.Snapshot) { s.PullRequest.State = "closed" },
		"no task":                   func(s *snapshot.Snapshot) { s.Issue = nil },
		"linked by hand":            func(s *snapshot.Snapshot) { s.PullRequest.Body, s.PullRequest.Revisions = new("text"), nil },
		"task with a larger number": func(s *snapshot.Snapshot) { s.Issue.Number = 77 },
		"deleted author":            func(s *snapshot.Snapshot) { s.PullRequest.Author, s.PullRequest.Fork = nil, false },
		"nothing changed":           func(s *snapshot.Snapshot) { s.PullRequest.ChangedFiles = new(0) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			clock := githubtest.NewClock(time.Date(2026, 11, 30, 10, 0, 0, 0, time.UTC))
			gh := githubtest.NewT(t, githubtest.Options{Clock: clock.Now})
			s := rich()
			change(&s)
			pr, known, err := gh.World().Show(s)
			require.NoError(t, err)
			require.Equal(t, s.PullRequest.Number, pr.Number())
			gh.World().AddWorkflowToken("ghs_job", pr.Repository(), map[string]string{
				"actions": "read", "checks": "read", "contents": "read", "issues": "write", "pull_requests": "write", "statuses": "read",
			})
			client, err := github.NewTokenClient(github.TokenConfig{Token: "ghs_job", BaseURL: gh.URL(), Now: clock.Now})
			require.NoError(t, err)
			loaded, err := client.Snapshot(t.Context(), github.Repo{Owner: "acme", Name: "widgets"}, pr.Number(), github.LoadOptions{App: "evidence-gate"})
			require.NoError(t, err)
			loaded.Linked = nil
			require.Equal(t, known, loaded)
		})
	}
}

func TestShowLeavesTheCaseAsItWas(t *testing.T) {
	t.Parallel()
	s := rich()
	_, _, err := githubtest.NewT(t).World().Show(s)
	require.NoError(t, err)
	require.Equal(t, rich(), s)
}

func TestShowNamesWhatNoGitHubShows(t *testing.T) {
	t.Parallel()
	for name, change := range map[string]func(*snapshot.Snapshot){
		"policy":       func(s *snapshot.Snapshot) { s.Policy = &snapshot.File{} },
		"profile":      func(s *snapshot.Snapshot) { s.Profile = &snapshot.File{} },
		"memory":       func(s *snapshot.Snapshot) { s.Memory.Contract = &snapshot.RememberedContract{} },
		"actions":      func(s *snapshot.Snapshot) { s.Actions = []snapshot.Action{{}} },
		"attestations": func(s *snapshot.Snapshot) { s.Attestations = []snapshot.Attestation{{}} },
		"url_checks":   func(s *snapshot.Snapshot) { s.URLChecks = []snapshot.URLCheck{{}} },
		"runs":         func(s *snapshot.Snapshot) { s.Runs = []snapshot.Run{{}} },
		"merge_group":  func(s *snapshot.Snapshot) { s.MergeGroup = &snapshot.MergeGroup{} },
		"unavailable":  func(s *snapshot.Snapshot) { s.Unavailable = []snapshot.Unavailable{{}} },
		"linked":       func(s *snapshot.Snapshot) { s.Linked = []snapshot.Linked{{}} },
		"stacked_on":   func(s *snapshot.Snapshot) { s.PullRequest.StackedOn = []snapshot.StackedOn{{}} },
		"history that does not end with the text": func(s *snapshot.Snapshot) { s.PullRequest.Body = new("else") },
		"revision without a text":                 func(s *snapshot.Snapshot) { s.PullRequest.Revisions[0].Body = nil },
	} {
		s := rich()
		change(&s)
		_, _, err := githubtest.NewT(t).World().Show(s)
		require.ErrorIs(t, err, githubtest.ErrNotShown, name)
		require.ErrorContains(t, err, name)
	}
}

func TestAWorkflowTokenDoesWhatItsPermissionsSay(t *testing.T) {
	t.Parallel()
	gh := githubtest.NewT(t)
	pr, _, err := gh.World().Show(rich())
	require.NoError(t, err)
	gh.World().AddWorkflowToken("ghs_job", pr.Repository(), map[string]string{"contents": "read", "pull_requests": "read"})
	client, err := github.NewTokenClient(github.TokenConfig{Token: "ghs_job", BaseURL: gh.URL()})
	require.NoError(t, err)
	widgets := github.Repo{Owner: "acme", Name: "widgets"}
	s, err := client.Snapshot(t.Context(), widgets, pr.Number(), github.LoadOptions{})
	require.NoError(t, err)
	var missing []string
	for _, u := range s.Unavailable {
		missing = append(missing, u.Fact)
	}
	require.ElementsMatch(t, []string{"issue", "status_checks", "pull_request.revisions"}, missing)
	_, err = client.CreateCheckRun(t.Context(), widgets, github.CheckRun{Name: "x", HeadSHA: caseHead})
	require.Equal(t, github.Forbidden, github.KindOf(err))
}
