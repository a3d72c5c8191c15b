package main

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"sync"

	"github.com/spf13/cobra"

	"github.com/evidence-gate/evidence-gate/checks"
	"github.com/evidence-gate/evidence-gate/internal/checkout"
	"github.com/evidence-gate/evidence-gate/internal/github"
	"github.com/evidence-gate/evidence-gate/snapshot"
)

// appSlug is the slug of this product's App, whose own check run is no evidence.
const appSlug = "evidence-gate"

// liveOptions say which pull request is meant.
type liveOptions struct {
	pr      numberFlag
	repo    string
	issue   numberFlag
	command *cobra.Command // whose flags these are
}

func (o *liveOptions) flags(command *cobra.Command) {
	o.command = command
	command.Flags().Var(&o.pr, "pr", "`number` of the pull request; that of the current branch when absent")
	command.Flags().StringVar(&o.repo, "repo", "", "the repository, `[HOST/]OWNER/NAME`; that of the checkout's remote when absent")
	completeNothing(command, "pr", "repo")
}

// numberFlag is the number of a pull request or issue, with or without a number sign.
type numberFlag int

// String is the number.
func (n *numberFlag) String() string {
	if *n == 0 {
		return ""
	}
	return strconv.Itoa(int(*n))
}

// Type is how the help names the value.
func (n *numberFlag) Type() string { return "N" }

// Set takes the value from the command line.
func (n *numberFlag) Set(value string) error {
	number, err := strconv.ParseInt(strings.TrimPrefix(value, "#"), 10, 32)
	if err != nil || number <= 0 {
		return errors.New("expected a number such as 42")
	}
	*n = numberFlag(number)
	return nil
}

// live is the connection to one pull request on GitHub.
type live struct {
	process    process
	client     *github.Client
	server     checkout.Server
	place      checkout.Place
	repo       github.Repo
	number     int // 0: the branch is not looked up yet
	issue      int
	commit     string // that is checked out
	checkedOut bool   // the pull request was found by the branch that is checked out
}

// connect finds out which pull request is meant and how to reach it. At most one request is made
// after another: the search for the branch.
func connect(ctx context.Context, p process, o liveOptions) (*live, error) {
	l, err := prepare(ctx, p, o)
	if err != nil {
		return nil, err
	}
	return l, l.find(ctx)
}

// prepare is what of connect asks nobody on the network.
func prepare(ctx context.Context, p process, o liveOptions) (*live, error) {
	place, err := checkout.Locate(ctx, checkout.Surroundings{Dir: p.dir, Getenv: p.getenv},
		checkout.Asked{Repository: o.repo, PullRequest: int(o.pr)})
	var misused *checkout.Misused
	switch {
	case errors.As(err, &misused):
		return nil, usage(o.command, err)
	case err != nil:
		return nil, err
	}
	l := &live{
		process: p, server: place.Server, place: place, repo: place.Bases[0], number: place.Number,
		issue: int(o.issue), commit: place.Commit(), checkedOut: o.pr == 0,
	}
	l.client, err = github.NewTokenClient(github.TokenConfig{
		Token: place.Server.Token, BaseURL: place.Server.API, GraphQLURL: place.Server.GraphQL,
		Now: p.now, UserAgent: "github-preflight/" + version(),
	})
	return l, err
}

// find looks the pull request of the branch up, unless it is known.
func (l *live) find(ctx context.Context) error {
	if l.number > 0 {
		return nil
	}
	err := l.ahead(ctx, func() error {
		repo, number, err := l.place.PullRequest(ctx, l.client)
		if err == nil {
			l.repo, l.number = repo, number
		}
		return err
	})
	if err != nil {
		return l.advise(err)
	}
	return nil
}

func (l *live) String() string { return fmt.Sprintf("%s#%d", l.repo, l.number) }

// snapshot reads every fact that the token may see, as the service does.
func (l *live) snapshot(ctx context.Context) (s snapshot.Snapshot, err error) {
	err = l.ahead(ctx, func() error {
		s, err = l.client.Snapshot(ctx, l.repo, l.number, github.LoadOptions{App: appSlug, HasChecks: checks.HasChecks, Task: l.issue, Published: true})
		return err
	})
	return s, err
}

// ahead does something on GitHub, and meanwhile reads what will be wanted whatever comes of it, so
// that fewer requests follow one another. Of that, only a failure counts that any request would meet.
func (l *live) ahead(ctx context.Context, do func() error) error {
	meanwhile, stop := context.WithCancel(ctx)
	defer stop()
	var reading sync.WaitGroup
	var lost error
	repo := l.repo
	reading.Go(func() { lost = l.client.Ahead(meanwhile, repo) })
	err := do()
	if err != nil {
		stop()
	}
	reading.Wait()
	if kind := github.KindOf(lost); err == nil && (kind == github.RateLimited || kind == github.Unauthorized) {
		return lost
	}
	return err
}
