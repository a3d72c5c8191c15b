package main

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/evidence-gate/evidence-gate/report"
)

// The exit codes of design section 15.
const (
	exitSuccess       = 0
	exitFailure       = 1
	exitUsage         = 2
	exitCouldNotJudge = 3
	exitWaiting       = 4 // pending or action_required
)

// exit ends a command with a code, and with a message when there is an err.
type exit struct {
	code int
	err  error
}

func (e *exit) Error() string {
	if e.err == nil {
		return fmt.Sprintf("exit code %d", e.code)
	}
	return e.err.Error()
}

func (e *exit) Unwrap() error { return e.err }

// usage is for everything wrong with the command line itself.
func usage(command *cobra.Command, err error) *exit {
	return &exit{exitUsage, fmt.Errorf("%w\nRun '%s --help' for the form", err, command.CommandPath())}
}

// couldNotJudge is for what cannot be read or written. A mistake of the command line stays one.
func couldNotJudge(err error) *exit {
	var known *exit
	if errors.As(err, &known) {
		return known
	}
	return &exit{exitCouldNotJudge, err}
}

// concluded turns a verdict into the end of the command; success is no error.
func concluded(r report.Report) error {
	switch r.Conclusion {
	case report.Success, report.Neutral:
		return nil
	case report.Failure:
		return &exit{code: exitFailure}
	}
	if onlyOperator(r.Diagnostics) {
		return &exit{code: exitCouldNotJudge}
	}
	return &exit{code: exitWaiting}
}

// onlyOperator says whether the gate itself is the only reason for the verdict: then nothing was
// judged against anybody.
func onlyOperator(diagnostics []report.Diagnostic) bool {
	found := false
	for _, d := range diagnostics {
		if d.Severity != report.Error {
			continue
		}
		if d.Owner != report.Operator {
			return false
		}
		found = true
	}
	return found
}
