package attempts

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/evidence-gate/evidence-gate/report"
	"github.com/evidence-gate/evidence-gate/snapshot"
)

// episode is the attempts of one check's carrier under judgement.
type episode struct {
	j        *judge
	check    string
	carrier  *carrier
	entries  []*subsection
	attempts []*trial
	byNumber map[int64]*trial // the first attempt of each number
	first    map[string]origin
}

// trial is one attempt of an episode.
type trial struct {
	sub      *subsection
	place    int // among the entries
	faults   []report.Diagnostic
	refusals []report.Diagnostic // by the retry rule
	refused  bool
	triage   []candidate // that count, in the order in which they were written
}

// final is the triage that counts when it is final; pending is none (A6).
func (t *trial) final() bool { return t.class() != "" && t.class() != Pending }

// class is the classification that counts: the latest one's.
func (t *trial) class() string {
	if len(t.triage) == 0 {
		return ""
	}
	return t.triage[len(t.triage)-1].sub.get(triageClassification)
}

// stands reports whether the attempt is one of its episode (A5).
func (t *trial) stands() bool { return !t.refused || t.final() }

func (t *trial) passed() bool { return t.sub.get(attemptOutcome) == Passed }

// outcome is the recorded outcome; one that cannot be read did not pass.
func (t *trial) outcome() string {
	if o := t.sub.get(attemptOutcome); slices.Contains(Outcomes, o) {
		return o
	}
	return Failed
}

// check judges everything that was found about one check.
func (j *judge) check(check string) {
	k := j.checks[check]
	slices.SortStableFunc(k.carriers, func(a, b *carrier) int {
		return cmp.Or(moment(a.comment.CreatedAt).Compare(moment(b.comment.CreatedAt)), cmp.Compare(a.comment.ID, b.comment.ID))
	})
	for _, c := range k.carriers {
		j.result.Carriers = append(j.result.Carriers, snapshot.RememberedCarrier{
			CommentID: c.comment.ID, Check: check, Body: c.comment.Body, Author: authorLogin(c.comment)})
	}
	j.losses(check, k)
	j.duplicates(check, k)
	if len(k.carriers) == 0 {
		j.targetless(check, k)
		return
	}
	c := k.carriers[0]
	if !slices.Contains(j.Checks, check) {
		d := report.New(report.CodeCarrierUnknownCheck, fmt.Sprintf("the carrier in comment %d is of %s, which the task does not declare", c.comment.ID, check))
		d.Check, d.Where = &check, &c.reading.markers[0].where
		j.add(d)
	}
	for _, d := range c.reading.faults {
		d.Check = &check
		j.add(d)
	}
	if !c.reading.broken || len(c.reading.entries) > 0 {
		j.episode(check, k, c)
	} else {
		j.targetless(check, k)
	}
	if !c.trailer {
		d := report.New(report.CodeCarrierTrailerMissing, fmt.Sprintf("the carrier of %s does not end with the line %s", check, trailers[0]))
		d.Check, d.Where = &check, &report.Where{Document: c.comment.document()}
		j.add(d)
	}
}

func authorLogin(c *comment) string {
	if c.Author == nil {
		return ""
	}
	return c.Author.Login
}

// losses reports history that is lost. What a comment that is not the carrier held is not lost when
// it all stands in the carrier (A7).
func (j *judge) losses(check string, k *caseOf) {
	others := k.lapsed
	var first shelf
	if len(k.carriers) > 0 {
		c := k.carriers[0]
		j.rewritten(check, c.comment, c.history)
		if others = append(k.carriers[1:len(k.carriers):len(k.carriers)], k.lapsed...); len(others) > 0 {
			first = newShelf(c.reading.entries)
		}
	}
	for _, c := range others {
		if !first.holds(c.history.lost()) {
			j.rewritten(check, c.comment, c.history)
		}
	}
}

// duplicates reports further carriers of a check; the older comment is the carrier.
func (j *judge) duplicates(check string, k *caseOf) {
	for _, c := range k.carriers[min(1, len(k.carriers)):] {
		d := report.New(report.CodeCarrierDuplicate, fmt.Sprintf("comment %d is a second carrier of %s; the first is comment %d", c.comment.ID, check, k.carriers[0].comment.ID))
		d.Check, d.Where = &check, &c.reading.markers[0].where
		d.Details = map[string]any{"comment_id": c.comment.ID, "first_comment_id": k.carriers[0].comment.ID}
		j.add(d)
	}
}

