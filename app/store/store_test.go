package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

var noon = time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)

// queued notes what the store asked to be queued.
type queued struct {
	mu   sync.Mutex
	jobs []int64
	fail error
}

func (q *queued) enqueue(_ context.Context, _ *sql.Tx, targets []Target) error {
	q.mu.Lock()
	defer q.mu.Unlock()
	for _, t := range targets {
		q.jobs = append(q.jobs, t.ID)
	}
	return q.fail
}

func open(t *testing.T) (*Store, *queued) {
	t.Helper()
	return openAt(t, filepath.Join(t.TempDir(), "gate ?#%.db"))
}

func openAt(t *testing.T, path string) (*Store, *queued) {
	t.Helper()
	s, err := Open(t.Context(), path, func() time.Time { return noon })
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, s.Close()) })
	q := &queued{}
	s.SetEnqueue(q.enqueue)
	return s, q
}

func pull(number int) Change {
	return Change{Subject: Numbered(5, PullRequest, number), InstallationID: 9, Owner: "acme", Repository: "widgets", At: noon}
}

func delivery(guid string, changes ...Change) Delivery {
	return Delivery{GUID: guid, Event: "pull_request", Action: "edited", RepositoryID: 5, ReceivedAt: noon, Changes: changes}
}

func accept(t *testing.T, s *Store, d Delivery) Receipt {
	t.Helper()
	receipt, err := s.Accept(t.Context(), d)
	require.NoError(t, err)
	return receipt
}

func find(t *testing.T, s *Store, c Change) Target {
	t.Helper()
	target, err := s.Find(t.Context(), c.Subject)
	require.NoError(t, err)
	return target
}

func state(t *testing.T, s *Store, guid string) string {
	t.Helper()
	state, err := s.DeliveryState(t.Context(), guid)
	require.NoError(t, err)
	return state
}

func nothing(context.Context, *sql.Tx) error { return nil }

func finish(t *testing.T, s *Store, target Target) (again bool) {
	t.Helper()
	again, err := s.Finish(t.Context(), target, Judged{}, nothing)
	require.NoError(t, err)
	return again
}

func TestADeliveryIsDoneWithItsWork(t *testing.T) {
	t.Parallel()
	s, q := open(t)
	require.Equal(t, Accepted, accept(t, s, delivery("d1", pull(42))))
	require.Equal(t, "open", state(t, s, "d1"))
	target := find(t, s, pull(42))
	require.Equal(t, []int64{target.ID}, q.jobs)

	completed := false
	again, err := s.Finish(t.Context(), target, Judged{HeadSHA: "abc"}, func(context.Context, *sql.Tx) error {
		completed = true
		return nil
	})
	require.NoError(t, err)
	require.False(t, again)
	require.True(t, completed)
	require.Equal(t, "done", state(t, s, "d1"))
	require.Equal(t, "abc", find(t, s, pull(42)).HeadSHA)

	require.Equal(t, AlreadyDone, accept(t, s, delivery("d1", pull(42))), "a redelivery of a done one")
	require.Len(t, q.jobs, 1, "no work for it")
	require.Empty(t, state(t, s, "unknown"))
}

func TestAFailedCompletionLeavesTheDeliveryOpen(t *testing.T) {
	t.Parallel()
	s, _ := open(t)
	accept(t, s, delivery("d1", pull(42)))
	_, err := s.Finish(t.Context(), find(t, s, pull(42)), Judged{}, func(context.Context, *sql.Tx) error { return errors.New("no") })
	require.ErrorContains(t, err, "no")
	require.Equal(t, "open", state(t, s, "d1"))
	require.Zero(t, find(t, s, pull(42)).Handled)
}

func TestAFailureToQueueTakesTheDeliveryBack(t *testing.T) {
	t.Parallel()
	s, q := open(t)
	q.fail = errors.New("queue is full")
	_, err := s.Accept(t.Context(), delivery("d1", pull(42)))
	require.ErrorContains(t, err, "queue is full")
	require.Empty(t, state(t, s, "d1"))
	_, err = s.Find(t.Context(), pull(42).Subject)
	require.ErrorIs(t, err, ErrNoTarget)
}

