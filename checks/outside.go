package checks

import (
	"strings"

	"github.com/evidence-gate/evidence-gate/internal/checkline"
	"github.com/evidence-gate/evidence-gate/internal/markdown"
	"github.com/evidence-gate/evidence-gate/prbody"
	"github.com/evidence-gate/evidence-gate/report"
)

// prose reports text that is no check, and a check that fell out of the list (C1).
func (r *contractReader) prose(b markdown.Block) {
	line := markdown.Join(b.Lines())
	text := strings.TrimSpace(line.Text)
	switch {
	case text == "":
	case mentionsCheck(markdown.StripInvisible(text)) || linksCheck(line):
		r.report(report.CodeContractCheckOutsideList, lineWhere(line), "- "+checkline.Whole(line),
			"a check stands outside the top-level list, where it would not be required")
	case b.Kind() == markdown.Paragraph && !prbody.Placeholder(text):
		r.report(report.CodeContractProseIgnored, lineWhere(line), "", "this text is no check and asks for nothing")
	}
}

// notLive reports checks that are commented out, quoted or fenced, and rows of tables (C1).
func (r *contractReader) notLive(b markdown.Block) {
	raw := b.Raw()
	if b.Kind() == markdown.Quote {
		raw = r.quoted(b)
	}
	switch b.Kind() {
	case markdown.Table, markdown.Definition:
		if mentionsCheck(raw) {
			r.report(report.CodeContractCheckOutsideList, blockWhere(b), "write each check as a list item: - [RC-1] …",
				"a check stands outside the top-level list, where it would not be required")
		} else if b.Kind() == markdown.Table {
			r.report(report.CodeContractProseIgnored, blockWhere(b), "", "this table is no list of checks and asks for nothing")
		}
	default:
		if looksLikeCheck(raw) {
			r.report(report.CodeContractHiddenCheck, blockWhere(b), "", "a check stands in %s, so it is not required", notLiveName(b.Kind()))
		}
	}
}

// quoted is the text of a quote, line by line.
func (r *contractReader) quoted(b markdown.Block) string {
	var out strings.Builder
	var walk func(markdown.Block)
	walk = func(b markdown.Block) {
		for _, l := range b.Lines() {
			out.WriteString(l.Text + "\n")
		}
		if b.Kind() == markdown.Code || b.Kind() == markdown.HTML {
			out.WriteString(b.Raw())
		}
		for _, c := range b.Children() {
			if b.Kind() == markdown.List {
				out.WriteString("- ")
			}
			walk(c)
		}
	}
	walk(b)
	return out.String()
}

func notLiveName(k markdown.Kind) string {
	switch k {
	case markdown.Quote:
		return "a quote"
	case markdown.Code:
		return "code"
	default:
		return "HTML or a comment"
	}
}

// mentionsCheck reports whether a text carries an `[RC-<n>]`.
func mentionsCheck(text string) bool {
	for {
		i := strings.IndexByte(text, '[')
		if i < 0 {
			return false
		}
		text = text[i+1:]
		if j := strings.IndexByte(text[:min(len(text), maxIDText)], ']'); j > 0 && checkline.ID(strings.TrimSpace(text[:j])) != "" {
			return true
		}
	}
}

// linksCheck reports whether a text carries the id of a check as a link: `[RC-1](https://…)`.
func linksCheck(line markdown.Line) bool {
	for _, l := range line.Links {
		if checkline.ID(strings.TrimSpace(line.Text[l.Start:l.End])) != "" {
			return true
		}
	}
	return false
}

// maxIDText bounds how far an id's closing bracket is looked for.
const maxIDText = 48

// looksLikeCheck reports whether hidden text holds a check: an id, or a list item with code.
func looksLikeCheck(raw string) bool {
	if mentionsCheck(raw) {
		return true
	}
	for _, line := range strings.Split(raw, "\n") {
		line = strings.TrimLeft(line, " \t>")
		if (strings.HasPrefix(line, "- ") || strings.HasPrefix(line, "* ") || strings.HasPrefix(line, "+ ")) && strings.Count(line, "`") >= 2 {
			return true
		}
	}
	return false
}
