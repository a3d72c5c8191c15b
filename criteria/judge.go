package criteria

import (
	"fmt"
	"strings"

	"github.com/evidence-gate/evidence-gate/prbody"
	"github.com/evidence-gate/evidence-gate/profile/policy"
	"github.com/evidence-gate/evidence-gate/report"
)

// Judge concludes which criteria are satisfied. What is wrong with the list itself was said by [Read].
func Judge(f Facts) Result {
	if f.Mode == policy.Off {
		return Result{}
	}
	j := &judge{Facts: f, index: newIndex(f)}
	j.entries()
	if f.Criteria.Empty() {
		j.missing()
	} else {
		for i := range f.Criteria.Criteria {
			j.criterion(&f.Criteria.Criteria[i])
		}
	}
	j.rules()
	return j.result
}

// judge is one judgement under way.
type judge struct {
	Facts
	index  *index
	byID   map[string]*entry
	ids    []string // of the first criteria, for messages
	found  bool     // the body has an Evidence section
	result Result
}

func (j *judge) add(d report.Diagnostic, w report.Where, help, id string) {
	d.Where = &w
	if help != "" {
		d.Help = help
	}
	if id != "" {
		d.Check = &id
		d.Details = map[string]any{"criterion": id}
	}
	j.result.Diagnostics = append(j.result.Diagnostics, d)
}

// missing reports that the policy asks for criteria and the task has none.
func (j *judge) missing() {
	l := j.Criteria
	if j.Mode == policy.Optional || l.faulty {
		return
	}
	w := l.where
	if w.Document == "" {
		w.Document = IssueDocument
	}
	message := fmt.Sprintf("the policy asks for acceptance criteria, and the task has no live %s section", SectionName)
	switch {
	case l.found:
		message = fmt.Sprintf("the policy asks for acceptance criteria, and the %s section holds none: no list item starts with [AC-<n>]", SectionName)
	case l.d != nil:
		instead := l.d.Instead(SectionName)
		message += prbody.Explain(instead)
		w.Line = instead.Line
	}
	help := "## " + SectionName + "\n\n" + Criterion{ID: "AC-1", Kind: Unit, Text: "what must hold"}.Markdown()
	j.add(report.New(report.CodeCriterionMissing, message), w, help, "")
}

// entries reads the entries of the body. Of several for one criterion none counts, as each says
// something else or nothing more; one for no criterion of the task only warns (E5).
func (j *judge) entries() {
	es := readEntries(j.Body)
	j.found, j.byID = es.found, make(map[string]*entry, len(es.list))
	j.result.Diagnostics = append(j.result.Diagnostics, es.diagnostics...)
	known := make(map[string]bool, len(j.Criteria.Criteria))
	for i := range j.Criteria.Criteria {
		id := j.Criteria.Criteria[i].ID
		known[id] = true
		if id != "" && len(j.ids) < maxNamed {
			j.ids = append(j.ids, id)
		}
	}
	for i := range es.list {
		e := &es.list[i]
		first, again := j.byID[e.id]
		switch {
		case e.id == "" || !known[e.id]:
			j.unknown(e)
		case !again:
			j.byID[e.id] = e
		default:
			first.twice = true
			d := report.New(report.CodeEntryDuplicate, fmt.Sprintf("%s has two entries, in lines %d and %d", e.id, first.where.Line, e.where.Line))
			j.add(d, e.where, "keep one entry; it may have several lines Evidence:, of which each must hold", e.id)
		}
	}
}

func (j *judge) unknown(e *entry) {
	d := report.New(report.CodeEntryUnknownCheck, fmt.Sprintf("the entry is for %s, and the task has no such criterion", e.id))
	if e.id == "" {
		d.Message = fmt.Sprintf("the entry %q names no criterion by its id", e.shown)
	}
	if word, ok := e.word(); ok && (word == prbody.Failed || word == prbody.Blocked) {
		d.Severity = report.Error
	}
	help := "remove the entry"
	if ids := j.ids; len(ids) > 0 {
		help = "name a criterion of the task (" + strings.Join(ids, ", ") + "), or remove the entry: - Criterion: [" + ids[0] + "]"
	}
	j.add(d, e.where, help, e.id)
}

// maxNamed bounds how many ids a message lists.
const maxNamed = 20

