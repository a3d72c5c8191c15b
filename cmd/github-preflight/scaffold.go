package main

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/evidence-gate/evidence-gate/checks"
	"github.com/evidence-gate/evidence-gate/internal/render"
	"github.com/evidence-gate/evidence-gate/prbody"
	"github.com/evidence-gate/evidence-gate/report"
)

type scaffoldOptions struct {
	live  liveOptions
	issue string
	head  headFlag
	full  bool
	write bool
}

func newScaffold(p process) *cobra.Command {
	var o scaffoldOptions
	command := &cobra.Command{
		Use:   "scaffold",
		Short: "Print the Evidence section ready to fill, or write it into the pull request",
		Long: `scaffold prints an Evidence section for the pull request's body: the head commit and one entry for
every required check of the task, in exactly the form that is judged. What is left to write is what
you did and saw. Problems of the task itself are told on standard error.

Task and head are those of a live pull request, that of the current branch unless --pr names one.
With --issue FILE and --head SHA nobody is asked.

What the verification profile (.agenticloop/project.md) knows of a check's command stands next to it
as a comment: strategy, timeout and host ceiling.

With --write the section is put into the pull request's body. Entries that are for the head already
stay as they are; every other one is set back to "not run", because a verdict is for one commit only.
Nothing else in the body is touched. When somebody edits the body or pushes meanwhile, nothing is
written; run it again then. Nothing is written into a closed or merged pull request (exit code 3).

A task with a control character in a check has no form, since nobody can type one; its maintainer
takes the character out (exit code 4).

With --full the other sections of a summary are added, which are never judged.`,
		Example: `  github-preflight scaffold
  github-preflight scaffold --write
  github-preflight scaffold --repo acme/widgets --pr 42 --full
  github-preflight scaffold --issue ISSUE.md --head "$(git rev-parse HEAD)" >> BODY.md
  gh issue view 7 --json body --jq .body | github-preflight scaffold --issue - --head "$(git rev-parse HEAD)"`,
		Args: cobra.NoArgs,
		RunE: func(command *cobra.Command, _ []string) error {
			offline := o.issue != "" || o.head != ""
			switch {
			case offline && (o.issue == "" || o.head == ""):
				return usage(command, errors.New("expected both --issue FILE and --head SHA, or neither to ask GitHub"))
			case offline && (o.live.pr != 0 || o.live.repo != ""):
				return usage(command, errors.New("expected either --issue and --head, or a pull request on GitHub (--pr, --repo)"))
			case offline && o.write:
				return usage(command, errors.New("--write needs a pull request on GitHub: leave --issue and --head out"))
			case offline:
				return scaffold(p, o)
			case o.write:
				return scaffoldWrite(command.Context(), p, o)
			}
			return scaffoldLive(command.Context(), p, o)
		},
	}
	o.live.flags(command)
	flags := command.Flags()
	flags.StringVar(&o.issue, "issue", "", "Markdown `file` of the task that the pull request closes; - for standard input")
	flags.Var(&o.head, "head", "the pull request's head commit, with --issue")
	flags.BoolVar(&o.write, "write", false, "put the section into the pull request's body")
	flags.BoolVar(&o.full, "full", false, "add the summary sections that are never judged: Artifacts, Deviations, Process Observations, Known Gaps, Follow-Ups, Trace")
	completeNothing(command, "head")
	command.ValidArgsFunction = cobra.NoFileCompletions
	checkFlags(command)
	return command
}

func scaffold(p process, o scaffoldOptions) error {
	issue, err := readDocument(p, "task", o.issue)
	if err != nil {
		return couldNotJudge(err)
	}
	f := copyable(checks.FormOfTask(issue, string(o.head), localProfile(p)), issue)
	return printSection(p, o, f, map[string]string{"issue.body": issue})
}

func scaffoldLive(ctx context.Context, p process, o scaffoldOptions) error {
	f, err := readForm(ctx, p, o.live)
	if err != nil {
		return err
	}
	f.live.remarkOn(f.snapshot, "taken")
	return printSection(p, o, f.Form, f.documents)
}

// printSection prints the section, and what is wrong with the task on standard error.
func printSection(p process, o scaffoldOptions, f checks.Form, documents map[string]string) error {
	text := f.Text()
	if o.full && text != "" {
		text += "\n" + prbody.Summary()
	}
	if _, err := io.WriteString(p.stdout, text); err != nil {
		return written(err)
	}
	if f.Neutral != "" {
		if _, err := fmt.Fprintf(p.stderr, "note: nothing will be judged: %s\n", oneLine(f.Neutral)); err != nil {
			return written(err)
		}
	}
	return printDiagnostics(p, f.Diagnostics, documents)
}

// printDiagnostics tells problems of the task on standard error and ends the command by them.
func printDiagnostics(p process, diagnostics []report.Diagnostic, documents map[string]string) error {
	if err := render.Diagnostics(p.stderr, diagnostics, documents, textOptions(p, p.stderr)); err != nil {
		return written(err)
	}
	return concluded(report.Report{Conclusion: report.Conclude(diagnostics), Diagnostics: diagnostics})
}
