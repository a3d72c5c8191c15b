package action

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"
	"unicode"

	"github.com/evidence-gate/evidence-gate/internal/github"
	"github.com/evidence-gate/evidence-gate/report"
	"github.com/evidence-gate/evidence-gate/snapshot"
)

const (
	// appSlug is the slug of this product's App, whose own check runs are no evidence.
	appSlug = "evidence-gate"
	// pollEvery is how long a run waits between two looks at what is pending.
	pollEvery = 15 * time.Second
	// patience is how long temporary failures are tried again. Right after a push GitHub may not
	// show the new head everywhere.
	patience = time.Minute
	// firstPause doubles with every failure, up to pollEvery.
	firstPause = time.Second
)

// judgement is what was concluded, and from what.
type judgement struct {
	snapshot snapshot.Snapshot
	report   report.Report
}

// task is the task that the input chose instead of what the pull request closes, empty when it did not.
func (j judgement) task() string {
	for _, l := range j.snapshot.Linked {
		if l.Source == "flag" {
			return fmt.Sprintf("%s#%d", l.Repository, l.Number)
		}
	}
	return ""
}

// judge reads and judges the pull request, again and again while the verdict is pending and the
// wait is not over.
func (a *run) judge(ctx context.Context, in inputs) (judgement, error) {
	if strings.TrimSpace(in.token) == "" {
		return judgement{}, errors.New("the input token is empty: leave it out to use the job's own token, or give one that may read the pull request")
	}
	if strings.ContainsFunc(strings.TrimSpace(in.token), unicode.IsSpace) {
		return judgement{}, errors.New("the input token: expected one word, found a space or a line break inside it: store the secret anew, without them")
	}
	client, err := github.NewTokenClient(github.TokenConfig{
		Token: in.token, BaseURL: a.runner.api, GraphQLURL: a.runner.graphql,
		Transport: a.process.Transport, Now: a.process.Now, UserAgent: "evidence-gate-action",
	})
	if err != nil {
		return judgement{}, err
	}
	until := a.process.Now().Add(in.wait)
	for {
		s, err := a.load(ctx, client, in)
		if err != nil {
			return judgement{}, err
		}
		j := judgement{s, a.engine.Evaluate(s, in.stage)}
		left := until.Sub(a.process.Now())
		if j.report.Conclusion != report.Pending || left <= 0 {
			return j, nil
		}
		fmt.Fprintf(a.process.Stdout, "Pending; waiting for up to %s more.\n", left.Round(time.Second))
		if err := a.process.Sleep(ctx, min(left, pollEvery)); err != nil {
			return judgement{}, err
		}
	}
}

// load reads the Snapshot, trying temporary failures again.
func (a *run) load(ctx context.Context, client *github.Client, in inputs) (snapshot.Snapshot, error) {
	until := a.process.Now().Add(patience)
	for pause := firstPause; ; pause = min(2*pause, pollEvery) {
		s, err := a.read(ctx, client, in)
		var failed *github.Error
		if err == nil || !errors.As(err, &failed) || !failed.Temporary() {
			return s, err
		}
		wait := max(pause, failed.RetryAfter)
		if a.process.Now().Add(wait).After(until) {
			return s, err
		}
		fmt.Fprintf(a.process.Stdout, "GitHub could not be read (%s); trying again in %s.\n", failed.Kind, wait)
		if slept := a.process.Sleep(ctx, wait); slept != nil {
			return s, err
		}
	}
}

func (a *run) read(ctx context.Context, client *github.Client, in inputs) (snapshot.Snapshot, error) {
	return client.Snapshot(ctx, a.about.repo, a.about.number, github.LoadOptions{App: appSlug, HasChecks: a.engine.HasChecks, Task: in.issue, Published: true})
}
