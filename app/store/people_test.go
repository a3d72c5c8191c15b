package store

import (
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/evidence-gate/evidence-gate/snapshot"
)

func remembered(texts ...string) *snapshot.RememberedContract {
	c := &snapshot.RememberedContract{Issue: 7, Digest: "sha256:d", RecordedAt: "2026-11-30T10:00:00Z"}
	for _, text := range texts {
		c.Checks = append(c.Checks, snapshot.RememberedCheck{Text: text})
	}
	return c
}

func TestTheContractOfAPullRequest(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "gate.db")
	s, _ := openAt(t, path)
	got, known, err := s.Contract(t.Context(), 5, 42)
	require.NoError(t, err)
	require.False(t, known)
	require.Nil(t, got)

	require.NoError(t, s.RememberContract(t.Context(), 5, 42, nil))
	got, known, err = s.Contract(t.Context(), 5, 42)
	require.NoError(t, err)
	require.True(t, known, "looked for and not there yet")
	require.Nil(t, got)

	require.NoError(t, s.RememberContract(t.Context(), 5, 42, remembered("a")))
	require.NoError(t, s.RememberContract(t.Context(), 5, 42, remembered("a", "b")))
	require.NoError(t, s.Close())
	s, _ = openAt(t, path)
	got, _, err = s.Contract(t.Context(), 5, 42)
	require.NoError(t, err)
	require.Equal(t, remembered("a", "b"), got)
	for _, other := range [][2]int{{5, 43}, {6, 42}} {
		_, known, err = s.Contract(t.Context(), int64(other[0]), other[1])
		require.NoError(t, err)
		require.False(t, known)
	}
}

// A record that was damaged is not one that is missing.
func TestADamagedContractIsAnError(t *testing.T) {
	t.Parallel()
	for rule, change := range map[string]string{
		"emptied":   `UPDATE contracts SET contract = ''`,
		"weakened":  `UPDATE contracts SET contract = replace(contract, 'npm test', 'true')`,
		"cut":       `UPDATE contracts SET contract = substr(contract, 1, 20)`,
		"no digest": `UPDATE contracts SET digest = ''`,
	} {
		t.Run(rule, func(t *testing.T) {
			t.Parallel()
			s, _ := open(t)
			require.NoError(t, s.RememberContract(t.Context(), 5, 42, remembered("npm test")))
			_, err := s.db.Exec(change)
			require.NoError(t, err)
			_, known, err := s.Contract(t.Context(), 5, 42)
			require.ErrorIs(t, err, ErrUnreadable)
			require.True(t, known)
		})
	}
}

func TestHeadsInTheOrderOfGitHubsClock(t *testing.T) {
	t.Parallel()
	s, _ := open(t)
	at := func(minutes int) time.Time { return noon.Add(time.Duration(minutes) * time.Minute) }
	see := func(sha string, minutes int) {
		c := pull(42)
		c.HeadSHA, c.HeadSince = sha, at(minutes)
		accept(t, s, delivery("d"+sha+at(minutes).String(), c))
	}
	see("a", 0)
	see("a", 5) // an edit: still the same head
	see("b", 20)
	see("a", 30) // pushed back
	see("b", 25) // late, and still the same
	see("c", 10) // late
	heads, err := s.Heads(t.Context(), 5, 42)
	require.NoError(t, err)
	require.Equal(t, []HeadAt{{"a", at(0)}, {"c", at(10)}, {"b", at(20)}, {"a", at(30)}}, heads)
	require.NoError(t, s.SeeHead(t.Context(), 5, 43, HeadAt{"a", at(1)}))
	heads, err = s.Heads(t.Context(), 5, 43)
	require.NoError(t, err)
	require.Equal(t, []HeadAt{{"a", at(1)}}, heads)
}

