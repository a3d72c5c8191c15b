package memory

import (
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/evidence-gate/evidence-gate/app/store"
	"github.com/evidence-gate/evidence-gate/attempts"
	"github.com/evidence-gate/evidence-gate/checks"
	"github.com/evidence-gate/evidence-gate/report"
	"github.com/evidence-gate/evidence-gate/snapshot"
)

var noon = time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)

const (
	stamp      = "2026-11-30T12:00:00Z"
	repository = 5
)

func actor(login, permission string) *snapshot.Actor {
	return &snapshot.Actor{Login: login, Type: "User", Permission: permission}
}

// failed is the text of a carrier of RC-1 whose attempts all failed, so many of them.
func failed(t *testing.T, times int) string {
	t.Helper()
	attempt := attempts.Attempt{
		Artifact: "3f9c1a7be2d84065c1b7a9e0d3f4628517ab90cd", Command: "npm test", Strategy: attempts.Split,
		TimeoutMS: "180000", Outcome: attempts.Failed, DurationMS: "4200", Required: "true",
		PartialEvidence: "3 failing in the cache suite", ProposedNext: attempts.None, RecordedAt: "2026-11-29T09:00:00Z",
	}
	draft, err := attempts.NewCarrier("RC-1", attempt)
	require.NoError(t, err)
	for range times - 1 {
		draft, err = attempts.AppendAttempt(draft.Body, attempt, nil)
		require.NoError(t, err)
	}
	return draft.Body
}

// comment is a comment with its history; the last text is the current one.
func comment(id int64, by *snapshot.Actor, texts ...string) snapshot.Comment {
	c := snapshot.Comment{ID: id, Author: by, Body: texts[len(texts)-1], CreatedAt: stamp, UpdatedAt: stamp}
	for i := range texts {
		c.Revisions = append(c.Revisions, snapshot.Revision{Editor: by, EditedAt: stamp, Body: &texts[i]})
	}
	return c
}

// pull is a pull request by an account that may only read, with a task and comments on it.
func pull(number int, author string, onTask ...snapshot.Comment) snapshot.Snapshot {
	return snapshot.Snapshot{
		Schema: snapshot.Schema, Now: stamp, Repository: snapshot.Repository{ID: repository, Owner: "acme", Name: "widgets", Maintainers: 2},
		PullRequest: snapshot.PullRequest{Number: number, State: "open", HeadSHA: strings.Repeat("a1", 20), Author: actor(author, "read"), Body: new("")},
		Issue:       &snapshot.Issue{Number: 7, Body: new("## Required Checks\n\n- [RC-1] `npm test`\n"), Author: actor("lead", "maintain"), Comments: onTask},
		Linked:      []snapshot.Linked{{Repository: "acme/widgets", Number: 7, Source: "closing", Readable: true, HasChecks: true}},
	}
}

type fixture struct {
	*testing.T
	Memory
	store      *store.Store
	repository int64
}

func newFixture(t *testing.T) fixture {
	t.Helper()
	s, err := store.Open(t.Context(), filepath.Join(t.TempDir(), "gate.db"), func() time.Time { return noon })
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, s.Close()) })
	return fixture{t, Memory{Store: s, Now: func() time.Time { return noon }}, s, repository}
}

func (f fixture) recall(s snapshot.Snapshot) snapshot.Snapshot {
	f.Helper()
	recalled, err := f.Recall(f.Context(), Pull{RepositoryID: f.repository, Trusted: trusted}, s)
	require.NoError(f, err)
	return recalled.Snapshot
}

func trusted(a *snapshot.Actor) bool { return a.Permission == "write" || a.Permission == "maintain" }

func (f fixture) remembered(s snapshot.Snapshot) []string {
	f.Helper()
	texts := []string{}
	if memory := f.recall(s).Memory; memory != nil {
		for _, c := range memory.Carriers {
			texts = append(texts, c.Body)
		}
	}
	return texts
}

// kept are the texts that take room.
func (f fixture) kept(threads ...int) []string {
	f.Helper()
	seen, err := f.store.Carriers(f.Context(), f.repository, threads...)
	require.NoError(f, err)
	texts := []string{}
	for _, c := range seen {
		if c.State == store.Kept {
			texts = append(texts, c.Body)
		}
	}
	return texts
}

var eng = actor("eng", "write")

