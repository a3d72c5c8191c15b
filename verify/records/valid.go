package records

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/evidence-gate/evidence-gate/internal/markdown"
	"github.com/evidence-gate/evidence-gate/verify/agent"
	"github.com/evidence-gate/evidence-gate/verify/tamper"
)

// The words that a record takes.
var (
	outcomes     = []string{Green, Partial, Failed, Changed, Refused}
	scopes       = []string{Default, All, Selected}
	tamperChecks = []string{tamper.OK, tamper.FileOnly, tamper.FirstUse, tamper.Changed, tamper.NotChecked}
	phases       = []string{"setup", "check", "serve", "teardown"}
	layers       = []string{"install", "lint", "typecheck", "test", "build", "serve", "docs", "check"}
	statuses     = []string{StepPassed, StepFailed, StepSkipped}
	failures     = []string{"", FailStep, FailEnv, FailTimeout, FailInterrupted}
)

// The bounds of a record. A policy allows names of 100 characters (profile/policy).
const (
	longestName    = 100
	longestVersion = 100
	mostSteps      = 10_000
)

// fault says what keeps a record from being written or read; nil is nothing.
func (r Record) fault() error {
	for _, word := range []struct {
		name, value string
		known       []string
	}{
		{"outcome", r.Outcome, outcomes}, {"scope", r.Scope, scopes}, {"tamperCheck", r.TamperCheck, tamperChecks},
	} {
		if err := oneOf(word.name, word.value, word.known); err != nil {
			return err
		}
	}
	switch {
	case r.Schema != Schema:
		return fmt.Errorf("the schema of a run record is %d, expected %d", r.Schema, Schema)
	case r.Start.IsZero():
		return fmt.Errorf("a run record has no start")
	case r.Start.Year() < 1 || r.Start.Year() > 9999:
		return fmt.Errorf("the start of a run record is in the year %d", r.Start.Year())
	case r.Agent != "" && !agent.IsName(r.Agent):
		return fmt.Errorf("the agent of a run record is %q; it takes the name of one", r.Agent)
	case !isVersion(r.Version):
		return fmt.Errorf("the version of a run record is %q; it takes letters, digits and the signs of a version", r.Version)
	case r.Tree != "" && !isObject(r.Tree):
		return fmt.Errorf("the tree of a run record is %q; it takes the 40 or 64 hexadecimal digits of an object", r.Tree)
	case r.DurationMS < 0:
		return fmt.Errorf("the duration of a run record is %d", r.DurationMS)
	case len(r.Steps) > mostSteps:
		return fmt.Errorf("a run record has %d steps; it may have %d", len(r.Steps), mostSteps)
	}
	for _, s := range r.Steps {
		if err := s.fault(); err != nil {
			return err
		}
	}
	return nil
}

func (s Step) fault() error {
	for _, word := range []struct {
		name, value string
		known       []string
	}{
		{"phase", s.Phase, phases}, {"layer", s.Layer, layers}, {"status", s.Status, statuses}, {"failure", s.Failure, failures},
	} {
		if err := oneOf(word.name+" of a step", word.value, word.known); err != nil {
			return err
		}
	}
	switch {
	case !isName(s.Name):
		return fmt.Errorf("the name of a step in a run record is %q; it takes one line of at most %d characters", s.Name, longestName)
	case s.Status != StepFailed && s.Failure != "":
		return fmt.Errorf("the step %q of a run record is %s, and has the failure %s", s.Name, s.Status, s.Failure)
	case s.DurationMS < 0:
		return fmt.Errorf("the duration of the step %q is %d", s.Name, s.DurationMS)
	}
	return nil
}

func oneOf(name, value string, known []string) error {
	if slices.Contains(known, value) {
		return nil
	}
	return fmt.Errorf("the %s of a run record is %q; it takes %s", name, value, strings.Trim(strings.Join(known, ", "), ", "))
}

// isName holds for what the name of a step can be in a policy.
func isName(s string) bool {
	return s != "" && utf8.ValidString(s) && utf8.RuneCountInString(s) <= longestName && !strings.ContainsFunc(s, func(c rune) bool {
		return c < ' ' || c >= 0x7F && c <= 0x9F || c == 0x2028 || c == 0x2029 || markdown.IsInvisible(c)
	})
}

func isVersion(s string) bool {
	return s != "" && len(s) <= longestVersion && strings.Trim(s, "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ.-+()_") == ""
}

func isObject(s string) bool {
	return (len(s) == 40 || len(s) == 64) && strings.Trim(s, "0123456789abcdef") == ""
}
