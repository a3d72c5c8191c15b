package profile

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/evidence-gate/evidence-gate/internal/markdown"
	"github.com/evidence-gate/evidence-gate/prbody"
	"github.com/evidence-gate/evidence-gate/report"
)

// factLevel is the heading level of facts.
const factLevel = 3

// Read reads the text of a project.md. A text without the section has no facts and nothing to
// report; one that cannot be read has no facts and says so. Every diagnostic is a warning of the
// maintainer.
func Read(text string) (Profile, []report.Diagnostic) {
	d, err := markdown.Parse(text)
	if err != nil {
		return Profile{}, []report.Diagnostic{refusal(err)}
	}
	r := reader{d: d, invisibles: map[markdown.Position]bool{}}
	switch sections := d.Sections(SectionName); len(sections) {
	case 0:
	case 1:
		r.section(sections[0])
	default:
		r.add(report.CodeSectionDuplicate, lineWhere(sections[1].Title), "keep one section and delete the other",
			"%s has %d live %s sections, in lines %d and %d, so that no fact of it is read", Path, len(sections), SectionName,
			sections[0].Title.Position(0).Line, sections[1].Title.Position(0).Line)
	}
	return r.profile, r.diagnostics
}

// refusal is the diagnostic for a text that M1 refuses; like every other it warns.
func refusal(err error) report.Diagnostic {
	d := prbody.Refusal(err, Document, report.Maintainer)
	d.Severity = report.Warning
	d.Message = fmt.Sprintf("%s was not read, so that no fact of it is known: %v", Path, err)
	return d
}

// finding is a diagnostic of the profile: a warning of the maintainer.
func finding(code report.Code, w report.Where, format string, args ...any) report.Diagnostic {
	d := report.New(code, fmt.Sprintf(format, args...))
	d.Severity, d.Owner, d.Where = report.Warning, report.Maintainer, &w
	return d
}

type reader struct {
	d           *markdown.Document
	profile     Profile
	diagnostics []report.Diagnostic
	level       int                        // of the headings of facts
	headings    int                        // that were read as facts, whatever their ids
	empty       *report.Where              // the sentence of the empty state
	fact        *factReader                // at hand; nil before the first heading
	invisibles  map[markdown.Position]bool // places that were reported
}

func (r *reader) add(code report.Code, w report.Where, help, format string, args ...any) {
	d := finding(code, w, format, args...)
	if help != "" {
		d.Help = help
	}
	r.diagnostics = append(r.diagnostics, d)
}

// section reads the one live section.
func (r *reader) section(s markdown.Section) {
	r.profile.Found = true
	r.certain(s.Title)
	if s.Level != markdown.CanonicalLevel {
		r.add(report.CodeSectionLevel, lineWhere(s.Title), "## "+SectionName,
			"the %s section stands at heading level %d; level %d is the canonical one", SectionName, s.Level, markdown.CanonicalLevel)
	}
	r.level = max(factLevel, s.Level+1)
	r.profile.place = place{heading: strings.Repeat("#", r.level), next: r.next(s)}
	r.d.Prepare(s.Blocks)
	for _, b := range s.Blocks {
		r.block(b)
	}
	r.endFact()
	r.emptyState(s)
	r.once()
}

// next is the line of the block after the section, 0 when there is none.
func (r *reader) next(s markdown.Section) int {
	blocks, start := r.d.Blocks(), s.Heading.Position()
	for i, b := range blocks {
		if after := i + 1 + len(s.Blocks); b.Kind() == markdown.Heading && b.Position() == start && after < len(blocks) {
			return blocks[after].Position().Line
		}
	}
	return 0
}

func (r *reader) block(b markdown.Block) {
	switch b.Kind() {
	case markdown.Heading:
		r.heading(b)
	case markdown.Paragraph:
		r.paragraph(b)
	case markdown.List:
		for _, item := range b.Children() {
			r.item(item)
		}
	case markdown.Table:
		r.ordered(b.Raw(), b.Position())
	}
}

// heading starts a fact; a deeper one that is none ends the fields of the fact at hand, because what
// follows is something else.
func (r *reader) heading(b markdown.Block) {
	title := markdown.Join(b.Lines()).Trim()
	deeper := b.Level() > r.level
	if deeper && !isID(markdown.StripInvisible(title.Text)) {
		r.inOrder(title)
		r.endFact()
		return
	}
	r.endFact()
	r.headings++
	r.fact = &factReader{r: r}
	r.fact.begin(title)
	if deeper {
		r.add(report.CodeProfileIdInvalid, lineWhere(title), strings.Repeat("#", r.level)+" "+title.Text,
			"the heading %s stands at level %d; facts stand at level %d", shown(title.Text), b.Level(), r.level)
		r.fact.fact.ID = ""
	}
}

