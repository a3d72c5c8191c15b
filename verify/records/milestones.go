package records

import (
	"time"

	"github.com/evidence-gate/evidence-gate/verify/tamper"
)

// Reach notes in the state outside the project when a run was green for the first time, and when the
// tests passed for the first time. Each is set once and stays, whatever later runs say.
func Reach(s tamper.Store, key string, r Record) (tamper.Project, error) {
	known, err := s.Load(key)
	green, tests := r.Outcome == Green && known.FirstGreenAt == nil, r.testsPassed() && known.FirstTestPassAt == nil
	if err != nil || !green && !tests {
		return known, err
	}
	at := r.Start.UTC().Add(time.Duration(r.DurationMS) * time.Millisecond)
	return s.Update(key, func(p *tamper.Project) {
		if green && p.FirstGreenAt == nil {
			p.FirstGreenAt = &at
		}
		if tests && p.FirstTestPassAt == nil {
			p.FirstTestPassAt = &at
		}
	})
}

// testsPassed reports whether a step of the layer test passed and none of them did otherwise.
func (r Record) testsPassed() bool {
	passed := false
	for _, s := range r.Steps {
		if s.Layer != "test" {
			continue
		}
		switch s.Status {
		case StepPassed:
			passed = true
		case StepFailed:
			return false
		}
	}
	return passed
}
