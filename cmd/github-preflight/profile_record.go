package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/evidence-gate/evidence-gate/internal/render"
	"github.com/evidence-gate/evidence-gate/profile"
	"github.com/evidence-gate/evidence-gate/report"
)

type recordOptions struct {
	profileOptions
	dryRun bool
	fact   profile.Fact
}

func newProfileRecord(p process) *cobra.Command {
	var o recordOptions
	command := &cobra.Command{
		Use:   "record VF-NAME",
		Short: "Add a fact, or bring one up to date",
		Long: `record writes a fact into the profile. A fact that is there already gets the values that are given
and today's date; of a new one the times are "unknown" and the decision is "none" when nothing else
is said. Every other byte of the file stays as it is.

What profile validate would refuse is refused before anything is written, with the rule's name, and
so is a control character. A routine pass is no fact. When another command writes the file, it waits
for up to five seconds.

It exits with 1 when the fact is refused, and with 3 when the file cannot be read or written.`,
		Example: `  github-preflight profile record VF-full-suite --command "npm test" --outcome timed_out --timeout-ms 180000 --strategy background --source issue:#42 --revisit-when "the suite is split"
  github-preflight profile record VF-full-suite --outcome passed --duration-ms 412000 --dry-run`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 1 {
				return fmt.Errorf("expected the id of one fact, such as VF-full-suite, found %d", len(args))
			}
			return nil
		},
		RunE: func(command *cobra.Command, args []string) error {
			o.fact.ID = args[0]
			if empty := emptyFlag(command); empty != "" {
				return usage(command, fmt.Errorf("--%s: expected a value, found none", empty))
			}
			if err := typable(command); err != nil {
				return err
			}
			return writeFact(command.Context(), p, o)
		},
	}
	o.flags(command)
	flags := command.Flags()
	flags.StringVar(&o.fact.Command, "command", "", "the exact `command`")
	flags.StringVar(&o.fact.LastOutcome, "outcome", "", "the last `outcome`: "+strings.Join(profile.Outcomes, ", "))
	flags.StringVar(&o.fact.DurationMS, "duration-ms", "", "the observed duration in `milliseconds`, unknown or none")
	flags.StringVar(&o.fact.TimeoutMS, "timeout-ms", "", "the timeout in `milliseconds`, unknown or none")
	flags.StringVar(&o.fact.HostCeilingMS, "host-ceiling-ms", "", "the longest time in `milliseconds` that the host allows, unknown or none")
	flags.StringVar(&o.fact.Strategy, "strategy", "", "the `strategy` to run it by: "+strings.Join(profile.Strategies, ", "))
	flags.StringVar(&o.fact.Source, "source", "", "the `place` where it can be looked up later, such as issue:#42, pr:7, commit:<full sha>, a URL or a Markdown file")
	flags.StringVar(&o.fact.RevisitWhen, "revisit-when", "", "the `condition` under which the fact is looked at again")
	flags.StringVar(&o.fact.Decision, "decision", "", "the `decision` that it follows, such as D-cache, or none")
	flags.StringVar(&o.fact.Updated, "updated", "", "the `day`, YYYY-MM-DD; today when absent")
	flags.BoolVar(&o.dryRun, "dry-run", false, "print what the file would be instead of writing it")
	completeWords(command, "outcome", profile.Outcomes...)
	completeWords(command, "strategy", profile.Strategies...)
	for _, name := range []string{"duration-ms", "timeout-ms", "host-ceiling-ms"} {
		completeWords(command, name, "unknown", "none")
	}
	completeNothing(command, "command", "revisit-when", "decision", "updated")
	command.ValidArgsFunction = completeFacts(p)
	checkFlags(command)
	return command
}

