package policy

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/evidence-gate/evidence-gate/report"
	"github.com/evidence-gate/evidence-gate/snapshot"
)

func user(login, permission string) *snapshot.Actor {
	return &snapshot.Actor{Login: login, Type: "User", Permission: permission}
}

// change is a pull request by eng into main that changes one file of docs.
func change(with ...func(*snapshot.Snapshot)) snapshot.Snapshot {
	s := snapshot.Snapshot{
		Repository: snapshot.Repository{Owner: "acme", Name: "widgets"},
		PullRequest: snapshot.PullRequest{
			Author: user("eng", "write"), BaseRef: "main",
			ChangedFiles: new(1), ChangedPaths: []string{"docs/a.md"},
			Commits: []snapshot.Commit{{Authors: []*string{new("eng")}}},
		},
		Issue: &snapshot.Issue{Number: 7, Type: "Bug"},
	}
	for _, w := range with {
		w(&s)
	}
	return s
}

func paths(files int, paths ...string) func(*snapshot.Snapshot) {
	return func(s *snapshot.Snapshot) { s.PullRequest.ChangedFiles, s.PullRequest.ChangedPaths = &files, paths }
}

func label(name string, by *snapshot.Actor) func(*snapshot.Snapshot) {
	return func(s *snapshot.Snapshot) {
		s.PullRequest.Labels = append(s.PullRequest.Labels, snapshot.Label{Name: name, By: by})
	}
}

func base(ref string) func(*snapshot.Snapshot) {
	return func(s *snapshot.Snapshot) { s.PullRequest.BaseRef = ref }
}

func unread(fact string) func(*snapshot.Snapshot) {
	return func(s *snapshot.Snapshot) {
		s.Unavailable = append(s.Unavailable, snapshot.Unavailable{Fact: fact, Reason: "GitHub withheld it"})
	}
}

func by(author *snapshot.Actor, commits ...[]*string) func(*snapshot.Snapshot) {
	return func(s *snapshot.Snapshot) {
		s.PullRequest.Author, s.PullRequest.Commits = author, nil
		for _, authors := range commits {
			s.PullRequest.Commits = append(s.PullRequest.Commits, snapshot.Commit{Authors: authors})
		}
	}
}

func missing(e Effective) []string {
	var facts []string
	for _, u := range e.Missing {
		facts = append(facts, u.Fact)
	}
	return facts
}

