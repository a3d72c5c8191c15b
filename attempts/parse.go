package attempts

import (
	"fmt"
	"slices"
	"strings"

	"github.com/evidence-gate/evidence-gate/internal/checkline"
	"github.com/evidence-gate/evidence-gate/internal/markdown"
	"github.com/evidence-gate/evidence-gate/report"
)

// Carrier is what one text records of a check. Who wrote it, and what it held before, is not looked
// at.
type Carrier struct {
	Check       string // "" when the text is no carrier
	Entries     []Entry
	Diagnostics []report.Diagnostic // by the rules that need nothing but the text
}

// Entry is one attempt, prediction or triage; the others are nil.
type Entry struct {
	Attempt    *Attempt
	Prediction *Prediction
	Triage     *Triage
	Where      report.Where // of its heading
}

// Parse reads the text of a carrier. The error is a refusal to read it (M1).
func Parse(body string) (Carrier, error) {
	n, err := inspect(body, rules{})
	if err != nil {
		return Carrier{}, err
	}
	return Carrier{Check: n.reading.check, Entries: entriesOf(n.reading.entries), Diagnostics: n.all()}, nil
}

// all are the findings in the order in which they were made.
func (n inspection) all() []report.Diagnostic {
	out := make([]report.Diagnostic, 0, len(n.order))
	for _, key := range n.order {
		out = append(out, n.findings[key])
	}
	return out
}

func entriesOf(subsections []*subsection) []Entry {
	var out []Entry
	for _, s := range subsections {
		e := Entry{Where: s.where}
		switch s.kind {
		case kindAttempt:
			a := s.attempt()
			e.Attempt = &a
		case kindPrediction:
			p := s.prediction()
			e.Prediction = &p
		case kindTriage:
			t := s.decision()
			e.Triage = &t
		default:
			continue
		}
		out = append(out, e)
	}
	return out
}

// TaskFile is the document name of a task file in diagnostics.
const TaskFile = "task_file"

// EmptyState is the exact sentence of a task file's section without attempts (A12).
const EmptyState = "No verification attempts are currently recorded."

// ParseTaskFile reads the section of a task file, which may hold the attempts of several checks, or
// EmptyState (A12). A file without the section records nothing.
func ParseTaskFile(text string) ([]Carrier, []report.Diagnostic, error) {
	o, err := readOutline(TaskFile, text)
	if err != nil {
		return nil, nil, err
	}
	sections := sectionsOf(o)
	if len(sections) == 0 {
		return nil, nil, nil
	}
	if len(sections) > 1 {
		second := o.pieces[sections[1]].where
		d := report.New(report.CodeCarrierSectionMissing, fmt.Sprintf("the file has %d live %s sections, in lines %d and %d", len(sections), SectionName, o.pieces[sections[0]].where.Line, second.Line))
		d.Where = &second
		return nil, []report.Diagnostic{d}, nil
	}
	parts, faults := partsOf(o, sections[0])
	if len(parts) == 0 && !saysEmpty(o, sections[0]) {
		d := report.New(report.CodeCarrierEmpty, fmt.Sprintf("the section holds no attempts and not the sentence %q", EmptyState))
		d.Where = &o.pieces[sections[0]].where
		faults = append(faults, d)
	}
	var out []Carrier
	for _, p := range parts {
		n := inspection{findings: map[finding]report.Diagnostic{}}
		n.judge(p.check, p.entries)
		c := Carrier{Check: p.check, Entries: entriesOf(p.entries), Diagnostics: n.all()}
		if !slices.ContainsFunc(p.entries, func(s *subsection) bool { return s.kind == kindAttempt }) {
			d := report.New(report.CodeCarrierEmpty, fmt.Sprintf("%s has no attempt", p.check))
			d.Where = &p.where
			c.Diagnostics = append(c.Diagnostics, d)
		}
		out = append(out, c)
	}
	return out, faults, nil
}

// part is the part of a task file's section about one check.
type part struct {
	check   string
	where   report.Where
	entries []*subsection
}

// partsOf cuts the section at the headings of checks.
func partsOf(o *outline, section int) (parts []part, faults []report.Diagnostic) {
	fault := func(code report.Code, message string, at *report.Where) {
		d := report.New(code, message)
		d.Where = at
		faults = append(faults, d)
	}
	here := false
	for i := section + 1; i < len(o.pieces); i++ {
		p := &o.pieces[i]
		if p.level > 0 && p.level <= o.pieces[section].level {
			break
		}
		switch id := checkline.ID(p.title); {
		case p.level == checkLevel && id != "":
			if slices.ContainsFunc(parts, func(known part) bool { return known.check == id }) {
				fault(report.CodeCarrierDuplicate, fmt.Sprintf("%s has a second heading", id), &p.where)
			}
			parts, here = append(parts, part{check: id, where: p.where}), true
		case p.level > 0 && p.level < subsectionLevel:
			here = false
		case p.sub != nil && here:
			last := &parts[len(parts)-1]
			last.entries = append(last.entries, p.sub)
		case p.sub != nil:
			fault(report.CodeAttemptSubsectionUnknown, fmt.Sprintf("%q stands under no heading of a check", printable(p.title)), &p.sub.where)
		}
	}
	return parts, faults
}

// saysEmpty reports whether the section's own text is the empty state.
func saysEmpty(o *outline, section int) bool {
	end := len(o.text)
	if section+1 < len(o.pieces) {
		end = o.pieces[section+1].offset
	}
	_, text, _ := strings.Cut(o.text[o.pieces[section].offset:end], "\n")
	return markdown.Squeeze(text) == EmptyState
}
