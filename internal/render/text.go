// Package render writes a Report for people: as text for a terminal (design section 15) and as
// GitHub Markdown for a check run (design section 14, style "words for people"), and the table of
// codes as `explain` and docs/diagnostics.md show it. It knows how to make foreign text harmless;
// what to say is decided by the judges, and byte limits are the publisher's.
package render

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/evidence-gate/evidence-gate/report"
)

// Options of Text.
type Options struct {
	Color bool
	Width int // of the terminal, in columns; 0 means 100
	// Task is the task that a person chose instead of what the pull request closes, such as
	// acme/widgets#7; empty when nobody did.
	Task string
}

const defaultWidth = 100

// Text writes the report for a terminal: the conclusion first, then every diagnostic with the line
// it is about, the checks, and who does what next. Documents are the texts that diagnostics point
// into, by their names in a Report ("pull_request.body").
func Text(w io.Writer, r report.Report, documents map[string]string, o Options) error {
	if o.Width <= 0 {
		o.Width = defaultWidth
	}
	t := &textWriter{options: o, sources: sources{documents: documents}}
	t.head(r)
	for _, d := range bySeverity(r.Diagnostics) {
		t.diagnostic(d)
	}
	t.checks(r.Checks)
	t.criteria(r.Criteria)
	t.episodes(r.Episodes)
	t.approvals(r.Approvals)
	t.closing(r)
	_, err := io.WriteString(w, t.out.String())
	return err
}

// Diagnostics writes diagnostics alone, for commands that have no Report.
func Diagnostics(w io.Writer, diagnostics []report.Diagnostic, documents map[string]string, o Options) error {
	if o.Width <= 0 {
		o.Width = defaultWidth
	}
	t := &textWriter{options: o, sources: sources{documents: documents}}
	for _, d := range bySeverity(diagnostics) {
		t.diagnostic(d)
	}
	_, err := io.WriteString(w, strings.TrimPrefix(t.out.String(), "\n"))
	return err
}

type textWriter struct {
	out     strings.Builder
	options Options
	sources sources
}

// The colours, as the parameters of a terminal's "select graphic rendition".
const (
	red    = "1;31"
	yellow = "1;33"
	cyan   = "1;36"
	green  = "1;32"
	blue   = "34"
	bold   = "1"
)

func (t *textWriter) color(parameters, s string) string {
	if !t.options.Color || s == "" {
		return s
	}
	return "\x1b[" + parameters + "m" + s + "\x1b[0m"
}

func (t *textWriter) line(format string, args ...any) {
	fmt.Fprintf(&t.out, format, args...)
	t.out.WriteByte('\n')
}

var conclusionColors = map[report.Conclusion]string{
	report.Success: green, report.Neutral: green, report.Pending: yellow, report.ActionRequired: yellow, report.Failure: red,
}

var severityColors = map[report.Severity]string{report.Error: red, report.Warning: yellow, report.Note: cyan}

func (t *textWriter) head(r report.Report) {
	t.line("%s: %s", t.color(conclusionColors[r.Conclusion], visible(string(r.Conclusion))), visible(r.Title))
	facts := []string{"stage " + visible(string(r.Stage))}
	if r.HeadSHA != "" {
		facts = append(facts, "head "+visible(r.HeadSHA))
	}
	facts = append(facts, "level "+visible(r.Level), "assurance "+plainWord(r.Assurance))
	t.line("%s", strings.Join(facts, ", "))
	if t.options.Task != "" {
		t.paragraph("note: ", byHand(t.options.Task))
	}
	for _, name := range r.Notes {
		t.paragraph("note: ", note(name))
	}
}

func (t *textWriter) diagnostic(d report.Diagnostic) {
	t.line("")
	header := t.color(severityColors[d.Severity], fmt.Sprintf("%s[%s]", visible(string(d.Severity)), visible(string(d.Code))))
	if at := coordinates(d.Where); at != "" {
		header += " " + at
	}
	if d.Check != nil && *d.Check != "" {
		header += " (" + visible(shorten(*d.Check, 80)) + ")"
	}
	t.line("%s", header)
	t.excerpt(d)
	t.paragraph("  ", d.Message)
	t.help(d.Help)
}

// coordinates is where a diagnostic points as editors understand it, such as issue.body:3:1.
func coordinates(w *report.Where) string {
	if w == nil {
		return ""
	}
	at := visible(w.Document)
	if w.Line > 0 {
		at += fmt.Sprintf(":%d", w.Line)
		if w.Column > 0 {
			at += fmt.Sprintf(":%d", w.Column)
		}
	}
	return at
}

func (t *textWriter) excerpt(d report.Diagnostic) {
	if d.Where == nil {
		return
	}
	line, ok := t.sources.line(*d.Where)
	if !ok {
		return
	}
	number := fmt.Sprint(d.Where.Line)
	end := 0
	if d.Where.EndLine == d.Where.Line || d.Where.EndLine == 0 {
		end = d.Where.EndColumn
	}
	drawn := mark(line, d.Where.Column, end, t.options.Width-len(number)-5)
	t.line("  %s %s", t.color(blue, number+" |"), drawn.line)
	if d.Where.Column > 0 {
		t.line("  %s %s", t.color(blue, strings.Repeat(" ", len(number))+" |"), t.color(severityColors[d.Severity], drawn.marker))
	}
}