func TestAChangeDuringARunLeadsToAnother(t *testing.T) {
	t.Parallel()
	s, _ := open(t)
	accept(t, s, delivery("before", pull(42)))
	seen := find(t, s, pull(42))
	accept(t, s, delivery("during", pull(42)))

	again, err := s.Finish(t.Context(), seen, Judged{}, func(context.Context, *sql.Tx) error {
		t.Error("the job must not be completed")
		return nil
	})
	require.NoError(t, err)
	require.True(t, again)
	require.Equal(t, "done", state(t, s, "before"), "its change was seen")
	require.Equal(t, "open", state(t, s, "during"))

	require.False(t, finish(t, s, find(t, s, pull(42))))
	require.Equal(t, "done", state(t, s, "during"))
}

func TestAHeadAnnouncedDuringARunStands(t *testing.T) {
	t.Parallel()
	s, _ := open(t)
	pushed := func(guid, head string) {
		change := pull(42)
		change.HeadSHA = head
		accept(t, s, delivery(guid, change))
	}
	pushed("d1", "old")
	seen := find(t, s, pull(42))
	pushed("d2", "new")

	again, err := s.Finish(t.Context(), seen, Judged{HeadSHA: "old"}, nothing)
	require.NoError(t, err)
	require.True(t, again)
	require.Equal(t, "new", find(t, s, pull(42)).HeadSHA)
}

func TestADeliveryWaitsForAllItsPullRequests(t *testing.T) {
	t.Parallel()
	s, q := open(t)
	accept(t, s, delivery("d1", pull(1), pull(2)))
	require.Len(t, q.jobs, 2)
	finish(t, s, find(t, s, pull(1)))
	require.Equal(t, "open", state(t, s, "d1"))
	finish(t, s, find(t, s, pull(2)))
	require.Equal(t, "done", state(t, s, "d1"))
}

func TestGivingUp(t *testing.T) {
	t.Parallel()
	s, q := open(t)
	accept(t, s, delivery("d1", pull(42), pull(7)))
	target := find(t, s, pull(42))
	again, err := s.Fail(t.Context(), target, "permission is missing", nothing)
	require.NoError(t, err)
	require.False(t, again)
	require.Equal(t, "failed", state(t, s, "d1"))
	require.Equal(t, "permission is missing", find(t, s, pull(42)).Failure)
	finish(t, s, find(t, s, pull(7)))
	require.Equal(t, "failed", state(t, s, "d1"), "the rest of its work does not make it done")

	figures, err := s.Figures(t.Context())
	require.NoError(t, err)
	require.Equal(t, 1, figures.DeadLetters)
	require.Zero(t, figures.Waiting)
	require.Equal(t, map[string]int{"failed": 1}, figures.Deliveries)

	require.NoError(t, s.Requeue(t.Context()))
	require.Len(t, q.jobs, 2, "what was given up is not taken up at the start")

	require.Equal(t, Accepted, accept(t, s, delivery("d1", pull(42))), "a redelivery of a failed one is processed")
	require.Len(t, q.jobs, 3)
	require.Empty(t, find(t, s, pull(42)).Failure)
	finish(t, s, find(t, s, pull(42)))
	require.Equal(t, "done", state(t, s, "d1"))
}

func TestWhatChangedMeanwhileIsNotGivenUp(t *testing.T) {
	t.Parallel()
	s, _ := open(t)
	accept(t, s, delivery("d1", pull(42)))
	seen := find(t, s, pull(42))
	accept(t, s, delivery("d2", pull(42)))
	again, err := s.Fail(t.Context(), seen, "no", func(context.Context, *sql.Tx) error {
		t.Error("the job must not be discarded")
		return nil
	})
	require.NoError(t, err)
	require.True(t, again)
	require.Empty(t, find(t, s, pull(42)).Failure)
	require.Equal(t, "open", state(t, s, "d1"))
}

func TestResolvingHandsTheDeliveryOver(t *testing.T) {
	t.Parallel()
	s, q := open(t)
	head := Change{Subject: Subject{RepositoryID: 5, Kind: Head, Name: "abc"}, Owner: "acme", Repository: "widgets", InstallationID: 9, Rerun: true, At: noon}
	accept(t, s, delivery("d1", head))
	again, err := s.Resolve(t.Context(), find(t, s, head), []int{3, 4}, nothing)
	require.NoError(t, err)
	require.False(t, again)
	require.Equal(t, "open", state(t, s, "d1"))
	three, four := find(t, s, pull(3)), find(t, s, pull(4))
	require.Equal(t, []int64{find(t, s, head).ID, three.ID, four.ID}, q.jobs)
	require.Equal(t, "abc", three.HeadSHA)
	require.True(t, three.Rerun, "a person's re-run reaches the pull request")
	require.EqualValues(t, 9, three.InstallationID)

	finish(t, s, three)
	require.Equal(t, "open", state(t, s, "d1"))
	finish(t, s, four)
	require.Equal(t, "done", state(t, s, "d1"))
	require.False(t, find(t, s, pull(3)).Rerun, "only once")
}

