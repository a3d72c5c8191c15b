package main

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/evidence-gate/evidence-gate/attempts"
	"github.com/evidence-gate/evidence-gate/checks"
)

// basis is what is known before something is appended to a carrier.
type basis struct {
	check   string
	body    string           // of the carrier; empty when there is none yet
	carrier attempts.Carrier // what the body records
	head    string           // commit that attempts ran on when nothing else is said; empty when not known
	command string           // of the check, as its task declares it; empty when not known
	now     time.Time
	known   *attempts.Known // what references may point at; nil when not known
}

// latest is the last attempt of the carrier, nil when it has none.
func (b basis) latest() *attempts.Attempt {
	for i := len(b.carrier.Entries) - 1; i >= 0; i-- {
		if a := b.carrier.Entries[i].Attempt; a != nil {
			return a
		}
	}
	return nil
}

// instant is the time of the clock as attempts write it.
func (b basis) instant() string { return b.now.UTC().Format(time.RFC3339) }

// or is a value, or another one when it is empty.
func or(value, otherwise string) string {
	if value == "" {
		return otherwise
	}
	return value
}

type attemptOptions struct {
	carrierOptions
	attempt attempts.Attempt
}

func (o *attemptOptions) flags(command *cobra.Command) {
	o.carrierOptions.flags(command)
	a, flags := &o.attempt, command.Flags()
	flags.Int64Var(&a.Number, "attempt", 0, "the `number` of the attempt; the next one when absent")
	flags.StringVar(&a.Artifact, "artifact", "", "the `artifact` that it ran on: a commit, a tree, range or patch reference; the head when absent")
	flags.StringVar(&a.Command, "command", "", "the `command` that ran; that of the check when absent")
	flags.StringVar(&a.Strategy, "strategy", "", "the `strategy` that it ran by: "+strings.Join(attempts.Strategies, ", "))
	flags.StringVar(&a.TimeoutMS, "timeout-ms", attempts.Unknown, "the timeout in `milliseconds`, unknown or none")
	flags.StringVar(&a.Outcome, "outcome", "", "the `outcome`: "+strings.Join(attempts.Outcomes, ", "))
	flags.StringVar(&a.DurationMS, "duration-ms", attempts.Unknown, "how long it ran in `milliseconds`, unknown or none")
	flags.StringVar(&a.Required, "required", "true", "whether the check is required, `true|false`")
	flags.StringVar(&a.PartialEvidence, "partial-evidence", "", "what was seen before it ended, in one `sentence`")
	flags.StringVar(&a.ProposedNext, "next-strategy", attempts.None, "the `strategy` to try next, unknown or none")
	flags.StringVar(&a.Candidate, "classification", "", "the `classification` that the engineer takes it for, needed for a timeout: "+strings.Join(attempts.Candidates, ", "))
	flags.StringVar(&a.RecordedAt, "recorded-at", "", "the `time` when it was recorded, such as 2026-11-30T09:12:44Z; now when absent")
	completeWords(command, "strategy", attempts.Strategies...)
	completeWords(command, "next-strategy", append(slices.Clone(attempts.Strategies), attempts.Unknown, attempts.None)...)
	completeWords(command, "outcome", attempts.Outcomes...)
	completeWords(command, "classification", attempts.Candidates...)
	completeWords(command, "timeout-ms", attempts.Unknown, attempts.None)
	completeWords(command, "duration-ms", attempts.Unknown, attempts.None)
	completeWords(command, "required", "true", "false")
	completeNothing(command, "attempt", "artifact", "command", "partial-evidence", "recorded-at")
}

// write appends the attempt, to a new carrier when there is none.
func (o *attemptOptions) write(b basis) (attempts.Draft, error) {
	a := o.attempt
	a.Artifact = or(a.Artifact, b.head)
	a.RecordedAt = or(a.RecordedAt, b.instant())
	if a.Command == "" {
		if a.Command = b.command; a.Command == "" && b.latest() != nil {
			a.Command = b.latest().Command
		}
	}
	if b.body == "" {
		return attempts.NewCarrier(b.check, a)
	}
	return attempts.AppendAttempt(b.body, a, checks.SameCommand)
}

type predictionOptions struct {
	carrierOptions
	prediction attempts.Prediction
}

func (o *predictionOptions) flags(command *cobra.Command) {
	o.carrierOptions.flags(command)
	p, flags := &o.prediction, command.Flags()
	flags.Int64Var(&p.For, "attempt", 0, "the `number` of the attempt that it is for; the next one when absent")
	flags.Int64Var(&p.BasedOn, "based-on", 0, "the `number` of the attempt that it is based on; the latest one when absent")
	flags.StringVar(&p.Evidence, "evidence", "", "what was seen that it follows from, in one `sentence`")
	flags.StringVar(&p.WindowMS, "window-ms", "", "the `window` in which the run will end, in milliseconds, such as 330000-380000")
	flags.StringVar(&p.ChosenMS, "timeout-ms", "", "the timeout to choose in `milliseconds`, at least the end of the window")
	flags.StringVar(&p.RecordedAt, "recorded-at", "", "the `time` when it was recorded, such as 2026-11-30T09:12:44Z; now when absent")
	completeNothing(command, "attempt", "based-on", "evidence", "window-ms", "timeout-ms", "recorded-at")
}

// write appends the prediction to the carrier.
func (o *predictionOptions) write(b basis) (attempts.Draft, error) {
	latest := b.latest()
	if latest == nil {
		return attempts.Draft{}, fmt.Errorf("%s has no attempt yet that a prediction could be based on: record it with github-preflight attempt add", b.check)
	}
	p := o.prediction
	p.RecordedAt = or(p.RecordedAt, b.instant())
	if p.BasedOn == 0 {
		p.BasedOn = latest.Number
	}
	return attempts.AppendPrediction(b.body, p)
}
