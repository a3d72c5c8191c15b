package memory

import (
	"slices"

	"github.com/evidence-gate/evidence-gate/app/store"
	"github.com/evidence-gate/evidence-gate/attempts"
	"github.com/evidence-gate/evidence-gate/report"
	"github.com/evidence-gate/evidence-gate/snapshot"
)

// key identifies a text of a comment.
type key struct {
	comment int64
	digest  string
}

func keyOf(c store.Carrier) key { return key{c.CommentID, c.Digest} }

// compare lists the records to make for the texts that are shown, and the known records whose texts
// need not be kept any longer: where the next text of the same comment begins with the history of the
// one before, that one stands for both. So an append-only history takes the room of its latest text. What
// another hand than the author's appended stands for nothing before it: else nobody could tell any more
// that the first text was the author's (section 10).
func compare(known, shown []store.Carrier) (fresh []store.Carrier, contained []int64) {
	recorded := map[key]store.Carrier{}
	latest := map[int64]store.Carrier{}
	for _, c := range known {
		recorded[keyOf(c)] = c
		latest[c.CommentID] = c
	}
	for _, c := range shown {
		before, again := recorded[keyOf(c)]
		if again && (before.Trusted || !c.Trusted) {
			continue
		}
		recorded[keyOf(c)] = c
		if again { // only its trust is new
			c.State = before.State
			fresh = append(fresh, c)
			continue
		}
		last, ok := latest[c.CommentID]
		if ok && !c.ByOther && last.State == store.Kept && (c.Trusted || !last.Trusted) && continues(last.Body, c.Body) {
			if last.ID != 0 {
				contained = append(contained, last.ID)
			} else {
				at := slices.IndexFunc(fresh, func(f store.Carrier) bool { return keyOf(f) == keyOf(last) })
				fresh[at].State = store.Contained
			}
		}
		fresh = append(fresh, c)
		latest[c.CommentID] = c
	}
	return fresh, contained
}

// continues asks the judge of attempts whether the later text of a comment takes nothing away from
// the earlier one: no attempt, no prediction, and no triage, whoever wrote it.
func continues(earlier, later string) bool {
	anybody := func(*snapshot.Actor) bool { return true }
	author, other := &snapshot.Actor{Login: "author"}, &snapshot.Actor{Login: "other"}
	judged := attempts.Judge(attempts.Facts{
		Stage: report.Review,
		Conversation: []snapshot.Comment{{
			ID: 1, Author: author, Body: later,
			Revisions: []snapshot.Revision{{Editor: author, Body: &earlier}, {Editor: other, Body: &later}},
		}},
		Maintainer: anybody, Trusted: anybody,
	})
	return !slices.ContainsFunc(judged.Diagnostics, func(d report.Diagnostic) bool {
		switch d.Code {
		case report.CodeCarrierRewritten, report.CodeCarrierHistoryErased, report.CodeDocumentTooLarge, report.CodeDocumentTooComplex:
			return true
		}
		return false
	})
}
