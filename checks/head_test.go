package checks_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/evidence-gate/evidence-gate/bench/corpus"
	"github.com/evidence-gate/evidence-gate/checks"
	"github.com/evidence-gate/evidence-gate/report"
)

// An entry proves its check for the head that the section names (E6), so that under a stale, missing
// or doubtful marker no check may look proved.
func TestNoEntryProvesAnythingForAnotherHead(t *testing.T) {
	t.Parallel()
	for about, marker := range map[string]string{
		"stale":       "Current PR head: 9b0e4d2c7a61f35880cc1e2d49ab73f6105e8d24",
		"missing":     "",
		"abbreviated": "Current PR head: 3f9c1a7be2",
		"ambiguous":   "Current PR head: " + corpus.Head + "\n\nCurrent PR head: 9b0e4d2c7a61f35880cc1e2d49ab73f6105e8d24",
	} {
		s := corpus.PullRequest(2, 0)
		body := strings.Replace(*s.PullRequest.Body, "Current PR head: "+corpus.Head, marker, 1)
		s.PullRequest.Body = &body
		got := checks.Evaluate(s, report.Merge)
		require.Equal(t, report.Failure, got.Conclusion, about)
		for _, c := range got.Checks {
			require.False(t, c.Satisfied, about)
			require.Nil(t, c.TrustLabel, about)
		}
		require.Equal(t, "2 of 2 checks lack proof", got.Title, about)
	}
}
