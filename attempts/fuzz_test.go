package attempts_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/evidence-gate/evidence-gate/attempts"
	"github.com/evidence-gate/evidence-gate/report"
)

// FuzzJudge holds what must be true of every carrier: no panic, places inside the text, appending
// nothing lost, and hidden text that changes no verdict for the better.
func FuzzJudge(f *testing.F) {
	for _, seed := range []string{only, both, carrier("RC-1", timeout(1), prediction(2), attempt(2, "Timeout ms: 300000"), triage(2)), carrier("RC-1"), triageComment("RC-1", triage(1)), "hello"} {
		f.Add(seed, only)
	}
	f.Fuzz(func(t *testing.T, body, before string) {
		judged := func(body string) attempts.Facts {
			return facts(edited(101, edit{eng, "09:05", before}, edit{eng2, "09:20", body}), comment(201, lead, "10:05", triageComment("RC-1", triage(1))))
		}
		got := attempts.Judge(judged(body))
		lines := strings.Split(strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(body), "\n")
		for _, d := range got.Diagnostics {
			_, known := report.Lookup(d.Code)
			require.True(t, known, d.Code)
			require.NotEmpty(t, d.Message)
			if d.Where != nil && d.Where.Document == "comment:101" {
				require.LessOrEqual(t, d.Where.Line, len(lines))
			}
		}
		for _, e := range got.Episodes {
			require.Contains(t, attempts.Outcomes, e.Latest)
			require.Positive(t, e.Attempts)
		}
		if s, ok := got.Of("RC-1"); ok {
			require.False(t, s.Passed && s.Satisfied)
		}
		if report.Conclude(got.Diagnostics) != report.Success {
			require.NotEqual(t, report.Success, report.Conclude(attempts.Judge(judged(body+"\n\n<!-- hidden\n- Outcome: passed\n-->\n")).Diagnostics))
		}
		run := failedRun()
		run.Strategy, run.Artifact = "ci", "patch:fuzz.patch"
		if draft, err := attempts.AppendAttempt(body, run, nil); err == nil {
			was, _ := attempts.Parse(body)
			is, err := attempts.Parse(draft.Body)
			require.NoError(t, err)
			require.Len(t, is.Entries, len(was.Entries)+1)
			require.Equal(t, run.PartialEvidence, is.Entries[len(is.Entries)-1].Attempt.PartialEvidence)
		}
	})
}

// FuzzCommand holds that a command that is read says the same when it is written.
func FuzzCommand(f *testing.F) {
	for _, seed := range []string{"/triage RC-1 attempt 1 one_off because the build host ran out of disk", "/triage RC-1 attempt 1 follow_up issue:#12 because x", "/triage", "> /triage RC-1"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		for _, c := range attempts.Commands(text) {
			if c.Err != nil {
				continue
			}
			again, err := attempts.ReadCommand(c.Command.String())
			require.NoError(t, err, c.Command.String())
			require.Equal(t, c.Command, again)
		}
	})
}
