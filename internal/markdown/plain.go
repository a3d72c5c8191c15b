package markdown

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
)

// skipText is an inline parser that takes the whole text of a block and makes nothing of it. One
// node, kept in the context, stands for all skipped text and moves from block to block.
type skipText struct{}

var skippedKey = parser.NewContextKey()

// Trigger lists every byte at which goldmark may ask at the start of a text: a space stands for all
// that is no punctuation.
func (skipText) Trigger() []byte { return []byte(" !\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~") }

func (skipText) Parse(_ ast.Node, block text.Reader, pc parser.Context) ast.Node {
	for line, _ := block.PeekLine(); line != nil; line, _ = block.PeekLine() {
		block.AdvanceLine()
	}
	node, _ := pc.Get(skippedKey).(ast.Node)
	return node
}

// What a byte can mean inside a text block.
const (
	literal    = iota // nothing
	tick              // opens or closes a code span
	underscore        // literal inside a word
	bracket           // literal unless it makes a link
	colon             // literal unless it makes an autolink
	wide              // beyond ASCII: literal, but may be a space
	markup            // anything else: left to goldmark
)

var meaning = func() (t [256]byte) {
	for c := range t {
		switch {
		case c >= utf8.RuneSelf:
			t[c] = wide
		case c < ' ' || c == 0x7f || strings.IndexByte("*~<&\\@", byte(c)) >= 0:
			t[c] = markup
		}
	}
	t['`'], t['_'], t['['], t[']'], t[':'] = tick, underscore, bracket, bracket, colon
	return t
}()

// plainLines is the quick way for a text block whose only markup are code spans within one line,
// which is what evidence is mostly written in. It reports false when anything else may be there;
// then goldmark reads the block.
func (d *Document) plainLines(n ast.Node) ([]Line, bool) {
	segments := inlineSegments(n, d.src)
	count := segments.Len()
	lines := make([]Line, 0, count)
	marks := make([]mark, 0, count+2)
	for i := range count {
		s := segments.At(i)
		end := s.Stop
		for end > s.Start && (d.src[end-1] == '\n' || d.src[end-1] == ' ') {
			end--
		}
		if s.Padding != 0 {
			return nil, false
		}
		ticks, ok := d.plainText(s.Start, end)
		if !ok {
			return nil, false
		}
		first := len(marks)
		line := Line{Text: d.text[s.Start:end], d: d}
		if !ticks {
			marks = append(marks, mark{0, s.Start})
		} else if line, ok = d.codeLine(s.Start, end, &marks); !ok {
			return nil, false
		}
		line.at = marks[first:len(marks):len(marks)]
		lines = append(lines, line)
	}
	return lines, true
}

// plainText reports whether the bytes hold no markup but backticks, and whether they hold any.
func (d *Document) plainText(start, end int) (ticks, ok bool) {
	for i := start; i < end; i++ {
		c := d.src[i]
		switch meaning[c] {
		case literal:
			if c == 'w' && strings.HasPrefix(d.text[i:end], "www.") {
				return false, false
			}
		case tick:
			ticks = true
		case underscore:
			if i == start || i+1 == end || !wordByte(d.src[i-1]) || !wordByte(d.src[i+1]) {
				return false, false
			}
		case bracket:
			if len(d.pc.References()) > 0 || c == ']' && i+1 < end && d.src[i+1] == '(' {
				return false, false
			}
		case colon:
			if i+2 < end && d.src[i+1] == '/' && d.src[i+2] == '/' {
				return false, false
			}
		case wide:
			if r, _ := utf8.DecodeRune(d.src[i:end]); unicode.IsSpace(r) {
				return false, false
			}
		default:
			return false, false
		}
	}
	return ticks, true
}

func wordByte(c byte) bool {
	return c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
}

// codeLine reads the code spans of a line without other markup. It reports false when a run of
// backticks has no partner in the line: it may have one in another.
func (d *Document) codeLine(start, end int, marks *[]mark) (Line, bool) {
	c := collector{d: d, buf: d.buf[:0], marks: *marks}
	for i := start; i < end; {
		open := strings.IndexByte(d.text[i:end], '`')
		if open < 0 {
			open = end - i
		}
		c.mark(i)
		c.buf = append(c.buf, d.src[i:i+open]...)
		if i += open; i == end {
			break
		}
		length := tickRun(d.text[i:end])
		from := i + length
		to := closingRun(d.text[:end], from, length)
		if to < 0 {
			return Line{}, false
		}
		i = to + length
		if to-from > 1 && d.src[from] == ' ' && d.src[to-1] == ' ' && strings.Trim(d.text[from:to], " ") != "" {
			from, to = from+1, to-1
		}
		at := len(c.buf)
		c.verbatim(from, to)
		c.cur.Code = append(c.cur.Code, Span{at, len(c.buf)})
	}
	d.buf, *marks = c.buf, c.marks
	line := c.cur
	line.d = d
	return line.ended(string(c.buf)), true
}

func tickRun(s string) int { return len(s) - len(strings.TrimLeft(s, "`")) }

// closingRun is where the next run of exactly length backticks starts, -1 without one.
func closingRun(s string, from, length int) int {
	for i := from; i < len(s); {
		next := strings.IndexByte(s[i:], '`')
		if next < 0 {
			return -1
		}
		i += next
		run := tickRun(s[i:])
		if run == length {
			return i
		}
		i += run
	}
	return -1
}
