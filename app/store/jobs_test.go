package store

import (
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

func addJob(t *testing.T, s *Store, state, due string) {
	t.Helper()
	_, err := s.DB().ExecContext(t.Context(), `INSERT INTO river_job
		(args, attempt, kind, max_attempts, priority, queue, state, scheduled_at, created_at)
		VALUES ('{}', 3, 'evaluate', 10, 1, 'events', $1, datetime('now', 'subsec', $2), datetime('now', 'subsec'))`, state, due)
	require.NoError(t, err)
}

func TestAJobIsDueAtItsTime(t *testing.T) {
	t.Parallel()
	s, _ := open(t)
	due := func(queue string) bool {
		is, err := s.JobDue(t.Context(), queue)
		require.NoError(t, err)
		return is
	}
	require.False(t, due("events"), "an empty queue")
	addJob(t, s, "available", "+1 hour")
	addJob(t, s, "running", "-1 hour")
	require.False(t, due("events"))
	addJob(t, s, "available", "-1 second")
	require.True(t, due("events"))
	require.False(t, due("sweeps"))
}

// TestAStartTakesUpWhatFailedBefore: it may be the repair; what waits as GitHub asked goes on waiting.
func TestAStartTakesUpWhatFailedBefore(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "gate.db")
	first, _ := openAt(t, path)
	addJob(t, first, "retryable", "+9 minutes")
	require.NoError(t, first.Close())
	second, _ := openAt(t, path)
	due, err := second.JobDue(t.Context(), "events")
	require.NoError(t, err)
	require.True(t, due)

	require.NoError(t, second.Close())
	other := filepath.Join(t.TempDir(), "gate.db")
	first, _ = openAt(t, other)
	addJob(t, first, "scheduled", "+1 hour")
	require.NoError(t, first.Close())
	second, _ = openAt(t, other)
	due, err = second.JobDue(t.Context(), "events")
	require.NoError(t, err)
	require.False(t, due)
}
