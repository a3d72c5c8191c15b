package prbody

import (
	"fmt"
	"strings"

	"github.com/evidence-gate/evidence-gate/internal/checkline"
	"github.com/evidence-gate/evidence-gate/internal/markdown"
	"github.com/evidence-gate/evidence-gate/report"
)

// entry reads one entry: a list item whose first line is labelled `Required check:` (E1, E2).
func (r *reader) entry(item markdown.Block) {
	e := entryReader{r: r}
	task, before := item.Task(), len(r.invisibles)
	e.walk(item, true)
	e.finish()
	if len(r.invisibles) > before {
		e.entry.Broken = true // what it says is not certain (M5)
	}
	if task == " " {
		e.broken(report.CodeEntryUnchecked, fmt.Sprintf("the task box of the entry for %s is not ticked", e.entry.Name()),
			"- [x] Required check: "+checkline.Whole(e.entry.Check.Line), e.entry.Where)
	}
	r.ev.Entries = append(r.ev.Entries, e.entry)
}

// entryReader collects the fields of one entry.
type entryReader struct {
	r      *reader
	entry  Entry
	seen   [fieldCount]int // line in which a field of the entry was given, 0 for none
	inside [fieldCount]int // likewise for the record at hand
	record *Observation
	open   field           // whose text goes on
	lines  []markdown.Line // text of the open field
	raw    []string        // what stands below it: nested items and fences
	web    bool            // what stands below it holds a link to a web address
	label  markdown.Line   // the open field's label
	under  bool            // nested items and fences still belong to the open field
}

// walk reads the blocks of an item. Labels count on every line of the entry's own paragraphs, and
// in a nested item on its first line and, when that has one, on the lines after it.
func (e *entryReader) walk(item markdown.Block, top bool) {
	for i, b := range item.Children() {
		switch b.Kind() {
		case markdown.Paragraph:
			e.paragraph(b.Lines(), top, i == 0)
		case markdown.List:
			for _, nested := range b.Children() {
				e.walk(nested, false)
			}
		case markdown.Code:
			if e.under {
				e.raw = append(e.raw, b.Raw())
			}
		default:
			e.under = false
			e.r.bidiIn(b)
		}
	}
}

func (e *entryReader) paragraph(lines []markdown.Line, top, first bool) {
	fields := top
	continues := false // the text of the open field goes on with this line
	for i, l := range lines {
		e.r.checkBidi(l)
		if fields || first && i == 0 {
			if f, ok := matchLabel(l); ok {
				e.start(f)
				fields, continues = true, true
				continue
			}
		}
		switch {
		case continues:
			e.lines = append(e.lines, l)
		case !top && e.under:
			e.raw, e.web = append(e.raw, l.Text), e.web || len(l.Web) > 0
		case top:
			e.under = false
		}
	}
}

// start closes the open field and opens the one of a label.
func (e *entryReader) start(f labelled) {
	e.close()
	e.open, e.label, e.under = f.field, f.name, f.field == fieldEvidence || f.field == fieldResult
	e.lines, e.raw, e.web = append(e.lines[:0], f.rest), nil, false
	e.r.checkMeaning(f.name)
	if second, at, ok := secondLabel(f.field, f.rest); ok {
		w := where(f.rest.Position(at), f.rest.Position(at+len(second.text)))
		e.broken(report.CodeEntryFieldInline, fmt.Sprintf("%q and %q stand on one line", f.shown, second.shown),
			fmt.Sprintf("%s: %s", second.shown, strings.TrimSpace(strings.TrimLeft(f.rest.Text[at+len(second.text):], ":："))), w)
	}
}

func (e *entryReader) broken(code report.Code, message, help string, w report.Where) {
	d := report.New(code, message)
	if help != "" {
		d.Help = help
	}
	d.Check = e.entry.name()
	e.entry.Broken = true
	e.r.report(d, w)
}

func (e *entryReader) finish() {
	e.close()
	e.endRecord()
}

