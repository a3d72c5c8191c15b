package attempts

import (
	"fmt"
	"sort"
	"strconv"

	"github.com/evidence-gate/evidence-gate/report"
)

// retries is the machine of the retry rule (A5). Attempts are fed to it in order; it has one state
// for each command and artifact. A refused attempt leaves no trace in the state.
type retries struct {
	objects     objects
	runs        *runs
	commands    map[string]int // text of a command -> its group
	leaders     []string       // the first command of each group
	states      map[string]*retryState
	predictions map[int64][]announced
}

// retryState is what the attempts of one command and artifact have led to.
type retryState struct {
	timeout   *subsection // the foreground timeout after which nothing passed
	place     int         // of it
	escalated *subsection // the one longer foreground run that was allowed
	tried     map[string]tried
}

// tried is an attempt that did not pass, by its strategy and timeout.
type tried struct {
	attempt  *subsection
	timedOut bool
}

// announced is a prediction and where it stands.
type announced struct {
	prediction *subsection
	place      int
}

// maxLeaders bounds with how many different commands of a carrier another one is compared as a shell
// command; beyond them only equal texts are the same. A carrier is of one check.
const maxLeaders = 20

func newRetries(entries []*subsection, runs *runs) *retries {
	r := &retries{runs: runs, commands: map[string]int{}, states: map[string]*retryState{}, predictions: map[int64][]announced{}}
	var artifacts []string
	for i, s := range entries {
		switch s.kind {
		case kindAttempt:
			artifacts = append(artifacts, s.get(attemptArtifact))
		case kindPrediction:
			r.predictions[s.number] = append(r.predictions[s.number], announced{s, i})
		}
	}
	r.objects = newObjects(artifacts)
	return r
}

// state is the state that an attempt belongs to; nil when it names no command or no artifact.
func (r *retries) state(s *subsection) *retryState {
	command, artifact := r.runs.of(s.get(attemptCommand)), s.get(attemptArtifact)
	if command == "" || artifact == "" {
		return nil
	}
	key := strconv.Itoa(r.group(command)) + "\x1f" + r.objects.of(artifact)
	st := r.states[key]
	if st == nil {
		st = &retryState{tried: map[string]tried{}}
		r.states[key] = st
	}
	return st
}

// group numbers the commands so that spellings of one command have one number.
func (r *retries) group(command string) int {
	if g, known := r.commands[command]; known {
		return g
	}
	for g, leader := range r.leaders[:min(len(r.leaders), maxLeaders)] {
		if r.runs.equal(command, leader) {
			r.commands[command] = g
			return g
		}
	}
	g := len(r.leaders)
	r.leaders = append(r.leaders, command)
	r.commands[command] = g
	return g
}

// attempt feeds the attempt at a place among the entries. refused tells whether the rule refuses it;
// findings without refusal are warnings.
func (r *retries) attempt(place int, s *subsection) (findings []report.Diagnostic, refused bool) {
	st := r.state(s)
	if st == nil {
		return nil, false
	}
	run := s.get(attemptStrategy) + "\x1f" + s.get(attemptTimeout) // unreadable ones are as written
	if s.get(attemptStrategy) == Foreground && st.timeout != nil {
		if findings = r.escalation(st, place, s); len(findings) > 0 {
			return findings, true
		}
		st.escalated = s
	} else if before, again := st.tried[run]; again {
		findings = append(findings, unchanged(s, before))
		if before.timedOut {
			return findings, true
		}
	}
	st.outcome(place, s, run)
	return findings, false
}

// outcome moves the state on.
func (st *retryState) outcome(place int, s *subsection, run string) {
	switch s.get(attemptOutcome) {
	case Passed:
		st.timeout = nil
		clear(st.tried)
	case TimedOut:
		st.tried[run] = tried{s, true}
		if s.get(attemptStrategy) == Foreground {
			st.timeout, st.place = s, place
		}
	default:
		if !st.tried[run].timedOut {
			st.tried[run] = tried{s, false}
		}
	}
}

