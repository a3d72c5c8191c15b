package worker

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/evidence-gate/evidence-gate/app/publish"
	"github.com/evidence-gate/evidence-gate/report"
)

func TestTheWorstOpinionCounts(t *testing.T) {
	t.Parallel()
	says := func(number int, conclusion report.Conclusion) opinion {
		return opinion{number: number, report: report.Report{Conclusion: conclusion}}
	}
	only := func(o opinion) opinion {
		o.report.Mode = publish.ReportOnly
		return o
	}
	rows := []struct {
		rule string
		of   []opinion
		want int
	}{
		{"failure before action required", []opinion{says(1, report.ActionRequired), says(2, report.Failure)}, 2},
		{"action required before pending", []opinion{says(1, report.ActionRequired), says(2, report.Pending)}, 1},
		{"pending before success", []opinion{says(1, report.Success), says(2, report.Pending)}, 2},
		{"pending before neutral", []opinion{says(1, report.Pending), says(2, report.Neutral)}, 1},
		{"of equals the lowest number", []opinion{says(3, report.Failure), says(1, report.Failure), says(2, report.Failure)}, 1},
		{"success and neutral are equals", []opinion{says(2, report.Success), says(1, report.Neutral)}, 1},
		{"what is not enforced blocks nothing", []opinion{only(says(1, report.Failure)), says(2, report.Pending)}, 2},
		{"nor does it stand before a success that is", []opinion{only(says(1, report.Failure)), says(2, report.Success)}, 2},
		{"nothing is enforced", []opinion{only(says(1, report.Success)), only(says(2, report.Failure))}, 2},
	}
	for _, row := range rows {
		require.Equal(t, row.want, worstOf(row.of).number, row.rule)
		reversed := []opinion{}
		for _, o := range row.of {
			reversed = append([]opinion{o}, reversed...)
		}
		require.Equal(t, row.want, worstOf(reversed).number, "%s, in the other order", row.rule)
	}
	require.Equal(t, []publish.Sharing{{Number: 1, Conclusion: report.Failure, Mode: "report"}, {Number: 2, Conclusion: report.Success}},
		sharing([]opinion{says(2, report.Success), only(says(1, report.Failure))}), "in the order of their numbers")
}