// TestADeletedCarrierIsRemembered goes all the way: what is remembered makes the verdict.
func TestADeletedCarrierIsRemembered(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	first := f.recall(pull(42, "eng", comment(101, eng, failed(t, 1))))
	require.Empty(t, first.Memory.Carriers, "GitHub shows all of it")
	require.NotContains(t, codes(first), report.CodeCarrierRewritten)

	deleted := f.recall(pull(42, "eng"))
	require.Equal(t, []snapshot.RememberedCarrier{{CommentID: 101, Check: "RC-1", Body: failed(t, 1), Author: "eng", SeenAt: stamp}}, deleted.Memory.Carriers)
	require.Contains(t, codes(deleted), report.CodeCarrierRewritten)

	restored := f.recall(pull(42, "eng", comment(101, eng, failed(t, 1))))
	require.Empty(t, restored.Memory.Carriers)
}

func codes(s snapshot.Snapshot) []report.Code {
	var found []report.Code
	for _, d := range checks.Evaluate(s, report.Merge).Diagnostics {
		found = append(found, d.Code)
	}
	return found
}

func TestACarrierChangedWithoutATrace(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.recall(pull(42, "eng", comment(101, eng, failed(t, 1))))
	passed := strings.Replace(failed(t, 1), "Outcome: failed", "Outcome: passed", 1)
	require.Equal(t, []string{failed(t, 1)}, f.remembered(pull(42, "eng", comment(101, eng, passed))))
	require.Equal(t, []string{failed(t, 1), passed}, f.kept(7))
	require.Equal(t, []string{failed(t, 1), passed}, f.remembered(pull(42, "eng")))
}

func TestPullRequestsOfOneTaskShareWhatWasSeenOnIt(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.recall(pull(42, "eng", comment(101, eng, failed(t, 1))))
	require.Equal(t, []string{failed(t, 1)}, f.remembered(pull(43, "other")))
	elsewhere := pull(44, "eng")
	elsewhere.Issue.Number = 8
	require.Empty(t, f.remembered(elsewhere))

	onPull := pull(42, "eng", comment(101, eng, failed(t, 1)))
	onPull.Comments = []snapshot.Comment{comment(102, eng, failed(t, 2))}
	f.recall(onPull)
	require.Equal(t, []string{failed(t, 1), failed(t, 2)}, f.remembered(pull(42, "eng")))
	require.Equal(t, []string{failed(t, 1)}, f.remembered(pull(43, "other")), "not those of another conversation")
}

// TestStrangersCannotLeaveAnythingBehind: a carrier that counts in one pull request only is held
// against that one only, and one that counts in none is not kept.
func TestStrangersCannotLeaveAnythingBehind(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	stranger := comment(101, actor("stranger", "read"), failed(t, 1))
	ghost := comment(102, nil, failed(t, 2))
	f.recall(pull(42, "eng", stranger, ghost))
	require.Empty(t, f.kept(7))

	f.recall(pull(43, "stranger", stranger))
	require.Equal(t, []string{failed(t, 1)}, f.kept(7))
	require.Equal(t, []string{failed(t, 1)}, f.remembered(pull(43, "Stranger")))
	require.Empty(t, f.remembered(pull(42, "eng")))

	joined := comment(101, actor("stranger", "write"), failed(t, 1))
	f.recall(pull(42, "eng", joined))
	require.Equal(t, []string{failed(t, 1)}, f.remembered(pull(42, "eng")), "trusted since")
}

func TestAnAppendOnlyHistoryIsOneText(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.recall(pull(42, "eng", comment(101, eng, failed(t, 1), failed(t, 2))))
	require.Equal(t, []string{failed(t, 2)}, f.kept(7))
	grown := pull(42, "eng", comment(101, eng, failed(t, 1), failed(t, 2), failed(t, 3), failed(t, 4)))
	f.recall(grown)
	f.recall(grown)
	require.Equal(t, []string{failed(t, 4)}, f.kept(7))
	require.Equal(t, []string{failed(t, 4)}, f.remembered(pull(42, "eng")))
}

