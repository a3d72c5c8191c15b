// Package corpus makes the pull requests that the benchmarks judge.
package corpus

import (
	"fmt"
	"strings"

	"github.com/evidence-gate/evidence-gate/snapshot"
)

// Head is the head commit of the pull requests.
const Head = "3f9c1a7be2d84065c1b7a9e0d3f4628517ab90cd"

// PullRequest is a pull request whose n checks are all proved. prose paragraphs of ordinary text
// stand before the Evidence section; with ProseFor(n) of them the section is half of the body.
func PullRequest(n, prose int) snapshot.Snapshot {
	var issue, body strings.Builder
	issue.WriteString("## Required Checks\n\n")
	for i := range prose {
		fmt.Fprintf(&body, "Paragraph %d says *why* the cache of `widget %d` was changed, with a [link](https://example.invalid/%d) and **more** words of prose to read.\n\n", i, i, i)
	}
	body.WriteString("## Evidence\nCurrent PR head: " + Head + "\n\n")
	for i := 1; i <= n; i++ {
		fmt.Fprintf(&issue, "- [RC-%d] `go test ./pkg%d/...` [source: pr_body, status_check]\n", i, i)
		fmt.Fprintf(&body, "- Required check: [RC-%d] `go test ./pkg%d/...`\n  Verdict: passed\n  Evidence: final run on the head: %d passing, 0 failing (exit 0)\n", i, i, i+100)
	}
	b, is := body.String(), issue.String()
	return snapshot.Snapshot{
		Repository:  snapshot.Repository{Owner: "acme", Name: "widgets"},
		PullRequest: snapshot.PullRequest{Number: 1, Body: &b, HeadSHA: Head},
		Issue:       &snapshot.Issue{Number: 7, Body: &is, Author: &snapshot.Actor{Login: "lead", Type: "User", Permission: "maintain"}},
	}
}

// ProseFor is how many paragraphs make the section of n checks half of the body.
func ProseFor(n int) int { return max(1, n) }

// Documents are the texts of a pull request that an evaluation reads.
func Documents(s snapshot.Snapshot) []string {
	return []string{*s.PullRequest.Body, *s.Issue.Body}
}
