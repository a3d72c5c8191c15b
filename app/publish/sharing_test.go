package publish

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/evidence-gate/evidence-gate/report"
)

func TestTheSummaryNamesThePullRequestsOfASharedHead(t *testing.T) {
	t.Parallel()
	const summary = "**❌ May not merge.** Two checks fail\n\n| a | table |\n"
	two := []Sharing{{Number: 7, Conclusion: report.ActionRequired}, {Number: 9, Conclusion: report.Failure, Mode: ReportOnly}}
	require.Equal(t, "**❌ May not merge.** Two checks fail\n\n"+
		"This commit is the head of 2 open pull requests, which share this check run. The worst verdict counts, and this is that of #7 "+
		"(#7: action required, #9: failure, not enforced).\n\n| a | table |\n", withSharing(summary, 7, two))
	require.Equal(t, summary, withSharing(summary, 7, nil))
	require.Equal(t, summary, withSharing(summary, 7, two[:1]), "one alone shares nothing")
	require.True(t, strings.HasPrefix(withSharing("one line", 7, two), "one line\n\nThis commit"))

	var many []Sharing
	for number := range 100 {
		many = append(many, Sharing{Number: number + 1, Conclusion: report.Success})
	}
	named := withSharing(summary, 1, many)
	require.Contains(t, named, "#20: success, and 80 more)")
	require.NotContains(t, named, "#21:")
}
