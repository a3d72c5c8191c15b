package criteria

import (
	"fmt"
	"strings"

	"github.com/evidence-gate/evidence-gate/internal/checkline"
	"github.com/evidence-gate/evidence-gate/internal/markdown"
	"github.com/evidence-gate/evidence-gate/report"
)

// criterion reads one item of the list and reports the first thing that is wrong with it.
func (r *reader) criterion(i item, next int64) {
	c := Criterion{ID: i.text.id, Kind: i.text.kind(), Text: i.text.text, From: i.text.sources(), Where: lineWhere(i.line), pieces: i.text.pieces}
	c.Broken = r.invisible(i.line, c.ID)
	if fault := i.text.fault(c); fault != "" {
		c.Broken = true
		r.invalid(c.Where, c.ID, fault, func() string { return c.corrected(i.text, next).Markdown() })
	}
	r.list.Criteria = append(r.list.Criteria, c)
}

// maxInvalid bounds how many faults of one task are told apart; one more says how many are left.
const maxInvalid = 200

// invalid reports one fault, with the line to write instead.
func (r *reader) invalid(w report.Where, id, fault string, line func() string) {
	if r.faults++; r.faults <= maxInvalid {
		r.report(report.New(report.CodeCriterionInvalid, fault), w, line(), id)
	} else if r.faults == maxInvalid+1 {
		r.more = w
	}
}

// rest reports how many further faults there are.
func (r *reader) rest() {
	if n := r.faults - maxInvalid; n > 0 {
		r.report(report.New(report.CodeCriterionInvalid, fmt.Sprintf("%d more criteria are malformed or out of place, the first of them here", n)), r.more, "", "")
	}
}

// fault says what is wrong with a criterion, "" when nothing is.
func (p parsed) fault(c Criterion) string {
	name := c.shortName()
	switch {
	case p.nearID != "":
		return fmt.Sprintf("%s is no id; a criterion starts with [AC-<n>]", p.nearID)
	case c.ID == "":
		return fmt.Sprintf("%s has no id", name)
	case p.open != "":
		return fmt.Sprintf("the bracket of %q in %s is not closed", p.open, name)
	case p.near != "":
		return fmt.Sprintf("%q in %s is no annotation; did you mean %q?", p.near, name, nearly(p.near))
	case p.empty != "":
		return fmt.Sprintf("%q in %s has no value", p.empty, name)
	case len(p.kinds) == 0:
		return fmt.Sprintf("%s does not say its kind, which is one of %s", name, strings.Join(Kinds, ", "))
	case c.Kind == "":
		return p.kindFault(name)
	case p.blank():
		return fmt.Sprintf("%s does not say what must hold", name)
	}
	return ""
}

func (p parsed) kindFault(name string) string {
	for _, written := range p.kinds {
		if kindOf(written) == "" {
			return fmt.Sprintf("%q in %s is no kind; it is one of %s", shown(written), name, strings.Join(Kinds, ", "))
		}
	}
	return fmt.Sprintf("%s gives its kind twice, with other values", name)
}

// shortName is how messages call a criterion: its id, else its first words.
func (c Criterion) shortName() string {
	if c.ID != "" {
		return c.ID
	}
	return fmt.Sprintf("the criterion %q", firstWords(c.Text))
}

// corrected is the criterion as it might have been meant, for the line to write.
func (c Criterion) corrected(p parsed, next int64) Criterion {
	if c.ID == "" {
		c.ID = fmt.Sprintf("AC-%d", next)
		if digits := strings.Trim(p.nearID, "[]AaCc -_.#"); len(digits) > 0 && ID("AC-"+digits) != "" {
			c.ID = "AC-" + digits
		}
	}
	if c.Kind == "" {
		c.Kind = nearestKind(p.kinds)
	}
	if p.blank() {
		c.Text, c.pieces = "what must hold", nil
	}
	c.shorten()
	return c
}

// nearestKind is the kind that was probably meant.
func nearestKind(written []string) string {
	best, edits := Unit, -1
	if len(written) == 0 || written[0] == "" {
		return best
	}
	for _, k := range Kinds {
		if n := markdown.Distance(checkline.Fold(written[0]), checkline.Fold(k)); edits < 0 || n < edits {
			best, edits = k, n
		}
	}
	return best
}

// doubled reports ids that two criteria share; none of the two counts.
func (r *reader) doubled(next int64) {
	first := map[string]int{}
	for i := range r.list.Criteria {
		c := &r.list.Criteria[i]
		if c.ID == "" {
			continue
		}
		j, again := first[c.ID]
		if !again {
			first[c.ID] = i
			continue
		}
		other := &r.list.Criteria[j]
		other.Broken, c.Broken = true, true
		fault := fmt.Sprintf("%s is used twice, in lines %d and %d", c.ID, other.Where.Line, c.Where.Line)
		renamed := *c
		renamed.ID = fmt.Sprintf("AC-%d", next)
		r.invalid(c.Where, c.ID, fault, func() string { return renamed.corrected(parsed{text: renamed.Text}, next).Markdown() })
	}
}

// outside reports criteria in live text that is no item of the top-level list, where they would not be
// asked for. A text may well speak of a criterion that the list has.
func (r *reader) outside(next int64) {
	known := r.ids()
	for _, m := range r.stray {
		id := m.lost(known)
		if id == "" {
			continue
		}
		r.invalid(m.where, id, fmt.Sprintf("%s stands %s, where it would not be asked for", id, m.place), func() string { return m.listed(id, next) })
		r.list.faulty = true
	}
}

// listed is the list item that a text should have been.
func (m mention) listed(id string, next int64) string {
	if m.line == nil || !m.first {
		return "write each criterion as a list item: " + Criterion{ID: id, Kind: Unit, Text: "what must hold"}.Markdown()
	}
	p := parse(*m.line)
	c := Criterion{ID: id, Kind: p.kind(), Text: p.text, From: p.sources(), pieces: p.pieces}
	return c.corrected(p, next).Markdown()
}

// lost is the first id of a text that the list does not have, or the one that the text starts with; ""
// when nothing is lost.
func (m mention) lost(known map[string]bool) string {
	for i, id := range m.ids {
		if !known[id] || i == 0 && m.first {
			return id
		}
	}
	return ""
}

// notLiveOnes warns of criteria that are commented out, quoted or fenced and stand nowhere else (C1).
func (r *reader) notLiveOnes() {
	known := r.ids()
	for _, m := range r.hidden {
		if id := m.lost(known); id != "" {
			d := report.New(report.CodeContractHiddenCheck, fmt.Sprintf("the criterion %s stands in %s, so it is not asked for", id, m.place))
			r.report(d, m.where, "", id)
		}
	}
}

func (r *reader) ids() map[string]bool {
	known := make(map[string]bool, len(r.list.Criteria))
	for i := range r.list.Criteria {
		known[r.list.Criteria[i].ID] = true
	}
	return known
}
