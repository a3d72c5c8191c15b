package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/evidence-gate/evidence-gate/checks"
	"github.com/evidence-gate/evidence-gate/internal/render"
	"github.com/evidence-gate/evidence-gate/profile"
	"github.com/evidence-gate/evidence-gate/profile/policy"
	"github.com/evidence-gate/evidence-gate/report"
	"github.com/evidence-gate/evidence-gate/snapshot"
)

type briefOptions struct {
	live  liveOptions
	issue string
	head  headFlag
	stage stageFlag
}

func newBrief(p process, e engine) *cobra.Command {
	o := briefOptions{stage: stageFlag(report.Review)}
	command := &cobra.Command{
		Use:   "brief",
		Short: "Print instructions for whoever must write the evidence",
		Long: `brief prints Markdown instructions for the person or agent who must write a pull request's evidence:
the five steps, the required checks, the exact form for the current head, and what is missing now.

It is about a live pull request, that of the current branch unless --pr names one. With --issue FILE
it is about a task before there is a pull request; then nobody is asked and nothing is judged.

It exits with 0 whatever the verdict is.`,
		Example: `  github-preflight brief
  github-preflight brief --repo acme/widgets --pr 42 > brief.md
  gh issue view 7 --json body --jq .body | github-preflight brief --issue -`,
		Args: cobra.NoArgs,
		RunE: func(command *cobra.Command, _ []string) error {
			switch {
			case o.issue == "" && o.head != "":
				return usage(command, errors.New("--head goes with --issue; the head of a pull request on GitHub is read there"))
			case o.issue != "" && (o.live.pr != 0 || o.live.repo != ""):
				return usage(command, errors.New("expected either --issue, or a pull request on GitHub (--pr, --repo)"))
			case o.issue != "":
				return brief(p, o)
			}
			return briefLive(command.Context(), p, e, o)
		},
	}
	o.live.flags(command)
	flags := command.Flags()
	flags.StringVar(&o.issue, "issue", "", "Markdown `file` of a task; - for standard input")
	flags.Var(&o.head, "head", "the head commit, with --issue")
	flags.Var(&o.stage, "stage", "for which question to say what is missing: may it be reviewed, or may it merge")
	completeStage(command)
	completeNothing(command, "head")
	command.ValidArgsFunction = cobra.NoFileCompletions
	checkFlags(command)
	return command
}

// unknownHead stands in the form where the head goes.
const unknownHead = "<the head commit's full SHA>"

func brief(p process, o briefOptions) error {
	task, err := readDocument(p, "task", o.issue)
	if err != nil {
		return couldNotJudge(err)
	}
	head := string(o.head)
	if head == "" {
		head = unknownHead
	}
	f := copyable(checks.FormOfTask(task, head, localProfile(p)), task)
	facts := briefFacts(f, localProfile(p))
	facts.Head = string(o.head)
	return written(render.Brief(p.stdout, facts))
}

func briefLive(ctx context.Context, p process, e engine, o briefOptions) error {
	f, err := readForm(ctx, p, o.live)
	if err != nil {
		return err
	}
	s := f.snapshot
	known, _ := profile.Judge(s)
	r := withoutMemory(e.evaluate(s, report.Stage(o.stage)))
	facts := briefFacts(f.Form, known)
	facts.PullRequest, facts.Title, facts.Head, facts.Report = f.live.String(), s.PullRequest.Title, s.PullRequest.HeadSHA, &r
	facts.Steps = briefSteps(s)
	if s.Issue != nil {
		facts.Task, facts.TaskTitle = fmt.Sprintf("%s#%d", f.live.repo, s.Issue.Number), s.Issue.Title
	}
	f.live.remark(s)
	return written(render.Brief(p.stdout, facts))
}

// briefFacts are the checks and criteria of a form, with what is known of each command.
func briefFacts(f checks.Form, known profile.Profile) render.BriefFacts {
	out := render.BriefFacts{Section: f.Text(), Problems: problems(f.Diagnostics)}
	facts := checks.NewFactIndex(known)
	for _, c := range f.Contract.Checks {
		check := render.BriefCheck{ID: c.ID, Text: c.Text, Command: c.Command, Kind: c.Kind, Sources: c.Sources, Fact: facts.For(c.Command)}
		for _, o := range c.Observations {
			check.Observations = append(check.Observations, o.Name+"@"+o.Level)
		}
		out.Checks = append(out.Checks, check)
	}
	for _, c := range f.Criteria.Criteria {
		out.Criteria = append(out.Criteria, render.BriefCriterion{ID: c.ID, Kind: c.Kind, Text: c.Text})
	}
	return out
}

// briefSteps are the steps that the repository's policy declares for `verify`.
func briefSteps(s snapshot.Snapshot) []render.BriefStep {
	p, _ := policy.Resolve(s.Policy, s.OrganisationPolicy)
	var steps []render.BriefStep
	for _, c := range p.Checks {
		steps = append(steps, render.BriefStep{Name: c.Name, Phase: c.Phase, Layer: c.Layer})
	}
	return steps
}

func problems(diagnostics []report.Diagnostic) []string {
	var list []string
	for _, d := range diagnostics {
		if d.Severity == report.Error {
			list = append(list, d.Message)
		}
	}
	return list
}
