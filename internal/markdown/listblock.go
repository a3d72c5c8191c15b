package markdown

import (
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// listBlock and itemBlock read lists as cmark-gfm does. goldmark takes an item below an empty one
// for its sibling and measures tabs from the wrong column inside other blocks, either of which makes
// a nested item a top-level one or text code.
type (
	listBlock struct{}
	itemBlock struct{}
)

// maxIndent is the widest indentation that does not make a line code.
const maxIndent = 3

// bullets are the characters that may start a list item.
var bullets = []byte("-+*0123456789")

// itemStart is the start of a list item.
type itemStart struct {
	marker byte // "-", "+", "*", "." or ")"
	number int  // of an ordered item
	first  int  // where the text starts in the line
	pad    int  // columns of the tab before the text that belong to it
	offset int  // columns that the item's further lines are indented by
	empty  bool // nothing follows on the line
}

// readItemStart reads the start of a list item from a line that starts at a column.
func readItemStart(line []byte, column int) (itemStart, bool) {
	indent, at := util.IndentWidth(line, column)
	if indent > maxIndent || at >= len(line) {
		return itemStart{}, false
	}
	width := listMarker(line[at:])
	if width == 0 {
		return itemStart{}, false
	}
	s := itemStart{marker: line[at+width-1], offset: indent + width + 1, first: at + width}
	for _, c := range line[at : at+width-1] {
		s.number = s.number*10 + int(c-'0')
	}
	rest := line[s.first:]
	if util.IsBlank(rest) {
		s.empty = true
		return s, true
	}
	after := column + indent + width
	spaces, _ := util.IndentWidth(rest, after)
	if spaces > maxIndent+1 { // the text is indented code
		spaces = 1
	}
	skip, pad := util.IndentPosition(rest, after, spaces)
	s.first, s.pad, s.offset = s.first+skip, pad, indent+width+spaces
	return s, true
}

// maxMarkerDigits is the longest number of an ordered item.
const maxMarkerDigits = 9

// listMarker is the length of the list marker at the start of s, which is not empty; 0 when there is
// none. The bounds of M1 and the parser read markers by it.
func listMarker[T string | []byte](s T) int {
	n := 0
	if s[0] == '-' || s[0] == '+' || s[0] == '*' {
		n = 1
	} else {
		for n < len(s) && n < maxMarkerDigits && digit(s[n]) {
			n++
		}
		if n == 0 || n == len(s) || s[n] != '.' && s[n] != ')' {
			return 0
		}
		n++
	}
	if n < len(s) && !space(s[n]) {
		return 0
	}
	return n
}

// Trigger implements parser.BlockParser.
func (listBlock) Trigger() []byte { return bullets }

// Open implements parser.BlockParser. A list that interrupts a paragraph starts with text, and with
// the number 1.
func (listBlock) Open(parent ast.Node, reader text.Reader, pc parser.Context) (ast.Node, parser.State) {
	if parent.Kind() == ast.KindList {
		return nil, parser.NoChildren
	}
	line, _ := reader.PeekLine()
	s, ok := readItemStart(line, reader.LineOffset())
	if !ok {
		return nil, parser.NoChildren
	}
	ordered := s.marker == '.' || s.marker == ')'
	if last := pc.LastOpenedBlock().Node; last != nil && ast.IsParagraph(last) && last.Parent() == parent && (s.empty || ordered && s.number != 1) {
		return nil, parser.NoChildren
	}
	return ast.NewList(s.marker), parser.HasChildren
}

// Continue implements parser.BlockParser. The list goes on as long as its last item does or another
// one starts.
func (listBlock) Continue(node ast.Node, reader text.Reader, pc parser.Context) parser.State {
	line, _ := reader.PeekLine()
	if util.IsBlank(line) || continuesItem(node, line, reader.LineOffset(), pc) || startsNext(node, line, reader.LineOffset()) {
		return parser.Continue | parser.HasChildren
	}
	return parser.Close
}

// continuesItem reports whether a line belongs to the last item of a list, which must still be open.
func continuesItem(list ast.Node, line []byte, column int, pc parser.Context) bool {
	item, ok := list.LastChild().(*ast.ListItem)
	if !ok {
		return false
	}
	if indent, _ := util.IndentWidth(line, column); indent < item.Offset {
		return false
	}
	open := pc.OpenedBlocks()
	for i := len(open) - 1; i >= 0 && open[i].Node != list; i-- {
		if open[i].Node == ast.Node(item) {
			return true
		}
	}
	return false
}

// startsNext reports whether a line starts another item of a list.
func startsNext(node ast.Node, line []byte, column int) bool {
	list, ok := node.(*ast.List)
	s, starts := readItemStart(line, column)
	return ok && starts && s.marker == list.Marker && !thematicBreak(line)
}

// thematicBreak reports whether a line that starts with a list marker is a thematic break.
func thematicBreak(line []byte) bool {
	count, mark := 0, byte(0)
	for _, c := range line {
		switch {
		case space(c):
		case mark == 0 || c == mark:
			mark = c
			count++
		default:
			return false
		}
	}
	return count >= 3 && (mark == '-' || mark == '*')
}

// Close implements parser.BlockParser.
func (listBlock) Close(ast.Node, text.Reader, parser.Context) {}

// CanInterruptParagraph implements parser.BlockParser.
func (listBlock) CanInterruptParagraph() bool { return true }

// CanAcceptIndentedLine implements parser.BlockParser.
func (listBlock) CanAcceptIndentedLine() bool { return false }

// Trigger implements parser.BlockParser.
func (itemBlock) Trigger() []byte { return bullets }

// Open implements parser.BlockParser.
func (itemBlock) Open(parent ast.Node, reader text.Reader, _ parser.Context) (ast.Node, parser.State) {
	line, _ := reader.PeekLine()
	s, ok := readItemStart(line, reader.LineOffset())
	if list, inList := parent.(*ast.List); !ok || !inList || list.Marker != s.marker {
		return nil, parser.NoChildren
	}
	node := ast.NewListItem(s.offset)
	if s.empty {
		return node, parser.NoChildren
	}
	reader.AdvanceAndSetPadding(s.first, s.pad)
	return node, parser.HasChildren
}

// Continue implements parser.BlockParser. An item without text ends at a blank line.
func (itemBlock) Continue(node ast.Node, reader text.Reader, _ parser.Context) parser.State {
	line, _ := reader.PeekLine()
	item, ok := node.(*ast.ListItem)
	indent, _ := util.IndentWidth(line, reader.LineOffset())
	switch {
	case !ok:
		return parser.Close
	case indent >= item.Offset:
		reader.AdvanceAndSetPadding(util.IndentPosition(line, reader.LineOffset(), item.Offset))
	case util.IsBlank(line) && !empty(item):
		reader.AdvanceToEOL()
	default:
		return parser.Close
	}
	return parser.Continue | parser.HasChildren
}

// empty reports whether an item holds nothing but definitions.
func empty(item ast.Node) bool {
	last := item.LastChild()
	for last != nil && last.Kind() == ast.KindLinkReferenceDefinition {
		last = last.PreviousSibling()
	}
	return last == nil
}

// Close implements parser.BlockParser.
func (itemBlock) Close(ast.Node, text.Reader, parser.Context) {}

// CanInterruptParagraph implements parser.BlockParser.
func (itemBlock) CanInterruptParagraph() bool { return true }

// CanAcceptIndentedLine implements parser.BlockParser.
func (itemBlock) CanAcceptIndentedLine() bool { return false }
