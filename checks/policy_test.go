package checks_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/evidence-gate/evidence-gate/checks"
	"github.com/evidence-gate/evidence-gate/report"
	"github.com/evidence-gate/evidence-gate/snapshot"
)

func withPolicy(s snapshot.Snapshot, lines ...string) snapshot.Snapshot {
	s.Policy = &snapshot.File{Path: ".github/evidence.yml", Text: "version: 1\n" + strings.Join(lines, "\n") + "\n"}
	return s
}

// Level off beats everything, and a base that the policy is not for is not judged (sections 8 and 9).
func TestNeutralPolicies(t *testing.T) {
	t.Parallel()
	for about, change := range map[string]func(*snapshot.Snapshot){
		"nothing":             func(*snapshot.Snapshot) {},
		"no evidence":         func(s *snapshot.Snapshot) { s.PullRequest.Body = nil },
		"documents too large": func(s *snapshot.Snapshot) { setEvidence(s, strings.Repeat("x", 17<<20)) },
		"an unreadable fact": func(s *snapshot.Snapshot) {
			s.Unavailable = []snapshot.Unavailable{{Fact: "comments", Reason: "502"}}
		},
	} {
		s := withPolicy(proved(), "level: off")
		change(&s)
		got := checks.Evaluate(s, report.Merge)
		require.Equal(t, report.Neutral, got.Conclusion, about)
		require.Empty(t, got.Diagnostics, about)
		require.Equal(t, "off", got.Level)
		require.Contains(t, got.Title, "Not judged: the policy sets the level off", about)
	}
	s := withPolicy(proved(), "applies_to: { bases: [main] }")
	s.PullRequest.BaseRef = "next"
	require.Equal(t, report.Neutral, checks.Evaluate(s, report.Merge).Conclusion)
	s.PullRequest.BaseRef = "main"
	require.Equal(t, report.Success, checks.Evaluate(s, report.Merge).Conclusion)
}

// With mode report the Report keeps its conclusion (section 8).
func TestReportModeKeepsTheConclusion(t *testing.T) {
	t.Parallel()
	s := withPolicy(proved(), "mode: report")
	s.PullRequest.Body = nil
	got := checks.Evaluate(s, report.Merge)
	require.Equal(t, report.Failure, got.Conclusion)
	require.Equal(t, "report", got.Mode)
	require.Equal(t, "enforce", checks.Evaluate(proved(), report.Merge).Mode)
}

// While the policy has an error nothing else is judged (C6), and one that could not be read is no
// silent default (section 9).
func TestBrokenPolicyStopsTheJudgement(t *testing.T) {
	t.Parallel()
	s := withPolicy(proved(), "levle: checks")
	s.PullRequest.Body = nil
	want(t, s, "an unknown key", report.CodePolicyInvalid)

	s = proved()
	s.PullRequest.Body = nil
	s.Unavailable = []snapshot.Unavailable{{Fact: "policy", Reason: "403"}}
	want(t, s, "a policy that could not be read", report.CodeSnapshotFactUnavailable)

	s = proved()
	s.OrganisationPolicy = &snapshot.File{Path: ".github/evidence.yml", Text: "version: 1\nlevel: off\n"}
	require.Equal(t, report.Neutral, checks.Evaluate(s, report.Merge).Conclusion, "the organisation's policy holds where the repository has none")
	s = withPolicy(s, "level: checks")
	require.Equal(t, report.Success, checks.Evaluate(s, report.Merge).Conclusion, "the repository's own comes first")
}

