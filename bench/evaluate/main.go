// Evaluate prints how long a judgement takes beside one full goldmark parse of the same bytes in the
// same run (design section 17), as the Markdown tables of docs/performance.md. Both sides take
// turns; the best of all rounds stands, since whatever else runs on the machine only adds.
//
// usage: go run ./bench/evaluate [-rounds N]
package main

import (
	"flag"
	"fmt"
	"os"
	"runtime"
	"time"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/text"

	"github.com/evidence-gate/evidence-gate/bench/corpus"
	"github.com/evidence-gate/evidence-gate/checks"
	"github.com/evidence-gate/evidence-gate/report"
	"github.com/evidence-gate/evidence-gate/snapshot"
)

func main() {
	rounds := flag.Int("rounds", 40, "how often the two take turns")
	flag.Parse()
	fmt.Printf("%s, %s/%s, %d CPUs\n\n", runtime.Version(), runtime.GOOS, runtime.GOARCH, runtime.NumCPU())
	fmt.Println("| checks | section | bytes | evaluation | goldmark parse | ratio | allocated |\n| ---: | --- | ---: | ---: | ---: | ---: | ---: |")
	for _, n := range []int{1, 5, 20, 100, 500, 2000} {
		row(*rounds, fmt.Sprintf("%d | whole body", n), corpus.PullRequest(n, 0))
		row(*rounds, fmt.Sprintf("%d | half of it", n), corpus.PullRequest(n, corpus.ProseFor(n)))
	}
	fmt.Println("\nGrowth of the text around 20 checks:\n\n| checks | section | bytes | evaluation | goldmark parse | ratio | allocated |\n| ---: | --- | ---: | ---: | ---: | ---: | ---: |")
	for _, prose := range []int{10, 100, 1000, 5000} {
		row(*rounds, fmt.Sprintf("20 | %d paragraphs before it", prose), corpus.PullRequest(20, prose))
	}
}

func row(rounds int, name string, s snapshot.Snapshot) {
	md := goldmark.New(goldmark.WithExtensions(extension.GFM))
	bytes := 0
	for _, d := range corpus.Documents(s) {
		bytes += len(d)
	}
	judge := func() {
		if got := checks.Evaluate(s, report.Merge); got.Conclusion != report.Success {
			fmt.Fprintln(os.Stderr, got.Diagnostics)
			os.Exit(1)
		}
	}
	parse := func() {
		for _, d := range corpus.Documents(s) {
			md.Parser().Parse(text.NewReader([]byte(d)))
		}
	}
	repeat := max(1, 200_000/bytes)
	a, b := time.Hour, time.Hour
	for range rounds {
		a, b = min(a, timed(judge, repeat)), min(b, timed(parse, repeat))
	}
	fmt.Printf("| %s | %d | %s | %s | %.2f | %d kB |\n", name, bytes, round(a), round(b), float64(a)/float64(b), allocated(judge)/1024)
}

func timed(f func(), repeat int) time.Duration {
	start := time.Now()
	for range repeat {
		f()
	}
	return time.Since(start) / time.Duration(repeat)
}

func allocated(f func()) uint64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	f()
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}

func round(d time.Duration) time.Duration {
	if d > time.Millisecond {
		return d.Round(10 * time.Microsecond)
	}
	return d.Round(100 * time.Nanosecond)
}
