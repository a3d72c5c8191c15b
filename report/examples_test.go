package report_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/evidence-gate/evidence-gate/report"
)

// The line "- …" stands for those fields of its own record that the example does not show.
func TestContentWritesTheOtherFields(t *testing.T) {
	t.Parallel()
	p := report.Part{Times: 1, Text: "#### Attempt 1\n\n- Outcome: crashed\n- …\n\n#### Triage for attempt 1\n\n- …\n"}
	attempt, triage, both := strings.Cut(p.Content(), "#### Triage for attempt 1\n\n")
	require.True(t, both)
	require.Equal(t, 1, strings.Count(attempt, "\n- Outcome: "))
	require.Contains(t, attempt, "- Outcome: crashed\n")
	for _, field := range []string{"Artifact", "Command", "Strategy", "Timeout ms", "Duration ms", "Required", "Partial evidence", "Recorded by", "Recorded at"} {
		require.Equal(t, 1, strings.Count(attempt, "\n- "+field+": "), field)
	}
	for _, field := range []string{"Classification", "Reference", "Reason", "Triaged by", "Triaged at"} {
		require.Equal(t, 1, strings.Count("\n"+triage, "\n- "+field+": "), field)
	}
	require.NotContains(t, p.Content(), "…")
	require.NotContains(t, triage, "Artifact")
}

func TestContentLeavesOtherTextAlone(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"", "- Required check: [RC-1] `npm test`\n", "a sentence that ends with …\n"} {
		require.Equal(t, text, report.Part{Times: 1, Text: text}.Content())
	}
	require.Equal(t, "pas\u200bsed", report.Part{Times: 1, Text: "pas<U+200B>sed"}.Content())
	require.Equal(t, "[a]([a](", report.Part{Times: 2, Text: "[a](\n"}.Content())
}

// What a code gives for a place stands instead of what its area gives.
func TestExamplesOfTheAreaStandBeforeThoseOfTheCode(t *testing.T) {
	t.Parallel()
	missing, ok := report.CodeRetryPredictionMissing.Examples()
	require.True(t, ok)
	require.Len(t, missing.Context, 1)
	require.Contains(t, missing.Context[0].Text, "- Strategy: foreground")

	unchanged, ok := report.CodeRetryUnchanged.Examples()
	require.True(t, ok)
	require.Len(t, unchanged.Context, 1)
	require.Contains(t, unchanged.Context[0].Text, "- Strategy: background")

	_, ok = report.CodeAttestationExpired.Examples()
	require.False(t, ok, "of parts to come")
}