func TestPolicyOfContradictionsAndRenewal(t *testing.T) {
	t.Parallel()
	s := withPolicy(proved(), "contradictions: warn")
	setEvidence(&s, "- Required check: [RC-1] `npm test`\n  Verdict: passed\n  Evidence: 3 failing (exit 1)\n")
	want(t, s, "a contradiction warns")
	s.Policy = nil
	want(t, s, "by default it fails", report.CodeEvidenceContradictsVerdict)

	carried := func(s snapshot.Snapshot) snapshot.Snapshot {
		old := strings.ReplaceAll(*s.PullRequest.Body, refusalHead, otherHead)
		s.PullRequest.Revisions = []snapshot.Revision{{Editor: user("eng", "write"), Body: &old}, {Editor: user("eng", "write"), Body: s.PullRequest.Body}}
		return s
	}
	want(t, carried(proved()), "text that was carried over warns")
	s = withPolicy(carried(proved()), "unrenewed: fail")
	want(t, s, "text that was carried over fails", report.CodeEvidenceNotRenewed)
	require.False(t, checks.Evaluate(s, report.Merge).Checks[0].Satisfied)
	s = withPolicy(proved(), "unrenewed: fail")
	want(t, s, "text that stands for the first time")
	s.Unavailable = []snapshot.Unavailable{{Fact: "pull_request.revisions", Reason: "hidden"}}
	want(t, s, "without its history nobody knows", report.CodeSnapshotFactUnavailable)
}

// C4: status_checks implied adds the source to every undeclared command check, and to no other.
func TestImpliedStatusChecks(t *testing.T) {
	t.Parallel()
	for task, codes := range map[string][]report.Code{
		"- [RC-1] `npm test`\n":                   nil,
		"- [RC-1] `npm test` (kind: command)\n":   {report.CodeCheckUnsatisfied},
		"- [RC-1] command: `npm test`\n":          {report.CodeCheckUnsatisfied},
		"- [RC-1] `npm test` [source: pr_body]\n": {report.CodeCheckUnsatisfied},
	} {
		s := withPolicy(proved(), "status_checks: implied")
		setTask(&s, task)
		setEvidence(&s, "")
		s.StatusChecks = []snapshot.StatusCheck{run("success", "ci")}
		want(t, s, task, codes...)
	}
	implied, explicit := withPolicy(proved(), "status_checks: implied"), proved()
	require.Equal(t, checks.Evaluate(explicit, report.Merge).Contract.Digest, checks.Evaluate(implied, report.Merge).Contract.Digest)
}

// Section 9: with tasks.source policy or both, entries of checks with an id are contract checks.
func TestChecksOfThePolicy(t *testing.T) {
	t.Parallel()
	const declared = "checks:\n" +
		"  - { id: RC-9, name: unit tests, run: go test ./..., phase: check, layer: test }\n" +
		"  - { name: a step only, run: go vet ./..., phase: check, layer: lint }\n"
	goTest := "- Required check: [RC-9] `go test ./...`\n  Kind: command\n  Verdict: passed\n  Evidence: ok, 31 packages (exit 0)\n"

	s := withPolicy(proved(), "tasks: { source: policy }", declared)
	want(t, s, "the task's own checks are none", report.CodeCheckUnsatisfied)
	setEvidence(&s, goTest)
	want(t, s, "the policy's check is proved")
	require.Len(t, checks.Evaluate(s, report.Merge).Checks, 1)
	setEvidence(&s, "")
	s.StatusChecks = []snapshot.StatusCheck{{Name: "go test ./...", App: "ci", Status: "completed", Conclusion: run("success", "ci").Conclusion}}
	want(t, s, "a status proves the policy's command")

	s = withPolicy(proved(), "tasks: { source: both }", declared)
	want(t, s, "both are required", report.CodeCheckUnsatisfied)
	setEvidence(&s, npmTestEntry+goTest)
	want(t, s, "both are proved")
	setTask(&s, "- [RC-9] `make`\n")
	want(t, s, "an id of both", report.CodeContractIdDuplicate)
	none := "Please tidy the cache."
	s.Issue.Body = &none
	setEvidence(&s, goTest)
	want(t, s, "a task without checks of its own")
	fenced := "```\n## Required Checks\n- [RC-1] `npm test`\n```\n"
	s.Issue.Body = &fenced
	want(t, s, "a task whose checks are hidden", report.CodeContractMissing)

	s = withPolicy(proved(), "tasks: { source: policy }", "checks:\n  - { id: RC-1, name: theme, text: Settings page keeps the theme, kind: manual, observations: [survives-reload] }")
	want(t, s, "a check with a text", report.CodeEvidenceKindMismatch)
	s = withPolicy(proved(), "tasks: { source: policy }")
	want(t, s, "no check at all never passes", report.CodeContractMissing)
}

