package prbody

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestAddSummary(t *testing.T) {
	t.Parallel()
	all, added := AddSummary("## Evidence\n\ntext")
	require.Equal(t, []string{"Artifacts", "Deviations", "Process Observations", "Known Gaps", "Follow-Ups", "Trace"}, added)
	require.Contains(t, all, "## Evidence\n\ntext\n\n## Artifacts\n\nREPLACE: ")
	again, added := AddSummary(all)
	require.Empty(t, added)
	require.Equal(t, all, again)
	some, added := AddSummary("# known gaps\n\nnone\n\n## Trace\n\nx\n")
	require.Equal(t, []string{"Artifacts", "Deviations", "Process Observations", "Follow-Ups"}, added)
	require.Contains(t, some, "# known gaps\n\nnone\n\n## Trace\n\nx\n\n## Artifacts\n")
	require.Equal(t, Summary(), all[len("## Evidence\n\ntext\n\n"):])
}
