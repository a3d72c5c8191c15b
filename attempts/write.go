package attempts

import (
	"fmt"
	"math"
	"strings"

	"github.com/evidence-gate/evidence-gate/internal/checkline"
	"github.com/evidence-gate/evidence-gate/report"
)

// Draft is a comment's text with what was added to it.
type Draft struct {
	Body     string
	Number   int64               // of the attempt that was added or triaged
	Warnings []report.Diagnostic // that the rules will have about what was added
}

// Refusal is the error for what the rules would refuse: nothing was written.
type Refusal struct {
	Diagnostic report.Diagnostic
}

func (r *Refusal) Error() string {
	row, _ := report.Lookup(r.Diagnostic.Code)
	return fmt.Sprintf("%s: %s (rule %s); %s", r.Diagnostic.Code, r.Diagnostic.Message, row.Rule, r.Diagnostic.Help)
}

// addition is a subsection to be written.
type addition struct {
	kind   kind
	number int64
	values []string
}

// NewCarrier is the text of a new carrier with its first attempt; its number is 1 unless it has one.
func NewCarrier(check string, a Attempt) (Draft, error) {
	id := checkline.ID(check)
	if id == "" {
		return Draft{}, fmt.Errorf("expected the id of a check such as RC-1, found %q", printable(check))
	}
	if a.Number == 0 {
		a.Number = 1
	}
	text, err := render(kindAttempt, a.Number, a.withHand().values())
	if err != nil {
		return Draft{}, err
	}
	body := heads(attemptsMarker, id) + text + "\n" + trailers[0] + "\n"
	after, err := inspect(body, rules{})
	if err != nil {
		return Draft{}, err
	}
	return after.draft(body, a.Number, inspection{})
}

// AppendAttempt adds an attempt to a carrier, before its trailer, together with the predictions that
// announce it. Every byte that was there is kept. The attempt takes the next number unless it has
// one; predictions for attempt 0 are for it. same is the rule for commands, as in Facts.
func AppendAttempt(body string, a Attempt, same func(a, b string) bool, predictions ...Prediction) (Draft, error) {
	before, err := carrierOf(body, rules{same: same})
	if err != nil {
		return Draft{}, err
	}
	if a.Number == 0 {
		if a.Number, err = before.next(); err != nil {
			return Draft{}, err
		}
	}
	var added []addition
	for _, p := range predictions {
		if p.For == 0 {
			p.For = a.Number
		}
		added = append(added, addition{kindPrediction, p.For, p.withHand().values()})
	}
	return before.append(body, a.Number, append(added, addition{kindAttempt, a.Number, a.withHand().values()}))
}

// AppendPrediction adds a prediction to a carrier, as AppendAttempt does.
func AppendPrediction(body string, p Prediction) (Draft, error) {
	before, err := carrierOf(body, rules{})
	if err != nil {
		return Draft{}, err
	}
	if p.For == 0 {
		if p.For, err = before.next(); err != nil {
			return Draft{}, err
		}
	}
	draft, err := before.append(body, p.For, []addition{{kindPrediction, p.For, p.withHand().values()}})
	if err != nil {
		return Draft{}, err
	}
	if err := p.announces(body); err != nil {
		return Draft{}, err
	}
	return draft, nil
}

// announces refuses a prediction whose run the rules would refuse, so that nobody writes one into an
// append-only record for nothing: one that is based on no foreground timeout, or the second for an
// artifact.
func (p Prediction) announces(body string) error {
	carrier, err := Parse(body)
	if err != nil {
		return err
	}
	for _, e := range carrier.Entries {
		base := e.Attempt
		if base == nil || base.Number != p.BasedOn {
			continue
		}
		if base.Strategy != Foreground || base.Outcome != TimedOut {
			return fmt.Errorf("attempt %d did not time out in the foreground, so that a run after it needs no prediction: record the run itself", base.Number)
		}
		run := *base
		run.Number, run.TimeoutMS, run.RecordedAt, run.Outcome, run.Candidate, run.PartialEvidence = p.For, p.ChosenMS, p.RecordedAt, Passed, "", p.Evidence
		_, err := AppendAttempt(body, run, nil, p)
		return err
	}
	return nil // the rules said already that there is no such attempt
}

