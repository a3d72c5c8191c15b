package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"runtime/debug"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/evidence-gate/evidence-gate/checks"
	"github.com/evidence-gate/evidence-gate/report"
	"github.com/evidence-gate/evidence-gate/snapshot"
)

// process is what a command gets from its surroundings. The members after getenv are needed by the
// commands that ask GitHub only.
type process struct {
	stdin  io.Reader
	stdout io.Writer
	stderr io.Writer
	getenv func(string) string
	dir    string // the folder to run in; the current one when empty
	now    func() time.Time
	sleep  func(context.Context, time.Duration) error
}

// engine is what the commands call to judge.
type engine struct {
	evaluate func(snapshot.Snapshot, report.Stage) report.Report
	lint     func(checks.Files) report.Report
}

// run executes one command line and returns the exit code.
func run(args []string, p process, e engine) int {
	out := &output{to: p.stdout}
	p.stdout = out
	root := newRoot(p, e)
	root.SetArgs(args)
	root.SetIn(p.stdin)
	root.SetOut(p.stdout)
	root.SetErr(p.stderr)
	done := ending(root, out, root.Execute())
	if done.err != nil {
		fmt.Fprintf(p.stderr, "github-preflight: %s\n", plain(done.err.Error()))
	}
	return done.code
}

// ending is how the program ends. Output that could not be written is told whatever else was said; a
// reader that went away is nobody's mistake.
func ending(root *cobra.Command, out *output, err error) *exit {
	var done *exit
	var unwritten *exit
	switch {
	case errors.As(written(out.failed), &unwritten):
		return unwritten
	case err == nil:
		return &exit{code: exitSuccess}
	case errors.As(err, &done):
		return done
	case out.failed != nil:
		return &exit{code: exitSuccess}
	}
	return usage(root, err)
}

func newRoot(p process, e engine) *cobra.Command {
	root := newJudge(p, e)
	root.Version = version()
	root.SilenceErrors = true
	root.SilenceUsage = true
	root.SetVersionTemplate("{{.Name}} {{.Version}}\n")
	root.SetUsageTemplate(usageTemplate(root.UsageTemplate()))
	for _, g := range groups(p, e) {
		root.AddGroup(&cobra.Group{ID: g.title, Title: g.title + ":"})
		for _, c := range g.commands {
			c.GroupID = g.title
			root.AddCommand(c)
		}
	}
	root.AddCommand(newAction(p, e))
	return root
}

// The help lists commands in the order in which they are wanted, not by their first letters.
func init() { cobra.EnableCommandSorting = false }

// group is what the help shows together.
type group struct {
	title    string
	commands []*cobra.Command
}

func groups(p process, e engine) []group {
	return []group{
		{"Write the evidence", []*cobra.Command{newBrief(p, e), newScaffold(p), newLint(p, e), newExplain(p)}},
		{"Run the checks", []*cobra.Command{newVerify(p), newRuns(p)}},
		{"Record what did not pass", []*cobra.Command{newAttempt(p, e), newTriage(p, e), newProfile(p)}},
		{"Set up a repository", []*cobra.Command{newInit(p), newPolicy(p)}},
		{"Repeat a verdict", []*cobra.Command{newSnapshot(p), newEvaluate(p, e)}},
	}
}

// usageTemplate is cobra's without the form of a group of commands called without one of them, which is
// a mistake.
func usageTemplate(cobras string) string {
	return strings.Replace(cobras, "{{if .Runnable}}", "{{if and .Runnable (or (not .HasParent) (not .HasAvailableSubCommands))}}", 1)
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
