package attempts_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/evidence-gate/evidence-gate/attempts"
	"github.com/evidence-gate/evidence-gate/report"
	"github.com/evidence-gate/evidence-gate/snapshot"
)

// A8 to A11: the state of an episode at stage merge, and what of it stands in the report.
func TestEpisodes(t *testing.T) {
	t.Parallel()
	pending, blocker := triage(1, "Classification: pending", "Reason:"), triage(1, "Classification: blocker", "Reference: blocker:disk")
	for _, c := range []struct {
		name      string
		subs      []string
		triage    []string
		state     attempts.State
		attempts  int
		latest    string
		class     string
		satisfied bool
		want      []string
	}{
		{"A9: the latest passed", []string{attempt(1), attempt(2, "Strategy: ci", "Outcome: passed")}, nil, attempts.Resolved, 2, "passed", "", false, nil},
		{"A8: on an older commit", []string{attempt(1, "Artifact: "+older), attempt(2, "Artifact: "+older, "Strategy: ci", "Outcome: passed")}, nil, attempts.Resolved, 2, "passed", "", false, nil},
		{"A9: the latest failed", []string{attempt(1)}, nil, attempts.Active, 1, "failed", "", false, []string{"error episode.active"}},
		{"A9: the latest timed out", []string{timeout(1)}, nil, attempts.Active, 1, "timed_out", "", false, []string{"error episode.active"}},
		{"A9: the latest was blocked", []string{attempt(1, "Outcome: blocked")}, nil, attempts.Active, 1, "blocked", "", false, []string{"error episode.active"}},
		{"A9: a later failure opens it again", []string{attempt(1, "Outcome: passed"), attempt(2, "Strategy: ci")}, nil, attempts.Active, 2, "failed", "", false, []string{"error episode.active"}},
		{"A9: a final triage", []string{attempt(1)}, []string{triage(1)}, attempts.Triaged, 1, "failed", "one_off", true, nil},
		{"A9: of an earlier attempt only", []string{attempt(1), attempt(2, "Strategy: ci")}, []string{triage(1)}, attempts.Active, 2, "failed", "", false, []string{"error episode.active"}},
		{"A9: a pending triage", []string{attempt(1)}, []string{pending}, attempts.PendingTriage, 1, "failed", "pending", false, []string{"error episode.pending_triage"}},
		{"A9: a blocker", []string{attempt(1)}, []string{blocker}, attempts.Blocking, 1, "failed", "blocker", false, []string{"error episode.blocker"}},
		{"A9: an outcome that nobody can read did not pass", []string{attempt(1, "Outcome: fine")}, nil, attempts.Active, 1, "failed", "", false, []string{"error attempt.field_invalid", "error episode.active"}},
		{"A11: two attempts without a pass", []string{attempt(1), attempt(2, "Strategy: ci")}, nil, attempts.Active, 2, "failed", "", false, []string{"error episode.active"}},
		{"A11: three", []string{attempt(1), attempt(2, "Strategy: ci"), attempt(3, "Strategy: split")}, nil, attempts.Exhausted, 3, "failed", "", false, []string{"error episode.active", "error episode.exhausted"}},
		{"A11: three, then a pass", []string{attempt(1), attempt(2, "Strategy: ci"), attempt(3, "Strategy: split"), attempt(4, "Strategy: focused", "Outcome: passed")}, nil, attempts.Exhausted, 4, "passed", "", false, []string{"error episode.exhausted"}},
		{"A11: a refused retry counts", []string{timeout(1), attempt(2, "Outcome: passed"), attempt(3, "Strategy: ci"), attempt(4, "Strategy: split", "Outcome: passed")}, nil, attempts.Exhausted, 3, "passed", "", false,
			[]string{"error episode.exhausted", "warning retry.prediction_missing", "warning retry.timeout_not_larger"}},
		{"A11: until a maintainer triages", []string{attempt(1), attempt(2, "Strategy: ci"), attempt(3, "Strategy: split")}, []string{triage(3)}, attempts.Triaged, 3, "failed", "one_off", true, nil},
		{"A11: pending is no triage of it", []string{attempt(1), attempt(2, "Strategy: ci"), attempt(3, "Strategy: split")}, []string{triage(3, "Classification: pending")}, attempts.Exhausted, 3, "failed", "pending", false, []string{"error episode.exhausted", "error episode.pending_triage"}},
		{"A11: triage of an earlier one starts the count anew", []string{attempt(1), attempt(2, "Strategy: ci"), attempt(3, "Strategy: split")}, []string{triage(2)}, attempts.Active, 3, "failed", "", false, []string{"error episode.active"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			task := []snapshot.Comment{comment(101, eng, "09:05", carrier("RC-1", c.subs...))}
			if c.triage != nil {
				task = append(task, comment(201, lead, "10:05", triageComment("RC-1", c.triage...)))
			}
			got := attempts.Judge(facts(task...))
			require.ElementsMatch(t, c.want, findings(got), "%v", got.Diagnostics)
			ep := report.Episode{Check: "RC-1", Attempts: c.attempts, Latest: c.latest, State: string(c.state)}
			if c.class != "" {
				ep.Triage = &c.class
			}
			require.Equal(t, []report.Episode{ep}, got.Episodes)
			s, ok := got.Of("RC-1")
			require.True(t, ok)
			require.Equal(t, c.latest == "passed", s.Passed)
			require.Equal(t, c.satisfied, s.Satisfied)
			for _, d := range got.Diagnostics {
				if d.Severity == report.Error && d.Code != report.CodeAttemptFieldInvalid {
					require.Equal(t, report.Maintainer, d.Owner, d.Code)
				}
			}
			f := facts(task...)
			f.Stage = report.Review
			for _, d := range attempts.Judge(f).Diagnostics {
				require.NotContains(t, string(d.Code), "episode.", "A9: at stage review recorded is enough")
			}
		})
	}
}