// AppendTriage adds a triage to a carrier, as AppendAttempt does. With known the reference must
// exist there; nil leaves that to the judge. Whose hand it is, is left to the caller.
func AppendTriage(body string, t Triage, known *Known) (Draft, error) {
	before, err := carrierOf(body, rules{known: known})
	if err != nil {
		return Draft{}, err
	}
	if t.TriagedBy == "" {
		t.TriagedBy = Maintainer
	}
	return before.append(body, t.Attempt, []addition{{kindTriage, t.Attempt, t.values()}})
}

// NewTriageComment is the text of a triage comment (A6), which a maintainer may post instead. Whether
// the attempt exists is left to the judge.
func NewTriageComment(check string, t Triage, known *Known) (string, error) {
	id := checkline.ID(check)
	if id == "" {
		return "", fmt.Errorf("expected the id of a check such as RC-1, found %q", printable(check))
	}
	if t.TriagedBy == "" {
		t.TriagedBy = Maintainer
	}
	text, err := render(kindTriage, t.Attempt, t.values())
	if err != nil {
		return "", err
	}
	body := heads(triageMarker, id) + text
	o, err := readOutline("", body)
	if err != nil {
		return "", err
	}
	for _, s := range understand(o).entries {
		if faults, _ := triageFaults(s, known); len(faults) > 0 {
			return "", &Refusal{faults[0]}
		}
	}
	return body, nil
}

// withHand names the hand where none is named.
func (a Attempt) withHand() Attempt {
	if a.RecordedBy == "" {
		a.RecordedBy = Engineer
	}
	return a
}

func (p Prediction) withHand() Prediction {
	if p.RecordedBy == "" {
		p.RecordedBy = Engineer
	}
	return p
}

// inspection is what the rules say of one carrier's text alone.
type inspection struct {
	outline  *outline
	reading  reading
	findings map[finding]report.Diagnostic
	order    []finding
	rules    rules
}

// rules are what an inspection needs beside the text.
type rules struct {
	known *Known
	same  func(a, b string) bool
}

// finding tells findings apart, so that old ones are not held against what is added.
type finding struct {
	place int // among the entries; -1 for the structure
	code  report.Code
}

func (n *inspection) find(place int, d report.Diagnostic) {
	key := finding{place, d.Code}
	if _, known := n.findings[key]; !known {
		n.findings[key] = d
		n.order = append(n.order, key)
	}
}

// inspect reads a text and applies the rules that need nothing but it: A1, A3, A4, A5 and the form of
// A6.
func inspect(body string, rules rules) (inspection, error) {
	o, err := readOutline("", body)
	if err != nil {
		return inspection{}, err
	}
	n := inspection{outline: o, reading: understand(o), findings: map[finding]report.Diagnostic{}, rules: rules}
	for _, d := range n.reading.faults {
		n.find(-1, d)
	}
	n.judge(n.reading.check, n.reading.entries)
	return n, nil
}

// judge applies the rules to the entries of a check.
func (n *inspection) judge(check string, entries []*subsection) {
	among, back := faultsAmong(entries), timesBack(entries)
	machine, placed := newRetries(entries, newRuns(n.rules.same)), placing{attempts: map[int64]bool{}, triaged: map[int64]bool{}}
	for i, s := range entries {
		faults := s.faults
		switch s.kind {
		case kindUnknown:
			n.find(i, unknownSubsection(s))
		case kindAttempt:
			refusals, _ := machine.attempt(i, s)
			faults = append(faults[:len(faults):len(faults)], refusals...)
			placed.attempts[s.number] = true
		case kindTriage:
			faults, _ = triageFaults(s, n.rules.known)
			faults = append(faults, placed.triage(check, s)...)
		}
		for _, d := range faults {
			n.find(i, d)
		}
		if d, ok := among[i]; ok {
			n.find(i, d)
		}
		if d, ok := back[i]; ok {
			n.find(i, d)
		}
	}
}

// placing knows which attempts and triages stand above a place.
type placing struct{ attempts, triaged map[int64]bool }

// triage judges where a triage stands: after its attempt, and after no other triage of it.
func (p placing) triage(check string, t *subsection) []report.Diagnostic {
	again := p.triaged[t.number]
	p.triaged[t.number] = true
	switch {
	case !p.attempts[t.number]:
		return []report.Diagnostic{targetMissing(check, t)}
	case again:
		d := report.New(report.CodeTriageRepeated, fmt.Sprintf("attempt %d has a triage already", t.number))
		d.Where = &t.where
		return []report.Diagnostic{d}
	}
	return nil
}

