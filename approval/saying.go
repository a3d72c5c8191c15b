package approval

import (
	"strings"
	"time"

	"github.com/evidence-gate/evidence-gate/snapshot"
)

// what an account says about a commit.
type what int

const (
	approves  what = iota
	requests       // changes
	withdrawn      // a review that was dismissed: what it said counts no more, nor what it replaced
	asks           // for a person, which takes back an approval before it
)

// saying is one review, one press of the Approve button, on its page or as a command, or one request
// for a person.
type saying struct {
	what   what
	actor  *snapshot.Actor
	commit string
	at     time.Time // zero: not known
	via    string    // review, or how an action was given; empty when that is not known
	text   string
}

// speaker is an account with what it said. Nobody knows whether two deleted accounts are one, so that
// each of their sayings has a speaker of its own.
type speaker struct {
	actor   *snapshot.Actor // nil: a deleted account
	sayings []saying
}

const viaReview = "review"

// states are the states of reviews that say something; comments and drafts do not.
var states = map[string]what{"approved": approves, "changes_requested": requests, "dismissed": withdrawn}

// speakers lists who approved or asked for changes, in the order of their first saying.
func speakers(s snapshot.Snapshot) []*speaker {
	var all []*speaker
	known := map[string]*speaker{}
	add := func(say saying) {
		if say.actor == nil {
			all = append(all, &speaker{sayings: []saying{say}})
			return
		}
		sp := known[key(say.actor.Login)]
		if sp == nil {
			sp = &speaker{actor: say.actor}
			known[key(say.actor.Login)] = sp
			all = append(all, sp)
		}
		sp.sayings = append(sp.sayings, say)
	}
	for _, r := range s.Reviews {
		if w, says := states[strings.ToLower(r.State)]; says {
			add(saying{what: w, actor: r.Author, commit: r.CommitSHA, at: moment(r.SubmittedAt), via: viaReview, text: r.Body})
		}
	}
	for _, a := range s.Actions {
		switch a.Kind {
		case "approve":
			add(saying{what: approves, actor: a.Actor, commit: a.HeadSHA, at: moment(a.At), via: a.Via})
		case "needs_human":
			add(saying{what: asks, actor: a.Actor, commit: a.HeadSHA, at: moment(a.At), via: a.Via, text: a.Reason})
		}
	}
	return all
}

// lasting are the approvals that nothing later of the same account takes back: its latest word counts.
// An approval without a time may be older than anything, and a request without one newer.
func (sp *speaker) lasting() []saying {
	var since time.Time
	contrary := false
	for _, s := range sp.sayings {
		if s.what == approves {
			continue
		}
		if s.at.IsZero() {
			return nil
		}
		contrary = true
		if s.at.After(since) {
			since = s.at
		}
	}
	var out []saying
	for _, s := range sp.sayings {
		if s.what == approves && (!contrary || s.at.After(since)) {
			out = append(out, s)
		}
	}
	return out
}

// approvals are the lasting approvals of a commit.
func (sp *speaker) approvals(head string) []saying {
	var out []saying
	for _, s := range sp.lasting() {
		if same(s.commit, head) {
			out = append(out, s)
		}
	}
	return out
}

// stale are the lasting approvals of other commits: a push dismisses them.
func (sp *speaker) stale(head string) []saying {
	var out []saying
	for _, s := range sp.lasting() {
		if !same(s.commit, head) {
			out = append(out, s)
		}
	}
	return out
}

// blocking are the requests for changes that stand on a commit: made on it, and no later approval of
// it by the same account.
func (sp *speaker) blocking(head string) []saying {
	var approved time.Time
	for _, s := range sp.sayings {
		if s.what == approves && same(s.commit, head) && s.at.After(approved) {
			approved = s.at
		}
	}
	var out []saying
	for _, s := range sp.sayings {
		if s.what == requests && same(s.commit, head) && (s.at.IsZero() || !approved.After(s.at)) {
			out = append(out, s)
		}
	}
	return out
}

// requested counts all requests for changes of the account.
func (sp *speaker) requested() int {
	n := 0
	for _, s := range sp.sayings {
		if s.what == requests {
			n++
		}
	}
	return n
}

// first and last are the times of the earliest and the latest of some sayings; zero when one of them
// is not known.
func first(sayings []saying) time.Time { return edge(sayings, time.Time.Before) }

func last(sayings []saying) time.Time { return edge(sayings, time.Time.After) }

func edge(sayings []saying, better func(time.Time, time.Time) bool) time.Time {
	var found time.Time
	for i, s := range sayings {
		if s.at.IsZero() {
			return time.Time{}
		}
		if i == 0 || better(s.at, found) {
			found = s.at
		}
	}
	return found
}