// help writes the lines of a help as they are to be written, never wrapped.
func (t *textWriter) help(help string) {
	if help == "" {
		return
	}
	lines := visibleLines(help)
	t.line("  %s %s", t.color(bold, "help:"), lines[0])
	for _, line := range lines[1:] {
		t.line("%s", strings.TrimRight("        "+line, " "))
	}
}

// paragraph wraps prose at spaces; the lines after the first are indented under it.
func (t *textWriter) paragraph(prefix, prose string) {
	indent := strings.Repeat(" ", len(prefix))
	for _, line := range visibleLines(prose) {
		for _, part := range wrap(line, t.options.Width-len(prefix)) {
			t.line("%s%s", prefix, part)
			prefix = indent
		}
	}
}

// wrap breaks a line at spaces so that it fits the room; a longer word keeps a line of its own.
func wrap(line string, room int) []string {
	var lines []string
	current, used := "", 0
	for _, word := range strings.Fields(line) {
		n := columns(word)
		if used > 0 && used+1+n > room {
			lines = append(lines, current)
			current, used = "", 0
		}
		if used > 0 {
			current, used = current+" ", used+1
		}
		current, used = current+word, used+n
	}
	return append(lines, current)
}

func (t *textWriter) checks(checks []report.Check) {
	if len(checks) == 0 {
		return
	}
	t.line("")
	t.line("%s", t.color(bold, "Required checks:"))
	for _, c := range checks {
		symbol, color := "✗", red
		if c.Satisfied {
			symbol, color = "✓", green
		}
		status := proof(c)
		if c.TrustLabel != nil {
			status += ", " + plainWord(*c.TrustLabel)
		}
		text := fit(visible(checkText(c)), t.options.Width-columns(status)-6)
		t.line("  %s %s: %s", t.color(color, symbol), text, status)
	}
}

// fit cuts a visible text to the room; at least a few characters always stay.
func fit(s string, room int) string {
	room = max(room, 24)
	if columns(s) <= room {
		return s
	}
	used := 0
	for i, r := range s {
		if used+runeColumns(r) > room-1 {
			return s[:i] + "…"
		}
		used += runeColumns(r)
	}
	return s
}

func (t *textWriter) episodes(episodes []report.Episode) {
	if len(episodes) == 0 {
		return
	}
	t.line("")
	t.line("%s", t.color(bold, "Attempts:"))
	for _, e := range episodes {
		t.line("  %s: %s, latest %s, triage %s: %s", visible(e.Check), counted(e.Attempts, "attempt"), plainWord(e.Latest), triage(e), episodeState(e.State))
	}
}

func (t *textWriter) criteria(criteria []report.Criterion) {
	if len(criteria) == 0 {
		return
	}
	t.line("")
	t.line("%s", t.color(bold, "Acceptance criteria:"))
	for _, c := range criteria {
		symbol, color, state := "✗", red, "not satisfied"
		if c.Satisfied {
			symbol, color, state = "✓", green, "satisfied"
		}
		t.line("  %s %s: %s", t.color(color, symbol), visible(c.ID), state)
	}
}

func (t *textWriter) approvals(approvals []report.Approval) {
	if len(approvals) == 0 {
		return
	}
	t.line("")
	t.line("%s", t.color(bold, "Approvals:"))
	for _, a := range approvals {
		state := "does not count"
		if a.Counts {
			state = "counts"
		}
		if a.As != "" {
			state += " as " + plainWord(a.As)
		}
		if a.Because != "" {
			state += ": " + a.Because
		}
		t.paragraph("  ", a.Actor+" "+state)
	}
}

func (t *textWriter) closing(r report.Report) {
	t.line("")
	n := tally(r.Diagnostics)
	counts := []string{}
	for _, severity := range []report.Severity{report.Error, report.Warning, report.Note} {
		if n[severity] > 0 {
			counts = append(counts, counted(n[severity], string(severity)))
		}
	}
	if len(counts) == 0 {
		counts = []string{"Nothing to correct"}
	}
	t.line("%s.", strings.Join(counts, ", "))
	for _, step := range next(r) {
		t.paragraph("next: ", step)
	}
}

// next says who does what.
func next(r report.Report) []string {
	if n := tally(r.Diagnostics)[report.Error]; n == 0 {
		return []string{goAhead(r)}
	}
	var steps []string
	for _, owner := range owners {
		n := 0
		for _, d := range r.Diagnostics {
			if d.Severity == report.Error && d.Owner == owner {
				n++
			}
		}
		if n > 0 {
			steps = append(steps, fmt.Sprintf("%s (%s): %s", ownerNames[owner], counted(n, "error"), ownerTasks[owner]))
		}
	}
	return steps
}

func goAhead(r report.Report) string {
	switch {
	case r.Conclusion == report.Neutral:
		return "nobody has to act, the pull request is exempt"
	case slices.ContainsFunc(r.Diagnostics, func(d report.Diagnostic) bool { return d.Code == report.CodeOverrideActive }):
		return "the override lets it merge; what the notes name stays missing"
	case slices.Contains(r.Notes, "head_not_judged") || slices.Contains(r.Notes, "contract_not_judged"):
		return "the form is right; judge it with the task and the head before asking for a review"
	case r.Stage == report.Merge:
		return "nothing is missing, the pull request may merge"
	default:
		return "nothing is missing, ask for a review"
	}
}
