package render

import (
	"strings"
	"unicode/utf8"
)

// GitHub looks for mentions, issue references and bare addresses in the text that Markdown leaves,
// so that a backslash does not stop them. An empty comment does: it parts the text, is not
// drawn, and is not copied with it.
const parting = "<!-- -->"

// escape makes foreign text plain text on one line of GitHub Markdown, in a table too: no markup,
// no HTML, no link, no mention.
func escape(s string) string {
	s = visible(strings.Join(strings.Fields(s), " "))
	var b strings.Builder
	for i, r := range s {
		if active(s[:i], r) {
			b.WriteByte('\\')
		}
		b.WriteRune(r)
		if parted(s[:i], r, s[i+utf8.RuneLen(r):]) {
			b.WriteString(parting)
		}
	}
	return b.String()
}

// active says whether the character can be markup where it stands.
func active(before string, r rune) bool {
	switch r {
	case '-', '+', '=':
		return before == ""
	case '.', ')':
		return before != "" && strings.Trim(before, "0123456789") == ""
	}
	return strings.ContainsRune("\\`*_{}[]#!|<>~&$", r)
}

// parted says whether the text would become a mention, a reference or a link if nothing stood
// between the character and what follows: @name, #1, GH-1, https://… or www.…
func parted(before string, r rune, after string) bool {
	switch r {
	case '@', '#':
		return after != ""
	case ':':
		return strings.HasPrefix(after, "//")
	case 'w', 'W':
		return len(after) >= 2 && strings.EqualFold(after[:2], "ww") && (len(after) == 2 || after[2] == '.')
	case '-':
		return len(before) >= 2 && strings.EqualFold(before[len(before)-2:], "gh")
	}
	return false
}

// escapeProse is escape for messages, in which judges quote foreign text with backticks: what
// stands between two of them becomes a code span.
func escapeProse(s string) string {
	pieces := strings.Split(s, "`")
	if len(pieces)%2 == 0 {
		return escape(s)
	}
	var b strings.Builder
	for i, piece := range pieces {
		switch {
		case i%2 == 1:
			b.WriteString(codeSpan(piece))
		case piece != "":
			b.WriteString(space(piece[:1]) + escape(piece) + space(piece[len(piece)-1:]))
		}
	}
	return strings.TrimSpace(b.String())
}

// space keeps the white space that escape drops at an end.
func space(s string) string {
	if strings.TrimSpace(s) == "" {
		return " "
	}
	return ""
}

// codeSpan shows foreign text as code on one line, in a table too.
func codeSpan(s string) string {
	s = visible(strings.Join(strings.Fields(s), " "))
	if s == "" {
		return "(empty)"
	}
	fence := strings.Repeat("`", longestRun(s, '`')+1)
	if strings.HasPrefix(s, "`") || strings.HasSuffix(s, "`") {
		s = " " + s + " "
	}
	return fence + s + fence
}

// tableCell makes finished inline Markdown fit for a table: there a bar ends the cell even inside
// code. Outside code escape has taken care of bars.
func tableCell(markdown string) string {
	var b strings.Builder
	for len(markdown) > 0 {
		switch markdown[0] {
		case '\\':
			n := min(2, len(markdown))
			b.WriteString(markdown[:n])
			markdown = markdown[n:]
		case '`':
			n := codeLength(markdown)
			b.WriteString(strings.ReplaceAll(markdown[:n], "|", "\\|"))
			markdown = markdown[n:]
		default:
			b.WriteByte(markdown[0])
			markdown = markdown[1:]
		}
	}
	return b.String()
}

// codeLength is the length of the code span that the text begins with.
func codeLength(markdown string) int {
	fence := markdown[:len(markdown)-len(strings.TrimLeft(markdown, "`"))]
	for i := len(fence); i < len(markdown); {
		if markdown[i] != '`' {
			i++
			continue
		}
		run := len(markdown[i:]) - len(strings.TrimLeft(markdown[i:], "`"))
		i += run
		if run == len(fence) {
			return i
		}
	}
	return len(markdown)
}

// codeBlock shows foreign text as it is to be written. The indent is that of the list item that
// the block belongs to.
func codeBlock(s, indent, language string) string {
	lines := visibleLines(s)
	fence := strings.Repeat("`", max(3, longestRun(s, '`')+1))
	var b strings.Builder
	b.WriteString(indent + fence + language + "\n")
	for _, line := range lines {
		b.WriteString(strings.TrimRight(indent+line, " ") + "\n")
	}
	b.WriteString(indent + fence + "\n")
	return b.String()
}

func longestRun(s string, b byte) int {
	longest, run := 0, 0
	for i := range len(s) {
		if s[i] != b {
			run = 0
			continue
		}
		run++
		longest = max(longest, run)
	}
	return longest
}
