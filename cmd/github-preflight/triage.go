package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/evidence-gate/evidence-gate/attempts"
)

type triageOptions struct {
	carrierOptions
	triage attempts.Triage
}

func newTriage(p process, e engine) *cobra.Command {
	var o triageOptions
	command := &cobra.Command{
		Use:   "triage RC-N",
		Short: "Append a maintainer's decision about an attempt to its carrier",
		Long: `triage appends to the carrier of a check what a maintainer makes of an attempt: of the latest one when
nothing else is said. A failed or blocked check may merge once its latest attempt has a final triage
that is no blocker. one_off needs a concrete reason, every other final classification a reference.

Only a maintainer's word counts, and that is not the author of the pull request while the repository
has another maintainer: for anybody else nothing is written. What the rules of triage refuse is
refused before anything is written, with the name of the rule (exit code 1).

A comment that says "/triage RC-1 attempt 1 one_off because ..." does the same through the app.`,
		Example: `  github-preflight triage RC-1 --classification one_off --reason "the build host ran out of disk; freed and verified"
  github-preflight triage RC-1 --attempt 2 --classification follow_up --reference issue:#12 --reason "the cache suite is flaky on slow disks"
  github-preflight triage RC-1 --file task.md --classification pending --dry-run`,
		Args: oneCheck,
		RunE: func(command *cobra.Command, args []string) error {
			if err := o.place(command, args); err != nil {
				return err
			}
			o.maintainer = true
			return writeCarrier(command.Context(), p, e, o.carrierOptions, o.write)
		},
	}
	o.carrierOptions.flags(command)
	t, flags := &o.triage, command.Flags()
	flags.Int64Var(&t.Attempt, "attempt", 0, "the `number` of the attempt; the latest one when absent")
	flags.StringVar(&t.Classification, "classification", "", "the `classification` of the attempt: "+strings.Join(attempts.Classifications, ", "))
	flags.StringVar(&t.Reference, "reference", "", "the `reference` to where it is kept: a VF- id, a decision, a task id, issue:#n or blocker:<name>; none for pending and one_off")
	flags.StringVar(&t.Reason, "reason", "", "why, in one `sentence`; not needed for pending")
	flags.StringVar(&t.TriagedAt, "triaged-at", "", "the `time` when it was decided, such as 2026-11-30T09:12:44Z; now when absent")
	completeWords(command, "classification", attempts.Classifications...)
	completeNothing(command, "attempt", "reference", "reason", "triaged-at")
	checkFlags(command)
	return command
}

// write appends the triage to the carrier.
func (o *triageOptions) write(b basis) (attempts.Draft, error) {
	latest := b.latest()
	if latest == nil {
		return attempts.Draft{}, fmt.Errorf("%s has no attempt that could be triaged", b.check)
	}
	t := o.triage
	t.TriagedAt = or(t.TriagedAt, b.instant())
	if t.Attempt == 0 {
		t.Attempt = latest.Number
	}
	if t.Reference == "" && (t.Classification == attempts.Pending || t.Classification == attempts.OneOff) {
		t.Reference = attempts.None
	}
	return attempts.AppendTriage(b.body, t, b.known)
}