// criterion judges one criterion: the first rule that fails reports.
func (j *judge) criterion(c *Criterion) {
	name := c.ID
	if name == "" {
		name = firstWords(c.Text)
	}
	p := &proof{j: j, c: c, e: j.byID[c.ID]}
	satisfied := !c.Broken && p.entry() && p.evidence() && p.regression() && !j.Unbound && !p.waits
	if satisfied && p.signOff {
		if satisfied = j.SignedOff; !satisfied {
			j.result.SignOff = append(j.result.SignOff, c.ID)
		}
	}
	j.result.Criteria = append(j.result.Criteria, report.Criterion{ID: name, Satisfied: satisfied})
}

// proof is the judgement of one criterion under way.
type proof struct {
	j *judge
	c *Criterion
	e *entry

	waits   bool            // an evidence waits for what others must do, and their finding says so
	signOff bool            // an evidence waits for a maintainer's sign-off
	checks  []*report.Check // that prove it
	ran     []*command      // whose recorded runs prove it
	cites   []*report.Check // that the entry names; nil: not looked up yet
}

// refuse reports why the criterion is not satisfied, and returns false.
func (p *proof) refuse(w report.Where, help, format string, args ...any) bool {
	p.j.add(report.New(report.CodeCriterionUnsatisfied, fmt.Sprintf(format, args...)), w, help, p.c.ID)
	return false
}

// entry judges whether the criterion has an entry that can be read.
func (p *proof) entry() bool {
	e, id := p.e, p.c.ID
	if e == nil {
		if !p.j.found {
			return p.refuse(p.c.Where, p.c.Entry(), "%s has no evidence: the pull request body has no one live %s section", id, prbody.SectionName)
		}
		return p.refuse(p.c.Where, p.c.Entry(), "%s has no entry in the %s section", id, prbody.SectionName)
	}
	switch {
	case e.twice || e.unclear:
		return false // reported as it was read
	case e.open:
		d := report.New(report.CodeEntryUnchecked, fmt.Sprintf("the task box of the entry for %s is not ticked", id))
		p.j.add(d, e.where, "- [x] Criterion: ["+id+"]", id)
		return false
	case e.repeated != nil:
		d := report.New(report.CodeEntryFieldRepeated, fmt.Sprintf("\"Criterion\" is given twice in the entry for %s", id))
		p.j.add(d, *e.repeated, "write one list item for each criterion", id)
		return false
	case e.inline != nil:
		d := report.New(report.CodeEntryFieldInline, "\"Criterion\" and \"Evidence\" stand on one line")
		p.j.add(d, *e.inline, p.j.suggestion(), id)
		return false
	}
	if v := e.verdict; v != nil {
		if word, ok := e.word(); !ok || word != prbody.Passed {
			return p.refuse(v.Where, "prove the criterion on the head commit, then take the line out", "the entry for %s says %q, not passed", id, shown(v.Text))
		}
	}
	return true
}

// word is the verdict of the entry; false when it has none that is one of the four words.
func (e *entry) word() (prbody.Verdict, bool) {
	if e.verdict == nil {
		return "", false
	}
	return e.verdict.Verdict()
}

// evidence judges every evidence of the entry; each must hold.
func (p *proof) evidence() bool {
	if len(p.e.evidence) == 0 {
		return p.refuse(p.e.where, p.j.suggestion(), "the entry for %s names no evidence", p.c.ID)
	}
	for i := range p.e.evidence {
		v := &p.e.evidence[i]
		if v.empty() {
			return p.refuse(v.where, p.j.suggestion(), "the entry for %s does not say what proves it yet", p.c.ID)
		}
		judge := by(v.form)
		if judge == nil {
			return p.refuse(v.where, p.j.suggestionFor(v), "%q in the entry for %s is none of check:RC-<n>, test:<name>, command:<cmd>, pr and manual",
				shown(v.lines[0].Text), p.c.ID)
		}
		if !judge(p, v) {
			return false
		}
	}
	return true
}

// suggestion is a line that could prove a criterion.
func (j *judge) suggestion() string {
	if len(j.Checks) > 0 {
		return "Evidence: check:" + shown(j.Checks[0].Name())
	}
	return "Evidence: manual"
}

// suggestionFor is the line that was probably meant.
func (j *judge) suggestionFor(v *evidence) string {
	for _, word := range strings.FieldsFunc(shown(v.lines[0].Text), func(r rune) bool { return r == ' ' || r == ':' }) {
		if c := j.index.byID[checkID(word)]; c != nil {
			return "Evidence: check:" + *c.ID
		}
	}
	return j.suggestion()
}
