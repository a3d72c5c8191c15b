// Package ask decides who is asked for a missing approval, and when (design section 10): the policy's
// reviewers once per head, agents of another provider first, and a person once the policy's time to
// wait is over, or at once where only a person can approve. It is pure. Whether an approval is missing
// is left to package approval and the engine, sending to the worker.
//
// Nobody is asked while an engineer has to act, in a draft, and where the policy says `notify: off` or
// only reports.
package ask

import (
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/evidence-gate/evidence-gate/approval"
	"github.com/evidence-gate/evidence-gate/attempts"
	"github.com/evidence-gate/evidence-gate/profile/policy"
	"github.com/evidence-gate/evidence-gate/report"
	"github.com/evidence-gate/evidence-gate/snapshot"
)

// Step is what is asked for.
type Step string

// The steps, each taken once on a head.
const (
	Review Step = "review"
	Person Step = "person"
)

// maxPeople bounds how many people are asked in one step when the policy names nobody.
const maxPeople = 5

// Facts is what the decision rests on.
type Facts struct {
	Snapshot snapshot.Snapshot
	Policy   policy.Effective
	Report   report.Report
	Asked    map[Step]time.Time // the steps that were taken on this head, and when
	Now      time.Time
	// Maintainers lists who is a maintainer by permission, when it is needed.
	Maintainers func() ([]string, error)
}

// Plan is what is to be done now. Without a Step nothing is asked. Again is when to look again, zero for
// never.
type Plan struct {
	Step  Step
	Users []string
	Teams []string // organisation/slug, or the slug of one of the repository's owner
	Again time.Time
}

// Next decides what is to be done.
func Next(f Facts) (Plan, error) {
	n := need(f)
	_, reviewAsked := f.Asked[Review]
	_, personAsked := f.Asked[Person]
	switch {
	case n.review && !reviewAsked:
		users, teams := f.reviewers(n)
		p := Plan{Step: Review, Users: users, Teams: teams}
		if wait := f.Policy.Review.Wait; wait > 0 && !personAsked {
			p.Again = f.Now.Add(wait)
		}
		return p, nil
	case n.review && !personAsked && f.Policy.Review.Wait > 0:
		if due := f.Asked[Review].Add(f.Policy.Review.Wait); f.Now.Before(due) {
			return Plan{Again: due}, nil
		}
		return f.people(n)
	case !n.review && n.person && !personAsked:
		return f.people(n)
	}
	return Plan{}, nil
}

// needs is which approvals are missing.
type needs struct {
	review, person bool
	involved       []string // who cannot review
}

// personCodes are the findings that only a person's approval settles.
var personCodes = []report.Code{
	report.CodeApprovalPersonMissing, report.CodeApprovalOwnWork, report.CodeApprovalPersonRequested,
	report.CodeApprovalEscalated, report.CodeCheckPersonRequired,
}

func need(f Facts) needs {
	if f.Policy.Notify == policy.Off || f.Snapshot.PullRequest.Draft || f.Report.Conclusion != report.ActionRequired || f.Report.Mode == policy.Report {
		return needs{}
	}
	has := func(matches func(report.Diagnostic) bool) bool {
		return slices.ContainsFunc(f.Report.Diagnostics, func(d report.Diagnostic) bool { return d.Severity == report.Error && matches(d) })
	}
	if !has(func(d report.Diagnostic) bool { return d.Owner == report.Approver }) {
		return needs{}
	}
	level := policy.Level(f.Report.Level)
	judged := approval.Judge(approval.Facts{
		Snapshot: f.Snapshot, Policy: f.Policy, Level: level, Stage: report.Merge, Recorders: recorders(f), SelfReported: true,
	})
	n := needs{review: level.Review() && !judged.Reviewed}
	n.person = has(func(d report.Diagnostic) bool {
		return slices.Contains(personCodes, d.Code) || d.Code == report.CodeApprovalStale && level.Human() && !judged.Person
	})
	for _, i := range judged.Involved {
		n.involved = append(n.involved, i.Login)
	}
	return n
}

// recorders are the accounts whose word the recorded attempts are: they cannot review.
func recorders(f Facts) []approval.Recorder {
	s := f.Snapshot
	facts := attempts.Facts{
		Stage: report.Merge, Conversation: s.Comments, Actions: s.Actions, Author: s.PullRequest.Author,
		Maintainers: s.Repository.Maintainers, Maintainer: f.Policy.Roles.Maintainer, Trusted: f.Policy.Roles.Trusted,
	}
	if s.Issue != nil {
		facts.Task = s.Issue.Comments
	}
	if s.Memory != nil {
		facts.Remembered = s.Memory.Carriers
	}
	judged := attempts.Judge(facts)
	var list []approval.Recorder
	for _, episode := range judged.Episodes {
		standing, _ := judged.Of(episode.Check)
		for _, r := range standing.Recorders {
			list = append(list, approval.Recorder{Actor: r.Actor, Check: episode.Check, Comment: r.Comment})
		}
	}
	return list
}

