package sweep

import (
	"context"
	"log/slog"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/evidence-gate/evidence-gate/app/store"
	"github.com/evidence-gate/evidence-gate/internal/github"
)

var noon = time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)

// world is a GitHub with installations, and a store that records what was swept.
type world struct {
	installations []github.Installation
	repositories  map[int64][]github.InstalledRepository
	open          map[string][]github.OpenPullRequest
	failures      map[string]error
	verdicts      map[int64]map[int]store.Verdict
	backlogs      []int
	asked         []string
	swept         []store.Change
}

func (w *world) Installations(context.Context) ([]github.Installation, error) {
	return w.installations, w.failures["installations"]
}

func (w *world) Repositories(_ context.Context, id int64) ([]github.InstalledRepository, error) {
	return w.repositories[id], w.failures[w.account(id)]
}

func (w *world) account(id int64) string {
	for _, i := range w.installations {
		if i.ID == id {
			return i.Account
		}
	}
	return ""
}

func (w *world) Open(_ context.Context, _ int64, repo github.Repo) ([]github.OpenPullRequest, error) {
	w.asked = append(w.asked, repo.String())
	return w.open[repo.String()], w.failures[repo.String()]
}

func (w *world) Verdicts(_ context.Context, id int64) (map[int]store.Verdict, error) {
	return w.verdicts[id], nil
}

func (w *world) Sweep(_ context.Context, changes []store.Change) error {
	w.swept = append(w.swept, changes...)
	return nil
}

func (w *world) Backlog(context.Context) (int, error) {
	if len(w.backlogs) == 0 {
		return 0, nil
	}
	next := w.backlogs[0]
	w.backlogs = w.backlogs[1:]
	return next, nil
}

func (w *world) sweeper() *Sweeper {
	return &Sweeper{GitHub: w, Store: w, Log: slog.New(slog.DiscardHandler), Now: func() time.Time { return noon }}
}

func repo(id int64, owner, name string) github.InstalledRepository {
	return github.InstalledRepository{ID: id, Repo: github.Repo{Owner: owner, Name: name}}
}

func TestWhatIsCurrent(t *testing.T) {
	t.Parallel()
	pr := github.OpenPullRequest{Number: 1, HeadSHA: "head"}
	rows := []struct {
		rule  string
		known map[int]store.Verdict
		want  bool
	}{
		{"never heard of", nil, false},
		{"judged on this head", map[int]store.Verdict{1: {HeadSHA: "head"}}, true},
		{"judged on another head", map[int]store.Verdict{1: {HeadSHA: "old"}}, false},
		{"never judged, though known", map[int]store.Verdict{1: {}}, false},
		{"work is waiting", map[int]store.Verdict{1: {HeadSHA: "old", Waiting: true}}, true},
		{"given up just now", map[int]store.Verdict{1: {HeadSHA: "head", Waiting: true, FailedAt: noon.Add(-time.Minute)}}, true},
		{"given up some time ago", map[int]store.Verdict{1: {HeadSHA: "head", Waiting: true, FailedAt: noon.Add(-time.Hour)}}, false},
		{"another pull request", map[int]store.Verdict{2: {HeadSHA: "head"}}, false},
	}
	for _, row := range rows {
		require.Equal(t, row.want, current(row.known, pr, noon), row.rule)
	}
}

func TestAPassFindsWhatIsNotCurrent(t *testing.T) {
	t.Parallel()
	archived := repo(3, "acme", "old")
	archived.Archived = true
	w := &world{
		installations: []github.Installation{{ID: 9, Account: "acme"}},
		repositories:  map[int64][]github.InstalledRepository{9: {repo(5, "acme", "widgets"), archived}},
		open:          map[string][]github.OpenPullRequest{"acme/widgets": {{Number: 1, HeadSHA: "a"}, {Number: 2, HeadSHA: "b"}}},
		verdicts:      map[int64]map[int]store.Verdict{5: {1: {HeadSHA: "a"}}},
	}
	found, err := w.sweeper().Pass(t.Context())
	require.NoError(t, err)
	require.Equal(t, 1, found)
	require.Equal(t, []store.Change{{
		Subject: store.Numbered(5, store.PullRequest, 2), InstallationID: 9, Owner: "acme", Repository: "widgets", HeadSHA: "b", At: noon,
	}}, w.swept)
	require.Equal(t, []string{"acme/widgets"}, w.asked, "nothing can be written to an archived one")
}

