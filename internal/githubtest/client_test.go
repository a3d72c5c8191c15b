package githubtest

import (
	"context"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/bradleyfalzon/ghinstallation/v2"
	"github.com/go-playground/webhooks/v6/github"
	gogithub "github.com/google/go-github/v66/github"
	"github.com/stretchr/testify/require"
)

// The libraries that people use with GitHub must work with the simulator as they are.
func TestUsualClients(t *testing.T) {
	t.Parallel()
	gh := NewT(t) // with the wall clock, since ghinstallation has no other
	repo := gh.World().AddRepository("acme/widgets", RepositoryOptions{})
	repo.SetRole("lead", "maintain")
	issue := repo.AddIssue(IssueOptions{Author: "lead", Title: "Dark mode"})
	pr := repo.OpenPullRequest(PullRequestOptions{Author: "eng", Body: "Closes #1"})
	for range 120 {
		issue.Comment("eng", "hi")
	}
	apps, err := ghinstallation.NewAppsTransport(&http.Transport{}, gh.App().ID, gh.App().PrivateKeyPEM())
	require.NoError(t, err)
	apps.BaseURL = gh.URL()
	tokens := ghinstallation.NewFromAppsTransport(apps, gh.World().Installation("acme").ID())
	client, err := gogithub.NewClient(&http.Client{Transport: tokens}).WithEnterpriseURLs(gh.URL(), gh.URL())
	require.NoError(t, err)
	asApp, err := gogithub.NewClient(&http.Client{Transport: apps}).WithEnterpriseURLs(gh.URL(), gh.URL())
	require.NoError(t, err)
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
	defer cancel()

	app, _, err := asApp.Apps.Get(ctx, "")
	require.NoError(t, err)
	require.Equal(t, "evidence-gate", app.GetSlug())
	installation, _, err := asApp.Apps.FindRepositoryInstallation(ctx, "acme", "widgets")
	require.NoError(t, err)
	require.Equal(t, gh.World().Installation("acme").ID(), installation.GetID())

	comments := 0
	options := &gogithub.IssueListCommentsOptions{ListOptions: gogithub.ListOptions{PerPage: 50}}
	for {
		page, response, err := client.Issues.ListComments(ctx, "acme", "widgets", 1, options)
		require.NoError(t, err)
		comments += len(page)
		if response.NextPage == 0 {
			break
		}
		options.Page = response.NextPage
	}
	require.Equal(t, 120, comments)

	created, _, err := client.Checks.CreateCheckRun(ctx, "acme", "widgets", gogithub.CreateCheckRunOptions{
		Name: "Evidence", HeadSHA: pr.HeadSHA(), Status: gogithub.String("in_progress"),
		Output: &gogithub.CheckRunOutput{Title: gogithub.String("Judging"), Summary: gogithub.String("Wait")},
	})
	require.NoError(t, err)
	_, _, err = client.Checks.UpdateCheckRun(ctx, "acme", "widgets", created.GetID(), gogithub.UpdateCheckRunOptions{
		Name: "Evidence", Conclusion: gogithub.String("success"), Status: gogithub.String("completed"),
		CompletedAt: &gogithub.Timestamp{Time: time.Now()},
	})
	require.NoError(t, err)
	require.Equal(t, "success", repo.CheckRuns(pr.HeadSHA())[0].Conclusion)
	permission, _, err := client.Repositories.GetPermissionLevel(ctx, "acme", "widgets", "lead")
	require.NoError(t, err)
	require.Equal(t, "maintain", permission.GetRoleName())

	gh.Fail(SecondaryRateLimit(time.Minute))
	_, _, err = client.Repositories.Get(ctx, "acme", "widgets")
	var limited *gogithub.AbuseRateLimitError
	require.ErrorAs(t, err, &limited)
	require.Equal(t, time.Minute, limited.GetRetryAfter())
	gh.World().Installation("acme").SetRateLimit(0)
	// A client that met the secondary limit waits by itself, so this takes a new one.
	fresh, err := gogithub.NewClient(&http.Client{Transport: tokens}).WithEnterpriseURLs(gh.URL(), gh.URL())
	require.NoError(t, err)
	_, _, err = fresh.Repositories.Get(ctx, "acme", "gadgets")
	var primary *gogithub.RateLimitError
	require.ErrorAs(t, err, &primary)
}

// The webhook library must accept what the sender sends, signature included.
func TestUsualWebhookParser(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	hook, err := github.New(github.Options.Secret(f.server.App().WebhookSecret))
	require.NoError(t, err)
	events := make(chan any, 10)
	target := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		payload, err := hook.Parse(r, github.PullRequestEvent, github.IssueCommentEvent, github.IssuesEvent)
		if err != nil {
			payload = err
		}
		events <- payload
	}))
	t.Cleanup(target.Close)
	f.server.Webhooks().SetTarget(target.URL)
	pr := f.repo.OpenPullRequest(PullRequestOptions{Author: "eng", Title: "Dark mode"})
	pr.Comment("eng", "hi")
	f.repo.AddIssue(IssueOptions{Author: "lead"}).EditBody("lead", "more")
	f.flush()
	opened, ok := (<-events).(github.PullRequestPayload)
	require.True(t, ok)
	require.Equal(t, pr.HeadSHA(), opened.PullRequest.Head.Sha)
	require.Equal(t, f.server.World().Installation("acme").ID(), opened.Installation.ID)
	comment, ok := (<-events).(github.IssueCommentPayload)
	require.True(t, ok)
	require.Equal(t, "hi", comment.Comment.Body)
	for _, action := range []string{"opened", "edited"} {
		issue, ok := (<-events).(github.IssuesPayload)
		require.True(t, ok)
		require.Equal(t, action, issue.Action)
	}
}
