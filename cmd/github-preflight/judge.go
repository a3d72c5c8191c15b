package main

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"github.com/evidence-gate/evidence-gate/internal/render"
	"github.com/evidence-gate/evidence-gate/report"
	"github.com/evidence-gate/evidence-gate/snapshot"
)

type judgeOptions struct {
	live  liveOptions
	stage stageFlag
	wait  waitFlag
	json  bool
}

// newJudge is the root command: called by itself it judges a live pull request.
func newJudge(p process, e engine) *cobra.Command {
	o := judgeOptions{stage: stageFlag(report.Review)}
	command := &cobra.Command{
		Use:   "github-preflight",
		Short: "Judge the evidence of a pull request",
		Long: `github-preflight says whether a pull request's body proves every required check of its task for
the current head commit, in the same way as the Evidence Gate app does on GitHub.

Called without a command it reads a pull request from GitHub and judges it. In a checkout it needs no
flags: the repository is that of the remote, the pull request that of the branch, and the token that
of gh. What only the app remembers of a pull request is not judged; the report says so.

Exit codes:
  0  success: everything is satisfied (or the pull request is exempt)
  1  failure: the author of the pull request must act
  2  the command line is wrong
  3  could not judge: something could not be read, or not be written; the message says what, and what
     to do
  4  pending, or a maintainer or approver must act
  5  verify: a step failed, or the steps were changed
  6  verify: accepting the changed steps was refused
130  verify: it was interrupted by Ctrl-C

The same hold for every command. One that records or validates something ends with 1 when the rules
refuse it.

When the reader of the output goes away (a closed pipe), the signal SIGPIPE ends the program without a
word, as it ends others; a shell shows 141.

Environment:
  GH_TOKEN, GITHUB_TOKEN   the token for github.com; otherwise the one that gh is logged in with
  GH_ENTERPRISE_TOKEN      the token for an Enterprise Server, GITHUB_ENTERPRISE_TOKEN likewise
  GH_HOST, GH_REPO         the host and the repository, as gh reads them
  GITHUB_API_URL           REST address, GITHUB_GRAPHQL_URL likewise; as GitHub Actions sets them.
                           With an address GH_TOKEN and GITHUB_TOKEN are for that address
  HTTPS_PROXY, NO_PROXY    the proxy to reach GitHub through
  SSL_CERT_FILE            a file of certificates to trust besides the system's
  NO_COLOR, COLUMNS        no colours; the width of the text
  CI                       with it verify runs the steps of the base
  EVIDENCE_GATE_STATE_DIR  where verify remembers the steps that were agreed to; otherwise evidence-gate
                           in XDG_STATE_HOME or ~/.local/state

Colours are used on a terminal only, and never when NO_COLOR is set.`,
		Example: `  github-preflight
  github-preflight --pr 42 --stage merge --wait 10m
  github-preflight --repo acme/widgets --pr 42 --json
  github-preflight scaffold --write
  github-preflight lint BODY.md --issue ISSUE.md --head "$(git rev-parse HEAD)"
  github-preflight explain head.stale
  github-preflight verify`,
		Args: knownCommand,
		RunE: func(command *cobra.Command, _ []string) error {
			return judge(command.Context(), p, e, o)
		},
	}
	o.live.flags(command)
	flags := command.Flags()
	flags.Var(&o.live.issue, "issue", "judge by the task with this `number`, whatever the pull request closes")
	flags.Var(&o.stage, "stage", "what is asked: may it be reviewed, or may it merge")
	flags.Var(&o.wait, "wait", "while only a status is pending or GitHub does not answer, look again for up to this `time`, such as 10m")
	flags.BoolVar(&o.json, "json", false, "print one Report as JSON (schema/report.schema.json)")
	completeStage(command)
	completeNothing(command, "issue", "wait")
	command.ValidArgsFunction = cobra.NoFileCompletions
	checkFlags(command)
	return command
}

func judge(ctx context.Context, p process, e engine, o judgeOptions) error {
	stage := report.Stage(o.stage)
	l, err := prepare(ctx, p, o.live)
	if err != nil {
		return unread(p, stage, o.json, err)
	}
	w := waiting{process: p, limit: time.Duration(o.wait), read: func(ctx context.Context) (snapshot.Snapshot, report.Report, error) {
		if err := l.find(ctx); err != nil {
			return snapshot.Snapshot{}, report.Report{}, err
		}
		s, err := l.snapshot(ctx)
		if err != nil {
			return s, report.Report{}, l.advise(err)
		}
		return s, withoutMemory(e.evaluate(s, stage)), nil
	}}
	s, r, err := w.until(ctx)
	if err != nil {
		return unread(p, stage, o.json, err)
	}
	l.remark(s)
	if task := chosenByHand(s); task != "" && o.json {
		fmt.Fprintf(p.stderr, "note: judged by the task %s, which was chosen by hand\n", plain(task))
	}
	return printVerdict(p, r, s, o.json)
}

// chosenByHand is the task that a person named instead of what the pull request closes, empty when
// nobody did.
func chosenByHand(s snapshot.Snapshot) string {
	for _, l := range s.Linked {
		if l.Source == "flag" {
			return fmt.Sprintf("%s#%d", l.Repository, l.Number)
		}
	}
	return ""
}

// printVerdict prints what follows from a Snapshot, and ends the command with it.
func printVerdict(p process, r report.Report, s snapshot.Snapshot, asJSON bool) error {
	if asJSON {
		return printReport(p, r, nil, true)
	}
	options := textOptions(p, p.stdout)
	options.Task = chosenByHand(s)
	if err := written(render.Text(p.stdout, r, documents(s), options)); err != nil {
		return err
	}
	return concluded(r)
}

// withoutMemory says that what the service remembers was not at hand.
func withoutMemory(r report.Report) report.Report {
	if !slices.Contains(r.Notes, noMemory) {
		r.Notes = append(slices.Clone(r.Notes), noMemory)
	}
	return r
}

const noMemory = "memory_not_judged"

// remark tells on standard error what a reader of the verdict would want to know first.
func (l *live) remark(s snapshot.Snapshot) { l.remarkOn(s, "judged") }

// remarkOn is remark about what was done with the head.
func (l *live) remarkOn(s snapshot.Snapshot, done string) {
	name := plain(fmt.Sprintf("%s#%d", s.Repository.FullName(), s.PullRequest.Number))
	if state := s.PullRequest.State; state == "closed" || state == "merged" {
		fmt.Fprintf(l.process.stderr, "note: %s is %s; it was %s all the same\n", name, state, done)
	}
	if l.checkedOut && l.commit != "" && l.commit != s.PullRequest.HeadSHA && s.PullRequest.State == "open" {
		fmt.Fprintf(l.process.stderr, "note: this checkout is at %.12s, but the head of %s is %.12s: that was %s; push first when yours is newer\n",
			l.commit, name, s.PullRequest.HeadSHA, done)
	}
}
