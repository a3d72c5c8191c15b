package checks

import (
	"fmt"
	"slices"
	"strings"

	"github.com/evidence-gate/evidence-gate/internal/checkline"
	"github.com/evidence-gate/evidence-gate/prbody"
	"github.com/evidence-gate/evidence-gate/report"
)

// matcher matches the entries of one body with the checks of one contract (section 5).
type matcher struct {
	e           *evaluation
	ev          prbody.Evidence
	head        string
	byID        map[string]int // id -> entry
	byKey       map[string]int // match key of entries without id -> entry
	byKeyWithID map[string]*RequiredCheck
	used        []bool          // per entry
	entries     []*prbody.Entry // per check
	statuses    statusIndex
	lookalikes  map[string]prbody.Lookalike // read once a check has no entry
	unbound     bool                        // the section is for another commit, so no entry proves anything for the head
	lacking     bool                        // a check lacks proof
	searched    int                         // unknown entries whose closest check was looked for
}

func newMatcher(e *evaluation, ev prbody.Evidence) *matcher {
	m := &matcher{e: e, ev: ev, head: e.snapshot.PullRequest.HeadSHA, byID: make(map[string]int, len(ev.Entries)), byKey: map[string]int{},
		used: make([]bool, len(ev.Entries)), statuses: indexStatuses(e.snapshot)}
	for i := len(ev.Entries) - 1; i >= 0; i-- { // the first of several entries stands
		if c := ev.Entries[i].Check; c.ID != "" {
			m.byID[c.ID] = i
		} else if c.Key != "" {
			m.byKey[c.Key] = i
		}
	}
	if e.contract == nil {
		return m
	}
	m.entries = make([]*prbody.Entry, len(e.contract.Checks))
	m.byKeyWithID = make(map[string]*RequiredCheck, len(e.contract.Checks))
	for i := range e.contract.Checks {
		c := &e.contract.Checks[i]
		if c.ID != "" {
			m.byKeyWithID[c.line.Key] = c
		}
		if k, ok := m.find(c); ok {
			m.entries[i], m.used[k] = &ev.Entries[k], true
		}
	}
	for i := range ev.Entries { // doubled entries were reported as such
		if k, ok := m.byID[ev.Entries[i].Check.ID]; ok && m.used[k] {
			m.used[i] = true
		} else if k, ok := m.byKey[ev.Entries[i].Check.Key]; ok && ev.Entries[i].Check.ID == "" && m.used[k] {
			m.used[i] = true
		}
	}
	return m
}

// find is rule 1: by id when the check has one, else by match key.
func (m *matcher) find(c *RequiredCheck) (int, bool) {
	if c.ID != "" {
		i, ok := m.byID[c.ID]
		return i, ok
	}
	i, ok := m.byKey[c.line.Key]
	return i, ok
}

// proof is the judgement of one check under way.
type proof struct {
	m      *matcher
	check  *RequiredCheck
	entry  *prbody.Entry
	out    report.Check
	source string // of the entry

	triaged bool // a maintainer's final triage stands in for the pass (A9)
}

// judge judges one check: the first rule that fails reports, and the check is unsatisfied.
func (m *matcher) judge(c *RequiredCheck) report.Check {
	p := &proof{m: m, check: c, out: report.Check{Text: c.Text, Kind: c.Kind, Command: c.Command, Observations: []report.Observation{}, Fact: m.e.facts.For(c.Command)}}
	if c.ID != "" {
		p.out.ID = pointer(c.ID)
	}
	if i, ok := m.find(c); ok {
		p.entry = &m.ev.Entries[i]
	}
	p.out.Satisfied = p.judged() && p.prove() && (p.entry == nil || !m.unbound)
	if p.out.Satisfied {
		p.label()
	} else {
		p.out.TrustLabel = nil
		m.lacking = true
	}
	return p.out
}

func (p *proof) prove() bool {
	if p.entry == nil {
		return p.withoutEntry()
	}
	p.show()
	if p.entry.Broken {
		return false // reported as it was read (E1 to E3, E5)
	}
	if !(p.kind() && p.sourceAllowed() && p.sourceVerified() && p.command() && p.observations() &&
		p.implementation() && p.topology() && p.verdict() && p.method()) {
		return false
	}
	p.textDiffers()
	return p.status()
}

