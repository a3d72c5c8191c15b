package attempts

import (
	"fmt"
	"strings"

	"github.com/evidence-gate/evidence-gate/internal/checkline"
	"github.com/evidence-gate/evidence-gate/internal/markdown"
	"github.com/evidence-gate/evidence-gate/prbody"
	"github.com/evidence-gate/evidence-gate/report"
)

// signature is part of every marker; a text without it is never read as Markdown.
const signature = "AGENTIC_LOOP_VERIFICATION_"

// The two markers of A1 and A6, before the id of the check.
const (
	attemptsMarker = signature + "ATTEMPTS:"
	triageMarker   = signature + "TRIAGE:"
)

// subsectionLevel is the level of the headings that carriers reserve (A3).
const subsectionLevel = 4

// outline is one text cut into pieces at its live markers and its headings of level 1 to 4.
type outline struct {
	text    string // as it was read: without BOM, with LF line ends
	pieces  []piece
	trailer bool   // the last live line is the agent trailer; not known of a text that was read in part
	instead string // what stands in place of a section that is missing (M3)
}

// piece is a marker, or a heading with what stands under it.
type piece struct {
	marker *marker
	level  int                // of the heading; 0 for a marker and for what stands before the first piece
	title  string             // of the heading
	fault  *report.Diagnostic // an invisible character in the title of a heading above level 4
	sub    *subsection
	live   bool // live text of no subsection stands here, the heading not counted
	offset int  // of its first line in the outline's text
	line   int
	where  report.Where
}

// marker is a live marker.
type marker struct {
	triage bool
	check  string
	fault  *report.Diagnostic // an invisible character in it
	where  report.Where
}

// readOutline reads a text. The error is a refusal of M1.
func readOutline(document, text string) (*outline, error) { return outlineOf(document, text, false) }

// readPast reads an earlier revision, in which no finding points.
func readPast(text string) (*outline, error) { return outlineOf("", text, true) }

func outlineOf(document, text string, past bool) (*outline, error) {
	d, err := markdown.Parse(text)
	if err != nil {
		return nil, err
	}
	o := &outline{text: d.Text()}
	o.cut(document, d, past)
	o.trailer = endsWithTrailer(d.Blocks())
	if !past && strings.Contains(o.text, signature) && len(sectionsOf(o)) == 0 {
		o.instead = prbody.Explain(d.Instead(SectionName))
	}
	return o, nil
}

// normalised is a text as markdown.Parse reads it (M1).
func normalised(s string) string {
	s = strings.TrimPrefix(s, "\ufeff")
	if strings.IndexByte(s, '\r') < 0 {
		return s
	}
	return strings.ReplaceAll(strings.ReplaceAll(s, "\r\n", "\n"), "\r", "\n")
}

// next reads a later revision of the same comment. Up to the last level-4 heading that both texts
// share it takes over what was read: such a heading closes every block before it, so that what
// follows changes nothing of what came before. It also returns what was read anew.
func (o *outline) next(text string) (*outline, string, error) {
	text = normalised(text)
	if text == o.text {
		return o, "", nil
	}
	keep := 0
	for i := len(o.pieces) - 1; i >= 0 && keep == 0; i-- {
		p := o.pieces[i]
		if p.level != subsectionLevel {
			continue
		}
		end := len(o.text)
		if n := strings.IndexByte(o.text[p.offset:], '\n'); n >= 0 {
			end = p.offset + n + 1
		}
		if strings.HasPrefix(text, o.text[:end]) {
			keep = i
		}
	}
	if keep == 0 {
		read, err := readPast(text)
		return read, text, err
	}
	from := o.pieces[keep].offset
	tail, err := readPast(text[from:])
	if err != nil {
		return nil, text[from:], err
	}
	out := &outline{text: text, pieces: append([]piece{}, o.pieces[:keep]...), trailer: tail.trailer}
	for _, p := range tail.pieces {
		if p.offset == 0 && p.level == 0 && p.marker == nil && !p.live {
			continue // nothing stands before the heading
		}
		p.offset += from
		out.pieces = append(out.pieces, p)
	}
	return out, text[from:], nil
}

// cut fills the pieces.
func (o *outline) cut(document string, d *markdown.Document, past bool) {
	blocks := d.Blocks()
	prepare(d, blocks)
	var under []markdown.Block
	var title markdown.Line
	o.pieces = append(o.pieces, piece{line: 1})
	finish := func() {
		p := &o.pieces[len(o.pieces)-1]
		if p.level == subsectionLevel {
			p.sub = readSubsection(p.where, title, under, past)
		}
		under = under[:0]
	}
	for _, b := range blocks {
		switch {
		case b.Kind() == markdown.HTML:
			if m := readMarker(document, b); m != nil {
				finish()
				o.pieces = append(o.pieces, piece{marker: m, line: m.where.Line, where: m.where})
			}
		case b.Level() > 0 && b.Level() <= subsectionLevel:
			finish()
			title = markdown.Join(b.Lines())
			at := b.Position()
			p := piece{level: b.Level(), title: markdown.Title(title.Text), line: at.Line, where: report.Where{Document: document, Line: at.Line, Column: at.Column}}
			if title.Text != "" {
				p.where = where(document, title)
			}
			if p.level < subsectionLevel {
				p.fault = invisibleTitle(document, title)
			}
			o.pieces = append(o.pieces, p)
		default:
			under = append(under, b)
			p := &o.pieces[len(o.pieces)-1]
			p.live = p.live || live(b) && p.level != subsectionLevel && !trailerAlone(b)
		}
	}
	finish()
	o.place()
}

