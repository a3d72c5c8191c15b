// Package action is the GitHub Action (design section 16): it finds the pull request that a
// workflow's event is about, has it judged from live GitHub, and tells the result where a job is
// read: annotations, job summary, step outputs and a report file. It writes nothing to GitHub, never
// looks at the pull request's code, and takes from the event's payload the repository and the number
// only, because a payload is stale when a run is repeated.
//
// How facts are read is known to internal/github, what follows from them to the engine, and the
// exit code to the command line.
package action

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"

	"github.com/evidence-gate/evidence-gate/internal/github"
	"github.com/evidence-gate/evidence-gate/report"
	"github.com/evidence-gate/evidence-gate/snapshot"
)

// Process is what the Action gets from its surroundings.
type Process struct {
	Getenv    func(string) string
	Stdout    io.Writer // the step's log, in which the runner looks for commands
	Now       func() time.Time
	Sleep     func(context.Context, time.Duration) error
	Transport http.RoundTripper // nil: the client's own
}

// Engine judges, and prints as the command line does.
type Engine struct {
	Evaluate  func(snapshot.Snapshot, report.Stage) report.Report
	HasChecks func(task string) bool
	// Unread is the Report of what could not be read.
	Unread func(report.Stage, error) report.Report
	// Print writes a Report as text.
	Print func(io.Writer, report.Report, snapshot.Snapshot) error
}

// Outcome is how a run ended.
type Outcome struct {
	Report  report.Report // the zero Report when there was nothing to judge
	Nothing bool          // the event is about no pull request, which is no failure
	Misused bool          // an input is wrong, or the event names no pull request
}

// Run is one run of the Action. Whatever kept it from judging is in the Outcome's Report and has been
// said in the log; an error means that it does not run on a runner, or could not write its results.
func Run(ctx context.Context, p Process, e Engine) (Outcome, error) {
	on, err := findRunner(p.Getenv)
	if err != nil {
		return Outcome{}, err
	}
	a := run{process: p, engine: e, runner: on, stage: report.Review}
	in, err := readInputs(p.Getenv)
	if err != nil {
		return a.misused(err)
	}
	a.stage = in.stage
	about, err := findTarget(on, in)
	switch {
	case err == errPlainIssue:
		_, err := fmt.Fprintln(p.Stdout, "The comment is on an issue that is no pull request: nothing to judge.")
		return Outcome{Nothing: true}, err
	case err != nil:
		return a.misused(err)
	}
	a.about = about
	found, err := a.judge(ctx, in)
	if err != nil {
		return a.unread(err, unjudgedHelp(err))
	}
	a.task = found.task()
	if err := a.show(found); err != nil {
		r, others := a.publish(a.nothing(err, unsavedHelp))
		return Outcome{Report: r}, errors.Join(err, others)
	}
	r, err := a.publish(found.report, remarks(p.Getenv, on, found.report)...)
	return Outcome{Report: r}, err
}

// run is one run under way.
type run struct {
	process Process
	engine  Engine
	runner  runner
	stage   report.Stage
	about   target
	task    string // that the input chose, empty when it did not
}

const misuseHelp = "correct the workflow: docs/ci.md of Evidence Gate has the inputs, events and permissions"

// unjudgedHelp says what whoever keeps the workflow can do about what kept it from judging.
func unjudgedHelp(err error) string {
	var failed *github.Error
	if !errors.As(err, &failed) {
		return misuseHelp
	}
	switch failed.Kind {
	case github.Unauthorized:
		return "leave the input token out to use the job's own token, or renew the secret that it comes from"
	case github.Forbidden:
		return "give the workflow the permissions that docs/ci.md lists; a token that is not the job's own needs them itself"
	case github.NotFound:
		if strings.HasPrefix(failed.Operation, "read the task") {
			return "correct the input issue: it is the number of an issue of the same repository, which the token may read; leave it out to judge by what the pull request closes"
		}
		return "correct the input pr, if it is given; and let the token read the repository"
	case github.RateLimited:
		return "nothing to write: run the job again later; a token of its own does not share its limit with other workflows"
	case github.Unavailable, github.Incomplete:
		return "nothing to write: run the job again. If it stays, look at GitHub's status"
	}
	return misuseHelp
}

func (a *run) misused(err error) (Outcome, error) {
	o, failed := a.unread(err, misuseHelp)
	o.Misused = true
	return o, failed
}

// unread tells that nothing was judged, and why, in every place where a verdict would stand.
func (a *run) unread(err error, help string) (Outcome, error) {
	r, failed := a.publish(a.nothing(err, help))
	return Outcome{Report: r}, failed
}

// nothing is the Report of a run that judged nothing.
func (a *run) nothing(err error, help string) report.Report {
	r := a.engine.Unread(a.stage, err)
	for i := range r.Diagnostics {
		r.Diagnostics[i].Help = help
	}
	return r
}
