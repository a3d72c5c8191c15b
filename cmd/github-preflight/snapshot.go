package main

import (
	"context"

	"github.com/spf13/cobra"
)

func newSnapshot(p process) *cobra.Command {
	var o liveOptions
	command := &cobra.Command{
		Use:   "snapshot",
		Short: "Print a Snapshot, every fact about a live pull request as one JSON object",
		Long: `snapshot reads a pull request from GitHub and prints one Snapshot (schema/snapshot.schema.json): every
fact that a verdict follows from, as the app reads them. What could not be read stands in
"unavailable". A Snapshot that is kept repeats its verdict at any time: see evaluate.

It holds the texts of the pull request and its task with their histories. Look through it before you
show it to somebody who may not see them.`,
		Example: `  github-preflight snapshot > pull-request.json
  github-preflight snapshot --repo acme/widgets --pr 42 | github-preflight evaluate --snapshot -`,
		Args: cobra.NoArgs,
		RunE: func(command *cobra.Command, _ []string) error {
			return printSnapshot(command.Context(), p, o)
		},
	}
	o.flags(command)
	command.Flags().Var(&o.issue, "issue", "take the task with this `number`, whatever the pull request closes")
	completeNothing(command, "issue")
	command.ValidArgsFunction = cobra.NoFileCompletions
	checkFlags(command)
	return command
}

func printSnapshot(ctx context.Context, p process, o liveOptions) error {
	l, err := connect(ctx, p, o)
	if err != nil {
		return couldNotJudge(err)
	}
	s, err := l.snapshot(ctx)
	if err != nil {
		return couldNotJudge(l.advise(err))
	}
	return written(writeJSON(p.stdout, s))
}
