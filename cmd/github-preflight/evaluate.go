package main

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/evidence-gate/evidence-gate/report"
	"github.com/evidence-gate/evidence-gate/snapshot"
)

type evaluateOptions struct {
	snapshot string
	stage    stageFlag
	json     bool
}

func newEvaluate(p process, e engine) *cobra.Command {
	o := evaluateOptions{stage: stageFlag(report.Review)}
	command := &cobra.Command{
		Use:   "evaluate --snapshot FILE",
		Short: "Judge a Snapshot, every fact about a pull request as one JSON file",
		Long: `evaluate reads one Snapshot (schema/snapshot.schema.json) and prints the Report that follows from it.
It is what the app judges by, so a Snapshot makes every verdict repeatable.

Everything in the Snapshot is read or refused: unknown members, values of the wrong type and text
after the end are errors that name the place. With --json there is always one Report on standard
output, even when the Snapshot cannot be read; it says gate.unavailable then.`,
		Example: `  github-preflight evaluate --snapshot pull-42.json --stage merge
  github-preflight evaluate --snapshot - --json < pull-42.json`,
		Args: cobra.NoArgs,
		RunE: func(command *cobra.Command, _ []string) error {
			if o.snapshot == "" {
				return usage(command, errors.New("expected --snapshot FILE, or --snapshot - for standard input"))
			}
			return evaluate(p, e, o)
		},
	}
	flags := command.Flags()
	flags.StringVar(&o.snapshot, "snapshot", "", "JSON `file` of the Snapshot; - for standard input")
	flags.Var(&o.stage, "stage", "what is asked: may it be reviewed, or may it merge")
	flags.BoolVar(&o.json, "json", false, "print one Report as JSON (schema/report.schema.json)")
	completeStage(command)
	command.ValidArgsFunction = cobra.NoFileCompletions
	checkFlags(command)
	return command
}

func evaluate(p process, e engine, o evaluateOptions) error {
	s, err := readSnapshot(p, o.snapshot)
	if err != nil {
		return unread(p, report.Stage(o.stage), o.json, err)
	}
	return printVerdict(p, e.evaluate(s, report.Stage(o.stage)), s, o.json)
}

func readSnapshot(p process, name string) (snapshot.Snapshot, error) {
	r, err := open(p, "snapshot", name)
	if err != nil {
		return snapshot.Snapshot{}, err
	}
	defer r.Close()
	s, err := snapshot.Decode(r)
	if err != nil {
		if name == "-" {
			name = "standard input"
		}
		return snapshot.Snapshot{}, fmt.Errorf("%s is no snapshot that can be judged: %w", name, err)
	}
	return s, nil
}

// documents are the texts of a Snapshot that diagnostics point into, by their names in a Report.
func documents(s snapshot.Snapshot) map[string]string {
	texts := map[string]string{}
	if s.PullRequest.Body != nil {
		texts["pull_request.body"] = *s.PullRequest.Body
	}
	if s.Issue != nil && s.Issue.Body != nil {
		texts["issue.body"] = *s.Issue.Body
	}
	if s.Policy != nil {
		texts["policy"] = s.Policy.Text
	}
	if s.OrganisationPolicy != nil {
		texts["organisation_policy"] = s.OrganisationPolicy.Text
	}
	if s.Profile != nil {
		texts["profile"] = s.Profile.Text
	}
	comments := s.Comments
	if s.Issue != nil {
		comments = append(comments[:len(comments):len(comments)], s.Issue.Comments...)
	}
	for _, c := range comments {
		texts[fmt.Sprintf("comment:%d", c.ID)] = c.Body
	}
	return texts
}
