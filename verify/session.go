package verify

import (
	"context"
	"fmt"
	"time"

	"github.com/evidence-gate/evidence-gate/profile/policy"
	"github.com/evidence-gate/evidence-gate/verify/records"
	"github.com/evidence-gate/evidence-gate/verify/tamper"
)

// Session is one call of `verify` in a project.
type Session struct {
	Root      string        // the project's folder: the one that holds .github
	Policy    policy.Policy // whose steps run
	Base      *Base         // set when Policy is that of the base
	Selection Selection
	Environ   []string // of the caller
	Store     tamper.Store
	Key       string // of the project in Store; empty when Store cannot be used
	Agent     string
	Version   string
	Now       func() time.Time // for times that people read; durations are measured by a steady clock
	Options   Options          // without Logs
}

// Verify compares the steps with what was agreed to, runs them, and records the run. An error means
// that nothing ran, and that nothing can be said about the project.
func Verify(ctx context.Context, s Session) (Result, error) {
	plan, err := NewPlan(s.Root, s.Policy, s.Selection, s.Environ)
	if err != nil {
		return Result{}, err
	}
	start := s.Now().UTC().Truncate(time.Millisecond)
	state, err := s.compare(start)
	if err != nil {
		return Result{}, err
	}
	if state.TamperCheck == tamper.Changed {
		r := s.result(Result{Outcome: Changed, Copies: state.Copies, Changes: state.Changes}, plan, start, state)
		s.record(&r)
		return r, nil
	}
	tree, _ := records.TreeID(ctx, plan.Root) // a project need not be in git
	logs, err := OpenLogs(plan.Root, start)
	if err == nil {
		defer logs.Close()
		s.Options.Logs = logs
	}
	r := Run(ctx, plan, s.Options)
	if err != nil {
		r.Warnings = append(r.Warnings, err.Error())
	}
	r.Tree = tree
	r = s.result(r, plan, start, state)
	s.record(&r)
	return r, nil
}

// Refuse is the result of a call that was refused, which is recorded as well.
func (s Session) Refuse(why error) Result {
	r := s.result(Result{Outcome: Refused, Warnings: []string{why.Error()}}, Plan{Root: s.Root, Selection: s.Selection}, s.Now().UTC(),
		tamper.State{TamperCheck: tamper.NotChecked, Digest: tamper.Digest(s.Policy)})
	s.record(&r)
	return r
}

// Preview says what comparing the steps would find, and records nothing.
func (s Session) Preview() (tamper.State, error) {
	if s.Base == nil && s.Policy.Digest == "" {
		known, err := s.Store.Load(s.Key)
		if err == nil && known.Copy == nil {
			return tamper.State{TamperCheck: tamper.FirstUse, Digest: tamper.Digest(s.Policy)}, nil
		}
	}
	return s.compare(s.Now().UTC()) // which records a first use only
}

// compare looks at both copies. The steps of a base are those of a commit: nothing outside was agreed
// about it, so that only the digest in its own file is compared.
func (s Session) compare(now time.Time) (tamper.State, error) {
	if s.Base == nil {
		return tamper.Check(s.Policy, s.Store, s.Key, now)
	}
	state := tamper.State{TamperCheck: tamper.NotChecked, Digest: tamper.Digest(s.Policy)}
	switch s.Policy.Digest {
	case "":
	case state.Digest:
		state.TamperCheck = tamper.FileOnly
	default:
		state.TamperCheck, state.Copies = tamper.Changed, []string{tamper.File}
	}
	return state, nil
}

// result fills in what Run does not know.
func (s Session) result(r Result, plan Plan, start time.Time, state tamper.State) Result {
	r.Schema, r.Start, r.Version, r.Agent, r.Base = Schema, start, s.Version, s.Agent, s.Base
	r.Root, r.Policy = plan.Root, policy.Path
	r.Scope, r.Only, r.SkipTags = plan.scope(), plan.Selection.Only, plan.Selection.SkipTags
	r.TamperCheck, r.Digest = state.TamperCheck, state.Digest
	if r.Steps == nil {
		r.Steps = []StepResult{}
	}
	return r
}

// record appends the run to the records and notes what was reached. What cannot be recorded is a
// warning: the result stands.
func (s Session) record(r *Result) {
	line := records.Record{Start: r.Start, Version: r.Version, Agent: r.Agent, Outcome: r.Outcome, Scope: r.Scope,
		TamperCheck: r.TamperCheck, Tree: r.Tree, DurationMS: r.DurationMS}
	for _, step := range r.Steps {
		line.Steps = append(line.Steps, records.Step{Name: step.Name, Phase: step.Phase, Layer: step.Layer, Status: step.Status,
			Failure: step.Failure, ExitCode: step.ExitCode, DurationMS: step.DurationMS})
	}
	if err := records.Append(r.Root, line); err != nil {
		r.Warnings = append(r.Warnings, err.Error())
	}
	if s.Key == "" {
		return
	}
	project, err := records.Reach(s.Store, s.Key, line)
	if err != nil {
		r.Warnings = append(r.Warnings, fmt.Sprintf("when the checks passed for the first time is not remembered: %v", err))
		return
	}
	r.FirstGreenAt, r.FirstTestPassAt = project.FirstGreenAt, project.FirstTestPassAt
}
