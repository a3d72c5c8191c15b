package profile

import "strings"

// lines is a text under work, line by line as its author wrote it: line ends are kept, and edits
// are made by the numbers of the original lines, whatever was changed before.
type lines struct {
	original []string // with their ends
	edited   []string // what stands in place of each line
	behind   []string // what was put behind each line; the first stands before all of them
	eol      string
}

func splitLines(text string) *lines {
	l := &lines{eol: "\n"}
	for len(text) > 0 {
		n := strings.IndexAny(text, "\r\n")
		switch {
		case n < 0:
			n = len(text)
		case strings.HasPrefix(text[n:], "\r\n"):
			n += 2
		default:
			n++
		}
		l.original = append(l.original, text[:n])
		text = text[n:]
	}
	if len(l.original) > 0 {
		if end := lineEnd(l.original[0]); end != "" {
			l.eol = end
		}
	}
	l.edited = append([]string(nil), l.original...)
	l.behind = make([]string, len(l.original)+1)
	return l
}

func lineEnd(line string) string { return line[len(strings.TrimRight(line, "\r\n")):] }

// at is a line (1-based) without its end.
func (l *lines) at(n int) string { return strings.TrimRight(l.original[n-1], "\r\n") }

func (l *lines) blank(n int) bool { return strings.TrimSpace(l.at(n)) == "" }

// replace puts text in place of the lines from one to another (1-based), which keep their last end.
func (l *lines) replace(from, to int, text ...string) {
	end := lineEnd(l.original[to-1])
	for n := from; n <= to; n++ {
		l.edited[n-1] = ""
	}
	l.edited[from-1] = strings.Join(text, l.eol) + end
}

// insertAfter puts text behind a line (1-based).
func (l *lines) insertAfter(n int, text ...string) {
	before := ""
	if n > 0 && l.behind[n] == "" && lineEnd(l.original[n-1]) == "" {
		before = l.eol // the last line of a text that does not end with one
	}
	l.behind[n] += before + strings.Join(text, l.eol) + l.eol
}

// insertBlock puts text behind a line (1-based), with a blank line on either side of it.
func (l *lines) insertBlock(n int, text ...string) {
	for n > 0 && l.blank(n) {
		n--
	}
	if n > 0 {
		text = append([]string{""}, text...)
	}
	if n < len(l.original) && !l.blank(n+1) {
		text = append(text, "")
	}
	l.insertAfter(n, text...)
}

// String is the text with all edits.
func (l *lines) String() string {
	var out strings.Builder
	out.WriteString(l.behind[0])
	for i, line := range l.edited {
		out.WriteString(line)
		out.WriteString(l.behind[i+1])
	}
	return out.String()
}
