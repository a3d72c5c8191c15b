package demo

import (
	"strings"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	extast "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// drawer draws GitHub Markdown on a terminal: every word that a browser shows, no markup.
type drawer struct {
	paint  painter
	source []byte
}

var parser = goldmark.New(goldmark.WithExtensions(extension.GFM)).Parser()

// document draws a whole document in lines of at most so many columns, where words allow it.
func (d drawer) document(markdown string, room int) []string {
	d.source = []byte(markdown)
	return d.blocks(parser.Parse(text.NewReader(d.source)), room, false)
}

// blocks draws the blocks of a document, quote or list item, with an empty line between them unless
// they belong together.
func (d drawer) blocks(parent ast.Node, room int, tight bool) []string {
	var lines []string
	for n := parent.FirstChild(); n != nil; n = n.NextSibling() {
		drawn := d.block(n, room)
		if len(drawn) == 0 {
			continue
		}
		if len(lines) > 0 && !tight {
			lines = append(lines, "")
		}
		lines = append(lines, drawn...)
	}
	return lines
}

func (d drawer) block(n ast.Node, room int) []string {
	switch n := n.(type) {
	case *ast.Heading:
		return wrap(words(d.inline(n, bold)), room, d.paint)
	case *ast.Paragraph, *ast.TextBlock:
		return wrap(words(d.inline(n, plain)), room, d.paint)
	case *ast.FencedCodeBlock, *ast.CodeBlock:
		return d.code(n)
	case *ast.List:
		return d.list(n, room)
	case *ast.Blockquote:
		return prefixed("> ", "> ", d.blocks(n, room-2, false))
	case *ast.ThematicBreak:
		return []string{strings.Repeat("─", room)}
	case *extast.Table:
		return d.table(n, room)
	case *ast.HTMLBlock:
		return nil // comments, or tags that GitHub drops
	}
	return d.blocks(n, room, false)
}

// code is never wrapped: it is there to be copied.
func (d drawer) code(n ast.Node) []string {
	var lines []string
	for i := range n.Lines().Len() {
		segment := n.Lines().At(i)
		lines = append(lines, "  "+d.paint.text(cyan, printable(strings.TrimRight(string(segment.Value(d.source)), "\n"))))
	}
	return lines
}

func (d drawer) list(n *ast.List, room int) []string {
	var lines []string
	for item := n.FirstChild(); item != nil; item = item.NextSibling() {
		if len(lines) > 0 && !n.IsTight {
			lines = append(lines, "")
		}
		lines = append(lines, prefixed("- ", "  ", d.blocks(item, room-2, n.IsTight))...)
	}
	return lines
}

// prefixed puts one prefix before the first line and another before those after it.
func prefixed(first, others string, lines []string) []string {
	for i, line := range lines {
		lines[i] = strings.TrimRight(first+line, " ")
		first = others
	}
	return lines
}

// run is a piece of text in one style.
type run struct{ text, style string }

// inline reads the text of a block, with what escapes and entities stand for.
func (d drawer) inline(parent ast.Node, style string) []run {
	var runs []run
	for n := parent.FirstChild(); n != nil; n = n.NextSibling() {
		switch n := n.(type) {
		case *ast.Text:
			runs = append(runs, run{resolved(n.Segment.Value(d.source)), style})
			if n.SoftLineBreak() || n.HardLineBreak() {
				runs = append(runs, run{" ", style})
			}
		case *ast.String:
			runs = append(runs, run{string(n.Value), style})
		case *ast.CodeSpan:
			runs = append(runs, d.codeSpan(n))
		case *ast.Emphasis:
			runs = append(runs, d.inline(n, bold)...)
		case *ast.AutoLink:
			runs = append(runs, run{string(n.Label(d.source)), style})
		case *ast.Link:
			runs = append(append(runs, d.inline(n, style)...), run{" (" + string(n.Destination) + ")", faint})
		case *ast.RawHTML:
		default:
			runs = append(runs, d.inline(n, style)...)
		}
	}
	return runs
}

// codeSpan keeps its backticks where no colour can tell code from words.
func (d drawer) codeSpan(n *ast.CodeSpan) run {
	var b strings.Builder
	for child := n.FirstChild(); child != nil; child = child.NextSibling() {
		if piece, ok := child.(*ast.Text); ok {
			b.Write(piece.Segment.Value(d.source))
		}
	}
	if d.paint {
		return run{b.String(), cyan}
	}
	return run{"`" + b.String() + "`", plain}
}

func resolved(source []byte) string {
	return string(util.UnescapePunctuations(util.ResolveEntityNames(util.ResolveNumericReferences(source))))
}