func TestExemptions(t *testing.T) {
	t.Parallel()
	bot := &snapshot.Actor{Login: "dependabot[bot]", Type: "Bot"}
	authors := "version: 1\napplies_to: { exempt_authors: [\"Dependabot[bot]\", renovate] }\n"
	labels := "version: 1\napplies_to: { exempt_labels: [no-evidence] }\n"
	docs := "version: 1\napplies_to: { exempt_paths: [\"docs/**\", \"*.md\"] }\n"
	bases := "version: 1\napplies_to: { bases: [main, \"release/*\"] }\n"
	for _, c := range []struct {
		name, policy string
		with         []func(*snapshot.Snapshot)
		neutral      bool
		missing      []string
	}{
		{"level off", "version: 1\nlevel: off\n", nil, true, nil},
		{"no exemption", "version: 1\n", nil, false, nil},

		{"a base of the policy", bases, nil, false, nil},
		{"a base by its glob", bases, []func(*snapshot.Snapshot){base("release/1")}, false, nil},
		{"a glob stays in its folder", bases, []func(*snapshot.Snapshot){base("release/1/x")}, true, nil},
		{"another base", bases, []func(*snapshot.Snapshot){base("sandbox")}, true, nil},
		{"a base in another case", bases, []func(*snapshot.Snapshot){base("Main")}, true, nil},

		{"an exempt author alone", authors, []func(*snapshot.Snapshot){by(bot, []*string{new("dependabot[bot]")})}, true, nil},
		{"two exempt authors", authors, []func(*snapshot.Snapshot){by(bot, []*string{new("dependabot[bot]"), new("renovate")})}, true, nil},
		{"somebody else's commit", authors, []func(*snapshot.Snapshot){by(bot, []*string{new("dependabot[bot]")}, []*string{new("eng")})}, false, nil},
		{"somebody else as co-author", authors, []func(*snapshot.Snapshot){by(bot, []*string{new("dependabot[bot]"), new("eng")})}, false, nil},
		{"a commit without an account", authors, []func(*snapshot.Snapshot){by(bot, []*string{nil})}, false, nil},
		{"a commit without an author", authors, []func(*snapshot.Snapshot){by(bot, []*string{})}, false, nil},
		{"no commits", authors, []func(*snapshot.Snapshot){by(bot)}, false, nil},
		{"the bot's commits under somebody else's name", authors, []func(*snapshot.Snapshot){by(user("eng", "write"), []*string{new("dependabot[bot]")})}, false, nil},
		{"an account named like the bot", authors, []func(*snapshot.Snapshot){by(user("dependabot", "write"), []*string{new("dependabot")})}, false, nil},
		{"a deleted account", authors, []func(*snapshot.Snapshot){by(nil, []*string{nil})}, false, nil},
		{"commits without the head", authors, []func(*snapshot.Snapshot){by(bot, []*string{new("dependabot[bot]")}), func(s *snapshot.Snapshot) { s.PullRequest.HeadSHA = "b7d41e9f02c36a58d1f4e07b9c8a25630fe1d794" }}, false, nil},
		{"commits that were not read", authors, []func(*snapshot.Snapshot){by(bot, []*string{new("dependabot[bot]")}), unread("commits")}, false, []string{"commits"}},
		{"commits that nobody asks for", authors, []func(*snapshot.Snapshot){unread("commits")}, false, nil},

		{"a maintainer's label", labels, []func(*snapshot.Snapshot){label("no-evidence", user("lead", "maintain"))}, true, nil},
		{"a label in another case", labels, []func(*snapshot.Snapshot){label("No-Evidence", user("lead", "admin"))}, true, nil},
		{"the author's label", labels, []func(*snapshot.Snapshot){label("no-evidence", user("eng", "write"))}, false, nil},
		{"a workflow's label", labels, []func(*snapshot.Snapshot){label("no-evidence", &snapshot.Actor{Login: "labeler[bot]", Type: "Bot", Permission: "admin"})}, false, nil},
		{"nobody's label", labels, []func(*snapshot.Snapshot){label("no-evidence", nil)}, false, nil},
		{"another label of a maintainer", labels, []func(*snapshot.Snapshot){label("no-evidence", user("eng", "write")), label("docs", user("lead", "maintain"))}, false, nil},
		{"labels that were not read", labels, []func(*snapshot.Snapshot){label("no-evidence", user("lead", "maintain")), unread("labels")}, false, []string{"labels"}},
		{"permissions that were not read", labels, []func(*snapshot.Snapshot){label("no-evidence", user("lead", "")), unread("permissions")}, false, []string{"permissions"}},

		{"exempt paths only", docs, []func(*snapshot.Snapshot){paths(3, "docs/a.md", "docs/b/c.md", "README.md")}, true, nil},
		{"a rename within", docs, []func(*snapshot.Snapshot){paths(1, "docs/a.md", "docs/b.md")}, true, nil},
		{"one other path", docs, []func(*snapshot.Snapshot){paths(2, "docs/a.md", "src/a.js")}, false, nil},
		{"a file moved out of the code", docs, []func(*snapshot.Snapshot){paths(1, "src/a.js", "docs/a.js")}, false, nil},
		{"no changed path", docs, []func(*snapshot.Snapshot){paths(0)}, false, nil},
		{"fewer paths than files", docs, []func(*snapshot.Snapshot){paths(2, "docs/a.md")}, false, []string{"changed_paths"}},
		{"one path twice", docs, []func(*snapshot.Snapshot){paths(2, "docs/a.md", "docs/a.md")}, false, []string{"changed_paths"}},
		{"the number of files was not read", docs, []func(*snapshot.Snapshot){func(s *snapshot.Snapshot) { s.PullRequest.ChangedFiles = nil }}, false, []string{"changed_paths"}},
		{"paths that were not read", docs, []func(*snapshot.Snapshot){unread("changed_paths")}, false, []string{"changed_paths"}},
		{"one other path among those read", docs, []func(*snapshot.Snapshot){paths(9, "src/a.js"), unread("changed_paths")}, false, []string{"changed_paths"}},
		{"dots in a path", docs, []func(*snapshot.Snapshot){paths(1, "docs/../src/a.js")}, false, nil},
		{"a path in another case", docs, []func(*snapshot.Snapshot){paths(1, "Docs/a.md")}, false, nil},
		{"a glob of the root only", docs, []func(*snapshot.Snapshot){paths(1, "src/a.md")}, false, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			e := mustRead(t, c.policy).For(change(c.with...))
			require.Equal(t, c.neutral, e.Neutral != "", e.Neutral)
			require.Equal(t, c.missing, missing(e))
		})
	}
}