// paragraph reads the lines of a fact, or the empty state before any.
func (r *reader) paragraph(b markdown.Block) {
	lines := b.Lines()
	if whole := markdown.Join(lines); r.empty == nil && whole.Text == EmptyState {
		start, _ := whole.Extent()
		_, end := lines[len(lines)-1].Extent()
		r.empty = &report.Where{Document: Document, Line: start.Line, Column: start.Column, EndLine: end.Line, EndColumn: end.Column}
		r.profile.place.empty = span{from: start.Line, to: end.Line}
	}
	r.lines(lines)
}

// item reads the paragraphs of a top-level list item; what is nested in it is foreign text (M7).
func (r *reader) item(item markdown.Block) {
	for _, b := range item.Children() {
		if b.Kind() == markdown.Paragraph {
			r.lines(b.Lines())
		}
	}
}

func (r *reader) lines(lines []markdown.Line) {
	for _, l := range lines {
		r.inOrder(l)
	}
	if r.fact != nil {
		r.fact.read(lines)
	}
}

func (r *reader) endFact() {
	if r.fact == nil {
		return
	}
	if f := r.fact.finish(); f.ID != "" {
		r.profile.Facts = append(r.profile.Facts, f)
	}
	r.fact = nil
}

// emptyState asks for the exact sentence where there are no facts, and for facts or the sentence,
// not both.
func (r *reader) emptyState(s markdown.Section) {
	switch {
	case r.headings == 0 && r.empty == nil:
		r.add(report.CodeProfileEmptyState, lineWhere(s.Title), EmptyState,
			"the %s section records no fact and does not say so in the exact words", SectionName)
	case r.headings > 0 && r.empty != nil:
		r.add(report.CodeProfileEmptyState, *r.empty, "delete the sentence", "the section says that no facts are recorded, and records some")
	}
}

// once reports ids and commands that two facts share.
func (r *reader) once() {
	ids, commands := map[string]int{}, map[string]int{} // -> place of the first
	for i := range r.profile.Facts {
		f := &r.profile.Facts[i]
		if first, again := r.before(ids, strings.ToLower(f.ID), i); again {
			r.add(report.CodeProfileIdDuplicate, f.where, "", "%s is used twice, in lines %d and %d", f.ID, first.where.Line, f.where.Line)
			r.last().Details = map[string]any{"facts": []string{first.ID, f.ID}}
		}
		if f.Command == "" {
			continue
		}
		if first, again := r.before(commands, f.Command, i); again {
			r.add(report.CodeProfileCommandDuplicate, f.lines[fieldCommand].where, "",
				"the command %s has two facts, %s and %s in lines %d and %d", shown(f.Command), first.ID, f.ID, first.where.Line, f.where.Line)
			r.last().Details = map[string]any{"facts": []string{first.ID, f.ID}}
		}
	}
}

// before finds the first fact with a key, and notes the place of one that is the first.
func (r *reader) before(seen map[string]int, key string, i int) (*Fact, bool) {
	first, again := seen[key]
	if !again {
		seen[key] = i
	}
	return &r.profile.Facts[first], again
}

func (r *reader) last() *report.Diagnostic { return &r.diagnostics[len(r.diagnostics)-1] }

// certain refuses invisible characters in text that has a meaning (M5) and tells whether there are
// none.
func (r *reader) certain(l markdown.Line) bool {
	i, c, found := markdown.FirstInvisible(l.Text)
	if found {
		r.invisible(l, i, c)
	}
	return !found
}

// inOrder refuses characters that reorder text anywhere in the section (M5).
func (r *reader) inOrder(l markdown.Line) {
	if i := strings.IndexFunc(l.Text, markdown.IsBidi); i >= 0 {
		c, _ := utf8.DecodeRuneInString(l.Text[i:])
		r.invisible(l, i, c)
	}
}

// ordered does so for text that is not read line by line.
func (r *reader) ordered(text string, p markdown.Position) {
	if i := strings.IndexFunc(text, markdown.IsBidi); i >= 0 {
		c, _ := utf8.DecodeRuneInString(text[i:])
		r.character(c, report.Where{Document: Document, Line: p.Line, Column: p.Column})
	}
}

func (r *reader) invisible(l markdown.Line, i int, c rune) {
	p := l.Position(i)
	if r.invisibles[p] {
		return
	}
	r.invisibles[p] = true
	r.character(c, report.Where{Document: Document, Line: p.Line, Column: p.Column, EndLine: p.Line, EndColumn: p.Column + 1})
}

func (r *reader) character(c rune, w report.Where) {
	d := prbody.Invisible(c)
	d.Severity, d.Owner, d.Where = report.Warning, report.Maintainer, &w
	r.diagnostics = append(r.diagnostics, d)
}

// maxShown bounds text of others that a message repeats.
const maxShown = 80

// shown is hostile text made fit for a message: bounded and quoted.
func shown(s string) string { return fmt.Sprintf("%q", shortened(s)) }

func shortened(s string) string {
	if utf8.RuneCountInString(s) <= maxShown {
		return s
	}
	return string([]rune(s)[:maxShown]) + "…"
}
