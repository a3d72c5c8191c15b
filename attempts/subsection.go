package attempts

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/evidence-gate/evidence-gate/internal/markdown"
	"github.com/evidence-gate/evidence-gate/report"
)

// subsection is what stands under one level-4 heading: an attempt, a prediction, a triage, or
// something that has no place in a carrier. It holds no positions but those of its faults, so that
// the document it was read from can be forgotten.
type subsection struct {
	kind   kind
	number int64 // of the attempt; 0 when it cannot be read
	title  string
	values []string // in the order of the kind's fields: canonical where valid; white space collapsed
	given  []bool
	faults []report.Diagnostic // of the form, A3, A4 and A6
	where  report.Where        // of the heading
	raw    string              // as it stands in the comment
	id     string              // see identity
	extra  bool                // holds text that belongs to no field
}

// get is the value of a field, "" when it was not given.
func (s *subsection) get(field int) string { return s.values[field] }

// String is how messages call it.
func (s *subsection) String() string {
	if s.kind == kindUnknown {
		return fmt.Sprintf("%q", printable(s.title))
	}
	return fmt.Sprintf("%s%d", strings.ToLower(kinds[s.kind].title[:1])+kinds[s.kind].title[1:], s.number)
}

// identity is what makes two readings the same entry: kind, number and values, so that white space,
// bullets, line ends and emphasis are no difference (A7).
func (s *subsection) identity() string {
	if s.id == "" {
		s.id = fmt.Sprintf("%d\x1f%d\x1f%s", s.kind, s.number, strings.Join(s.values, "\x1f"))
	}
	return s.id
}

// content is the identity without the numbers, which change when an entry moves to another carrier.
func (s *subsection) content() string {
	values := s.values
	if s.kind == kindPrediction {
		values = append([]string{}, values...)
		values[predictionBased] = ""
	}
	return fmt.Sprintf("%d\x1f%s", s.kind, strings.Join(values, "\x1f"))
}

// subsectionReader reads the blocks under one heading.
type subsectionReader struct {
	s        *subsection
	document string
	rows     []field
	open     int // field whose text goes on, -1 for none
	parts    []string
	line     markdown.Line // where the open field's value starts
	code     string        // the code span that the open field's value starts with
	repeats  bool          // the open field was given before
	near     map[string]markdown.Line
	past     bool // of an earlier revision: only whether there are faults matters
}

func where(document string, l markdown.Line) report.Where {
	from, to := l.Extent()
	return report.Where{Document: document, Line: from.Line, Column: from.Column, EndLine: to.Line, EndColumn: to.Column}
}

// readSubsection reads a level-4 heading, which stands at a place, and what stands under it.
// Of an earlier revision the faults are only counted.
func readSubsection(at report.Where, title markdown.Line, blocks []markdown.Block, past bool) *subsection {
	s := &subsection{title: markdown.Title(title.Text), where: at}
	var digits string
	s.kind, digits = heading(s.title)
	r := subsectionReader{s: s, document: at.Document, rows: kinds[s.kind].fields, open: -1, past: past}
	r.meaning(title)
	if s.kind == kindUnknown {
		return s
	}
	n, fault := number(digits)
	if s.number = n; fault != "" {
		r.fault(kinds[s.kind].invalid, s.title, markdown.Line{}, "the number of the %s cannot be read: %s", kinds[s.kind].name, fault)
	}
	s.values, s.given = make([]string, len(r.rows)), make([]bool, len(r.rows))
	for _, b := range blocks {
		r.block(b)
	}
	r.close()
	r.absent()
	r.together()
	return s
}

func (r *subsectionReader) block(b markdown.Block) {
	switch b.Kind() {
	case markdown.Paragraph:
		r.close()
		r.lines(b.Lines())
		r.close()
	case markdown.List:
		for _, item := range b.Children() {
			r.item(item)
		}
	default:
		r.s.extra = r.s.extra || live(b)
	}
}

