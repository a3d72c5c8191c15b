package github

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/evidence-gate/evidence-gate/profile/policy"
	"github.com/evidence-gate/evidence-gate/snapshot"
)

// wants is what a policy makes the loader read beside the rest.
type wants struct {
	roles      policy.Roles
	labels     bool // who set a label counts
	issueTypes bool // the type of the task counts
}

func wantsOf(s *snapshot.Snapshot) wants {
	p, _ := policy.Resolve(s.Policy, s.OrganisationPolicy)
	w := wants{roles: p.Roles, labels: len(p.AppliesTo.ExemptLabels) > 0}
	for _, rule := range p.Rules {
		w.labels = w.labels || len(rule.When.Labels) > 0
		w.issueTypes = w.issueTypes || len(rule.When.IssueTypes) > 0
	}
	return w
}

// judged are the people whose role decides something by this policy: who wrote markers and commands,
// and where labels count, who set them.
func (w wants) judged(s *snapshot.Snapshot) people {
	who, _ := speakers(s)
	if w.labels {
		for _, l := range s.PullRequest.Labels {
			who.add(l.By)
		}
	}
	return who
}

// read is the work of reading what the policy wants to be known of people.
func (w wants) read(c *census, s *snapshot.Snapshot) []work {
	judged := w.judged(s)
	all := c.ask(judged)
	if len(judged) > 0 {
		for _, name := range w.roles.Teams() {
			all = append(all, func(ctx context.Context) error { return c.join(ctx, name) })
		}
	}
	return append(all, w.count(c, s)...)
}

// count is the work of counting the maintainers. Whether there is another one matters only when the
// pull request's author speaks of triage and may be one (A6); else the number stays 0, which counts
// as if there were another.
func (w wants) count(c *census, s *snapshot.Snapshot) []work {
	c.collaborators = nil
	author := s.PullRequest.Author
	if _, triaging := speakers(s); !triaging.has(author) {
		return nil
	}
	known := *author
	known.Permission = c.standings[strings.ToLower(author.Login)].role
	if len(w.roles.Teams()) == 0 && !w.roles.Maintainer(&known) {
		return nil
	}
	c.collaborators = map[string][]string{}
	least := w.roles.Maintainers.Permission
	var all []work
	for _, f := range filters {
		if slices.Index(roles, f.role) >= slices.Index(roles, least) {
			all = append(all, func(ctx context.Context) error { return c.collaborate(ctx, f.filter, least) })
		}
	}
	return all
}

// fill puts into the Snapshot what could not be read of those who decide, and counts the maintainers.
func (w wants) fill(c *census, s *snapshot.Snapshot, h *holes) {
	judged := w.judged(s)
	if author := s.PullRequest.Author; author != nil {
		// Unread, the author's word counts for what any author's does, and no more.
		delete(judged, strings.ToLower(author.Login))
	}
	judged.add(taskHands(s)...)
	for _, login := range slices.Sorted(maps.Keys(judged)) {
		if reason := c.standings[login].reason; reason != "" {
			h.add(factPermissions, fmt.Sprintf("the role of %q: %s", quote(login), reason))
		}
	}
	for _, name := range w.roles.Teams() {
		if reason := c.teams[name].reason; reason != "" {
			h.add(factTeams, reason)
		}
	}
	s.Repository.Maintainers = w.maintainers(c)
}

// maintainers counts the accounts with the maintainer's role: 0 where that was not asked for or is
// not shown to this token.
func (w wants) maintainers(c *census) int {
	all := map[string]bool{}
	for _, logins := range c.collaborators {
		if logins == nil {
			return 0
		}
		for _, login := range logins {
			all[login] = true
		}
	}
	if c.collaborators == nil {
		return 0
	}
	for _, login := range w.roles.Maintainers.Users {
		all[strings.ToLower(login)] = true
	}
	for _, name := range w.roles.Teams() {
		maps.Copy(all, c.teams[name].members)
	}
	return len(all)
}
