package main

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/evidence-gate/evidence-gate/checks"
	"github.com/evidence-gate/evidence-gate/internal/checkout"
	"github.com/evidence-gate/evidence-gate/internal/github"
	"github.com/evidence-gate/evidence-gate/report"
	"github.com/evidence-gate/evidence-gate/snapshot"
)

// appSlug is the slug of this product's App, whose own check run is no evidence.
const appSlug = "evidence-gate"

// liveOptions say which pull request is meant.
type liveOptions struct {
	pr    numberFlag
	repo  string
	issue numberFlag
}

func (o *liveOptions) flags(command *cobra.Command) {
	command.Flags().Var(&o.pr, "pr", "`number` of the pull request; that of the current branch when absent")
	command.Flags().StringVar(&o.repo, "repo", "", "the repository, `[HOST/]OWNER/NAME`; that of the checkout's remote when absent")
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
	repo       github.Repo
	number     int
	issue      int
	commit     string // that is checked out
	checkedOut bool   // the pull request was found by the branch that is checked out
}

// connect finds out which pull request is meant and how to reach it. At most one request is made
// after another: the search for the branch.
func connect(ctx context.Context, p process, o liveOptions) (*live, error) {
	place, err := checkout.Locate(ctx, checkout.Surroundings{Dir: p.dir, Getenv: p.getenv},
		checkout.Asked{Repository: o.repo, PullRequest: int(o.pr)})
	if err != nil {
		return nil, err
	}
	l := &live{process: p, server: place.Server, issue: int(o.issue), commit: place.Commit(), checkedOut: o.pr == 0}
	l.client, err = github.NewTokenClient(github.TokenConfig{
		Token: place.Server.Token, BaseURL: place.Server.API, GraphQLURL: place.Server.GraphQL,
		Now: p.now, UserAgent: "github-preflight/" + version(),
	})
	if err != nil {
		return nil, err
	}
	l.repo, l.number, err = place.PullRequest(ctx, l.client)
	if err != nil {
		return nil, l.advise(err)
	}
	return l, nil
}

func (l *live) String() string { return fmt.Sprintf("%s#%d", l.repo, l.number) }

// snapshot reads every fact that the token may see, as the service does.
func (l *live) snapshot(ctx context.Context) (snapshot.Snapshot, error) {
	options := github.LoadOptions{App: appSlug, HasChecks: checks.HasChecks}
	s, err := l.client.Snapshot(ctx, l.repo, l.number, options)
	if err != nil || l.issue == 0 {
		return s, err
	}
	return l.client.WithTask(ctx, s, l.issue, options)
}

// advise adds to a failure of GitHub what the caller of this program can do about it.
func (l *live) advise(err error) error {
	what := advice(err, l.server)
	if what == "" {
		return err
	}
	return fmt.Errorf("%w\nhelp: %s", err, what)
}

func advice(err error, s checkout.Server) string {
	switch github.KindOf(err) {
	case github.Unauthorized:
		return fmt.Sprintf("the token is from %s: renew it, or run %s", tokenSource(s), login(s))
	case github.Forbidden:
		return fmt.Sprintf("the token is from %s: give it read access to the repository's contents, issues, pull requests, checks and commit statuses (and authorise it for single sign-on where the organisation asks for that)", tokenSource(s))
	case github.NotFound:
		return fmt.Sprintf("check the number and the name (--pr N, --repo OWNER/NAME), and that the token from %s may see the repository", tokenSource(s))
	case github.RateLimited:
		return "wait, or use a token of your own instead of a shared one; --wait waits by itself when its time is long enough"
	case github.Unavailable:
		return unreachable(err, s)
	}
	return ""
}

// unreachable tells the ways in which a network stands between.
func unreachable(err error, s checkout.Server) string {
	switch text := err.Error(); {
	case strings.Contains(text, "certificate"):
		return "the certificate of " + s.API + " is not trusted here: set SSL_CERT_FILE to the certificates of your network"
	case strings.Contains(text, "proxyconnect"):
		return "the proxy refused the connection: check HTTPS_PROXY and NO_PROXY"
	case strings.Contains(text, "no such host"):
		return "there is no host of that name: check GITHUB_API_URL, GH_HOST or the remote, and the network"
	}
	return "try again; when it stays so, check the network, HTTPS_PROXY and githubstatus.com"
}

// tokenSource names the place that a token was found in, in words.
func tokenSource(s checkout.Server) string {
	switch s.TokenFrom {
	case "oauth_token", "gh":
		return "gh's own login"
	}
	return s.TokenFrom
}

func login(s checkout.Server) string {
	if s.Host == "" || s.Host == "github.com" {
		return "gh auth login"
	}
	return "gh auth login --hostname " + s.Host
}

// completeStage lets shells complete the two stages.
func completeStage(command *cobra.Command) {
	values := []string{string(report.Review) + "\tmay it be reviewed", string(report.Merge) + "\tmay it merge"}
	_ = command.RegisterFlagCompletionFunc("stage", cobra.FixedCompletions(values, cobra.ShellCompDirectiveNoFileComp))
}
