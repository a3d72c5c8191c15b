package criteria

import (
	"strings"

	"github.com/evidence-gate/evidence-gate/internal/markdown"
	"github.com/evidence-gate/evidence-gate/prbody"
	"github.com/evidence-gate/evidence-gate/report"
)

// entry is one entry of the Evidence section: a top-level list item whose first line is labelled
// `Criterion:`. Each of its `Evidence:` lines names one thing that proves the criterion.
type entry struct {
	id       string // "" when its first line names no criterion
	shown    string // the first line, for messages
	where    report.Where
	evidence []evidence
	verdict  *prbody.Value // an entry may have one
	inline   *report.Where // a second label on its first line
	twice    bool          // the criterion has another entry
	repeated *report.Where // a second `Criterion:` label
	open     bool          // its task box is not ticked
	unclear  bool          // an invisible character makes it uncertain what it says (M5)
}

// entries are those of one body.
type entries struct {
	found       bool // the body has exactly one live section
	list        []entry
	diagnostics []report.Diagnostic
}

// readEntries reads the entries of a body. A body that cannot be read has none; package prbody says why.
func readEntries(body string) entries {
	d, err := markdown.Parse(body)
	if err != nil {
		return entries{}
	}
	sections := d.Sections(prbody.SectionName)
	if len(sections) != 1 {
		return entries{}
	}
	es := entries{found: true}
	d.Prepare(sections[0].Blocks)
	for _, b := range sections[0].Blocks {
		if b.Kind() != markdown.List {
			continue
		}
		for _, item := range b.Children() {
			if l, ok := firstLine(item); ok {
				if name, rest, ok := label(l); ok && name == criterionLabel {
					es.read(item, rest)
				}
			}
		}
	}
	return es
}

func firstLine(item markdown.Block) (markdown.Line, bool) {
	children := item.Children()
	if len(children) == 0 || children[0].Kind() != markdown.Paragraph {
		return markdown.Line{}, false
	}
	lines := children[0].Lines()
	if len(lines) == 0 {
		return markdown.Line{}, false
	}
	return lines[0], true
}

// Labels of an entry.
const (
	criterionLabel = "criterion"
	evidenceLabel  = "evidence"
	verdictLabel   = "verdict"
)

// maxLabel is longer than every label with the emoji that may stand before it.
const maxLabel = 64

// label reads a label at the start of a line, as those of other entries are read (E1): case ignored,
// after an emoji, with a plain or full-width colon.
func label(l markdown.Line) (name string, rest markdown.Line, ok bool) {
	start := markdown.LeadingEmoji(l.Text)
	text := l.Text[start:min(len(l.Text), start+maxLabel)]
	at, width := colon(text)
	if width == 0 {
		return "", markdown.Line{}, false
	}
	name = strings.ToLower(markdown.Squeeze(markdown.StripInvisible(text[:at])))
	switch name {
	case criterionLabel, evidenceLabel, verdictLabel:
		return name, l.TrimFrom(start + at + width), true
	}
	return "", markdown.Line{}, false
}

// entryReader collects what one entry says.
type entryReader struct {
	es      *entries
	e       entry
	current *evidence // whose text goes on
	nested  bool      // each nested item is an evidence of its own, as the line above them named none
}

func (es *entries) read(item markdown.Block, rest markdown.Line) {
	r := entryReader{es: es}
	r.e.where = placed(rest, prbody.Document)
	r.e.open = item.Task() == " "
	r.e.id, r.e.shown = criterionOf(rest), shown(rest.Text)
	if at := strings.Index(strings.ToLower(rest.Text), evidenceLabel+":"); at > 0 && !rest.InCode(at) && strings.TrimRight(rest.Text[:at], " ") != rest.Text[:at] {
		w := placed(rest.Slice(at, len(rest.Text)), prbody.Document)
		r.e.inline = &w
	}
	r.meaning(rest)
	for i, b := range item.Children() {
		r.block(b, i == 0)
	}
	for i := range r.e.evidence {
		if v := &r.e.evidence[i]; len(v.lines) > 0 {
			r.meaning(v.lines[0])
			v.parse()
		}
	}
	es.list = append(es.list, r.e)
}

