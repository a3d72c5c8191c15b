package criteria

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/evidence-gate/evidence-gate/internal/markdown"
	"github.com/evidence-gate/evidence-gate/prbody"
	"github.com/evidence-gate/evidence-gate/report"
)

// Read reads the criteria of a task's text. What is wrong with them belongs to the maintainer; with the
// policy's `criteria: off` neither the list nor the diagnostics count.
func Read(issueBody string) (List, []report.Diagnostic) {
	if !MayHaveSection(issueBody) {
		return List{where: report.Where{Document: IssueDocument}}, nil
	}
	d, err := markdown.Parse(issueBody)
	if err != nil {
		return List{where: report.Where{Document: IssueDocument}}, []report.Diagnostic{prbody.Refusal(err, IssueDocument, report.Maintainer)}
	}
	return ReadDocument(d)
}

// MayHaveSection tells without parsing that a text has no such heading, as most tasks have none.
func MayHaveSection(text string) bool {
	text = strings.ToLower(markdown.StripInvisible(text))
	return strings.Contains(text, "acceptance") || strings.Contains(text, "criteria")
}

// ReadDocument is [Read] for a task that is parsed already.
func ReadDocument(d *markdown.Document) (List, []report.Diagnostic) {
	r := reader{d: d}
	sections := d.Sections(SectionName)
	for _, s := range sections {
		d.Prepare(s.Blocks)
		for _, b := range s.Blocks {
			r.block(b)
		}
	}
	r.list = List{d: d, where: report.Where{Document: IssueDocument}}
	if len(sections) > 0 {
		r.list.where, r.list.found = lineWhere(sections[0].Title), true
	}
	if r.formal {
		r.sections(sections)
	}
	r.notLiveOnes()
	return r.list, r.diagnostics
}

// reader reads one task.
type reader struct {
	d      *markdown.Document
	formal bool // something in the section is meant as a criterion
	items  []item
	stray  []mention // ids in live text that is no item of the list
	hidden []mention // ids in text that is not live

	list        List
	faults      int          // criterion.invalid so far
	more        report.Where // of the first that is not told apart
	diagnostics []report.Diagnostic
}

// item is one top-level list item.
type item struct {
	line markdown.Line
	text parsed
}

// mention is a text that carries ids.
type mention struct {
	ids   []string
	first bool // the text starts with the first of them
	where report.Where
	place string         // what the text stands in
	line  *markdown.Line // nil when it is no line of text
}

// report adds a diagnostic of the task, which belongs to the maintainer.
func (r *reader) report(d report.Diagnostic, w report.Where, help, id string) {
	d.Owner, d.Where = report.Maintainer, &w
	if help != "" {
		d.Help = help
	}
	if id != "" {
		d.Check = &id
	}
	r.diagnostics = append(r.diagnostics, d)
}

func lineWhere(l markdown.Line) report.Where { return placed(l, IssueDocument) }

func placed(l markdown.Line, document string) report.Where {
	p, end := l.Extent()
	return report.Where{Document: document, Line: p.Line, Column: p.Column, EndLine: end.Line, EndColumn: end.Column}
}

// block reads one block of the section.
func (r *reader) block(b markdown.Block) {
	if b.Kind() != markdown.List {
		r.inside(b)
		return
	}
	for _, i := range b.Children() {
		r.item(i)
	}
}

// item reads one top-level list item: its first paragraph is the criterion.
func (r *reader) item(b markdown.Block) {
	children := b.Children()
	for len(children) > 0 && children[0].Kind() == markdown.HTML {
		r.inside(children[0])
		children = children[1:]
	}
	if len(children) == 0 {
		return
	}
	if children[0].Kind() == markdown.Paragraph {
		line := markdown.Join(children[0].Lines()).Trim()
		children = children[1:]
		if text := parse(line); text.formal() || !text.blank() {
			r.items = append(r.items, item{line: line, text: text})
			r.formal = r.formal || text.formal()
		}
	}
	for _, c := range children {
		r.inside(c)
	}
}

