package button

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/evidence-gate/evidence-gate/report"
)

func TestButtonsFitGitHubsLimits(t *testing.T) {
	t.Parallel()
	require.LessOrEqual(t, len(buttons), 3)
	for _, b := range buttons {
		require.LessOrEqual(t, len([]rune(b.Label)), 20)
		require.LessOrEqual(t, len([]rune(b.Description)), 40)
		require.LessOrEqual(t, len(b.Name), 20)
	}
}

func TestButtonsByWhatIsMissing(t *testing.T) {
	t.Parallel()
	for rule, row := range map[string]struct {
		codes []report.Code
		want  []Name
	}{
		"nothing is missing":             {nil, nil},
		"only a warning":                 {[]report.Code{report.CodeContractProseIgnored}, nil},
		"only an override":               {[]report.Code{report.CodeOverrideActive}, nil},
		"evidence":                       {[]report.Code{report.CodeCheckUnsatisfied}, []Name{ReEvaluate}},
		"a review":                       {[]report.Code{report.CodeApprovalMissing}, []Name{ReEvaluate, Approve}},
		"a review of the head":           {[]report.Code{report.CodeApprovalStale}, []Name{ReEvaluate, Approve}},
		"a person":                       {[]report.Code{report.CodeApprovalPersonMissing}, []Name{ReEvaluate, Approve}},
		"a person for a check":           {[]report.Code{report.CodeCheckPersonRequired}, []Name{ReEvaluate, Approve}},
		"changes were requested":         {[]report.Code{report.CodeApprovalChangesRequested}, []Name{ReEvaluate}},
		"the contract was changed":       {[]report.Code{report.CodeContractChanged}, []Name{ReEvaluate, AcceptContract}},
		"another task":                   {[]report.Code{report.CodeTaskChanged}, []Name{ReEvaluate, AcceptContract}},
		"a stranger wrote the contract":  {[]report.Code{report.CodeContractUntrustedAuthor}, []Name{ReEvaluate, AcceptContract}},
		"a contract that cannot be read": {[]report.Code{report.CodeContractMissing}, []Name{ReEvaluate}},
		"everything at once":             {[]report.Code{report.CodeContractChanged, report.CodeApprovalMissing}, []Name{ReEvaluate, Approve, AcceptContract}},
	} {
		t.Run(rule, func(t *testing.T) {
			t.Parallel()
			var r report.Report
			for _, code := range row.codes {
				r.Diagnostics = append(r.Diagnostics, report.New(code, "x"))
			}
			var got []Name
			for _, b := range For(r) {
				got = append(got, b.Name)
			}
			require.Equal(t, row.want, got)
		})
	}
	overridden := report.New(report.CodeApprovalMissing, "x")
	overridden.Severity = report.Note
	require.Empty(t, For(report.Report{Diagnostics: []report.Diagnostic{overridden}}), "what an override passed is not missing")
}
