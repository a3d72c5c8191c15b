package attempts

import (
	"cmp"
	"slices"
	"strings"

	"github.com/evidence-gate/evidence-gate/snapshot"
)

// Recorder is an account that recorded attempts of a check, in some comment that is or was a carrier
// (section 10). It stays one wherever the attempts stand now, and when they are gone.
type Recorder struct {
	Actor   *snapshot.Actor // nil: it is not known who did
	Check   string
	Comment int64
}

// record notes who recorded attempts in a comment: its author, whoever introduced one, and whoever
// wrote a text that is gone, since it may have held one. A hand that is not known may be anybody's,
// unless the comment is a stranger's, who could not bar others from a review in that way.
func (p *pastReader) record() {
	check := ""
	for _, s := range p.order {
		h := p.histories[s]
		if s.triage || !p.trusted && len(h.first) == 0 {
			continue
		}
		check = cmp.Or(check, s.check)
		p.recorder(s.check, p.c.Author)
		for _, from := range h.origins() {
			if p.c.deleted && from.unknown && from.sequence == 1 {
				continue // the first text that the service saw is its author's
			}
			p.recorder(s.check, from.hand())
		}
	}
	if check == "" {
		return
	}
	for _, e := range p.hidden {
		p.recorder(check, origin{editor: e.editor, unknown: e.unknown}.hand())
	}
}

func (p *pastReader) recorder(check string, a *snapshot.Actor) {
	if a != nil || p.trusted {
		p.j.recorder(Recorder{Actor: a, Check: check, Comment: p.c.ID})
	}
}

// origins are the texts that introduced attempts, in the order of the comment.
func (h *history) origins() []origin {
	out := make([]origin, 0, len(h.first))
	for _, from := range h.first {
		out = append(out, from)
	}
	slices.SortFunc(out, func(a, b origin) int { return cmp.Compare(a.sequence, b.sequence) })
	return slices.CompactFunc(out, func(a, b origin) bool { return a.sequence == b.sequence })
}

// hand is the account that wrote the text; nil when it is not known.
func (o origin) hand() *snapshot.Actor {
	if o.unknown {
		return nil
	}
	return o.editor
}

// strangersRecord notes who recorded attempts in a comment whose carriers do not count: a listed agent
// may review without being trusted, and another may have taken the attempts over.
func (j *judge) strangersRecord(c *comment, check string) {
	for _, a := range append([]*snapshot.Actor{c.Author}, editors(c)...) {
		if a != nil {
			j.recorder(Recorder{Actor: a, Check: check, Comment: c.ID})
		}
	}
}

func editors(c *comment) []*snapshot.Actor {
	out := make([]*snapshot.Actor, 0, len(c.Revisions))
	for _, r := range c.Revisions {
		out = append(out, r.Editor)
	}
	return out
}

// recorder keeps a recorder, each account once for each check.
func (j *judge) recorder(r Recorder) {
	login := ""
	if r.Actor != nil {
		login = strings.ToLower(r.Actor.Login)
	}
	key := r.Check + "\x1f" + login
	if j.met == nil {
		j.met, j.recorders = map[string]bool{}, map[string][]Recorder{}
	}
	if !j.met[key] {
		j.met[key] = true
		j.result.Recorders = append(j.result.Recorders, r)
		j.recorders[r.Check] = append(j.recorders[r.Check], r)
	}
}
