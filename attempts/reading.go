package attempts

import (
	"fmt"
	"strings"

	"github.com/evidence-gate/evidence-gate/internal/checkline"
	"github.com/evidence-gate/evidence-gate/internal/markdown"
	"github.com/evidence-gate/evidence-gate/report"
)

// SectionName is the title of a carrier's section.
const SectionName = "Verification Attempts"

// checkLevel is the level of the heading that names the check.
const checkLevel = 3

// reading is what one text of a comment says.
type reading struct {
	check   string        // of a carrier: the one live marker's, "" when the text is none
	triages string        // of a triage comment, likewise
	entries []*subsection // under the check's heading
	broken  bool          // its structure has an error of A1
	extra   bool          // holds live text besides headings and subsections
	markers []*marker
	faults  []report.Diagnostic // of the structure
}

// understand makes sense of an outline.
func understand(o *outline) reading {
	r := reading{}
	for i := range o.pieces {
		if m := o.pieces[i].marker; m != nil {
			r.markers = append(r.markers, m)
		}
	}
	if len(r.markers) == 0 {
		return r
	}
	first := r.markers[0]
	if first.triage {
		r.triages = first.check
	} else {
		r.check = first.check
	}
	if first.fault != nil {
		r.fault(*first.fault)
	}
	if len(r.markers) > 1 {
		r.repeated()
		return r
	}
	r.structure(o, first)
	return r
}

func (r *reading) fault(d report.Diagnostic) {
	r.broken = true
	r.faults = append(r.faults, d)
}

// repeated reports two live markers. Which of them counts is not certain, so that nothing does.
func (r *reading) repeated() {
	second := r.markers[1]
	d := report.New(report.CodeCarrierMarkerRepeated, fmt.Sprintf("the comment has %d live markers, in lines %d and %d", len(r.markers), r.markers[0].where.Line, second.where.Line))
	d.Where = &second.where
	r.fault(d)
}

// structure reads the section and the heading of the check.
func (r *reading) structure(o *outline, m *marker) {
	sections := sectionsOf(o)
	if len(sections) != 1 {
		r.sections(o, sections, m)
		r.extra = true
		return
	}
	s := &o.pieces[sections[0]]
	if s.level != markdown.CanonicalLevel {
		d := report.New(report.CodeSectionLevel, fmt.Sprintf("the %s section stands at heading level %d; level %d is the canonical one", SectionName, s.level, markdown.CanonicalLevel))
		d.Help, d.Where = "## "+SectionName, &s.where
		r.faults = append(r.faults, d)
	}
	checks := r.divide(o, s, m)
	for _, p := range append([]*piece{s}, checks...) {
		if p.fault != nil {
			r.fault(*p.fault)
		}
	}
	r.heading(s, checks, m)
}

// ground is what the heading above a subsection makes of it.
type ground int

const (
	outside ground = iota // of the section, or under a heading of it that names no check
	under                 // the heading of the check
	another               // the heading of a second or a wrong check, which is reported itself
)

// divide goes through the pieces and keeps the subsections under the first heading of the marker's
// check. It returns the headings of checks in the section.
func (r *reading) divide(o *outline, section *piece, m *marker) (checks []*piece) {
	at, inside := outside, false
	for i := range o.pieces {
		p := &o.pieces[i]
		switch id := checkline.ID(p.title); {
		case p == section:
			at, inside = outside, true
		case p.level == checkLevel && inside && checkLevel > section.level && id != "":
			if at = another; id == m.check && len(checks) == 0 {
				at = under
			}
			checks = append(checks, p)
		case p.level > 0 && p.level < subsectionLevel:
			at, inside = outside, inside && p.level > section.level
			r.extra = true
		case p.sub != nil && at == under:
			r.entries = append(r.entries, p.sub)
		case p.sub != nil && at == outside:
			r.stray(p)
		}
		r.extra = r.extra || p.live
	}
	return checks
}

// sectionsOf are the places of the headings of the section at the winning level (M2).
func sectionsOf(o *outline) []int {
	var canonical, other []int
	for i := range o.pieces {
		switch p := &o.pieces[i]; {
		case p.level == 0 || p.level >= subsectionLevel || !strings.EqualFold(p.title, SectionName):
		case p.level == markdown.CanonicalLevel:
			canonical = append(canonical, i)
		default:
			other = append(other, i)
		}
	}
	if len(canonical) > 0 {
		return canonical
	}
	return other
}

// sections reports that there is no section, or more than one.
func (r *reading) sections(o *outline, found []int, m *marker) {
	d := report.New(report.CodeCarrierSectionMissing, fmt.Sprintf("the comment has the marker of %s and no live section %q%s", m.check, "## "+SectionName, o.instead))
	d.Where = &m.where
	if len(found) > 1 {
		first, second := o.pieces[found[0]].where, o.pieces[found[1]].where
		d.Message = fmt.Sprintf("the comment has %d live %s sections, in lines %d and %d", len(found), SectionName, first.Line, second.Line)
		d.Help, d.Where = "keep one section and move the other's attempts into it", &second
	}
	r.fault(d)
	for i := range o.pieces {
		if p := &o.pieces[i]; p.sub != nil {
			r.extra = true
		}
	}
}

// stray keeps a level-4 heading that does not stand under the check's heading: such headings are
// reserved, so that no attempt is lost without a word (A3).
func (r *reading) stray(p *piece) {
	d := report.New(report.CodeAttemptSubsectionUnknown, fmt.Sprintf("%q stands outside the part of the check", printable(p.title)))
	d.Help, d.Where = "move it under the heading of the check, or give the heading another level", &p.sub.where
	r.extra = true
	r.faults = append(r.faults, d)
}

// heading judges the headings of checks: there is exactly one, and it is the marker's.
func (r *reading) heading(section *piece, checks []*piece, m *marker) {
	at, message := section.where, ""
	if len(checks) > 0 {
		at = checks[0].where
	}
	switch {
	case len(checks) == 0:
		message = fmt.Sprintf("the section has no heading %q", "### "+m.check)
	case len(checks) > 1:
		message = fmt.Sprintf("the section has %d headings of checks; a carrier is of one", len(checks))
	case checkline.ID(checks[0].title) != m.check:
		message = fmt.Sprintf("the heading in line %d names %s, the marker %s", at.Line, printable(checks[0].title), m.check)
	default:
		return
	}
	d := report.New(report.CodeCarrierCheckMismatch, message)
	d.Help, d.Where = "### "+m.check, &at
	d.Details = map[string]any{"expected_check": m.check}
	r.fault(d)
}
