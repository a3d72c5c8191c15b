package github

import (
	"fmt"
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/evidence-gate/evidence-gate/internal/githubtest"
)

// marked is a comment whose text counts by who wrote it.
const marked = "<!-- AGENTIC_LOOP_VERIFICATION_ATTEMPTS:RC-1 -->\n\n## Verification Attempts\n"

// demanding is a policy for which teams, labels and the type of the task count.
const demanding = `version: 1
roles: { maintainers: { teams: [core] } }
applies_to: { exempt_labels: [docs] }
rules: [ { when: { issue_types: [Bug] }, level: checks } ]
`

func TestWhoseWordMayCount(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]bool{
		marked: true,
		"text\n\n<!-- AGENTIC_LOOP_VERIFICATION_TRIAGE:RC-1 -->": true,
		"/triage RC-1 attempt 1 one_off because the runner died": true,
		"I looked at it.\r\n  /approve":                          true,
		"first\r/override the deadline":                          true,
		"/triage\n":                                              true,
		"say /triage":                                            false,
		"see /work/triage and docs/triage":                       false,
		"/help":                                                  false,
		"":                                                       false,
		"thanks!":                                                false,
		"a/b/c/d\n/ triage":                                      false,
		"VERIFICATION_ATTEMPTS of last week, and a fine /evaluation.": false,
	} {
		require.Equal(t, want, speaks(text), "%q", text)
	}
}

// Only the roles of those whose word counts are asked for (design section 14).
func TestRolesOfThoseWhoseWordCounts(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.World().AddCustomRole("release-manager", "maintain")
	for login, role := range map[string]string{
		"eng": "write", "lead": "maintain", "triager": "triage", "boss": "admin", "reader": "read", "custom": "release-manager", "talker": "write",
	} {
		w.repo.SetRole(login, role)
	}
	issue := w.repo.AddIssue(githubtest.IssueOptions{Author: "lead", Body: "## Required Checks\n"})
	issue.EditBody("boss", "## Required Checks\n\n- [RC-1] `x`\n")
	edited := issue.Comment("custom", "text")
	edited.Edit("triager", marked)
	edited.Edit("outsider", "no marker any more")
	issue.Comment("helper[bot]", marked)
	pr := w.open(githubtest.PullRequestOptions{Body: fmt.Sprintf("Closes #%d", issue.Number()), Labels: []string{"docs"}})
	pr.EditBody("talker", pr.Body()+"\n")
	pr.Comment("talker", "thanks!")
	pr.Review(githubtest.ReviewOptions{Author: "reader"})

	s := w.load(t, pr)
	require.Empty(t, s.Unavailable)
	require.Equal(t, "write", s.PullRequest.Author.Permission)
	require.Equal(t, "maintain", s.Issue.Author.Permission, "maintain is not folded into write")
	require.Equal(t, "admin", s.Issue.Revisions[1].Editor.Permission)
	require.Equal(t, "maintain", s.Issue.Comments[0].Author.Permission, "a custom role counts as its base")
	require.Equal(t, "triage", s.Issue.Comments[0].Revisions[1].Editor.Permission, "triage is not folded into read")
	require.Equal(t, "none", s.Issue.Comments[0].Revisions[2].Editor.Permission, "an earlier text had the marker")
	require.Equal(t, "none", s.Issue.Comments[1].Author.Permission, "a bot has no role")
	require.Equal(t, "read", s.Reviews[0].Author.Permission)
	require.Empty(t, s.Comments[0].Author.Permission, "thanks do not count")
	require.Empty(t, s.PullRequest.Revisions[1].Editor.Permission)
	require.Equal(t, "write", s.PullRequest.Labels[0].By.Permission, "the author, who is known anyway")
	require.Zero(t, w.asked("/repos/acme/widgets/collaborators/talker/permission"))
	require.Zero(t, w.asked("/repos/acme/widgets/collaborators/helper[bot]/permission"))
	require.Equal(t, 3, s.Repository.Maintainers, "lead, boss and the custom role")
}

