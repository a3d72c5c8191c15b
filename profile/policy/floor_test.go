package policy

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/evidence-gate/evidence-gate/snapshot"
)

// Section 9: the organisation's floor is what no repository may lower.
func TestFloor(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		about, floor, own string
		level             Level
		attempts          int
		mode              string
		neutral           bool
	}{
		{"none", "{}", "level: off", LevelOff, 3, Enforce, true},
		{"the level is raised", "{ level: checks }", "level: off", LevelChecks, 3, Enforce, false},
		{"a stricter level stays", "{ level: checks }", "level: checks+human", LevelChecksHuman, 3, Enforce, false},
		{"two levels of which neither is stricter", "{ level: checks+review }", "level: checks+human", LevelChecksReviewHuman, 3, Enforce, false},
		{"a number is lowered", "{ max_attempts: 2 }", "max_attempts: 9", LevelChecks, 2, Enforce, false},
		{"a stricter number stays", "{ max_attempts: 2 }", "max_attempts: 1", LevelChecks, 1, Enforce, false},
		{"the mode is enforced", "{ mode: enforce }", "mode: report", LevelChecks, 3, Enforce, false},
		{"a mode that may be stricter", "{ mode: report }", "mode: enforce", LevelChecks, 3, Enforce, false},
		{"a rule does not lower it", "{ level: checks+human }", "level: checks+human\nrules: [ { when: { bases: [main] }, level: checks, max_attempts: 5 } ]", LevelChecksHuman, 5, Enforce, false},
		{"an exemption of the repository", "{ level: checks }", "applies_to: { bases: [next], exempt_authors: [eng], exempt_paths: [\"**\"] }", LevelChecks, 3, Enforce, false},
		{"an exemption where the floor asks for no level", "{ max_attempts: 2 }", "applies_to: { bases: [next] }", LevelChecks, 2, Enforce, true},
	} {
		t.Run(row.about, func(t *testing.T) {
			t.Parallel()
			p, faults := Resolve(&snapshot.File{Text: "version: 1\n" + row.own + "\n"}, &snapshot.File{Text: "version: 1\nfloor: " + row.floor + "\n"})
			require.Empty(t, faults)
			e := p.For(change())
			require.Equal(t, row.neutral, e.Neutral != "", e.Neutral)
			require.Equal(t, row.level, e.Level)
			require.Equal(t, row.attempts, e.MaxAttempts)
			require.Equal(t, row.mode, e.Mode)
		})
	}
}

// The organisation's own exemptions are no repository's, and a raised value says whose it is.
func TestFloorOfTheOrganisation(t *testing.T) {
	t.Parallel()
	above := &snapshot.File{Text: "version: 1\napplies_to: { bases: [next] }\nfloor: { level: checks, mode: enforce }\n"}
	p, _ := Resolve(nil, above)
	require.NotEmpty(t, p.For(change()).Neutral)
	p, _ = Resolve(&snapshot.File{Text: "version: 1\nlevel: off\nmode: report\n"}, above)
	e := p.For(change())
	require.Equal(t, Origin{Source: Organisation, Line: 3}, e.Origin("level"))
	require.Equal(t, Origin{Source: Organisation, Line: 3}, e.Origin("mode"))
	require.Equal(t, Origin{Source: BuiltIn}, e.Origin("max_attempts"))
	require.Equal(t, LevelChecks, p.Floor.Under(LevelOff))
}

// What a repository says about whose word counts does not empty the floor of its meaning.
func TestRolesUnderTheFloor(t *testing.T) {
	t.Parallel()
	own := &snapshot.File{Text: "version: 1\nroles: { maintainers: { permission: triage, users: [carol] } }\ncontract_changes: anyone\ntasks: { require: false }\n"}
	p, _ := Resolve(own, &snapshot.File{Text: "version: 1\nfloor: { level: checks+human }\n"})
	e := p.For(change())
	require.False(t, e.Roles.Maintainer(user("dave", "triage")))
	require.True(t, e.Roles.Maintainer(user("dave", "maintain")))
	require.True(t, e.Roles.Maintainer(user("carol", "read")), "who is listed by name")
	require.Equal(t, Maintainers, e.ContractChanges)
	require.True(t, e.Tasks.Require)

	p, _ = Resolve(own, &snapshot.File{Text: "version: 1\nfloor: { max_attempts: 2 }\n"})
	e = p.For(change())
	require.True(t, e.Roles.Maintainer(user("dave", "triage")), "a floor without a level leaves the roles alone")
	require.False(t, e.Tasks.Require)
}

// Programs are maintainers by name only (section 9): as permission and teams go, they are none.
func TestProgramsAreNoMaintainers(t *testing.T) {
	t.Parallel()
	p := mustRead(t, "version: 1\nroles: { agents: { robo: { provider: a, connector: b } }, maintainers: { users: [\"helper[bot]\"], teams: [leads] } }\n")
	for about, row := range map[string]struct {
		actor *snapshot.Actor
		want  bool
	}{
		"a person":           {user("lead", "maintain"), true},
		"a listed agent":     {user("robo", "admin"), false},
		"an agent of a team": {&snapshot.Actor{Login: "robo", Type: "User", Teams: []string{"leads"}}, false},
		"a bot":              {&snapshot.Actor{Login: "other[bot]", Type: "Bot", Permission: "admin"}, false},
		"a bot by name":      {&snapshot.Actor{Login: "helper[bot]", Type: "Bot", Permission: "none"}, true},
		"an organisation":    {&snapshot.Actor{Login: "acme", Type: "Organization", Permission: "admin"}, false},
		"a mannequin":        {&snapshot.Actor{Login: "old", Type: "Mannequin", Permission: "admin"}, false},
		"a deleted account":  {nil, false},
	} {
		require.Equal(t, row.want, p.Roles.Maintainer(row.actor), about)
	}
}