// TestATextThatHidesHistoryDoesNotStandForIt: whatever is put below a history to make it unreadable,
// the text before stays.
func TestATextThatHidesHistoryDoesNotStandForIt(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	one := failed(t, 1)
	again := one[strings.Index(one, "#### Attempt 1"):]
	for what, text := range map[string]string{
		"a second marker":            one + "\n\n<!-- AGENTIC_LOOP_VERIFICATION_ATTEMPTS:RC-1 -->\n",
		"a second section":           one + "\n\n" + one[strings.Index(one, "## Verification Attempts"):],
		"a fence around it":          "```\n" + one + "\n```",
		"another outcome":            strings.Replace(one, "Outcome: failed", "Outcome: passed", 1),
		"nothing but the marker":     "<!-- AGENTIC_LOOP_VERIFICATION_ATTEMPTS:RC-1 -->",
		"another check's":            strings.ReplaceAll(one, "RC-1", "RC-2"),
		"a number in the way":        strings.Replace(one, "#### Attempt 1", "#### Attempt 1\n\n- Outcome: passed\n\n#### Attempt 2", 1),
		"too much to read":           one + strings.Repeat("> ", 600) + "x",
		"an entry put before it":     strings.Replace(one, "#### Attempt 1", strings.NewReplacer("[[agent: engineer]]", "", "Outcome: failed", "Outcome: passed").Replace(again)+"\n\n#### Attempt 2", 1),
		"its beginning in HTML":      "<div>\n" + one,
		"an entry in a HTML comment": strings.Replace(one, "#### Attempt 1", "<!--\n#### Attempt 1", 1),
	} {
		f.repository++ // the texts of each are in a place of their own
		t.Run(what, func(t *testing.T) {
			f.recall(pull(42, "eng", comment(101, eng, one)))
			f.recall(pull(42, "eng", comment(101, eng, one, text)))
			require.Contains(t, f.kept(7), one)
			require.Contains(t, codes(f.recall(pull(42, "eng"))), report.CodeCarrierRewritten)
		})
	}
}

func TestATriageIsPartOfTheHistory(t *testing.T) {
	t.Parallel()
	triaged, err := attempts.AppendTriage(failed(t, 1), attempts.Triage{
		Attempt: 1, Classification: attempts.OneOff, Reference: attempts.None, Reason: "the build host ran out of disk", TriagedAt: "2026-11-29T10:00:00Z",
	}, nil)
	require.NoError(t, err)
	f := newFixture(t)
	f.recall(pull(42, "eng", comment(101, eng, failed(t, 1), triaged.Body)))
	require.Equal(t, []string{triaged.Body}, f.kept(7))
	f.recall(pull(42, "eng", comment(101, eng, failed(t, 1), triaged.Body, failed(t, 1)+"\n")))
	require.Contains(t, f.kept(7), triaged.Body, "what takes a triage away does not stand for it")
}

func TestARewriteDoesNotReplaceWhatItRewrote(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	rewritten := strings.Replace(failed(t, 2), "Outcome: failed", "Outcome: passed", 1)
	f.recall(pull(42, "eng", comment(101, eng, failed(t, 1), rewritten, failed(t, 2))))
	require.Equal(t, []string{failed(t, 1), rewritten, failed(t, 2)}, f.kept(7))
}

func TestOtherCommentsAreNotKept(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.recall(pull(42, "eng", comment(101, eng, "private words"), comment(102, eng, "## Verification Attempts\n\nnone")))
	require.Empty(t, f.kept(7, 42))
	became := comment(103, eng, "private words", failed(t, 1))
	f.recall(pull(42, "eng", became))
	require.Equal(t, []string{failed(t, 1)}, f.kept(7, 42), "of a comment that became a carrier only the carrier is")
}

// TestWhatHadNoRoomIsMissed: the memory is not whole, which is said, and a maintainer can end it.
func TestWhatHadNoRoomIsMissed(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	var all []snapshot.Comment
	for i := range int64(20) {
		all = append(all, comment(200+i, actor("out", "read"), failed(t, 1)+strings.Repeat("x", 60_000)))
	}
	shown := f.recall(pull(42, "out", all...))
	require.Empty(t, shown.Unavailable, "GitHub shows it")
	gone := f.recall(pull(42, "out", all[:18]...))
	require.Len(t, gone.Unavailable, 2)
	require.Equal(t, "memory", gone.Unavailable[0].Fact)
	require.Contains(t, gone.Unavailable[0].Reason, "/accept-loss RC-1")
	require.NotEqual(t, report.Success, checks.Evaluate(gone, report.Merge).Conclusion)
	require.Empty(t, f.recall(pull(43, "eng", all[:18]...)).Unavailable, "others are not concerned")
}

func TestActionsAreGiven(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	action := snapshot.Action{Kind: "accept_loss", Actor: actor("lead", "maintain"), At: stamp, CommentID: 101, Check: "RC-1", Digest: "sha256:a", Via: "comment"}
	require.NoError(t, f.store.HandleCommand(t.Context(), repository, store.Command{CommentID: 301, Thread: 42, Outcome: store.Done, HandledAt: noon}, store.Effect{Actions: []store.Deed{{Thread: 7, Action: action}}}))
	require.Equal(t, []snapshot.Action{action}, f.recall(pull(42, "eng")).Actions)
	require.Equal(t, []snapshot.Action{action}, f.recall(pull(43, "eng")).Actions)
}
