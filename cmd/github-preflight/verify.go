package main

import (
	"context"
	"errors"
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"github.com/evidence-gate/evidence-gate/verify"
)

func newVerify(p process) *cobra.Command {
	var o verifyOptions
	command := &cobra.Command{
		Use:   "verify",
		Short: "Run the checks that the repository declares, and say one word about it",
		Long: `verify runs the steps under checks in .github/evidence.yml, which is found by walking up from the
current folder (docs/verify.md). The phases come in their order: setup, check, serve, teardown.

The word is green, partial, failed, changed or refused. Only green is done: partial means that --only
or --skip-tag left something out. When the steps are not those that a person agreed to, the word is
changed and nothing runs, until a person runs verify --accept-changes at a terminal.

Tokens never reach a step, unless pass_env in the policy lists them. Each run is recorded in
.evidence/runs.jsonl, and its masked outputs stay in .evidence/runs.

It exits with 0 for green and partial, 5 for failed and changed, 6 for refused, 130 after Ctrl-C (which
still runs the teardown; a second one ends that, too), and 3 when it could not run anything. With
--dry-run it exits with 5 when the steps were changed.`,
		Example: `  github-preflight verify
  github-preflight verify --only lint,test
  github-preflight verify --skip-tag prod --json
  github-preflight verify --base --dry-run
  github-preflight verify --accept-changes`,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			o.baseGiven = c.Flags().Changed("base")
			if err := o.fit(); err != nil {
				return usage(c, err)
			}
			ctx, force, release := interrupts()
			defer release()
			err := runVerify(ctx, force, p, o, os.Environ())
			var choice *verify.SelectionError
			if errors.As(err, &choice) {
				return usage(c, err)
			}
			return err
		},
	}
	flags := command.Flags()
	flags.StringSliceVar(&o.selection.Only, "only", nil, "run the checks and servers with these `names`, ids or layers only, separated by commas; the result is partial")
	flags.StringSliceVar(&o.selection.SkipTags, "skip-tag", nil, "leave out checks and servers with these `tags`, separated by commas; the result is partial")
	flags.BoolVar(&o.selection.All, "all", false, "also run the steps with default: false")
	flags.BoolVar(&o.list, "list", false, "list the steps and run nothing")
	flags.BoolVar(&o.dryRun, "dry-run", false, "say what would run and whether the steps were changed, and run nothing")
	flags.BoolVar(&o.base, "base", false, "run the steps of the merge base with the default branch as last fetched (the default in CI; --base=false there takes the working tree's)")
	flags.BoolVar(&o.accept, "accept-changes", false, "agree to the steps as they are now, and run them; for a person at a terminal")
	flags.BoolVar(&o.json, "json", false, "print one JSON object, and an error as the last line of standard error")
	completeSteps(command, p)
	command.ValidArgsFunction = cobra.NoFileCompletions
	checkFlags(command)
	return command
}

// verifyOptions are the flags of verify.
type verifyOptions struct {
	selection verify.Selection
	list      bool
	dryRun    bool
	base      bool
	baseGiven bool
	accept    bool
	json      bool
}

// fit refuses flags that contradict each other.
func (o verifyOptions) fit() error {
	switch {
	case o.accept && o.base:
		return errors.New("--accept-changes is about the steps of the working tree, and --base runs those of the base: give one of them")
	case o.accept && (o.list || o.dryRun):
		return errors.New("--list and --dry-run run nothing, so there is nothing to accept: leave --accept-changes out")
	}
	return nil
}

// wantsBase says whose steps run: in CI those of the base, so that a change cannot choose its checks.
func (o verifyOptions) wantsBase(getenv func(string) string) bool {
	if o.baseGiven || o.accept {
		return o.base
	}
	switch getenv("CI") {
	case "", "0", "false":
		return false
	}
	return true
}

// runVerify is the command, with what it gets from its surroundings.
func runVerify(ctx context.Context, force <-chan struct{}, p process, o verifyOptions, environ []string) error {
	s, warnings, err := o.session(ctx, p, environ)
	if err == nil && (o.list || o.dryRun) {
		return o.unrun(p, o.listing(p, s, environ))
	}
	var result verify.Result
	if err == nil {
		s.Options.Force = force
		result, err = o.execute(ctx, p, s)
	}
	if err != nil {
		return o.unrun(p, err)
	}
	result.Warnings = append(result.Warnings, warnings...)
	return o.show(p, result)
}

// unrun ends a call that ran nothing because something is missing or wrong. With --json the error is
// one JSON object, as after a run.
func (o verifyOptions) unrun(p process, err error) error {
	var choice *verify.SelectionError
	if err == nil || errors.As(err, &choice) {
		return err
	}
	var known *exit
	if !errors.As(err, &known) {
		known = &exit{exitCouldNotJudge, err}
	}
	if !o.json || known.err == nil {
		return known
	}
	return errors.Join(o.envelope(p, verify.Envelope{Error: verify.EnvelopeError{Code: "VerifyUnavailable", Message: plain(known.err.Error())}}), &exit{code: known.code})
}

// show prints the result and ends the command with its code.
func (o verifyOptions) show(p process, r verify.Result) error {
	var err error
	if o.json {
		err = writeJSON(p.stdout, r)
	} else {
		err = r.Text(p.stdout)
	}
	if err := written(err); err != nil {
		return err
	}
	if e, failed := r.Envelope(); failed && o.json {
		if err := o.envelope(p, e); err != nil {
			return err
		}
	}
	if r.ExitCode() != exitSuccess {
		return &exit{code: r.ExitCode()}
	}
	return nil
}

// envelope writes an error as one line.
func (o verifyOptions) envelope(p process, e verify.Envelope) error {
	line, err := oneLineJSON(e)
	if err == nil {
		_, err = fmt.Fprintf(p.stderr, "%s\n", line)
	}
	return written(err)
}
