package githubtest_test

import (
	"encoding/json"
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
		Repository: snapshot.Repository{Owner: "acme", Name: "widgets", DefaultBranch: "trunk", Maintainers: 3},
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
			Type: "Bug", Number: 7, Title: "T-7", Body: new("## Required Checks\n"), Author: nil, Labels: []string{"ui"},
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
		Policy:     &snapshot.File{Path: ".github/evidence.yml", Text: policyOfTeams},
		Profile:    &snapshot.File{Path: ".agenticloop/project.md", Text: "## Verification Operating Facts\n"},
		References: &snapshot.References{Decisions: []string{"D-2", "D-1"}, Tasks: []string{"T-1"}},
		Memory:     &snapshot.Memory{},
	}
}

// policyOfTeams makes labels, teams and the type of the task count.
const policyOfTeams = `version: 1
roles: { maintainers: { teams: [core] } }
applies_to: { exempt_labels: [docs] }
rules: [ { when: { issue_types: [Bug] }, max_attempts: 5 } ]
`

// triage is a comment that counts only by a maintainer's hand.
func triage(by *snapshot.Actor) snapshot.Comment {
	return snapshot.Comment{ID: 13, Author: by, Body: "/triage RC-1 attempt 1 one_off because the runner died", CreatedAt: "2026-11-22T08:00:00Z", UpdatedAt: "2026-11-22T08:00:00Z"}
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
		"nothing changed":           func(s *snapshot.Snapshot) { s.PullRequest.ChangedFiles, s.PullRequest.ChangedPaths = new(0), nil },
		"a renamed file": func(s *snapshot.Snapshot) {
			s.PullRequest.ChangedFiles, s.PullRequest.ChangedPaths = new(2), []string{"new.js", "old.js", "b.js"}
		},
		"the policy is changed": func(s *snapshot.Snapshot) {
			s.PullRequest.ChangedPaths = []string{".agenticloop/project.md", ".github/evidence.yml", "a.js"}
		},
		"a changed profile": func(s *snapshot.Snapshot) { s.PullRequest.ChangedPaths = []string{".agenticloop/project.md", "a.js"} },
		"a removed profile": func(s *snapshot.Snapshot) {
			s.Profile, s.PullRequest.ChangedPaths = nil, []string{".agenticloop/project.md", "a.js"}
		},
		"a stack": func(s *snapshot.Snapshot) {
			s.PullRequest.StackedOn = []snapshot.StackedOn{{Number: 77, Author: actor("lead", "User")}, {Number: 5}}
		},
		"business rules": func(s *snapshot.Snapshot) {
			s.Policy = &snapshot.File{Path: ".github/evidence.yml", Text: policyOfTeams + "business_rules: docs/business rules.md\n"}
			s.References.Rules = []string{"docs/business rules.md#br-2", "BR-10"}
		},
		"a file without business rules": func(s *snapshot.Snapshot) {
			s.Policy = &snapshot.File{Path: ".github/evidence.yml", Text: policyOfTeams + "business_rules: docs/rules.md\n"}
			s.References = nil
		},
		"maintainers by name": func(s *snapshot.Snapshot) {
			s.Policy, s.Repository.Maintainers = &snapshot.File{Text: "version: 1\nroles: { maintainers: { permission: admin, users: [Lead, guest] } }\n"}, 4
			s.Issue.Type, s.PullRequest.Labels = "", nil
		},
		"the organisation's policy": func(s *snapshot.Snapshot) { s.Policy, s.OrganisationPolicy = nil, s.Policy },
		"the own one comes first":   func(s *snapshot.Snapshot) { s.OrganisationPolicy = &snapshot.File{Text: "version: 1\n"} },
		"no files at all":           func(s *snapshot.Snapshot) { s.Policy, s.Profile, s.References, s.Issue.Type = nil, nil, nil, "" },
		"the author triages alone": func(s *snapshot.Snapshot) {
			s.Policy, s.Repository.Maintainers, s.Issue.Type = nil, 1, ""
			s.PullRequest.Author, s.PullRequest.Revisions = &snapshot.Actor{Login: "boss", Type: "User", Permission: "admin"}, nil
			s.Comments = append(s.Comments, triage(s.PullRequest.Author))
		},
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
			app, err := github.NewApp(github.AppConfig{ID: gh.App().ID, PrivateKey: gh.App().PrivateKey, BaseURL: gh.URL(), Now: clock.Now})
			require.NoError(t, err)
			client, err := app.Installation(gh.World().Installation("acme").ID())
			require.NoError(t, err)
			loaded, err := client.Snapshot(t.Context(), github.Repo{Owner: "acme", Name: "widgets"}, pr.Number(), github.LoadOptions{App: "evidence-gate"})
			require.NoError(t, err)
			loaded.Linked = nil
			wanted, read := tree(t, known), tree(t, loaded)
			forget(wanted, read)
			require.Equal(t, wanted, read)
			if s.PullRequest.Author != nil {
				require.Equal(t, s.PullRequest.Author.Permission, loaded.PullRequest.Author.Permission)
			}
		})
	}
}

