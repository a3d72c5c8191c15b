package main

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/evidence-gate/evidence-gate/attempts"
	"github.com/evidence-gate/evidence-gate/internal/githubtest"
	"github.com/evidence-gate/evidence-gate/report"
	"github.com/evidence-gate/evidence-gate/snapshot"
)

// timedOut are the flags of a first attempt that timed out.
var timedOut = []string{
	"attempt", "add", "RC-1", "--strategy", "foreground", "--outcome", "timed_out", "--timeout-ms", "180000", "--duration-ms", "180000",
	"--partial-evidence", "1,204 of 2,310 tests finished, none failed", "--next-strategy", "split", "--classification", "project_fact",
}

func with(args []string, more ...string) []string {
	return append(append([]string{}, args...), more...)
}

// as makes somebody else's token the one that is used.
func (w *world) as(login string) {
	w.World().AddUserToken("ghp_"+login, login)
	w.environment["GH_TOKEN"] = "ghp_" + login
}

// carriers are the task's comments as anybody sees them.
func (w *world) comments(t *testing.T) []snapshot.Comment {
	t.Helper()
	s, _ := w.judged(t, report.Merge)
	require.NotNil(t, s.Issue)
	return s.Issue.Comments
}

func (w *world) failing() string {
	return strings.Replace(w.evidence(w.pr.HeadSHA()), "Verdict: passed\n  Evidence: 128 passing, 0 failing (exit 0)", "Verdict: failed\n  Evidence: timed out after 1,204 of 2,310 tests", 1)
}

// The story of a timeout: the attempt, a refused retry, a prediction with the retry that it allows.
func TestAttemptsOnGitHub(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.pr.EditBody("eng", w.failing())

	dry := w.run(with(timedOut, "--dry-run")...)
	require.Equal(t, 0, dry.code, dry.stderr)
	require.Empty(t, w.comments(t), "nothing is written")

	got := w.run(timedOut...)
	require.Equal(t, 0, got.code, got.stderr)
	require.Equal(t, "acme/widgets#1: made the carrier of RC-1, attempt 1\n", got.stdout)
	made := w.comments(t)
	require.Len(t, made, 1)
	require.Equal(t, dry.stdout, made[0].Body, "a dry run prints what is written")
	read, err := attempts.Parse(made[0].Body)
	require.NoError(t, err)
	require.Empty(t, read.Diagnostics)
	first := read.Entries[0].Attempt
	require.Equal(t, w.pr.HeadSHA(), first.Artifact, "the head, when nothing else is said")
	require.Equal(t, "npm test", first.Command, "the check's own command")
	require.Equal(t, "2026-11-30T10:00:00Z", first.RecordedAt, "now")
	_, r := w.judged(t, report.Review)
	require.Len(t, r.Episodes, 1)
	require.NotContains(t, codesOf(r), report.CodeEvidenceCarrierMissing)

	got = w.run(timedOut...)
	require.Equal(t, exitFailure, got.code)
	require.Contains(t, got.stderr, "error[retry.")
	require.Contains(t, got.stderr, "nothing was written")
	require.Equal(t, made[0].Body, w.comments(t)[0].Body)

	got = w.run("attempt", "predict", "RC-1", "--evidence", "the first 1,204 of 2,310 tests took 180 s", "--window-ms", "330000-380000", "--timeout-ms", "400000")
	require.Equal(t, 0, got.code, got.stderr)
	got = w.run("attempt", "add", "RC-1", "--strategy", "foreground", "--outcome", "passed", "--timeout-ms", "400000", "--duration-ms", "352000", "--partial-evidence", "2,310 passed, 0 failed (exit 0)")
	require.Equal(t, 0, got.code, got.stderr)
	require.Equal(t, "acme/widgets#1: appended to the carrier of RC-1, attempt 2\n", got.stdout)
	now := w.comments(t)
	require.Len(t, now, 1)
	require.True(t, strings.HasPrefix(now[0].Body, strings.TrimSuffix(made[0].Body, "[[agent: engineer]]\n")), "every byte that was there stays")
	_, r = w.judged(t, report.Merge)
	require.Equal(t, "passed", r.Episodes[0].Latest)
}

