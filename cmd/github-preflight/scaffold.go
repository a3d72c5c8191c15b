package main

import (
	"errors"
	"io"

	"github.com/spf13/cobra"

	"github.com/evidence-gate/evidence-gate/internal/render"
	"github.com/evidence-gate/evidence-gate/report"
)

type scaffoldOptions struct {
	issue string
	head  headFlag
}

func newScaffold(p process, e engine) *cobra.Command {
	var o scaffoldOptions
	command := &cobra.Command{
		Use:   "scaffold --issue FILE --head SHA",
		Short: "Print the Evidence section ready to fill",
		Long: `scaffold prints an Evidence section for the pull request's body: the head commit and one entry for
every required check of the task, in exactly the form that is judged. What is left to write is what
you did and saw. Problems of the task itself are told on standard error.`,
		Example: `  github-preflight scaffold --issue ISSUE.md --head "$(git rev-parse HEAD)" >> BODY.md
  gh issue view 7 --json body --jq .body | github-preflight scaffold --issue - --head "$(git rev-parse HEAD)"`,
		Args: cobra.NoArgs,
		RunE: func(command *cobra.Command, _ []string) error {
			if o.issue == "" || o.head == "" {
				return usage(command, errors.New("expected both --issue FILE and --head SHA"))
			}
			return scaffold(p, e, o)
		},
	}
	flags := command.Flags()
	flags.StringVar(&o.issue, "issue", "", "Markdown `file` of the task that the pull request closes; - for standard input")
	flags.Var(&o.head, "head", "the pull request's head commit")
	checkFlags(command)
	return command
}

func scaffold(p process, e engine, o scaffoldOptions) error {
	issue, err := readDocument(p, "task", o.issue)
	if err != nil {
		return couldNotJudge(err)
	}
	section, diagnostics := e.scaffold(issue, string(o.head))
	if _, err := io.WriteString(p.stdout, section); err != nil {
		return written(err)
	}
	if err := render.Diagnostics(p.stderr, diagnostics, map[string]string{"issue.body": issue}, textOptions(p, p.stderr)); err != nil {
		return written(err)
	}
	return concluded(report.Report{Conclusion: report.Conclude(diagnostics), Diagnostics: diagnostics})
}
