package markdown

import (
	"fmt"
	"math/bits"
	"strings"

	"github.com/yuin/goldmark/ast"
)

// Bounds of M1. goldmark's own cost grows with the square of these on made-up input; each bound
// keeps the worst case of one document well under the 2 s and 256 MiB of design section 17.
const (
	maxNesting     = 500     // blocks inside each other on one line
	maxNestingWork = 600_000 // nested blocks summed over all lines
	maxTableCells  = 400_000 // header cells times rows
	maxDefinitions = 12_000  // lines between two blank ones that may open a link reference definition
	maxBracketWork = 2e8     // brackets of a text block times its length
	maxTickWork    = 2e8     // lengths of backtick runs of a text block times its length
	maxTickRun     = 1_000   // backticks in a row
	maxDelimiters  = 10_000  // runs of *, _ and ~ in one text block
	prefixWorkUnit = 16      // columns of indentation that cost as much as one nested block
)

// scan bounds what goldmark's block phase would spend on the text, in one pass over its lines.
func scan(s string, starts []int) error {
	var sc scanner
	for i, start := range starts {
		end := len(s)
		if i+1 < len(starts) {
			end = starts[i+1] - 1
		}
		if err := sc.line(s[start:end]); err != nil {
			err.Line = i + 1
			return err
		}
	}
	return nil
}

type scanner struct {
	depth       int // upper bound of the blocks open after the last line
	work        int
	definitions int
	cells       int // header cells of the widest possible table since the last blank line
	tableWork   int
	last        int // cells of the line before
}

func (sc *scanner) line(line string) *Error {
	p := readPrefix(line)
	if p.blank {
		sc.definitions, sc.cells, sc.last = 0, 0, 0
		return sc.nest(sc.depth, 0)
	}
	if err := sc.nest(p.markers+min(sc.depth, p.indent/2), p.indent); err != nil {
		return err
	}
	return sc.block(line[p.end:])
}

func (sc *scanner) nest(depth, indent int) *Error {
	sc.depth = depth
	if depth > maxNesting {
		return tooComplex("blocks are nested %d deep, at most %d are read", depth, maxNesting)
	}
	sc.work += depth * (1 + indent/prefixWorkUnit)
	if sc.work > maxNestingWork {
		return tooComplex("too many lines stand inside nested quotes or lists")
	}
	return nil
}

func (sc *scanner) block(rest string) *Error {
	if strings.HasPrefix(rest, "[") {
		if sc.definitions++; sc.definitions > maxDefinitions {
			return tooComplex("more than %d lines in a row start with a bracket", maxDefinitions)
		}
	}
	pipes := strings.Count(rest, "|")
	if pipes+1 > sc.cells && pipes > 0 && strings.Trim(rest, "|-: \t") == "" {
		sc.cells = max(sc.cells, min(pipes+1, sc.last+1))
	}
	sc.last = pipes + 1
	if sc.tableWork += sc.cells; sc.tableWork > maxTableCells {
		return tooComplex("a table has more than %d cells (columns of its header times rows)", maxTableCells)
	}
	return nil
}

type prefix struct {
	markers int // quote and list markers before the text
	indent  int // columns of white space between them
	end     int // where the text starts
	blank   bool
}

// readPrefix counts what may open or continue containers at the start of a line.
func readPrefix(line string) prefix {
	var p prefix
	for p.end < len(line) {
		switch c := line[p.end]; {
		case c == ' ':
			p.indent++
			p.end++
		case c == '\t':
			p.indent += 4
			p.end++
		case c == '>':
			p.markers++
			p.end++
		default:
			n := listMarker(line[p.end:])
			if n == 0 || isRule(line[p.end:]) {
				return p
			}
			p.markers++
			p.end += n
		}
	}
	p.blank = p.markers == 0
	return p
}

// listMarker is the length of a list marker at the start of s, 0 when there is none.
func listMarker(s string) int {
	n := 0
	switch {
	case s[0] == '-' || s[0] == '+' || s[0] == '*':
		n = 1
	default:
		for n < len(s) && n < 9 && s[n] >= '0' && s[n] <= '9' {
			n++
		}
		if n == 0 || n == len(s) || s[n] != '.' && s[n] != ')' {
			return 0
		}
		n++
	}
	if n < len(s) && s[n] != ' ' && s[n] != '\t' {
		return 0
	}
	return n
}

// isRule reports whether the rest of a line is a thematic break such as "- - -".
func isRule(s string) bool {
	return strings.Count(s, s[:1]) >= 3 && strings.Trim(s, s[:1]+" \t") == "" && s[0] != '+'
}

func tooComplex(format string, args ...any) *Error {
	return &Error{Err: ErrTooComplex, Detail: fmt.Sprintf(format, args...)}
}

// boundInlines bounds what goldmark's inline phase would spend on each text block.
func (d *Document) boundInlines() error {
	var refusal *Error
	_ = ast.Walk(d.root, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering || n.Type() == ast.TypeInline {
			return ast.WalkSkipChildren, nil
		}
		if n.IsRaw() || n.Lines() == nil || n.Lines().Len() == 0 {
			return ast.WalkContinue, nil
		}
		var load inlineLoad
		for i := range n.Lines().Len() {
			s := n.Lines().At(i)
			load.add(d.src[s.Start:s.Stop])
		}
		if refusal = load.check(); refusal != nil {
			refusal.Line = d.Position(n.Lines().At(0).Start).Line
			return ast.WalkStop, nil
		}
		return ast.WalkSkipChildren, nil
	})
	if refusal != nil {
		return refusal
	}
	return nil
}

// inlineLoad counts what makes the inline phase of one text block slow.
type inlineLoad struct {
	bytes, brackets, delimiters, longestRun int
	short                                   uint64       // lengths of backtick runs below 64, one bit each
	long                                    map[int]bool // longer ones
}

func (l *inlineLoad) add(line []byte) {
	l.bytes += len(line)
	for i := 0; i < len(line); i++ {
		switch line[i] {
		case '[':
			l.brackets++
		case '*', '_', '~':
			l.delimiters++
		case '`':
			n := 1
			for i+n < len(line) && line[i+n] == '`' {
				n++
			}
			l.run(n)
			i += n - 1
		}
	}
}

func (l *inlineLoad) run(n int) {
	l.longestRun = max(l.longestRun, n)
	if n < 64 {
		l.short |= 1 << n
		return
	}
	if l.long == nil {
		l.long = map[int]bool{}
	}
	l.long[n] = true
}

// runs is how many different lengths the backtick runs have.
func (l *inlineLoad) runs() int { return bits.OnesCount64(l.short) + len(l.long) }

func (l *inlineLoad) check() *Error {
	switch {
	case float64(l.brackets)*float64(l.bytes) > maxBracketWork:
		return tooComplex("one paragraph has %d brackets in %d bytes", l.brackets, l.bytes)
	case l.longestRun > maxTickRun:
		return tooComplex("%d backticks stand in a row, at most %d are read", l.longestRun, maxTickRun)
	case float64(l.runs())*float64(l.bytes) > maxTickWork:
		return tooComplex("one paragraph has backtick runs of %d lengths in %d bytes", l.runs(), l.bytes)
	case l.delimiters > maxDelimiters:
		return tooComplex("one paragraph has %d emphasis marks, at most %d are read", l.delimiters, maxDelimiters)
	}
	return nil
}