// item reads one list item: fields in its paragraphs, and what else belongs to the text of the last
// of them.
func (r *subsectionReader) item(item markdown.Block) {
	r.close()
	for i, b := range item.Children() {
		switch b.Kind() {
		case markdown.Paragraph:
			if i > 0 && r.open < 0 {
				r.s.extra = true
				continue
			}
			r.lines(b.Lines())
		case markdown.Code:
			r.more(b.Raw())
		case markdown.List, markdown.Item:
			r.nested(b)
		}
	}
	r.close()
}

func (r *subsectionReader) nested(b markdown.Block) {
	switch b.Kind() {
	case markdown.Paragraph:
		for _, l := range b.Lines() {
			r.bidi(l)
			r.more(l.Text)
		}
	case markdown.Code:
		r.more(b.Raw())
	case markdown.List, markdown.Item:
		for _, c := range b.Children() {
			r.nested(c)
		}
	}
}

// lines reads the lines of a paragraph. A label at the start of a line opens a field; other lines
// go on with the open one. The trailer, which may follow without a blank line, ends it.
func (r *subsectionReader) lines(lines []markdown.Line) {
	for _, l := range lines {
		r.bidi(l)
		if isTrailer(l.Text) {
			r.close()
			continue
		}
		switch {
		case r.label(l):
		case r.open >= 0:
			r.more(l.Text)
		default:
			r.s.extra = true
		}
	}
}

// label opens the field whose label stands at the start of the line.
func (r *subsectionReader) label(l markdown.Line) bool {
	name, rest, ok := cutLabel(l)
	if !ok {
		return false
	}
	plain := markdown.Squeeze(markdown.StripInvisible(name.Text))
	i := r.s.kind.lookup(plain)
	if i < 0 {
		if r.open < 0 {
			r.resembles(plain, name)
		}
		return false
	}
	r.close()
	r.meaning(name)
	r.open, r.line, r.repeats = i, rest, r.s.given[i]
	if rest.Text == "" {
		r.line = name
	}
	if r.repeats {
		r.fault(kinds[r.s.kind].repeated, r.rows[i].label, name, "%s has %q twice", r.s, r.rows[i].label)
		r.help("keep one line of each field")
		return true
	}
	r.s.given[i] = true
	if !r.rows[i].prose {
		r.meaning(rest)
	}
	if r.rows[i].code && len(rest.Code) > 0 && rest.Code[0].Start == 0 {
		r.code = rest.CodeText(rest.Code[0])
	}
	r.parts = append(r.parts[:0], rest.Text)
	return true
}

// maxLabel is longer than every label with what may stand before its colon.
const maxLabel = 64

// cutLabel parts a line at its first colon, plain or full-width (M5).
func cutLabel(l markdown.Line) (name, rest markdown.Line, ok bool) {
	head := l.Text[:min(len(l.Text), maxLabel)]
	at, width := strings.IndexByte(head, ':'), 1
	if wide := strings.Index(head, "："); wide >= 0 && (at < 0 || wide < at) {
		at, width = wide, len("：")
	}
	if at < 0 {
		return l, l, false
	}
	return l.Slice(0, at), l.TrimFrom(at + width), true
}

// resembles keeps a label that is nearly one of the kind's, for the message about the missing one.
func (r *subsectionReader) resembles(plain string, name markdown.Line) {
	for i := range r.rows {
		if markdown.Distance(strings.ToLower(plain), strings.ToLower(r.rows[i].label)) <= 2 {
			if r.near == nil {
				r.near = map[string]markdown.Line{}
			}
			r.near[r.rows[i].label] = name
			return
		}
	}
}

func (r *subsectionReader) more(text string) {
	if r.open >= 0 && !r.repeats {
		r.parts = append(r.parts, text)
	}
}

// close stores the open field.
func (r *subsectionReader) close() {
	i := r.open
	if i < 0 {
		return
	}
	repeats, code := r.repeats, r.code
	r.open, r.repeats, r.code = -1, false, ""
	if repeats {
		return
	}
	value := markdown.Squeeze(r.parts[0])
	if len(r.parts) > 1 {
		value = markdown.Squeeze(strings.Join(r.parts, " "))
	}
	if code != "" {
		value = code
	}
	row := r.rows[i]
	if value == "" {
		r.fault(kinds[r.s.kind].missing, row.label, r.line, "%s has no text after %q", r.s, row.label+":")
		return
	}
	canonical, fault := row.read(value)
	r.s.values[i] = canonical
	if fault != "" {
		r.fault(kinds[r.s.kind].invalid, row.label, r.line, "%q of %s: %s", row.label, r.s, fault)
		r.help(row.help())
	}
}

