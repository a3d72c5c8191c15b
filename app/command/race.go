package command

import (
	"regexp"

	"github.com/evidence-gate/evidence-gate/attempts"
	"github.com/evidence-gate/evidence-gate/snapshot"
)

// step is what has to be done to a carrier: nothing any more, or writing the triage below base.
type step struct {
	done bool
	base string
	note string
}

// lostEdit is said when an edit that the App overwrote could not be put back, since somebody edited the
// comment once more.
const lostEdit = "An edit of the carrier that was made at the same moment is not in it any more: take what it added from the history of that comment."

// next decides by the carrier's history alone, so that it does not matter whether this process wrote
// before or one that was killed since. A revision is ours when the App wrote it and it names the
// comment; nobody else's text counts as the triage.
func (a appending) next(carrier snapshot.Comment) step {
	history := carrier.Revisions
	ours := a.lastOurs(history)
	if ours < 0 {
		return step{base: carrier.Body}
	}
	overwritten := a.overwritten(history, ours)
	switch last := len(history) - 1; {
	case overwritten == nil && a.names(carrier.Body):
		return step{done: true}
	case overwritten == nil:
		return step{base: carrier.Body}
	case ours == last:
		return step{base: *overwritten.Body}
	case a.names(carrier.Body):
		return step{done: true, note: lostEdit}
	}
	return step{base: carrier.Body, note: lostEdit}
}

func (a appending) lastOurs(history []snapshot.Revision) int {
	for i := len(history) - 1; i >= 0; i-- {
		if a.isOurs(history[i]) {
			return i
		}
	}
	return -1
}

func (a appending) isOurs(r snapshot.Revision) bool {
	return r.Body != nil && isOwn(r.Editor, a.App) && a.names(*r.Body)
}

// overwritten is the last text that stood between the one that our revision was made from and our
// revision: it was written after we had read, and our write took it away.
func (a appending) overwritten(history []snapshot.Revision, ours int) *snapshot.Revision {
	var latest *snapshot.Revision
	for i := ours - 1; i >= 0; i-- {
		r := history[i]
		if r.Body == nil || a.isOurs(r) {
			continue
		}
		if draft, err := attempts.AppendTriage(*r.Body, a.triage, a.Known); err == nil && draft.Body == *history[ours].Body {
			return latest
		}
		if latest == nil {
			latest = &history[i]
		}
	}
	return nil // made from no text that is known, by another version perhaps
}

// names reports whether a text has a triage that names the comment.
func (a appending) names(text string) bool {
	return regexp.MustCompile(`(?mi)^[ \t]*[-*+][ \t]+[*_]*Comment[*_]*:[*_]*[ \t]*` + regexp.QuoteMeta(a.triage.Comment) + `[ \t\r]*$`).MatchString(text)
}
