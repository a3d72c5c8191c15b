package store

import (
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/evidence-gate/evidence-gate/snapshot"
)

func command(outcome Outcome, body string) Command {
	return Command{CommentID: 301, Thread: 42, Author: "lead", Outcome: outcome, Body: body, HandledAt: noon}
}

func acceptance(digest string) snapshot.Action {
	return snapshot.Action{
		Kind: "accept_loss", Actor: &snapshot.Actor{Login: "lead", Type: "User", Permission: "maintain", Teams: []string{"acme/core"}},
		Via: "comment", At: "2026-11-30T11:00:00Z", CommentID: 101, Check: "RC-1", Digest: digest, Reason: "the runner's log was pasted",
	}
}

func TestACommandAndWhatItDidAreRecordedTogether(t *testing.T) {
	t.Parallel()
	s, _ := open(t)
	done := command(Done, "/accept-loss RC-1 because of that")
	require.NoError(t, s.HandleCommand(t.Context(), 5, done, Effect{Actions: []Deed{{7, acceptance("sha256:a")}}}))

	known, err := s.Commands(t.Context(), 5, 7, 42)
	require.NoError(t, err)
	require.Len(t, known, 1)
	handled := known[301]
	require.Equal(t, Done, handled.Outcome)
	require.Equal(t, "lead", handled.Author)
	require.Equal(t, noon, handled.HandledAt)
	require.True(t, handled.RepliedAt.IsZero())
	require.True(t, handled.Unchanged(done.Body))
	require.False(t, handled.Unchanged(done.Body+" and more"))

	actions, err := s.Actions(t.Context(), 5, 7)
	require.NoError(t, err)
	require.Equal(t, []snapshot.Action{acceptance("sha256:a")}, actions)
	for _, elsewhere := range []int{42, 8} {
		actions, err = s.Actions(t.Context(), 5, elsewhere)
		require.NoError(t, err)
		require.Empty(t, actions)
	}
	known, err = s.Commands(t.Context(), 6, 42)
	require.NoError(t, err)
	require.Empty(t, known, "another repository")
}

func TestRecordedAgainTheFirstOutcomeStands(t *testing.T) {
	t.Parallel()
	s, _ := open(t)
	require.NoError(t, s.HandleCommand(t.Context(), 5, command(Done, "as written"), Effect{Actions: []Deed{{7, acceptance("sha256:a")}}}))
	again := command(Refused, "as edited")
	again.RepliedAt = noon.Add(time.Hour)
	require.NoError(t, s.HandleCommand(t.Context(), 5, again, Effect{Actions: []Deed{{7, acceptance("sha256:a")}}}))

	known, err := s.Commands(t.Context(), 5, 42)
	require.NoError(t, err)
	require.Equal(t, Done, known[301].Outcome)
	require.Equal(t, noon.Add(time.Hour), known[301].RepliedAt)
	require.True(t, known[301].Unchanged("as edited"))
	actions, err := s.Actions(t.Context(), 5, 7)
	require.NoError(t, err)
	require.Len(t, actions, 1, "done once")
}

func TestNothingIsRecordedOfAnActionThatIsNotWhole(t *testing.T) {
	t.Parallel()
	rows := []struct {
		rule   string
		change func(*snapshot.Action)
	}{
		{"nobody did it", func(a *snapshot.Action) { a.Actor = nil }},
		{"at no time", func(a *snapshot.Action) { a.At = "yesterday" }},
		{"of a kind that there is not", func(a *snapshot.Action) { a.Kind = "approve everything" }},
	}
	for _, row := range rows {
		t.Run(row.rule, func(t *testing.T) {
			t.Parallel()
			s, _ := open(t)
			action := acceptance("sha256:a")
			row.change(&action)
			require.Error(t, s.HandleCommand(t.Context(), 5, command(Done, "x"), Effect{Actions: []Deed{{7, action}}}))
			known, err := s.Commands(t.Context(), 5, 42)
			require.NoError(t, err)
			require.Empty(t, known, "the command is not handled either")
		})
	}
}

func TestWhatACommandChangedIsLookedAtAgain(t *testing.T) {
	t.Parallel()
	s, q := open(t)
	task := Change{Subject: Numbered(5, Issue, 7), Owner: "acme", Repository: "widgets", At: noon}
	require.NoError(t, s.HandleCommand(t.Context(), 5, command(Done, "x"), Effect{Changes: []Change{task}}))
	require.Equal(t, []int64{find(t, s, task).ID}, q.jobs)
	q.fail = errors.New("the queue is full")
	task.Name = "8"
	other := command(Done, "y")
	other.CommentID = 302
	require.Error(t, s.HandleCommand(t.Context(), 5, other, Effect{Changes: []Change{task}}))
	known, err := s.Commands(t.Context(), 5, 42)
	require.NoError(t, err)
	require.NotContains(t, known, int64(302), "together or not at all")
}
