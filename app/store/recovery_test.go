package store

import (
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestWhenDeliveriesWereLookedThroughIsKept(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "gate.db")
	s, _ := openAt(t, path)
	until, err := s.LookedUntil(t.Context())
	require.NoError(t, err)
	require.Zero(t, until)
	require.NoError(t, s.SetLookedUntil(t.Context(), noon))
	require.NoError(t, s.SetLookedUntil(t.Context(), noon.Add(time.Hour)))
	require.NoError(t, s.Close())
	s, _ = openAt(t, path)
	until, err = s.LookedUntil(t.Context())
	require.NoError(t, err)
	require.Equal(t, noon.Add(time.Hour), until)
}

func TestVerdictsOfARepository(t *testing.T) {
	t.Parallel()
	s, _ := open(t)
	for number := 1; number <= 3; number++ {
		accept(t, s, delivery(pull(number).Name, pull(number)))
	}
	judge(t, s, 1, Judged{HeadSHA: "a"})
	_, err := s.Fail(t.Context(), find(t, s, pull(2)), "no permission", nothing)
	require.NoError(t, err)
	verdicts, err := s.Verdicts(t.Context(), 5)
	require.NoError(t, err)
	require.Equal(t, map[int]Verdict{1: {HeadSHA: "a"}, 2: {Waiting: true, FailedAt: noon}, 3: {Waiting: true}}, verdicts)
}
