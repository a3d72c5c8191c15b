package checks_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/evidence-gate/evidence-gate/bench/corpus"
	"github.com/evidence-gate/evidence-gate/checks"
	"github.com/evidence-gate/evidence-gate/report"
	"github.com/evidence-gate/evidence-gate/snapshot"
)

const oldHead = "9b0e4d2c7a61f35880cc1e2d49ab73f6105e8d24"

// E4: an entry whose text stands unchanged since a body revision that named another head.
func TestRenewal(t *testing.T) {
	t.Parallel()
	now := *corpus.PullRequest(1, 0).PullRequest.Body
	stale := strings.Replace(now, corpus.Head, oldHead, 1)
	reworded := strings.Replace(now, "final run", "another run", 1)
	for _, row := range []struct {
		about   string
		body    string
		history []string // oldest first, the current text last (section 11)
		want    []report.Code
	}{
		{"carried over", now, []string{stale, now}, []report.Code{report.CodeEvidenceNotRenewed}},
		{"carried over in two steps", now, []string{stale, now + "\n", now}, []report.Code{report.CodeEvidenceNotRenewed}},
		{"written anew", now, []string{reworded, now}, nil},
		{"written anew, then the head renamed", now, []string{strings.Replace(reworded, corpus.Head, oldHead, 1), now}, nil},
		{"only white space changed", now, []string{strings.Replace(stale, "final run", "final  run", 1), now}, []report.Code{report.CodeEvidenceNotRenewed}},
		{"the same head before", now, []string{now + "\nmore\n", now}, nil},
		{"the body itself is stale", stale, []string{stale}, []report.Code{report.CodeHeadStale}},
		{"an erased revision says nothing", now, []string{"", now}, nil},
	} {
		s := corpus.PullRequest(1, 0)
		s.PullRequest.Body = &row.body
		for _, text := range row.history {
			s.PullRequest.Revisions = append(s.PullRequest.Revisions, snapshot.Revision{Body: &text, Erased: text == ""})
		}
		var codes []report.Code
		for _, d := range checks.Evaluate(s, report.Merge).Diagnostics {
			codes = append(codes, d.Code)
		}
		require.Equal(t, row.want, codes, row.about)
	}
}

// Section 11: a fact that a judge needs and that could not be read never passes. Earlier texts of the
// body only ever lead to a warning.
func TestUnavailableFacts(t *testing.T) {
	t.Parallel()
	for fact, want := range map[string]report.Conclusion{
		"status_checks": report.ActionRequired, "issue.comments": report.ActionRequired, "policy": report.ActionRequired,
		"memory": report.ActionRequired, "pull_request.revisions": report.Success,
	} {
		s := corpus.PullRequest(1, 0)
		s.Unavailable = []snapshot.Unavailable{{Fact: fact, Reason: "403"}}
		require.Equal(t, want, checks.Evaluate(s, report.Merge).Conclusion, fact)
	}
}

// A check that only a status can prove gets no entry to fill: it would claim what CI has to say.
func TestScaffoldLeavesStatusesToCI(t *testing.T) {
	t.Parallel()
	section, diagnostics := checks.Scaffold("## Required Checks\n\n- [RC-1] `npm test` [source: status_check]\n- [RC-2] `npm run lint`\n", corpus.Head)
	require.Empty(t, diagnostics)
	require.NotContains(t, section, "RC-1")
	require.Contains(t, section, "RC-2")
}
