package main

import (
	"context"
	"io"
	"time"

	"github.com/spf13/cobra"

	"github.com/evidence-gate/evidence-gate/action"
	"github.com/evidence-gate/evidence-gate/checks"
	"github.com/evidence-gate/evidence-gate/internal/render"
	"github.com/evidence-gate/evidence-gate/report"
	"github.com/evidence-gate/evidence-gate/snapshot"
)

// newAction is the command that action.yml runs; people do not need it.
func newAction(p process, e engine) *cobra.Command {
	command := &cobra.Command{
		Use:    "action",
		Short:  "Judge the pull request of a GitHub Actions event",
		Long:   `action is what the GitHub Action runs. It reads its inputs and the event from the environment of a runner.`,
		Hidden: true,
		Args:   cobra.NoArgs,
		RunE:   func(command *cobra.Command, _ []string) error { return runAction(command.Context(), p, e) },
	}
	checkFlags(command)
	return command
}

func runAction(ctx context.Context, p process, e engine) error {
	o, err := action.Run(ctx, action.Process{
		Getenv: p.getenv, Stdout: p.stdout, Now: p.now, Sleep: p.sleep,
	}, action.Engine{
		Evaluate: func(s snapshot.Snapshot, stage report.Stage) report.Report {
			return withoutMemory(e.evaluate(s, stage))
		},
		HasChecks: checks.HasChecks,
		Unread:    unreadable,
		Print: func(w io.Writer, r report.Report, s snapshot.Snapshot) error {
			return render.Text(w, r, documents(s), textOptions(p, w))
		},
	})
	switch {
	case err != nil:
		return couldNotJudge(err)
	case o.Nothing:
		return nil
	case o.Misused:
		return &exit{code: exitUsage}
	}
	return concluded(o.Report)
}

func sleep(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-timer.C:
		return nil
	}
}
