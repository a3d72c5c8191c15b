package attempts

import (
	"github.com/evidence-gate/evidence-gate/report"
	"github.com/evidence-gate/evidence-gate/snapshot"
)

// Facts is everything that is needed to judge the attempts of one pull request.
type Facts struct {
	Stage         report.Stage
	Task          []snapshot.Comment           // comments of the task
	Conversation  []snapshot.Comment           // comments of the pull request
	Remembered    []snapshot.RememberedCarrier // carriers as the service saw them
	Actions       []snapshot.Action            // of which those that accept a loss are read
	Author        *snapshot.Actor              // of the pull request; nil: a deleted account
	Maintainers   int                          // accounts with the maintainer role; 0: not known, as if there were another
	Maintainer    func(*snapshot.Actor) bool   // has the maintainer role
	Trusted       func(*snapshot.Actor) bool   // may record attempts (A2); the pull request's author may always
	Checks        []string                     // ids of the contract
	Commands      map[string]string            // command of a check by its id; one without any, or not listed, is not compared
	Facts         []string                     // VF- ids of the profile
	References    snapshot.References          // decisions and tasks that exist at the base
	MaxAttempts   int                          // of the policy; 0 means DefaultMaxAttempts
	BodyRevisions []snapshot.Revision          // of the pull request's body, the current one last
	Unavailable   func(fact string) bool       // tells which facts could not be read; nil: all were
	SameCommand   func(a, b string) bool       // the rule of section 5; nil: equal once white space is collapsed
}

// DefaultMaxAttempts is the policy's default of `max_attempts` (design section 9).
const DefaultMaxAttempts = 3

// Result is what was concluded from Facts.
type Result struct {
	Episodes    []report.Episode
	Diagnostics []report.Diagnostic
	// Carriers are the carriers that count, as a service remembers them (A7); SeenAt is empty.
	Carriers []snapshot.RememberedCarrier
	// Recorders are the accounts that recorded attempts, of every check and in any comment that is or
	// was a carrier (section 10): also where the attempts were moved or lost since.
	Recorders []Recorder
	standings map[string]Standing
}

// Of is the standing of a check. It reports false when the check has no carrier that counts and
// holds an attempt; what is wrong with one that does not count is among the diagnostics.
func (r Result) Of(check string) (Standing, bool) {
	s, ok := r.standings[check]
	return s, ok
}

// Standing is what the attempts of one check amount to.
type Standing struct {
	Check     string
	Latest    string     // outcome of the latest attempt of the episode; Failed when it cannot be read
	Passed    bool       // the latest attempt passed, and settles what did not pass before it
	Satisfied bool       // a final triage that is no blocker satisfies the check at stage merge (A9)
	Triage    string     // classification that counts for the latest attempt, "" without one
	State     State      // of the episode
	Recorded  []Recorded // every attempt in the order of the carrier, refused ones included
	Recorders []Recorder // of Result.Recorders, those of the check
	Comment   int64      // the carrier's comment
	Exhausted bool       // max_attempts attempts did not pass and nobody triaged (A11)
}

// Recorded is one attempt and what became of it.
type Recorded struct {
	Attempt Attempt
	Refused bool   // the retry rule refuses it and no triage lets it stand (A5)
	Triage  string // classification that counts, "" without one
	Hand    *snapshot.Actor
	Where   report.Where
}
