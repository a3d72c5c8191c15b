package store

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestHowAPullRequestWasPublished(t *testing.T) {
	t.Parallel()
	s, _ := open(t)
	standing := func(number int) Standing {
		found, err := s.StandingOf(t.Context(), find(t, s, pull(number)))
		require.NoError(t, err)
		return found
	}
	judge := func(number int, as Standing) {
		_, err := s.Finish(t.Context(), find(t, s, pull(number)), Judged{Standing: as}, nothing)
		require.NoError(t, err)
	}
	elsewhere := pull(1)
	elsewhere.RepositoryID = 6
	accept(t, s, delivery("d1", pull(1), pull(2), elsewhere))
	_, err := s.Finish(t.Context(), find(t, s, elsewhere), Judged{Standing: Standing{NotEnrolled, "", ""}}, nothing)
	require.NoError(t, err)
	require.Equal(t, Standing{}, standing(1), "another repository says nothing about this one")

	judge(1, Standing{Enrolled, "proof", "report"})
	require.Equal(t, Standing{Enrolled, "proof", "report"}, standing(1))
	require.Equal(t, Standing{Enrolled, "proof", "report"}, standing(2), "never judged: as the repository's last one")
	judge(1, Standing{})
	require.Equal(t, Standing{Enrolled, "proof", "report"}, standing(1), "a run that published nothing changes nothing")

	later := pull(2)
	later.At = noon.Add(time.Hour)
	accept(t, s, delivery("d2", later))
	judge(2, Standing{Enrolled, "evidence-gate", "enforce"})
	require.Equal(t, Standing{Enrolled, "proof", "report"}, standing(1), "its own comes first")
	judge(1, Standing{NotEnrolled, "", ""})
	require.Equal(t, Standing{NotEnrolled, "", ""}, standing(1))
}
