package main

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/evidence-gate/evidence-gate/checks"
	"github.com/evidence-gate/evidence-gate/report"
)

type lintOptions struct {
	body  string
	issue string
	head  headFlag
	stage stageFlag
	json  bool
}

func newLint(p process, e engine) *cobra.Command {
	o := lintOptions{stage: stageFlag(report.Review)}
	command := &cobra.Command{
		Use:   "lint BODY.md",
		Short: "Judge a pull request body from files, offline",
		Long: `lint judges the Markdown file BODY.md as the body of a pull request, without asking GitHub.

With --issue it also judges whether every required check of the task has evidence, and with --head
whether the evidence is for that commit. Without one of them the form is judged only, and the
report says so. A single - reads the file from standard input.`,
		Example: `  github-preflight lint BODY.md
  github-preflight lint BODY.md --issue ISSUE.md --head "$(git rev-parse HEAD)"
  gh pr view --json body --jq .body | github-preflight lint -`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 1 {
				return fmt.Errorf("expected one file BODY.md, or - for standard input, found %d", len(args))
			}
			return nil
		},
		RunE: func(command *cobra.Command, args []string) error {
			o.body = args[0]
			if o.body == "-" && o.issue == "-" {
				return usage(command, errors.New("body and task cannot both come from standard input; give a file for one of them"))
			}
			return lint(p, e, o)
		},
	}
	flags := command.Flags()
	flags.StringVar(&o.issue, "issue", "", "Markdown `file` of the task that the pull request closes; - for standard input")
	flags.Var(&o.head, "head", "the pull request's head commit")
	flags.Var(&o.stage, "stage", "what is asked: may it be reviewed, or may it merge")
	flags.BoolVar(&o.json, "json", false, "print one Report as JSON (schema/report.schema.json)")
	completeStage(command)
	completeNothing(command, "head")
	checkFlags(command)
	return command
}

func lint(p process, e engine, o lintOptions) error {
	body, err := readDocument(p, "pull request body", o.body)
	if err != nil {
		return unread(p, report.Stage(o.stage), o.json, err)
	}
	files := checks.Files{Body: body, Head: string(o.head), Stage: report.Stage(o.stage)}
	documents := map[string]string{"pull_request.body": body}
	if o.issue != "" {
		issue, err := readDocument(p, "task", o.issue)
		if err != nil {
			return unread(p, report.Stage(o.stage), o.json, err)
		}
		files.Issue = &issue
		documents["issue.body"] = issue
	}
	return printReport(p, e.lint(files), documents, o.json)
}

// checkFlags makes mistakes with flags and arguments name the command whose help explains them.
func checkFlags(command *cobra.Command) {
	command.SetFlagErrorFunc(func(c *cobra.Command, err error) error { return usage(c, err) })
	args := command.Args
	command.Args = func(c *cobra.Command, given []string) error {
		if err := args(c, given); err != nil {
			return usage(c, err)
		}
		return nil
	}
}
