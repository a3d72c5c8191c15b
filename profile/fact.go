package profile

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/evidence-gate/evidence-gate/attempts"
	"github.com/evidence-gate/evidence-gate/internal/markdown"
	"github.com/evidence-gate/evidence-gate/report"
)

// factReader collects the fields of one fact.
type factReader struct {
	r        *reader
	fact     Fact
	name     string // how messages call it
	seen     [fieldCount]bool
	absent   []int      // fields that are left out or empty
	unknowns []labelled // lines with a label that is none of a fact's, for the help
	wrong    bool       // a field is absent or not allowed
}

// labelled is a line that starts with a label.
type labelled struct {
	label markdown.Line
	name  string // the label in lower case
	value []markdown.Line
	from  int // the line of the document that it stands in
}

func (f *factReader) begin(title markdown.Line) {
	f.fact.where = lineWhere(title)
	f.fact.last = f.fact.where.EndLine
	f.name = "the fact in line " + fmt.Sprint(f.fact.where.Line)
	switch {
	case !f.r.certain(title):
	case isID(title.Text):
		f.fact.ID, f.name = title.Text, title.Text
	default:
		f.r.add(report.CodeProfileIdInvalid, f.fact.where, "### "+suggestedID(title.Text),
			"the heading %s is no id of a fact: expected VF- and a name of letters, digits, dots, dashes and underscores", shown(title.Text))
	}
}

// suggestedID makes an id of a heading's words.
func suggestedID(title string) string {
	name := strings.ToLower(title)
	name = strings.TrimPrefix(strings.TrimPrefix(name, "vf-"), "vf ")
	words := strings.FieldsFunc(name, func(r rune) bool { return r >= utf8.RuneSelf || !letterOrDigit(byte(r)) && r != '.' && r != '_' })
	id := "VF-" + strings.Join(words, "-")
	if !isID(id) {
		return "VF-name"
	}
	return id
}

// read reads lines of one paragraph: each that starts with a label of a fact starts a field, whose
// text runs on until the next one.
func (f *factReader) read(lines []markdown.Line) {
	var open *labelled
	for _, l := range lines {
		next, ok := readLabel(l)
		known := ok && fieldNamed(next.name) >= 0
		if known || ok && open == nil {
			f.close(open)
			open = &next
			continue
		}
		if open != nil {
			open.value = append(open.value, l)
		}
	}
	f.close(open)
}

// close stores the field of a label.
func (f *factReader) close(l *labelled) {
	if l == nil {
		return
	}
	i := fieldNamed(l.name)
	if i < 0 {
		if len(f.unknowns) < maxUnknowns {
			f.unknowns = append(f.unknowns, *l)
		}
		return
	}
	value := markdown.Join(l.value).Trim()
	w := lineWhere(l.label)
	if value.Text != "" {
		w = lineWhere(value)
	}
	if f.seen[i] {
		f.wrong = true
		*fields[i].of(&f.fact) = ""
		f.fact.last = max(f.fact.last, w.EndLine)
		f.r.add(report.CodeProfileFieldRepeated, w, "", "%s gives %q twice, first in line %d", f.name, fields[i].label, f.fact.lines[i].from)
		return
	}
	f.seen[i] = true
	text := markdown.Squeeze(value.Text)
	if i == fieldCommand {
		text = commandText(value)
	}
	_, end := l.value[len(l.value)-1].Extent()
	f.fact.lines[i] = span{from: l.from, to: max(l.from, end.Line), where: w, text: text}
	f.fact.last = max(f.fact.last, f.fact.lines[i].to)
	if !f.r.certain(l.label) || !f.r.certain(value) {
		f.wrong = true // what it says is not certain
		return
	}
	f.store(i, text, value.Text, w)
}