func TestAnsweredRoles(t *testing.T) {
	t.Parallel()
	permissions := func(names ...string) object {
		p := object{"admin": false, "maintain": false, "push": false, "triage": false, "pull": false}
		for _, n := range names {
			p[n] = true
		}
		return object{"permissions": p}
	}
	for name, c := range map[string]struct {
		answer object
		want   standing
	}{
		"by its name":                         {object{"permission": "write", "role_name": "maintain", "user": permissions("push")}, standing{role: "maintain"}},
		"custom, by its base":                 {object{"permission": "read", "role_name": "security", "user": permissions("triage", "pull")}, standing{role: "triage"}},
		"an older server without role_name":   {object{"permission": "write", "user": permissions("push", "pull")}, standing{role: "write"}},
		"a still older one":                   {object{"permission": "admin", "user": object{}}, standing{role: "admin"}},
		"nobody":                              {object{"permission": "none", "role_name": "", "user": permissions()}, standing{role: "none"}},
		"a role that nobody knows":            {object{"permission": "owner", "role_name": "owner", "user": object{}}, standing{reason: `GitHub names a role that is not known: "owner"`}},
		"no answer to the question":           {object{}, standing{reason: `GitHub names a role that is not known: ""`}},
		"custom, named like a permission":     {object{"permission": "read", "role_name": "push", "user": permissions("pull")}, standing{role: "read"}},
		"custom, named like a role of GitHub": {object{"permission": "read", "role_name": "Admins", "user": permissions("pull")}, standing{role: "read"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			gh := newStub(t, func(w http.ResponseWriter, _ *http.Request) { reply(w, http.StatusOK, c.answer) })
			got, err := gh.installation(t).standing(t.Context(), widgets, "eng")
			require.NoError(t, err)
			require.Equal(t, c.want, got)
		})
	}
}

// A token that may not see roles still judges where no role decides.
func TestRolesThatAreNotShown(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		prepare func(*world, *githubtest.PullRequest)
		fact    string
	}{
		"nobody speaks":        {func(w *world, pr *githubtest.PullRequest) { pr.Comment("lead", "fine") }, ""},
		"the author speaks":    {func(w *world, pr *githubtest.PullRequest) { pr.Comment("eng", marked) }, ""},
		"a bot speaks":         {func(w *world, pr *githubtest.PullRequest) { pr.Comment("helper[bot]", marked) }, ""},
		"somebody else speaks": {func(w *world, pr *githubtest.PullRequest) { pr.Comment("lead", marked) }, "permissions"},
		"somebody else edited": {func(w *world, pr *githubtest.PullRequest) { pr.Comment("eng", marked).Edit("lead", marked+"x") }, "permissions"},
		"somebody wrote the task": {func(w *world, pr *githubtest.PullRequest) {
			pr.LinkIssue(w.repo.AddIssue(githubtest.IssueOptions{Author: "lead", Body: "## Required Checks\n"}))
		}, "permissions"},
		"the author wrote the task": {func(w *world, pr *githubtest.PullRequest) {
			pr.LinkIssue(w.repo.AddIssue(githubtest.IssueOptions{Author: "eng", Body: "## Required Checks\n"}))
		}, "permissions"},
		"somebody approved": {func(w *world, pr *githubtest.PullRequest) {
			pr.Review(githubtest.ReviewOptions{Author: "lead", State: "approved"})
		}, "permissions"},
		"somebody asked for changes": {func(w *world, pr *githubtest.PullRequest) {
			pr.Review(githubtest.ReviewOptions{Author: "lead", State: "changes_requested"})
		}, "permissions"},
		"somebody only commented": {func(w *world, pr *githubtest.PullRequest) {
			pr.Review(githubtest.ReviewOptions{Author: "lead", State: "commented"})
		}, ""},
		"an app approved": {func(w *world, pr *githubtest.PullRequest) {
			pr.Review(githubtest.ReviewOptions{Author: "helper[bot]", State: "approved"})
		}, ""},
		"labels do not count": {func(w *world, pr *githubtest.PullRequest) { pr.AddLabel("lead", "docs") }, ""},
		"labels count": {func(w *world, pr *githubtest.PullRequest) {
			w.repo.SetFile("main", ".github/evidence.yml", "version: 1\napplies_to: { exempt_labels: [docs] }\n")
			pr.AddLabel("lead", "docs")
		}, "permissions"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			w.repo.SetRole("reader", "read")
			w.World().AddUserToken("ghp_reader", "reader")
			pr := w.open(githubtest.PullRequestOptions{})
			c.prepare(w, pr)
			client, err := NewTokenClient(TokenConfig{Token: "ghp_reader", BaseURL: w.URL()})
			require.NoError(t, err)
			s, err := client.Snapshot(t.Context(), widgets, pr.Number(), LoadOptions{})
			require.NoError(t, err)
			require.Empty(t, s.PullRequest.Author.Permission)
			facts := []string{}
			for _, u := range s.Unavailable {
				if u.Fact != "comments" { // a reader is not shown the earlier texts either
					facts = append(facts, u.Fact)
					require.Regexp(t, `^the role of "(lead|eng)": `, u.Reason)
					require.Contains(t, u.Reason, `: GitHub refused it (Must have push access`)
				}
			}
			if c.fact == "" {
				require.Empty(t, facts)
			} else {
				require.Equal(t, []string{c.fact}, facts)
			}
		})
	}
}

