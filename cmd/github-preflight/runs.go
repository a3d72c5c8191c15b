package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/evidence-gate/evidence-gate/profile/policy"
	"github.com/evidence-gate/evidence-gate/verify/records"
	"github.com/evidence-gate/evidence-gate/verify/tamper"
)

type runsOptions struct {
	last int
	json bool
}

// defaultLast is how many runs are listed, and mostLast how many may be.
const (
	defaultLast = 10
	mostLast    = 1_000
)

func newRuns(p process) *cobra.Command {
	o := runsOptions{last: defaultLast}
	command := &cobra.Command{
		Use:   "runs",
		Short: "Sum up the runs of verify: streaks, slow and flaky steps",
		Long: `runs reads .evidence/runs.jsonl, where each run of verify leaves one line, and says how the runs ended,
how long the present streak is, which steps take longest, and which are flaky: passed and failed on
one and the same tree. It exits with 0, however they ended.

The records hold no commands, output, paths or values. They are no evidence: whatever runs in the
project can write them.`,
		Example: `  github-preflight runs
  github-preflight runs --last 50 --json`,
		Args: cobra.NoArgs,
		RunE: func(command *cobra.Command, _ []string) error {
			return summariseRuns(command, p, o)
		},
	}
	command.Flags().IntVar(&o.last, "last", defaultLast, "how many of the newest runs to list, a `number` from 0 to 1000")
	command.Flags().BoolVar(&o.json, "json", false, "print one JSON object")
	completeNothing(command, "last")
	command.ValidArgsFunction = cobra.NoFileCompletions
	checkFlags(command)
	return command
}

func summariseRuns(command *cobra.Command, p process, o runsOptions) error {
	if o.last < 0 || o.last > mostLast {
		return usage(command, fmt.Errorf("--last is %d; it takes a number from 0 to %d", o.last, mostLast))
	}
	root, err := runsFolder(p)
	if err != nil {
		return couldNotJudge(err)
	}
	log, err := records.Read(root)
	if err != nil {
		return couldNotJudge(err)
	}
	project, unknown := remembered(command.Context(), p, root)
	summary := records.Summarise(log, project, o.last)
	if unknown != nil {
		fmt.Fprintf(p.stderr, "github-preflight: when it first was green is not known: %s\n", plain(unknown.Error()))
	}
	if o.json {
		return written(writeJSON(p.stdout, summary))
	}
	_, err = io.WriteString(p.stdout, runsText(summary))
	return written(err)
}

// runsFolder is the project whose steps verify runs here: the folder with the policy, or else the top
// of the checkout.
func runsFolder(p process) (string, error) {
	dir, err := folder(p)
	if err == nil {
		dir, err = filepath.Abs(dir)
	}
	if err != nil {
		return "", fmt.Errorf("cannot tell the current folder: %w", err)
	}
	top, err := topFolder(p)
	for err == nil {
		if _, missing := os.Stat(filepath.Join(dir, filepath.FromSlash(policy.Path))); missing == nil {
			return dir, nil
		}
		if dir == top {
			break
		}
		dir = filepath.Dir(dir)
	}
	return top, err
}

// remembered is what the state outside the project knows.
func remembered(ctx context.Context, p process, root string) (tamper.Project, error) {
	store, err := tamper.OpenStore(p.getenv)
	if err != nil {
		return tamper.Project{}, err
	}
	key, err := tamper.Locate(ctx, root)
	if err != nil {
		return tamper.Project{}, err
	}
	return store.Load(key)
}
