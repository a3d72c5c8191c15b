package publish

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/evidence-gate/evidence-gate/internal/github"
	"github.com/evidence-gate/evidence-gate/internal/githubtest"
	"github.com/evidence-gate/evidence-gate/report"
)

// world is the simulator with one pull request, published to over HTTP.
type world struct {
	*githubtest.Server
	repo *githubtest.Repository
	pr   *githubtest.PullRequest
	Publisher
}

func newWorld(t *testing.T) *world {
	t.Helper()
	w := &world{Server: githubtest.NewT(t)}
	w.repo = w.World().AddRepository("acme/widgets", githubtest.RepositoryOptions{})
	w.pr = w.repo.OpenPullRequest(githubtest.PullRequestOptions{Author: "eng"})
	app, err := github.NewApp(github.AppConfig{ID: w.App().ID, PrivateKey: w.App().PrivateKey, BaseURL: w.URL()})
	require.NoError(t, err)
	client, err := app.Installation(w.World().Installation("acme").ID())
	require.NoError(t, err)
	w.Publisher = newPublisher(client)
	w.DetailsURL = func(Target) string { return link }
	return w
}

func (w *world) target() Target {
	return Target{Repo: repo, Number: w.pr.Number(), HeadSHA: w.pr.HeadSHA()}
}

func (w *world) publish(t *testing.T, c report.Conclusion) Outcome {
	t.Helper()
	r := concluded(c)
	r.HeadSHA = w.pr.HeadSHA()
	outcome, err := w.Publish(t.Context(), w.target(), r)
	require.NoError(t, err)
	return outcome
}

func (w *world) runs() []githubtest.CheckRun { return w.repo.CheckRuns(w.pr.HeadSHA()) }

// requests are those about check runs since the last call.
func (w *world) requests() []string {
	var methods []string
	for _, r := range w.Requests() {
		if strings.Contains(r.Path, "/check-runs") {
			methods = append(methods, r.Method)
		}
	}
	w.ForgetRequests()
	return methods
}

func TestOneCheckRunPerHead(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.repo.AddCheckRun(githubtest.CheckRunOptions{SHA: w.pr.HeadSHA(), Name: "evidence-gate", App: "impostor"})

	require.Equal(t, Created, w.publish(t, report.Failure).Did, "another app's run of that name is not ours")
	require.Equal(t, []string{"GET", "POST"}, w.requests())
	require.Equal(t, Unchanged, w.publish(t, report.Failure).Did)
	require.Equal(t, []string{"GET"}, w.requests())
	passed := w.publish(t, report.Success)
	require.Equal(t, Updated, passed.Did)
	require.Equal(t, []string{"GET", "PATCH"}, w.requests())

	runs := w.runs()
	require.Len(t, runs, 2)
	own := runs[1]
	require.Equal(t, passed.Run.ID, own.ID)
	require.Equal(t, w.App().Slug, own.App)
	require.Equal(t, []string{"completed", "success"}, []string{own.Status, own.Conclusion})
	require.Equal(t, "Title of success", own.Title)
	require.Equal(t, "Verdict: success", own.Summary)
	require.Equal(t, passed.Run.ExternalID, own.ExternalID)
	require.Equal(t, link, own.DetailsURL)
	require.Equal(t, 1, own.Updates)

	w.pr.Push("eng", githubtest.Commit{})
	require.Equal(t, Created, w.publish(t, report.Failure).Did, "a new head, a new run")
	require.Len(t, w.runs(), 1)
}

func TestWaitingAndBack(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.publish(t, report.Pending)
	require.Equal(t, []string{"in_progress", ""}, []string{w.runs()[0].Status, w.runs()[0].Conclusion})
	w.publish(t, report.Success)
	require.Equal(t, []string{"completed", "success"}, []string{w.runs()[0].Status, w.runs()[0].Conclusion})
	w.publish(t, report.Pending)
	require.Equal(t, []string{"in_progress", ""}, []string{w.runs()[0].Status, w.runs()[0].Conclusion})
	require.Len(t, w.runs(), 1)
}

func TestGitHubTakesTheLongestReport(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.Render = func(report.Report) (string, string, string) {
		return strings.Repeat("語", 400), "Verdict\n" + strings.Repeat("語🙂", 40_000), strings.Repeat("🙂\x00", 40_000)
	}
	w.publish(t, report.Failure)
	run := w.runs()[0]
	require.True(t, strings.HasPrefix(run.Summary, "Verdict\n"))
	require.Greater(t, len(run.Summary), 60_000)
	require.Contains(t, run.Text, link)
}

func TestAnAnswerThatGotLostDoublesNothing(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.Fail(githubtest.Fault{Match: githubtest.Match{Method: http.MethodPost, Path: "/repos/*/*/check-runs"}, Drop: true, AfterEffect: true})
	r := concluded(report.Failure)
	r.HeadSHA = w.pr.HeadSHA()
	_, err := w.Publish(t.Context(), w.target(), r)
	require.Equal(t, github.Unavailable, github.KindOf(err))
	require.Len(t, w.runs(), 1)
	require.Equal(t, Unchanged, w.publish(t, report.Failure).Did, "the run is found again")
	require.Len(t, w.runs(), 1)
}

func TestFailuresOfGitHub(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	r := concluded(report.Failure)
	r.HeadSHA = w.pr.HeadSHA()
	write := githubtest.Match{Method: http.MethodPost, Path: "/repos/*/*/check-runs"}
	limited := githubtest.SecondaryRateLimit(30 * time.Second)
	limited.Match = write
	for kind, fault := range map[github.Kind]githubtest.Fault{
		github.Unavailable: {Match: write, Status: http.StatusBadGateway},
		github.RateLimited: limited,
	} {
		w.Fail(fault)
		fresh := newWorldClient(t, w)
		_, err := fresh.Publish(t.Context(), w.target(), r)
		require.Equal(t, kind, github.KindOf(err))
	}
	w.World().Installation("acme").SetPermission("checks", "read")
	_, err := newWorldClient(t, w).Publish(t.Context(), w.target(), r)
	require.Equal(t, github.Forbidden, github.KindOf(err))
	require.ErrorContains(t, err, "checks: write")
	require.Empty(t, w.runs())
}

// newWorldClient is a publisher that remembers no rate limit of an earlier one.
func newWorldClient(t *testing.T, w *world) Publisher {
	t.Helper()
	app, err := github.NewApp(github.AppConfig{ID: w.App().ID, PrivateKey: w.App().PrivateKey, BaseURL: w.URL()})
	require.NoError(t, err)
	client, err := app.Installation(w.World().Installation("acme").ID())
	require.NoError(t, err)
	return newPublisher(client)
}

func TestARaceLeavesNoRunInProgress(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for range 3 {
		_, err := w.GitHub.CreateCheckRun(t.Context(), repo, github.CheckRun{Name: "evidence-gate", HeadSHA: w.pr.HeadSHA(), Status: "in_progress"})
		require.NoError(t, err)
	}
	outcome := w.publish(t, report.Success)
	require.Len(t, w.runs(), 3)
	for _, run := range w.runs() {
		require.Equal(t, []string{"completed", "success"}, []string{run.Status, run.Conclusion})
		require.Equal(t, run.ID == outcome.Run.ID, run.Title == "Title of success")
	}
	w.requests()
	require.Equal(t, Unchanged, w.publish(t, report.Success).Did)
	require.Equal(t, []string{"GET"}, w.requests())
}
