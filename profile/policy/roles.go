package policy

import (
	"slices"
	"strings"

	"github.com/evidence-gate/evidence-gate/snapshot"
)

// Roles says whose word counts for what (design section 9). Names of accounts and teams are compared
// ignoring case, as GitHub does; the "[bot]" at the end of a bot's login is part of it.
type Roles struct {
	Maintainers  MaintainerRole
	TrustedUsers []string // accounts whose carriers count without write permission
	Agents       map[string]Agent
}

// MaintainerRole says who is a maintainer: whoever has the permission or more, and the users and
// members of teams listed.
type MaintainerRole struct {
	Permission string // admin, maintain, write or triage
	Users      []string
	Teams      []string // slug, or organisation/slug
}

// Agent is an account of a program that writes or reviews.
type Agent struct {
	Provider  string
	Connector string
}

// permissions of GitHub, the least first.
var permissions = []string{"none", "read", "triage", "write", "maintain", "admin"}

// atLeast reports whether a permission includes another; one that was not read includes nothing.
func atLeast(permission, least string) bool {
	return permission != "" && slices.Index(permissions, permission) >= slices.Index(permissions, least)
}

// Maintainer reports whether an account holds the maintainer's role: as a listed user, or as a person
// by permission or as a member of a listed team. Whatever is no person, a listed agent too, does so
// only when it is listed by name: what a program does is decided by whoever writes it. A deleted
// account is no maintainer.
func (r Roles) Maintainer(a *snapshot.Actor) bool {
	if a == nil {
		return false
	}
	if listed(r.Maintainers.Users, a.Login) {
		return true
	}
	return r.Person(a) && (atLeast(a.Permission, r.Maintainers.Permission) ||
		slices.ContainsFunc(r.Maintainers.Teams, func(team string) bool { return memberOf(a, team) }))
}

// Trusted reports whether the carriers of an account count (A2): it has write permission or more, or
// is listed as trusted. The pull request's own author is the judge's matter.
func (r Roles) Trusted(a *snapshot.Actor) bool {
	return a != nil && (atLeast(a.Permission, "write") || listed(r.TrustedUsers, a.Login))
}

// Agent finds the entry of an account among the agents.
func (r Roles) Agent(a *snapshot.Actor) (Agent, bool) {
	if a == nil {
		return Agent{}, false
	}
	for login, agent := range r.Agents {
		if strings.EqualFold(login, a.Login) {
			return agent, true
		}
	}
	return Agent{}, false
}

// Person reports whether an account is a person: a user, no bot and no listed agent.
func (r Roles) Person(a *snapshot.Actor) bool {
	_, agent := r.Agent(a)
	return a != nil && !agent && !Bot(a) && (a.Type == "User" || a.Type == "")
}

// Bot reports whether an account is one of a program.
func Bot(a *snapshot.Actor) bool { return a.Type == "Bot" || strings.HasSuffix(a.Login, "[bot]") }

// Teams lists the teams whose members must be known, as the policy writes them.
func (r Roles) Teams() []string { return r.Maintainers.Teams }

func listed(logins []string, login string) bool {
	return login != "" && slices.ContainsFunc(logins, func(l string) bool { return strings.EqualFold(l, login) })
}

// memberOf compares the teams of an account with one that the policy lists. A team written without
// its organisation is one of the repository's own.
func memberOf(a *snapshot.Actor, team string) bool {
	return slices.ContainsFunc(a.Teams, func(of string) bool {
		if !strings.Contains(team, "/") {
			of = of[strings.LastIndexByte(of, '/')+1:]
		}
		return strings.EqualFold(of, team)
	})
}
