package approval

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/evidence-gate/evidence-gate/report"
	"github.com/evidence-gate/evidence-gate/snapshot"
)

// demand reports what stage merge lacks.
func (j *judge) demand() {
	for _, fact := range []string{"reviews", "actions"} {
		if u, is := j.unavailable(fact); is {
			j.need(u) // a request for changes may be among them
		}
	}
	for _, sp := range j.blocks {
		j.add(j.changesRequested(sp))
	}
	reasons := j.whyPerson()
	j.facts(len(reasons) > 0 || j.result.Asked || len(j.PersonChecks) > 0)
	lacking := false
	if j.level.Review() {
		j.listInvolved()
		lacking = j.lackReview()
	}
	if len(reasons) > 0 {
		lacking = j.lackPerson(reasons) || lacking
	}
	if j.result.Escalated && lacking {
		j.add(j.escalated())
	}
	if j.result.Asked && !j.result.Person {
		j.add(j.personRequested())
	}
	if !j.result.Person {
		for _, check := range j.PersonChecks {
			j.add(j.personRequired(check))
		}
	}
}

// whyPerson says what asks for the approval of a person.
func (j *judge) whyPerson() []string {
	var out []string
	if j.level.Human() {
		out = append(out, "the level "+string(j.level))
	}
	if j.result.Escalated {
		out = append(out, fmt.Sprintf("the number of requests for changes (%d)", j.result.Rejections))
	}
	if n := len(j.SignOff); n > 0 {
		ids := make([]string, 0, n)
		for _, id := range j.SignOff {
			ids = append(ids, printable(id))
		}
		out = append(out, "the sign-off of "+and(ids))
	}
	return out
}

// facts reports what could not be read and decides about independence or own work.
func (j *judge) facts(person bool) {
	own := person && j.Snapshot.Repository.Maintainers != 1 && (j.SelfReported || len(j.PersonChecks) > 0 || len(j.SignOff) > 0)
	if j.level.Review() || own {
		for _, u := range j.involvement().missing {
			j.need(u)
		}
	}
}

// listInvolved lists who cannot review, for whoever asks for a review.
func (j *judge) listInvolved() {
	v := j.involvement()
	for _, login := range v.logins {
		j.result.Involved = append(j.result.Involved, Involved{Login: login, Why: v.why(login, false)})
	}
}

// lackReview reports that the review which the level asks for is missing, and why those that there are
// do not count.
func (j *judge) lackReview() bool {
	if j.result.Reviewed && !j.aloneInBoth() {
		return false
	}
	asks := fmt.Sprintf("the level %s asks for an independent review of commit %s", j.level, short(j.head))
	if j.result.Reviewed {
		d := report.New(report.CodeApprovalMissing, asks+", and then for a person's approval by another account; "+j.names(j.reviews)+" gave the only one")
		d.Help = j.reviewHelp()
		j.add(d)
		return true
	}
	refused := j.refused(j.reviews, report.CodeApprovalMissing, j.reviewHelp())
	if !refused {
		j.nobody(report.CodeApprovalMissing, asks, j.reviews, j.reviewHelp(), j.mayReview)
	}
	return true
}

// lackPerson reports that the approval of a person is missing.
func (j *judge) lackPerson(reasons []string) bool {
	asks := fmt.Sprintf("a person with the maintainer's role has to approve commit %s, because of %s", short(j.head), and(reasons))
	help := j.personHelp("a maintainer")
	if j.result.Person {
		if !j.level.Review() || !j.level.Human() || !j.result.Reviewed || j.aloneInBoth() || j.reviewFirst() {
			return false
		}
		d := report.New(report.CodeApprovalPersonMissing, asks+"; the review comes first, and the approval of "+j.names(j.persons)+" is not known to have come after one by somebody else")
		d.Help = help + "; again, after the review"
		j.add(d)
		return true
	}
	if !j.refused(j.persons, report.CodeApprovalPersonMissing, j.personHelp(j.another())) {
		j.nobody(report.CodeApprovalPersonMissing, asks, j.persons, help, func(a *snapshot.Actor) bool {
			return person(j.roles, a) && j.roles.Maintainer(a)
		})
	}
	return true
}

