package attempts

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/evidence-gate/evidence-gate/report"
	"github.com/evidence-gate/evidence-gate/snapshot"
)

// candidate is a triage of one check that stands somewhere, and whose hand it is.
type candidate struct {
	sub    *subsection
	place  int // among the carrier's entries; -1 in another comment
	origin origin
	hand   *snapshot.Actor
}

// hand tells whether an account's hand counts as a maintainer's (A6): the role as it is now, and
// not the pull request's author's while the repository has another maintainer. why says what is
// missing.
func (j *judge) hand(a *snapshot.Actor) (ok bool, why string) {
	switch {
	case a == nil:
		return false, "by an account that is not known"
	case !j.Maintainer(a):
		return false, fmt.Sprintf("by %s, who is no maintainer", printable(a.Login))
	case j.isAuthor(a) && j.Maintainers != 1:
		return false, fmt.Sprintf("by %s, the author of the pull request, while the repository has another maintainer", printable(a.Login))
	}
	return true, ""
}

func (j *judge) counts(a *snapshot.Actor) bool {
	ok, _ := j.hand(a)
	return ok
}

func (j *judge) isAuthor(a *snapshot.Actor) bool {
	return a != nil && j.Author != nil && strings.EqualFold(a.Login, j.Author.Login)
}

// handOf finds whose hand a triage is: of the comment that it repeats (A12), else of the revision
// that introduced it. It reports the finding when the hand does not count.
func (j *judge) handOf(check string, c *candidate) *report.Diagnostic {
	why := ""
	if id := c.sub.get(triageComment); id != "" {
		of, reason := j.repeats(check, c.sub, id)
		if reason == "" {
			c.hand, c.origin = of.Author, origin{editor: of.Author, at: moment(of.CreatedAt), comment: of.ID}
			return nil
		}
		why = "; " + reason
	}
	editor := c.origin.editor
	if c.origin.unknown {
		editor = nil
	}
	ok, no := j.hand(editor)
	if ok {
		c.hand = editor
		return nil
	}
	j.roleUnknown(editor)
	d := report.New(report.CodeTriageNotMaintainer, fmt.Sprintf("%s of %s was written %s%s", c.sub.String(), check, no, why))
	d.Where = &c.sub.where
	d.Help = fmt.Sprintf("a maintainer writes it, for example as a comment: /triage %s attempt %d %s", check, c.sub.number, commandTail(c.sub))
	return &d
}

// commandTail is the rest of the command that would say the same.
func commandTail(t *subsection) string {
	class := t.get(triageClassification)
	if len(forms[class]) > 0 {
		return class + " REFERENCE because …"
	}
	if class == Pending {
		return class
	}
	return OneOff + " because …"
}

// repeats re-reads the comment whose /triage line a triage repeats (A12): it must be by a maintainer,
// never have been edited, and say the same. reason says what is not so.
func (j *judge) repeats(check string, t *subsection, id string) (c *comment, reason string) {
	n, err := strconv.ParseInt(id, 10, 64)
	if err != nil {
		return nil, "the id of the comment that it repeats cannot be read"
	}
	c = j.byID[n]
	switch {
	case c == nil || c.deleted:
		return nil, fmt.Sprintf("comment %s, which it repeats, is not there", id)
	case len(c.Revisions) > 1 || c.UpdatedAt != "" && c.CreatedAt != "" && c.UpdatedAt != c.CreatedAt:
		return nil, fmt.Sprintf("comment %s, which it repeats, was edited", id)
	}
	if ok, no := j.hand(c.Author); !ok {
		j.roleUnknown(c.Author)
		return nil, fmt.Sprintf("comment %s, which it repeats, was written %s", id, no)
	}
	for _, line := range j.commands(c) {
		if line.Err == nil && line.Command.says(check, t) {
			return c, ""
		}
	}
	return nil, fmt.Sprintf("comment %s, which it repeats, holds no /triage line that says the same", id)
}

// commands are the /triage lines of a comment, read once.
func (j *judge) commands(c *comment) []CommandLine {
	lines, done := j.commandsOf[c.ID]
	if !done {
		lines = Commands(c.Body)
		j.commandsOf[c.ID] = lines
	}
	return lines
}

// roleUnknown reports a role that could not be read where it would have decided.
func (j *judge) roleUnknown(a *snapshot.Actor) {
	if a == nil {
		return
	}
	if a.Permission == "" && j.unavailable("permissions") {
		j.needs("permissions", "whether "+printable(a.Login)+" is a maintainer")
	}
	if j.unavailable("teams") {
		j.needs("teams", "whether "+printable(a.Login)+" is a maintainer")
	}
}