// reviewers are those of the policy who may review: agents of another provider than the author's where
// there are any, else the others.
func (f Facts) reviewers(n needs) (users, teams []string) {
	var first, others []string
	for _, name := range f.Policy.Review.Reviewers {
		switch {
		case !nameForm.MatchString(name) || f.spoke(name) || listed(n.involved, name):
		case strings.Contains(name, "/"):
			teams = append(teams, name)
		case f.agent(name) != nil && f.otherProvider(name):
			first = append(first, name)
		case f.agent(name) != nil && f.Policy.Review.DifferentProvider:
			// Its review would not count.
		default:
			others = append(others, name)
		}
	}
	if len(first) > 0 {
		return first, nil
	}
	return others, teams
}

// people are the maintainers to ask: those that the policy names, else those by permission.
func (f Facts) people(n needs) (Plan, error) {
	p := Plan{Step: Person}
	excluded := f.wrote()
	if n.review {
		excluded = n.involved
	}
	add := func(name string) {
		if !nameForm.MatchString(name) || f.agent(name) != nil || strings.HasSuffix(name, "[bot]") || listed(excluded, name) || f.spoke(name) || listed(p.Users, name) {
			return
		}
		p.Users = append(p.Users, name)
	}
	if n.review { // a reviewer who is a person stands in for the agent
		for _, name := range f.Policy.Review.Reviewers {
			if !strings.Contains(name, "/") {
				add(name)
			}
		}
	}
	for _, name := range f.Policy.Roles.Maintainers.Users {
		add(name)
	}
	for _, name := range f.Policy.Roles.Teams() {
		if nameForm.MatchString(name) {
			p.Teams = append(p.Teams, name)
		}
	}
	if len(p.Users)+len(p.Teams) > 0 || f.Maintainers == nil {
		return p, nil
	}
	all, err := f.Maintainers()
	if err != nil {
		return Plan{}, err
	}
	for _, name := range all {
		if len(p.Users) < maxPeople {
			add(name)
		}
	}
	return p, nil
}

// nameForm is what accounts and teams are called. A name ends up in a comment.
var nameForm = regexp.MustCompile(`^[A-Za-z0-9](?:[A-Za-z0-9_-]{0,98}[A-Za-z0-9_])?(?:\[bot\]|/[A-Za-z0-9][A-Za-z0-9_.-]{0,99})?$`)

// spoke reports whether an account reviewed this head already.
func (f Facts) spoke(login string) bool {
	return slices.ContainsFunc(f.Snapshot.Reviews, func(r snapshot.Review) bool {
		return r.Author != nil && strings.EqualFold(r.Author.Login, login) && strings.EqualFold(r.CommitSHA, f.Snapshot.PullRequest.HeadSHA) &&
			(strings.EqualFold(r.State, "approved") || strings.EqualFold(r.State, "changes_requested"))
	})
}

// wrote are the accounts that are known to have written the change or its evidence.
func (f Facts) wrote() []string {
	var list []string
	pr := f.Snapshot.PullRequest
	if pr.Author != nil {
		list = append(list, pr.Author.Login)
	}
	for _, c := range pr.Commits {
		for _, login := range c.Authors {
			if login != nil {
				list = append(list, *login)
			}
		}
	}
	for _, r := range pr.Revisions {
		if r.Editor != nil {
			list = append(list, r.Editor.Login)
		}
	}
	for _, r := range recorders(f) {
		if r.Actor != nil {
			list = append(list, r.Actor.Login)
		}
	}
	return list
}

func (f Facts) agent(login string) *policy.Agent {
	if found, ok := f.Policy.Roles.Agent(&snapshot.Actor{Login: login}); ok {
		return &found
	}
	return nil
}

// otherProvider reports whether an agent has another provider than the author: any has when the author
// is no agent.
func (f Facts) otherProvider(login string) bool {
	mine := strings.TrimSpace(f.agent(login).Provider)
	author, _ := f.Policy.Roles.Agent(f.Snapshot.PullRequest.Author)
	return mine != "" && !strings.EqualFold(mine, strings.TrimSpace(author.Provider))
}

func listed(logins []string, login string) bool {
	return slices.ContainsFunc(logins, func(l string) bool { return strings.EqualFold(l, login) })
}
