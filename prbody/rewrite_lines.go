package prbody

import (
	"regexp"
	"strings"
)

// lines is a text under work, line by line as its author wrote it: line ends are kept, and edits
// are made by the numbers of the original lines (0-based), whatever was changed before.
type lines struct {
	original []string // with their ends
	edited   []string // what stands in place of each line
	before   []string // what was put before each line; one more than lines
	eol      string
	bom      string
}

const bom = "\ufeff"

// splitLines splits at LF, CRLF and CR, as documents are read (M1).
func splitLines(text string) *lines {
	l := &lines{eol: "\n"}
	if rest, found := strings.CutPrefix(text, bom); found {
		l.bom, text = bom, rest
	}
	for start, i := 0, 0; i <= len(text); i++ {
		switch {
		case i == len(text):
			if start < i {
				l.original = append(l.original, text[start:])
			}
		case text[i] == '\n', text[i] == '\r' && (i+1 == len(text) || text[i+1] != '\n'):
			l.original = append(l.original, text[start:i+1])
			start = i + 1
		}
	}
	if strings.Contains(text, "\r\n") {
		l.eol = "\r\n"
	}
	l.edited = append([]string{}, l.original...)
	l.before = make([]string, len(l.original)+1)
	return l
}

func (l *lines) count() int { return len(l.original) }

// at is an original line without its end; lines past the end are empty.
func (l *lines) at(i int) string {
	if i < 0 || i >= len(l.original) {
		return ""
	}
	return strings.TrimRight(l.original[i], "\r\n")
}

func (l *lines) blank(i int) bool { return strings.TrimSpace(l.at(i)) == "" }

func (l *lines) slice(from, to int) []string {
	var out []string
	for i := from; i < to; i++ {
		out = append(out, l.at(i))
	}
	return out
}

// itemEnd is where a list item ends that starts in line from and is followed by something else in
// line limit: blank lines after it are not its own, and neither is a line that is not indented
// after a blank one.
func (l *lines) itemEnd(from, limit int) int {
	limit = min(max(limit, from+1), l.count())
	end := from + 1
	for i := from + 1; i < limit; i++ {
		if l.blank(i) {
			continue
		}
		if l.blank(i-1) && strings.TrimLeft(l.at(i), " \t") == l.at(i) {
			break
		}
		end = i + 1
	}
	return end
}

func (l *lines) join(texts []string) string {
	return strings.Join(texts, l.eol) + l.eol
}

// replace puts texts in place of the lines from to before to.
func (l *lines) replace(from, to int, texts []string) {
	for i := from; i < to; i++ {
		l.edited[i] = ""
	}
	l.edited[from] = l.join(texts)
	if to == l.count() && !strings.HasSuffix(l.original[to-1], "\n") && !strings.HasSuffix(l.original[to-1], "\r") {
		l.edited[from] = strings.TrimSuffix(l.edited[from], l.eol)
	}
}

// remove takes lines out, with one blank line after them.
func (l *lines) remove(from, to int) {
	if to < l.count() && l.blank(to) {
		to++
	}
	for i := from; i < to; i++ {
		l.edited[i] = ""
	}
}

// insertBefore puts one line before line i, with a blank line after it when text follows.
func (l *lines) insertBefore(i int, text string) {
	l.endPrevious(i)
	l.before[i] += text + l.eol
	if i < l.count() && !l.blank(i) {
		l.before[i] += l.eol
	}
}

// insertBlock puts a block before line i, parted by blank lines from what stands around it.
func (l *lines) insertBlock(i int, texts []string) {
	l.endPrevious(i)
	l.before[i] += l.eol + l.join(texts)
}

// endPrevious gives the text before line i its line end, when it stops without one.
func (l *lines) endPrevious(i int) {
	if l.before[i] != "" {
		return
	}
	for i--; i >= 0; i-- {
		if l.edited[i] == "" {
			continue
		}
		if !strings.HasSuffix(l.edited[i], "\n") && !strings.HasSuffix(l.edited[i], "\r") {
			l.edited[i] += l.eol
		}
		return
	}
}

// append puts a text at the end, after a blank line.
func (l *lines) append(text string) {
	end := l.count()
	l.endPrevious(end)
	if end > 0 && !l.blank(end-1) {
		l.before[end] += l.eol
	}
	l.before[end] += strings.ReplaceAll(text, "\n", l.eol)
}

func (l *lines) String() string {
	var out strings.Builder
	out.WriteString(l.bom)
	for i, before := range l.before {
		out.WriteString(before)
		if i < len(l.edited) {
			if before != "" && l.edited[i] != "" && !l.blank(i) && !strings.HasSuffix(before, l.eol+l.eol) {
				out.WriteString(l.eol)
			}
			out.WriteString(l.edited[i])
		}
	}
	return out.String()
}

var linePrefix = regexp.MustCompile(`^[ \t]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+(?:\[[ xX]\][ \t]+)?)?`)

// prefix is the indentation and list marker that a line starts with.
func (l *lines) prefix(i int) string { return linePrefix.FindString(l.at(i)) }