// store judges the value of a field; written is what stands there.
func (f *factReader) store(i int, text, written string, w report.Where) {
	if written == "" {
		f.absent = append(f.absent, i)
		return
	}
	read, ok := fields[i].read(text)
	switch {
	case !ok && i == fieldSource:
		f.wrong = true
		f.r.add(report.CodeProfileSourceNotDurable, w, "", "the source of %s is %s, which cannot be looked up later: expected %s", f.name, shown(text), fields[i].allowed)
	case !ok || text == "":
		f.wrong = true
		f.r.add(report.CodeProfileFieldInvalid, w, fieldLine(i, fields[i].example), "%q of %s is %s: expected %s", fields[i].label, f.name, shown(written), fields[i].allowed)
	default:
		*fields[i].of(&f.fact) = read
	}
}

// commandText is the command of a value: its one code span, or all of it when it has none; "" when
// other text stands beside the span.
func commandText(value markdown.Line) string {
	switch {
	case len(value.Code) == 0:
		return markdown.Squeeze(value.Text)
	case len(value.Code) == 1 && value.Code[0].Start == 0 && value.Code[0].End == len(value.Text):
		return value.CodeText(value.Code[0])
	}
	return ""
}

// finish reports the fields that are absent, all at once, and a fact that is none.
func (f *factReader) finish() Fact {
	for i := range fields {
		if !f.seen[i] {
			f.absent = append(f.absent, i)
		}
	}
	if len(f.absent) > 0 {
		f.missing()
	} else if !f.wrong && f.fact.routine() {
		f.r.add(report.CodeProfileRoutineFact, f.fact.where, "remove the fact: a routine pass needs none; keep it when a strategy, a host ceiling or a decision has to be remembered, and say that",
			"%s records a pass in the foreground, without a host ceiling or a decision, which is nothing to remember", f.name)
	}
	return f.fact
}

func (f *factReader) missing() {
	slices.Sort(f.absent)
	var names, lines []string
	near := ""
	for _, i := range f.absent {
		names, lines = append(names, strconv.Quote(fields[i].label)), append(lines, fieldLine(i, fields[i].example))
		if l, ok := f.nearest(i); ok && near == "" {
			near = fmt.Sprintf("; line %d has %s", l.from, shown(l.label.Text))
		}
	}
	w := f.fact.where
	if at := f.fact.lines[f.absent[0]]; at.from > 0 {
		w = at.where
	}
	f.r.add(report.CodeProfileFieldMissing, w, strings.Join(lines, "\n"), "%s does not give %s%s", f.name, strings.Join(names, ", "), near)
}

// maxUnknowns is how many other labels of a fact are looked at for one that was meant.
const maxUnknowns = 20

// routine reports whether the fact says nothing but that the command passes as every other does.
func (f Fact) routine() bool {
	return f.LastOutcome == attempts.Passed && f.Strategy == attempts.Foreground && !number(f.HostCeilingMS) && f.Decision == none
}

// maxEdits is how far a label may be from the one that was probably meant.
const maxEdits = 2

// nearest is a line whose label is nearly that of a field.
func (f *factReader) nearest(i int) (labelled, bool) {
	for _, l := range f.unknowns {
		if markdown.Distance(l.name, strings.ToLower(fields[i].label)) <= maxEdits {
			return l, true
		}
	}
	return labelled{}, false
}

// maxLabel is longer than every label with the emoji that may stand before it.
const maxLabel = 64

// readLabel reads a label at the start of a line: words before a colon, plain or full-width (M5, M8).
func readLabel(l markdown.Line) (labelled, bool) {
	start := markdown.LeadingEmoji(l.Text)
	head := l.Text[start:min(len(l.Text), start+maxLabel)]
	at := strings.IndexAny(head, ":：")
	if at <= 0 {
		return labelled{}, false
	}
	_, width := utf8.DecodeRuneInString(head[at:])
	label := l.Slice(start, start+at).Trim()
	name := strings.ToLower(markdown.Squeeze(markdown.StripInvisible(label.Text)))
	if name == "" {
		return labelled{}, false
	}
	return labelled{label: label, name: name, value: []markdown.Line{l.TrimFrom(start + at + width)}, from: l.Position(start).Line}, true
}

// fieldNamed is the field of a label in lower case, -1 for none.
func fieldNamed(name string) int {
	for i, f := range fields {
		if len(name) == len(f.label) && strings.EqualFold(name, f.label) {
			return i
		}
	}
	return -1
}