func TestResolvingToNothingIsDone(t *testing.T) {
	t.Parallel()
	s, _ := open(t)
	issue := Change{Subject: Numbered(5, Issue, 7), Owner: "acme", Repository: "widgets", At: noon}
	accept(t, s, delivery("d1", issue))
	_, err := s.Resolve(t.Context(), find(t, s, issue), nil, nothing)
	require.NoError(t, err)
	require.Equal(t, "done", state(t, s, "d1"))
}

func TestLinkedTasksAreRemembered(t *testing.T) {
	t.Parallel()
	s, _ := open(t)
	accept(t, s, delivery("d1", pull(3), pull(4)))
	judged := func(number int, tasks ...string) {
		_, err := s.Finish(t.Context(), find(t, s, pull(number)), Judged{Tasks: tasks}, nothing)
		require.NoError(t, err)
	}
	linked := func(repository int64) []int {
		numbers, err := s.LinkedPullRequests(t.Context(), repository, "acme/widgets#7")
		require.NoError(t, err)
		return numbers
	}
	judged(3, "acme/widgets#7", "acme/widgets#7", "acme/other#1")
	judged(4, "acme/widgets#7")
	require.Equal(t, []int{3, 4}, linked(5))
	require.Empty(t, linked(6), "of this repository only")
	judged(3)
	require.Equal(t, []int{3, 4}, linked(5), "nil keeps them")
	_, err := s.Finish(t.Context(), find(t, s, pull(3)), Judged{Tasks: []string{}}, nothing)
	require.NoError(t, err)
	require.Equal(t, []int{4}, linked(5))
}

func TestTheWaitStartsAnewAfterARun(t *testing.T) {
	t.Parallel()
	s, _ := open(t)
	at := func(seconds int) Change {
		c := pull(42)
		c.At = noon.Add(time.Duration(seconds) * time.Second)
		return c
	}
	accept(t, s, delivery("d1", at(1)))
	accept(t, s, delivery("d2", at(2)))
	target := find(t, s, pull(42))
	require.Equal(t, noon.Add(time.Second), target.FirstEventAt)
	require.Equal(t, noon.Add(2*time.Second), target.LastEventAt)
	require.EqualValues(t, 2, target.Changes)
	finish(t, s, target)
	accept(t, s, delivery("d3", at(60)))
	require.Equal(t, noon.Add(time.Minute), find(t, s, pull(42)).FirstEventAt)
}

func TestOnlyOneProcessHasTheFile(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "gate.db")
	s, err := Open(t.Context(), path, time.Now)
	require.NoError(t, err)
	_, err = Open(t.Context(), path, time.Now)
	require.ErrorIs(t, err, ErrLocked)
	require.ErrorContains(t, err, "database_url")
	require.NoError(t, s.Close())
	require.NoError(t, s.Close(), "closing twice is fine")

	info, err := os.Stat(path)
	require.NoError(t, err)
	require.EqualValues(t, 0o600, info.Mode().Perm(), "nobody else reads it")

	again, err := Open(t.Context(), path, time.Now)
	require.NoError(t, err, "released, and migrated already")
	require.NoError(t, again.Close())
}

func TestOpenNamesTheFolderThatIsMissing(t *testing.T) {
	t.Parallel()
	_, err := Open(t.Context(), filepath.Join(t.TempDir(), "missing", "gate.db"), time.Now)
	require.ErrorContains(t, err, "missing")
}

func TestDurability(t *testing.T) {
	t.Parallel()
	s, _ := open(t)
	var journal, synchronous, keys string
	require.NoError(t, s.db.QueryRow("PRAGMA journal_mode").Scan(&journal))
	require.NoError(t, s.db.QueryRow("PRAGMA foreign_keys").Scan(&keys))
	require.Equal(t, "wal", journal)
	require.Equal(t, "1", keys)

	const full, normal = "2", "1"
	s.SetEnqueue(func(ctx context.Context, tx *sql.Tx, _ []Target) error {
		return tx.QueryRowContext(ctx, "PRAGMA synchronous").Scan(&synchronous)
	})
	accept(t, s, delivery("d1", pull(42)))
	require.Equal(t, full, synchronous, "what is answered 202 is flushed to the disk")
	require.NoError(t, s.db.QueryRow("PRAGMA synchronous").Scan(&synchronous))
	require.Equal(t, normal, synchronous)
}