// criterionOf is the id that an entry's first line names, with or without brackets.
func criterionOf(l markdown.Line) string {
	if id, _ := leadingID(l); id != "" {
		return id
	}
	word, _, _ := strings.Cut(l.Text[:min(len(l.Text), maxIDText)], " ")
	return ID(strings.TrimRight(markdown.StripInvisible(word), ".,:;"))
}

// block reads one block of the item; first is the paragraph that the criterion is named in.
func (r *entryReader) block(b markdown.Block, first bool) {
	switch b.Kind() {
	case markdown.Paragraph:
		lines := b.Lines()
		if first {
			lines = lines[1:]
		} else {
			r.current = nil
		}
		for _, l := range lines {
			r.line(l)
		}
	case markdown.List:
		r.nested = r.current != nil && len(r.current.lines) == 0
		for _, item := range b.Children() {
			r.item(item)
		}
		r.nested = false
	case markdown.Code:
		r.fence(b)
	default:
		r.current = nil
	}
}

// item reads a nested list item: a field, an evidence of its own, or text.
func (r *entryReader) item(item markdown.Block) {
	for i, b := range item.Children() {
		switch b.Kind() {
		case markdown.Paragraph:
			for k, l := range b.Lines() {
				_, _, labelled := label(l)
				if r.nested && i == 0 && k == 0 && !labelled {
					r.start(l)
				} else {
					r.line(l)
				}
			}
		case markdown.List:
			for _, deeper := range b.Children() {
				r.plain(deeper)
			}
		case markdown.Code:
			r.fence(b)
		}
	}
}

// plain reads what nests deeper, which is text only.
func (r *entryReader) plain(b markdown.Block) {
	for _, l := range b.Lines() {
		r.text(l)
	}
	for _, c := range b.Children() {
		r.plain(c)
	}
}

// line reads one line: a field or the text of the evidence above it.
func (r *entryReader) line(l markdown.Line) {
	switch name, rest, ok := label(l); {
	case !ok:
		r.text(l)
	case name == evidenceLabel:
		r.start(rest)
	case name == verdictLabel:
		r.meaning(rest)
		r.current = nil
		if r.e.verdict == nil || strings.EqualFold(r.e.verdict.Text, string(prbody.Passed)) {
			r.e.verdict = &prbody.Value{Text: rest.Text, Where: placed(rest, prbody.Document)}
		}
	default:
		w := placed(rest, prbody.Document)
		r.e.repeated, r.current = &w, nil
	}
}

// start begins a new evidence.
func (r *entryReader) start(l markdown.Line) {
	l = l.Trim()
	if n := len(r.e.evidence); n > 0 && len(r.e.evidence[n-1].lines) == 0 {
		r.e.evidence = r.e.evidence[:n-1] // the line above its nested items
	}
	r.e.evidence = append(r.e.evidence, evidence{where: placed(l, prbody.Document)})
	r.current = &r.e.evidence[len(r.e.evidence)-1]
	if l.Text != "" {
		r.current.lines = append(r.current.lines, l)
	}
}

func (r *entryReader) text(l markdown.Line) {
	if r.current != nil && strings.TrimSpace(l.Text) != "" {
		r.current.lines = append(r.current.lines, l)
	}
}

// fence reads code below an evidence: it is text of the evidence, never the evidence itself (M4).
func (r *entryReader) fence(b markdown.Block) {
	if r.current != nil && len(r.current.lines) > 0 {
		r.text(markdown.Line{Text: b.Raw()})
	}
}

// meaning refuses invisible characters in text that has a meaning. Those that reorder text are reported
// by package prbody, which refuses them in the whole section.
func (r *entryReader) meaning(l markdown.Line) {
	i, c, found := markdown.FirstInvisible(l.Text)
	if !found {
		return
	}
	r.e.unclear = true
	if !markdown.IsBidi(c) {
		d, w := prbody.Invisible(c), placed(l.Slice(i, len(l.Text)), prbody.Document)
		d.Where = &w
		r.es.diagnostics = append(r.es.diagnostics, d)
	}
}
