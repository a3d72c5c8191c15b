package approval

import (
	"fmt"
	"slices"
	"strings"

	"github.com/evidence-gate/evidence-gate/profile/policy"
	"github.com/evidence-gate/evidence-gate/report"
	"github.com/evidence-gate/evidence-gate/snapshot"
)

// Judge concludes who stands behind a pull request.
func Judge(f Facts) Result {
	j := &judge{Facts: f, head: f.Snapshot.PullRequest.HeadSHA, level: f.Level, roles: f.Policy.Roles}
	if _, known := policy.ParseLevel(string(f.Level)); !known {
		j.level = policy.LevelChecksReviewHuman
	}
	if j.Policy.MaxRejections == 0 {
		j.Policy.MaxRejections = policy.Default().MaxRejections
	}
	j.result.Override, j.result.OverrideRefused = FindOverride(f.Snapshot, j.roles)
	j.speakers = speakers(f.Snapshot)
	j.object()
	j.rule()
	if f.Stage != report.Review && j.level != policy.LevelOff {
		j.demand()
	}
	return j.result
}

// judge is one judgement under way.
type judge struct {
	Facts
	head     string
	level    policy.Level
	roles    policy.Roles
	speakers []*speaker
	blocks   []*speaker // whose request for changes stands on the head
	reviews  []ruling   // of who approved the head, by the rule of a review
	persons  []ruling   // of the same, by the rule of a person
	involved *involvement
	needed   []string // facts that are reported as missing
	result   Result
}

func (j *judge) add(d report.Diagnostic) { j.result.Diagnostics = append(j.result.Diagnostics, d) }

// unavailable finds a fact among those that could not be read.
func (j *judge) unavailable(fact string) (snapshot.Unavailable, bool) {
	for _, u := range j.Snapshot.Unavailable {
		if u.Fact == fact {
			return u, true
		}
	}
	return snapshot.Unavailable{}, false
}

// need reports a fact that had to be read and was not, once.
func (j *judge) need(u snapshot.Unavailable) {
	if slices.Contains(j.needed, u.Fact) {
		return
	}
	j.needed = append(j.needed, u.Fact)
	d := report.New(report.CodeSnapshotFactUnavailable, fmt.Sprintf("%s could not be read: %s", u.Fact, u.Reason))
	d.Details = map[string]any{"fact": u.Fact}
	j.add(d)
}

// isApp reports whether an account is this product's own: what it writes is nobody's word.
func (j *judge) isApp(a *snapshot.Actor) bool {
	return a != nil && j.Snapshot.App != "" && strings.EqualFold(a.Login, j.Snapshot.App+"[bot]")
}

// writers are the permissions that include writing.
var writers = []string{"write", "maintain", "admin"}

// readers are the permissions that are known not to.
var readers = []string{"triage", "read", "none"}

// mayReview reports whether an account is a reviewer: it has write permission, or is a listed agent.
func (j *judge) mayReview(a *snapshot.Actor) bool {
	_, agent := j.roles.Agent(a)
	return a != nil && !j.isApp(a) && (agent || slices.Contains(writers, a.Permission))
}

// mayObject reports whether the objection of an account counts: unless it is known to be no reviewer.
func (j *judge) mayObject(a *snapshot.Actor) bool {
	if a == nil {
		return true
	}
	known := slices.Contains(readers, a.Permission) && !j.roles.Maintainer(a)
	if _, hidden := j.unavailable("teams"); hidden && len(j.roles.Teams()) > 0 {
		known = false
	}
	return !j.isApp(a) && (j.mayReview(a) || !known)
}

// roleUnknown is the fact without which it cannot be told whether an account has a role.
func (j *judge) roleUnknown(a *snapshot.Actor, teams bool) (snapshot.Unavailable, bool) {
	if a == nil {
		return snapshot.Unavailable{}, false
	}
	if u, hidden := j.unavailable("permissions"); hidden && a.Permission == "" {
		return u, true
	}
	if u, hidden := j.unavailable("teams"); hidden && teams && len(j.roles.Teams()) > 0 {
		return u, true
	}
	return snapshot.Unavailable{}, false
}

// object finds the requests for changes and for a person.
func (j *judge) object() {
	for _, sp := range j.speakers {
		if !j.mayObject(sp.actor) {
			continue
		}
		blocking := len(sp.blocking(j.head))
		if blocking > 0 {
			j.blocks = append(j.blocks, sp)
		}
		j.result.Rejections += sp.requested() - blocking // one that blocks counts afterwards
	}
	j.result.Escalated = j.result.Rejections >= j.Policy.MaxRejections
	j.result.Asked = len(j.asking()) > 0
}

// asking are the actions by which a reviewer asks for a person.
func (j *judge) asking() []snapshot.Action {
	var out []snapshot.Action
	for _, a := range j.Snapshot.Actions {
		if a.Kind == "needs_human" && j.mayObject(a.Actor) {
			out = append(out, a)
		}
	}
	return out
}

// rule rules on every approval of the head, whatever the level asks for: they raise the assurance
// too.
func (j *judge) rule() {
	others, self, token := false, false, true
	for _, sp := range j.speakers {
		if len(sp.approvals(j.head)) == 0 {
			continue
		}
		review, person := j.review(sp), j.person(sp)
		j.reviews, j.persons = append(j.reviews, review), append(j.persons, person)
		j.result.Reviewed = j.result.Reviewed || review.ok
		if person.ok {
			others, self = others || !person.self, self || person.self
			token = token && !slices.ContainsFunc(person.by, func(s saying) bool { return byHand[s.via] })
		}
		j.result.Approvals = append(j.result.Approvals, j.listed(review, person))
	}
	j.result.Person, j.result.SelfApproved = others || self, self && !others
	if j.result.Person && token {
		j.result.Notes = append(j.result.Notes, "approved_by_token_possible")
	}
}

// listed is how the report lists an approval: as the most that it counts for.
func (j *judge) listed(review, person ruling) report.Approval {
	a := report.Approval{Actor: name(review.speaker.actor), Counts: true}
	switch {
	case person.ok && !person.self:
		a.As = "person"
	case review.ok:
		a.As = "review"
	case person.ok:
		a.As = "self"
	case j.level.Human() && !j.level.Review():
		a.Counts, a.Because = false, person.why()
	default:
		a.Counts, a.Because = false, review.why()
	}
	return a
}
