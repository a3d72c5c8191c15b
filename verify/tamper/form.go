package tamper

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"slices"
	"time"

	"github.com/evidence-gate/evidence-gate/profile/policy"
)

// Form is what the digest is over, in one canonical form: the steps in their order, the variables with
// the digests of their values, the sorted names that are passed on, and the kind.
type Form struct {
	Steps   []Step            `json:"steps"`
	Env     map[string]string `json:"env"` // sha-256 of each value: the values themselves are nobody's business
	PassEnv []string          `json:"pass_env"`
	Kind    string            `json:"kind"`
}

// Step is what one step does. Times are in milliseconds.
type Step struct {
	ID           string   `json:"id"`
	Name         string   `json:"name"`
	Run          string   `json:"run"`  // through a shell
	Args         []string `json:"args"` // without one
	Phase        string   `json:"phase"`
	Layer        string   `json:"layer"`
	Timeout      int64    `json:"timeout_ms"`
	Tags         []string `json:"tags"`
	Default      bool     `json:"default"`
	Probe        string   `json:"probe"`
	ProbeTimeout int64    `json:"probe_timeout_ms"`
	Stage        string   `json:"stage"`
}

// FormOf is the canonical form of a policy. Entries without a command are no steps.
func FormOf(p policy.Policy) Form {
	form := Form{Steps: []Step{}, Env: map[string]string{}, PassEnv: []string{}, Kind: p.Kind}
	for _, c := range p.Checks {
		if c.Run == "" && len(c.Args) == 0 {
			continue
		}
		form.Steps = append(form.Steps, Step{
			ID: c.ID, Name: c.Name, Run: c.Run, Args: list(c.Args), Phase: c.Phase, Layer: c.Layer,
			Timeout: milliseconds(c.Timeout), Tags: list(c.Tags), Default: c.Default,
			Probe: c.Probe, ProbeTimeout: milliseconds(c.ProbeTimeout), Stage: c.Stage,
		})
	}
	for name, value := range p.Env {
		form.Env[name] = sum([]byte(value))
	}
	form.PassEnv = append(form.PassEnv, p.PassEnv...)
	slices.Sort(form.PassEnv)
	form.PassEnv = slices.Compact(form.PassEnv)
	return form
}

// Digest is sha-256 over the canonical JSON of the form, as the policy file writes it: "sha256:" and
// 64 hexadecimal digits.
func (f Form) Digest() string {
	text, err := json.Marshal(f)
	if err != nil {
		panic(err) // strings, numbers and lists of them always marshal
	}
	return "sha256:" + sum(text)
}

// Digest is that of a policy's canonical form.
func Digest(p policy.Policy) string { return FormOf(p).Digest() }

func sum(text []byte) string {
	digest := sha256.Sum256(text)
	return hex.EncodeToString(digest[:])
}

// list is never nil, so that a list that was left out and an empty one are one form.
func list(words []string) []string { return append([]string{}, words...) }

func milliseconds(d time.Duration) int64 { return d.Milliseconds() }

// title is what the step is called.
func (s Step) title() string {
	if s.Name != "" {
		return s.Name
	}
	return s.ID
}
