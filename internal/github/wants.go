package github

import (
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
	labels     bool   // who set a label counts
	issueTypes bool   // the type of the task counts
	rules      string // the file of business rules, if any
}

func wantsOf(s *snapshot.Snapshot) wants {
	p, _ := policy.Resolve(s.Policy, s.OrganisationPolicy)
	w := wants{roles: p.Roles, labels: len(p.AppliesTo.ExemptLabels) > 0, rules: p.BusinessRules}
	for _, rule := range p.Rules {
		w.labels = w.labels || len(rule.When.Labels) > 0
		w.issueTypes = w.issueTypes || len(rule.When.IssueTypes) > 0
	}
	return w
}

// judged are the people whose role decides something by this policy: who wrote markers and commands,
// and where labels count, who set them.
func (w wants) judged(s *snapshot.Snapshot) people {
	who := speakers(s)
	if w.labels {
		for _, l := range s.PullRequest.Labels {
			who.add(l.By)
		}
	}
	return who
}

// read is the work of reading what the policy wants to be known of people: the roles of those whose
// word counts, who is in the teams that it names, and who is a maintainer by permission.
func (w wants) read(c *census, s *snapshot.Snapshot) []work {
	return slices.Concat(c.ask(w.judged(s)), c.joined(w.roles), c.count(w.roles))
}

// fill puts into the Snapshot what could not be read of those who decide, and counts the maintainers.
// Who approved or asked for changes decides at the levels with a review or a person, and after too
// many rejections at any.
func (w wants) fill(c *census, s *snapshot.Snapshot, h *holes) {
	deciding := people{}
	deciding.add(taskHands(s)...)
	deciding.add(reviewers(s)...)
	judged := w.judged(s)
	if len(judged)+len(deciding) > 0 {
		for _, name := range w.roles.Teams() {
			if reason := c.teams[name].reason; reason != "" {
				h.add(factTeams, reason)
			}
		}
	}
	if author := s.PullRequest.Author; author != nil {
		// Unread, the author's word counts for what any author's does, and no more.
		delete(judged, strings.ToLower(author.Login))
	}
	maps.Copy(deciding, judged)
	for _, login := range slices.Sorted(maps.Keys(deciding)) {
		if reason := c.standings[login].reason; reason != "" {
			h.add(factPermissions, fmt.Sprintf("the role of %q: %s", quote(login), reason))
		}
	}
	s.Repository.Maintainers = c.maintainers(w.roles)
}

// reviewers are who approved or asked for changes.
func reviewers(s *snapshot.Snapshot) []*snapshot.Actor {
	var who []*snapshot.Actor
	for _, r := range s.Reviews {
		if r.State != "commented" && r.State != "pending" {
			who = append(who, r.Author)
		}
	}
	return who
}