// targetless reports triage of a check that has no attempts.
func (j *judge) targetless(check string, k *caseOf) {
	for i := range k.triage {
		t := &k.triage[i]
		if d := j.handOf(check, t); d != nil {
			j.add(*d)
			continue
		}
		j.add(targetMissing(check, t.sub))
	}
}

func targetMissing(check string, t *subsection) report.Diagnostic {
	d := report.New(report.CodeTriageTargetMissing, fmt.Sprintf("%s: %s has no attempt %d", t.String(), check, t.number))
	d.Check, d.Where = &check, &t.where
	return d
}

// episode judges the attempts of a carrier.
func (j *judge) episode(check string, k *caseOf, c *carrier) {
	e := &episode{j: j, check: check, carrier: c, entries: c.reading.entries, byNumber: map[int64]*trial{}, first: c.history.first}
	e.list()
	e.carriedIn(k)
	e.form()
	e.retry()
	e.triage(k)
	e.reportFaults()
	e.conclude()
}

// list lists the attempts.
func (e *episode) list() {
	for i, s := range e.entries {
		if s.kind != kindAttempt {
			continue
		}
		t := &trial{sub: s, place: i}
		e.attempts = append(e.attempts, t)
		if e.byNumber[s.number] == nil {
			e.byNumber[s.number] = t
		}
	}
	if len(e.attempts) == 0 && !e.carrier.reading.broken {
		d := report.New(report.CodeCarrierEmpty, fmt.Sprintf("the carrier of %s has no attempt", e.check))
		d.Check, d.Where = &e.check, &e.carrier.reading.markers[0].where
		e.j.add(d)
	}
}

// carriedIn takes over when an attempt was first seen in another comment of the check.
func (e *episode) carriedIn(k *caseOf) {
	for _, other := range k.lapsed {
		for id, from := range other.history.first {
			if mine, here := e.first[id]; here && mine.after(from) {
				e.first[id] = from
			}
		}
	}
}

// form files the faults of A3 and A4 under the attempts that they are about.
func (e *episode) form() {
	among, back := faultsAmong(e.entries), timesBack(e.entries)
	at := 0
	for i, s := range e.entries {
		var own *trial
		switch s.kind {
		case kindAttempt:
			own, at = e.attempts[at], at+1
		case kindPrediction:
			own = e.byNumber[s.number]
		case kindTriage:
			continue
		case kindUnknown:
			e.j.add(e.named(unknownSubsection(s)))
		}
		faults := s.faults
		if d, ok := among[i]; ok {
			faults = append(faults[:len(faults):len(faults)], d)
		}
		if d, ok := back[i]; ok {
			faults = append(faults[:len(faults):len(faults)], d)
		}
		for _, d := range faults {
			if own == nil {
				e.j.add(e.named(d))
				continue
			}
			own.faults = append(own.faults, d)
		}
	}
}

func (e *episode) named(d report.Diagnostic) report.Diagnostic {
	d.Check = &e.check
	return d
}

// unknownSubsection reports a level-4 heading that has no place in a carrier.
func unknownSubsection(s *subsection) report.Diagnostic {
	d := report.New(report.CodeAttemptSubsectionUnknown, fmt.Sprintf("the heading %s opens no attempt, prediction or triage", s.String()))
	d.Where = &s.where
	return d
}

// retry runs the machine of A5 over the attempts.
func (e *episode) retry() {
	machine := newRetries(e.entries, e.j.runs)
	for _, t := range e.attempts {
		t.refusals, t.refused = machine.attempt(t.place, t.sub)
	}
}

// reportFaults reports the faults and refusals. A maintainer's final triage of the attempt clears them,
// and a refusal also a later attempt that is allowed: then they are warnings.
func (e *episode) reportFaults() {
	later := false
	cleared := make([]bool, len(e.attempts))
	for i := len(e.attempts) - 1; i >= 0; i-- {
		cleared[i] = later
		later = later || e.attempts[i].stands()
	}
	for i, t := range e.attempts {
		for _, d := range t.faults {
			e.j.add(e.named(soften(d, t.final() && clearable(d.Code))))
		}
		for _, d := range t.refusals {
			e.j.add(e.named(soften(d, t.final() || cleared[i])))
		}
	}
}

func soften(d report.Diagnostic, cleared bool) report.Diagnostic {
	if cleared {
		d.Severity = report.Warning
	}
	return d
}

// clearable reports whether triage clears a fault: those of attempts and predictions (A7), not an
// invisible character, which leaves uncertain what was triaged.
func clearable(code report.Code) bool { return code != report.CodeTextInvisibleCharacter }
