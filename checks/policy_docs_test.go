package checks_test

import (
	"os"
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/evidence-gate/evidence-gate/report"
	"github.com/evidence-gate/evidence-gate/snapshot"
)

// policyOf is the example under a heading of docs/policy.md.
func policyOf(t *testing.T, heading string) *snapshot.File {
	t.Helper()
	page, err := os.ReadFile("../docs/policy.md")
	require.NoError(t, err)
	found := regexp.MustCompile("(?s)\n## " + regexp.QuoteMeta(heading) + "\n.*?```yaml\n(.*?)```").FindStringSubmatch(string(page))
	require.NotNil(t, found, heading)
	return &snapshot.File{Path: ".github/evidence.yml", Text: found[1]}
}

func bot(login string) *snapshot.Actor {
	return &snapshot.Actor{Login: login, Type: "Bot", Permission: "write"}
}

// What docs/policy.md says about approvals comes of its examples.
func TestApprovalsOfThePolicyPage(t *testing.T) {
	t.Parallel()
	s := opened()
	s.Policy = policyOf(t, "A person approves")
	want(t, s, "nobody approved", report.CodeApprovalPersonMissing)
	want(t, approved(s, user("chief", "maintain")), "a review, where the button is asked for", report.CodeApprovalPersonMissing)
	s.Actions = []snapshot.Action{{Kind: "approve", Via: "button", Actor: user("chief", "maintain"), HeadSHA: refusalHead, At: "2026-11-29T12:00:00Z"}}
	want(t, s, "the button")

	s = opened()
	s.Policy = policyOf(t, "Agents review each other, a person approves")
	login := "builder[bot]"
	s.PullRequest.Author = bot(login)
	s.PullRequest.Commits = []snapshot.Commit{{SHA: refusalHead, Authors: []*string{&login}}}
	want(t, s, "nobody looked", report.CodeApprovalMissing, report.CodeApprovalPersonMissing)
	reviewed := approved(s, bot("checker[bot]"))
	want(t, reviewed, "the other agent did", report.CodeApprovalPersonMissing)
	both := approved(reviewed, user("chief", "maintain"))
	both.Reviews[1].SubmittedAt = "2026-11-29T12:00:00Z"
	want(t, both, "and then a maintainer")
	want(t, approved(s, bot(login)), "its own review", report.CodeApprovalNotIndependent, report.CodeApprovalPersonMissing)
}

func TestCriteriaOfThePolicyPage(t *testing.T) {
	t.Parallel()
	s := opened()
	s.Policy = policyOf(t, "Criteria are required")
	want(t, s, "a task without criteria", report.CodeCriterionMissing)
}