func TestRules(t *testing.T) {
	t.Parallel()
	lead, eng := user("lead", "maintain"), user("eng", "write")
	for _, c := range []struct {
		name, policy string
		with         []func(*snapshot.Snapshot)
		rule         int
		level        Level
		missing      []string
	}{
		{"paths", "level: checks+human\nrules:\n  - { when: { paths: [\"docs/**\"] }, level: checks }\n", nil, 1, LevelChecks, nil},
		{"other paths", "level: checks+human\nrules:\n  - { when: { paths: [\"docs/**\"] }, level: checks }\n", []func(*snapshot.Snapshot){paths(2, "docs/a.md", "src/a.js")}, 0, LevelChecksHuman, nil},
		{"the first that matches", "rules:\n  - { when: { bases: [next] }, level: off }\n  - { when: { bases: [main] }, level: checks+review }\n  - { when: { bases: [main] }, level: off }\n", nil, 2, LevelChecksReview, nil},
		{"a rule that sets nothing ends the search", "rules:\n  - { when: { bases: [main] } }\n  - { when: { bases: [main] }, level: checks+human }\n", nil, 1, LevelChecks, nil},
		{"every condition", "rules:\n  - { when: { bases: [main], issue_types: [bug], paths: [\"docs/**\"], labels: [docs] }, level: checks+human }\n", []func(*snapshot.Snapshot){label("docs", lead)}, 1, LevelChecksHuman, nil},
		{"all but one condition", "rules:\n  - { when: { bases: [main], issue_types: [feature], paths: [\"docs/**\"] }, level: checks+human }\n", nil, 0, LevelChecks, nil},
		{"an issue's type", "rules:\n  - { when: { issue_types: [bug] }, level: checks+human }\n", nil, 1, LevelChecksHuman, nil},
		{"no issue", "rules:\n  - { when: { issue_types: [bug] }, level: checks+human }\n", []func(*snapshot.Snapshot){func(s *snapshot.Snapshot) { s.Issue = nil }}, 0, LevelChecks, nil},

		{"a maintainer's label lowers", "level: checks+human\nrules:\n  - { when: { labels: [docs] }, level: checks }\n", []func(*snapshot.Snapshot){label("docs", lead)}, 1, LevelChecks, nil},
		{"the author's label does not", "level: checks+human\nrules:\n  - { when: { labels: [docs] }, level: checks }\n", []func(*snapshot.Snapshot){label("docs", eng)}, 0, LevelChecksHuman, nil},
		{"one of two labels is a maintainer's", "level: checks+human\nrules:\n  - { when: { labels: [docs, small] }, level: checks }\n", []func(*snapshot.Snapshot){label("docs", eng), label("small", lead)}, 1, LevelChecks, nil},
		{"the author's label raises", "rules:\n  - { when: { labels: [risky] }, level: checks+human }\n", []func(*snapshot.Snapshot){label("risky", eng)}, 1, LevelChecksHuman, nil},
		{"raising one key and lowering another", "rules:\n  - { when: { labels: [risky] }, level: checks+human, max_attempts: 9 }\n", []func(*snapshot.Snapshot){label("risky", eng)}, 0, LevelChecks, nil},
		{"two levels of which neither is more", "level: checks+review\nrules:\n  - { when: { labels: [risky] }, level: checks+human }\n", []func(*snapshot.Snapshot){label("risky", eng)}, 0, LevelChecksReview, nil},
		{"raising what is not demanded hides no stricter rule", "rules:\n  - { when: { labels: [risky] }, level: checks+review }\n  - { when: { bases: [main] }, level: checks+review+human }\n", []func(*snapshot.Snapshot){label("risky", eng)}, 2, LevelChecksReviewHuman, nil},
		{"nor does a rule that sets nothing", "rules:\n  - { when: { labels: [plain] } }\n  - { when: { bases: [main] }, level: checks+review }\n", []func(*snapshot.Snapshot){label("plain", eng)}, 2, LevelChecksReview, nil},

		{"paths that were not read", "rules:\n  - { when: { paths: [\"src/**\"] }, level: checks+human }\n", []func(*snapshot.Snapshot){paths(2), unread("changed_paths")}, 0, LevelChecks, []string{"changed_paths"}},
		{"paths that fall short", "rules:\n  - { when: { paths: [\"docs/**\"] }, level: checks+human }\n", []func(*snapshot.Snapshot){paths(2, "docs/a.md")}, 0, LevelChecks, []string{"changed_paths"}},
		{"labels that were not read", "rules:\n  - { when: { labels: [risky] }, level: checks+human }\n", []func(*snapshot.Snapshot){unread("labels")}, 0, LevelChecks, []string{"labels"}},
		{"labels that do not matter", "rules:\n  - { when: { bases: [next], labels: [risky] }, level: checks+human }\n", []func(*snapshot.Snapshot){unread("labels")}, 0, LevelChecks, nil},
		{"off is not certain while a stricter rule may match", "level: off\nrules:\n  - { when: { paths: [\"src/**\"] }, level: checks }\n", []func(*snapshot.Snapshot){paths(2), unread("changed_paths")}, 0, LevelOff, []string{"changed_paths"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			e := mustRead(t, "version: 1\n"+c.policy).For(change(c.with...))
			require.Equal(t, c.rule, e.Rule)
			require.Equal(t, c.level, e.Level)
			require.Equal(t, c.missing, missing(e))
			require.Empty(t, e.Neutral)
		})
	}
}

