// Package prbody reads the Evidence section of a pull request body (design section 3, E1 to E6): the
// head marker and the entries with their fields and observation records, each with its place. It
// reports what is wrong with the form; whether an entry proves a check is left to package checks.
package prbody

import (
	"slices"

	"github.com/evidence-gate/evidence-gate/internal/checkline"
	"github.com/evidence-gate/evidence-gate/internal/markdown"
	"github.com/evidence-gate/evidence-gate/report"
)

// Document is the name of the pull request body in diagnostics.
const Document = "pull_request.body"

// SectionName is the title of the section.
const SectionName = "Evidence"

// Evidence is what a pull request body records.
type Evidence struct {
	Found       bool // the body has exactly one live section
	Markers     []Marker
	Outside     []Marker // head markers outside the section, read only when it has none
	Entries     []Entry
	Tables      []report.Where // tables of the section, when it has no entries
	Fences      []report.Where // fenced text of the section, when it has no entries
	Diagnostics []report.Diagnostic
	Heading     report.Where // of the section
	NoCode      *Value       // why the pull request changes no file; nil when it does not say

	blocks []markdown.Block // of the section
}

// Marker is one head marker: a label and a value (E6).
type Marker struct {
	Value Value
}

// Value is the text of a field with its place. Free text may hold line ends.
type Value struct {
	Text  string
	Code  string // the text of its first code span, when the value starts with one
	Web   bool   // holds a link to an http or https address
	Where report.Where
}

// Entry is one entry of the section (E1, E2). Fields that were not written are nil.
type Entry struct {
	Check          checkline.Check
	Where          report.Where // of the check text
	Verdict        *Value
	Evidence       *Value
	Kind           *Value
	Source         *Value
	Implementation *Value // Implementation head
	Topology       *Value
	URL            *Value
	Pattern        *Value
	OutputSHA256   *Value
	Names          *Value // the bare list of `Observations:`, which proves nothing (E3)
	Observations   []Observation
	Broken         bool // has an error of E1 to E3, so it is not matched further
}

// Observation is one observation record of an entry.
type Observation struct {
	Name     Value
	Level    *Value
	Result   *Value
	Artifact *Value
	Source   *Value
}

// Name is how messages call the entry: its id, else its text.
func (e Entry) Name() string {
	if e.Check.ID != "" {
		return e.Check.ID
	}
	return e.Check.Text
}

// name is the name of the entry for a diagnostic, nil when it has none.
func (e Entry) name() *string {
	if name := e.Name(); name != "" {
		return &name
	}
	return nil
}

// Identity is what tells entries apart: the id, else the match key (E5).
func (e Entry) Identity() string {
	if e.Check.ID != "" {
		return e.Check.ID
	}
	return e.Check.Key
}

// Read reads a body. The document is refused as a whole by M1; everything else that is wrong is a
// diagnostic of the Evidence.
func Read(body string) (Evidence, error) {
	d, err := markdown.Parse(body)
	if err != nil {
		return Evidence{}, err
	}
	r := reader{d: d, invisibles: map[markdown.Position]bool{}}
	sections := d.Sections(SectionName)
	switch len(sections) {
	case 0:
		r.missing()
	case 1:
		r.section(sections[0])
	default:
		r.duplicate(sections)
	}
	return r.ev, nil
}

type reader struct {
	d          *markdown.Document
	ev         Evidence
	invisibles map[markdown.Position]bool // places that were reported
	values     []Value                    // fields are stored in few pieces of memory
}

// firstPiece and lastPiece are how many fields share one piece of memory; pieces grow.
const (
	firstPiece = 4
	lastPiece  = 64
)

func (r *reader) keep(v Value) *Value {
	if n := cap(r.values); len(r.values) == n {
		r.values = make([]Value, 0, min(max(firstPiece, 2*n), lastPiece))
	}
	r.values = append(r.values, v)
	return &r.values[len(r.values)-1]
}

func (r *reader) report(d report.Diagnostic, w report.Where) {
	d.Where = &w
	r.ev.Diagnostics = append(r.ev.Diagnostics, d)
}

func where(p, end markdown.Position) report.Where {
	return report.Where{Document: Document, Line: p.Line, Column: p.Column, EndLine: end.Line, EndColumn: end.Column}
}

func lineWhere(l markdown.Line) report.Where { return where(l.Extent()) }

// section reads the one live section.
func (r *reader) section(s markdown.Section) {
	r.ev.Found = true
	r.ev.Heading, r.ev.blocks = lineWhere(s.Title), s.Blocks
	r.checkMeaning(s.Title)
	if s.Level != markdown.CanonicalLevel {
		r.report(levelWarning(s), r.ev.Heading)
	}
	r.d.Prepare(s.Blocks)
	for _, b := range s.Blocks {
		r.block(b)
	}
	r.entriesOnce()
	if len(r.ev.Entries) > 0 {
		r.ev.Tables, r.ev.Fences = nil, nil
	}
	if len(r.ev.Markers) == 0 {
		r.markersOutside(s)
	}
}

func (r *reader) block(b markdown.Block) {
	switch b.Kind() {
	case markdown.Paragraph:
		for _, l := range b.Lines() {
			r.checkBidi(l)
			r.marker(l)
			r.noCode(l)
		}
	case markdown.List:
		items := b.Children()
		r.ev.Entries = slices.Grow(r.ev.Entries, len(items))
		for _, item := range items {
			r.item(item)
		}
	case markdown.Table:
		r.ev.Tables = append(r.ev.Tables, where(b.Position(), b.Position()))
		r.bidiIn(b)
	case markdown.Code:
		r.ev.Fences = append(r.ev.Fences, where(b.Position(), b.Position()))
	default:
		r.bidiIn(b)
	}
}

// item reads one top-level list item: an entry, or text that may hold a head marker.
func (r *reader) item(item markdown.Block) {
	children := item.Children()
	if len(children) == 0 || children[0].Kind() != markdown.Paragraph {
		return
	}
	lines := children[0].Lines()
	if len(lines) == 0 {
		return
	}
	if f, ok := matchLabel(lines[0]); ok && f.field == fieldCheck {
		r.entry(item)
		return
	}
	for _, l := range lines {
		r.noCode(l)
	}
	for _, c := range children {
		r.markersIn(c)
	}
}

// markersOutside looks for head markers in the rest of the body (E6).
func (r *reader) markersOutside(s markdown.Section) {
	inside, found := r.ev.Markers, r.ev.Diagnostics
	outside := s.Outside()
	r.d.Prepare(outside)
	for _, b := range outside {
		r.markersIn(b)
	}
	r.ev.Outside, r.ev.Markers, r.ev.Diagnostics = r.ev.Markers, inside, found
}

func (r *reader) markersIn(b markdown.Block) {
	switch b.Kind() {
	case markdown.Paragraph:
		for _, l := range b.Lines() {
			r.checkBidi(l)
			r.marker(l)
		}
	case markdown.List, markdown.Item:
		for _, c := range b.Children() {
			r.markersIn(c)
		}
	}
}
