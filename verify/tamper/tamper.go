// Package tamper tells whether the steps that `verify` is about to run are those that a person agreed
// to (design section 12, "Tamper evidence").
//
// A digest over the steps, `env`, `pass_env` and `kind` is kept in two places: in the policy file, and
// outside the project, where nothing that works on the project has a reason to write. Check compares
// both before a run and says which copy disagrees and which steps were edited, added or removed;
// Accept records what stands there now. The steps themselves are read by profile/policy and run by
// verify.
//
// It is evidence, not a lock: what runs with the rights of the person can write both copies.
package tamper

import (
	"errors"
	"time"

	"github.com/evidence-gate/evidence-gate/profile/policy"
)

// What Check found.
const (
	OK         = "ok"          // what is about to run is what the copies say
	FileOnly   = "file-only"   // the policy file's digest is right, and there is no copy outside
	FirstUse   = "first-use"   // there was no copy anywhere; the one outside is recorded now
	Changed    = "changed"     // a copy disagrees: nothing may run
	NotChecked = "not-checked" // there was no check, since the run was refused before it
)

// The copies of the digest.
const (
	File    = "file"    // the line `digest:` of the policy file
	Outside = "outside" // the one in the state folder
)

// State is what the copies say of a policy.
type State struct {
	TamperCheck string   `json:"tamperCheck"`
	Digest      string   `json:"digest"`            // of what is about to run
	Copies      []string `json:"copies,omitempty"`  // those that disagree
	Changes     []Change `json:"changes,omitempty"` // against the copy outside; none without one
	Broken      bool     `json:"broken,omitempty"`  // the copy outside cannot be read
}

// Check compares a policy with both copies. With no copy anywhere it records the one outside. An
// error means that nothing could be compared or recorded, so that nothing may run.
func Check(p policy.Policy, s Store, key string, now time.Time) (State, error) {
	form := FormOf(p)
	project, err := s.Load(key)
	var broken *BrokenError
	switch {
	case errors.As(err, &broken):
		return compare(p, form, nil, true), nil
	case err != nil:
		return State{}, err
	case project.Copy == nil && p.Digest == "":
		return firstUse(p, form, s, key, now)
	}
	return compare(p, form, project.Copy, false), nil
}

// firstUse records the outside copy, unless another run does it first: then that one counts.
func firstUse(p policy.Policy, form Form, s Store, key string, now time.Time) (State, error) {
	first := false
	project, err := s.Update(key, func(project *Project) {
		if first = project.Copy == nil; first {
			project.Copy = &Copy{Digest: form.Digest(), Form: form, RecordedAt: now.UTC()}
		}
	})
	if err != nil {
		return State{}, err
	}
	state := compare(p, form, project.Copy, false)
	if first {
		state.TamperCheck = FirstUse
	}
	return state, nil
}

func compare(p policy.Policy, form Form, outside *Copy, broken bool) State {
	state := State{TamperCheck: OK, Digest: form.Digest(), Broken: broken}
	if p.Digest != "" && p.Digest != state.Digest {
		state.Copies = append(state.Copies, File)
	}
	if broken || outside != nil && outside.Digest != state.Digest {
		state.Copies = append(state.Copies, Outside)
	}
	if outside != nil {
		state.Changes = Changes(outside.Form, form)
	}
	switch {
	case len(state.Copies) > 0:
		state.TamperCheck = Changed
	case outside == nil:
		state.TamperCheck = FileOnly
	}
	return state
}