// unchanged is the finding about a run that was repeated as it was: an error after a timeout, else
// a warning.
func unchanged(s *subsection, before tried) report.Diagnostic {
	d := retryFinding(report.CodeRetryUnchanged, s, fmt.Sprintf("%s repeats %s, which %s, with the same strategy and timeout (%s, %s ms)",
		s.String(), before.attempt.String(), before.attempt.get(attemptOutcome), s.get(attemptStrategy), s.get(attemptTimeout)))
	if !before.timedOut {
		d.Severity = report.Warning
	}
	return d
}

// escalation judges a foreground run after a foreground timeout: every condition that it misses.
func (r *retries) escalation(st *retryState, place int, s *subsection) []report.Diagnostic {
	var out []report.Diagnostic
	before := st.timeout
	prediction, elsewhere := r.prediction(st.place, place, s.number)
	switch {
	case prediction == nil && elsewhere != nil:
		out = append(out, retryFinding(report.CodeRetryPredictionMisplaced, s, fmt.Sprintf("the prediction for %s does not stand between %s, which timed out, and it", s.String(), before.String())))
	case prediction == nil:
		d := retryFinding(report.CodeRetryPredictionMissing, s, fmt.Sprintf("%s runs in the foreground after %s timed out there, and no prediction announces it", s.String(), before.String()))
		d.Help = fmt.Sprintf("take another strategy; a longer foreground run needs, before it: #### %s%d", kinds[kindPrediction].title, s.number)
		out = append(out, d)
	}
	timeout, unclear := number(s.get(attemptTimeout))
	last, unknown := number(before.get(attemptTimeout))
	switch {
	case unclear != "" || unknown == "" && timeout <= last:
		d := retryFinding(report.CodeRetryTimeoutNotLarger, s, fmt.Sprintf("the timeout of %s, %s ms, is not larger than that of %s, %s ms", s.String(), shown(s.get(attemptTimeout)), before.String(), before.get(attemptTimeout)))
		d.Details["timeout_ms"], d.Details["last_timeout_ms"] = s.get(attemptTimeout), before.get(attemptTimeout)
		out = append(out, d)
	case prediction != nil && differs(prediction.get(predictionChosen), s.get(attemptTimeout)):
		d := retryFinding(report.CodeRetryTimeoutDiffers, s, fmt.Sprintf("the timeout of %s is %s ms; its prediction chose %s ms", s.String(), s.get(attemptTimeout), prediction.get(predictionChosen)))
		d.Details["timeout_ms"], d.Details["chosen_ms"] = s.get(attemptTimeout), prediction.get(predictionChosen)
		out = append(out, d)
	}
	if st.escalated != nil {
		out = append(out, retryFinding(report.CodeRetrySecondEscalation, s, fmt.Sprintf("%s is a second longer foreground run; %s was the one that is allowed", s.String(), st.escalated.String())))
	}
	return out
}

// differs reports whether a timeout is not the chosen one. A choice that cannot be read is the
// prediction's own fault.
func differs(chosen, timeout string) bool {
	_, fault := number(chosen)
	return fault == "" && chosen != timeout
}

func shown(value string) string {
	if value == "" {
		return "unreadable"
	}
	return printable(value)
}

// prediction finds the last prediction for a number between two places, and else one that stands
// elsewhere.
func (r *retries) prediction(after, before int, number int64) (here, elsewhere *subsection) {
	all := r.predictions[number]
	i := sort.Search(len(all), func(i int) bool { return all[i].place >= before })
	if i > 0 && all[i-1].place > after {
		return all[i-1].prediction, nil
	}
	if len(all) > 0 {
		return nil, all[0].prediction
	}
	return nil, nil
}

func retryFinding(code report.Code, s *subsection, message string) report.Diagnostic {
	d := report.New(code, message)
	d.Where = &s.where
	d.Details = map[string]any{"attempt": s.number}
	return d
}
