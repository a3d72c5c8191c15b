package policy

import (
	"fmt"
	"slices"

	"github.com/evidence-gate/evidence-gate/snapshot"
)

// Effective is what a policy asks of one pull request: the policy's keys, with those that the first
// matching rule sets in their place.
//
// Tasks.Require is for the judge of the task: without it, a pull request without a task is neutral.
type Effective struct {
	Policy
	Rule    int    // the rule that matched, 1 for the first; 0 for none
	Neutral string // why nothing is judged, for a person to read; empty when the pull request is judged

	// Needs lists the facts that had to be read, in the words of a Snapshot's unavailable: changed_paths,
	// labels, commits, permissions, teams. Missing lists those of them that are not known. Nothing may
	// pass while one is missing: it could ask for more than the values here do. Both are about what this
	// pull request needs; a fact that no key of the policy looks at is in neither.
	Needs   []string
	Missing []snapshot.Unavailable

	Unjudged []Key

	lowest     Demands // what would be asked without the organisation's floor
	lowestMode string
}

// For says what the policy asks of a pull request (design section 9). Nothing is judged where the
// first matching rule, or without one the policy, sets the level off; where the base is not one of
// applies_to; and where the author, a label or the changed paths are exempt.
//
// Exemptions cannot be borrowed. An author is exempt when the pull request is by one of those listed
// and so is every author of every commit; a label counts when a maintainer set it; paths count when
// there is a changed path, all of them are known and every one matches.
//
// Under a floor of the organisation that asks for a level, the exemptions and bases of a repository's
// own file do not count, and every key that the floor gives is at least as strict as it says.
func (p Policy) For(s snapshot.Snapshot) Effective {
	if p.Source == Repository && p.Floor.Binds() {
		p = p.underFloor()
	}
	d := &decision{policy: p, snapshot: s}
	e := Effective{Policy: p, Rule: d.ruleFrom(0)}
	if e.Rule > 0 {
		e.Demands = p.Rules[e.Rule-1].over(p.Demands)
	}
	e.lowest, e.lowestMode = e.Demands, e.Mode
	if e.Demands = p.Floor.over(e.Demands); p.Floor.raises("mode", e.Demands, p.Mode) {
		e.Mode = Enforce
	}
	if e.Level == LevelOff && len(d.missing) == 0 {
		e.Neutral = "the policy sets the level off"
		if e.Rule > 0 {
			e.Neutral = fmt.Sprintf("rule %d of the policy sets the level off", e.Rule)
		}
	} else if p.Source != Repository || !p.Floor.Binds() {
		e.Neutral = d.exempt()
	}
	e.Needs = d.needs
	if e.Neutral == "" {
		e.Missing = d.missing
		e.Unjudged = unjudged(e, s)
	}
	return e
}

// decision is one policy being applied to one pull request.
type decision struct {
	policy   Policy
	snapshot snapshot.Snapshot
	needs    []string
	missing  []snapshot.Unavailable
}

// exempt is why the pull request is not judged, empty when it is.
func (d *decision) exempt() string {
	to, pr := d.policy.AppliesTo, d.snapshot.PullRequest
	if len(to.Bases) > 0 && !anyGlob(to.Bases, pr.BaseRef) {
		return fmt.Sprintf("the policy is not for pull requests into %q", pr.BaseRef)
	}
	if len(to.ExemptAuthors) > 0 && pr.Author != nil && listed(to.ExemptAuthors, pr.Author.Login) && d.byExempt() {
		return fmt.Sprintf("the policy exempts pull requests by %s", pr.Author.Login)
	}
	if label := d.exemptLabel(); label != "" {
		return fmt.Sprintf("the policy exempts pull requests with the label %q, which a maintainer set", label)
	}
	if len(to.ExemptPaths) > 0 && d.paths(to.ExemptPaths) == yes {
		return "the policy exempts pull requests that change these paths only"
	}
	return ""
}

// byExempt reports whether every author of every commit is exempt.
func (d *decision) byExempt() bool {
	if !d.need("commits") {
		return false
	}
	commits, head := d.snapshot.PullRequest.Commits, d.snapshot.PullRequest.HeadSHA
	if !slices.ContainsFunc(commits, func(c snapshot.Commit) bool { return c.SHA == head }) {
		return false // they are not, or not all, those of the head
	}
	for _, c := range commits {
		if len(c.Authors) == 0 || slices.ContainsFunc(c.Authors, func(login *string) bool {
			return login == nil || !listed(d.policy.AppliesTo.ExemptAuthors, *login)
		}) {
			return false
		}
	}
	return true
}

func (d *decision) exemptLabel() string {
	exempt := d.policy.AppliesTo.ExemptLabels
	if len(exempt) == 0 || !d.need("labels") {
		return ""
	}
	for _, l := range d.snapshot.PullRequest.Labels {
		if listed(exempt, l.Name) && d.maintainer(l.By) {
			return l.Name
		}
	}
	return ""
}

// maintainer reports whether an account is known to be a maintainer. One whose permission or teams
// were not read may be one.
func (d *decision) maintainer(a *snapshot.Actor) bool {
	roles := d.policy.Roles
	if a == nil || roles.Maintainer(a) {
		return a != nil
	}
	if a.Permission == "" && !Bot(a) {
		d.need("permissions")
	}
	if len(roles.Teams()) > 0 {
		d.need("teams")
	}
	return false
}

// answer is whether a condition holds.
type answer int

const (
	no answer = iota
	yes
	unclear // a fact is missing
)

// paths reports whether there are changed paths and every one matches.
func (d *decision) paths(globs []Glob) answer {
	read := d.need("changed_paths")
	pr := d.snapshot.PullRequest
	if slices.ContainsFunc(pr.ChangedPaths, func(path string) bool { return !anyGlob(globs, path) }) {
		return no
	}
	switch {
	case read && len(pr.ChangedPaths) == 0 && pr.ChangedFiles != nil && *pr.ChangedFiles == 0:
		return no
	case read && d.allPaths():
		return yes
	}
	return unclear
}

// allPaths reports whether the changed paths can be all of them: a renamed file has two, so that
// there are at least as many as files. What falls short is missing.
func (d *decision) allPaths() bool {
	pr := d.snapshot.PullRequest
	known := len(slices.Compact(slices.Sorted(slices.Values(pr.ChangedPaths))))
	switch {
	case pr.ChangedFiles == nil:
		d.miss("changed_paths", "the number of changed files is not known")
	case known < *pr.ChangedFiles:
		d.miss("changed_paths", fmt.Sprintf("%d changed paths are known of %d changed files", known, *pr.ChangedFiles))
	default:
		return true
	}
	return false
}

// need notes that a fact is needed, and reports whether it was read.
func (d *decision) need(fact string) bool {
	if !slices.Contains(d.needs, fact) {
		d.needs = append(d.needs, fact)
	}
	for _, u := range d.snapshot.Unavailable {
		if u.Fact == fact {
			d.miss(fact, u.Reason)
			return false
		}
	}
	return true
}

func (d *decision) miss(fact, reason string) {
	if !slices.ContainsFunc(d.missing, func(u snapshot.Unavailable) bool { return u.Fact == fact }) {
		d.missing = append(d.missing, snapshot.Unavailable{Fact: fact, Reason: reason})
	}
}
