package checks_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/evidence-gate/evidence-gate/checks"
	"github.com/evidence-gate/evidence-gate/report"
	"github.com/evidence-gate/evidence-gate/snapshot"
)

// opened is a pull request by eng whose task lead posted, in a repository with two maintainers.
func opened() snapshot.Snapshot {
	s := proved()
	s.Repository.Maintainers = 2
	s.PullRequest.Author = user("eng", "write")
	login := "eng"
	s.PullRequest.Commits = []snapshot.Commit{{SHA: refusalHead, Authors: []*string{&login}}}
	return s
}

func approved(s snapshot.Snapshot, by *snapshot.Actor) snapshot.Snapshot {
	s.Reviews = append(s.Reviews, snapshot.Review{Author: by, State: "approved", CommitSHA: refusalHead, SubmittedAt: "2026-11-29T11:00:00Z"})
	return s
}

// Section 10: an approval of the head raises the trust in every check.
func TestApprovalRaisesTrust(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		level, assurance, label string
		by                      *snapshot.Actor
	}{
		{"checks", "self_reported", "self_reported", nil},
		{"checks+review", "agent_verified", "verifier_confirmed", user("eng2", "write")},
		{"checks+human", "person_approved", "approved_by_person", user("chief", "maintain")},
	} {
		s := withPolicy(opened(), "level: "+row.level)
		if row.by != nil {
			s = approved(s, row.by)
		}
		got := checks.Evaluate(s, report.Merge)
		require.Equal(t, report.Success, got.Conclusion, "%s: %v", row.level, got.Diagnostics)
		require.Equal(t, row.assurance, got.Assurance)
		require.Equal(t, row.label, *got.Checks[0].TrustLabel)
	}
}

// A task that raises its own level needs the approval, too (section 9).
func TestRaisedLevelAsksForTheApproval(t *testing.T) {
	t.Parallel()
	s := opened()
	text := "Verification: checks+human\n\n" + *s.Issue.Body
	s.Issue.Body = &text
	want(t, s, "without an approval", report.CodeApprovalPersonMissing)
	want(t, approved(s, user("chief", "maintain")), "with one")
}

// A check with method person waits for a person whatever the level, and at stage merge only.
func TestCheckOfAPerson(t *testing.T) {
	t.Parallel()
	s := opened()
	setTask(&s, "- [RC-1] `npm test` (method: person)\n")
	want(t, s, "nobody looked", report.CodeCheckPersonRequired)
	require.False(t, checks.Evaluate(s, report.Merge).Checks[0].Satisfied)
	require.Equal(t, report.Success, checks.Evaluate(s, report.Review).Conclusion)
	s = approved(s, user("chief", "maintain"))
	want(t, s, "a maintainer did")
	require.True(t, checks.Evaluate(s, report.Merge).Checks[0].Satisfied)
}

// Section 8: under an override every error is a note beside override.active.
func TestOverride(t *testing.T) {
	t.Parallel()
	override := func(s snapshot.Snapshot, by *snapshot.Actor, head string) report.Report {
		s.Actions = []snapshot.Action{{Kind: "override", Actor: by, HeadSHA: head, At: "2026-11-29T12:00:00Z", Reason: "hotfix, evidence follows"}}
		return checks.Evaluate(s, report.Merge)
	}
	broken := opened()
	broken.PullRequest.Body = nil
	for about, s := range map[string]snapshot.Snapshot{"no evidence": broken, "a broken policy": withPolicy(opened(), "levle: checks")} {
		got := override(s, user("chief", "admin"), refusalHead)
		require.Equal(t, report.Success, got.Conclusion, about)
		require.Equal(t, report.CodeOverrideActive, got.Diagnostics[0].Code, about)
		require.Greater(t, len(got.Diagnostics), 1, about)
		for _, d := range got.Diagnostics {
			require.Equal(t, report.Note, d.Severity, about)
		}
		require.Contains(t, got.Title, "override", about)
		require.Contains(t, got.Title, "chief", about)
	}
	for about, got := range map[string]report.Report{
		"a maintainer is no admin": override(broken, user("lead", "maintain"), refusalHead),
		"for another head":         override(broken, user("chief", "admin"), otherHead),
	} {
		require.Equal(t, report.Failure, got.Conclusion, about)
		refused := got.Approvals[len(got.Approvals)-1]
		require.Equal(t, "override", refused.As, about)
		require.False(t, refused.Counts, about)
		require.NotEmpty(t, refused.Because, about)
		require.NotEqual(t, report.CodeOverrideActive, got.Diagnostics[0].Code, about)
	}
}

