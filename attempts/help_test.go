package attempts_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/evidence-gate/evidence-gate/report"
)

// A3, A4, A6: the help for a value that cannot be read is the line to write, whatever the field takes.
func TestHelpForAValue(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		body string
		code report.Code
		help string
	}{
		{carrier("RC-1", attempt(1, "Artifact: HEAD")), report.CodeAttemptFieldInvalid, "write: - Artifact: <the full id of the commit that ran>"},
		{carrier("RC-1", attempt(1, "Strategy: hope")), report.CodeAttemptFieldInvalid, "write: - Strategy: one of foreground, background, focused, split, ci"},
		{carrier("RC-1", attempt(1, "Timeout ms: 3 min")), report.CodeAttemptFieldInvalid, "write: - Timeout ms: <milliseconds in plain digits>, or unknown, or none"},
		{carrier("RC-1", attempt(1, "Outcome: exploded")), report.CodeAttemptFieldInvalid, "write: - Outcome: one of passed, failed, timed_out, blocked"},
		{carrier("RC-1", attempt(1, "Recorded at: yesterday")), report.CodeAttemptFieldInvalid, "write: - Recorded at: 2026-11-30T09:12:44Z (the time in UTC)"},
		{carrier("RC-1", timeout(1), prediction(2, "Evidence: may need longer")), report.CodePredictionFieldInvalid, "write: - Evidence: <what the run had done when it was stopped, such as 2,100 of 2,310 tests finished>"},
		{carrier("RC-1", timeout(1), prediction(2, "Predicted completion window ms: 5 min")), report.CodePredictionFieldInvalid, "write: - Predicted completion window ms: <min>-<max> in milliseconds, such as 200000-290000"},
		{carrier("RC-1", timeout(1), prediction(2, "Chosen timeout ms: long")), report.CodePredictionFieldInvalid, "write: - Chosen timeout ms: <milliseconds in plain digits, at least the end of the window>"},
		{carrier("RC-1", timeout(1), prediction(2, "Chosen timeout ms: 250000")), report.CodePredictionFieldInvalid, "write: - Chosen timeout ms: 290000, or more, and run with that timeout"},
		{carrier("RC-1", timeout(1), prediction(2)+"- Chosen timeout ms: 300000\n\n"), report.CodePredictionFieldInvalid, "keep one line of each field"},
		{carrier("RC-1", attempt(1), triage(1, "Classification: flaky")), report.CodeTriageFieldInvalid, "write: - Classification: one of pending, one_off, project_fact, decision, follow_up, blocker"},
		{carrier("RC-1", attempt(1), triage(1, "Triaged at: noon")), report.CodeTriageFieldInvalid, "write: - Triaged at: 2026-11-30T09:12:44Z (the time in UTC)"},
		{carrier("RC-1", attempt(1), triage(1, "Reason: flaky")), report.CodeTriageFieldInvalid, "say what happened and how you know that it will not happen again"},
	} {
		got := story(edit{lead, "09:05", c.body})
		found := ""
		for _, d := range got.Diagnostics {
			if d.Code == c.code {
				found = d.Help
			}
		}
		require.Contains(t, found, c.help, c.body)
	}
}