func TestNoMoreThanSomePeopleAreAskedFor(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	pr := w.open(githubtest.PullRequestOptions{})
	for i := range mostPeople + 20 {
		pr.Comment(fmt.Sprintf("user-%03d", i), marked)
	}
	s := w.load(t, pr)
	require.Equal(t, mostPeople, w.CountRequests(githubtest.Match{Path: "/repos/acme/widgets/collaborators/*/permission"}))
	require.Equal(t, "permissions", unreadFact(t, s).Fact)
	require.Contains(t, unreadFact(t, s).Reason, "no more than 100 accounts are asked for")
}

func TestTeamsOfThePolicy(t *testing.T) {
	t.Parallel()
	const core = "/orgs/acme/teams/core/members"
	start := func(t *testing.T, policy string) (*world, *githubtest.PullRequest) {
		w := newWorld(t)
		w.World().AddTeamMember("acme", "core", "Lead")
		w.World().AddTeamMember("acme", "docs", "lead")
		w.World().AddTeamMember("acme", "docs", "eng")
		w.repo.SetFile("main", ".github/evidence.yml", policy)
		return w, w.open(githubtest.PullRequestOptions{})
	}
	of := func(names string) string { return "version: 1\nroles: { maintainers: { teams: [" + names + "] } }\n" }

	t.Run("only those that it names", func(t *testing.T) {
		t.Parallel()
		w, pr := start(t, of("core, acme/docs"))
		pr.Comment("lead", marked)
		s := w.load(t, pr)
		require.Empty(t, s.Unavailable)
		require.Equal(t, []string{"acme/docs", "core"}, s.Comments[0].Author.Teams, "as the policy writes them")
		require.Equal(t, []string{"acme/docs"}, s.PullRequest.Author.Teams)
		w.ForgetRequests()
		w.load(t, pr)
		require.Zero(t, w.asked(core), "believed for a while")
	})
	t.Run("none", func(t *testing.T) {
		t.Parallel()
		w, pr := start(t, "version: 1\n")
		pr.Comment("lead", marked)
		require.Empty(t, w.load(t, pr).Comments[0].Author.Teams)
		require.Zero(t, w.asked(core))
	})
	t.Run("not when nobody speaks", func(t *testing.T) {
		t.Parallel()
		w, pr := start(t, of("core"))
		w.World().Installation("acme").SetPermission("members", "")
		pr.Comment("lead", "thanks!")
		s := w.load(t, pr)
		require.Empty(t, s.Unavailable, "nobody's membership decides")
		require.Zero(t, s.Repository.Maintainers, "and how many maintainers there are is not known")
	})
	for name, c := range map[string]struct {
		team    string
		prepare func(*world)
		reason  string
	}{
		"no permission":           {"core", func(w *world) { w.World().Installation("acme").SetPermission("members", "") }, `the team core: the permission is missing: grant the App "members: read"`},
		"no such team":            {"none", func(*world) {}, "the team none: there is none"},
		"of another organisation": {"globex/core", func(w *world) { w.World().AddOrganization("globex") }, "the team globex/core: the permission is missing"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w, pr := start(t, of(c.team))
			c.prepare(w)
			pr.Comment("lead", marked)
			s := w.load(t, pr)
			require.Equal(t, "teams", unreadFact(t, s).Fact)
			require.Contains(t, unreadFact(t, s).Reason, c.reason)
		})
	}
}

// The name of a team ends up in a request path.
func TestNamesOfTeams(t *testing.T) {
	t.Parallel()
	gh := newStub(t, func(w http.ResponseWriter, r *http.Request) { t.Errorf("unexpected request %s", r.URL) })
	for _, name := range []string{"", "../x", "acme/a/b", "acme/", "/core", "a b", "core?x", "acme/..", "a%2Fb"} {
		got, err := gh.installation(t).team(t.Context(), "acme", name)
		require.NoError(t, err)
		require.Contains(t, got.reason, "is no name of a team", name)
	}
}

func TestTheTaskThatIsNamedBringsItsPeople(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.repo.SetRole("lead", "maintain")
	w.repo.SetRole("boss", "admin")
	named := w.repo.AddIssue(githubtest.IssueOptions{Author: "lead", Body: "## Required Checks\n"})
	named.Comment("boss", marked)
	pr := w.open(githubtest.PullRequestOptions{})
	got, err := w.client.Snapshot(t.Context(), widgets, pr.Number(), LoadOptions{Task: named.Number()})
	require.NoError(t, err)
	require.Equal(t, "maintain", got.Issue.Author.Permission)
	require.Equal(t, "admin", got.Issue.Comments[0].Author.Permission)
	require.Equal(t, "none", got.PullRequest.Author.Permission)
}
