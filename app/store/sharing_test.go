package store

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func judge(t *testing.T, s *Store, number int, judged Judged) {
	t.Helper()
	_, err := s.Finish(t.Context(), find(t, s, pull(number)), judged, nothing)
	require.NoError(t, err)
}

func sharing(t *testing.T, s *Store, number int, sha string) (numbers []int) {
	t.Helper()
	others, err := s.SharingHead(t.Context(), find(t, s, pull(number)), sha)
	require.NoError(t, err)
	for _, other := range others {
		numbers = append(numbers, other.Number())
	}
	return numbers
}

func TestPullRequestsThatShareAHead(t *testing.T) {
	t.Parallel()
	s, _ := open(t)
	for number, head := range map[int]string{1: "one", 2: "one", 3: "two", 4: ""} {
		change := pull(number)
		change.HeadSHA = head
		accept(t, s, delivery(change.Name, change))
	}
	require.Equal(t, []int{2}, sharing(t, s, 1, "one"), "announced is enough")
	require.Empty(t, sharing(t, s, 4, ""), "no head is no head to share")

	judge(t, s, 3, Judged{HeadSHA: "one"})
	moved := pull(3)
	moved.HeadSHA = "three"
	accept(t, s, delivery("moved", moved))
	require.ElementsMatch(t, []int{2, 3}, sharing(t, s, 1, "one"), "the head that was judged last counts until the new one is")
	judge(t, s, 3, Judged{HeadSHA: "three", Again: []int{1}})
	require.Equal(t, []int{2}, sharing(t, s, 1, "one"))
	require.EqualValues(t, 2, find(t, s, pull(1)).Changes, "who shared the former head is looked at again")

	judge(t, s, 2, Judged{Closed: true})
	require.Empty(t, sharing(t, s, 1, "one"))
	other := pull(1)
	other.RepositoryID = 6
	other.HeadSHA = "one"
	accept(t, s, delivery("elsewhere", other))
	require.Empty(t, sharing(t, s, 1, "one"), "another repository has check runs of its own")
}

func TestTheHeadOfAReopenedPullRequestIsNotForgotten(t *testing.T) {
	t.Parallel()
	s, _ := open(t)
	accept(t, s, delivery("closed", pull(1)))
	seen := find(t, s, pull(1))
	reopened := pull(1)
	reopened.HeadSHA = "new"
	accept(t, s, delivery("reopened", reopened))
	_, err := s.Finish(t.Context(), seen, Judged{Closed: true}, nothing)
	require.NoError(t, err)
	require.Equal(t, "new", find(t, s, pull(1)).HeadSHA)
}

func TestSinceWhenAVerdictWaits(t *testing.T) {
	t.Parallel()
	s, _ := open(t)
	now := noon
	s.now = func() time.Time { return now }
	accept(t, s, delivery("d", pull(1)))
	since := func(judged Judged) time.Time {
		now = now.Add(time.Hour)
		judge(t, s, 1, judged)
		return find(t, s, pull(1)).PendingSince
	}
	require.Zero(t, since(Judged{HeadSHA: "a"}))
	started := since(Judged{HeadSHA: "a", Pending: true})
	require.Equal(t, now, started)
	require.Equal(t, started, since(Judged{HeadSHA: "a", Pending: true}), "it goes on")
	require.Equal(t, now.Add(time.Hour), since(Judged{HeadSHA: "b", Pending: true}), "another head waits anew")
	rerun := pull(1)
	rerun.Rerun = true
	accept(t, s, delivery("rerun", rerun))
	require.Equal(t, now.Add(time.Hour), since(Judged{HeadSHA: "b", Pending: true}), "so does a person's re-run")
	require.Zero(t, since(Judged{HeadSHA: "b"}), "and it ends with a verdict")
}

func TestWhatIsOverdueIsLookedAtOnce(t *testing.T) {
	t.Parallel()
	s, q := open(t)
	now := noon
	s.now = func() time.Time { return now }
	accept(t, s, delivery("d", pull(1), pull(2)))
	judge(t, s, 1, Judged{HeadSHA: "a", Pending: true})
	judge(t, s, 2, Judged{HeadSHA: "b"})
	overdue := func() int {
		before := len(q.jobs)
		require.NoError(t, s.Overdue(t.Context(), 24*time.Hour))
		return len(q.jobs) - before
	}
	now = noon.Add(23 * time.Hour)
	require.Zero(t, overdue())
	now = noon.Add(24 * time.Hour)
	require.Equal(t, 1, overdue())
	require.EqualValues(t, 2, find(t, s, pull(1)).Changes)
	require.Zero(t, overdue(), "once is enough")
	judge(t, s, 1, Judged{HeadSHA: "a", Pending: true})
	now = noon.Add(30 * time.Hour)
	require.Zero(t, overdue(), "it was concluded though what it waits for did not come")
	require.Equal(t, noon, find(t, s, pull(1)).PendingSince)
}
