package worker

import (
	"errors"
	"fmt"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/evidence-gate/evidence-gate/app/publish"
)

func TestKnownRuns(t *testing.T) {
	t.Parallel()
	var runs knownRuns
	published := func(id int64, err error) (known *publish.Published) {
		_, got := runs.publish(5, "abc", func(k *publish.Published) (publish.Outcome, error) {
			known = k
			return publish.Outcome{Run: publish.Published{ID: id}}, err
		})
		require.Equal(t, err, got)
		return known
	}
	require.Nil(t, published(1, nil))
	require.EqualValues(t, 1, published(2, nil).ID)
	require.EqualValues(t, 2, published(3, errors.New("timeout")).ID)
	require.Nil(t, published(4, nil), "after a failure nobody knows what GitHub has")

	_, err := runs.publish(6, "abc", func(k *publish.Published) (publish.Outcome, error) {
		require.Nil(t, k, "of another repository")
		return publish.Outcome{}, nil
	})
	require.NoError(t, err)
}

func TestKnownRunsAreBounded(t *testing.T) {
	t.Parallel()
	var runs knownRuns
	for i := range maxKnownRuns + 10 {
		runs.put(commit{5, fmt.Sprint(i)}, publish.Published{ID: int64(i)})
	}
	require.Len(t, runs.known, maxKnownRuns)
}

func TestOneHeadIsPublishedOneAtATime(t *testing.T) {
	t.Parallel()
	var runs knownRuns
	var workers sync.WaitGroup
	busy, order := 0, int64(0) // not guarded by anything but the lock under test
	for range 50 {
		workers.Go(func() {
			_, _ = runs.publish(5, "abc", func(k *publish.Published) (publish.Outcome, error) {
				busy++
				if busy != 1 || (k == nil) != (order == 0) || k != nil && k.ID != order {
					t.Errorf("%d at a time, known %v, expected %d", busy, k, order)
				}
				order++
				busy--
				return publish.Outcome{Run: publish.Published{ID: order}}, nil
			})
		})
	}
	workers.Wait()
}
