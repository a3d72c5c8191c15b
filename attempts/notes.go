package attempts

import (
	"fmt"
	"slices"
	"strings"

	"github.com/evidence-gate/evidence-gate/internal/markdown"
	"github.com/evidence-gate/evidence-gate/prbody"
	"github.com/evidence-gate/evidence-gate/report"
	"github.com/evidence-gate/evidence-gate/snapshot"
)

// slowerBy is how many times as long a retry may take without a note (A10).
const slowerBy = 1.5

// notes reports what is worth knowing and decides nothing (A10).
func (e *episode) notes() {
	if !slices.ContainsFunc(e.attempts, func(t *trial) bool { return !t.passed() }) {
		d := report.New(report.CodeCarrierRoutine, fmt.Sprintf("the carrier of %s holds only a pass; none is needed for that", e.check))
		d.Where = &report.Where{Document: e.carrier.comment.document()}
		e.j.add(e.named(d))
	}
	last := map[string]*subsection{}
	for _, t := range e.attempts {
		took, fault := number(t.sub.get(attemptDuration))
		if fault != "" {
			continue
		}
		command := markdown.Squeeze(t.sub.get(attemptCommand))
		if before := last[command]; before != nil {
			took0, _ := number(before.get(attemptDuration))
			if times := float64(took) / float64(took0); times > slowerBy {
				d := report.New(report.CodeEpisodeSlower, fmt.Sprintf("%s of %s took %d ms, %.1f times as long as %s (%d ms)", t.sub.String(), e.check, took, times, before.String(), took0))
				d.Where = &t.sub.where
				d.Details = map[string]any{"duration_ms": took, "last_duration_ms": took0}
				e.j.add(e.named(d))
			}
		}
		last[command] = t.sub
	}
}

// recorded lists the attempts for those who show them.
func (e *episode) recorded() []Recorded {
	out := make([]Recorded, 0, len(e.attempts))
	for _, t := range e.attempts {
		r := Recorded{Attempt: t.sub.attempt(), Refused: !t.stands(), Triage: t.class(), Where: t.sub.where}
		if n := len(t.triage); n > 0 {
			r.Hand = t.triage[n-1].hand
		}
		out = append(out, r)
	}
	return out
}

// maxBodyBytes bounds how much of the body's earlier texts is read for a note, the newest first.
const maxBodyBytes = 1 << 20

// unrecorded notes checks that an earlier body called failed or blocked, and of which no carrier
// tells such a thing (A10).
func (j *judge) unrecorded() {
	n := len(j.BodyRevisions)
	if n < 2 {
		return
	}
	current := j.BodyRevisions[n-1]
	read, left := map[string]bool{}, maxBodyBytes
	if current.Body != nil {
		read[*current.Body] = true
	}
	noted := map[string]bool{}
	for i := n - 2; i >= 0; i-- {
		r := j.BodyRevisions[i]
		if r.Body == nil || read[*r.Body] || !mayFail(*r.Body) {
			continue
		}
		if left -= len(*r.Body); left < 0 {
			return
		}
		read[*r.Body] = true
		j.unrecordedIn(r, noted)
	}
}

// mayFail tells quickly whether a body can hold a failed or blocked verdict.
func mayFail(body string) bool {
	lower := strings.ToLower(body)
	return strings.Contains(lower, "failed") || strings.Contains(lower, "blocked")
}

func (j *judge) unrecordedIn(r snapshot.Revision, noted map[string]bool) {
	evidence, err := prbody.Read(*r.Body)
	if err != nil {
		return
	}
	for i := range evidence.Entries {
		entry := &evidence.Entries[i]
		id := entry.Check.ID
		if entry.Verdict == nil || id == "" || noted[id] || !slices.Contains(j.Checks, id) {
			continue
		}
		verdict, ok := entry.Verdict.Verdict()
		if !ok || verdict != prbody.Failed && verdict != prbody.Blocked || j.tells(id) {
			continue
		}
		noted[id] = true
		d := report.New(report.CodeEpisodeUnrecorded, fmt.Sprintf("the body of %s said that %s was %s, and no carrier tells of it", r.EditedAt, id, verdict))
		d.Check = &id
		d.Where = &report.Where{Document: prbody.Document}
		j.add(d)
	}
}

// tells reports whether a carrier of the check holds an attempt that did not pass.
func (j *judge) tells(check string) bool {
	s, ok := j.result.Of(check)
	return ok && slices.ContainsFunc(s.Recorded, func(r Recorded) bool { return r.Attempt.Outcome != Passed })
}