// A11: the policy says how many attempts may not pass.
func TestMaxAttempts(t *testing.T) {
	t.Parallel()
	f := facts(comment(101, eng, "09:05", carrier("RC-1", attempt(1), attempt(2, "Strategy: ci"))))
	for n, exhausted := range map[int]bool{0: false, 1: true, 2: true, 3: false} {
		f.MaxAttempts = n
		s, ok := attempts.Judge(f).Of("RC-1")
		require.True(t, ok)
		require.Equal(t, exhausted, s.Exhausted, n)
	}
}

// A1: an episode of a check that is not in the contract counts at stage merge.
func TestUnknownCheck(t *testing.T) {
	t.Parallel()
	f := facts(comment(101, eng, "09:05", carrier("RC-7", attempt(1))))
	require.Equal(t, []string{"error episode.active", "warning carrier.unknown_check"}, findings(attempts.Judge(f)))
}

// A10: notes.
func TestNotes(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name string
		subs []string
		want []string
	}{
		{"only a pass", []string{attempt(1, "Outcome: passed")}, []string{"note carrier.routine"}},
		{"a pass after a failure", []string{attempt(1), attempt(2, "Strategy: ci", "Outcome: passed")}, nil},
		{"a retry over 1.5 times as long", []string{attempt(1, "Duration ms: 1000"), attempt(2, "Strategy: ci", "Outcome: passed", "Duration ms: 1501")}, []string{"note episode.slower"}},
		{"a retry of 1.5 times as long", []string{attempt(1, "Duration ms: 1000"), attempt(2, "Strategy: ci", "Outcome: passed", "Duration ms: 1500")}, nil},
		{"a duration that nobody knows", []string{attempt(1, "Duration ms: unknown"), attempt(2, "Strategy: ci", "Outcome: passed", "Duration ms: 9000")}, nil},
		{"another command", []string{attempt(1), attempt(2, "Command: `npm run all`", "Outcome: passed", "Duration ms: 9000")}, nil},
		{"durations at the end of 64 bits", []string{attempt(1, "Duration ms: 9223372036854775806"), attempt(2, "Strategy: ci", "Outcome: passed", "Duration ms: 9223372036854775807")}, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			got := reviewed(carrier("RC-1", c.subs...))
			require.ElementsMatch(t, c.want, findings(got), "%v", got.Diagnostics)
		})
	}
}

