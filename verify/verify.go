// Package verify runs the steps that a repository declares in its policy and says one word about it
// (design section 12, first half).
//
// NewPlan decides what a run consists of: the phases, the app stage after everything else, what was
// chosen and what was left out, and the environment, from which tokens and the markers of an agent's
// session are removed. Run runs a plan. Verify is both with what belongs to every run: the steps are
// compared with what a person agreed to before anything starts (package tamper), and the run is
// recorded (package records). How one command is started, watched and ended is known by package
// supervise.
package verify

import (
	"time"

	"github.com/evidence-gate/evidence-gate/profile/policy"
	"github.com/evidence-gate/evidence-gate/verify/records"
)

// The outcomes of a run. Only green is done.
const (
	Green   = records.Green
	Partial = records.Partial
	Failed  = records.Failed
	Changed = records.Changed
	Refused = records.Refused
)

// The ways in which a step ends.
const (
	Passed     = records.StepPassed
	StepFailed = records.StepFailed
	Skipped    = records.StepSkipped
)

// The kinds of failures.
const (
	KindStep        = records.FailStep        // the command says that something is wrong
	KindEnv         = records.FailEnv         // it could not be run here
	KindTimeout     = records.FailTimeout     // it took too long
	KindInterrupted = records.FailInterrupted // Ctrl-C
)

// The phases of a stage, in their order (design section 12).
const (
	setup    = "setup"
	check    = "check"
	serve    = "serve"
	teardown = "teardown"
)

var phases = []string{setup, check, serve, teardown}

// The stages of a run, in their order.
const (
	baseStage = ""
	appStage  = "app"
)

// Step is one step of a plan.
type Step struct {
	policy.Check
	URL  string // of a serve step: its probe, with variables replaced
	Left string // why it is left out of this run; empty when it runs
}

// Title is what the step is called.
func (s Step) Title() string {
	if s.Name != "" {
		return s.Name
	}
	return s.ID
}

// args is the command as the system takes it.
func (s Step) args() []string {
	if len(s.Args) > 0 {
		return s.Args
	}
	return []string{shell, "-c", s.Run}
}

// Selection says which steps of the policy are asked for.
type Selection struct {
	Only     []string // names, ids or layers of checks and servers; empty: all
	SkipTags []string // leave out checks and servers with one of these tags
	All      bool     // also those with `default: false`
}

// Plan is what a run consists of.
type Plan struct {
	Root        string // the project's folder, without symbolic links
	Steps       []Step // of the base stage, then of the app stage, each by phases
	Selection   Selection
	Environment []string // of every step
	Secrets     []string // values that no output may show
}

// Options are the surroundings of a run. The zero value is an ordinary one, without a trace on disk.
type Options struct {
	Progress Progress        // nil: nobody watches
	Logs     *Logs           // nil: outputs are not kept
	Force    <-chan struct{} // closed to end the teardown, too

	Grace time.Duration // between SIGTERM and SIGKILL; 5 s when zero
	Poll  time.Duration // between two probes; 500 ms when zero (design section 12)
}

const (
	defaultGrace = 5 * time.Second
	defaultPoll  = 500 * time.Millisecond
)
