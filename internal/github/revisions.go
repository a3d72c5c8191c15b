package github

import (
	"slices"
	"strings"
	"time"

	"github.com/evidence-gate/evidence-gate/snapshot"
)

// text is a document as it stands, with its creation.
type text struct {
	body      string
	createdAt string
	author    *actorNode
}

const unreadableHistory = "GitHub shows earlier texts to tokens with write access only: use a token that may write to the repository"

// revisions is the one mapping from userContentEdits to a history, oldest first and the current
// text last (design section 18). Each edit's diff is the whole text of that revision. The creation
// is among the edits as soon as there is another; a text that was never edited has none. A diff is
// null when the revision was erased, and then deletedAt is set, or when this token may not see it:
// then the history is not readable.
func revisions(now text, edits []editNode) (history []snapshot.Revision, readable bool) {
	created := snapshot.Revision{Editor: actor(now.author), EditedAt: now.createdAt, Body: &now.body}
	if len(edits) == 0 {
		return []snapshot.Revision{created}, true
	}
	readable = true
	for _, e := range oldestFirst(edits) {
		r := snapshot.Revision{Editor: actor(e.Editor), EditedAt: e.EditedAt, Body: e.Diff}
		r.Erased = e.Diff == nil && e.DeletedAt != nil
		history = append(history, r)
	}
	last := &history[len(history)-1]
	switch {
	case last.Body == nil && !last.Erased:
		last.Body = &now.body
	case last.Body == nil || !sameText(*last.Body, now.body):
		// Nobody is known to have written the current text: no editor, so nobody is trusted for it.
		history = append(history, snapshot.Revision{EditedAt: last.EditedAt, Body: &now.body})
	}
	for _, r := range history {
		readable = readable && (r.Body != nil || r.Erased)
	}
	return history, readable
}

// oldestFirst orders by editedAt. GitHub lists the newest first and times have whole seconds, so
// edits of one second keep GitHub's order turned round.
func oldestFirst(edits []editNode) []editNode {
	ordered := slices.Clone(edits)
	slices.Reverse(ordered)
	slices.SortStableFunc(ordered, func(a, b editNode) int {
		x, errX := time.Parse(time.RFC3339, a.EditedAt)
		y, errY := time.Parse(time.RFC3339, b.EditedAt)
		if errX != nil || errY != nil {
			return strings.Compare(a.EditedAt, b.EditedAt)
		}
		return x.Compare(y)
	})
	return ordered
}

// sameText compares as Markdown does: a line break is one whatever its form (M1).
func sameText(a, b string) bool {
	lines := strings.NewReplacer("\r\n", "\n", "\r", "\n")
	return lines.Replace(a) == lines.Replace(b)
}
