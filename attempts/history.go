package attempts

import (
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strings"
	"time"

	"github.com/evidence-gate/evidence-gate/report"
	"github.com/evidence-gate/evidence-gate/snapshot"
)

// history is the append-only machine of one check in one comment (A7). It is fed every event of the
// comment in order.
type history struct {
	comment  int64
	kept     []*subsection // the longest sequence of well-formed attempts and predictions so far
	owed     []*subsection // triage by a maintainer's hand that stood here
	entries  []*subsection // of the last text
	now      []*subsection // of them, the well-formed attempts and predictions
	broken   *event        // from which on the text does not begin with kept
	first    map[string]origin
	triage   map[string]*held
	owing    map[string]bool
	sequence int
}

// origin is where an entry came from: the text that introduced it.
type origin struct {
	editor   *snapshot.Actor
	unknown  bool // the editor is not known
	at       time.Time
	comment  int64
	sequence int // among the events of the comment
}

// after reports whether o is known to be later than other.
func (o origin) after(other origin) bool {
	if o.comment == other.comment {
		return o.sequence > other.sequence
	}
	return !o.at.IsZero() && !other.at.IsZero() && o.at.After(other.at)
}

// held is a triage and whose hand it is. One that a maintainer took away has no hand any more.
type held struct {
	origin    origin
	last      int // sequence of the last text that held it
	withdrawn bool
}

func newHistory(comment int64) *history {
	return &history{comment: comment, first: map[string]origin{}, triage: map[string]*held{}, owing: map[string]bool{}}
}

// text feeds one text: its place among the comment's, its entries, and who wrote it. hand tells whose
// hand counts as a maintainer's. Of texts in a row that hold nothing of the check the first is enough.
func (h *history) text(e event, sequence int, entries []*subsection, hand func(*snapshot.Actor) bool) {
	h.sequence = sequence
	from := origin{editor: e.editor, unknown: e.unknown, at: e.at, comment: h.comment, sequence: h.sequence}
	h.introduce(from, entries)
	h.triages(from, entries, hand)
	h.entries, h.now = entries, wellFormed(entries)
	if begins(h.now, h.kept) {
		h.kept, h.broken = h.now, nil
	} else if h.broken == nil {
		h.broken = &e
	}
}

// introduce remembers which text first held each attempt.
func (h *history) introduce(from origin, entries []*subsection) {
	for i, s := range entries {
		if s.kind != kindAttempt || i < len(h.entries) && h.entries[i] == s {
			continue
		}
		if _, known := h.first[s.identity()]; !known {
			h.first[s.identity()] = from
		}
	}
}

// triages remembers whose hand introduced each triage. One that was lost and put back keeps its
// hand, unless a maintainer took it away.
func (h *history) triages(from origin, entries []*subsection, hand func(*snapshot.Actor) bool) {
	for _, s := range entries {
		if s.kind != kindTriage {
			continue
		}
		id := s.identity()
		known := h.triage[id]
		if known == nil || known.withdrawn {
			known = &held{origin: from}
			h.triage[id] = known
			if len(s.faults) == 0 && (from.unknown || hand(from.editor)) && !h.owing[id] {
				h.owed, h.owing[id] = append(h.owed, s), true
			}
		}
		known.last = from.sequence
	}
	if len(h.owed) > 0 && !from.unknown && hand(from.editor) {
		h.release(func(known *held) bool {
			return known.last == from.sequence-1 && sameHand(known.origin, from)
		})
	}
	if len(h.triage) > 0 && !from.unknown && hand(from.editor) {
		for _, known := range h.triage {
			known.withdrawn = known.withdrawn || known.last == from.sequence-1
		}
	}
}

// lost are the entries of the history with which the last text does not begin, and the triage of
// maintainers that it no longer holds.
func (h *history) lost() []*subsection {
	var out []*subsection
	if !begins(h.now, h.kept) {
		i := 0
		for i < len(h.now) && same(h.now[i], h.kept[i]) {
			i++
		}
		out = append(out, h.kept[i:]...)
	}
	for _, s := range h.owed {
		if h.triage[s.identity()].last < h.sequence {
			out = append(out, s)
		}
	}
	return out
}

// forgive makes the last text the history.
func (h *history) forgive() {
	h.kept, h.broken = h.now, nil
	h.release(func(known *held) bool { return known.last < h.sequence })
}

// release takes triage from what is owed. A maintainer's own triage is that maintainer's word, which a
// later one takes back or replaces; nobody else's revision does.
func (h *history) release(which func(*held) bool) {
	h.owed = slices.DeleteFunc(h.owed, func(s *subsection) bool {
		gone := which(h.triage[s.identity()])
		if gone {
			delete(h.owing, s.identity())
		}
		return gone
	})
}

// sameHand reports whether two texts are known to be by one account.
func sameHand(a, b origin) bool {
	return a.hand() != nil && b.hand() != nil && strings.EqualFold(a.editor.Login, b.editor.Login)
}

// wellFormed are the attempts and predictions without a fault (A3, A4); others are no history.
func wellFormed(entries []*subsection) []*subsection {
	var bad map[int]bool
	lookAmong(entries, func(i int, _ report.Code, _ string, _ ...any) {
		if bad == nil {
			bad = map[int]bool{}
		}
		bad[i] = true
	})
	out := make([]*subsection, 0, len(entries))
	for i, s := range entries {
		if !bad[i] && len(s.faults) == 0 && (s.kind == kindAttempt || s.kind == kindPrediction) {
			out = append(out, s)
		}
	}
	return out
}

func same(a, b *subsection) bool { return a == b || a.identity() == b.identity() }

// begins reports whether a sequence of entries begins with another.
func begins(entries, with []*subsection) bool {
	return len(entries) >= len(with) && slices.EqualFunc(entries[:len(with)], with, same)
}

// shelf is what a carrier holds, to find there what another comment lost. Numbers may differ, since
// an entry that moves to another carrier takes a new one there (A7).
type shelf struct {
	places map[string][]int // of attempts and predictions, by what they say
	triage map[string]int   // how often each triage stands there
}

func newShelf(entries []*subsection) shelf {
	s := shelf{places: map[string][]int{}, triage: map[string]int{}}
	for i, e := range entries {
		if content := e.content(); e.kind == kindTriage {
			s.triage[content]++
		} else {
			s.places[content] = append(s.places[content], i)
		}
	}
	return s
}

// holds reports whether all entries stand on the shelf: attempts and predictions in their order,
// triage anywhere.
func (s shelf) holds(entries []*subsection) bool {
	at, taken := -1, map[string]int{}
	for _, e := range entries {
		content := e.content()
		if e.kind == kindTriage {
			if taken[content]++; taken[content] > s.triage[content] {
				return false
			}
			continue
		}
		places := s.places[content]
		next, _ := slices.BinarySearch(places, at+1)
		if next == len(places) {
			return false
		}
		at = places[next]
	}
	return true
}

// has reports whether all entries stand on the shelf in any order.
func (s shelf) has(entries []*subsection) bool {
	for _, e := range entries {
		content := e.content()
		if len(s.places[content]) == 0 && s.triage[content] == 0 {
			return false
		}
	}
	return true
}

// digest identifies lost entries: sha-256 over what they say, whatever their white space.
func digest(lost []*subsection) string {
	sum := sha256.New()
	for _, s := range lost {
		sum.Write([]byte(s.identity()))
		sum.Write([]byte{'\n'})
	}
	return "sha256:" + hex.EncodeToString(sum.Sum(nil))
}
