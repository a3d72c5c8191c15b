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
	maxNesting     = 500           // blocks inside each other on one line
	maxNestingSum  = 1<<20 + 1<<18 // nested blocks summed over all lines, which is memory
	maxNestingWork = 300_000       // the same with the columns before them, which is time
	freeNesting    = 8             // so many blocks on each line do not count as time
	maxTableCells  = 400_000       // header cells times rows
	maxBlocks      = 50_000        // blocks of a document
	maxTextLines   = 60_000        // lines of a document's paragraphs and headings
	maxBracketWork = 1e8           // brackets times length, summed over the text blocks
	maxTickWork    = 2e8           // lengths of backtick runs times length, summed over the text blocks
	maxTickRun     = 1_000         // backticks in a row
	maxMarkWork    = 2.5e7         // squares of the numbers of *, _ and ~, summed over the text blocks
	prefixWorkUnit = 16            // columns of indentation that cost as much as one nested block
	lineWorkUnit   = 4             // bytes of a line that cost as much as one such column
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
	open      int  // upper bound of the blocks open after the last line
	lists     int  // of those, the lists that a blank line leaves open
	afterGap  bool // the last line was blank
	sum, work int
	cells     int // header cells of the widest possible table since the last blank line
	tableWork int
	last      int // cells of the line before
}

func (sc *scanner) line(line string) *Error {
	p := readPrefix(line)
	if p.blank {
		sc.cells, sc.last, sc.afterGap = 0, 0, true
		return sc.nest(sc.lists, p.indent)
	}
	inside := p.markers + min(sc.open, p.indent/2)
	if err := sc.nest(inside, p.indent+len(line)/lineWorkUnit); err != nil {
		return err
	}
	lists := p.lists + min(sc.lists, p.indent/2)
	if !sc.afterGap { // the line may go on with a paragraph in what was open before
		inside, lists = max(inside, sc.open), max(lists, sc.lists)
	}
	sc.open, sc.lists, sc.afterGap = inside, lists, false
	return sc.block(line[p.end:])
}

func (sc *scanner) nest(depth, indent int) *Error {
	if depth > maxNesting {
		return tooComplex("blocks are nested %d deep, at most %d are read", depth, maxNesting)
	}
	sc.work += max(0, depth-freeNesting) * (1 + indent/prefixWorkUnit)
	if sc.sum += depth; sc.work > maxNestingWork || sc.sum > maxNestingSum {
		return tooComplex("too many lines stand inside nested quotes or lists")
	}
	return nil
}

func (sc *scanner) block(rest string) *Error {
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
	lists   int // list markers before the first quote marker
	indent  int // columns of white space between them
	end     int // where the text starts
	blank   bool
}

// readPrefix counts what may open or continue containers at the start of a line.
func readPrefix(line string) prefix {
	var p prefix
	rule := ruleScan{line: line}
	for p.end < len(line) && p.markers <= maxNesting {
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
			if n == 0 || rule.at(p.end) {
				return p
			}
			if p.lists == p.markers {
				p.lists++
			}
			p.markers++
			p.end += n
		}
	}
	p.blank = p.markers == 0
	return p
}

// isRule reports whether the rest of a line is a thematic break such as "- - -".
func isRule(s string) bool { return (&ruleScan{line: s}).at(0) }

// ruleScan looks for a thematic break at several places of a line without reading any part of it
// twice for one mark.
type ruleScan struct {
	line string
	mark byte
	stop int // no break of the mark starts before this
}

// at reports whether the rest of the line from i on is a thematic break.
func (r *ruleScan) at(i int) bool {
	mark := r.line[i]
	if mark != '-' && mark != '*' && mark != '_' || mark == r.mark && i < r.stop {
		return false
	}
	r.mark, r.stop = mark, i
	count := 0
	for ; r.stop < len(r.line); r.stop++ {
		switch c := r.line[r.stop]; c {
		case mark:
			count++
		case ' ', '\t':
		default:
			return false
		}
	}
	return count >= 3
}

func tooComplex(format string, args ...any) *Error {
	return &Error{Err: ErrTooComplex, Detail: fmt.Sprintf(format, args...)}
}

// boundInlines bounds what goldmark's inline phase would spend on each text block.
func (d *Document) boundInlines() error {
	var refusal *Error
	var work inlineWork
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
		if refusal = work.add(load); refusal != nil {
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

// inlineWork is what the text blocks of a document cost together.
type inlineWork struct{ brackets, ticks, marks float64 }

func (w *inlineWork) add(l inlineLoad) *Error {
	w.brackets += float64(l.brackets) * float64(l.bytes)
	w.ticks += float64(l.runs()) * float64(l.bytes)
	w.marks += float64(l.delimiters) * float64(l.delimiters)
	switch {
	case w.brackets > maxBracketWork:
		return tooComplex("there are too many brackets; this paragraph has %d in %d bytes", l.brackets, l.bytes)
	case l.longestRun > maxTickRun:
		return tooComplex("%d backticks stand in a row, at most %d are read", l.longestRun, maxTickRun)
	case w.ticks > maxTickWork:
		return tooComplex("there are backtick runs of too many lengths; this paragraph has %d lengths in %d bytes", l.runs(), l.bytes)
	case w.marks > maxMarkWork:
		return tooComplex("there are too many emphasis marks; this paragraph has %d", l.delimiters)
	}
	return nil
}
