package command

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/evidence-gate/evidence-gate/app/store"
	"github.com/evidence-gate/evidence-gate/internal/github"
	"github.com/evidence-gate/evidence-gate/profile/policy"
	"github.com/evidence-gate/evidence-gate/snapshot"
)

const triageLine = "/triage RC-1 attempt 1 one_off because the build host ran out of disk"

func TestACommentIsHandledOnce(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.write(301, lead, time.Minute, triageLine)
	require.True(t, f.handle(), "the carrier changed")
	require.Equal(t, []string{"301 +1"}, f.github.reactions)
	require.Equal(t, 1, strings.Count(f.github.carrier.Body, "- Comment: 301"))
	require.Equal(t, []string{"issue 7"}, f.store.queued, "other pull requests of the task are looked at again")
	require.Equal(t, map[int64]store.Outcome{301: store.Done}, f.outcomes())
	require.False(t, f.handle())
	require.Len(t, f.github.reactions, 1)
	require.Equal(t, 1, f.github.writes)
}

func TestWhoMayDoWhat(t *testing.T) {
	t.Parallel()
	bot := &snapshot.Actor{Login: "helper[bot]", Type: "Bot", Permission: "none"}
	rows := []struct {
		rule    string
		by      *snapshot.Actor
		line    string
		outcome store.Outcome
		says    string
	}{
		{"a maintainer triages", lead, triageLine, store.Done, ""},
		{"a writer does not", &snapshot.Actor{Login: "dev", Type: "User", Permission: "write"}, triageLine, store.Refused, "maintainer's role"},
		{"the pull request's author does not", eng, triageLine, store.Refused, "maintainer's role"},
		{"the author as one of two maintainers does not", &snapshot.Actor{Login: "Eng", Type: "User", Permission: "admin"}, triageLine, store.Refused, "another maintainer"},
		{"a stranger does not", out, triageLine, store.Ignored, "for the maintainers"},
		{"a bot does not", bot, triageLine, store.Ignored, "for the maintainers"},
		{"a writer asks for an evaluation", &snapshot.Actor{Login: "dev", Type: "User", Permission: "write"}, "/evaluate", store.Done, ""},
		{"the author does so too", eng, "/evaluate", store.Done, ""},
		{"a stranger does not", out, "/evaluate", store.Ignored, "for the maintainers"},
		{"a stranger approves nothing", out, "/approve", store.Ignored, "for the maintainers"},
	}
	for _, row := range rows {
		t.Run(row.rule+" "+row.line, func(t *testing.T) {
			t.Parallel()
			f := newFixture(t)
			f.write(301, row.by, time.Minute, row.line)
			f.handle()
			require.Equal(t, map[int64]store.Outcome{301: row.outcome}, f.outcomes())
			if row.says == "" {
				require.Empty(t, f.github.replies)
				return
			}
			require.Len(t, f.github.replies, 1)
			require.Contains(t, f.github.replies[0].Body, row.says)
			require.Equal(t, row.outcome == store.Refused, len(f.github.reactions) == 1)
		})
	}
}

func TestARoleThatCannotBeReadIsWaitedFor(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.write(301, &snapshot.Actor{Login: "lead", Type: "User"}, time.Minute, triageLine)
	require.False(t, f.handle())
	require.Empty(t, f.outcomes())
	f.request.Facts.Comments[0].Author = lead
	f.handle()
	require.Equal(t, map[int64]store.Outcome{301: store.Done}, f.outcomes())

	f = newFixture(t)
	f.request.Policy.Roles = policy.Roles{Maintainers: policy.MaintainerRole{Permission: "admin", Teams: []string{"core"}}}
	f.request.Facts.Unavailable = []snapshot.Unavailable{{Fact: "teams"}}
	f.write(301, eng, time.Minute, "/evaluate")
	f.handle()
	require.Empty(t, f.outcomes(), "they may be in the team")
	f.request.Facts.Unavailable = nil
	f.handle()
	require.Equal(t, map[int64]store.Outcome{301: store.Done}, f.outcomes())
}

func TestRepliesAreBounded(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	for i := range int64(15) {
		f.write(301+i, lead, time.Minute, "/approve")
	}
	f.handle()
	require.Len(t, f.github.replies, maxReplies)
	require.Len(t, f.github.reactions, 15, "a reaction notifies nobody")
	f.handler.Now = func() time.Time { return noon.Add(replyWindow) }
	f.write(401, lead, 0, "/approve")
	f.handle()
	require.Len(t, f.github.replies, maxReplies+1)
}