// A10: a body that said failed or blocked, and no carrier tells of it.
func TestUnrecorded(t *testing.T) {
	t.Parallel()
	body := func(verdict string) *string {
		return ptr("## Evidence\nCurrent PR head: " + head + "\n\n- Required check: [RC-1] `npm test`\n  Verdict: " + verdict + "\n  Evidence: 3 failing (exit 1)\n")
	}
	was := func(verdicts ...string) (out []snapshot.Revision) {
		for _, v := range verdicts {
			out = append(out, snapshot.Revision{Editor: eng, EditedAt: clock("09:00"), Body: body(v)})
		}
		return out
	}
	failed, passed := carrier("RC-1", attempt(1)), carrier("RC-1", attempt(1, "Outcome: passed"))
	for _, c := range []struct {
		name      string
		revisions []snapshot.Revision
		carrier   string
		noted     bool
	}{
		{"it said failed", was("failed", "passed"), "", true},
		{"it said blocked", was("Blocked", "passed"), "", true},
		{"it said so twice", was("failed", "blocked", "passed"), "", true},
		{"a carrier tells of it", was("failed", "passed"), failed, false},
		{"a carrier tells of a pass", was("failed", "passed"), passed, true},
		{"it always passed", was("passed", "passed"), "", false},
		{"it says so now", was("failed"), "", false},
		{"it said so and says so now", was("failed", "failed"), "", false},
		{"its text is not known", []snapshot.Revision{{EditedAt: clock("09:00")}, was("passed")[0]}, "", false},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			f := facts()
			if c.carrier != "" {
				f.Task = append(f.Task, comment(101, eng, "09:05", c.carrier))
			}
			f.BodyRevisions = c.revisions
			var noted []report.Diagnostic
			for _, d := range attempts.Judge(f).Diagnostics {
				if d.Code == report.CodeEpisodeUnrecorded {
					noted = append(noted, d)
				}
			}
			if !c.noted {
				require.Empty(t, noted)
				return
			}
			require.Len(t, noted, 1)
			require.Equal(t, report.Note, noted[0].Severity)
			require.Equal(t, "RC-1", *noted[0].Check)
		})
	}
}

// What is recorded of each attempt: the triage that counts, and whose hand it is.
func TestRecorded(t *testing.T) {
	t.Parallel()
	f := facts(edited(101, edit{eng2, "09:05", only}, edit{eng, "09:20", both}, edit{lead, "09:30", carrier("RC-1", a1, a2, triage(1))}))
	s, ok := attempts.Judge(f).Of("RC-1")
	require.True(t, ok)
	require.Len(t, s.Recorded, 2)
	require.Equal(t, "one_off", s.Recorded[0].Triage)
	require.Equal(t, lead, s.Recorded[0].Hand)
}

// What a service remembers are the carriers that count.
func TestCarriersToRemember(t *testing.T) {
	t.Parallel()
	f := facts(comment(101, eng, "09:05", only), comment(102, reader, "09:05", only), comment(103, eng2, "09:05", "hello"), comment(201, lead, "10:05", triageComment("RC-1", triage(1))))
	require.Equal(t, []snapshot.RememberedCarrier{{CommentID: 101, Check: "RC-1", Body: only, Author: "eng"}}, attempts.Judge(f).Carriers)
}

// Nothing to judge is nothing.
func TestNoComments(t *testing.T) {
	t.Parallel()
	got := attempts.Judge(facts())
	require.Empty(t, got.Diagnostics)
	require.Empty(t, got.Episodes)
	_, ok := got.Of("RC-1")
	require.False(t, ok)
}
