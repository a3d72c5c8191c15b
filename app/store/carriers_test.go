package store

import (
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// carrier is a text of comment 101 on the task 7.
func carrier(body string) Carrier {
	return Carrier{Thread: 7, CommentID: 101, Check: "RC-1", State: Kept, Body: body, Author: "eng", SeenAt: noon}
}

func see(t *testing.T, s *Store, seen ...Carrier) {
	t.Helper()
	require.NoError(t, s.SeeCarriers(t.Context(), 5, seen, nil))
}

func bodies(t *testing.T, s *Store, threads ...int) []string {
	t.Helper()
	seen, err := s.Carriers(t.Context(), 5, threads...)
	require.NoError(t, err)
	texts := []string{}
	for _, c := range seen {
		texts = append(texts, c.Body)
	}
	return texts
}

func TestEachTextOfACarrierIsKeptOnce(t *testing.T) {
	t.Parallel()
	s, _ := open(t)
	see(t, s, carrier("one"), carrier("two"), carrier("one"))
	later := carrier("one")
	later.SeenAt, later.Author = noon.Add(time.Hour), "somebody"
	see(t, s, later)

	seen, err := s.Carriers(t.Context(), 5, 7)
	require.NoError(t, err)
	require.Len(t, seen, 2)
	first := carrier("one")
	first.ID, first.Digest = seen[0].ID, Digest("one")
	require.Equal(t, first, seen[0], "as it was first seen")
	require.NotZero(t, seen[0].ID)
	require.Equal(t, []string{"one", "two"}, bodies(t, s, 7), "in the order in which they were seen")
}

func TestTrustIsAddedAndNotTakenAway(t *testing.T) {
	t.Parallel()
	s, _ := open(t)
	for _, trusted := range []bool{false, true, false} {
		c := carrier("one")
		c.Trusted = trusted
		see(t, s, c)
	}
	seen, err := s.Carriers(t.Context(), 5, 7)
	require.NoError(t, err)
	require.True(t, seen[0].Trusted)
}

// TestCarriersBelongToARepositoryAndAThread: pull requests of one task share what was seen on it.
func TestCarriersBelongToARepositoryAndAThread(t *testing.T) {
	t.Parallel()
	s, _ := open(t)
	onPull := carrier("on the pull request")
	onPull.Thread, onPull.CommentID = 42, 102
	see(t, s, carrier("on the task"), onPull)
	require.NoError(t, s.SeeCarriers(t.Context(), 6, []Carrier{carrier("elsewhere")}, nil))

	require.Equal(t, []string{"on the task", "on the pull request"}, bodies(t, s, 42, 7))
	require.Equal(t, []string{"on the task"}, bodies(t, s, 43, 7))
	require.Empty(t, bodies(t, s, 43))
	require.Empty(t, bodies(t, s))
}

func TestOfAContainedTextTheDigestStays(t *testing.T) {
	t.Parallel()
	s, _ := open(t)
	see(t, s, carrier("one"))
	records := func() []Carrier {
		seen, err := s.Carriers(t.Context(), 5, 7)
		require.NoError(t, err)
		return seen
	}
	id := records()[0].ID
	require.NoError(t, s.SeeCarriers(t.Context(), 6, nil, []int64{id}))
	require.Equal(t, []string{"one"}, bodies(t, s, 7), "another repository's records are not touched")

	born := carrier("one and two")
	born.State = Contained
	require.NoError(t, s.SeeCarriers(t.Context(), 5, []Carrier{born, carrier("one and two and three")}, []int64{id}))
	require.Equal(t, []string{"", "", "one and two and three"}, bodies(t, s, 7))
	for i, text := range []string{"one", "one and two"} {
		require.Equal(t, Contained, records()[i].State)
		require.Equal(t, Digest(text), records()[i].Digest)
	}
	see(t, s, carrier("one"))
	require.Len(t, records(), 3)
	require.Equal(t, Contained, records()[0].State, "seen again it is not kept anew")
}

func TestTextsAreKeptAsTheyAre(t *testing.T) {
	t.Parallel()
	s, _ := open(t)
	texts := []string{"a\r\nb", "a\nb", "nul \x00 and more", "not \xff UTF-8", ""}
	for _, text := range texts {
		see(t, s, carrier(text))
	}
	require.Equal(t, texts, bodies(t, s, 7))
}

// TestAccountsHaveRoomsOfTheirOwn: nobody can take another's, and that a text was seen is never
// forgotten.
func TestAccountsHaveRoomsOfTheirOwn(t *testing.T) {
	t.Parallel()
	s, _ := open(t)
	by := func(author string, trusted bool, body string) Carrier {
		c := carrier(body)
		c.Author, c.Trusted = author, trusted
		return c
	}
	kept := func() (texts []string) {
		seen, err := s.Carriers(t.Context(), 5, 7)
		require.NoError(t, err)
		for _, c := range seen {
			require.Equal(t, c.State == Kept, c.Body != "")
			if c.State == Kept {
				require.Equal(t, Digest(c.Body), c.Digest)
				texts = append(texts, c.Author+" "+c.Body[:1])
			} else {
				texts = append(texts, c.Author+" "+c.Digest[:len("sha256:")])
			}
		}
		return texts
	}
	see(t, s, by("stranger", false, strings.Repeat("a", carrierRoomOwn)), by("stranger", false, "b"))
	require.Equal(t, []string{"stranger a", "stranger sha256:"}, kept())
	see(t, s, by("eng", true, strings.Repeat("c", carrierRoom)), by("eng", true, "d"))
	require.Equal(t, []string{"stranger a", "stranger sha256:", "eng c", "eng sha256:"}, kept())
	elsewhere := by("eng", true, "e")
	elsewhere.Thread, elsewhere.CommentID = 42, 102
	see(t, s, elsewhere)
	require.Equal(t, []string{"e"}, bodies(t, s, 42), "another pull request has another room")

	action := acceptance("sha256:a")
	action.CommentID = 101
	require.NoError(t, s.HandleCommand(t.Context(), 5, command(Done, "x"), Effect{Actions: []Deed{{7, action}}}))
	require.Equal(t, []string{"stranger a", "eng c"}, kept(), "accepted as lost")
}

func TestCarriersOutliveTheProcess(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "gate.db")
	first, _ := openAt(t, path)
	see(t, first, carrier("one"))
	require.NoError(t, first.Close())
	second, _ := openAt(t, path)
	require.Equal(t, []string{"one"}, bodies(t, second, 7))
}