func TestOneInstallationNeverStopsAnother(t *testing.T) {
	t.Parallel()
	w := &world{
		installations: []github.Installation{{ID: 1, Account: "broken"}, {ID: 2, Account: "asleep", Suspended: true}, {ID: 3, Account: "limited"}, {ID: 4, Account: "acme"}},
		repositories: map[int64][]github.InstalledRepository{
			2: {repo(20, "asleep", "one")}, 3: {repo(30, "limited", "one"), repo(31, "limited", "two")},
			4: {repo(40, "acme", "gone"), repo(41, "acme", "widgets")},
		},
		open: map[string][]github.OpenPullRequest{"acme/widgets": {{Number: 1, HeadSHA: "a"}}},
		failures: map[string]error{
			"broken":      &github.Error{Kind: github.Forbidden, Message: "no"},
			"limited/one": &github.Error{Kind: github.RateLimited, Message: "wait"},
			"acme/gone":   &github.Error{Kind: github.NotFound, Message: "there is none"},
		},
	}
	found, err := w.sweeper().Pass(t.Context())
	require.NoError(t, err)
	require.Equal(t, 1, found)
	require.Equal(t, []string{"limited/one", "acme/gone", "acme/widgets"}, w.asked, "a rate limit ends that installation's turn only")

	w.failures["installations"] = &github.Error{Kind: github.Unavailable, Message: "down"}
	_, err = w.sweeper().Pass(t.Context())
	require.Error(t, err)
}

// TestRequestsAreBoundedAndEveryRepositoryHasItsTurn in the passes that follow.
func TestRequestsAreBoundedAndEveryRepositoryHasItsTurn(t *testing.T) {
	t.Parallel()
	w := &world{installations: []github.Installation{{ID: 9, Account: "acme"}}, repositories: map[int64][]github.InstalledRepository{}}
	const repositories = 2*mostRepositories + mostRepositories/2
	for i := range repositories {
		w.repositories[9] = append(w.repositories[9], repo(int64(i+1), "acme", "r"+time.Duration(i).String()))
	}
	s := w.sweeper()
	seen := map[string]int{}
	for range 5 {
		w.asked = nil
		_, err := s.Pass(t.Context())
		require.NoError(t, err)
		require.Len(t, w.asked, mostRepositories)
		for _, name := range w.asked {
			seen[name]++
		}
	}
	require.Len(t, seen, repositories)
	for name, times := range seen {
		require.Equal(t, 2, times, name)
	}
}

func TestASweepWaitsForItsBacklog(t *testing.T) {
	t.Parallel()
	w := &world{
		installations: []github.Installation{{ID: 9, Account: "acme"}},
		repositories:  map[int64][]github.InstalledRepository{9: {repo(5, "acme", "widgets")}},
		open:          map[string][]github.OpenPullRequest{}, backlogs: []int{0, mostBacklog, mostBacklog - 1},
	}
	for number := range mostBacklog + 5 {
		w.open["acme/widgets"] = append(w.open["acme/widgets"], github.OpenPullRequest{Number: number + 1, HeadSHA: "a"})
	}
	found, err := w.sweeper().Pass(t.Context())
	require.NoError(t, err)
	require.Equal(t, mostBacklog+5, found)
	require.Empty(t, w.backlogs)

	w.backlogs = []int{mostBacklog}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err = w.sweeper().Pass(ctx)
	require.ErrorIs(t, err, context.Canceled)
}

func TestThePauseIsAboutTheOneAskedFor(t *testing.T) {
	t.Parallel()
	for range 100 {
		require.InDelta(t, 300, jittered(5*time.Minute).Seconds(), 30.1)
	}
}