// close stores the open field.
func (e *entryReader) close() {
	f := e.open
	e.open = fieldNone
	if f == fieldNone {
		return
	}
	joined := markdown.Join(e.lines).Trim()
	v := e.value(f, joined)
	if f == fieldCheck {
		e.required(joined, v)
		return
	}
	if !freeText[f] {
		e.r.checkMeaning(joined)
	}
	if f == fieldHead {
		e.r.addMarker(joined, v.Where)
		return
	}
	if f == fieldObservation {
		e.endRecord()
		e.record = &Observation{Name: v}
		return
	}
	slot, given := e.slot(f)
	if slot == nil {
		return
	}
	if *given > 0 {
		e.broken(report.CodeEntryFieldRepeated,
			fmt.Sprintf("%q is given twice (first in line %d)", strings.TrimSpace(e.label.Text), *given), "", v.Where)
		return
	}
	*given = v.Where.Line
	*slot = e.r.keep(v)
}

// required stores the check text; a second `Required check:` label inside the item repeats it.
func (e *entryReader) required(text markdown.Line, v Value) {
	if first := e.seen[fieldCheck]; first > 0 {
		e.broken(report.CodeEntryFieldRepeated, fmt.Sprintf("\"Required check\" is given twice (first in line %d)", first), "", v.Where)
		return
	}
	e.seen[fieldCheck] = v.Where.Line
	e.r.checkMeaning(text)
	e.entry.Check = checkline.Parse(text)
	e.entry.Where = v.Where
}

// value is the text of the open field with its place: the value, or the label when that is empty.
func (e *entryReader) value(f field, joined markdown.Line) Value {
	v := Value{Text: joined.Text, Where: lineWhere(e.label), Web: e.web || len(joined.Web) > 0}
	if joined.Text != "" {
		v.Where = lineWhere(joined)
	}
	if len(joined.Code) > 0 && joined.Code[0].Start == 0 {
		v.Code = joined.CodeText(joined.Code[0])
	}
	if freeText[f] && f != fieldCheck {
		parts := make([]string, 0, len(e.lines)+len(e.raw))
		for _, l := range e.lines {
			parts = append(parts, l.Text)
		}
		v.Text = strings.TrimSpace(strings.Join(append(parts, e.raw...), "\n"))
	}
	return v
}

// slot is where a field is stored, and where its first line is kept. Verdict, Evidence, Kind and
// Implementation head belong to the entry wherever they stand; Source and Artifact to the record at
// hand, when there is one (E2). A level or result without a record has no place.
func (e *entryReader) slot(f field) (**Value, *int) {
	if r := e.record; r != nil {
		switch f {
		case fieldSource:
			return &r.Source, &e.inside[f]
		case fieldArtifact:
			return &r.Artifact, &e.inside[f]
		case fieldLevel:
			return &r.Level, &e.inside[f]
		case fieldResult:
			return &r.Result, &e.inside[f]
		}
	}
	if f == fieldArtifact {
		f = fieldImplementation
	}
	return e.entrySlot(f), &e.seen[f]
}

func (e *entryReader) entrySlot(f field) **Value {
	switch f {
	case fieldVerdict:
		return &e.entry.Verdict
	case fieldEvidence:
		return &e.entry.Evidence
	case fieldKind:
		return &e.entry.Kind
	case fieldSource:
		return &e.entry.Source
	case fieldImplementation:
		return &e.entry.Implementation
	case fieldTopology:
		return &e.entry.Topology
	case fieldURL:
		return &e.entry.URL
	case fieldPattern:
		return &e.entry.Pattern
	case fieldOutput:
		return &e.entry.OutputSHA256
	case fieldNames:
		return &e.entry.Names
	}
	return nil
}

func (e *entryReader) endRecord() {
	if e.record == nil {
		return
	}
	e.entry.Observations = append(e.entry.Observations, *e.record)
	e.record = nil
	e.inside = [fieldCount]int{}
}

// entriesOnce reports ids and match keys that have more than one entry (E5).
func (r *reader) entriesOnce() {
	first := map[string]int{}
	for i := range r.ev.Entries {
		e := &r.ev.Entries[i]
		identity := e.Identity()
		if identity == "" {
			continue
		}
		j, again := first[identity]
		if !again {
			first[identity] = i
			continue
		}
		d := report.New(report.CodeEntryDuplicate,
			fmt.Sprintf("%s has two entries, in lines %d and %d", e.Name(), r.ev.Entries[j].Where.Line, e.Where.Line))
		d.Check = e.name()
		d.Help = "keep one entry and tell of every run in its Evidence text"
		e.Broken, r.ev.Entries[j].Broken = true, true
		r.report(d, e.Where)
	}
}