func TestWhatARunLeftIsTakenUp(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "gate.db")
	s, _ := openAt(t, path)
	accept(t, s, delivery("d1", pull(42)))
	_, err := s.db.Exec(`INSERT INTO river_job (kind, max_attempts, state, attempt, scheduled_at) VALUES ('evaluate', 25, 'running', 3, '2020-01-01')`)
	require.NoError(t, err)
	_, err = s.db.Exec(`INSERT INTO river_leader (name, leader_id, elected_at, expires_at) VALUES ('default', 'dead', '2026-01-01', '2099-01-01')`)
	require.NoError(t, err)
	require.NoError(t, s.Close())

	s, q := openAt(t, path)
	var jobState string
	var attempt, leaders int
	require.NoError(t, s.db.QueryRow(`SELECT state, attempt FROM river_job`).Scan(&jobState, &attempt))
	require.Equal(t, "available", jobState)
	require.Equal(t, 2, attempt, "the attempt that was cut off does not count")
	require.NoError(t, s.db.QueryRow(`SELECT count(*) FROM river_leader`).Scan(&leaders))
	require.Zero(t, leaders)
	require.NoError(t, s.Requeue(t.Context()))
	require.Equal(t, []int64{find(t, s, pull(42)).ID}, q.jobs)
}

func TestDeliveriesShareCommitsAndNoneIsLost(t *testing.T) {
	t.Parallel()
	s, _ := open(t)
	const many = 300
	var senders sync.WaitGroup
	for i := range many {
		senders.Go(func() {
			_, err := s.Accept(t.Context(), delivery(fmt.Sprintf("d%d", i), pull(1+i%10)))
			if err != nil {
				t.Error(err)
			}
		})
	}
	senders.Wait()
	figures, err := s.Figures(t.Context())
	require.NoError(t, err)
	require.Equal(t, many, figures.Deliveries["open"])
	require.Equal(t, 10, figures.Waiting)
	require.EqualValues(t, many/10, find(t, s, pull(1)).Changes)
}

func TestOneBadDeliveryDoesNotTakeOthersAlong(t *testing.T) {
	t.Parallel()
	bad := pull(1)
	bad.Kind = "nonsense"
	s, _ := open(t)
	receipts, err := s.acceptTogether(t.Context(), []Delivery{delivery("good", pull(1)), delivery("bad", bad)})
	require.Error(t, err, "%v", receipts)

	g := &group{commit: s.acceptTogether}
	good, refused := make(chan answer, 1), make(chan answer, 1)
	g.write([]request{{delivery("good", pull(1)), good}, {delivery("bad", bad), refused}})
	require.NoError(t, (<-good).err)
	require.Error(t, (<-refused).err)
	require.Equal(t, "open", state(t, s, "good"))
	require.Empty(t, state(t, s, "bad"))
}

func TestAClosedStoreSaysSo(t *testing.T) {
	t.Parallel()
	s, _ := open(t)
	require.NoError(t, s.Writable(t.Context()))
	require.NoError(t, s.Close())
	_, err := s.Accept(t.Context(), delivery("d1", pull(42)))
	require.ErrorIs(t, err, ErrClosed)
	require.Error(t, s.Writable(t.Context()))
}

func TestPrune(t *testing.T) {
	t.Parallel()
	s, _ := open(t)
	head := Change{Subject: Subject{RepositoryID: 5, Kind: Head, Name: "abc"}, At: noon}
	accept(t, s, delivery("done", head))
	accept(t, s, delivery("open", pull(1)))
	finish(t, s, find(t, s, head))
	require.NoError(t, s.Prune(t.Context(), noon), "nothing is old enough")
	require.Equal(t, "done", state(t, s, "done"))
	require.NoError(t, s.Prune(t.Context(), noon.Add(time.Second)))
	require.Empty(t, state(t, s, "done"))
	require.Equal(t, "open", state(t, s, "open"), "unfinished work stays")
	_, err := s.Find(t.Context(), head.Subject)
	require.ErrorIs(t, err, ErrNoTarget)
}
