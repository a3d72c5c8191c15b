package verify

import (
	"fmt"
	"strings"
	"time"

	"github.com/evidence-gate/evidence-gate/internal/render"
	"github.com/evidence-gate/evidence-gate/verify/tamper"
)

// Schema is the version of a result (schema/verify-result.json).
const Schema = 1

// Result is one run as a program reads it. Times are UTC, durations milliseconds.
type Result struct {
	Schema      int       `json:"schema"`
	Outcome     string    `json:"outcome"`
	Start       time.Time `json:"start"`
	DurationMS  int64     `json:"durationMs"`
	Version     string    `json:"version"`
	Agent       string    `json:"agent,omitempty"` // that was detected
	Root        string    `json:"root"`            // the project's folder
	Policy      string    `json:"policy"`          // the policy file, from the root
	Scope       string    `json:"scope"`           // default, all or selected
	Only        []string  `json:"only,omitempty"`
	SkipTags    []string  `json:"skipTags,omitempty"`
	Tree        string    `json:"tree,omitempty"` // git's id of the files that the steps saw
	TamperCheck string    `json:"tamperCheck"`
	Digest      string    `json:"digest"` // of the steps that ran, or would have

	Copies  []string        `json:"copies,omitempty"`  // of the digest that disagree, when changed
	Changes []tamper.Change `json:"changes,omitempty"` // what was changed
	Base    *Base           `json:"base,omitempty"`    // whose steps ran

	Failure *Failure     `json:"failure,omitempty"` // the first one
	Steps   []StepResult `json:"steps"`

	FirstGreenAt    *time.Time `json:"firstGreenAt,omitempty"`
	FirstTestPassAt *time.Time `json:"firstTestPassAt,omitempty"`
	Warnings        []string   `json:"warnings,omitempty"`
}

// StepResult is how one step ended.
type StepResult struct {
	ID         string   `json:"id,omitempty"`
	Name       string   `json:"name"`
	Phase      string   `json:"phase"`
	Layer      string   `json:"layer"`
	Stage      string   `json:"stage,omitempty"`
	Status     string   `json:"status"`
	Failure    string   `json:"failure,omitempty"`  // its kind
	Reason     string   `json:"reason,omitempty"`   // of a failure, or of being skipped, in words
	ExitCode   *int     `json:"exitCode,omitempty"` // of a command that ended by itself
	DurationMS int64    `json:"durationMs"`
	Command    string   `json:"command,omitempty"` // for the shell
	Args       []string `json:"args,omitempty"`    // without one
	Probe      string   `json:"probe,omitempty"`
	Ended      int      `json:"ended,omitempty"` // processes that had outlived the step and were ended

	OutputBytes  int64  `json:"outputBytes"`
	OutputEnd    string `json:"outputEnd,omitempty"`    // masked
	Log          string `json:"log,omitempty"`          // from the root
	OutputSHA256 string `json:"outputSha256,omitempty"` // of the log, as it is kept
}

// Failure is what a failed run is about.
type Failure struct {
	Step     string `json:"step"`
	Command  string `json:"command"`
	Kind     string `json:"kind"`
	Reason   string `json:"reason"`
	ExitCode *int   `json:"exitCode,omitempty"`
	Output   string `json:"output,omitempty"` // its end, masked
}

// The exit codes of a run (design sections 12 and 15).
const (
	exitDone        = 0
	exitNotDone     = 5
	exitRefused     = 6
	exitInterrupted = 130
)

// ExitCode is what the program ends with.
func (r Result) ExitCode() int {
	switch r.Outcome {
	case Green, Partial:
		return exitDone
	case Refused:
		return exitRefused
	}
	if r.Interrupted() {
		return exitInterrupted
	}
	return exitNotDone
}

// Interrupted says whether somebody stopped the run.
func (r Result) Interrupted() bool { return r.Failure != nil && r.Failure.Kind == KindInterrupted }

// Envelope is the error of a run, as the services of this project write theirs.
type Envelope struct {
	Error EnvelopeError `json:"error"`
}

// EnvelopeError is what an Envelope holds.
type EnvelopeError struct {
	Code    string `json:"code"`
	Message string `json:"message"`
	Details any    `json:"details,omitempty"`
}

// changedDetails are the details of VerifyChanged.
type changedDetails struct {
	Copies  []string        `json:"copies"`
	Changes []tamper.Change `json:"changes"`
}

// Envelope is the error that the result amounts to; false for green and partial.
func (r Result) Envelope() (Envelope, bool) {
	e := EnvelopeError{Message: r.headline()}
	switch r.Outcome {
	case Failed:
		e.Code = "VerifyFailed"
		if r.Failure != nil {
			e.Details = r.Failure
		}
	case Changed:
		e.Code = "VerifyChanged"
		e.Details = changedDetails{append([]string{}, r.Copies...), append([]tamper.Change{}, r.Changes...)}
	case Refused:
		e.Code = "PermissionDenied"
	default:
		return Envelope{}, false
	}
	return Envelope{Error: e}, true
}

// mostShown bounds the end of an output that is shown, in characters, and its lines.
const (
	mostShown      = 2_000
	mostShownLines = 20
)

// endOf is the end of an output for people: whole lines where it has some, and nothing that a terminal
// would obey.
func endOf(text []byte) string {
	window := text[max(0, len(text)-4*mostShown):]
	shown := render.Plain(string(window))
	lines := strings.Split(strings.TrimRight(shown, "\n"), "\n")
	lines = lines[max(0, len(lines)-mostShownLines):]
	for len(lines) > 1 && size(lines) > mostShown {
		lines = lines[1:]
	}
	last := []rune(strings.Join(lines, "\n"))
	return string(last[max(0, len(last)-mostShown):])
}

func size(lines []string) int {
	n := 0
	for _, line := range lines {
		n += len([]rune(line)) + 1
	}
	return n
}

// command is a step's command in one line.
func (s StepResult) command() string {
	if s.Command != "" {
		return s.Command
	}
	var words []string
	for _, word := range s.Args {
		if word == "" || strings.ContainsAny(word, " \t\n\"'\\$`*?;&|<>()#~") {
			word = "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
		}
		words = append(words, word)
	}
	return strings.Join(words, " ")
}

func (s StepResult) asFailure() *Failure {
	return &Failure{Step: s.Name, Command: s.command(), Kind: s.Failure, Reason: s.Reason, ExitCode: s.ExitCode, Output: s.OutputEnd}
}

// counted is a number with its word.
func counted(n int, word string) string {
	switch {
	case n != 1 && strings.HasSuffix(word, "s"):
		word += "es"
	case n != 1:
		word += "s"
	}
	return fmt.Sprintf("%d %s", n, word)
}