// Section 10: acceptance criteria need evidence of their own; a manual one waits for a maintainer.
func TestCriteriaOfTheTask(t *testing.T) {
	t.Parallel()
	task := "## Required Checks\n\n" + npmTest + "\n## Acceptance Criteria\n\n- [AC-1] (kind: unit) the cache is emptied\n"
	with := func(entry string) snapshot.Snapshot {
		s := opened()
		s.Issue.Body = &task
		setEvidence(&s, npmTestEntry+entry)
		return s
	}
	want(t, with(""), "no evidence", report.CodeCriterionUnsatisfied)
	want(t, withPolicy(with(""), "criteria: off"), "the policy does not read them")
	s := with("- Criterion: [AC-1] the cache is emptied\n  Evidence: check:RC-1\n")
	want(t, s, "by a check that is satisfied")
	got := checks.Evaluate(s, report.Merge)
	require.Equal(t, []report.Criterion{{ID: "AC-1", Satisfied: true}}, got.Criteria)
	require.NotEqual(t, checks.Evaluate(opened(), report.Merge).Contract.Digest, got.Contract.Digest, "criteria belong to the digest (C7)")
	want(t, withPolicy(opened(), "criteria: required"), "none although required", report.CodeCriterionMissing)

	s = with("- Criterion: [AC-1] the cache is emptied\n  Evidence: manual\n")
	require.Equal(t, report.ActionRequired, checks.Evaluate(s, report.Merge).Conclusion)
	s = approved(s, user("chief", "maintain"))
	want(t, s, "signed off")
	require.True(t, checks.Evaluate(s, report.Merge).Criteria[0].Satisfied)
}

// Files know of no approval, so that they cannot say that the pull request may merge where one is
// asked for.
func TestLintDoesNotPassWhereAPersonIsAskedFor(t *testing.T) {
	t.Parallel()
	body := "## Evidence\nCurrent PR head: " + refusalHead + "\n\n" + npmTestEntry + "- Criterion: [AC-1]\n  Evidence: manual\n"
	for task, code := range map[string]report.Code{
		"## Required Checks\n\n" + npmTest:                                                                         "",
		"Verification: checks+human\n\n## Required Checks\n\n" + npmTest:                                           report.CodeApprovalPersonMissing,
		"## Required Checks\n\n- [RC-1] `npm test` (method: person)\n":                                             report.CodeCheckPersonRequired,
		"## Required Checks\n\n" + npmTest + "\n## Acceptance Criteria\n\n- [AC-1] (kind: manual) it reads well\n": report.CodeApprovalPersonMissing,
	} {
		lint := func(stage report.Stage) report.Report {
			return checks.Lint(checks.Files{Body: body, Issue: &task, Head: refusalHead, Stage: stage})
		}
		require.Equal(t, report.Success, lint(report.Review).Conclusion, task)
		got := lint(report.Merge)
		if code == "" {
			require.Equal(t, report.Success, got.Conclusion, "%v", got.Diagnostics)
			continue
		}
		require.Equal(t, report.ActionRequired, got.Conclusion, task)
		require.Equal(t, code, got.Diagnostics[len(got.Diagnostics)-1].Code, task)
	}
}
