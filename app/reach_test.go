package app

import (
	"context"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/evidence-gate/evidence-gate/app/config"
	"github.com/evidence-gate/evidence-gate/app/store"
	"github.com/evidence-gate/evidence-gate/internal/github"
	"github.com/evidence-gate/evidence-gate/internal/githubtest"
)

// evaluated waits until the pull requests, and no others, were published.
func (r *running) evaluated(numbers ...int) {
	r.t.Helper()
	var got []int
	for _, p := range r.github.publications() {
		got = append(got, p.Number)
	}
	slices.Sort(got)
	require.Equal(r.t, numbers, slices.Compact(got))
}

func manyHeads() map[int]string {
	heads := map[int]string{}
	for number := 1; number <= 30; number++ {
		heads[number] = fmt.Sprintf("%040x", number)
	}
	return heads
}

// TestWhatAnEventStandsFor: which pull requests an event that names none leads to.
func TestWhatAnEventStandsFor(t *testing.T) {
	t.Parallel()
	const (
		push   = `{"ref":"refs/heads/release","commits":[{"added":[".github/evidence.yml"]}],` + from + `}`
		member = `{"action":"removed","member":{"login":"eng"},` + from + `}`
	)
	rows := []struct {
		rule, event, payload string
		want                 []int
	}{
		{"a policy pushed to a branch", "push", push, []int{2}},
		{"somebody's role changed", "member", member, []int{1, 2}},
		{"a renamed repository", "repository", `{"action":"renamed",` + from + `}`, []int{1, 2}},
		{"an installation", "installation", `{"action":"unsuspend","installation":{"id":9,"account":{"login":"acme"}}}`, []int{1, 2}},
		{"a repository that was added", "installation_repositories", `{"action":"added","installation":{"id":9},"repositories_added":[{"id":5,"full_name":"acme/widgets"}]}`, []int{1, 2}},
	}
	for _, row := range rows {
		t.Run(row.rule, func(t *testing.T) {
			t.Parallel()
			r := start(t)
			r.github.set(func() {
				r.github.heads = manyHeads()
				r.github.open = []github.OpenPullRequest{{Number: 1, HeadSHA: r.github.heads[1], Base: "main"}, {Number: 2, HeadSHA: r.github.heads[2], Base: "release"}}
				r.github.repositories = []github.InstalledRepository{{ID: 5, Repo: widgets}, {ID: 6, Repo: github.Repo{Owner: "acme", Name: "old"}, Archived: true}}
			})
			r.deliveryIs(r.accept(row.event, row.payload), "done")
			r.evaluated(row.want...)
			require.Equal(t, 1, r.github.count("refresh"), "roles are read anew")
		})
	}
}

func TestASuspendedInstallationIsLeftAlone(t *testing.T) {
	t.Parallel()
	r := start(t)
	r.github.set(func() { r.github.suspended = true })
	r.deliveryIs(r.accept("installation", `{"action":"created","installation":{"id":9,"account":{"login":"acme"}}}`), "done")
	require.Zero(t, r.github.count("repositories"))
}

// TestWhatIsNotThereAnyMoreIsForgotten: only after GitHub said so several times and in two ways, since
// what is deleted is the memory that judgements rest on.
func TestWhatIsNotThereAnyMoreIsForgotten(t *testing.T) {
	t.Parallel()
	gone := &github.Error{Kind: github.NotFound, Message: "there is none"}
	rows := []struct {
		rule, event, payload string
		listed               []github.InstalledRepository
		kept                 bool
	}{
		{rule: "uninstalled", event: "installation", payload: `{"action":"deleted","installation":{"id":9}}`},
		{rule: "deleted", event: "repository", payload: `{"action":"deleted",` + from + `}`},
		{rule: "removed", event: "installation_repositories", payload: `{"action":"removed","installation":{"id":9},"repositories_removed":[{"id":5,"full_name":"acme/widgets"}]}`},
		{
			rule: "renamed meanwhile", event: "repository", payload: `{"action":"renamed",` + from + `}`, kept: true,
			listed: []github.InstalledRepository{{ID: 5, Repo: github.Repo{Owner: "acme", Name: "gadgets"}}},
		},
	}
	for _, row := range rows {
		t.Run(row.rule, func(t *testing.T) {
			t.Parallel()
			r := start(t)
			r.deliveryIs(r.accept("pull_request", pullRequest("opened", 42, headA)), "done")
			r.github.set(func() {
				r.github.sticky = true
				r.github.repositories = row.listed
			})
			r.github.fail("installation_for", gone)
			r.github.fail("installation_by_id", gone)
			r.deliveryIs(r.accept(row.event, row.payload), "done")
			_, err := r.store.Find(t.Context(), store.Numbered(5, store.PullRequest, 42))
			if row.kept {
				require.NoError(t, err)
				require.Equal(t, 1, r.github.count("open"))
				return
			}
			require.ErrorIs(t, err, store.ErrNoTarget)
			require.GreaterOrEqual(t, r.github.count("installation_for")+r.github.count("installation_by_id"), 4)
		})
	}
}

