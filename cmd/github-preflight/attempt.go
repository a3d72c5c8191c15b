package main

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/evidence-gate/evidence-gate/internal/checkline"
)

func newAttempt(p process, e engine) *cobra.Command {
	command := &cobra.Command{
		Use:   "attempt",
		Short: "Record a run of a required check that did not pass at once",
		Long: `attempt appends to the attempt carrier of a required check: the comment of the task that keeps every
run of the check that failed, timed out or was blocked. add records a run, predict announces a longer
foreground run after a timeout. What the rules would refuse is refused before anything is written.

What a maintainer makes of an attempt is written by triage.`,
		Example: `  github-preflight attempt add RC-1 --strategy foreground --outcome timed_out --timeout-ms 180000 --duration-ms 180000 --partial-evidence "1,204 of 2,310 tests finished, none failed" --next-strategy split --classification project_fact
  github-preflight attempt predict RC-1 --evidence "the first half took 170 s" --window-ms 300000-400000 --timeout-ms 400000`,
		Args: func(c *cobra.Command, args []string) error {
			if len(args) == 0 {
				return errors.New("expected add or predict")
			}
			return unknownSubcommand(c, args[0])
		},
		RunE: func(*cobra.Command, []string) error { return nil },
	}
	command.AddCommand(newAttemptAdd(p, e), newAttemptPredict(p, e))
	checkFlags(command)
	return command
}

// carrierOptions say which carrier is meant and what becomes of it.
type carrierOptions struct {
	live       liveOptions
	file       string
	check      string
	maintainer bool // only a maintainer may write it
	dryRun     bool
	json       bool
}

func (o *carrierOptions) flags(command *cobra.Command) {
	o.live.flags(command)
	flags := command.Flags()
	flags.Var(&o.live.issue, "issue", "take the task with this `number`, whatever the pull request closes")
	completeNothing(command, "issue")
	command.ValidArgsFunction = cobra.NoFileCompletions
	flags.StringVar(&o.file, "file", "", "append to a Markdown `file` instead of on GitHub: a carrier, or a task file with a Verification Attempts section")
	flags.BoolVar(&o.dryRun, "dry-run", false, "print the text that the carrier would have instead of writing it")
	flags.BoolVar(&o.json, "json", false, "print one JSON object")
}

// place takes the id of the check from the arguments and refuses flags that do not go together.
func (o *carrierOptions) place(command *cobra.Command, args []string) error {
	if o.check = checkline.ID(args[0]); o.check == "" {
		return usage(command, fmt.Errorf("expected the id of a check, such as RC-1, found %q", args[0]))
	}
	if err := typable(command); err != nil {
		return err
	}
	if o.file != "" && (o.live.pr != 0 || o.live.repo != "" || o.live.issue != 0) {
		return usage(command, errors.New("expected either --file, or a pull request on GitHub (--pr, --repo, --issue)"))
	}
	return nil
}

// oneCheck is for commands whose argument is the id of a check.
func oneCheck(_ *cobra.Command, args []string) error {
	if len(args) != 1 {
		return fmt.Errorf("expected the id of one check, such as RC-1, found %d", len(args))
	}
	return nil
}

func newAttemptAdd(p process, e engine) *cobra.Command {
	var o attemptOptions
	command := &cobra.Command{
		Use:   "add RC-N",
		Short: "Append an attempt to the carrier of a check",
		Long: `add appends an attempt, a run of a check that did not pass at once, to the check's carrier: a comment
of the task, which is made when there is none yet. The attempt is numbered, and says of itself that
it ran on the pull request's head, by the command of the check, now, when nothing else is said.

What the rules of attempts refuse (a missing or wrong field, a retry that changes nothing, a longer
run without a prediction) is refused before anything is written, with the name of the rule (exit
code 1).

With --file a file is appended to instead, and nobody is asked: a carrier, which is made when there
is none, or a task file with a section "Verification Attempts". When another command writes the file,
it waits for up to five seconds.`,
		Example: `  github-preflight attempt add RC-1 --strategy foreground --outcome timed_out --timeout-ms 180000 --duration-ms 180000 --partial-evidence "1,204 of 2,310 tests finished, none failed" --next-strategy split --classification project_fact
  github-preflight attempt add RC-1 --strategy split --outcome passed --duration-ms 240000 --partial-evidence "2,310 passed in two halves"
  github-preflight attempt add RC-2 --file carrier.md --dry-run --artifact "$(git rev-parse HEAD)" --command "npm run lint" \\
    --strategy ci --outcome blocked --partial-evidence "no runner took the job for 2 h"`,
		Args: oneCheck,
		RunE: func(command *cobra.Command, args []string) error {
			if err := o.place(command, args); err != nil {
				return err
			}
			return writeCarrier(command.Context(), p, e, o.carrierOptions, o.write)
		},
	}
	o.flags(command)
	checkFlags(command)
	return command
}

func newAttemptPredict(p process, e engine) *cobra.Command {
	var o predictionOptions
	command := &cobra.Command{
		Use:   "predict RC-N",
		Short: "Append the prediction that a longer foreground run needs",
		Long: `predict appends a foreground escalation prediction to the carrier of a check. After a foreground
timeout one longer run in the foreground is allowed, when its timeout was predicted from something
that was seen: say what in --evidence, in which window the run will end, and the timeout to choose.

It is for the next attempt and based on the latest one when nothing else is said. What the rules
refuse is not written (exit code 1).`,
		Example: `  github-preflight attempt predict RC-1 --evidence "1,204 of 2,310 tests took 180 s" --window-ms 330000-380000 --timeout-ms 400000
  github-preflight attempt predict RC-1 --file carrier.md --evidence "the last green run took 260 s" --window-ms 250000-290000 --timeout-ms 300000`,
		Args: oneCheck,
		RunE: func(command *cobra.Command, args []string) error {
			if err := o.place(command, args); err != nil {
				return err
			}
			return writeCarrier(command.Context(), p, e, o.carrierOptions, o.write)
		},
	}
	o.flags(command)
	checkFlags(command)
	return command
}
