package main

import (
	"errors"
	"fmt"
	"strings"

	"github.com/evidence-gate/evidence-gate/attempts"
	"github.com/evidence-gate/evidence-gate/internal/checkline"
	"github.com/evidence-gate/evidence-gate/internal/markdown"
)

// taskFile is a task file cut at its part about one check (A12): what stands before the part, the part
// with its heading, and what stands after it. A part that is not there is empty.
type taskFile struct {
	text                 string // the whole
	check                string
	before, part, behind string
	eol                  string
}

// readTaskFile finds the part of a check in the section of a task file, or the place for it: in place of
// the exact empty state, else at the end of the section.
func readTaskFile(text, check string) (*taskFile, error) {
	d, err := markdown.Parse(text)
	if err != nil {
		return nil, err
	}
	sections := d.Sections(attempts.SectionName)
	if len(sections) != 1 {
		return nil, fmt.Errorf("expected a carrier, or a task file with one section %q, found neither: add the heading where the attempts belong", "## "+attempts.SectionName)
	}
	t := &taskFile{text: text, check: check, eol: "\n"}
	if strings.Contains(text, "\r\n") {
		t.eol = "\r\n"
	}
	from, to := partOf(d, sections[0], check)
	t.before, t.part, t.behind = cutLines(text, from, to)
	return t, nil
}

// partOf are the lines of a check's part: from the first to before the last, 0 for the end of the text.
func partOf(d *markdown.Document, s markdown.Section, check string) (from, to int) {
	d.Prepare(s.Blocks)
	for _, b := range s.Blocks {
		line := b.Position().Line
		switch {
		case b.Level() == 3 && from > 0:
			return from, line
		case b.Level() == 3 && checkline.ID(markdown.Title(markdown.Join(b.Lines()).Text)) == check:
			from = line
		case b.Kind() == markdown.Paragraph && markdown.Join(b.Lines()).Text == attempts.EmptyState:
			return line, line + len(b.Lines())
		}
	}
	end := after(d, s)
	if from == 0 {
		from = end
	}
	return from, end
}

// after is the line of the block after the section, 0 when there is none.
func after(d *markdown.Document, s markdown.Section) int {
	blocks, start := d.Blocks(), s.Heading.Position()
	for i, b := range blocks {
		if next := i + 1 + len(s.Blocks); b.Kind() == markdown.Heading && b.Position() == start && next < len(blocks) {
			return blocks[next].Position().Line
		}
	}
	return 0
}

// cutLines cuts a text before two of its lines (1-based; 0 is the end of the text).
func cutLines(text string, from, to int) (before, part, behind string) {
	start, end := lineOffset(text, from), lineOffset(text, to)
	return text[:start], text[start:end], text[end:]
}

func lineOffset(text string, line int) int {
	if line == 0 {
		return len(text)
	}
	at := 0
	for n := 1; n < line; n++ {
		i := strings.IndexAny(text[at:], "\r\n")
		if i < 0 {
			return len(text)
		}
		if at += i + 1; strings.HasPrefix(text[at-1:], "\r\n") {
			at++
		}
	}
	return at
}

// asCarrier is the part as a carrier of its own.
func (t *taskFile) asCarrier() string { return t.head() + t.part }

// head are the lines above the heading of a check in a carrier.
func (t *taskFile) head() string {
	return "<!-- AGENTIC_LOOP_VERIFICATION_ATTEMPTS:" + t.check + " -->" + t.eol + t.eol + "## " + attempts.SectionName + t.eol + t.eol
}

// with is the file with its part taken from a carrier, and nothing else changed.
func (t *taskFile) with(carrier string) (string, error) {
	part, ok := strings.CutPrefix(carrier, t.head())
	if !ok {
		part, ok = strings.CutPrefix(strings.ReplaceAll(carrier, "\n", t.eol), t.head())
	}
	if !ok {
		return "", errors.New("the carrier does not begin as one")
	}
	gap := ""
	if t.isNew() {
		gap = t.gap()
		part = strings.TrimRight(strings.TrimSuffix(strings.TrimRight(part, "\r\n"), "[[agent: "+attempts.Engineer+"]]"), "\r\n") + t.eol
	}
	text := t.before + gap + part + t.space(part) + t.behind
	return text, t.onlyAdded(text)
}

// moved is how many lines further down the part stands in the file than in a carrier of its own.
func (t *taskFile) moved() int {
	above := t.before
	if t.isNew() {
		above += t.gap()
	}
	lines := func(text string) int {
		return strings.Count(strings.ReplaceAll(strings.ReplaceAll(text, "\r\n", "\n"), "\r", "\n"), "\n")
	}
	return lines(above) - lines(t.head())
}

// isNew says that the file has no part of the check yet.
func (t *taskFile) isNew() bool { return !strings.HasPrefix(strings.TrimLeft(t.part, " "), "#") }

// gap and space are the line ends that set the part off from what stands before and after it.
func (t *taskFile) gap() string {
	before := strings.TrimRight(t.before, " \t")
	switch {
	case before == "" || strings.HasSuffix(before, t.eol+t.eol):
		return ""
	case strings.HasSuffix(before, t.eol):
		return t.eol
	}
	return t.eol + t.eol
}

func (t *taskFile) space(part string) string {
	if t.behind == "" || strings.HasSuffix(part, t.eol+t.eol) || strings.HasPrefix(t.behind, t.eol) {
		return ""
	}
	return t.eol
}

// onlyAdded holds that the file reads as before, with one entry more for the check.
func (t *taskFile) onlyAdded(text string) error {
	was, _, err := attempts.ParseTaskFile(t.text)
	if err != nil {
		return err
	}
	is, _, err := attempts.ParseTaskFile(text)
	if err != nil {
		return err
	}
	count := func(carriers []attempts.Carrier) map[string]int {
		out := map[string]int{}
		for _, c := range carriers {
			out[c.Check] += len(c.Entries)
		}
		return out
	}
	before, after := count(was), count(is)
	before[t.check]++
	if len(before) != len(after) {
		return errors.New("another check's part would change: close what is open in the file (a code fence or an HTML comment)")
	}
	for check, n := range before {
		if after[check] != n {
			return errors.New("what is added would not be read as part of " + check + ": close what is open in the file (a code fence or an HTML comment)")
		}
	}
	return nil
}