func TestRuleSetsTheLevelOff(t *testing.T) {
	t.Parallel()
	p := mustRead(t, "version: 1\nlevel: off\nrules:\n  - { when: { paths: [\"src/**\"] }, level: checks }\n")
	require.Equal(t, "the policy sets the level off", p.For(change()).Neutral)
	require.Empty(t, p.For(change(paths(1, "src/a.js"))).Neutral)
	p = mustRead(t, "version: 1\nrules:\n  - { when: { paths: [\"docs/**\"] }, level: off }\n")
	require.Equal(t, "rule 1 of the policy sets the level off", p.For(change()).Neutral)
}

func TestDemandsAtLeast(t *testing.T) {
	t.Parallel()
	base := Default().Demands
	for name, more := range map[string]Demands{
		"level":          {Level: LevelChecksReview},
		"unrenewed":      {Unrenewed: Fail},
		"criteria":       {Criteria: Required},
		"max_attempts":   {MaxAttempts: 2},
		"max_rejections": {MaxRejections: 1},
	} {
		asks := Rule{Sets: more, Keys: []string{name}}.over(base)
		require.True(t, asks.AtLeast(base), name)
		require.False(t, base.AtLeast(asks), name)
	}
	for name, less := range map[string]Demands{
		"level":          {Level: LevelOff},
		"status_checks":  {StatusChecks: Implied},
		"contradictions": {Contradictions: Warn},
		"criteria":       {Criteria: Off},
		"no_changes":     {NoChanges: Allow},
		"max_attempts":   {MaxAttempts: 4},
		"max_rejections": {MaxRejections: 4},
	} {
		asks := Rule{Sets: less, Keys: []string{name}}.over(base)
		require.False(t, asks.AtLeast(base), name)
		require.True(t, base.AtLeast(asks), name)
	}
	// Every key that a rule may set has its order.
	var ordered []string
	for _, d := range demands {
		ordered = append(ordered, d.key)
	}
	require.ElementsMatch(t, keyNames(demandFields(new(Demands))), ordered)
}

