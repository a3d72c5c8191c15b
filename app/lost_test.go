package app

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/evidence-gate/evidence-gate/app/config"
	"github.com/evidence-gate/evidence-gate/internal/githubtest"
)

// reach is what the service looks for lost events through, if it does.
func (g *gate) reach(client *GitHub) Reach {
	if g.seek == 0 {
		return nil
	}
	return client
}

// TestASweepAtStartFindsWhatNoEventTold: the service was down when pull requests were opened and pushed
// to, and nobody does anything afterwards.
func TestASweepAtStartFindsWhatNoEventTold(t *testing.T) {
	t.Parallel()
	g := newGate(t, onePolicy)
	g.seek = time.Hour
	g.start(config.EnrolByPolicy)
	g.pull = g.open("eng")
	g.concludes("action_required")
	g.stop()

	g.Webhooks().SetTarget("")
	pushed := g.pull.Push("eng", githubtest.Commit{})
	opened := g.repo.OpenPullRequest(githubtest.PullRequestOptions{Author: "stranger", Fork: "stranger"})
	closed := g.repo.OpenPullRequest(githubtest.PullRequestOptions{Author: "eng"})
	closed.Close("eng")
	g.World().AddRepository("asleep/one", githubtest.RepositoryOptions{})
	g.World().Installation("asleep").Suspend()
	g.start(config.EnrolByPolicy)
	for _, head := range []string{pushed, opened.HeadSHA()} {
		g.waitFor("a check run on every head", func() bool { return len(g.repo.CheckRuns(head)) == 1 })
	}
	require.Empty(t, g.repo.CheckRuns(closed.HeadSHA()))

	g.until("the work is done", func() bool {
		figures, err := g.service.store.Figures(t.Context())
		return err == nil && figures.Waiting == 0
	})
	g.ForgetRequests()
	g.start(config.EnrolByPolicy)
	g.waitFor("another sweep", func() bool {
		return g.CountRequests(githubtest.Match{Operation: "Open"}) == 1 && g.CountRequests(githubtest.Match{Path: "/app/hook/deliveries"}) == 1
	})
	require.Zero(t, g.CountRequests(githubtest.Match{Operation: "PullRequest"}), "what has a verdict is not judged again")
}

// TestDeliveriesThatFailedAreAskedForAgain: what they told cannot be seen by a sweep.
func TestDeliveriesThatFailedAreAskedForAgain(t *testing.T) {
	t.Parallel()
	g := newGate(t, onePolicy)
	g.seek = time.Hour
	g.start(config.EnrolByPolicy)
	g.pull = g.open("eng")
	g.concludes("action_required")
	g.stop()

	g.task.EditBody("lead", "## Required Checks\n\n- [RC-1] `npm test`\n- [RC-2] `npm run lint`\n")
	require.NoError(t, g.Webhooks().Flush(t.Context()))
	sent := g.Webhooks().Deliveries()
	lost := sent[len(sent)-1]
	require.Equal(t, "issues", lost.Event)
	require.Zero(t, lost.Answers[0].Status, "nobody was there")
	require.NotContains(t, g.run().Summary+g.run().Text, "RC-2")

	g.start(config.EnrolByPolicy)
	g.waitFor("the lost event is made up for", func() bool { return strings.Contains(g.run().Summary+g.run().Text, "RC-2") })
	require.NoError(t, g.Webhooks().Flush(t.Context()))
	failed := 0
	for _, d := range g.Webhooks().Deliveries() {
		require.Equal(t, http.StatusAccepted, d.Answers[len(d.Answers)-1].Status, d.Event)
		if d.Answers[0].Status == 0 {
			failed++
			require.Len(t, d.Answers, 2, "asked for once")
		}
	}
	asked := githubtest.Match{Method: http.MethodPost, Path: "/app/hook/deliveries/*/attempts"}
	require.Equal(t, failed, g.CountRequests(asked))

	g.ForgetRequests()
	g.start(config.EnrolByPolicy)
	g.waitFor("another look", func() bool { return g.CountRequests(githubtest.Match{Path: "/app/hook/deliveries"}) == 1 })
	require.Zero(t, g.CountRequests(asked), "what arrived is not asked for again")
}
