package checks_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/evidence-gate/evidence-gate/checks"
	"github.com/evidence-gate/evidence-gate/report"
	"github.com/evidence-gate/evidence-gate/snapshot"
)

// The form holds every check that will be judged, those of the policy too.
func TestFormFollowsThePolicy(t *testing.T) {
	t.Parallel()
	form := checks.FormOf(proved())
	require.Contains(t, form.Section, "- Required check: [RC-1] `npm test`")
	require.Empty(t, form.Diagnostics)

	s := withPolicy(proved(), "tasks: { source: both }", "checks:\n  - { id: RC-9, name: unit tests, run: go test ./... }")
	form = checks.FormOf(s)
	require.Len(t, form.Contract.Checks, 2)
	require.Contains(t, form.Section, "- Required check: [RC-1] `npm test`")
	require.Contains(t, form.Section, "- Required check: [RC-9] `go test ./...`")

	form = checks.FormOf(withPolicy(proved(), "level: off"))
	require.NotEmpty(t, form.Neutral)
	require.Contains(t, form.Section, "[RC-1]", "who writes evidence anyway gets the form")
}

// Without a contract to go by there is no form, and the judges' own words say why.
func TestNoFormWithoutAContract(t *testing.T) {
	t.Parallel()
	for code, change := range map[report.Code]func(*snapshot.Snapshot){
		report.CodeTaskMissing:             func(s *snapshot.Snapshot) { s.Issue, s.Linked = nil, nil },
		report.CodePolicyInvalid:           func(s *snapshot.Snapshot) { *s = withPolicy(*s, "level: maximum") },
		report.CodeContractKindInvalid:     func(s *snapshot.Snapshot) { setTask(s, "- [RC-1] `x` (kind: magic)\n") },
		report.CodeSnapshotFactUnavailable: func(s *snapshot.Snapshot) { s.Unavailable = []snapshot.Unavailable{{Fact: "issue", Reason: "502"}} },
	} {
		s := proved()
		change(&s)
		form := checks.FormOf(s)
		require.Empty(t, form.Section, code)
		require.Len(t, form.Diagnostics, 1, code)
		require.Equal(t, code, form.Diagnostics[0].Code)
	}
}

// The form has an entry for every criterion, which never passes as it stands.
func TestFormHoldsTheCriteria(t *testing.T) {
	t.Parallel()
	s := proved()
	task := "## Required Checks\n\n" + npmTest + "\n## Acceptance Criteria\n\n- [AC-1] (kind: unit) the cache is emptied\n"
	s.Issue.Body = &task
	form := checks.FormOf(s)
	require.Contains(t, form.Text(), "- Criterion: [AC-1]")
	require.NotContains(t, form.Section, "Criterion")
	text := strings.NewReplacer("Verdict: not run", "Verdict: passed", "REPLACE: what the final run showed", "128 passing (exit 0)").Replace(form.Text())
	s.PullRequest.Body = &text
	want(t, s, "the criterion is still to be filled", report.CodeCriterionUnsatisfied)
	require.NotContains(t, checks.FormOf(withPolicy(s, "criteria: off")).Text(), "Criterion")
}
