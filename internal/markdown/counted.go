package markdown

import (
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// tally counts the blocks and lines of text of a document while it is parsed. Past a bound no block
// is opened any more, which makes goldmark stop, and the document is refused.
type tally struct{ blocks, lines int }

var tallyKey = parser.NewContextKey()

func (t *tally) full() bool { return t.blocks > maxBlocks || t.lines > maxTextLines }

func (t *tally) refusal() error {
	switch {
	case t.blocks > maxBlocks:
		return tooComplex("it has more than %d blocks (paragraphs, headings, list items and the like)", maxBlocks)
	case t.lines > maxTextLines:
		return tooComplex("it has more than %d lines of text outside code and HTML", maxTextLines)
	default:
		return nil
	}
}

// counted is a block parser that keeps the tally.
type counted struct{ parser.BlockParser }

// Open implements parser.BlockParser.
func (c counted) Open(parent ast.Node, reader text.Reader, pc parser.Context) (ast.Node, parser.State) {
	t, ok := pc.Get(tallyKey).(*tally)
	if !ok || t.full() {
		return nil, parser.NoChildren
	}
	node, state := c.BlockParser.Open(parent, reader, pc)
	if node != nil {
		t.blocks++
	}
	return node, state
}

// countedText is a counted block parser whose lines are live text.
type countedText struct{ counted }

// Continue implements parser.BlockParser.
func (c countedText) Continue(node ast.Node, reader text.Reader, pc parser.Context) parser.State {
	if t, ok := pc.Get(tallyKey).(*tally); ok {
		if t.lines++; t.full() {
			return parser.Close
		}
	}
	return c.counted.Continue(node, reader, pc)
}

// inOrder are the block parsers in the order in which they are asked, each counted; the last is that
// of paragraphs.
func inOrder(parsers ...parser.BlockParser) []util.PrioritizedValue {
	out := make([]util.PrioritizedValue, 0, len(parsers))
	for i, p := range parsers {
		var c parser.BlockParser = counted{p}
		if i == len(parsers)-1 {
			c = countedText{counted{p}}
		}
		out = append(out, util.Prioritized(c, 100*(i+1)))
	}
	return out
}
