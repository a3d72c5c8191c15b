package attempts

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/evidence-gate/evidence-gate/report"
)

// triage gives every triage that counts to its attempt, and reports why others do not (A6).
func (e *episode) triage(k *caseOf) {
	var all []candidate
	for i, s := range e.entries {
		if s.kind == kindTriage {
			all = append(all, candidate{sub: s, place: i, origin: e.carrier.history.triage[s.identity()].origin})
		}
	}
	all = append(all, k.triage...)
	var counted []candidate
	for i := range all {
		if e.admit(&all[i]) {
			counted = append(counted, all[i])
		}
	}
	slices.SortStableFunc(counted, func(a, b candidate) int {
		return cmp.Or(a.origin.at.Compare(b.origin.at), cmp.Compare(a.origin.comment, b.origin.comment), cmp.Compare(a.origin.sequence, b.origin.sequence))
	})
	for _, c := range counted {
		t := e.byNumber[c.sub.number]
		if len(t.triage) > 0 {
			d := report.New(report.CodeTriageRepeated, fmt.Sprintf("%s is a second triage of attempt %d; it counts, the one before does not any more", c.sub.String(), c.sub.number))
			d.Where = &c.sub.where
			e.j.add(e.named(d))
		}
		t.triage = append(t.triage, c)
	}
}

// admit decides whether a triage counts.
func (e *episode) admit(c *candidate) bool {
	if d := e.j.handOf(e.check, c); d != nil {
		e.j.add(e.named(*d))
		return false
	}
	known := Known{Facts: e.j.Facts.Facts, References: e.j.References}
	faults, fact := triageFaults(c.sub, &known)
	if fact != "" && e.j.unavailable(fact) {
		e.j.needs(fact, fmt.Sprintf("whether the reference of %s exists", c.sub.String()))
	}
	for _, d := range faults {
		e.j.add(e.named(d))
	}
	t := e.byNumber[c.sub.number]
	switch {
	case len(faults) > 0:
		return false
	case t == nil || c.sub.number == 0:
		e.j.add(targetMissing(e.check, c.sub))
		return false
	case c.place >= 0 && c.place < t.place:
		e.misplaced(c, fmt.Sprintf("%s stands before its attempt", c.sub.String()))
		return false
	case e.first[t.sub.identity()].after(c.origin):
		e.misplaced(c, fmt.Sprintf("%s was written before attempt %d was recorded as it stands now", c.sub.String(), c.sub.number))
		return false
	}
	return true
}

func (e *episode) misplaced(c *candidate, message string) {
	d := report.New(report.CodeTriageMisplaced, message)
	d.Where = &c.sub.where
	e.j.add(e.named(d))
}

// conclude finds the state of the episode (A9 to A11).
func (e *episode) conclude() {
	if len(e.attempts) == 0 || e.carrier.reading.broken {
		return
	}
	e.notes()
	var latest *trial
	standing := 0
	for _, t := range e.attempts {
		if t.stands() {
			latest = t
			standing++
		}
	}
	s := Standing{
		Check: e.check, Latest: latest.outcome(), Passed: latest.passed() && e.settled(latest), Triage: latest.class(), Comment: e.carrier.comment.ID,
		Exhausted: e.untriaged() >= e.j.max(), Recorded: e.recorded(), Recorders: e.j.recorders[e.check],
	}
	s.Satisfied = !s.Passed && latest.final() && s.Triage != Blocker
	s.State = s.state(latest)
	e.j.standing(s, standing)
	if e.j.Stage == report.Merge {
		e.open(s, latest)
	}
}

// settled reports whether a pass is one of the check, so that what did not pass before it is past. In an
// episode of passes there is nothing to settle.
func (e *episode) settled(pass *trial) bool {
	return !slices.ContainsFunc(e.attempts, func(t *trial) bool { return !t.passed() }) ||
		e.j.runs.settles(pass.sub.get(attemptCommand), pass.sub.get(attemptStrategy), e.j.Commands[e.check])
}

func (s Standing) state(latest *trial) State {
	switch {
	case s.Exhausted:
		return Exhausted
	case s.Passed:
		return Resolved
	case s.Triage == Pending:
		return PendingTriage
	case s.Triage == Blocker:
		return Blocking
	case latest.final():
		return Triaged
	}
	return Active
}

func (j *judge) standing(s Standing, attempts int) {
	ep := report.Episode{Check: s.Check, Attempts: attempts, Latest: s.Latest, State: string(s.State)}
	if s.Triage != "" {
		ep.Triage = &s.Triage
	}
	j.result.Episodes = append(j.result.Episodes, ep)
	if j.result.standings == nil {
		j.result.standings = map[string]Standing{}
	}
	j.result.standings[s.Check] = s
}

// open reports what keeps the episode from being merged.
func (e *episode) open(s Standing, latest *trial) {
	outcome := fmt.Sprintf("the latest attempt of %s, attempt %d, %s", e.check, latest.sub.number, said[s.Latest])
	switch {
	case s.Passed:
	case s.Triage == Pending:
		e.unfinished(report.CodeEpisodePendingTriage, latest, outcome+", and its triage is pending")
	case s.Triage == Blocker:
		e.unfinished(report.CodeEpisodeBlocker, latest, outcome+", and it was triaged as a blocker")
	case latest.final():
	case latest.passed():
		e.unsettled(latest, outcome)
	default:
		e.unfinished(report.CodeEpisodeActive, latest, outcome+", and no maintainer has triaged it")
	}
	if s.Exhausted {
		e.unfinished(report.CodeEpisodeExhausted, latest, fmt.Sprintf("%s has %d attempts that did not pass and that no maintainer triaged; %d are allowed", e.check, e.untriaged(), e.j.max()))
	}
}

// unsettled reports that only another command passed.
func (e *episode) unsettled(latest *trial, outcome string) {
	found, expected := latest.sub.get(attemptCommand), e.j.Commands[e.check]
	d := e.unfinished(report.CodeEpisodeActive, latest, fmt.Sprintf("%s with the command `%s`, which tells nothing of what did not pass before", outcome, printable(found)))
	d.Help = fmt.Sprintf("run the check's own command and append that attempt; or %s", d.Help)
	d.Details["found_command"] = bounded(found, maxLostShown)
	if expected != "" {
		d.Details["expected_command"] = expected
	}
}

func (e *episode) unfinished(code report.Code, latest *trial, message string) *report.Diagnostic {
	d := report.New(code, message)
	d.Where = &latest.sub.where
	d.Details = map[string]any{"attempt": latest.sub.number, "outcome": latest.outcome()}
	if code != report.CodeEpisodeBlocker {
		d.Help = fmt.Sprintf("a maintainer comments: /triage %s attempt %d %s because …", e.check, latest.sub.number, OneOff)
	}
	e.j.add(e.named(d))
	return &e.j.result.Diagnostics[len(e.j.result.Diagnostics)-1]
}

// untriaged counts the attempts after the last one with a final triage that did not pass; a refused
// one did not (A5, A11).
func (e *episode) untriaged() int {
	n := 0
	for i := len(e.attempts) - 1; i >= 0 && !e.attempts[i].final(); i-- {
		if t := e.attempts[i]; t.refused || !t.passed() {
			n++
		}
	}
	return n
}

// said are the outcomes in sentences.
var said = map[string]string{Passed: "passed", Failed: "failed", TimedOut: "timed out", Blocked: "was blocked"}

func (j *judge) max() int {
	if j.MaxAttempts <= 0 {
		return DefaultMaxAttempts
	}
	return j.MaxAttempts
}
