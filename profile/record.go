package profile

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/evidence-gate/evidence-gate/internal/markdown"
	"github.com/evidence-gate/evidence-gate/report"
)

// Recorded is a project.md with a fact added or brought up to date.
type Recorded struct {
	Text    string // empty when the fact is refused
	Added   bool   // the fact is new; otherwise one with its id was changed
	Refused string // the text that the diagnostics of a refusal point into
}

// Record writes a fact into the text of a project.md: the fact with its id gets the values that
// differ (an empty one means that what stands there stays), a new one goes below the others or takes
// the place of the exact empty state, and a section that is missing is added at the end. Every other
// byte stays. decisions are the ids that exist.
//
// The result is read again before it is returned. What is wrong with the fact, or was not wrong
// with the text before, is returned as diagnostics, as errors; then there is nothing to write. The
// error is for a text into which the fact cannot be written without touching something else.
func Record(text string, f Fact, decisions []string) (Recorded, []report.Diagnostic, error) {
	before, found := readWith(text, decisions)
	if d := blocking(found); len(d) > 0 {
		return Recorded{Refused: text}, AsErrors(d), nil
	}
	e := editor{text: splitLines(text), profile: before}
	out := Recorded{}
	old, exists := before.Fact(f.ID)
	var err error
	if exists {
		err = e.change(old, f)
	} else {
		out.Added = true
		err = e.add(f)
	}
	if err != nil {
		return Recorded{}, nil, err
	}
	out.Text = e.text.String()
	after, left := readWith(out.Text, decisions)
	if d := refused(after, f, found, left); len(d) > 0 {
		return Recorded{Refused: out.Text}, AsErrors(d), nil
	}
	if err := sameBut(before, after, f); err != nil {
		return Recorded{}, nil, err
	}
	return out, nil, nil
}

// readWith reads a text with everything that `profile validate` reports.
func readWith(text string, decisions []string) (Profile, []report.Diagnostic) {
	p, diagnostics := Read(text)
	return p, append(diagnostics, p.MissingDecisions(decisions)...)
}

// blocking are the diagnostics of a text of which no fact is read.
func blocking(diagnostics []report.Diagnostic) []report.Diagnostic {
	var out []report.Diagnostic
	for _, d := range diagnostics {
		switch d.Code {
		case report.CodeSectionDuplicate, report.CodeDocumentTooLarge, report.CodeDocumentTooComplex:
			out = append(out, d)
		}
	}
	return out
}

// refused are the diagnostics about the fact that was written, and those of a code that the text had
// fewer of before.
func refused(after Profile, f Fact, before, left []report.Diagnostic) []report.Diagnostic {
	count := map[report.Code]int{}
	for _, d := range before {
		count[d.Code]++
	}
	written, _ := after.Fact(f.ID)
	var out []report.Diagnostic
	for _, d := range left {
		inside := written.ID != "" && written.where.Line <= d.Where.Line && d.Where.Line <= written.last
		shared, _ := d.Details["facts"].([]string)
		if count[d.Code]--; (count[d.Code] < 0 || inside || slices.Contains(shared, f.ID)) && d.Code != report.CodeSectionLevel {
			out = append(out, d)
		}
	}
	return out
}

// sameBut holds that the fact was written as it is, and that no other fact was touched.
func sameBut(before, after Profile, f Fact) error {
	refuse := func(what string) error {
		return fmt.Errorf("the fact cannot be written into %s without touching other text (%s): write it by hand", Path, what)
	}
	written, ok := after.Fact(f.ID)
	if !ok {
		return refuse("it would not be live text of the section")
	}
	for i := range fields {
		if value := markdown.Squeeze(*fields[i].of(&f)); value != "" && written.lines[i].text != value {
			return refuse(fmt.Sprintf("%q would read as %s", fields[i].label, shown(written.lines[i].text)))
		}
	}
	if !slices.Equal(others(before, f.ID), others(after, f.ID)) {
		return refuse("another fact would change")
	}
	return nil
}

// others are the facts but one, without their places.
func others(p Profile, id string) []Fact {
	var out []Fact
	for _, f := range p.Facts {
		if f.ID == id {
			continue
		}
		f.where, f.last = report.Where{}, 0
		for i := range f.lines {
			f.lines[i] = span{text: f.lines[i].text}
		}
		out = append(out, f)
	}
	return out
}

// editor changes one text.
type editor struct {
	text    *lines
	profile Profile
}

// change writes the fields that differ, each in place of its own lines; one that is absent goes
// below the last that is there.
func (e *editor) change(old, f Fact) error {
	for i := range fields {
		at := old.lines[i]
		if value := markdown.Squeeze(*fields[i].of(&f)); value == "" || at.from > 0 && at.text == value {
			continue
		}
		line, err := f.line(i)
		if err != nil {
			return err
		}
		if at.from == 0 {
			e.text.insertAfter(old.last, line)
			continue
		}
		if slices.ContainsFunc(old.lines[:], func(o span) bool { return o.from != at.from && o.from > 0 && o.from <= at.to && at.from <= o.to }) {
			return errors.New("two fields of the fact share a line: write the fact by hand")
		}
		e.text.replace(at.from, at.to, marker.FindString(e.text.at(at.from))+strings.TrimPrefix(line, "- "))
	}
	return nil
}

// marker is what can stand before a label in a line: its indent and list marker.
var marker = regexp.MustCompile(`^[ \t]*(?:(?:[-*+]|[0-9]{1,9}[.)])[ \t]+)?`)

// add puts a fact where facts go.
func (e *editor) add(f Fact) error {
	written, err := f.Markdown()
	if err != nil {
		return err
	}
	block := strings.Split(strings.TrimSuffix(written, "\n"), "\n")
	at := e.profile.place
	end := len(e.text.original)
	if at.next > 0 {
		end = at.next - 1
	}
	switch {
	case !e.profile.Found:
		e.text.insertBlock(end, append([]string{"## " + SectionName, ""}, block...)...)
	case at.empty.from > 0 && len(e.profile.Facts) == 0:
		block[0] = at.heading + " " + f.ID
		e.text.replace(at.empty.from, at.empty.to, block...)
	default:
		block[0] = at.heading + " " + f.ID
		e.text.insertBlock(end, block...)
	}
	return nil
}