func tree(t *testing.T, s snapshot.Snapshot) map[string]any {
	t.Helper()
	text, err := json.Marshal(s)
	require.NoError(t, err)
	var decoded map[string]any
	require.NoError(t, json.Unmarshal(text, &decoded))
	return decoded
}

// forget drops from what is known of people that which the loader did not ask for.
func forget(known, read any) {
	switch k := known.(type) {
	case map[string]any:
		r, _ := read.(map[string]any)
		for _, member := range []string{"permission", "teams", "maintainers"} {
			if r[member] == nil {
				delete(k, member)
			}
		}
		for name, member := range k {
			forget(member, r[name])
		}
	case []any:
		r, _ := read.([]any)
		for i := 0; i < min(len(k), len(r)); i++ {
			forget(k[i], r[i])
		}
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
		"file at another path": func(s *snapshot.Snapshot) { s.Policy.Path = "evidence.yml" },
		"references.rules":     func(s *snapshot.Snapshot) { s.References.Rules = []string{"BR-1"} },
		"5 changed paths of 2": func(s *snapshot.Snapshot) {
			s.PullRequest.ChangedFiles, s.PullRequest.ChangedPaths = new(2), []string{"a", "b", "c", "d", "e"}
		},
		"1 maintainers where 2 accounts are": func(s *snapshot.Snapshot) {
			s.Policy, s.Repository.Maintainers = nil, 1
			s.PullRequest.Author.Permission, s.PullRequest.Revisions = "admin", nil
			s.Reviews = []snapshot.Review{{Author: &snapshot.Actor{Login: "boss", Permission: "maintain"}, State: "approved", CommitSHA: caseHead}}
		},
		"account lead with the roles":        func(s *snapshot.Snapshot) { s.Reviews[0].Author.Permission = "admin" },
		"memory":                             func(s *snapshot.Snapshot) { s.Memory.Contract = &snapshot.RememberedContract{} },
		"actions":                            func(s *snapshot.Snapshot) { s.Actions = []snapshot.Action{{}} },
		"attestations":                       func(s *snapshot.Snapshot) { s.Attestations = []snapshot.Attestation{{}} },
		"url_checks":                         func(s *snapshot.Snapshot) { s.URLChecks = []snapshot.URLCheck{{}} },
		"runs":                               func(s *snapshot.Snapshot) { s.Runs = []snapshot.Run{{}} },
		"merge_group":                        func(s *snapshot.Snapshot) { s.MergeGroup = &snapshot.MergeGroup{} },
		"unavailable":                        func(s *snapshot.Snapshot) { s.Unavailable = []snapshot.Unavailable{{}} },
		"linked":                             func(s *snapshot.Snapshot) { s.Linked = []snapshot.Linked{{}} },
		"1 maintainers where 3 accounts are": func(s *snapshot.Snapshot) { s.Repository.Maintainers = 1 },
		"two things with the number 7":       func(s *snapshot.Snapshot) { s.PullRequest.StackedOn = []snapshot.StackedOn{{Number: 7}} },
		"two things with the number 42":      func(s *snapshot.Snapshot) { s.PullRequest.StackedOn = []snapshot.StackedOn{{Number: 42}} },
		"profile beside its new name": func(s *snapshot.Snapshot) {
			s.PullRequest.ChangedFiles, s.PullRequest.ChangedPaths = new(1), []string{".agenticloop/facts.md", ".agenticloop/project.md"}
		},
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
	require.ElementsMatch(t, []string{"issue", "status_checks", "pull_request.revisions", "teams"}, missing)
	_, err = client.CreateCheckRun(t.Context(), widgets, github.CheckRun{Name: "x", HeadSHA: caseHead})
	require.Equal(t, github.Forbidden, github.KindOf(err))
}
