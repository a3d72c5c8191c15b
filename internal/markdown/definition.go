package markdown

import (
	"bytes"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// definitions takes link reference definitions off the start of a paragraph as cmark-gfm does. The
// parser of goldmark takes time with the square of their number and of a label's lines.
type definitions struct{}

// Transform implements parser.ParagraphTransformer.
func (definitions) Transform(node *ast.Paragraph, reader text.Reader, pc parser.Context) {
	lines := node.Lines()
	if lines.Len() == 0 || !startsLabel(lines.At(0), reader.Source()) {
		return
	}
	var content []byte
	for i := range lines.Len() {
		s := lines.At(i)
		content = append(content, bytes.TrimLeft(s.Value(reader.Source()), " \t")...)
	}
	if !bytes.HasSuffix(content, []byte("\n")) {
		content = append(content, '\n')
	}
	r := definitionReader{rest: content}
	taken := 0
	for {
		d, ok := r.next()
		if !ok {
			break
		}
		ref := ast.NewLinkReferenceDefinition(d.label, d.destination, nil)
		ref.SetPos(lines.At(taken).Start)
		for ; d.lines > 0; d.lines-- {
			ref.Lines().Append(lines.At(taken))
			taken++
		}
		pc.AddReference(parser.NewReference(d.label, d.destination, nil))
		node.Parent().InsertBefore(node.Parent(), node, ref)
	}
	if taken == lines.Len() {
		node.Parent().RemoveChild(node.Parent(), node)
		return
	}
	lines.SetSliced(taken, lines.Len())
}

func startsLabel(s text.Segment, src []byte) bool {
	return bytes.HasPrefix(bytes.TrimLeft(src[s.Start:s.Stop], " \t"), []byte("["))
}

// definition is one link reference definition. Titles are not kept, since nobody reads them.
type definition struct {
	label, destination []byte
	lines              int
}

// definitionReader reads definitions one after the other.
type definitionReader struct {
	rest   []byte
	closes [256]bool // quotes that were looked for in vain in what is left
}

// next reads one definition with its line end.
func (r *definitionReader) next() (definition, bool) {
	label := labelEnd(r.rest)
	if label < 0 || label+1 >= len(r.rest) || r.rest[label+1] != ':' {
		return definition{}, false
	}
	d := definition{label: r.rest[1:label]}
	i := skipSpaces(r.rest, label+2)
	end := destinationEnd(r.rest, i)
	if end < 0 {
		return definition{}, false
	}
	if d.destination = r.rest[i:end]; r.rest[i] == '<' {
		d.destination = r.rest[i+1 : end-1]
	}
	stop := -1
	if title := skipSpaces(r.rest, end); title > end {
		if titleEnd := r.titleEnd(title); titleEnd > 0 {
			stop = lineEnd(r.rest, titleEnd)
		}
	}
	if stop < 0 {
		if stop = lineEnd(r.rest, end); stop < 0 {
			return definition{}, false
		}
	}
	d.lines = bytes.Count(r.rest[:stop], []byte("\n"))
	r.rest = r.rest[stop:]
	return d, true
}

// maxLabel is the length of the longest label.
const maxLabel = 1000

// labelEnd is where the "]" of the label at the start of s stands, -1 without a label.
func labelEnd(s []byte) int {
	if len(s) == 0 || s[0] != '[' {
		return -1
	}
	for i := 1; i < len(s) && i <= maxLabel+1; i++ {
		switch s[i] {
		case '\\':
			if i+1 < len(s) && util.IsPunct(s[i+1]) {
				i++
			}
		case '[':
			return -1
		case ']':
			if len(bytes.TrimSpace(s[1:i])) == 0 {
				return -1
			}
			return i
		}
	}
	return -1
}

// skipSpaces skips white space with at most one line end.
func skipSpaces(s []byte, i int) int {
	for lineEnds := 0; i < len(s); i++ {
		if s[i] == '\n' {
			if lineEnds++; lineEnds > 1 {
				return i
			}
		} else if s[i] != ' ' && s[i] != '\t' {
			return i
		}
	}
	return i
}

// maxParens is how deep parentheses may nest in a destination.
const maxParens = 32

// destinationEnd is where the destination at i ends, -1 without one.
func destinationEnd(s []byte, i int) int {
	if i >= len(s) {
		return -1
	}
	if s[i] == '<' {
		for i++; i < len(s); i++ {
			switch s[i] {
			case '\\':
				i++
			case '<', '\n':
				return -1
			case '>':
				return i + 1
			}
		}
		return -1
	}
	start, depth := i, 0
	for ; i < len(s); i++ {
		switch c := s[i]; {
		case c == '\\' && i+1 < len(s) && util.IsPunct(s[i+1]):
			i++
		case c == '(':
			if depth++; depth > maxParens {
				return -1
			}
		case c == ')':
			if depth == 0 {
				return i
			}
			depth--
		case space(c):
			if i == start {
				return -1
			}
			return i
		}
	}
	return -1
}

// titleEnd is where the title at i ends, 0 without one.
func (r *definitionReader) titleEnd(i int) int {
	if i >= len(r.rest) {
		return 0
	}
	open := r.rest[i]
	closer := open
	if open == '(' {
		closer = ')'
	} else if open != '"' && open != '\'' {
		return 0
	}
	if r.closes[open] {
		return 0
	}
	for i++; i < len(r.rest); i++ {
		switch c := r.rest[i]; {
		case c == '\\':
			i++
		case c == closer:
			return i + 1
		case c == '(' && open == '(':
			return 0
		}
	}
	r.closes[open] = true
	return 0
}

// lineEnd is the start of the next line when only white space is left of the one at i, else -1.
func lineEnd(s []byte, i int) int {
	for i < len(s) && (s[i] == ' ' || s[i] == '\t') {
		i++
	}
	if i < len(s) && s[i] == '\n' {
		return i + 1
	}
	return -1
}