func TestAPressIsRecordedOnceAndHandledOnce(t *testing.T) {
	t.Parallel()
	s, _ := open(t)
	press := Press{Number: 42, GUID: "p1", Button: "approve", Login: "lead", Type: "User", HeadSHA: "abc", Digest: "sha256:d", At: noon}
	d := delivery("p1", pull(42))
	d.Press = &press
	for range 2 {
		accept(t, s, d)
	}
	presses, err := s.Presses(t.Context(), 5, 42)
	require.NoError(t, err)
	require.Equal(t, []Press{press}, presses)

	handled := press
	handled.Outcome = Done
	approve := Deed{42, snapshot.Action{Kind: "approve", Via: "button", At: "2026-11-30T12:00:00Z", HeadSHA: "abc", Actor: &snapshot.Actor{Login: "lead", Type: "User", Permission: "maintain"}}}
	require.NoError(t, s.HandlePress(t.Context(), 5, handled, []Deed{approve}))
	refused := press
	refused.Outcome, refused.RepliedAt = Refused, noon
	require.NoError(t, s.HandlePress(t.Context(), 5, refused, []Deed{approve}))
	presses, err = s.Presses(t.Context(), 5, 42)
	require.NoError(t, err)
	require.Equal(t, []Press{handled}, presses, "the first outcome stands")
	actions, err := s.Actions(t.Context(), 5, 42)
	require.NoError(t, err)
	require.Equal(t, []snapshot.Action{approve.Action}, actions)

	again := d
	again.GUID, again.Press = "p2", &Press{Number: 42, GUID: "p2", Button: "approve", Login: "lead", Type: "User", HeadSHA: "def", At: noon}
	accept(t, s, again)
	approve.HeadSHA = "def"
	require.NoError(t, s.HandlePress(t.Context(), 5, Press{GUID: "p2", Outcome: Done}, []Deed{approve}))
	actions, err = s.Actions(t.Context(), 5, 42)
	require.NoError(t, err)
	require.Len(t, actions, 2, "another press is another approval")

	require.NoError(t, s.Prune(t.Context(), noon.Add(time.Hour)))
	presses, err = s.Presses(t.Context(), 5, 42)
	require.NoError(t, err)
	require.Empty(t, presses)
	actions, err = s.Actions(t.Context(), 5, 42)
	require.NoError(t, err)
	require.Len(t, actions, 2)
}

func TestAnOpenPressIsNotPruned(t *testing.T) {
	t.Parallel()
	s, _ := open(t)
	d := delivery("p1", pull(42))
	d.Press = &Press{Number: 42, GUID: "p1", Button: "approve", Login: "lead", At: noon}
	accept(t, s, d)
	require.NoError(t, s.Prune(t.Context(), noon.Add(time.Hour)))
	presses, err := s.Presses(t.Context(), 5, 42)
	require.NoError(t, err)
	require.Len(t, presses, 1)
}

func TestAskedOncePerHeadAndStep(t *testing.T) {
	t.Parallel()
	s, _ := open(t)
	first := Ask{HeadSHA: "abc", Step: "review", Via: "request", Whom: []string{"other"}, At: noon}
	require.NoError(t, s.Asked(t.Context(), 5, 42, first))
	again := first
	again.Whom = []string{"another"}
	require.NoError(t, s.Asked(t.Context(), 5, 42, again))
	person := Ask{HeadSHA: "abc", Step: "person", Via: "comment", Whom: []string{"lead"}, At: noon.Add(time.Hour)}
	require.NoError(t, s.Asked(t.Context(), 5, 42, person))
	asks, err := s.Asks(t.Context(), 5, 42, "abc")
	require.NoError(t, err)
	require.Equal(t, []Ask{first, person}, asks)
	asks, err = s.Asks(t.Context(), 5, 42, "def")
	require.NoError(t, err)
	require.Empty(t, asks, "another head")
}

func TestATargetWakesOnceItsTimeHasCome(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "gate.db")
	s, q := openAt(t, path)
	accept(t, s, delivery("d1", pull(42)))
	target := find(t, s, pull(42))
	finish(t, s, target)
	q.jobs = nil
	require.NoError(t, s.WakeAt(t.Context(), target, noon))
	require.NoError(t, s.WakeAt(t.Context(), target, noon.Add(time.Hour)), "the later word stands")
	require.NoError(t, s.Wake(t.Context()))
	require.Empty(t, q.jobs)
	require.NoError(t, s.Close())

	s, q = openAt(t, path)
	s.now = func() time.Time { return noon.Add(time.Hour) }
	require.NoError(t, s.Wake(t.Context()))
	require.Equal(t, []int64{target.ID}, q.jobs, "it survives the process")
	require.Greater(t, find(t, s, pull(42)).Changes, target.Changes)
	require.NoError(t, s.Wake(t.Context()))
	require.Len(t, q.jobs, 1)
}

func TestTheTaskOfTheLastPublishedReport(t *testing.T) {
	t.Parallel()
	s, _ := open(t)
	accept(t, s, delivery("d1", pull(42)))
	target := find(t, s, pull(42))
	for _, issue := range []int{0, 7, 7, 8, 0} {
		require.NoError(t, s.Published(t.Context(), target, issue))
		got, err := s.PublishedTask(t.Context(), target)
		require.NoError(t, err)
		require.Equal(t, issue, got)
	}
}
