package githubtest

import "strings"

// AddTeamMember adds an account to a team of an organization, by the team's slug; the team comes into
// being with its first member.
func (w *World) AddTeamMember(organization, team, login string) {
	w.change(func() { w.addTeamMember(organization, team, login) })
}

func (w *World) addTeamMember(organization, team, login string) {
	key := teamKey(organization, team)
	if w.teams[key] == nil {
		w.teams[key] = map[*account]bool{}
	}
	w.teams[key][w.account(login)] = true
}

func teamKey(organization, team string) string { return strings.ToLower(organization + "/" + team) }

// belongs says whether an account is in any team of an organization.
func (w *World) belongs(a *account, organization string) bool {
	for key, members := range w.teams {
		if strings.HasPrefix(key, teamKey(organization, "")) && members[a] {
			return true
		}
	}
	return false
}

// AddCustomRole makes a custom role of organizations, which includes one of GitHub's own roles.
func (w *World) AddCustomRole(name, base string) {
	w.change(func() { w.customRoles[name] = base })
}