// carrierOf inspects a text to which something is added.
func carrierOf(body string, rules rules) (inspection, error) {
	n, err := inspect(body, rules)
	switch {
	case err != nil:
		return n, err
	case n.reading.check == "":
		return n, fmt.Errorf("the text is no carrier: it has no live marker <!-- %sRC-1 -->", attemptsMarker)
	case n.reading.broken:
		return n, &Refusal{n.reading.faults[0]}
	}
	return n, nil
}

// next is the number after the highest one.
func (n inspection) next() (int64, error) {
	highest := int64(0)
	for _, s := range n.reading.entries {
		if s.kind == kindAttempt {
			highest = max(highest, s.number)
		}
	}
	if highest == math.MaxInt64 {
		return 0, fmt.Errorf("attempt %d has the highest number there is", highest)
	}
	return highest + 1, nil
}

// append adds subsections at the end of the check's part, before the trailer.
func (n inspection) append(body string, number int64, added []addition) (Draft, error) {
	var texts []string
	for _, a := range added {
		text, err := render(a.kind, a.number, a.values)
		if err != nil {
			return Draft{}, err
		}
		texts = append(texts, text)
	}
	out := insert(body, n.end(), strings.Join(texts, "\n"))
	after, err := inspect(out, n.rules)
	if err != nil {
		return Draft{}, err
	}
	was, is := n.reading.entries, after.reading.entries
	if len(is) != len(was)+len(added) || !begins(is, was) {
		return Draft{}, fmt.Errorf("what is added to the comment would not be read as part of %s; close what is open at its end (a code fence or an HTML comment)", n.reading.check)
	}
	return after.draft(out, number, n)
}

// draft is the result, refused when the rules have an error about what was added; what they had to
// say before does not matter. Triage has no errors: of it every finding but a repetition refuses.
func (n inspection) draft(body string, number int64, before inspection) (Draft, error) {
	d := Draft{Body: body, Number: number}
	for _, key := range n.order {
		found := n.findings[key]
		if _, old := before.findings[key]; old {
			continue
		}
		if found.Severity == report.Error || found.Owner == report.Maintainer && found.Code != report.CodeTriageRepeated {
			return Draft{}, &Refusal{found}
		}
		d.Warnings = append(d.Warnings, found)
	}
	return d, nil
}

// end is the 1-based line before which the next subsection of the check belongs: that of the
// trailer, or of the heading after the check's part; 0 is the end of the text.
func (n inspection) end() int {
	own := -1
	for i := range n.outline.pieces {
		p := &n.outline.pieces[i]
		if own >= 0 && p.level > 0 && p.level < subsectionLevel {
			return p.line
		}
		if p.level == checkLevel && checkline.ID(p.title) == n.reading.check {
			own = i
		}
	}
	if !n.outline.trailer {
		return 0
	}
	lines := strings.Split(n.outline.text, "\n")
	for i := len(lines) - 1; i >= 0; i-- {
		if isTrailer(strings.TrimSpace(lines[i])) {
			return i + 1
		}
	}
	return 0
}

// insert puts a text before a line of the body, with blank lines around it and the line ends that
// the body has.
func insert(body string, line int, text string) string {
	at := lineStart(body, line)
	before, after := body[:at], body[at:]
	eol := "\n"
	if strings.Contains(body, "\r\n") {
		eol = "\r\n"
	}
	var out strings.Builder
	out.WriteString(before)
	if last := strings.TrimRight(before, " \t"); last != "" {
		switch ended := strings.HasSuffix(last, "\n") || strings.HasSuffix(last, "\r"); {
		case !ended:
			out.WriteString(eol + eol)
		case !blankBefore(before):
			out.WriteString(eol)
		}
	}
	out.WriteString(strings.ReplaceAll(text, "\n", eol))
	if after != "" {
		out.WriteString(eol)
	}
	out.WriteString(after)
	return out.String()
}

// blankBefore reports whether the last line of a text that ends with a line end is blank.
func blankBefore(s string) bool {
	s = normalised(s)
	s = strings.TrimSuffix(s, "\n")
	return strings.TrimSpace(s[strings.LastIndexByte(s, '\n')+1:]) == ""
}

// lineStart is where a 1-based line starts in a text with any line ends; 0 is the end of the text.
func lineStart(s string, line int) int {
	if line == 0 {
		return len(s)
	}
	at := 0
	for n := 1; n < line; n++ {
		i := strings.IndexAny(s[at:], "\r\n")
		if i < 0 {
			return len(s)
		}
		at += i + 1
		if s[at-1] == '\r' && at < len(s) && s[at] == '\n' {
			at++
		}
	}
	return at
}
