package prbody

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/evidence-gate/evidence-gate/internal/markdown"
	"github.com/evidence-gate/evidence-gate/report"
)

// checkMeaning refuses invisible characters in text that has a meaning (M5).
func (r *reader) checkMeaning(l markdown.Line) {
	if i, c, found := markdown.FirstInvisible(l.Text); found {
		r.invisible(l, i, c)
	}
}

// checkBidi refuses characters that reorder text anywhere in the section (M5).
func (r *reader) checkBidi(l markdown.Line) {
	i := strings.IndexFunc(l.Text, markdown.IsBidi)
	if i < 0 {
		return
	}
	c, _ := utf8.DecodeRuneInString(l.Text[i:])
	r.invisible(l, i, c)
}

// bidiIn does so for a heading or a table, which hold no fields.
func (r *reader) bidiIn(b markdown.Block) {
	switch b.Kind() {
	case markdown.Heading:
		for _, l := range b.Lines() {
			r.checkBidi(l)
		}
	case markdown.Table:
		raw := b.Raw()
		if i := strings.IndexFunc(raw, markdown.IsBidi); i >= 0 {
			c, _ := utf8.DecodeRuneInString(raw[i:])
			r.report(Invisible(c), where(b.Position(), b.Position()))
		}
	}
}

// invisible reports a character once per place.
func (r *reader) invisible(l markdown.Line, i int, c rune) {
	p := l.Position(i)
	if r.invisibles[p] {
		return
	}
	r.invisibles[p] = true
	end := p
	end.Column++
	r.report(Invisible(c), where(p, end))
}

// Invisible is the diagnostic for an invisible character, without its place.
func Invisible(c rune) report.Diagnostic {
	d := report.New(report.CodeTextInvisibleCharacter, fmt.Sprintf("the invisible character U+%04X stands in text that has a meaning", c))
	d.Help = "delete the character; writing the line anew is often the quickest way"
	d.Details = map[string]any{"code_point": fmt.Sprintf("U+%04X", c)}
	return d
}

func levelWarning(s markdown.Section) report.Diagnostic {
	d := report.New(report.CodeSectionLevel, fmt.Sprintf("the %s section stands at heading level %d; level %d is the canonical one", SectionName, s.Level, markdown.CanonicalLevel))
	d.Help = "## " + SectionName
	return d
}

func (r *reader) duplicate(sections []markdown.Section) {
	d := report.New(report.CodeSectionDuplicate, fmt.Sprintf("the body has %d live %s sections, in lines %d and %d",
		len(sections), SectionName, sections[0].Title.Position(0).Line, sections[1].Title.Position(0).Line))
	d.Help = "keep one section and delete the other"
	r.report(d, lineWhere(sections[1].Title))
}

// missing reports that there is no live section, and what stands in its place (M3).
func (r *reader) missing() {
	found := r.d.Instead(SectionName)
	d := report.New(report.CodeSectionMissing, "the pull request body has no live "+SectionName+" section"+Explain(found))
	d.Help = helpInstead(found)
	w := report.Where{Document: Document}
	if found.Line > 0 {
		w = where(markdown.Position{Line: found.Line, Column: 1}, markdown.Position{Line: found.Line, Column: 1})
		w.EndLine, w.EndColumn = 0, 0
	}
	r.report(d, w)
	if found.What == markdown.FoundEscapedNewlines {
		r.report(EscapedNewlines("gh pr edit --body-file BODY.md"), w)
	}
}

// EscapedNewlines is the diagnostic for a text whose line breaks arrived as two characters, without
// its place (M3). command writes such a text from a file.
func EscapedNewlines(command string) report.Diagnostic {
	d := report.New(report.CodeTextEscapedNewlines, `the line breaks of the text arrived as the two characters \n`)
	d.Help = "write it from a file: " + command
	return d
}

// Explain says what stands in place of a section, as the end of a sentence.
func Explain(f markdown.Instead) string {
	switch f.What {
	case markdown.FoundEmpty:
		return ": it is empty"
	case markdown.FoundEscapedNewlines:
		return `: its line breaks are the two characters \n, so that it is one line`
	case markdown.FoundInFence:
		return fmt.Sprintf(": the heading in line %d stands inside the code fence opened in line %d", f.Line, f.Open)
	case markdown.FoundIndented:
		return fmt.Sprintf(": the heading in line %d is indented, which makes it code", f.Line)
	case markdown.FoundInQuote:
		return fmt.Sprintf(": the heading in line %d stands in the quote of line %d", f.Line, f.Open)
	case markdown.FoundInComment:
		return fmt.Sprintf(": the heading in line %d stands inside the comment opened in line %d", f.Line, f.Open)
	case markdown.FoundInHTML:
		return fmt.Sprintf(": the heading in line %d stands inside the HTML of line %d", f.Line, f.Open)
	case markdown.FoundInList:
		return fmt.Sprintf(": the heading in line %d stands inside a list item", f.Line)
	case markdown.FoundNoSpace:
		return fmt.Sprintf(": line %d has no space after the number signs, so it is no heading", f.Line)
	case markdown.FoundBold:
		return fmt.Sprintf(": line %d is bold text, not a heading", f.Line)
	case markdown.FoundNearMiss:
		return fmt.Sprintf(": the nearest heading is %q in line %d", printable(f.Title), f.Line)
	default:
		return ""
	}
}

func helpInstead(f markdown.Instead) string {
	switch f.What {
	case markdown.FoundInFence:
		return fmt.Sprintf("close the fence of line %d before the heading", f.Open)
	case markdown.FoundInComment:
		return fmt.Sprintf("end the comment of line %d with --> before the heading", f.Open)
	case markdown.FoundIndented, markdown.FoundInList:
		return "start the heading at the beginning of its line: ## " + SectionName
	case markdown.FoundInQuote:
		return "take the > signs away: ## " + SectionName
	case markdown.FoundEscapedNewlines:
		return "write the body from a file: gh pr edit --body-file BODY.md"
	default:
		return "## " + SectionName
	}
}

// maxShown bounds text of others that a message repeats.
const maxShown = 80

// printable is hostile text made fit for a message: bounded, without control characters.
func printable(s string) string {
	out := make([]rune, 0, maxShown)
	for _, r := range s {
		if len(out) == maxShown {
			return string(out) + "…"
		}
		if unicode.IsControl(r) || markdown.IsInvisible(r) {
			r = '\uFFFD'
		}
		out = append(out, r)
	}
	return string(out)
}