func TestOldCommentsAreCarriedOutAndNotRefusedAloud(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	const year = 365 * 24 * time.Hour
	f.write(301, lead, year, "/approve")
	f.write(302, out, year, "/approve")
	f.write(303, lead, year, triageLine)
	f.handle()
	require.Equal(t, map[int64]store.Outcome{301: store.Refused, 302: store.Ignored, 303: store.Done}, f.outcomes())
	require.Empty(t, f.github.replies)
	require.Equal(t, []string{"303 +1"}, f.github.reactions)
}

func TestManyCommandsAreHandledInSeveralRuns(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	for i := range int64(maxPerRun + 5) {
		f.write(301+i, lead, time.Minute, "/evaluate")
	}
	f.handle()
	require.Len(t, f.outcomes(), maxPerRun)
	require.Equal(t, []string{"pull_request 42"}, f.store.queued, "the rest is looked at again")
	f.handle()
	require.Len(t, f.outcomes(), maxPerRun+5)
	require.Len(t, f.store.queued, 1)
}

func TestOneCommentCarriesOutSoMany(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.write(301, lead, time.Minute, strings.Repeat("/evaluate\n", maxPerComment)+triageLine)
	f.handle()
	require.Equal(t, map[int64]store.Outcome{301: store.Refused}, f.outcomes())
	require.NotContains(t, f.github.carrier.Body, "#### Triage")
	require.Contains(t, f.github.replies[0].Body, fmt.Sprint(maxPerComment))
}

// TestAReplyThatWasWrittenStands: what was refused before a kill is not carried out after it, when the
// role has changed meanwhile.
func TestAReplyThatWasWrittenStands(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.write(301, lead, time.Minute, triageLine)
	f.write(302, own, time.Minute, refusalOf(301))
	f.handle()
	require.Equal(t, map[int64]store.Outcome{301: store.Refused}, f.outcomes())
	require.Empty(t, f.github.reactions)
	require.Zero(t, f.github.writes)

	forged := newFixture(t)
	forged.write(301, lead, time.Minute, triageLine)
	forged.write(302, eng, time.Minute, refusalOf(301))
	forged.handle()
	require.Equal(t, map[int64]store.Outcome{301: store.Done}, forged.outcomes(), "nobody else writes our replies")
}

func refusalOf(id int64) string { return reply(aboutCommand, id, "no") }

func TestFailuresThatPassAreReturned(t *testing.T) {
	t.Parallel()
	down := &github.Error{Kind: github.Unavailable, Message: "down"}
	for _, at := range []string{"read", "edit", "react"} {
		f := newFixture(t)
		f.write(301, lead, time.Minute, triageLine)
		f.github.fail[at] = down
		_, err := f.handler.Handle(t.Context(), f.request)
		require.Equal(t, github.Unavailable, github.KindOf(err), at)
		require.Empty(t, f.outcomes(), at)
		delete(f.github.fail, at)
		f.handle()
		require.Equal(t, map[int64]store.Outcome{301: store.Done}, f.outcomes(), at)
		require.Equal(t, 1, strings.Count(f.github.carrier.Body, "- Comment: 301"), at)
	}
	f := newFixture(t)
	f.store.failing = errors.New("the queue is full")
	f.write(301, lead, time.Minute, triageLine)
	_, err := f.handler.Handle(t.Context(), f.request)
	require.ErrorContains(t, err, "the queue is full")
}

// TestAnotherRunMayHaveHandledIt: then what this one has read is out of date.
func TestAnotherRunMayHaveHandledIt(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.write(301, lead, time.Minute, "/evaluate")
	f.store.onLook = func() {
		f.store.known[301] = store.Handled{Command: store.Command{CommentID: 301, Thread: 42, Outcome: store.Done}, Digest: store.Digest("/evaluate")}
	}
	require.True(t, f.handle())
	require.Empty(t, f.github.reactions)
}

func TestCode(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"plain":                  "`plain`",
		"with ` one":             "`` with ` one ``",
		"`all`":                  "`` `all` ``",
		"two\nlines\tand tab":    "`two lines and tab`",
		"@lead <b> [x](y)":       "`@lead <b> [x](y)`",
		"not \xff UTF-8":         "`not ? UTF-8`",
		strings.Repeat("é", 200): "`" + strings.Repeat("é", 120) + "…`",
	} {
		require.Equal(t, want, code(text, maxQuotedCommand))
	}
}