func TestTasksOfThePolicy(t *testing.T) {
	t.Parallel()
	untasked := func(lines ...string) snapshot.Snapshot {
		s := withPolicy(proved(), lines...)
		s.Issue, s.Linked = nil, nil
		return s
	}
	want(t, untasked(), "by default a task is required", report.CodeTaskMissing)
	require.Equal(t, report.Neutral, checks.Evaluate(untasked("tasks: { require: false }"), report.Merge).Conclusion)
	want(t, untasked("tasks: { source: policy, require: false }", "checks:\n  - { id: RC-1, name: unit tests, run: npm test }"), "the policy's own checks need no task")

	s := untasked("tasks: { require: false }")
	s.Unavailable = []snapshot.Unavailable{{Fact: "issue", Reason: "502"}}
	want(t, s, "a task that could not be read", report.CodeSnapshotFactUnavailable)

	s = withPolicy(proved(), `tasks: { id_pattern: "^T-" }`)
	s.Issue.Title = "T-7: tidy the cache"
	want(t, s, "the title of a task")
	s.Issue.Title = "Tidy the cache"
	want(t, s, "another title", report.CodeTaskMissing)
}

// Section 10: a pull request without changed files is change.empty unless the policy allows it or the
// section says why.
func TestEmptyChanges(t *testing.T) {
	t.Parallel()
	empty := func(s snapshot.Snapshot) snapshot.Snapshot {
		none := 0
		s.PullRequest.ChangedFiles = &none
		return s
	}
	want(t, empty(proved()), "no file", report.CodeChangeEmpty)
	want(t, withPolicy(empty(proved()), "no_changes: allow"), "allowed by the policy")
	s := empty(proved())
	setEvidence(&s, npmTestEntry+"\nNo code reason: the release is cut from the tag alone\n")
	want(t, s, "with its reason")
	setEvidence(&s, npmTestEntry+"\nNo code reason: TBD\n")
	want(t, s, "with a placeholder", report.CodeChangeEmpty)
	outside := *s.PullRequest.Body + "\n## Other\n\nNo code reason: the release is cut from the tag alone\n"
	s.PullRequest.Body = &outside
	want(t, s, "with a reason outside the section", report.CodeChangeEmpty)
}

// What a policy asks for and nobody judges yet never passes (section 1), where it matters.
func TestUnjudgedKeysOfThePolicy(t *testing.T) {
	t.Parallel()
	s := withPolicy(proved(), `verifiers: [ { name: box, owner: carol, public_key: "k" } ]`)
	want(t, s, "a verifier without results")
	s.Attestations = []snapshot.Attestation{{Envelope: map[string]any{}}}
	want(t, s, "signed results", report.CodeGateUnavailable, report.CodeGateUnavailable)
}

func TestPolicyChangedHere(t *testing.T) {
	t.Parallel()
	s := proved()
	s.PullRequest.ChangedPaths = []string{".github/evidence.yml"}
	require.Contains(t, checks.Evaluate(s, report.Merge).Notes, "policy_changed_here")
	s = withPolicy(proved())
	s.Policy.ChangedInPullRequest = true
	require.Contains(t, checks.Evaluate(s, report.Merge).Notes, "policy_changed_here")
	require.NotContains(t, checks.Evaluate(withPolicy(proved()), report.Merge).Notes, "policy_changed_here")
}
