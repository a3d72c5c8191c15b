package attempts_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/text"

	"github.com/evidence-gate/evidence-gate/attempts"
	"github.com/evidence-gate/evidence-gate/snapshot"
)

// busy is a task with so many comments, of which some are carriers of so many attempts each; the
// others are talk.
func busy(comments, carriers, attemptsEach int) attempts.Facts {
	f := facts()
	f.Checks = nil
	for i := range comments {
		body := strings.Repeat("I looked at the cache again, and `npm test` is **slow** on my machine too; see the notes of last week.\n\n", 10)
		if i < carriers {
			id := fmt.Sprintf("RC-%d", i+1)
			f.Checks = append(f.Checks, id)
			body = longCarrier(id, attemptsEach)
		}
		f.Task = append(f.Task, comment(int64(100+i), eng, "09:05", body))
	}
	return f
}

// longCarrier is a carrier with many attempts, each of another commit.
func longCarrier(check string, n int) string {
	var all []string
	for i := range n {
		all = append(all, attempt(i+1, fmt.Sprintf("Artifact: %040x", i+1), "Recorded at: 2026-11-29T09:00:00Z"))
	}
	return carrier(check, all...)
}

// BenchmarkJudge measures 200 comments with 50 carriers of 20 attempts each, beside one full goldmark
// parse of the same bytes in the same run (design section 17).
func BenchmarkJudge(b *testing.B) {
	f := busy(200, 50, 20)
	md := goldmark.New(goldmark.WithExtensions(extension.GFM)).Parser()
	parse := func() {
		for _, c := range f.Task {
			md.Parse(text.NewReader([]byte(c.Body)))
		}
	}
	judge := func() {
		if got := attempts.Judge(f); len(got.Episodes) != 50 {
			b.Fatal(len(got.Episodes))
		}
	}
	b.ReportAllocs()
	var judged, parsed time.Duration
	for b.Loop() {
		start := time.Now()
		judge()
		middle := time.Now()
		parse()
		judged, parsed = judged+middle.Sub(start), parsed+time.Since(middle)
	}
	b.ReportMetric(float64(judged)/float64(parsed), "judge/goldmark")
	b.ReportMetric(float64(judged.Microseconds())/float64(b.N), "µs/judge")
}

// BenchmarkRevisions measures a carrier of 60 kB by the number of its revisions, each of which adds
// an attempt.
func BenchmarkRevisions(b *testing.B) {
	for _, n := range []int{25, 50, 100} {
		f := facts(revised(n, 60<<10))
		b.Run(fmt.Sprintf("revisions=%d", n), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if got := attempts.Judge(f); len(got.Episodes) != 1 {
					b.Fatal(got.Diagnostics)
				}
			}
		})
	}
}

// revised is a carrier of about so many bytes that got its last attempts one by one.
func revised(revisions, size int) snapshot.Comment {
	var all []string
	for length := 0; length < size; {
		i := len(all) + 1
		all = append(all, attempt(i, fmt.Sprintf("Artifact: %040x", i), "Recorded at: 2026-11-29T09:00:00Z"))
		length += len(all[i-1])
	}
	var edits []edit
	for i := range revisions {
		edits = append(edits, edit{eng, fmt.Sprintf("%02d:%02d", 9+i/60, i%60), carrier("RC-1", all[:len(all)-revisions+i+1]...)})
	}
	return edited(101, edits...)
}