// prepare reads the inline text that is needed at once: headings, and what stands under those of
// level 4.
func prepare(d *markdown.Document, blocks []markdown.Block) {
	needed := make([]markdown.Block, 0, len(blocks))
	inside := false
	for _, b := range blocks {
		if l := b.Level(); l > 0 && l <= subsectionLevel {
			inside = l == subsectionLevel
			needed = append(needed, b)
		} else if inside {
			needed = append(needed, b)
		}
	}
	d.Prepare(needed)
}

// place finds where the pieces start in the text, and keeps what stands under each level-4 heading.
func (o *outline) place() {
	line, at := 1, 0
	for i := range o.pieces {
		for ; line < o.pieces[i].line; line++ {
			n := strings.IndexByte(o.text[at:], '\n')
			if n < 0 {
				break
			}
			at += n + 1
		}
		o.pieces[i].offset = at
	}
	for i := range o.pieces {
		if s := o.pieces[i].sub; s != nil {
			end := len(o.text)
			if i+1 < len(o.pieces) {
				end = o.pieces[i+1].offset
			}
			s.raw = withoutTrailer(o.text[o.pieces[i].offset:end])
		}
	}
}

// live reports whether a block shows text to a reader of the comment.
func live(b markdown.Block) bool {
	switch b.Kind() {
	case markdown.Paragraph, markdown.Heading, markdown.List, markdown.Table:
		return true
	}
	return false
}

// readMarker reads an HTML block that is a marker: a comment alone on its line (A1).
func readMarker(document string, b markdown.Block) *marker {
	inner, ok := strings.CutPrefix(strings.TrimSpace(b.Raw()), "<!--")
	if ok {
		inner, ok = strings.CutSuffix(inner, "-->")
	}
	if !ok || strings.ContainsRune(inner, '\n') {
		return nil
	}
	written := strings.Trim(inner, " \t")
	plain := markdown.StripInvisible(written)
	m := &marker{}
	id, isAttempts := strings.CutPrefix(plain, attemptsMarker)
	if !isAttempts {
		id, m.triage = strings.CutPrefix(plain, triageMarker)
	}
	if m.check = checkline.ID(id); m.check == "" || !isAttempts && !m.triage {
		return nil
	}
	p := b.Position()
	m.where = report.Where{Document: document, Line: p.Line, Column: p.Column}
	if _, c, found := markdown.FirstInvisible(written); found {
		d := invisible(c)
		d.Where = &m.where
		m.fault = &d
	}
	return m
}

// invisibleTitle finds an invisible character in a title.
func invisibleTitle(document string, title markdown.Line) *report.Diagnostic {
	i, c, found := markdown.FirstInvisible(title.Text)
	if !found {
		return nil
	}
	d, p := invisible(c), title.Position(i)
	d.Where = &report.Where{Document: document, Line: p.Line, Column: p.Column, EndLine: p.Line, EndColumn: p.Column + 1}
	return &d
}

// invisible is the diagnostic for an invisible character, without its place.
func invisible(c rune) report.Diagnostic { return prbody.Invisible(c) }

// trailers are the last lines of A1.
var trailers = []string{fmt.Sprintf("[[agent: %s]]", Engineer), fmt.Sprintf("[[agent: %s]]", Maintainer)}

func isTrailer(line string) bool {
	if len(line) == 0 || line[0] != '[' && line[0] != ' ' {
		return false
	}
	line = markdown.Squeeze(line)
	return strings.EqualFold(line, trailers[0]) || strings.EqualFold(line, trailers[1])
}

// trailerAlone reports whether a block holds nothing but the trailer.
func trailerAlone(b markdown.Block) bool {
	if b.Kind() != markdown.Paragraph {
		return false
	}
	lines := b.Lines()
	return len(lines) == 1 && isTrailer(lines[0].Text)
}

// endsWithTrailer reports whether the last live line is the trailer.
func endsWithTrailer(blocks []markdown.Block) bool {
	for i := len(blocks) - 1; i >= 0; i-- {
		switch b := blocks[i]; b.Kind() {
		case markdown.Paragraph, markdown.Heading:
			lines := b.Lines()
			return len(lines) > 0 && isTrailer(lines[len(lines)-1].Text)
		case markdown.List, markdown.Item:
			if children := b.Children(); len(children) > 0 {
				return endsWithTrailer(children)
			}
		case markdown.Table:
			return false
		}
	}
	return false
}

// withoutTrailer drops the trailer and the blank lines from the end of a text.
func withoutTrailer(s string) string {
	s = strings.TrimRight(s, " \t\n")
	if i := strings.LastIndexByte(s, '\n'); i >= 0 && isTrailer(strings.TrimSpace(s[i+1:])) {
		s = strings.TrimRight(s[:i], " \t\n")
	}
	return s
}
