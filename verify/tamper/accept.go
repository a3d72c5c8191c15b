package tamper

import (
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/evidence-gate/evidence-gate/profile/policy"
	"github.com/evidence-gate/evidence-gate/verify/internal/durable"
)

// RefusedError says why changed steps may not be accepted from here.
type RefusedError struct{ Why string }

func (e *RefusedError) Error() string {
	return "the changed steps were not accepted, and nothing ran: " + e.Why + "; a person accepts them at a terminal, with github-preflight verify --accept-changes"
}

// MayAccept refuses an acceptance by anybody but a person at a terminal, as far as that can be told
// (design section 12). agent is what package agent detected, empty for none.
func MayAccept(agent string, terminal bool) error {
	switch {
	case agent != "":
		return &RefusedError{Why: "the command was started by " + agent + ", a coding agent"}
	case !terminal:
		return &RefusedError{Why: "the standard input is no terminal"}
	}
	return nil
}

// Acceptance is what a person accepts: the policy as it was shown to them, and where it stands.
type Acceptance struct {
	Path   string        // of the policy file
	Policy policy.Policy // as it was read and shown
	Store  Store
	Key    string
	Now    time.Time
}

// Accept records the digest of a policy outside, then in its file, where the line `digest:` changes or
// is added and every other byte stays. It returns the policy as it stands in the file then. A file
// that says something else than what was shown is not accepted.
func Accept(a Acceptance) (policy.Policy, error) {
	text, mode, err := readPolicy(a.Path)
	if err != nil {
		return policy.Policy{}, err
	}
	form := FormOf(a.Policy)
	now, faults := policy.Read(string(text), policy.Repository)
	if len(faults) > 0 || Digest(now) != form.Digest() {
		return policy.Policy{}, fmt.Errorf("%s was changed after its steps were shown, so nothing was accepted: run it again", a.Path)
	}
	edited, err := WithDigest(string(text), form.Digest())
	if err != nil {
		return policy.Policy{}, fmt.Errorf("%s: %w", a.Path, err)
	}
	_, err = a.Store.update(a.Key, func(project *Project) {
		project.Copy = &Copy{Digest: form.Digest(), Form: form, RecordedAt: a.Now.UTC(), Accepted: true}
	}, true)
	if err != nil {
		return policy.Policy{}, err
	}
	if edited != string(text) {
		if err := durable.Replace(a.Path, []byte(edited), mode); err != nil {
			return policy.Policy{}, fmt.Errorf("the copy outside is recorded, but not the one in the policy file: %w; write this line into it: digest: %s", err, form.Digest())
		}
	}
	accepted, _ := policy.Read(edited, policy.Repository)
	return accepted, nil
}

func readPolicy(path string) ([]byte, os.FileMode, error) {
	info, err := os.Lstat(path)
	if err != nil {
		return nil, 0, fmt.Errorf("cannot read the policy: %w", err)
	}
	if !info.Mode().IsRegular() {
		return nil, 0, errors.New("cannot record the digest: " + path + " is no ordinary file")
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, 0, fmt.Errorf("cannot read the policy: %w", err)
	}
	return text, info.Mode().Perm(), nil
}
