package attempts

import (
	"fmt"
	"strings"

	"github.com/evidence-gate/evidence-gate/internal/markdown"
)

// render writes a subsection in canonical form. Each value is written so that reading it gives the
// value back; the error says which cannot be.
func render(k kind, number int64, values []string) (string, error) {
	var out strings.Builder
	fmt.Fprintf(&out, "#### %s%d\n\n", kinds[k].title, number)
	for i, row := range kinds[k].fields {
		value := markdown.Squeeze(values[i])
		if value == "" {
			continue
		}
		canonical, _ := row.read(value)
		line, ok := writeField(k, i, canonical)
		if !ok {
			return "", fmt.Errorf("the text of %q cannot be written so that it reads the same: %q", row.label, printable(value))
		}
		out.WriteString(line + "\n")
	}
	return out.String(), nil
}

// writeField is the line of one field: plain where that reads the same, else escaped.
func writeField(k kind, field int, value string) (string, bool) {
	label := "- " + kinds[k].fields[field].label + ": "
	spellings := []string{value, escaper.Replace(value)}
	if kinds[k].fields[field].code {
		spellings = []string{codeSpan(value), spellings[1]}
	}
	for _, s := range spellings {
		if readBack(k, field, label+s) == value {
			return label + s, true
		}
	}
	return "", false
}

// readBack reads one line as the only field of a subsection.
func readBack(k kind, field int, line string) string {
	o, err := readOutline("", fmt.Sprintf("#### %s1\n\n%s\n", kinds[k].title, line))
	if err != nil || len(o.pieces) != 2 || o.pieces[1].sub == nil {
		return ""
	}
	return o.pieces[1].sub.get(field)
}

// escaper takes their meaning from the characters that have one inside a line.
var escaper = strings.NewReplacer(`\`, `\\`, "`", "\\`", "*", `\*`, "_", `\_`, "[", `\[`, "]", `\]`, "<", `\<`, ">", `\>`, "&", `\&`, "~", `\~`)

// codeSpan is a text as a code span.
func codeSpan(text string) string {
	longest, run := 0, 0
	for _, r := range text {
		if r != '`' {
			run = 0
			continue
		}
		run++
		longest = max(longest, run)
	}
	fence := strings.Repeat("`", longest+1)
	if strings.HasPrefix(text, "`") || strings.HasSuffix(text, "`") {
		text = " " + text + " "
	}
	return fence + text + fence
}

// heads are the lines above the subsections.
func heads(marker, check string) string {
	return fmt.Sprintf("<!-- %s%s -->\n\n## %s\n\n### %s\n\n", marker, check, SectionName, check)
}
