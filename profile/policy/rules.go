package policy

import (
	"slices"

	"github.com/evidence-gate/evidence-gate/snapshot"
)

// demand is one key of Demands: how a rule sets it, and which of two values asks for more.
type demand struct {
	key     string
	set     func(to, from *Demands)
	atLeast func(a, b Demands) bool
}

// demands lists the keys of Demands.
var demands = []demand{
	{"level", func(to, from *Demands) { to.Level = from.Level }, func(a, b Demands) bool { return a.Level.AtLeast(b.Level) }},
	{"status_checks", func(to, from *Demands) { to.StatusChecks = from.StatusChecks }, func(a, b Demands) bool { return a.StatusChecks == Explicit || b.StatusChecks == Implied }},
	{"contradictions", func(to, from *Demands) { to.Contradictions = from.Contradictions }, func(a, b Demands) bool { return a.Contradictions == Fail || b.Contradictions == Warn }},
	{"unrenewed", func(to, from *Demands) { to.Unrenewed = from.Unrenewed }, func(a, b Demands) bool { return a.Unrenewed == Fail || b.Unrenewed == Warn }},
	{"criteria", func(to, from *Demands) { to.Criteria = from.Criteria }, func(a, b Demands) bool {
		order := []string{Off, Optional, Required}
		return slices.Index(order, a.Criteria) >= slices.Index(order, b.Criteria)
	}},
	{"no_changes", func(to, from *Demands) { to.NoChanges = from.NoChanges }, func(a, b Demands) bool { return a.NoChanges == Flag || b.NoChanges == Allow }},
	{"max_rejections", func(to, from *Demands) { to.MaxRejections = from.MaxRejections }, func(a, b Demands) bool { return a.MaxRejections <= b.MaxRejections }},
	{"max_attempts", func(to, from *Demands) { to.MaxAttempts = from.MaxAttempts }, func(a, b Demands) bool { return a.MaxAttempts <= b.MaxAttempts }},
}

// AtLeast reports whether d asks for everything that other asks for.
func (d Demands) AtLeast(other Demands) bool {
	return !slices.ContainsFunc(demands, func(of demand) bool { return !of.atLeast(d, other) })
}

// over is what is asked where the rule matches.
func (rule Rule) over(d Demands) Demands {
	for _, of := range demands {
		if slices.Contains(rule.Keys, of.key) {
			of.set(&d, &rule.Sets)
		}
	}
	return d
}

// ruleFrom finds the first rule that matches among those from the index on; 0 for none.
//
// A rule that matches by a label which no maintainer set counts only where it asks for at least as
// much as would be asked without it: else anybody who may label could borrow it. A rule of which it
// is not clear whether it matches is passed over; the missing fact is noted, and nothing passes.
func (d *decision) ruleFrom(index int) int {
	for i := index; i < len(d.policy.Rules); i++ {
		switch matches, byHand := d.matches(d.policy.Rules[i].When); {
		case matches != yes:
		case byHand:
			return i + 1
		default:
			return d.borrowed(i)
		}
	}
	return 0
}

// borrowed decides between a rule that a label of no maintainer's matches, and what comes after it.
func (d *decision) borrowed(i int) int {
	instead := d.ruleFrom(i + 1)
	without := d.policy.Demands
	if instead > 0 {
		without = d.policy.Rules[instead-1].over(d.policy.Demands)
	}
	if d.policy.Rules[i].over(d.policy.Demands).AtLeast(without) {
		return i + 1
	}
	return instead
}

// matches reports whether every condition holds, and whether none of them rests on a label that no
// maintainer set. What can be told without further facts is asked first.
func (d *decision) matches(when When) (matches answer, byHand bool) {
	pr := d.snapshot.PullRequest
	if len(when.Bases) > 0 && !anyGlob(when.Bases, pr.BaseRef) {
		return no, true
	}
	if len(when.IssueTypes) > 0 {
		if of := d.issueType(when.IssueTypes); of != yes {
			return of, true
		}
	}
	byHand = true
	if len(when.Labels) > 0 {
		if matches, byHand = d.labelled(when.Labels); matches != yes {
			return matches, byHand
		}
	}
	if len(when.Paths) > 0 {
		return d.paths(when.Paths), byHand
	}
	return yes, byHand
}

func (d *decision) issueType(types []string) answer {
	if !d.need("issue") {
		return unclear
	}
	if d.snapshot.Issue == nil || !listed(types, d.snapshot.Issue.Type) {
		return no
	}
	return yes
}

func (d *decision) labelled(names []string) (answer, bool) {
	if !d.need("labels") {
		return unclear, false
	}
	set := slices.DeleteFunc(slices.Clone(d.snapshot.PullRequest.Labels), func(l snapshot.Label) bool { return !listed(names, l.Name) })
	if len(set) == 0 {
		return no, true
	}
	return yes, slices.ContainsFunc(set, func(l snapshot.Label) bool { return d.maintainer(l.By) })
}
