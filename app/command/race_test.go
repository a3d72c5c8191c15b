package command

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/evidence-gate/evidence-gate/app/store"
	"github.com/evidence-gate/evidence-gate/attempts"
	"github.com/evidence-gate/evidence-gate/internal/github"
)

// TestWritingBesideOthers: whoever writes into the carrier at the same time, in whatever order, the
// triage ends up in it once and no text is lost without a word.
func TestWritingBesideOthers(t *testing.T) {
	t.Parallel()
	triaged := func(f *fixture, body string) string {
		command, err := attempts.ReadCommand(triageLine)
		require.NoError(f, err)
		draft, err := attempts.AppendTriage(body, command.Triage(noon.Add(-time.Minute), 301), nil)
		require.NoError(f, err)
		return draft.Body
	}
	rows := []struct {
		rule    string
		before  func(f *fixture) // what a killed process and others left behind
		onWrite func(f *fixture) []func()
		writes  int
		holds   []string
		note    bool
	}{
		{rule: "nobody else", writes: 1, holds: []string{"#### Attempt 1"}},
		{rule: "an edit before the write", writes: 2, holds: []string{"#### Attempt 2"}, onWrite: func(f *fixture) []func() {
			return []func(){func() { f.github.edit(eng, carrierOf(f.T, 2)) }}
		}},
		{rule: "three edits before the write: the last one counts", writes: 2, holds: []string{"#### Attempt 4"}, onWrite: func(f *fixture) []func() {
			return []func(){func() {
				for i := range 3 {
					f.github.edit(eng, carrierOf(f.T, 2+i))
				}
			}}
		}},
		{rule: "an edit before each of two writes", writes: 3, holds: []string{"#### Attempt 3"}, onWrite: func(f *fixture) []func() {
			return []func(){func() { f.github.edit(eng, carrierOf(f.T, 2)) }, func() { f.github.edit(eng, carrierOf(f.T, 3)) }}
		}},
		{rule: "killed after the write", before: func(f *fixture) { f.github.edit(own, triaged(f, f.github.carrier.Body)) }, writes: 0},
		{rule: "killed after a write that overwrote an edit", before: func(f *fixture) {
			base := f.github.carrier.Body
			f.github.edit(eng, carrierOf(f.T, 2))
			f.github.edit(own, triaged(f, base))
		}, writes: 1, holds: []string{"#### Attempt 2"}},
		{rule: "killed after the edit was put back", before: func(f *fixture) {
			base := f.github.carrier.Body
			f.github.edit(eng, carrierOf(f.T, 2))
			f.github.edit(own, triaged(f, base))
			f.github.edit(own, triaged(f, carrierOf(f.T, 2)))
		}, writes: 0, holds: []string{"#### Attempt 2"}},
		{rule: "overwritten by an editor that was open", before: func(f *fixture) {
			f.github.edit(own, triaged(f, f.github.carrier.Body))
			f.github.edit(eng, carrierOf(f.T, 2))
		}, writes: 1, holds: []string{"#### Attempt 2"}},
		{rule: "edited after it", before: func(f *fixture) {
			f.github.edit(own, triaged(f, f.github.carrier.Body))
			f.github.edit(eng, triaged(f, carrierOf(f.T, 2)))
		}, writes: 0, holds: []string{"#### Attempt 2"}},
		{rule: "an edit was overwritten and another came after it", before: func(f *fixture) {
			base := f.github.carrier.Body
			f.github.edit(eng, carrierOf(f.T, 2))
			f.github.edit(own, triaged(f, base))
			f.github.edit(lead, triaged(f, base)+"\n")
		}, writes: 0, note: true},
		{rule: "the same, and the triage was lost too", before: func(f *fixture) {
			base := f.github.carrier.Body
			f.github.edit(eng, carrierOf(f.T, 2))
			f.github.edit(own, triaged(f, base))
			f.github.edit(lead, base+"\n")
		}, writes: 1, note: true},
		{rule: "somebody else named the comment to keep the triage out", before: func(f *fixture) {
			f.github.edit(eng, f.github.carrier.Body+"\n- Comment: 301\n")
		}, writes: 1},
	}
	for _, row := range rows {
		t.Run(row.rule, func(t *testing.T) {
			t.Parallel()
			f := newFixture(t)
			f.write(301, lead, time.Minute, triageLine)
			if row.before != nil {
				row.before(f)
			}
			if row.onWrite != nil {
				f.github.onWrite = row.onWrite(f)
			}
			require.True(t, f.handle())
			require.Equal(t, map[int64]store.Outcome{301: store.Done}, f.outcomes())
			require.Equal(t, row.writes, f.github.writes)
			require.Equal(t, 1, strings.Count(f.github.carrier.Body, "#### Triage for attempt 1"))
			for _, text := range row.holds {
				require.Contains(t, f.github.carrier.Body, text)
			}
			require.Equal(t, row.note, len(f.github.replies) == 1)
		})
	}
}

func TestACarrierThatIsEditedAllTheTimeIsTriedAgainLater(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.write(301, lead, time.Minute, triageLine)
	for i := range maxWrites {
		f.github.onWrite = append(f.github.onWrite, func() { f.github.edit(eng, carrierOf(t, 2+i)) })
	}
	_, err := f.handler.Handle(t.Context(), f.request)
	require.Equal(t, github.Unavailable, github.KindOf(err))
	require.Empty(t, f.outcomes())
	f.handle()
	require.Contains(t, f.github.carrier.Body, "#### Attempt 6")
	require.Equal(t, 1, strings.Count(f.github.carrier.Body, "#### Triage for attempt 1"))
}

func TestWhatCannotBeWrittenIsRefused(t *testing.T) {
	t.Parallel()
	rows := []struct {
		rule   string
		change func(f *fixture)
		says   string
	}{
		{"the carrier is gone", func(f *fixture) { f.github.carrier.ID = 102 }, "was deleted meanwhile"},
		{"it may not be read", func(f *fixture) { f.github.fail["read"] = &github.Error{Kind: github.Forbidden, Message: "no"} }, "may not read and edit"},
		{"it may not be edited", func(f *fixture) { f.github.fail["edit"] = &github.Error{Kind: github.Forbidden, Message: "no"} }, "may not read and edit"},
		{"GitHub refuses the text", func(f *fixture) { f.github.fail["edit"] = &github.Error{Kind: github.Invalid, Message: "no"} }, "does not take"},
		{"there is no room", func(f *fixture) {
			f.github.edit(eng, f.github.carrier.Body+"\n"+strings.Repeat("x", github.CommentLimit-len(f.github.carrier.Body)-10))
		}, "no room left"},
		{"it is no carrier any more", func(f *fixture) { f.github.edit(eng, "gone") }, "cannot be read"},
		{"its attempt is gone", func(f *fixture) {
			f.github.edit(eng, strings.Replace(f.github.carrier.Body, "#### Attempt 1", "#### Attempt 2", 1))
		}, "triage.target_missing"},
	}
	for _, row := range rows {
		t.Run(row.rule, func(t *testing.T) {
			t.Parallel()
			f := newFixture(t)
			f.write(301, lead, time.Minute, triageLine)
			row.change(f)
			require.False(t, f.handle())
			require.Equal(t, map[int64]store.Outcome{301: store.Refused}, f.outcomes())
			require.Contains(t, f.github.replies[0].Body, row.says)
			require.NotContains(t, f.github.carrier.Body, "#### Triage")
		})
	}
}
