package main

import (
	"fmt"
	"regexp"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/evidence-gate/evidence-gate/verify/records"
)

// runsText is the summary for people.
func runsText(s records.Summary) string {
	var out strings.Builder
	if s.Runs == 0 {
		out.WriteString("No run of verify is recorded here.\n")
	} else {
		writeRuns(&out, s)
	}
	if s.Unreadable > 0 {
		fmt.Fprintf(&out, "\nPassed over in .evidence/runs.jsonl, since it is no record: %s.\n", countedWord(s.Unreadable, "line"))
	}
	return trailing.ReplaceAllString(out.String(), "")
}

// trailing are the spaces with which columns fill their last one.
var trailing = regexp.MustCompile(`(?m) +$`)

func writeRuns(out *strings.Builder, s records.Summary) {
	var ended []string
	for _, c := range s.Outcomes {
		ended = append(ended, fmt.Sprintf("%d %s", c.Runs, c.Outcome))
	}
	newest := ""
	if s.Cut {
		newest = " (the newest)"
	}
	fmt.Fprintf(out, "%s%s: %s\n", countedWord(s.Runs, "run"), newest, strings.Join(ended, ", "))
	if s.Streak != nil {
		fmt.Fprintf(out, "now: %s, %s in a row since %s\n", s.Streak.Outcome, countedWord(s.Streak.Runs, "run"), shownTime(s.Streak.Since))
	}
	if s.LongestGreen > 0 {
		fmt.Fprintf(out, "longest green streak: %s\n", countedWord(s.LongestGreen, "run"))
	}
	for _, first := range []struct {
		what string
		at   *time.Time
	}{{"first green", s.FirstGreenAt}, {"tests first passed", s.FirstTestPassAt}} {
		if first.at != nil {
			fmt.Fprintf(out, "%s: %s\n", first.what, shownTime(*first.at))
		}
	}
	writeSlowest(out, s.Slowest)
	writeFlaky(out, s.Flaky)
	writeLast(out, s.Last)
}

func writeSlowest(out *strings.Builder, slowest []records.Slow) {
	if len(slowest) == 0 {
		return
	}
	out.WriteString("\nSlowest steps:\n")
	table := columns(out)
	fmt.Fprintln(table, "  step\tlayer\tmedian\tlongest\truns")
	for _, s := range slowest {
		fmt.Fprintf(table, "  %s\t%s\t%s\t%s\t%d\n", oneLine(s.Name), s.Layer, shownMilliseconds(s.MedianMS), shownMilliseconds(s.LongMS), s.Runs)
	}
	table.Flush()
}

func writeFlaky(out *strings.Builder, flaky []records.Flaky) {
	if len(flaky) == 0 {
		return
	}
	out.WriteString("\nFlaky steps, which passed and failed on one tree:\n")
	for _, f := range flaky {
		newest := f.Trees[0]
		fmt.Fprintf(out, "  %s: on %s; on %.12s it passed %s and failed %s\n", oneLine(f.Name), countedWord(len(f.Trees), "tree"), newest.Tree, times(newest.Passed), times(newest.Failed))
	}
}

func writeLast(out *strings.Builder, last []records.Record) {
	if len(last) == 0 {
		return
	}
	out.WriteString("\nLast runs:\n")
	table := columns(out)
	for _, r := range last {
		by := r.Agent
		if by == "" {
			by = "-"
		}
		fmt.Fprintf(table, "  %s\t%s\t%s\t%s\t%s\t%s\n", shownTime(r.Start), r.Outcome, r.Scope, shownMilliseconds(r.DurationMS), by, notPassed(r.Steps))
	}
	table.Flush()
}

// notPassed names the steps that failed, with how.
func notPassed(steps []records.Step) string {
	var failed []string
	for _, s := range steps {
		if s.Status != records.StepFailed {
			continue
		}
		how := s.Failure
		if s.ExitCode != nil {
			how = fmt.Sprintf("exit %d", *s.ExitCode)
		}
		failed = append(failed, fmt.Sprintf("%s (%s)", oneLine(s.Name), how))
	}
	return strings.Join(failed, ", ")
}

func columns(out *strings.Builder) *tabwriter.Writer {
	return tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
}

func shownTime(at time.Time) string { return at.UTC().Format("2006-01-02 15:04:05") + "Z" }

// shownMilliseconds is a duration as short as it tells something: 340ms, 12.3s, 4m5s.
func shownMilliseconds(n int64) string {
	d := time.Duration(n) * time.Millisecond
	switch {
	case d < time.Second:
		return d.String()
	case d < time.Minute:
		return d.Round(100 * time.Millisecond).String()
	}
	return d.Round(time.Second).String()
}

func times(n int) string {
	if n == 1 {
		return "once"
	}
	return fmt.Sprintf("%d times", n)
}
