package attempts

import (
	"fmt"
	"slices"

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
	hidden    []event // all revisions whose text is gone
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
	p.record()
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
	events := p.j.acceptances().withAcceptances(p.c.events(), p.c.ID)
	current := len(events) - 1
	for current > 0 && events[current].what != written {
		current--
	}
	for i, e := range events {
		switch e.what {
		case written:
			p.text(e, i == current && !p.c.deleted)
		case erased:
			p.hide(e)
		case gone:
			p.feed(event{unknown: true}, reading{})
		case accepted:
			p.accept(e.action)
		}
	}
	p.acceptErased()
}

// hide keeps a revision whose text is gone.
func (p *pastReader) hide(e event) {
	p.erased, p.hidden = append(p.erased, e), append(p.hidden, e)
	p.acceptErased()
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
		p.hide(e)
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
		p.acceptNamed(p.before)
	}
	if now.check != "" {
		p.histories[now].text(e, p.sequence, r.entries, p.j.counts)
		p.acceptNamed(now)
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

// fileTriage files the triage of a triage comment (A6). Nothing counts of one whose form is broken: it
// is not certain what it says.
func (j *judge) fileTriage(c *comment, check string, r reading, h *history) {
	k := j.caseOf(check)
	var found []candidate
	for _, s := range r.entries {
		if s.kind == kindTriage {
			found = append(found, candidate{sub: s, place: -1, origin: h.triage[s.identity()].origin})
		}
	}
	if !j.counts(c.Author) && len(found) == 0 {
		return // a comment of somebody else that triages nothing
	}
	at := &report.Where{Document: c.document()}
	if len(r.markers) > 0 {
		at = &r.markers[0].where
	}
	switch {
	case r.broken:
		j.add(brokenTriage(check, r.faults, at))
	case len(found) > 0:
		k.triage = append(k.triage, found...)
	default:
		d := report.New(report.CodeTriageFieldMissing, fmt.Sprintf("the triage comment of %s has no subsection %q", check, "#### Triage for attempt 1"))
		d.Where, d.Help = at, triageHelp(check)
		j.add(d)
	}
	if r.extra || len(found) < len(r.entries) || slices.ContainsFunc(found, func(f candidate) bool { return f.sub.extra }) {
		d := report.New(report.CodeTriageTextIgnored, fmt.Sprintf("the triage comment of %s holds more than triage; the rest is ignored", check))
		d.Where = at
		j.add(d)
	}
}

// brokenTriage says why a triage comment does not count. A part that is there and cannot be read, as
// for an invisible character in it (M5), is invalid; else something is missing.
func brokenTriage(check string, faults []report.Diagnostic, at *report.Where) report.Diagnostic {
	fault := faults[slices.IndexFunc(faults, func(d report.Diagnostic) bool { return d.Code != report.CodeSectionLevel })]
	code, help := report.CodeTriageFieldMissing, triageHelp(check)
	if fault.Code == report.CodeTextInvisibleCharacter {
		code, help = report.CodeTriageFieldInvalid, fault.Help
	}
	d := report.New(code, fmt.Sprintf("the triage comment of %s does not count: %s", check, fault.Message))
	d.Help, d.Where = help, at
	if fault.Where != nil {
		d.Where = fault.Where
	}
	return d
}

func triageHelp(check string) string {
	return fmt.Sprintf("below the marker write: ## %s, ### %s, #### Triage for attempt 1", SectionName, check)
}