// inside reads what is no item of the list: ids in it must not vanish.
func (r *reader) inside(b markdown.Block) {
	p := b.Position()
	at := report.Where{Document: IssueDocument, Line: p.Line, Column: p.Column}
	switch b.Kind() {
	case markdown.List, markdown.Item:
		for _, c := range b.Children() {
			r.inside(c)
		}
	case markdown.Paragraph, markdown.Heading:
		line := markdown.Join(b.Lines()).Trim()
		if line.Text == "" {
			return
		}
		m := mention{where: lineWhere(line), place: "outside the top-level list", line: &line}
		if id, _ := leadingID(line); id != "" {
			m.ids, m.first = []string{id}, true
		}
		mentions(line.Text, func(id string) { m.ids = append(m.ids, id) })
		for _, l := range line.Links {
			if id := ID(strings.Trim(line.Text[l.Start:l.End], "[] ")); id != "" {
				m.ids = append(m.ids, id)
			}
		}
		r.noteStray(m)
	case markdown.Table, markdown.Definition:
		m := mention{where: at, place: "outside the top-level list"}
		mentions(b.Raw(), func(id string) { m.ids = append(m.ids, id) })
		r.noteStray(m)
	case markdown.Quote:
		r.noteHidden(quoted(b), at, "a quote")
	case markdown.Code:
		r.noteHidden(b.Raw(), at, "code")
	case markdown.HTML:
		r.noteHidden(b.Raw(), at, "HTML or a comment")
	}
}

func (r *reader) noteStray(m mention) {
	if len(m.ids) > 0 {
		r.stray, r.formal = append(r.stray, m), true
	}
}

func (r *reader) noteHidden(text string, w report.Where, place string) {
	m := mention{where: w, place: place}
	mentions(text, func(id string) { m.ids = append(m.ids, id) })
	if len(m.ids) > 0 {
		r.hidden = append(r.hidden, m)
	}
}

// quoted is the text of a quote.
func quoted(b markdown.Block) string {
	var out strings.Builder
	var walk func(markdown.Block)
	walk = func(b markdown.Block) {
		for _, l := range b.Lines() {
			out.WriteString(l.Text + "\n")
		}
		if b.Kind() == markdown.Code || b.Kind() == markdown.HTML || b.Kind() == markdown.Table {
			out.WriteString(b.Raw())
		}
		for _, c := range b.Children() {
			walk(c)
		}
	}
	walk(b)
	return out.String()
}

// sections reads the criteria once something in the section is meant as one.
func (r *reader) sections(sections []markdown.Section) {
	if len(sections) > 1 {
		d := report.New(report.CodeSectionDuplicate, fmt.Sprintf("the task has %d live %s sections, in lines %d and %d", len(sections), SectionName,
			sections[0].Title.Position(0).Line, sections[1].Title.Position(0).Line))
		r.report(d, lineWhere(sections[1].Title), "keep one section and delete the other", "")
		r.list.faulty = true
		return
	}
	s := sections[0]
	r.invisible(s.Title, "")
	if s.Level != markdown.CanonicalLevel {
		d := report.New(report.CodeSectionLevel, fmt.Sprintf("the %s section stands at heading level %d; level %d is the canonical one", SectionName, s.Level, markdown.CanonicalLevel))
		r.report(d, lineWhere(s.Title), "## "+SectionName, "")
	}
	next := r.next()
	for _, i := range r.items {
		r.criterion(i, next)
	}
	r.doubled(next)
	r.outside(next)
	r.rest()
}

// next is the number after the largest id of the section.
func (r *reader) next() int64 {
	largest := int64(0)
	for _, i := range r.items {
		largest = max(largest, number(i.text.id))
	}
	for _, m := range r.stray {
		for _, id := range m.ids {
			largest = max(largest, number(id))
		}
	}
	return largest + 1
}

func number(id string) int64 {
	n, err := strconv.ParseInt(strings.TrimPrefix(id, "AC-"), 10, 64)
	if err != nil {
		return 0
	}
	return n
}

// invisible reports an invisible character in text that has a meaning (M5).
func (r *reader) invisible(l markdown.Line, id string) bool {
	i, c, found := markdown.FirstInvisible(l.Text)
	if found {
		d := prbody.Invisible(c)
		r.report(d, lineWhere(l.Slice(i, len(l.Text))), d.Help, id)
	}
	return found
}
