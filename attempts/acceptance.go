package attempts

import (
	"slices"
	"strings"

	"github.com/evidence-gate/evidence-gate/snapshot"
)

// acceptLoss is the kind of the action by which a maintainer accepts that history is lost.
const acceptLoss = "accept_loss"

// acceptances are the actions by which maintainers accepted losses (A7), by the comment they name, 0
// for none. One without a digest covers what is lost at its moment. One with a digest names the lost
// text itself, so that it covers that text whatever its time says: clocks differ.
type acceptances struct {
	momentary map[int64][]*snapshot.Action // oldest first, those without a time last
	named     map[int64]map[string][]*snapshot.Action
}

// acceptances reads the actions once.
func (j *judge) acceptances() *acceptances {
	if j.accepted != nil {
		return j.accepted
	}
	all := &acceptances{momentary: map[int64][]*snapshot.Action{}, named: map[int64]map[string][]*snapshot.Action{}}
	j.accepted = all
	for i := range j.Actions {
		a := &j.Actions[i]
		switch {
		case a.Kind != acceptLoss || !j.counts(a.Actor):
		case a.Digest == "":
			all.momentary[a.CommentID] = append(all.momentary[a.CommentID], a)
		default:
			if all.named[a.CommentID] == nil {
				all.named[a.CommentID] = map[string][]*snapshot.Action{}
			}
			key := digestKey(a.Digest)
			all.named[a.CommentID][key] = append(all.named[a.CommentID][key], a)
		}
	}
	for _, list := range all.momentary {
		slices.SortStableFunc(list, func(a, b *snapshot.Action) int { return early(moment(a.At), moment(b.At)) })
	}
	return all
}

// digestKey is the one spelling of a digest, which may be written without its prefix.
func digestKey(digest string) string { return strings.TrimPrefix(strings.ToLower(digest), "sha256:") }

// about reports whether an acceptance is about a check.
func about(a *snapshot.Action, check string) bool {
	return a.Check == "" || strings.EqualFold(a.Check, check)
}

// names reports whether an acceptance for a comment, or for none, names a digest; check "" is any.
func (a *acceptances) names(comment int64, digest, check string) bool {
	for _, of := range []int64{comment, 0} {
		if slices.ContainsFunc(a.named[of][digestKey(digest)], func(a *snapshot.Action) bool { return check == "" || about(a, check) }) {
			return true
		}
	}
	return false
}

// withAcceptances adds the momentary acceptances for a comment to its events. Between two of these
// one acceptance for a check is as good as many.
func (a *acceptances) withAcceptances(events []event, comment int64) []event {
	lists := [][]*snapshot.Action{a.momentary[comment]}
	if comment != 0 {
		lists = append(lists, a.momentary[0])
	}
	for _, list := range lists {
		events = interleave(events, list)
	}
	return events
}

// interleave puts acceptances, oldest first, into their places among events.
func interleave(events []event, actions []*snapshot.Action) []event {
	if len(actions) == 0 {
		return events
	}
	out := make([]event, 0, len(events)+1)
	given := map[string]bool{} // checks, since the last event
	for _, a := range actions {
		at := moment(a.At)
		for len(events) > 0 && (at.IsZero() || !events[0].at.After(at)) {
			out, events = append(out, events[0]), events[1:]
			clear(given)
		}
		if check := strings.ToUpper(a.Check); !given[check] {
			given[check] = true
			out = append(out, event{what: accepted, action: a, at: at})
		}
	}
	return append(out, events...)
}

// accept lets a momentary acceptance cover everything that is lost at its moment.
func (p *pastReader) accept(a *snapshot.Action) {
	for _, s := range p.order {
		if h := p.histories[s]; !s.triage && about(a, s.check) && len(h.lost()) > 0 {
			h.forgive()
		}
	}
	p.erased = nil
}

// acceptNamed lets the acceptances that name what a check has lost now cover it.
func (p *pastReader) acceptNamed(s subject) {
	all, h := p.j.acceptances(), p.histories[s]
	if s.triage || h == nil || len(all.named) == 0 {
		return
	}
	if lost := h.lost(); len(lost) > 0 && all.names(p.c.ID, digest(lost), s.check) {
		h.forgive()
	}
}

// acceptErased lets the acceptances that name the revisions without text cover them.
func (p *pastReader) acceptErased() {
	if all := p.j.acceptances(); len(all.named) > 0 && all.names(p.c.ID, erasedDigest(p.erased), "") {
		p.erased = nil
	}
}