func TestAttemptJSON(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	got := w.run(with(timedOut, "--json")...)
	require.Equal(t, 0, got.code, got.stderr)
	var out writtenCarrier
	require.NoError(t, json.Unmarshal([]byte(got.stdout), &out))
	made := w.comments(t)[0]
	require.Equal(t, place{Place: "acme/widgets#1", Comment: made.ID, Created: true}, out.place)
	require.Equal(t, made.Body, out.Text)
	require.True(t, out.Written)
	require.EqualValues(t, 1, out.Attempt)

	got = w.run(with(timedOut, "--json")...)
	require.Equal(t, exitFailure, got.code)
	out = writtenCarrier{}
	require.NoError(t, json.Unmarshal([]byte(got.stdout), &out))
	require.False(t, out.Written)
	require.NotEmpty(t, out.Diagnostics)
	require.NotEmpty(t, out.Error)
}

func TestTriageOnGitHub(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.pr.EditBody("eng", w.failing())
	require.Equal(t, 0, w.run(timedOut...).code)
	oneOff := []string{"triage", "RC-1", "--classification", "one_off", "--reason", "the build host ran out of disk; freed and verified"}

	got := w.run(oneOff...)
	require.Equal(t, exitFailure, got.code)
	require.Contains(t, got.stderr, "error[triage.not_maintainer]")
	require.Contains(t, got.stderr, "eng is no maintainer of acme/widgets")

	w.as("lead")
	got = w.run("triage", "RC-1", "--classification", "one_off", "--reason", "later")
	require.Equal(t, exitFailure, got.code)
	require.Contains(t, got.stderr, "error[triage.")
	got = w.run("triage", "RC-1", "--classification", "follow_up", "--reason", "the cache suite is slow on old disks")
	require.Equal(t, exitFailure, got.code)
	require.Contains(t, got.stderr, "error[triage.")

	got = w.run(oneOff...)
	require.Equal(t, 0, got.code, got.stderr)
	require.Equal(t, "acme/widgets#1: appended to the carrier of RC-1, attempt 1\n", got.stdout)
	_, r := w.judged(t, report.Merge)
	require.Len(t, r.Episodes, 1)
	require.NotNil(t, r.Episodes[0].Triage, "the maintainer's hand counts")
	require.Equal(t, "one_off", *r.Episodes[0].Triage)
	require.NotContains(t, codesOf(r), report.CodeTriageNotMaintainer)
}

// A maintainer who wrote the pull request triages only where nobody else could.
func TestTriageOfOnesOwnPullRequest(t *testing.T) {
	t.Parallel()
	for _, other := range []bool{true, false} {
		w := newWorld(t)
		w.repo.SetRole("eng", "maintain")
		if !other {
			w.repo.SetRole("lead", "write")
		}
		require.Equal(t, 0, w.run(timedOut...).code)
		got := w.run("triage", "RC-1", "--classification", "pending")
		require.Equal(t, other, got.code == exitFailure, got.stderr)
		require.Equal(t, other, strings.Contains(got.stderr, "the repository has another maintainer"), got.stderr)
	}
}

func TestAttemptsThatCannotBeWritten(t *testing.T) {
	t.Parallel()
	t.Run("a check that the task does not declare", func(t *testing.T) {
		t.Parallel()
		w := newWorld(t)
		args := with(timedOut)
		args[2] = "RC-7"
		got := w.run(args...)
		require.Equal(t, exitFailure, got.code)
		require.Contains(t, got.stderr, "the task declares no check RC-7")
		require.Contains(t, got.stderr, "name one of: RC-1, RC-2")
	})
	t.Run("two carriers", func(t *testing.T) {
		t.Parallel()
		w := newWorld(t)
		body := w.run(with(timedOut, "--dry-run")...).stdout
		w.issue.Comment("eng", body)
		w.issue.Comment("lead", body)
		got := w.run(timedOut...)
		require.Equal(t, exitFailure, got.code)
		require.Contains(t, got.stderr, "error[carrier.duplicate]")
	})
	t.Run("a stranger's carrier is none", func(t *testing.T) {
		t.Parallel()
		w := newWorld(t)
		w.issue.Comment("mallory", w.run(with(timedOut, "--dry-run")...).stdout)
		got := w.run(timedOut...)
		require.Equal(t, 0, got.code, got.stderr)
		require.Contains(t, got.stdout, "made the carrier")
	})
	t.Run("somebody whose attempts do not count", func(t *testing.T) {
		t.Parallel()
		w := newWorld(t)
		w.repo.SetRole("guest", "read")
		w.as("guest")
		got := w.run(with(timedOut, "--pr", "2")...)
		require.Equal(t, exitFailure, got.code)
		require.Contains(t, got.stderr, "error[carrier.untrusted]")
	})
	t.Run("no task", func(t *testing.T) {
		t.Parallel()
		w := newWorld(t)
		w.pr.EditBody("eng", "no task\n")
		got := w.run(timedOut...)
		require.Equal(t, exitFailure, got.code)
		require.Contains(t, got.stderr, "error[task.missing]")
	})
	t.Run("a token that may not write", func(t *testing.T) {
		t.Parallel()
		w := newWorld(t)
		w.onArrival(func(r *http.Request, _ string) {
			if r.Method == http.MethodPost && strings.HasSuffix(r.URL.Path, "/comments") {
				r.Header.Set("Authorization", "Bearer nothing")
			}
		})
		got := w.run(timedOut...)
		require.Equal(t, exitCouldNotJudge, got.code)
		require.NotContains(t, got.stderr, "made the carrier")
	})
}