// aloneInBoth reports whether both are asked for and one account gave the only review and the only
// approval of a person: a review comes first, so that they are two.
func (j *judge) aloneInBoth() bool {
	if !j.level.Review() || !j.level.Human() {
		return false
	}
	var who []*speaker
	for _, r := range slices.Concat(j.reviews, j.persons) {
		if r.ok && !slices.Contains(who, r.speaker) {
			who = append(who, r.speaker)
		}
	}
	return len(who) == 1 && j.result.Reviewed && j.result.Person
}

// reviewFirst reports whether a person approved no earlier than somebody else's review. The two
// earliest reviews are enough to find out, since one of them is by somebody else.
func (j *judge) reviewFirst() bool {
	type review struct {
		by *speaker
		at time.Time
	}
	var reviews []review
	for _, r := range j.reviews {
		if at := first(r.by); r.ok && !at.IsZero() {
			reviews = append(reviews, review{r.speaker, at})
		}
	}
	slices.SortStableFunc(reviews, func(a, b review) int { return a.at.Compare(b.at) })
	for _, p := range j.persons {
		at := last(p.by)
		if !p.ok || at.IsZero() {
			continue
		}
		for _, r := range reviews[:min(len(reviews), 2)] {
			if r.by != p.speaker && !at.Before(r.at) {
				return true
			}
		}
	}
	return false
}

// refused reports the approvals that have a finding of their own, other than that one is missing.
func (j *judge) refused(rulings []ruling, missing report.Code, help string) bool {
	found := false
	for _, r := range rulings {
		for _, f := range r.faults {
			if f.lacks != nil {
				j.need(*f.lacks)
			}
			if f.code == missing {
				continue
			}
			found = true
			d := report.New(f.code, fmt.Sprintf("%s approved, but %s", name(r.speaker.actor), f.text))
			d.Details = map[string]any{"actor": login(r.speaker.actor), "head": j.head}
			d.Help = help
			j.add(d)
		}
	}
	return found
}

// nobody reports that no approval counts: the only ones are of another commit, or there is none that
// could count.
func (j *judge) nobody(code report.Code, asks string, rulings []ruling, help string, could func(*snapshot.Actor) bool) {
	var refused, stale []string
	commit := ""
	for _, r := range rulings {
		refused = append(refused, fmt.Sprintf("%s approved, but %s", name(r.speaker.actor), r.why()))
	}
	for _, sp := range j.speakers {
		if old := sp.stale(j.head); len(old) > 0 && len(sp.approvals(j.head)) == 0 && could(sp.actor) {
			commit = old[len(old)-1].commit
			stale = append(stale, fmt.Sprintf("%s approved %s, not the head", name(sp.actor), short(commit)))
		}
	}
	if len(stale) == 0 {
		if len(refused) == 0 {
			refused = []string{"nobody approved it"}
		}
		d := report.New(code, asks+"; "+strings.Join(capped(refused), "; "))
		d.Details, d.Help = map[string]any{"head": j.head}, help
		j.add(d)
		return
	}
	d := report.New(report.CodeApprovalStale, asks+"; "+strings.Join(capped(append(stale, refused...)), "; "))
	d.Details, d.Help = map[string]any{"expected_head": j.head, "found_head": commit}, help
	j.add(d)
}

func capped(parts []string) []string {
	if n := len(parts) - maxNames; n > 0 {
		return append(parts[:maxNames:maxNames], fmt.Sprintf("and %d more", n))
	}
	return parts
}

// names lists whose approvals hold.
func (j *judge) names(rulings []ruling) string {
	var out []string
	for _, r := range rulings {
		if r.ok {
			out = append(out, name(r.speaker.actor))
		}
	}
	return and(out)
}