// absent reports the required fields that were not given, in one finding.
func (r *subsectionReader) absent() {
	var missing []string
	var at markdown.Line
	found := ""
	for i, row := range r.rows {
		if row.optional || r.s.given[i] {
			continue
		}
		missing = append(missing, row.label)
		if l, ok := r.near[row.label]; ok && found == "" {
			at, found = l, fmt.Sprintf("; did you mean %q by %q?", row.label, printable(l.Text))
		}
	}
	if len(missing) == 0 {
		return
	}
	names := `"` + strings.Join(missing, `", "`) + `"`
	r.fault(kinds[r.s.kind].missing, strings.Join(missing, ", "), at, "%s has no %s%s", r.s, names, found)
	r.help("add the line: - " + strings.Join(missing, ": …, and: - ") + ": …")
}

// together reports values that do not fit each other.
func (r *subsectionReader) together() {
	s := r.s
	switch s.kind {
	case kindAttempt:
		if label := r.rows[attemptCandidate].label; s.get(attemptOutcome) == TimedOut && !s.given[attemptCandidate] {
			r.fault(report.CodeAttemptClassificationMissing, label, markdown.Line{}, "%s timed out and has no %q", s, label)
		}
	case kindPrediction:
		_, high, fault := bounds(s.get(predictionWindow))
		chosen, none := number(s.get(predictionChosen))
		if fault == "" && none == "" && chosen < high {
			r.fault(report.CodePredictionFieldInvalid, r.rows[predictionChosen].label, markdown.Line{},
				"%s chooses a timeout of %d ms, less than the end of its window, %d ms", s, chosen, high)
			r.help(fmt.Sprintf("write: - %s: %d, or more, and run with that timeout", r.rows[predictionChosen].label, high))
		}
	}
}

// fault keeps a finding about a field: at a line, else at the heading.
func (r *subsectionReader) fault(code report.Code, about string, l markdown.Line, format string, args ...any) {
	if r.past {
		r.s.faults = append(r.s.faults, report.Diagnostic{Code: code})
		return
	}
	at := r.s.where
	if l.Text != "" {
		at = where(r.document, l)
	}
	d := report.New(code, fmt.Sprintf(format, args...))
	d.Where, d.Details = &at, map[string]any{"field": about}
	r.s.faults = append(r.s.faults, d)
}

// help says what to write instead of what the last finding is about.
func (r *subsectionReader) help(text string) {
	if !r.past {
		r.s.faults[len(r.s.faults)-1].Help = text
	}
}

// meaning refuses invisible characters in text that has a meaning (M5).
func (r *subsectionReader) meaning(l markdown.Line) {
	if i, c, found := markdown.FirstInvisible(l.Text); found {
		r.invisible(l, i, c)
	}
}

// bidi refuses characters that reorder text anywhere in the section (M5).
func (r *subsectionReader) bidi(l markdown.Line) {
	if i := strings.IndexFunc(l.Text, markdown.IsBidi); i >= 0 {
		c, _ := utf8.DecodeRuneInString(l.Text[i:])
		r.invisible(l, i, c)
	}
}

// invisible reports a character once per place.
func (r *subsectionReader) invisible(l markdown.Line, i int, c rune) {
	if r.past {
		r.s.faults = append(r.s.faults, report.Diagnostic{Code: report.CodeTextInvisibleCharacter})
		return
	}
	p := l.Position(i)
	at := report.Where{Document: r.document, Line: p.Line, Column: p.Column, EndLine: p.Line, EndColumn: p.Column + 1}
	for _, known := range r.s.faults {
		if known.Code == report.CodeTextInvisibleCharacter && *known.Where == at {
			return
		}
	}
	d := invisible(c)
	d.Where = &at
	r.s.faults = append(r.s.faults, d)
}