// Somebody edits the carrier, or makes one, between the look and the write.
func TestAttemptsThatRace(t *testing.T) {
	t.Parallel()
	t.Run("an edit right before", func(t *testing.T) {
		t.Parallel()
		w := newWorld(t)
		comment := w.withCarrier()
		before := comment.Body()
		var edited bool
		w.onArrival(func(r *http.Request, _ string) {
			if !edited && r.Method == http.MethodGet && strings.Contains(r.URL.Path, "/issues/comments/") {
				edited = true
				comment.Edit("eng", before+"\nA note.\n")
			}
		})
		got := w.run(secondRun...)
		require.Equal(t, exitCouldNotJudge, got.code, got.stderr)
		require.Contains(t, got.stderr, "was edited meanwhile: run it again")
		require.Equal(t, before+"\nA note.\n", w.comments(t)[0].Body)
	})
	t.Run("an edit in the same moment is named", func(t *testing.T) {
		t.Parallel()
		w := newWorld(t)
		comment := w.withCarrier()
		before := comment.Body()
		w.onArrival(func(r *http.Request, _ string) {
			if r.Method == http.MethodPatch {
				comment.Edit("lead", before+"\nA note.\n")
			}
		})
		got := w.run(secondRun...)
		require.Equal(t, exitCouldNotJudge, got.code, got.stderr)
		require.Contains(t, got.stderr, "was written over an edit of lead")
	})
	t.Run("a carrier that was made right before", func(t *testing.T) {
		t.Parallel()
		w := newWorld(t)
		body := w.run(with(timedOut, "--dry-run")...).stdout
		var done bool
		w.onArrival(func(r *http.Request, _ string) {
			if !done && r.Method == http.MethodGet && strings.HasSuffix(r.URL.Path, "/comments") {
				done = true
				w.issue.Comment("lead", body)
			}
		})
		got := w.run(timedOut...)
		require.Equal(t, exitCouldNotJudge, got.code, got.stderr)
		require.Contains(t, got.stderr, "was made meanwhile, a carrier of RC-1: run it again")
		require.Len(t, w.comments(t), 1)
	})
	t.Run("a carrier that was made in the same moment is named", func(t *testing.T) {
		t.Parallel()
		w := newWorld(t)
		body := w.run(with(timedOut, "--dry-run")...).stdout
		w.onArrival(func(r *http.Request, _ string) {
			if r.Method == http.MethodPost && strings.HasSuffix(r.URL.Path, "/comments") {
				w.issue.Comment("lead", body)
			}
		})
		got := w.run(timedOut...)
		require.Equal(t, exitCouldNotJudge, got.code, got.stderr)
		require.Contains(t, got.stderr, "made in the same moment, is a carrier of RC-1 too")
	})
}

// secondRun are the flags of a run by another strategy.
var secondRun = []string{"attempt", "add", "RC-1", "--strategy", "split", "--outcome", "passed", "--partial-evidence", "2,310 passed in two halves"}

// withCarrier makes the carrier of RC-1 by hand.
func (w *world) withCarrier() *githubtest.Comment {
	return w.issue.Comment("eng", w.run(with(timedOut, "--dry-run")...).stdout)
}
