package main

import (
	"errors"
	"fmt"
	"io"
	"runtime/debug"
	"strings"

	"github.com/spf13/cobra"

	"github.com/evidence-gate/evidence-gate/checks"
	"github.com/evidence-gate/evidence-gate/report"
	"github.com/evidence-gate/evidence-gate/snapshot"
)

// process is what a command gets from its surroundings.
type process struct {
	stdin  io.Reader
	stdout io.Writer
	stderr io.Writer
	getenv func(string) string
}

// engine is what the commands call to judge.
type engine struct {
	evaluate func(snapshot.Snapshot, report.Stage) report.Report
	lint     func(checks.Files) report.Report
	scaffold func(issue, head string) (string, []report.Diagnostic)
}

// run executes one command line and returns the exit code.
func run(args []string, p process, e engine) int {
	root := newRoot(p, e)
	root.SetArgs(args)
	root.SetIn(p.stdin)
	root.SetOut(p.stdout)
	root.SetErr(p.stderr)
	err := root.Execute()
	if err == nil {
		return exitSuccess
	}
	var done *exit
	if !errors.As(err, &done) {
		done = usage(root, err)
	}
	if done.err != nil {
		fmt.Fprintf(p.stderr, "github-preflight: %v\n", done.err)
	}
	return done.code
}

func newRoot(p process, e engine) *cobra.Command {
	root := &cobra.Command{
		Use:   "github-preflight",
		Short: "Judge the evidence of a pull request",
		Long: `github-preflight says whether a pull request's body proves every required check of its task for
the current head commit, in the same way as the Evidence Gate app does on GitHub.

Exit codes:
  0  success: everything is satisfied (or the pull request is exempt)
  1  failure: the author of the pull request must act
  2  the command line is wrong
  3  could not judge: something could not be read; the message says what
  4  pending, or a maintainer or approver must act

Colours are used on a terminal only, and never when NO_COLOR is set.`,
		Example: `  github-preflight scaffold --issue ISSUE.md --head "$(git rev-parse HEAD)" > evidence.md
  github-preflight lint BODY.md --issue ISSUE.md --head "$(git rev-parse HEAD)"
  github-preflight explain head.stale`,
		Version:       version(),
		Args:          knownCommand,
		SilenceErrors: true,
		SilenceUsage:  true,
		RunE: func(*cobra.Command, []string) error {
			return errors.New("expected a command: lint, evaluate, scaffold or explain")
		},
	}
	root.SetVersionTemplate("{{.Name}} {{.Version}}\n")
	root.AddCommand(newLint(p, e), newEvaluate(p, e), newScaffold(p, e), newExplain(p))
	return root
}

// knownCommand refuses a word that is no command, and names those that are spelled like it.
func knownCommand(root *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	message := fmt.Sprintf("there is no command %q", args[0])
	root.SuggestionsMinimumDistance = 2
	if like := root.SuggestionsFor(args[0]); len(like) > 0 {
		message += "; did you mean " + strings.Join(like, " or ") + "?"
	}
	return errors.New(message)
}

// version is that of the module, or the revision that the binary was built from.
func version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok || info.Main.Version == "" {
		return "(devel)"
	}
	return info.Main.Version
}
