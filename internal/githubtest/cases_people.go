package githubtest

import (
	"fmt"
	"slices"
	"strings"

	"github.com/evidence-gate/evidence-gate/profile/policy"
	"github.com/evidence-gate/evidence-gate/snapshot"
)

// addPeople gives every account of the Snapshot its role and its teams, and the repository as many
// maintainers as it counts.
func (b *caseBuilder) addPeople() {
	b.roles = map[string]string{}
	for _, a := range actorsOf(b.known) {
		if a == nil {
			continue
		}
		for _, team := range a.Teams {
			organization, slug, found := strings.Cut(team, "/")
			if !found {
				organization, slug = b.known.Repository.Owner, team
			}
			b.world.addTeamMember(organization, slug, a.Login)
		}
		if a.Permission == "" || !isPerson(a) {
			continue
		}
		login := strings.ToLower(a.Login)
		if known := b.roles[login]; known != "" && known != a.Permission {
			b.fail("%w account %s with the roles %s and %s at once", ErrNotShown, a.Login, known, a.Permission)
		}
		b.roles[login] = a.Permission
		b.repo.roles[b.account(a)] = a.Permission
	}
	b.addMaintainers()
}

func (b *caseBuilder) addMaintainers() {
	wanted := b.known.Repository.Maintainers
	if wanted == 0 {
		wanted = 2 // not known counts as if there were another
	}
	count := len(b.maintainers())
	if count > wanted {
		b.fail("%w %d maintainers where %d accounts are", ErrNotShown, wanted, count)
	}
	for ; count < wanted; count++ {
		b.repo.roles[b.world.account(fmt.Sprintf("maintainer-%d", count))] = "admin"
	}
	b.known.Repository.Maintainers = count
}

// maintainers are the accounts that hold the role by the policy: by permission, listed, or in a team.
func (b *caseBuilder) maintainers() map[*account]bool {
	resolved, _ := policy.Resolve(b.known.Policy, b.known.OrganisationPolicy)
	by, all := resolved.Roles.Maintainers, map[*account]bool{}
	for a, role := range b.repo.roles {
		if atLeast(role, by.Permission) {
			all[a] = true
		}
	}
	for _, login := range by.Users {
		all[b.world.account(login)] = true
	}
	for _, name := range by.Teams {
		organization, slug, found := strings.Cut(name, "/")
		if !found {
			organization, slug = b.known.Repository.Owner, name
		}
		for a := range b.world.teams[teamKey(organization, slug)] {
			all[a] = true
		}
	}
	return all
}

// isPerson says whether an account can have a role in a repository: GitHub knows none of bots.
func isPerson(a *snapshot.Actor) bool {
	return (a.Type == "User" || a.Type == "") && !strings.HasSuffix(a.Login, botSuffix)
}

// actor is what a loader knows of an account.
func (b *caseBuilder) actor(a *snapshot.Actor) *snapshot.Actor {
	if a == nil {
		return nil
	}
	known := &snapshot.Actor{Login: a.Login, Type: a.Type, Permission: "none", Teams: slices.Clone(a.Teams)}
	if role := b.roles[strings.ToLower(a.Login)]; role != "" {
		known.Permission = role
	}
	return known
}

// actorsOf are all accounts that a Snapshot names with a role.
func actorsOf(s snapshot.Snapshot) []*snapshot.Actor {
	all := []*snapshot.Actor{s.PullRequest.Author}
	history := func(revisions []snapshot.Revision) {
		for _, r := range revisions {
			all = append(all, r.Editor)
		}
	}
	comments := func(list []snapshot.Comment) {
		for _, c := range list {
			all = append(all, c.Author)
			history(c.Revisions)
		}
	}
	for _, l := range s.PullRequest.Labels {
		all = append(all, l.By)
	}
	history(s.PullRequest.Revisions)
	if s.Issue != nil {
		all = append(all, s.Issue.Author)
		history(s.Issue.Revisions)
		comments(s.Issue.Comments)
	}
	comments(s.Comments)
	for _, r := range s.Reviews {
		all = append(all, r.Author)
	}
	return all
}
