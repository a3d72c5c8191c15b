package approval

import (
	"fmt"

	"github.com/evidence-gate/evidence-gate/snapshot"
)

// deed is a way of having a part in the work (section 10).
type deed int

const (
	opened deed = iota
	committed
	edited
	attempted
	ran
	posted
	stacked
)

// writesEvidence are the deeds of engineers, who write the evidence. The others bar from a review
// only.
var writesEvidence = map[deed]bool{opened: true, committed: true, edited: true, attempted: true, ran: true}

// part is one deed of an account: the first time, and how often again.
type part struct {
	deed deed
	what string
	more int
}

// involvement is who had which part in the work.
type involvement struct {
	parts   map[string][]part // by login in lower case
	logins  []string          // as written, in the order they were met
	unknown []part            // deeds of nobody knows whom
	missing []snapshot.Unavailable
}

func (v *involvement) add(login string, d deed, what string) {
	k := key(login)
	parts, met := v.parts[k]
	if !met {
		v.logins = append(v.logins, login)
	}
	for i := range parts {
		if parts[i].deed == d {
			parts[i].more++
			return
		}
	}
	v.parts[k] = append(parts, part{deed: d, what: what})
}

func (v *involvement) actor(a *snapshot.Actor, d deed, what string) {
	if a != nil {
		v.add(a.Login, d, what)
	}
}

// hand notes a deed of an account, or that nobody knows whose it is, so that it may be anybody's.
func (v *involvement) hand(a *snapshot.Actor, d deed, what string) {
	if a == nil {
		v.nobody(d, "nobody knows who "+what)
		return
	}
	v.add(a.Login, d, what)
}

func (v *involvement) nobody(d deed, what string) {
	for i := range v.unknown {
		if v.unknown[i].deed == d {
			v.unknown[i].more++
			return
		}
	}
	v.unknown = append(v.unknown, part{deed: d, what: what})
}

// wrote reports whether an account is known to have written evidence.
func (v *involvement) wrote(login string) bool {
	for _, p := range v.parts[key(login)] {
		if writesEvidence[p.deed] {
			return true
		}
	}
	return false
}

// why is what an account did, as the rest of a sentence; empty when it had no part. Of the deeds that
// write evidence only, when evidence is set.
func (v *involvement) why(login string, evidence bool) string {
	var out []string
	for _, p := range v.parts[key(login)] {
		if !evidence || writesEvidence[p.deed] {
			out = append(out, p.String())
		}
	}
	return and(out)
}

// whyUnknown is what was done by nobody knows whom; empty when every hand is known.
func (v *involvement) whyUnknown() string {
	var out []string
	for _, p := range v.unknown {
		s := p.what
		if p.more > 0 {
			s += fmt.Sprintf(" (and %d more)", p.more)
		}
		out = append(out, s)
	}
	return and(out)
}

// again names what a deed was done to once more.
var again = map[deed]string{committed: "commit", edited: "edit", attempted: "comment", ran: "run", stacked: "pull request"}

func (p part) String() string {
	if p.more == 0 || again[p.deed] == "" {
		return p.what
	}
	things := again[p.deed]
	if p.more > 1 {
		things += "s"
	}
	return fmt.Sprintf("%s (and %d more %s)", p.what, p.more, things)
}

// involvement finds out, once, who had a part in the work. It is not needed before somebody approves
// or a level asks for it.
func (j *judge) involvement() *involvement {
	if j.involved != nil {
		return j.involved
	}
	v := &involvement{parts: map[string][]part{}}
	j.involved = v
	s := j.Snapshot
	v.actor(s.PullRequest.Author, opened, "opened this pull request")
	v.commits(s)
	for _, r := range j.Recorders {
		v.hand(r.Actor, attempted, r.String())
	}
	for _, r := range s.Runs {
		v.hand(r.By, ran, "recorded a run of "+printable(firstOf(r.Check, r.Command, "a check")))
	}
	v.edits(s, j.isApp)
	if s.Issue != nil {
		v.actor(s.Issue.Author, posted, fmt.Sprintf("posted the task (issue #%d)", s.Issue.Number))
	}
	for _, o := range s.PullRequest.StackedOn {
		v.actor(o.Author, stacked, fmt.Sprintf("opened pull request #%d, on which this one is stacked", o.Number))
	}
	for _, fact := range []string{"issue", "commits", "pull_request.revisions", "runs"} {
		if u, is := j.unavailable(fact); is {
			v.lacks(u)
		}
	}
	return v
}

func (r Recorder) String() string {
	out := "recorded attempts"
	if r.Check != "" {
		out += " of " + printable(r.Check)
	}
	if r.Comment != 0 {
		out += fmt.Sprintf(" in comment %d", r.Comment)
	}
	return out
}

func firstOf(of ...string) string {
	for _, s := range of {
		if s != "" {
			return s
		}
	}
	return ""
}

// commits reads who wrote the commits. An author without an account may be anybody; and who wrote the
// head must be among what was read.
func (v *involvement) commits(s snapshot.Snapshot) {
	head := false
	for _, c := range s.PullRequest.Commits {
		head = head || same(c.SHA, s.PullRequest.HeadSHA)
		if len(c.Authors) == 0 {
			v.nobody(committed, fmt.Sprintf("commit %s names no author with an account", short(c.SHA)))
		}
		for _, author := range c.Authors {
			if author == nil || *author == "" {
				v.nobody(committed, fmt.Sprintf("commit %s has an author without an account", short(c.SHA)))
			} else {
				v.add(*author, committed, "is among the authors of commit "+short(c.SHA))
			}
		}
	}
	if !head {
		v.lacks(snapshot.Unavailable{Fact: "commits", Reason: fmt.Sprintf("the head, %s, is not among the %d commits that are known", short(s.PullRequest.HeadSHA), len(s.PullRequest.Commits))})
	}
}

// lacks notes a fact without which it cannot be told who had a part; the reason of the loader, when
// it gave one, says more than ours.
func (v *involvement) lacks(u snapshot.Unavailable) {
	for i := range v.missing {
		if v.missing[i].Fact == u.Fact {
			v.missing[i] = u
			return
		}
	}
	v.missing = append(v.missing, u)
}
