package github

import (
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/evidence-gate/evidence-gate/internal/githubtest"
	"github.com/evidence-gate/evidence-gate/profile/policy"
	"github.com/evidence-gate/evidence-gate/snapshot"
)

func TestAMemberIsReadAsItIsNow(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	by := policy.Default().Roles
	read := func(login, kind string) (snapshot.Actor, []snapshot.Unavailable) {
		a, missing, err := w.client.Member(t.Context(), widgets, snapshot.Actor{Login: login, Type: kind, Permission: "admin"}, by)
		require.NoError(t, err)
		return a, missing
	}
	w.repo.SetRole("lead", "maintain")
	a, missing := read("lead", "User")
	require.Equal(t, "maintain", a.Permission, "not what it was before")
	require.Empty(t, missing)
	w.repo.SetRole("lead", "read")
	w.clock.Advance(6 * time.Minute)
	a, _ = read("lead", "User")
	require.Equal(t, "read", a.Permission)
	a, missing = read("nobody", "User")
	require.Equal(t, "none", a.Permission)
	require.Empty(t, missing)
	a, _ = read("helper[bot]", "Bot")
	require.Equal(t, "none", a.Permission, "GitHub knows no role of bots")

	by.Maintainers.Teams = []string{"core", "none"}
	w.World().AddTeamMember("acme", "core", "Lead")
	a, missing = read("lead", "User")
	require.Equal(t, []string{"core"}, a.Teams)
	require.Equal(t, []string{"teams"}, factsOf(missing))

	w.Fail(githubtest.Fault{Match: githubtest.Match{Method: http.MethodGet, Path: "/repos/acme/widgets/collaborators/*/permission"}, Times: -1, Status: http.StatusForbidden, Message: "no"})
	a, missing = read("boss", "User")
	require.Empty(t, a.Permission, "what cannot be read is not known")
	require.Contains(t, factsOf(missing), "permissions")
}

func factsOf(missing []snapshot.Unavailable) (facts []string) {
	for _, u := range missing {
		facts = append(facts, u.Fact)
	}
	return facts
}

func TestTheMaintainersByTheirPermission(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for login, role := range map[string]string{"Lead": "maintain", "boss": "admin", "eng": "write"} {
		w.repo.SetRole(login, role)
	}
	by := policy.Default().Roles
	list, err := w.client.MaintainersOf(t.Context(), widgets, by)
	require.NoError(t, err)
	require.Subset(t, list, []string{"boss", "lead"})
	require.NotContains(t, list, "eng")
	by.Maintainers.Permission = "write"
	list, err = w.client.MaintainersOf(t.Context(), widgets, by)
	require.NoError(t, err)
	require.Contains(t, list, "eng")
}

func TestReviewsAreRequested(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.repo.SetRole("lead", "maintain")
	w.World().AddTeamMember("acme", "core", "lead")
	pr := w.repo.OpenPullRequest(githubtest.PullRequestOptions{Author: "eng"})
	require.NoError(t, w.client.RequestReviews(t.Context(), widgets, pr.Number(), []string{"lead"}, []string{"core"}))
	require.Equal(t, []string{"lead", "acme/core"}, pr.RequestedReviewers())
	err := w.client.RequestReviews(t.Context(), widgets, pr.Number(), []string{"eng"}, nil)
	require.Equal(t, Invalid, KindOf(err))
	require.Equal(t, NotFound, KindOf(w.client.RequestReviews(t.Context(), widgets, 99, []string{"lead"}, nil)))
	w.World().Installation("acme").SetPermission("pull_requests", "read")
	err = w.client.RequestReviews(t.Context(), widgets, pr.Number(), []string{"lead"}, nil)
	require.Equal(t, Forbidden, KindOf(err))
	require.ErrorContains(t, err, "pull requests: write")
}

func TestButtonsAreSentAndTakenAway(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	pr := w.repo.OpenPullRequest(githubtest.PullRequestOptions{Author: "eng"})
	run := CheckRun{Name: "gate", HeadSHA: pr.HeadSHA(), Status: "completed", Conclusion: "action_required", Title: "t", Summary: "s",
		Buttons: []Button{{"approve", "Approve", "Approve this commit"}}}
	made, err := w.client.CreateCheckRun(t.Context(), widgets, run)
	require.NoError(t, err)
	require.Equal(t, []githubtest.CheckRunAction{{Label: "Approve", Description: "Approve this commit", Identifier: "approve"}}, w.repo.CheckRuns(pr.HeadSHA())[0].Actions)
	run.ID, run.Conclusion, run.Buttons = made.ID, "success", nil
	changed, err := w.client.UpdateCheckRun(t.Context(), widgets, run)
	require.NoError(t, err)
	require.Equal(t, "success", changed.Conclusion)
	require.Empty(t, w.repo.CheckRuns(pr.HeadSHA())[0].Actions, "left out they would stay")
}
