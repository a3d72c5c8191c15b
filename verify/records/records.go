// Package records keeps one line for each run of `verify` in .evidence/runs.jsonl, and says what the
// lines amount to (design section 12).
//
// A record tells that something ran and how it ended. Commands, output, paths and values stand in
// none: what has no field here, or is none of the words that a field takes, is not written.
package records

import (
	"time"
)

// Dir is the folder of run records and outputs, in the project's root. It ignores itself in git.
const Dir = ".evidence"

// FileName is that of the records, in Dir.
const FileName = "runs.jsonl"

// Schema is the version of a record.
const Schema = 1

// The outcomes of a run (design section 12).
const (
	Green   = "green"
	Partial = "partial"
	Failed  = "failed"
	Changed = "changed"
	Refused = "refused"
)

// The scopes of a run: which steps were asked for.
const (
	Default  = "default"  // every step but those with `default: false`
	All      = "all"      // those too
	Selected = "selected" // chosen by --only or --skip-tag
)

// The ways in which a step ends.
const (
	StepPassed  = "passed"
	StepFailed  = "failed"
	StepSkipped = "skipped" // not chosen, or not reached
)

// The kinds of failures.
const (
	FailStep        = "step"
	FailEnv         = "env"
	FailTimeout     = "timeout"
	FailInterrupted = "interrupted"
)

// Record is one run. Times are UTC, durations milliseconds.
type Record struct {
	Schema      int       `json:"schema"`
	Start       time.Time `json:"start"`
	Version     string    `json:"version"`         // of this program
	Agent       string    `json:"agent,omitempty"` // that was detected; empty for none
	Outcome     string    `json:"outcome"`
	Scope       string    `json:"scope"`
	TamperCheck string    `json:"tamperCheck"`
	Tree        string    `json:"tree,omitempty"` // git's id of the files that the steps saw; empty when it is not known
	DurationMS  int64     `json:"durationMs"`
	Steps       []Step    `json:"steps"`
}

// Step is one step of a run.
type Step struct {
	Name       string `json:"name"`
	Phase      string `json:"phase"`
	Layer      string `json:"layer"`
	Status     string `json:"status"`
	Failure    string `json:"failure,omitempty"`
	ExitCode   *int   `json:"exitCode,omitempty"` // of a command that ended by itself
	DurationMS int64  `json:"durationMs"`
}
