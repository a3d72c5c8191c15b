package attempts

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/evidence-gate/evidence-gate/prbody"
	"github.com/evidence-gate/evidence-gate/report"
	"github.com/evidence-gate/evidence-gate/snapshot"
)

// Judge concludes what the attempts of a pull request amount to.
func Judge(f Facts) Result {
	j := &judge{Facts: f, byID: map[int64]*comment{}, commandsOf: map[int64][]CommandLine{}, asked: map[string]bool{},
		runs:     newRuns(f.SameCommand),
		carriers: allowance{carrierLines, carrierBytes}, strangers: allowance{strangerLines, strangerBytes}}
	j.collect()
	j.read()
	for _, check := range j.order {
		j.check(check)
	}
	j.unrecorded()
	return j.result
}

// judge is one judgement under way.
type judge struct {
	Facts
	comments   []*comment
	byID       map[int64]*comment
	commandsOf map[int64][]CommandLine
	asked      map[string]bool            // facts that were needed and are not there
	people     map[string]*snapshot.Actor // accounts by login in lower case
	accepted   *acceptances
	runs       *runs
	met        map[string]bool       // recorders by check and login
	recorders  map[string][]Recorder // by check
	carriers   allowance             // for comments that count
	strangers  allowance             // for others
	checks     map[string]*caseOf
	order      []string // checks as they are met
	result     Result
}

// caseOf is everything that was found about one check.
type caseOf struct {
	carriers []*carrier  // comments that are carriers now, by trusted authors
	lapsed   []*carrier  // comments that were
	triage   []candidate // from triage comments
}

// carrier is a comment that is or was a carrier of a check.
type carrier struct {
	comment *comment
	reading reading // of the current text
	trailer bool
	history *history
}

func (j *judge) add(ds ...report.Diagnostic) {
	j.result.Diagnostics = append(j.result.Diagnostics, ds...)
}

func (j *judge) unavailable(fact string) bool { return j.Unavailable != nil && j.Unavailable(fact) }

// needs reports a fact that could not be read and would have decided, once.
func (j *judge) needs(fact, what string) {
	if j.asked[fact] {
		return
	}
	j.asked[fact] = true
	d := report.New(report.CodeSnapshotFactUnavailable, fmt.Sprintf("%s could not be read, which decides %s", fact, what))
	d.Details = map[string]any{"fact": fact}
	j.add(d)
}

// document is the name of a comment in diagnostics.
func (c *comment) document() string { return fmt.Sprintf("comment:%d", c.ID) }

// collect lists the comments, and those that only the service has seen.
func (j *judge) collect() {
	for _, list := range []struct {
		fact     string
		comments []snapshot.Comment
	}{{"issue.comments", j.Task}, {"comments", j.Conversation}} {
		if j.unavailable(list.fact) {
			j.needs(list.fact, "what was recorded of attempts")
		}
		for _, c := range list.comments {
			j.remember(&comment{Comment: c, fact: list.fact})
		}
	}
	if j.unavailable("memory") {
		j.needs("memory", "whether recorded attempts were taken away")
	}
	unread := j.unavailable("issue.comments") || j.unavailable("comments")
	for _, r := range j.Remembered {
		c := j.byID[r.CommentID]
		if c == nil && unread {
			continue // whether it was deleted cannot be told
		}
		if c == nil {
			c = &comment{Comment: snapshot.Comment{ID: r.CommentID}, deleted: true}
			j.remember(c)
		}
		if c.deleted && c.Author == nil && r.Author != "" {
			c.Author = j.actor(r.Author)
		}
		c.remembered = append(c.remembered, r)
	}
}

func (j *judge) remember(c *comment) {
	j.comments = append(j.comments, c)
	if j.byID[c.ID] == nil {
		j.byID[c.ID] = c
	}
}

