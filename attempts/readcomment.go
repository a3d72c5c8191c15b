package attempts

import (
	"fmt"

	"github.com/evidence-gate/evidence-gate/report"
)

// subject is what a text of a comment is about: the attempts or the triage of a check.
type subject struct {
	triage bool
	check  string
}

// pastReader reads the texts of one comment in order.
type pastReader struct {
	j         *judge
	c         *comment
	trusted   bool
	outline   *outline // of the text before
	current   reading
	trailer   bool
	unread    error // why the current text could not be read
	histories map[subject]*history
	order     []subject
	before    subject // of the text before
	sequence  int     // of the texts
	erased    []event // revisions whose text is gone, and nobody accepted it
}

// readComment reads a comment with its past and files what it says under its checks.
func (j *judge) readComment(c *comment) {
	p := pastReader{j: j, c: c, trusted: j.trusted(c), histories: map[subject]*history{}}
	p.events()
	if p.unread != nil {
		if p.trusted {
			j.refused(c, p.unread)
		}
		return
	}
	p.file()
	if len(p.erased) > 0 && p.trusted && p.wasCarrier() {
		j.historyErased(c, p.erased)
	}
}

func (p *pastReader) wasCarrier() bool {
	for s := range p.histories {
		if !s.triage {
			return true
		}
	}
	return false
}

func (p *pastReader) events() {
	events := withAcceptances(p.c.events(), p.j.acceptances(p.c.ID))
	current := len(events) - 1
	for current > 0 && events[current].what != written {
		current--
	}
	for i, e := range events {
		switch e.what {
		case written:
			p.text(e, i == current && !p.c.deleted)
		case erased:
			p.erased = append(p.erased, e)
		case gone:
			p.feed(event{unknown: true}, reading{})
		case accepted:
			p.accept(e.action)
		}
	}
	p.acceptByDigest(events)
}

// text reads one text. Earlier ones are read where they differ from the one before; the current one
// is read whole, since diagnostics point into it.
func (p *pastReader) text(e event, current bool) {
	o, err := p.read(*e.text, current)
	switch {
	case err == nil:
	case current:
		p.unread = err
		return
	default:
		p.erased = append(p.erased, e)
		return
	}
	p.outline = o
	r := understand(o)
	if current {
		p.current, p.trailer = r, o.trailer
	}
	p.feed(e, r)
}

func (p *pastReader) read(text string, current bool) (*outline, error) {
	switch {
	case !current && p.outline != nil:
		return p.j.next(p.outline, text)
	case !p.j.carriers.spend(text):
		return nil, errAllowance
	case current:
		return readOutline(p.c.document(), text)
	}
	return readPast(text)
}

// feed gives one reading to the history of its subject, and to that of the text before, of which
// nothing may be left.
func (p *pastReader) feed(e event, r reading) {
	now := subject{check: r.check}
	if r.triages != "" {
		now = subject{triage: true, check: r.triages}
	}
	if now.check != "" && p.histories[now] == nil {
		p.histories[now] = newHistory(p.c.ID)
		p.order = append(p.order, now)
	}
	p.sequence++
	if p.before != now && p.before.check != "" {
		p.histories[p.before].text(e, p.sequence, nil, p.j.counts)
	}
	if now.check != "" {
		p.histories[now].text(e, p.sequence, r.entries, p.j.counts)
	}
	p.before = now
}

// file files the comment under its checks.
func (p *pastReader) file() {
	for _, s := range p.order {
		h := p.histories[s]
		switch now := !p.c.deleted && (p.current.check == s.check && !s.triage || p.current.triages == s.check && s.triage); {
		case s.triage && now:
			p.j.fileTriage(p.c, s.check, p.current, h)
		case s.triage:
		case !p.trusted && now:
			p.j.untrusted(p.c)
		case !p.trusted:
		case now:
			k := p.j.caseOf(s.check)
			k.carriers = append(k.carriers, &carrier{comment: p.c, reading: p.current, trailer: p.trailer, history: h})
		case len(h.lost()) > 0:
			k := p.j.caseOf(s.check)
			k.lapsed = append(k.lapsed, &carrier{comment: p.c, history: h})
		}
	}
}

// fileTriage files the triage of a triage comment (A6).
func (j *judge) fileTriage(c *comment, check string, r reading, h *history) {
	k := j.caseOf(check)
	found := 0
	for _, s := range r.entries {
		if s.kind == kindTriage {
			found++
			k.triage = append(k.triage, candidate{sub: s, place: -1, origin: h.triage[s.identity()].origin})
		}
	}
	if !j.counts(c.Author) && found == 0 {
		return // a comment of somebody else that triages nothing
	}
	at := &report.Where{Document: c.document()}
	if len(r.markers) > 0 {
		at = &r.markers[0].where
	}
	if r.broken || found == 0 {
		message := fmt.Sprintf("the triage comment of %s has no subsection %q", check, "#### Triage for attempt 1")
		if r.broken {
			message = fmt.Sprintf("the triage comment of %s does not count: %s", check, r.faults[0].Message)
		}
		d := report.New(report.CodeTriageFieldMissing, message)
		d.Where, d.Help = at, fmt.Sprintf("below the marker write: ## %s, ### %s, #### Triage for attempt 1", SectionName, check)
		j.add(d)
	}
	if r.extra || found < len(r.entries) {
		d := report.New(report.CodeTriageTextIgnored, fmt.Sprintf("the triage comment of %s holds more than triage; the rest is ignored", check))
		d.Where = at
		j.add(d)
	}
}
