package markdown

import (
	"bytes"
	"strings"

	"github.com/yuin/goldmark/ast"
)

// Kind is the kind of a block.
type Kind int

// The kinds of blocks. Only Paragraph and Heading hold live text of their own; List, Item and Quote
// hold blocks; Code, HTML and Definition are not live (M4).
const (
	Other Kind = iota
	Paragraph
	Heading
	List
	Item
	Quote
	Code
	HTML
	Table
	Rule
	Definition
)

// Block is one block of a document.
type Block struct {
	d *Document
	n ast.Node
}

// Kind is the kind of the block.
func (b Block) Kind() Kind {
	switch b.n.Kind() {
	case ast.KindParagraph, ast.KindTextBlock:
		return Paragraph
	case ast.KindHeading:
		return Heading
	case ast.KindList:
		return List
	case ast.KindListItem:
		return Item
	case ast.KindBlockquote:
		return Quote
	case ast.KindFencedCodeBlock, ast.KindCodeBlock:
		return Code
	case ast.KindHTMLBlock:
		return HTML
	case kindTable:
		return Table
	case ast.KindThematicBreak:
		return Rule
	case ast.KindLinkReferenceDefinition:
		return Definition
	default:
		return Other
	}
}

// Level is the level of a heading, 1 to 6, and 0 of any other block.
func (b Block) Level() int {
	if h, ok := b.n.(*ast.Heading); ok {
		return h.Level
	}
	return 0
}

// Fenced reports whether the block is a fenced code block.
func (b Block) Fenced() bool { return b.n.Kind() == ast.KindFencedCodeBlock }

// Children are the blocks directly inside the block, in order.
func (b Block) Children() []Block {
	out := make([]Block, 0, b.n.ChildCount())
	for c := b.n.FirstChild(); c != nil; c = c.NextSibling() {
		if c.Type() == ast.TypeBlock {
			out = append(out, Block{d: b.d, n: c})
		}
	}
	return out
}

// Raw is the text of a code, HTML, definition or table block as it stands in the source, without
// the markers of the blocks around it.
func (b Block) Raw() string {
	var s strings.Builder
	lines := b.n.Lines()
	for i := range lines.Len() {
		segment := lines.At(i)
		s.Write(segment.Value(b.d.src))
	}
	if h, ok := b.n.(*ast.HTMLBlock); ok && h.HasClosure() {
		s.Write(h.ClosureLine.Value(b.d.src))
	}
	return s.String()
}

// Position is where the block starts.
func (b Block) Position() Position { return b.d.Position(b.offset()) }

func (b Block) offset() int {
	switch b.Kind() {
	case Paragraph, Heading:
		if lines := b.n.Lines(); lines.Len() > 0 {
			return lines.At(0).Start
		}
	}
	if pos := b.n.Pos(); pos >= 0 {
		return pos
	}
	start, _ := b.extent()
	return start
}

// extent is the byte range of the text inside the block.
func (b Block) extent() (start, end int) {
	start, end = len(b.d.text), 0
	_ = ast.Walk(b.n, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering || n.Type() != ast.TypeBlock {
			return ast.WalkContinue, nil
		}
		if lines := n.Lines(); lines != nil && lines.Len() > 0 {
			start = min(start, lines.At(0).Start)
			end = max(end, lines.At(lines.Len()-1).Stop)
		}
		return ast.WalkContinue, nil
	})
	if start > end {
		start = max(0, b.n.Pos())
		end = start
	}
	return start, end
}

// Task tells the task-list box of an item: "" without one, "x" when ticked, " " when not.
func (b Block) Task() string {
	first := b.n.FirstChild()
	if b.Kind() != Item || first == nil || first.Lines() == nil || first.Lines().Len() == 0 {
		return ""
	}
	return taskBox(first, b.d.src)
}

// taskBox reads "[ ] " or "[x] " at the start of an item's first text block. GitHub shows a box only
// where the item's marker is the first thing on its line.
func taskBox(n ast.Node, src []byte) string {
	if n.Kind() != ast.KindParagraph && n.Kind() != ast.KindTextBlock {
		return ""
	}
	segment := n.Lines().At(0)
	line := segment.Value(src)
	if len(line) < 4 || line[0] != '[' || line[2] != ']' || (line[3] != ' ' && line[3] != '\t') {
		return ""
	}
	before := bytes.Trim(src[bytes.LastIndexByte(src[:segment.Start], '\n')+1:segment.Start], " \t")
	if len(before) == 0 || listMarker(before) != len(before) {
		return ""
	}
	switch line[1] {
	case 'x', 'X':
		return "x"
	case ' ':
		return " "
	}
	return ""
}

// LiveLines are all lines of live text of the document, in order: paragraphs and headings, also
// inside list items, but nothing of M4.
func (d *Document) LiveLines() []Line {
	blocks := d.Blocks()
	d.Prepare(blocks)
	var out []Line
	var walk func(b Block)
	walk = func(b Block) {
		switch b.Kind() {
		case Paragraph, Heading:
			out = append(out, b.Lines()...)
		case List, Item:
			for _, c := range b.Children() {
				walk(c)
			}
		}
	}
	for _, b := range blocks {
		walk(b)
	}
	return out
}
