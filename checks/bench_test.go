package checks_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/text"

	"github.com/evidence-gate/evidence-gate/checks"
	"github.com/evidence-gate/evidence-gate/report"
	"github.com/evidence-gate/evidence-gate/snapshot"
)

const benchHead = "3f9c1a7be2d84065c1b7a9e0d3f4628517ab90cd"

// benchSnapshot is a pull request whose n checks are all proved. prose paragraphs of ordinary text
// stand before the section.
func benchSnapshot(n, prose int) snapshot.Snapshot {
	var issue, body strings.Builder
	issue.WriteString("## Required Checks\n\n")
	for i := range prose {
		fmt.Fprintf(&body, "Paragraph %d says *why* the cache of `widget %d` was changed, with a [link](https://example.invalid/%d) and **more** words of prose to read.\n\n", i, i, i)
	}
	body.WriteString("## Evidence\nCurrent PR head: " + benchHead + "\n\n")
	for i := 1; i <= n; i++ {
		fmt.Fprintf(&issue, "- [RC-%d] `go test ./pkg%d/...` [source: pr_body, status_check]\n", i, i)
		fmt.Fprintf(&body, "- Required check: [RC-%d] `go test ./pkg%d/...`\n  Verdict: passed\n  Evidence: final run on the head: %d passing, 0 failing (exit 0)\n", i, i, i+100)
	}
	b, is := body.String(), issue.String()
	return snapshot.Snapshot{
		Repository:  snapshot.Repository{Owner: "acme", Name: "widgets"},
		PullRequest: snapshot.PullRequest{Number: 1, Body: &b, HeadSHA: benchHead},
		Issue:       &snapshot.Issue{Number: 7, Body: &is},
	}
}

// proseFor is how many paragraphs make the section half of the body.
func proseFor(n int) int { return max(1, n) }

// BenchmarkEvaluate measures an evaluation beside one full goldmark parse of the same bytes in the
// same run (design section 17). "whole" bodies are all section, "half" ones half.
func BenchmarkEvaluate(b *testing.B) {
	md := goldmark.New(goldmark.WithExtensions(extension.GFM))
	for _, n := range []int{1, 5, 20, 100, 500, 2000} {
		for _, shape := range []struct {
			name  string
			prose int
		}{{"whole", 0}, {"half", proseFor(n)}} {
			s := benchSnapshot(n, shape.prose)
			size := len(*s.PullRequest.Body) + len(*s.Issue.Body)
			b.Run(fmt.Sprintf("%s/checks=%d/evaluate", shape.name, n), func(b *testing.B) {
				b.SetBytes(int64(size))
				b.ReportAllocs()
				for b.Loop() {
					if got := checks.Evaluate(s, report.Merge); got.Conclusion != report.Success {
						b.Fatal(got.Diagnostics)
					}
				}
			})
			b.Run(fmt.Sprintf("%s/checks=%d/goldmark", shape.name, n), func(b *testing.B) {
				b.SetBytes(int64(size))
				b.ReportAllocs()
				for b.Loop() {
					md.Parser().Parse(text.NewReader([]byte(*s.PullRequest.Body)))
					md.Parser().Parse(text.NewReader([]byte(*s.Issue.Body)))
				}
			})
		}
	}
}

// BenchmarkEvaluateBodySize grows the prose around 20 checks.
func BenchmarkEvaluateBodySize(b *testing.B) {
	for _, prose := range []int{10, 100, 1000, 5000} {
		s := benchSnapshot(20, prose)
		b.Run(fmt.Sprintf("bytes=%d", len(*s.PullRequest.Body)), func(b *testing.B) {
			b.SetBytes(int64(len(*s.PullRequest.Body)))
			b.ReportAllocs()
			for b.Loop() {
				checks.Evaluate(s, report.Merge)
			}
		})
	}
}
