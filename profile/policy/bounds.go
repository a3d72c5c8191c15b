package policy

import (
	"strings"
	"unicode/utf8"

	"github.com/evidence-gate/evidence-gate/internal/markdown"
)

// The bounds of a file. goccy/go-yaml is quadratic in the entries of a mapping, in nesting and in the
// blank lines of a block text (measured: 65 kB of them 18 s), so that a file is counted before it is
// taken apart. The largest that passes is read in a fraction of a second.
const (
	maxBytes = 1 << 20 // M1
	maxLines = 5_000
	maxMarks = 20_000 // the signs that can make a token
	maxDepth = 12     // the deepest policy has 6
)

// marks are the bytes that can begin or end a token of YAML.
const marks = ":,[]{}?-&*!|>'\"#%@`<="

// within counts what reading the file would cost, and reports whether it may be read.
func (r *reader) within(text string) bool {
	switch {
	case len(text) > maxBytes:
		r.whole("the policy has %d bytes; it may have 1 MiB (%d)", len(text), maxBytes)
	case !utf8.ValidString(text):
		r.invalidBytes(text)
	case strings.Count(text, "\n") >= maxLines:
		r.whole("the policy has %d lines; it may have %d", strings.Count(text, "\n")+1, maxLines)
	case countMarks(text) > maxMarks:
		r.whole("the policy has more than %d punctuation marks and tabs", maxMarks)
	default:
		return r.characters(text)
	}
	return false
}

// tabWeight is what a tab counts: it costs the scanner as much as ten marks, inside quotes.
const tabWeight = 10

func countMarks(text string) int {
	n := tabWeight * strings.Count(text, "\t")
	for i := range len(text) {
		if strings.IndexByte(marks, text[i]) >= 0 {
			n++
		}
	}
	return n
}

// whole is a fault of the file as a whole.
func (r *reader) whole(format string, args ...any) {
	r.fault(spot{line: 1, column: 1}, "shorten the file", format, args...)
}

func (r *reader) invalidBytes(text string) {
	for n, line := range r.lines {
		for i, c := range line {
			if _, size := utf8.DecodeRuneInString(line[i:]); c == utf8.RuneError && size <= 1 {
				at := spot{line: n + 1, column: utf8.RuneCountInString(line[:i]) + 1}
				r.fault(at, "save the file as UTF-8", "the policy is not UTF-8 text: the byte 0x%02X is no character", line[i])
				return
			}
		}
	}
}

// characters refuses what nobody can see (M5), in comments too, since a person decides by what the
// editor shows, and the control characters that YAML does not allow.
func (r *reader) characters(text string) bool {
	if strings.IndexFunc(text, hidden) < 0 {
		return true
	}
	for n, line := range r.lines {
		if strings.IndexFunc(line, hidden) >= 0 && !r.unseen(n, line) {
			break
		}
	}
	return len(r.faults) == 0
}

// unseen reports the characters of a line that show nothing; it returns false when there are enough.
func (r *reader) unseen(number int, line string) bool {
	for at := 0; at < len(line); {
		i, c, found := markdown.FirstInvisible(line[at:])
		if k := strings.IndexFunc(line[at:], control); k >= 0 && (!found || k < i) {
			i, found = k, true
			c, _ = utf8.DecodeRuneInString(line[at+k:])
		}
		if !found {
			break
		}
		if len(r.faults) == maxFaults {
			r.more++
			return false
		}
		at += i
		place := spot{line: number + 1, column: utf8.RuneCountInString(line[:at]) + 1}
		r.fault(place, "delete the character", "the line holds U+%04X, which an editor does not show", c)
		at += utf8.RuneLen(c)
	}
	return true
}

func hidden(c rune) bool { return control(c) || markdown.IsInvisible(c) }

// control reports whether c is a control character other than a line break or tab, or one of the
// Unicode line breaks that some readers of YAML take for one and others do not.
func control(c rune) bool {
	return c < ' ' && c != '\n' && c != '\t' || c >= 0x7F && c <= 0x9F || c == 0x2028 || c == 0x2029
}