// TestBackgroundWorkStarvesNobody: it runs beside the work of events, and an event brings its pull
// request forward.
func TestBackgroundWorkStarvesNobody(t *testing.T) {
	t.Parallel()
	r := start(t)
	release := make(chan struct{})
	loaded := make(chan struct{}, 100)
	var changes []store.Change
	r.github.set(func() { r.github.heads = manyHeads() })
	for number := 1; number <= 30; number++ {
		changes = append(changes, store.Change{
			Subject: store.Numbered(5, store.PullRequest, number), InstallationID: 9, Owner: "acme", Repository: "widgets",
			At: time.Now().Add(-time.Minute),
		})
	}
	r.github.onLoad = func(context.Context) error { loaded <- struct{}{}; <-release; return nil }
	require.NoError(t, r.store.Sweep(t.Context(), changes))
	for range 4 {
		<-loaded
	}
	guid := r.accept("pull_request", pullRequest("edited", 30, r.github.heads[30]))
	<-loaded
	close(release)
	r.deliveryIs(guid, "done")
	r.until("the rest is done", func() bool { return len(r.github.publications()) >= 30 })
}

// TestThePolicyOnTheBaseBranch goes through the real client: a push changes the verdict of open pull
// requests, and uninstalling deletes what was stored.
func TestThePolicyOnTheBaseBranch(t *testing.T) {
	t.Parallel()
	g := newGate(t, onePolicy)
	g.start(config.EnrolByPolicy)
	g.pull = g.open("eng")
	g.concludes("action_required")
	require.NotEmpty(t, g.remembered())

	g.repo.SetFile("main", ".github/evidence.yml", "version: 1\nmode: report\n")
	g.send("push", `{"ref":"refs/heads/main","commits":[{"modified":[".github/evidence.yml"]}],`)
	g.concludes("success")

	g.World().Installation("acme").Uninstall()
	g.until("the texts are gone", func() bool { return len(g.remembered()) == 0 })
}

// send sends a made-up event of the repository.
func (g *gate) send(event, start string) {
	g.Helper()
	payload := fmt.Sprintf(`%s"repository":{"id":%d,"full_name":%q,"default_branch":"main"},"installation":{"id":%d},"sender":{"login":"lead","type":"User"}}`,
		start, g.repo.ID(), g.repo.FullName(), g.World().Installation("acme").ID())
	sent, err := g.Webhooks().Send(g.Context(), event, []byte(payload))
	require.NoError(g, err)
	require.Equal(g, 202, sent.Answers[0].Status, sent.Answers[0].Body)
}

func (g *gate) until(what string, condition func() bool) {
	g.Helper()
	require.Eventually(g, condition, patient, 5*time.Millisecond, what)
}

// TestRerunningTheWholeSuiteIsAnswered: GitHub resets the runs of the suite and waits for an update, also
// where nothing changed.
func TestRerunningTheWholeSuiteIsAnswered(t *testing.T) {
	t.Parallel()
	g := runningGate(t)
	before := g.run()
	g.repo.RerequestSuite("eng", g.pull.HeadSHA())
	g.waitFor("the run is updated", func() bool { return g.run().Updates > before.Updates })
	require.Equal(t, before.Conclusion, g.run().Conclusion)
}

// TestASuspensionEndsAndWorkGoesOn: what happened meanwhile was never told, and what was tried was given
// up; other installations do not notice.
func TestASuspensionEndsAndWorkGoesOn(t *testing.T) {
	t.Parallel()
	g := runningGate(t)
	other := g.World().AddRepository("globex/gears", githubtest.RepositoryOptions{})
	other.SetFile("main", ".github/evidence.yml", onePolicy)

	g.World().Installation("acme").Suspend()
	pushed := g.pull.Push("eng", githubtest.Commit{})
	elsewhere := other.OpenPullRequest(githubtest.PullRequestOptions{Author: "eng"})
	g.waitFor("the other installation", func() bool { return len(other.CheckRuns(elsewhere.HeadSHA())) == 1 })
	require.Empty(t, g.repo.CheckRuns(pushed))

	g.World().Installation("acme").Unsuspend()
	g.waitFor("the work is taken up", func() bool { return len(g.repo.CheckRuns(pushed)) == 1 })
}

// TestADeadLetterIsTriedAgainByHand beside the running service.
func TestADeadLetterIsTriedAgainByHand(t *testing.T) {
	t.Parallel()
	r := start(t)
	r.github.fail("snapshot", &github.Error{Kind: github.Forbidden, Permission: "pull requests: read", Message: "grant it"})
	r.deliveryIs(r.accept("pull_request", pullRequest("opened", 42, headA)), "failed")
	require.True(t, r.metric("evidence_gate_dead_letters 1"))
	letters, err := store.OpenLetters(t.Context(), r.path, time.Now)
	require.NoError(t, err)
	defer letters.Close()
	list, err := letters.List(t.Context(), false)
	require.NoError(t, err)
	require.Len(t, list, 1)
	require.Contains(t, list[0].Reason, "grant it")
	count, err := letters.Retry(t.Context(), list[0].ID)
	require.NoError(t, err)
	require.Equal(t, 1, count)
	r.publishes("success")
	r.until("no dead letter is left", func() bool { return r.metric("evidence_gate_dead_letters 0") })
}
