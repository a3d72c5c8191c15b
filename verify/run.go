package verify

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"slices"
	"time"

	"github.com/evidence-gate/evidence-gate/verify/supervise"
)

// runner is one run of a plan.
type runner struct {
	plan    Plan
	options Options
	masker  masker
	results []StepResult // in the order of the plan's steps
	kept    []*supervise.Process
	number  int // of the steps that were started
	count   int // of those that run
	warned  []string

	rootInfo os.FileInfo // of the project's folder at the start; nil when it is gone

	cancelled context.Context // ends with the first Ctrl-C
	forced    context.Context // ends with the second
}

// Run runs a plan and returns when nothing of it is left. When ctx ends, the step that runs is stopped
// and the teardown follows. Of the result, what Verify knows is left empty.
func Run(ctx context.Context, plan Plan, options Options) Result {
	options.Grace = cmp.Or(options.Grace, defaultGrace)
	options.Poll = cmp.Or(options.Poll, defaultPoll)
	if options.Progress == nil {
		options.Progress = silent{}
	}
	forced, release := context.WithCancel(context.WithoutCancel(ctx))
	defer release()
	go func() {
		select {
		case <-options.Force:
			release()
		case <-forced.Done():
		}
	}()
	r := &runner{plan: plan, options: options, masker: newMasker(plan.Secrets), cancelled: ctx, forced: forced}
	r.rootInfo, _ = os.Stat(plan.Root)
	begin := time.Now()
	r.all()
	result := Result{Schema: Schema, Root: plan.Root, Steps: r.results, DurationMS: time.Since(begin).Milliseconds(), Warnings: r.warned,
		Scope: plan.scope(), Only: plan.Selection.Only, SkipTags: plan.Selection.SkipTags}
	r.judge(&result)
	return result
}

// all runs the stages. The app stage needs a base that passed, whose teardown has run.
func (r *runner) all() {
	for _, s := range r.plan.Steps {
		r.results = append(r.results, pending(s))
		if s.Left == "" {
			r.count++
		}
	}
	r.stage(baseStage)
	why := ""
	switch {
	case r.cancelled.Err() != nil:
		why = "interrupted"
	case slices.ContainsFunc(r.results, failed):
		why = "the steps before the app stage did not all pass"
	}
	if why != "" {
		r.skip(appStage, phases, why)
		return
	}
	r.stage(appStage)
}

func failed(s StepResult) bool { return s.Status == StepFailed }

// pending is the result of a step that has not run.
func pending(s Step) StepResult {
	return StepResult{ID: s.ID, Name: s.Title(), Phase: s.Phase, Layer: s.Layer, Stage: s.Stage, Status: Skipped,
		Reason: s.Left, Command: s.Run, Args: s.Args, Probe: cmp.Or(s.URL, s.Probe)}
}

// stage runs the phases of one stage in their order.
func (r *runner) stage(name string) {
	ready := true
	for i := range r.of(name, setup) {
		switch {
		case r.cancelled.Err() != nil:
			r.results[i].Reason = "interrupted"
		case !ready:
			r.results[i].Reason = "an earlier setup step failed"
		default:
			r.step(i, true)
		}
		ready = ready && r.results[i].Status == Passed
	}
	for _, phase := range []string{check, serve} {
		for i := range r.of(name, phase) {
			switch {
			case r.cancelled.Err() != nil:
				r.results[i].Reason = "interrupted"
			case !ready:
				r.results[i].Reason = "the setup failed"
			default:
				r.step(i, false)
			}
		}
	}
	for i := range r.of(name, teardown) {
		r.step(i, false)
	}
	r.stopKept()
}

// of yields the steps of a stage and phase that run, by their places in the plan.
func (r *runner) of(stage, phase string) func(func(int) bool) {
	return func(yield func(int) bool) {
		for i, s := range r.plan.Steps {
			if s.Stage == stage && s.Phase == phase && s.Left == "" && !yield(i) {
				return
			}
		}
	}
}

func (r *runner) skip(stage string, phases []string, why string) {
	for _, phase := range phases {
		for i := range r.of(stage, phase) {
			r.results[i].Reason = why
		}
	}
}

// stopKept ends what the setup has left running.
func (r *runner) stopKept() {
	for _, p := range slices.Backward(r.kept) {
		if left := p.Stop().Left; left > 0 {
			r.warned = append(r.warned, fmt.Sprintf("%s of a setup step could not be ended", counted(left, "process")))
		}
	}
	r.kept = nil
}

// judge says the one word. What was interrupted is never anything but failed.
func (r *runner) judge(result *Result) {
	i := slices.IndexFunc(r.results, failed)
	switch {
	case i >= 0:
		result.Outcome, result.Failure = Failed, r.results[i].asFailure()
	case r.plan.partial():
		result.Outcome = Partial
	default:
		result.Outcome = Green
	}
	if r.cancelled.Err() == nil {
		return
	}
	result.Outcome = Failed
	if k := slices.IndexFunc(r.results, func(s StepResult) bool { return s.Failure == KindInterrupted }); k >= 0 {
		result.Failure = r.results[k].asFailure()
		return
	}
	result.Failure = &Failure{Kind: KindInterrupted, Reason: "interrupted between two steps"}
}
