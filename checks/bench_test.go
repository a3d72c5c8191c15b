package checks_test

import (
	"fmt"
	"testing"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/text"

	"github.com/evidence-gate/evidence-gate/bench/corpus"
	"github.com/evidence-gate/evidence-gate/checks"
	"github.com/evidence-gate/evidence-gate/report"
)

// BenchmarkEvaluate measures an evaluation beside one full goldmark parse of the same bytes in the
// same run (design section 17). "whole" bodies are all section, "half" ones half.
func BenchmarkEvaluate(b *testing.B) {
	md := goldmark.New(goldmark.WithExtensions(extension.GFM))
	for _, n := range []int{1, 5, 20, 100, 500, 2000} {
		for _, shape := range []struct {
			name  string
			prose int
		}{{"whole", 0}, {"half", corpus.ProseFor(n)}} {
			s := corpus.PullRequest(n, shape.prose)
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
		s := corpus.PullRequest(20, prose)
		b.Run(fmt.Sprintf("bytes=%d", len(*s.PullRequest.Body)), func(b *testing.B) {
			b.SetBytes(int64(len(*s.PullRequest.Body)))
			b.ReportAllocs()
			for b.Loop() {
				checks.Evaluate(s, report.Merge)
			}
		})
	}
}