// emptyFlag is the name of a flag that was given without a value.
func emptyFlag(command *cobra.Command) string {
	for _, name := range []string{"command", "outcome", "duration-ms", "timeout-ms", "host-ceiling-ms", "strategy", "source", "revisit-when", "decision", "updated"} {
		if f := command.Flags().Lookup(name); f.Changed && strings.TrimSpace(f.Value.String()) == "" {
			return name
		}
	}
	return ""
}

// recordedFact is what `profile record --json` prints.
type recordedFact struct {
	Path        string              `json:"path"`
	ID          string              `json:"id"`
	Added       bool                `json:"added"`
	Written     bool                `json:"written"`
	Fact        *profile.Fact       `json:"fact"` // as it stands in the file; null when it is refused
	Diagnostics []report.Diagnostic `json:"diagnostics"`
}

// writeFact records the fact, anew when another writer is in the way.
func writeFact(ctx context.Context, p process, o recordOptions) error {
	return patiently(ctx, p, func() error { return profileRecord(p, o) })
}

func profileRecord(p process, o recordOptions) error {
	f, err := findProfile(p, o.file)
	if err != nil {
		return couldNotJudge(err)
	}
	if f.path == "" {
		return couldNotJudge(f.mustExist())
	}
	if f.named {
		if err := f.folderThere(); err != nil {
			return couldNotJudge(err)
		}
	}
	decisions, err := f.decisions()
	if err != nil {
		return couldNotJudge(err)
	}
	before, _ := profile.Read(string(f.text))
	_, exists := before.Fact(o.fact.ID)
	out, diagnostics, err := profile.Record(string(f.text), withDefaults(o.fact, exists, p.now()), decisions)
	if err != nil {
		return couldNotJudge(fmt.Errorf("%s: nothing was written: %w", f.shown(p), err))
	}
	result := recordedFact{Path: f.shown(p), ID: o.fact.ID, Added: out.Added, Diagnostics: append([]report.Diagnostic{}, diagnostics...)}
	if len(diagnostics) > 0 {
		return refusedFact(p, o, result, out.Refused)
	}
	after, _ := profile.Read(out.Text)
	written, _ := after.Fact(o.fact.ID)
	result.Fact = &written
	if !o.dryRun && out.Text != string(f.text) {
		if err := f.record(out.Text); err != nil {
			return couldNotJudge(fmt.Errorf("cannot record the fact: %w", err))
		}
		result.Written = true
	}
	return printRecorded(p, o, result, out.Text)
}

// withDefaults fills what was not said: always the day, and of a new fact the times and the decision.
func withDefaults(f profile.Fact, exists bool, now time.Time) profile.Fact {
	or := func(value *string, otherwise string) {
		if *value == "" {
			*value = otherwise
		}
	}
	or(&f.Updated, now.UTC().Format(time.DateOnly))
	if !exists {
		or(&f.DurationMS, "unknown")
		or(&f.TimeoutMS, "unknown")
		or(&f.HostCeilingMS, "unknown")
		or(&f.Decision, "none")
	}
	return f
}

// refusedFact tells which rules refuse the fact.
func refusedFact(p process, o recordOptions, result recordedFact, text string) error {
	var err error
	if o.json {
		err = writeJSON(p.stdout, result)
	} else {
		err = render.Diagnostics(p.stderr, result.Diagnostics, map[string]string{profile.Document: text}, textOptions(p, p.stderr))
	}
	if err := written(err); err != nil {
		return err
	}
	return &exit{code: exitFailure, err: errors.New("nothing was written: the fact is refused")}
}

func printRecorded(p process, o recordOptions, result recordedFact, text string) error {
	if o.json {
		return written(writeJSON(p.stdout, result))
	}
	if o.dryRun {
		_, err := io.WriteString(p.stdout, harmless(text))
		return written(err)
	}
	did := "changed " + result.ID
	switch {
	case !result.Written:
		did = result.ID + " says that already; nothing was changed"
	case result.Added:
		did = "added " + result.ID
	}
	_, err := fmt.Fprintf(p.stdout, "%s: %s\n", result.Path, did)
	return written(err)
}
