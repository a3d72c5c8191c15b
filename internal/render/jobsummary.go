package render

import (
	"strings"

	"github.com/evidence-gate/evidence-gate/report"
)

// maxJobSummary is in bytes. GitHub takes 1 MiB for a step and shows nothing of a larger summary
// ("Workflow commands for GitHub Actions", step isolation and limits).
const maxJobSummary = 1<<20 - 1024

// JobSummaryOptions of JobSummary.
type JobSummaryOptions struct {
	Subject    string // what was judged, such as acme/widgets#42; empty when that is not known
	SubjectURL string // its page; empty when there is none
	Task       string // that a person chose instead of what the pull request closes; empty when nobody did
}

// JobSummary writes a Report as the summary of a job of GitHub Actions (design section 16): what a
// check run shows, on one page and within the limit. A summary that must be cut ends at the end of
// a line; the verdict stands first.
func JobSummary(r report.Report, o JobSummaryOptions) string {
	var b strings.Builder
	b.WriteString("## Evidence")
	if o.Subject != "" {
		subject := linkTo(o.Subject, o.SubjectURL)
		if subject == "" {
			subject = escape(o.Subject)
		}
		b.WriteString(" of " + subject)
	}
	b.WriteString("\n\n" + checkRunSummary(r, CheckRunOptions{Task: o.Task}))
	if text := checkRunText(r); text != "" {
		b.WriteString("\n" + text)
	}
	return cutMarkdown(b.String(), maxJobSummary)
}

const cutMark = "\n*Cut here: GitHub takes no more. The report of the step holds the rest.*\n"

// cutMarkdown keeps the lines that fit into limit bytes. It never cuts inside a code block, in which
// the mark at the end would be code.
func cutMarkdown(text string, limit int) string {
	if len(text) <= limit {
		return text
	}
	kept, read := 0, 0
	fence := ""
	for line := range strings.Lines(text) {
		read += len(line)
		if read > limit-len(cutMark) {
			break
		}
		fence = fenceAfter(fence, line)
		if fence == "" {
			kept = read
		}
	}
	return text[:kept] + cutMark
}

// fenceAfter is the code fence that is open after a line, "" when there is none. The fences are
// those of codeBlock: as long as needed, and alone at their end.
func fenceAfter(open, line string) string {
	line = strings.TrimSpace(line)
	ticks := line[:len(line)-len(strings.TrimLeft(line, "`"))]
	switch {
	case open == "" && len(ticks) >= 3:
		return ticks
	case open != "" && line == open:
		return ""
	}
	return open
}
