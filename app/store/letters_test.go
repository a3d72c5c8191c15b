package store

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func letters(t *testing.T, path string) *Letters {
	t.Helper()
	l, err := OpenLetters(t.Context(), path, func() time.Time { return noon })
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, l.Close()) })
	return l
}

// TestDeadLettersBesideARunningService: the service has the database open all the while.
func TestDeadLettersBesideARunningService(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "gate.db")
	s, q := openAt(t, path)
	installation := Change{Subject: Subject{Kind: Installation, Name: "9"}, InstallationID: 9, Owner: "acme", At: noon.Add(time.Second)}
	accept(t, s, delivery("d1", pull(1), pull(2), installation))
	for _, change := range []Change{pull(1), installation} {
		_, err := s.Fail(t.Context(), find(t, s, change), "permission is missing", nothing)
		require.NoError(t, err)
	}
	l := letters(t, path)
	list, err := l.List(t.Context(), false)
	require.NoError(t, err)
	require.Equal(t, []Letter{
		{ID: find(t, s, pull(1)).ID, Kind: PullRequest, Repository: "acme/widgets", Name: "1", State: Failed, Since: noon, FailedAt: noon, Reason: "permission is missing"},
		{ID: find(t, s, installation).ID, Kind: Installation, Repository: "acme", Name: "9", State: Failed, Since: noon.Add(time.Second), FailedAt: noon, Reason: "permission is missing"},
	}, list)
	all, err := l.List(t.Context(), true)
	require.NoError(t, err)
	require.Len(t, all, 3)

	before := len(q.jobs)
	count, err := l.Retry(t.Context(), list[0].ID, find(t, s, pull(2)).ID, 4711)
	require.NoError(t, err)
	require.Equal(t, 1, count, "only what was given up")
	require.NoError(t, s.Wake(t.Context()))
	require.Equal(t, []int64{list[0].ID}, q.jobs[before:])
	require.Empty(t, find(t, s, pull(1)).Failure)
	count, err = l.Retry(t.Context())
	require.NoError(t, err)
	require.Equal(t, 1, count)
	require.NoError(t, s.Wake(t.Context()))
	list, err = l.List(t.Context(), false)
	require.NoError(t, err)
	require.Empty(t, list)
}

func TestLettersOfWhatIsNoDatabaseOfTheService(t *testing.T) {
	t.Parallel()
	_, err := OpenLetters(t.Context(), filepath.Join(t.TempDir(), "gate.db"), time.Now)
	require.ErrorContains(t, err, "there is none")
	path := filepath.Join(t.TempDir(), "gate.db")
	require.NoError(t, os.WriteFile(path, nil, 0o600))
	_, err = OpenLetters(t.Context(), path, time.Now)
	require.ErrorContains(t, err, "no database of this version")
	old, _ := oldDatabase(t, 3)
	_, err = OpenLetters(t.Context(), old, time.Now)
	require.ErrorContains(t, err, "no database of this version")
}