func (p *proof) add(d report.Diagnostic) {
	d.Check = pointer(p.check.Name())
	p.m.e.add(d)
}

// refuse reports one failure of the entry and returns false.
func (p *proof) refuse(d report.Diagnostic, w report.Where) bool {
	p.add(at(d, w))
	return false
}

// show copies what the entry says into the Report.
func (p *proof) show() {
	if v := p.entry.Verdict; v != nil {
		if word, ok := v.Verdict(); ok {
			p.out.Verdict = pointer(string(word))
		}
	}
	if ev := p.entry.Evidence; ev != nil {
		p.out.Evidence = ev.Text
	}
	for _, o := range p.entry.Observations {
		p.out.Observations = append(p.out.Observations, report.Observation{Name: o.Name.Text, Level: text(o.Level), Result: text(o.Result), Artifact: text(o.Artifact), Source: text(o.Source)})
	}
	p.source = PRBody
	if s := p.entry.Source; s != nil {
		p.source = checkline.Fold(s.Text)
	}
	p.out.Source = pointer(p.source)
}

func text(v *prbody.Value) string {
	if v == nil {
		return ""
	}
	return v.Text
}

// kind is rule 2: the kind of the entry from its own shape.
func (p *proof) kind() bool {
	shape := Manual
	if len(p.entry.Check.Code) > 0 {
		shape = Command
	}
	if p.entry.Kind == nil {
		switch {
		case !p.check.Declared && shape == p.check.Kind, p.check.Kind == Command && shape == Command:
			return true
		case p.check.Declared && p.check.Kind != Command && shape != Command:
			d := report.New(report.CodeEvidenceKindMissing, fmt.Sprintf("%s is declared as %s, and the entry does not say so", p.check.Name(), p.check.Kind))
			d.Help = "Kind: " + p.check.Kind
			return p.refuse(d, p.entry.Where)
		}
		return p.kindMismatch(shape, p.entry.Where)
	}
	written := checkline.Fold(p.entry.Kind.Text)
	switch {
	case !slices.Contains(kinds, written):
		d := report.New(report.CodeEvidenceKindInvalid, fmt.Sprintf("%s is no kind; it is one of %s", quoteOrNothing(p.entry.Kind.Text), strings.Join(kinds, ", ")))
		d.Help = "Kind: " + p.check.Kind
		return p.refuse(d, p.entry.Kind.Where)
	case written != p.check.Kind:
		return p.kindMismatch(written, p.entry.Kind.Where)
	case written != Command && !p.spansKnown():
		return p.kindMismatch(Command, p.entry.Where)
	}
	return true
}

func (p *proof) kindMismatch(found string, w report.Where) bool {
	message := fmt.Sprintf("%s is %s, but the entry is %s", p.check.Name(), aKind(p.check.Kind), aKind(found))
	help := "Kind: " + p.check.Kind
	if p.check.Kind == Command {
		message += ": its check text has no code span"
		help = p.checkLine()
	} else if found == Command {
		message += ": its check text has a code span"
		help = p.checkLine()
	}
	d := report.New(report.CodeEvidenceKindMismatch, message)
	d.Help = help
	d.Details = map[string]any{"expected_kind": p.check.Kind, "found_kind": found}
	return p.refuse(d, w)
}

func aKind(kind string) string {
	switch kind {
	case Command:
		return "a command"
	case Manual:
		return "a manual check"
	default:
		return "a contract proof"
	}
}

// checkLine is the first line that the entry should have.
func (p *proof) checkLine() string { return "- Required check: " + declaredText(*p.check) }

// spansKnown reports whether every code span of the entry is one of the check's.
func (p *proof) spansKnown() bool {
	known := map[string]bool{}
	for _, span := range p.check.line.Commands() {
		known[span] = true
	}
	for _, span := range p.entry.Check.Commands() {
		if !known[span] {
			return false
		}
	}
	return true
}

