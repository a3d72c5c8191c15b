package markdown

import (
	"bytes"
	"strings"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// table is a table as far as a reader of this package needs it: its source lines. Their text is not
// read, so neither cells nor inline text are built, which is what makes wide tables slow.
type table struct{ ast.BaseBlock }

var kindTable = ast.NewNodeKind("EvidenceTable")

// Kind implements ast.Node.
func (*table) Kind() ast.NodeKind { return kindTable }

// IsRaw implements ast.Node.
func (*table) IsRaw() bool { return true }

// Dump implements ast.Node.
func (t *table) Dump(source []byte, level int) { ast.DumpHelper(t, source, level, nil, nil) }

// tableBlock reads tables as cmark-gfm does: the delimiter row turns the paragraph's last line into
// the header when both have the same number of cells. goldmark looks for tables only once the
// paragraph is whole, so that it takes other lines for rows.
type tableBlock struct{}

// Trigger implements parser.BlockParser.
func (tableBlock) Trigger() []byte { return []byte{'|', '-', ':'} }

// Open implements parser.BlockParser.
func (tableBlock) Open(parent ast.Node, reader text.Reader, pc parser.Context) (ast.Node, parser.State) {
	paragraph, ok := pc.LastOpenedBlock().Node.(*ast.Paragraph)
	if !ok || paragraph.Parent() != parent {
		return nil, parser.NoChildren
	}
	line, segment := reader.PeekLine()
	columns, ok := delimiterRow(line)
	if !ok {
		return nil, parser.NoChildren
	}
	lines := paragraph.Lines()
	header := lines.At(lines.Len() - 1)
	if cells(header.Value(reader.Source())) != columns {
		return nil, parser.NoChildren
	}
	lines.SetSliced(0, lines.Len()-1)
	node := &table{}
	node.Lines().Append(header)
	node.Lines().Append(segment)
	reader.AdvanceToEOL()
	return node, parser.NoChildren
}

// Continue implements parser.BlockParser. Every line is a row until a blank one or another block.
func (tableBlock) Continue(node ast.Node, reader text.Reader, pc parser.Context) parser.State {
	line, segment := reader.PeekLine()
	if startsBlock(line, reader.LineOffset()) || cells(line) == 0 {
		return parser.Close
	}
	node.Lines().Append(segment)
	reader.AdvanceToEOL()
	return parser.Continue | parser.NoChildren
}

// Close implements parser.BlockParser.
func (tableBlock) Close(ast.Node, text.Reader, parser.Context) {}

// CanInterruptParagraph implements parser.BlockParser.
func (tableBlock) CanInterruptParagraph() bool { return true }

// CanAcceptIndentedLine implements parser.BlockParser.
func (tableBlock) CanAcceptIndentedLine() bool { return false }

// delimiterRow counts the columns of a delimiter row such as `|:--|---|`.
func delimiterRow(line []byte) (columns int, ok bool) {
	line = bytes.Trim(line, " \t\f\n")
	line = bytes.TrimSuffix(bytes.TrimPrefix(line, []byte("|")), []byte("|"))
	for _, cell := range bytes.Split(line, []byte("|")) {
		cell = bytes.Trim(cell, " \t\v\f")
		dashes := bytes.TrimSuffix(bytes.TrimPrefix(cell, []byte(":")), []byte(":"))
		if len(dashes) == 0 || len(bytes.Trim(dashes, "-")) > 0 {
			return 0, false
		}
		columns++
	}
	return columns, true
}

// cells counts the cells of a row. A pipe at either end belongs to no further cell, an escaped one
// parts none.
func cells(line []byte) int {
	line = bytes.TrimLeft(line, " \t")
	line = bytes.TrimRight(line, "\n")
	if bytes.HasPrefix(line, []byte("|")) {
		line = trimSpace(line[1:])
	}
	n := 0
	for len(line) > 0 {
		n++
		end := 0
		for end < len(line) && line[end] != '|' {
			if line[end] == '\\' && end+1 < len(line) {
				end++
			}
			end++
		}
		if end >= len(line) {
			return n
		}
		line = trimSpace(line[end+1:])
	}
	return n
}

// startsBlock reports whether a line that stands in no paragraph starts a block other than one;
// column is where the line starts.
func startsBlock(line []byte, column int) bool {
	indent, at := util.IndentWidth(line, column)
	rest := bytes.TrimRight(line[at:], "\n")
	if indent > 3 || len(rest) == 0 {
		return true
	}
	text := string(rest)
	switch c := text[0]; c {
	case '>':
		return true
	case '#':
		n := len(text) - len(bytes.TrimLeft(rest, "#"))
		return n <= 6 && (n == len(text) || text[n] == ' ' || text[n] == '\t')
	case '`', '~':
		return opensFence(text)
	case '<':
		_, starts := htmlStart(rest)
		return starts || loneTag(rest)
	case '*', '-', '_':
		if isRule(text) {
			return true
		}
	}
	return listMarker(text) > 0
}

func opensFence(line string) bool {
	n := len(line) - len(strings.TrimLeft(line, line[:1]))
	return n >= 3 && (line[0] == '~' || strings.IndexByte(line[n:], '`') < 0)
}
