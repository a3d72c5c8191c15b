// Package markdown reads a document as GitHub renders it (design section 2): which headings, list
// items and text are live, and where each of them stands in the text its author wrote. It builds on
// goldmark's syntax tree; what the text means is left to the packages that read it.
//
// Reading is lazy. Blocks are parsed for the whole document, inline text only for the blocks that a
// reader asks for, because most of a pull request body is not evidence (design section 17).
package markdown

import (
	"errors"
	"fmt"
	"sort"
	"strings"
	"unicode/utf8"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// MaxBytes is the size of the largest document that is read (M1).
const MaxBytes = 1 << 20

// ErrTooLarge and ErrTooComplex are the two refusals of M1; a refusal is an [Error] that wraps one.
var (
	ErrTooLarge   = errors.New("the document is too large")
	ErrTooComplex = errors.New("the document is too complex")
)

// Error is a refusal to read a document. Line is 1-based, 0 when no single line is to blame.
type Error struct {
	Err    error
	Line   int
	Detail string // what was found and what is allowed
}

func (e *Error) Error() string { return e.Err.Error() + ": " + e.Detail }

// Unwrap returns ErrTooLarge or ErrTooComplex.
func (e *Error) Unwrap() error { return e.Err }

// Position is a place in a document: 1-based line and 1-based column counted in characters (M6).
type Position struct{ Line, Column int }

// Document is one parsed document.
type Document struct {
	text  string // normalised: no BOM, LF only
	src   []byte // the same bytes, for goldmark
	lines []int  // offset of each line's first byte
	root  ast.Node
	pc    parser.Context
	inl   map[int][]Line // by key of the text block
	buf   []byte         // reused while lines are put together

	blocks  []Block // direct children of root, once they were asked for
	counted []int   // characters before every multiple of countedStep, once one was asked for
}

// blockParser finds the blocks. Its one inline parser skips all text, because reading inlines costs
// the most.
var blockParser = parser.NewParser(
	parser.WithBlockParsers(inOrder(
		parser.NewSetextHeadingParser(), parser.NewThematicBreakParser(), listBlock{}, itemBlock{}, parser.NewCodeBlockParser(),
		parser.NewATXHeadingParser(), parser.NewFencedCodeBlockParser(), parser.NewBlockquoteParser(), htmlBlock{}, tableBlock{},
		parser.NewParagraphParser())...),
	parser.WithInlineParsers(util.Prioritized(skipText{}, 1)),
	parser.WithParagraphTransformers(util.Prioritized(definitions{}, 100)),
)

// Parse reads text as GitHub Flavored Markdown. The error is an [*Error] of M1.
func Parse(body string) (*Document, error) {
	if len(body) > MaxBytes {
		return nil, &Error{Err: ErrTooLarge, Detail: fmt.Sprintf("it has %d bytes, at most %d are read", len(body), MaxBytes)}
	}
	d := &Document{text: normalise(body)}
	d.lines = lineStarts(d.text)
	if err := scan(d.text, d.lines); err != nil {
		return nil, err
	}
	d.src = []byte(d.text)
	d.pc = parser.NewContext()
	d.pc.Set(skippedKey, ast.NewString(nil))
	t := &tally{}
	d.pc.Set(tallyKey, t)
	d.root = blockParser.Parse(text.NewReader(d.src), parser.WithContext(d.pc))
	if err := t.refusal(); err != nil {
		return nil, err
	}
	if err := d.boundInlines(); err != nil {
		return nil, err
	}
	return d, nil
}

// normalise drops a leading BOM and turns CRLF and CR into LF (M1).
func normalise(s string) string {
	s = strings.TrimPrefix(s, "\ufeff")
	if strings.IndexByte(s, '\r') < 0 {
		return s
	}
	return strings.ReplaceAll(strings.ReplaceAll(s, "\r\n", "\n"), "\r", "\n")
}

func lineStarts(s string) []int {
	starts := make([]int, 1, strings.Count(s, "\n")+1)
	for i := 0; ; {
		n := strings.IndexByte(s[i:], '\n')
		if n < 0 {
			return starts
		}
		i += n + 1
		starts = append(starts, i)
	}
}

// Text is the document as it was read: without BOM, with LF line ends.
func (d *Document) Text() string { return d.text }

// Blank reports whether the document holds nothing but white space.
func (d *Document) Blank() bool { return strings.TrimSpace(d.text) == "" }

// LineText is the text of a 1-based line, without its line end.
func (d *Document) LineText(line int) string {
	if line < 1 || line > len(d.lines) {
		return ""
	}
	rest := d.text[d.lines[line-1]:]
	if end := strings.IndexByte(rest, '\n'); end >= 0 {
		return rest[:end]
	}
	return rest
}

// Position turns a byte offset into line and column.
func (d *Document) Position(offset int) Position {
	offset = max(0, min(offset, len(d.text)))
	line := sort.SearchInts(d.lines, offset+1)
	return Position{Line: line, Column: 1 + d.characters(d.lines[line-1], offset)}
}

// countedStep is how many bytes apart the characters of a document are counted in advance, for
// documents with lines longer than a few of these.
const countedStep = 1024

// characters counts the characters between two offsets of one line.
func (d *Document) characters(from, to int) int {
	if to-from < 4*countedStep {
		return utf8.RuneCountInString(d.text[from:to])
	}
	if d.counted == nil {
		d.counted = make([]int, 1, 2+len(d.text)/countedStep)
		for at := 0; at+countedStep <= len(d.text); at += countedStep {
			d.counted = append(d.counted, d.counted[len(d.counted)-1]+starts(d.text[at:at+countedStep]))
		}
	}
	return d.charactersTo(to) - d.charactersTo(from)
}

// charactersTo counts the characters that start before an offset.
func (d *Document) charactersTo(offset int) int {
	step := offset / countedStep
	return d.counted[step] + starts(d.text[step*countedStep:offset])
}

// starts counts the bytes of s that start a character.
func starts(s string) int {
	n := 0
	for i := range len(s) {
		if utf8.RuneStart(s[i]) {
			n++
		}
	}
	return n
}

// Blocks are the direct children of the document.
func (d *Document) Blocks() []Block {
	if d.blocks == nil {
		d.blocks = Block{d: d, n: d.root}.Children()
	}
	return d.blocks
}