func TestLevels(t *testing.T) {
	t.Parallel()
	more := map[Level][]Level{
		LevelOff:               {LevelOff},
		LevelChecks:            {LevelOff, LevelChecks},
		LevelChecksReview:      {LevelOff, LevelChecks, LevelChecksReview},
		LevelChecksHuman:       {LevelOff, LevelChecks, LevelChecksHuman},
		LevelChecksReviewHuman: Levels(),
	}
	for _, l := range Levels() {
		for _, other := range Levels() {
			want := false
			for _, below := range more[l] {
				want = want || below == other
			}
			require.Equal(t, want, l.AtLeast(other), "%s at least %s", l, other)
		}
		read, ok := ParseLevel(string(l))
		require.True(t, ok)
		require.Equal(t, l, read)
	}
	_, ok := ParseLevel("Checks")
	require.False(t, ok)
}

func TestRoles(t *testing.T) {
	t.Parallel()
	p := mustRead(t, `version: 1
roles:
  maintainers: { users: [Carol, "release[bot]"], teams: [leads, other/owners] }
  trusted: ["helper[bot]"]
  agents: { "Helper[bot]": { provider: a, connector: x } }
`)
	bot := func(login, permission string) *snapshot.Actor {
		return &snapshot.Actor{Login: login, Type: "Bot", Permission: permission}
	}
	in := func(teams ...string) *snapshot.Actor {
		return &snapshot.Actor{Login: "x", Type: "User", Permission: "read", Teams: teams}
	}
	for _, c := range []struct {
		name                string
		actor               *snapshot.Actor
		maintainer, trusted bool
	}{
		{"admin", user("a", "admin"), true, true},
		{"maintain", user("a", "maintain"), true, true},
		{"write", user("a", "write"), false, true},
		{"triage", user("a", "triage"), false, false},
		{"read", user("a", "read"), false, false},
		{"none", user("a", "none"), false, false},
		{"a permission that was not read", user("a", ""), false, false},
		{"a permission nobody knows", user("a", "owner"), false, false},
		{"a listed user, in another case", user("cARol", "read"), true, false},
		{"a listed bot", bot("release[bot]", "none"), true, false},
		{"a user named like the bot", user("release", "none"), false, false},
		{"a bot with every permission", bot("ci[bot]", "admin"), false, true},
		{"a trusted bot", bot("helper[bot]", "none"), false, true},
		{"a team", in("leads"), true, false},
		{"a team with its organisation", in("acme/Leads"), true, false},
		{"a team of another organisation", in("other/owners"), true, false},
		{"that name in the repository's", in("acme/owners"), false, false},
		{"no such team", in("leads-to-be"), false, false},
		{"a deleted account", nil, false, false},
	} {
		require.Equal(t, c.maintainer, p.Roles.Maintainer(c.actor), c.name)
		require.Equal(t, c.trusted, p.Roles.Trusted(c.actor), c.name)
	}
	require.True(t, p.Roles.Person(user("eng", "none")))
	require.False(t, p.Roles.Person(bot("ci[bot]", "write")))
	require.False(t, p.Roles.Person(user("helper[bot]", "write")))
	require.False(t, p.Roles.Person(nil))
	found, ok := p.Roles.Agent(bot("hElper[bot]", ""))
	require.True(t, ok)
	require.Equal(t, "a", found.Provider)
	require.Equal(t, []string{"leads", "other/owners"}, p.Roles.Teams())

	p = mustRead(t, "version: 1\nroles: { maintainers: { permission: triage } }\n")
	require.True(t, p.Roles.Maintainer(user("a", "triage")))
	require.False(t, p.Roles.Maintainer(user("a", "read")))
}