// actor finds an account by its login among those of the pull request's people, whose roles are
// known; the role of any other is not.
func (j *judge) actor(login string) *snapshot.Actor {
	if j.people == nil {
		j.people = map[string]*snapshot.Actor{}
		meet := func(a *snapshot.Actor) {
			if a != nil && j.people[strings.ToLower(a.Login)] == nil {
				j.people[strings.ToLower(a.Login)] = a
			}
		}
		meet(j.Author)
		for _, c := range j.comments {
			meet(c.Author)
			for _, r := range c.Revisions {
				meet(r.Editor)
			}
		}
	}
	if known := j.people[strings.ToLower(login)]; known != nil {
		return known
	}
	return &snapshot.Actor{Login: login}
}

// trusted reports whether a comment's carriers count (A2). Of the author of a deleted comment whose
// role nobody read, it is not known that they do not.
func (j *judge) trusted(c *comment) bool {
	if j.isAuthor(c.Author) || c.Author != nil && j.Trusted(c.Author) {
		return true
	}
	return c.deleted && (c.Author == nil || c.Author.Permission == "")
}

// read reads every comment that may hold a marker.
func (j *judge) read() {
	j.checks = map[string]*caseOf{}
	for _, c := range j.comments {
		if !c.marked() {
			continue
		}
		if j.trusted(c) || j.triager(c) {
			j.readComment(c)
		} else {
			j.readStranger(c)
		}
	}
}

// triager reports whether a maintainer's hand may be in a comment.
func (j *judge) triager(c *comment) bool {
	return j.counts(c.Author) || slices.ContainsFunc(c.Revisions, func(r snapshot.Revision) bool { return j.counts(r.Editor) })
}

// readStranger reads no more of a comment that does not count than whether it is a carrier.
func (j *judge) readStranger(c *comment) {
	if c.deleted {
		j.strangersRecord(c, c.remembered[0].Check)
		return
	}
	found := reading{}
	if !j.strangers.spend(c.Body) {
		found.check = Unknown
	} else if o, err := readOutline(c.document(), c.Body); err != nil {
		found.check = Unknown
	} else {
		found = understand(o)
	}
	if check := cmp.Or(found.check, j.wasStrangersCarrier(c)); check != "" {
		j.strangersRecord(c, check)
	}
	switch {
	case found.check != "":
		j.untrusted(c)
	case found.triages != "":
		j.roleUnknown(c.Author)
		d := report.New(report.CodeTriageNotMaintainer, fmt.Sprintf("the triage of %s in comment %d is ignored: %s is no maintainer", found.triages, c.ID, c.login()))
		d.Where = &report.Where{Document: c.document()}
		j.add(d)
	}
}

// wasStrangersCarrier is the check of the first earlier text of a comment that was a carrier.
func (j *judge) wasStrangersCarrier(c *comment) string {
	for _, r := range c.Revisions {
		if r.Body == nil || !mayHoldMarker(*r.Body) {
			continue
		}
		if !j.strangers.spend(*r.Body) {
			return Unknown
		}
		if o, err := readPast(*r.Body); err == nil {
			if check := understand(o).check; check != "" {
				return check
			}
		}
	}
	return ""
}

// untrusted reports a carrier that does not count (A2).
func (j *judge) untrusted(c *comment) {
	if c.Author != nil && c.Author.Permission == "" && j.unavailable("permissions") {
		j.needs("permissions", "whether the attempts that "+c.login()+" recorded count")
		return
	}
	d := report.New(report.CodeCarrierUntrusted, fmt.Sprintf("the carrier in comment %d is ignored: %s has no write permission", c.ID, c.login()))
	d.Where, d.Details = &report.Where{Document: c.document()}, map[string]any{"author": c.login()}
	j.add(d)
}

// login is how messages call the author.
func (c *comment) login() string {
	if c.Author == nil {
		return "a deleted account"
	}
	return printable(c.Author.Login)
}

func (j *judge) caseOf(check string) *caseOf {
	k := j.checks[check]
	if k == nil {
		k = &caseOf{}
		j.checks[check] = k
		j.order = append(j.order, check)
	}
	return k
}

// refused reports a comment that could not be read (M1).
func (j *judge) refused(c *comment, err error) {
	d := prbody.Refusal(err, c.document(), report.Engineer)
	d.Message = fmt.Sprintf("comment %d: %s", c.ID, err)
	j.add(d)
}
