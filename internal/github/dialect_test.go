package github

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/evidence-gate/evidence-gate/internal/githubtest"
	"github.com/evidence-gate/evidence-gate/snapshot"
)

// olderWorld is one whose GitHub lacks some fields of the schema.
func olderWorld(t *testing.T, lacks ...string) *world {
	t.Helper()
	clock := githubtest.NewClock(time.Now().Truncate(time.Second))
	w := &world{Server: githubtest.NewT(t, githubtest.Options{Clock: clock.Now, Lacks: lacks}), clock: clock}
	w.repo = w.World().AddRepository("acme/widgets", githubtest.RepositoryOptions{})
	app, err := NewApp(AppConfig{ID: w.App().ID, PrivateKey: w.App().PrivateKey, BaseURL: w.URL(), Now: clock.Now})
	require.NoError(t, err)
	w.app = app
	w.client, err = app.Installation(w.World().Installation("acme").ID())
	require.NoError(t, err)
	return w
}

func (w *world) busy() *githubtest.PullRequest {
	issue := w.repo.AddIssue(githubtest.IssueOptions{Author: "lead", Body: "## Required Checks\n"})
	pr := w.open(githubtest.PullRequestOptions{Body: fmt.Sprintf("Closes #%d", issue.Number()), Labels: []string{"docs"}})
	pr.Comment("eng", "hello").Edit("eng", "hello again")
	w.repo.AddCheckRun(githubtest.CheckRunOptions{SHA: pr.HeadSHA(), Name: "test", Workflow: "ci"})
	return pr
}

// A server that lacks an optional field is asked without it; what only that field tells is a missing
// fact with its reason.
func TestAnOlderServerIsAskedForLess(t *testing.T) {
	t.Parallel()
	for field, facts := range map[string][]string{
		"PullRequest.timelineItems":           {"labels"},
		"PullRequest.closingIssuesReferences": {"issue"},
		"PullRequest.userContentEdits":        {"pull_request.revisions"},
		"Issue.userContentEdits":              {"issue.revisions"},
		"IssueComment.userContentEdits":       {"comments", "issue.comments"},
		"Commit.authors":                      {"commits"},
		"Commit.statusCheckRollup":            {"status_checks"},
		"CheckSuite.workflowRun":              {"status_checks"},
	} {
		t.Run(field, func(t *testing.T) {
			t.Parallel()
			w := olderWorld(t, field)
			pr := w.busy()
			s := w.load(t, pr)
			require.Equal(t, pr.HeadSHA(), s.PullRequest.HeadSHA)
			for _, fact := range facts {
				i := slices.IndexFunc(s.Unavailable, func(u snapshot.Unavailable) bool { return u.Fact == fact })
				require.GreaterOrEqual(t, i, 0, "%v", s.Unavailable)
				require.Equal(t, "this GitHub does not know "+field+": a newer Enterprise Server is needed", s.Unavailable[i].Reason)
			}
			w.ForgetRequests()
			require.Equal(t, s.Unavailable, w.load(t, pr).Unavailable)
			require.Equal(t, 1, w.asked("/graphql"), "what the host lacks is remembered")
		})
	}
}

func TestAFieldThatAnotherStandsInFor(t *testing.T) {
	t.Parallel()
	w := olderWorld(t, "IssueComment.fullDatabaseId")
	pr := w.open(githubtest.PullRequestOptions{})
	pr.Comment("eng", "hello")
	_, err := w.client.Snapshot(t.Context(), widgets, pr.Number(), LoadOptions{})
	require.ErrorContains(t, err, "a comment in comments has no id", "the simulator's ids are larger than such a server's")
	require.Equal(t, []string{"IssueComment.fullDatabaseId"}, w.client.asks.missing())
	text := w.client.asks.operation(pullRequestQueries, "PullRequest")
	require.Contains(t, text, "fullDatabaseId: databaseId\n")
	require.NoError(t, githubtest.ValidateQuery(text))
}

func TestWhatDoesNotMatterIsNotMissed(t *testing.T) {
	t.Parallel()
	w := olderWorld(t, "PullRequest.timelineItems", "CheckSuite.workflowRun")
	pr := w.open(githubtest.PullRequestOptions{})
	w.repo.AddCheckRun(githubtest.CheckRunOptions{SHA: pr.HeadSHA(), Name: "build", App: "other-ci"})
	require.Empty(t, w.load(t, pr).Unavailable, "there are no labels and no runs of workflows")
	require.Equal(t, 2, w.asked("/graphql"), "both are told at once")
}

func TestAServerThatLacksWhatIsNeededIsNamed(t *testing.T) {
	t.Parallel()
	w := olderWorld(t, "PullRequest.isDraft", "PullRequest.timelineItems")
	pr := w.open(githubtest.PullRequestOptions{})
	_, err := w.client.Snapshot(t.Context(), widgets, pr.Number(), LoadOptions{})
	require.Equal(t, Invalid, KindOf(err))
	require.ErrorContains(t, err, "isDraft")
	require.ErrorContains(t, err, "a newer Enterprise Server is needed")
	require.Equal(t, 1, w.asked("/graphql"))
}

func TestAServerMayBeUpgraded(t *testing.T) {
	t.Parallel()
	w := olderWorld(t, "PullRequest.timelineItems")
	pr := w.busy()
	require.NotEmpty(t, w.load(t, pr).Unavailable)
	other, err := w.app.Installation(w.World().Install("globex").ID())
	require.NoError(t, err)
	require.Equal(t, []string{"PullRequest.timelineItems"}, other.asks.missing(), "one host, whichever installation")
	w.clock.Advance(dialectLife - time.Second)
	require.NotEmpty(t, other.asks.missing())
	w.clock.Advance(time.Second)
	require.Empty(t, other.asks.missing(), "after a day it is asked anew")
}

func TestEveryOptionalFieldCanBeLeftOut(t *testing.T) {
	t.Parallel()
	for _, o := range optionalFields {
		d := newDialect(time.Now)
		require.True(t, d.learn(&Error{Kind: Invalid, unknown: []string{o.name}}))
		require.False(t, d.learn(&Error{Kind: Invalid, unknown: []string{o.name}}), "it was left out already")
		_, field, _ := strings.Cut(o.name, ".")
		for of, names := range map[*document][]string{&pullRequestQueries: {"PullRequest", "MoreComments"}, &branchQueries: {"Task"}} {
			for _, name := range names {
				text := d.operation(*of, name)
				require.NoError(t, githubtest.ValidateQuery(text), "%s without %s", name, o.name)
				if o.instead == "" {
					require.NotRegexp(t, `\b`+field+`\b`, text)
				}
			}
		}
	}
}