// A key without a judge is told only where it would matter.
func TestUnjudged(t *testing.T) {
	t.Parallel()
	rejected := func(s *snapshot.Snapshot) { s.Reviews = []snapshot.Review{{State: "changes_requested"}} }
	for _, c := range []struct {
		name, policy  string
		with          []func(*snapshot.Snapshot)
		review, merge []string
	}{
		{"the defaults", "", nil, nil, nil},
		{"levels, reviews and criteria", "level: checks+review+human\nreview: { different_connector: true }\napproval: { person_via: ui }\ncriteria: required\nmax_rejections: 1\n", []func(*snapshot.Snapshot){rejected}, nil, nil},
		{"whom the app asks", "review: { reviewers: [alice], wait: 4h }\nnotify: off\n", nil, nil, nil},
		{"verifiers without results", "verifiers: [{ name: a, owner: b, public_key: c }]\n", nil, nil, nil},
		{"verifiers with results", "verifiers: [{ name: a, owner: b, public_key: c }]\n", []func(*snapshot.Snapshot){func(s *snapshot.Snapshot) { s.Attestations = make([]snapshot.Attestation, 1) }}, []string{"verifiers"}, []string{"verifiers"}},
		{"what belongs to verify", "kind: library\nenv: { A: b }\nbusiness_rules: docs/rules.md\nchecks: [{ name: x, run: y }]\n", nil, nil, nil},
		{"nothing is judged", "level: off\ncriteria: required\n", nil, nil, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			e := mustRead(t, "version: 1\n"+c.policy).For(change(c.with...))
			names := func(stage report.Stage) []string {
				var names []string
				for _, k := range e.UnjudgedAt(stage) {
					require.NotEmpty(t, k.Why)
					require.NotEmpty(t, k.Value)
					names = append(names, k.Name)
				}
				return names
			}
			require.Equal(t, c.review, names(report.Review))
			require.Equal(t, c.merge, names(report.Merge))
		})
	}
}

// Each value says where it comes from.
func TestOrigins(t *testing.T) {
	t.Parallel()
	p := mustRead(t, "version: 1\nlevel: checks+human\ntasks:\n  require: false\nrules:\n  - { when: { paths: [\"src/**\"] } }\n  - when: { paths: [\"docs/**\"] }\n    level: checks\n")
	e := p.For(change())
	require.Equal(t, Origin{Source: Repository, Line: 8, Rule: 2}, e.Origin("level"))
	require.Equal(t, Origin{Source: Repository, Line: 4}, e.Origin("tasks.require"))
	require.Equal(t, Origin{Source: BuiltIn}, e.Origin("tasks.source"))
	require.Equal(t, "repository, line 8, rule 2", e.Origin("level").String())
	require.Equal(t, "default", e.Origin("mode").String())

	// Every key of a file but the version has its value.
	shown := map[string]bool{}
	for _, v := range e.Values() {
		shown[v.Key] = true
		require.NotEmpty(t, v.Text(), v.Key)
	}
	for _, f := range fieldsOf(new(Policy)) {
		switch {
		case f.key == "version":
		case len(f.inner) == 0 || f.sample[0] == '[' || f.key == "floor":
			require.True(t, shown[f.key], f.key)
		default:
			for _, inner := range f.inner {
				if inner.key != "maintainers" {
					require.True(t, shown[f.key+"."+inner.key], f.key+"."+inner.key)
				}
			}
		}
	}
}
