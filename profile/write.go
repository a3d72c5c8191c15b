package profile

import (
	"fmt"
	"strings"
	"unicode"

	"github.com/evidence-gate/evidence-gate/internal/markdown"
)

// Markdown is the fact in canonical form: its heading and one list item for each field. Values are
// written as they are, allowed or not; it is an error when one cannot be written so that it reads
// back the same.
func (f Fact) Markdown() (string, error) {
	var out strings.Builder
	out.WriteString("### " + f.ID + "\n\n")
	for i := range fields {
		line, err := f.line(i)
		if err != nil {
			return "", err
		}
		out.WriteString(line + "\n")
	}
	return out.String(), nil
}

// line is one field as a list item.
func (f Fact) line(i int) (string, error) {
	value := markdown.Squeeze(*fields[i].of(&f))
	if strings.ContainsFunc(value, unicode.IsControl) {
		return "", fmt.Errorf("%q holds a control character: %s", fields[i].label, shown(value))
	}
	spellings := []string{value, escape(value)}
	if i == fieldCommand && value != "" {
		spellings = []string{codeSpan(value)}
	}
	for _, written := range spellings {
		line := fieldLine(i, written)
		if back, ok := readBack(line, i); ok && back == value {
			return line, nil
		}
	}
	return "", fmt.Errorf("%q cannot be written in Markdown so that it reads back as %s", fields[i].label, shown(value))
}

func fieldLine(i int, value string) string {
	return strings.TrimRight("- "+fields[i].label+": "+value, " ")
}

// readBack reads a written list item of a field.
func readBack(line string, i int) (string, bool) {
	const before = "## " + SectionName + "\n\n### VF-x\n\n"
	p, _ := Read(before + line + "\n")
	if len(p.Facts) != 1 || p.Facts[0].lines[i].from != 1+strings.Count(before, "\n") {
		return "", false
	}
	return p.Facts[0].lines[i].text, true
}

// codeSpan puts a text between backticks that it does not hold itself.
func codeSpan(text string) string {
	ticks := "`"
	for strings.Contains(text, ticks) {
		ticks += "`"
	}
	if strings.HasPrefix(text, "`") || strings.HasSuffix(text, "`") {
		text = " " + text + " "
	}
	return ticks + text + ticks
}

// escape writes plain text as Markdown, with every sign escaped that could be markup.
func escape(text string) string {
	var out strings.Builder
	for _, r := range text {
		if strings.ContainsRune("\\`*_[]<>&~|!#", r) {
			out.WriteByte('\\')
		}
		out.WriteRune(r)
	}
	return out.String()
}