// sourceAllowed is rule 3.
func (p *proof) sourceAllowed() bool {
	w := p.entry.Where
	if p.entry.Source != nil {
		w = p.entry.Source.Where
	}
	switch {
	case !slices.Contains(sources, p.source):
		d := report.New(report.CodeEvidenceSourceInvalid, fmt.Sprintf("%s is no source; it is one of %s", quoteOrNothing(p.entry.Source.Text), strings.Join(sources, ", ")))
		d.Help = "Source: " + p.check.Sources[0]
		return p.refuse(d, w)
	case !p.check.allows(p.source):
		d := report.New(report.CodeEvidenceSourceNotAllowed, fmt.Sprintf("%s takes proof from %s, not from %s", p.check.Name(), strings.Join(p.check.Sources, " or "), p.source))
		d.Help = "Source: " + p.check.Sources[0]
		d.Details = map[string]any{"allowed_sources": p.check.Sources, "found_source": p.source}
		return p.refuse(d, w)
	}
	return true
}

// command is rule 4: the entry carries the check's command, and no other code than the check's.
func (p *proof) command() bool {
	if p.check.Command == "" {
		return true
	}
	if len(p.entry.Check.Code) == 0 {
		d := report.New(report.CodeEvidenceCommandMissing, fmt.Sprintf("the entry for %s does not show its command `%s`", p.check.Name(), firstWords(p.check.Command)))
		d.Help = p.checkLine()
		return p.refuse(d, p.entry.Where)
	}
	if len(p.entry.Check.Code) == 1 && p.entry.Check.Command() == p.check.Command {
		return true
	}
	carried, other := false, ""
	command, known := newCommands(p.check.Command), newCommands(p.check.line.Commands()...)
	for _, shown := range p.entry.Check.Commands() {
		if command.has(shown) {
			carried = true
		} else if other == "" && !known.has(shown) {
			other = shown
		}
	}
	if carried && other == "" {
		return true
	}
	if other == "" {
		other = p.entry.Check.Command()
	}
	d := report.New(report.CodeEvidenceCommandMismatch, fmt.Sprintf(
		"the entry shows `%s`, but the command of %s is `%s`; only quoting, an absolute folder, .exe and a runtime's version may differ",
		firstWords(other), p.check.Name(), firstWords(p.check.Command)))
	d.Help = p.checkLine()
	d.Details = map[string]any{"expected_command": p.check.Command, "found_command": other}
	return p.refuse(d, p.entry.Where)
}

// implementation is rule 6.
func (p *proof) implementation() bool {
	given := p.entry.Implementation
	if given == nil {
		if !p.check.Declared || p.check.Kind == Command {
			return true
		}
		return p.refuse(shaDiagnostic("artifact.", "the Implementation head of "+p.check.Name(), "Implementation head", prbody.Missing, "", p.m.head), p.entry.Where)
	}
	fault := prbody.CompareSHA(given.SHA(), p.m.head)
	if fault == prbody.NoFault {
		return true
	}
	return p.refuse(shaDiagnostic("artifact.", "the Implementation head of "+p.check.Name(), "Implementation head", fault, given.SHA(), p.m.head), given.Where)
}

// topology refuses proof that ran on another tree than the check asks for (section 12).
func (p *proof) topology() bool {
	found := laneFinal
	w := p.entry.Where
	if t := p.entry.Topology; t != nil {
		found, w = checkline.Fold(t.Text), t.Where
	}
	if found == laneFinal {
		return true
	}
	d := report.New(report.CodeEvidenceTopologyMismatch, fmt.Sprintf("the proof ran on %s, but %s asks for %s", quoteOrNothing(found), p.check.Name(), laneFinal))
	d.Help = "run the check on the head commit and write Topology: lane-final, or leave the field out"
	return p.refuse(d, w)
}

// textDiffers warns when an entry found by its id tells of another check (rule 1).
func (p *proof) textDiffers() {
	if p.check.ID == "" || p.entry.Check.Key == p.check.line.Key || p.entry.Check.Frame() == p.check.line.Frame() {
		return
	}
	d := report.New(report.CodeEntryTextDiffers, fmt.Sprintf("the entry's text differs from the one declared for %s: %q", p.check.ID, firstWords(p.check.Text)))
	d.Help = p.checkLine()
	p.add(at(d, p.entry.Where))
}
