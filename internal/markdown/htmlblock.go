package markdown

import (
	"bytes"
	"strings"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// htmlBlock reads HTML blocks as cmark-gfm does, which GitHub renders with. goldmark follows a
// later specification with other tag names and takes only the space for white space, so that it
// hides or shows other text than GitHub (M1, M4).
type htmlBlock struct{}

// rawTags open blocks of type 1, which only their closing tag ends; blockTags those of type 6.
var (
	rawTags   = []string{"script", "pre", "style"}
	blockTags = tagSet(`address article aside base basefont blockquote body caption center col colgroup dd details dialog dir div dl dt
		fieldset figcaption figure footer form frame frameset h1 h2 h3 h4 h5 h6 head header hr html iframe legend li link main menu
		menuitem nav noframes ol optgroup option p param section summary table tbody td tfoot th thead title tr track ul`)
)

func tagSet(names string) map[string]bool {
	set := map[string]bool{}
	for _, name := range strings.Fields(names) {
		set[name] = true
	}
	return set
}

// Trigger implements parser.BlockParser.
func (htmlBlock) Trigger() []byte { return []byte{'<'} }

// Open implements parser.BlockParser.
func (htmlBlock) Open(parent ast.Node, reader text.Reader, pc parser.Context) (ast.Node, parser.State) {
	line, segment := reader.PeekLine()
	kind, ok := htmlStart(bytes.TrimLeft(line, " \t"))
	if !ok {
		// The one kind that cannot interrupt a paragraph. A line that would only go on with the paragraph
		// of another block lazily does not interrupt it.
		last := pc.LastOpenedBlock().Node
		if last != nil && ast.IsParagraph(last) && last.Parent() == parent || !loneTag(bytes.TrimLeft(line, " \t")) {
			return nil, parser.NoChildren
		}
		kind = ast.HTMLBlockType7
	}
	node := ast.NewHTMLBlock(kind)
	node.Lines().Append(segment)
	reader.AdvanceToEOL()
	return node, parser.NoChildren
}

// htmlStart recognises the start conditions 1 to 6.
func htmlStart(s []byte) (ast.HTMLBlockType, bool) {
	switch {
	case bytes.HasPrefix(s, []byte("<!--")):
		return ast.HTMLBlockType2, true
	case bytes.HasPrefix(s, []byte("<?")):
		return ast.HTMLBlockType3, true
	case len(s) > 2 && s[1] == '!' && s[2] >= 'A' && s[2] <= 'Z':
		return ast.HTMLBlockType4, true
	case len(s) >= len(cdata) && strings.EqualFold(string(s[:len(cdata)]), cdata):
		return ast.HTMLBlockType5, true
	}
	rest := s[1:]
	closing := len(rest) > 0 && rest[0] == '/'
	if closing {
		rest = rest[1:]
	}
	name := strings.ToLower(string(rest[:tagName(rest)]))
	rest = rest[len(name):]
	ends := len(rest) == 0 || space(rest[0]) || rest[0] == '>'
	for _, raw := range rawTags {
		if name == raw && !closing && ends {
			return ast.HTMLBlockType1, true
		}
	}
	if blockTags[name] && (ends || bytes.HasPrefix(rest, []byte("/>"))) {
		return ast.HTMLBlockType6, true
	}
	return 0, false
}

const cdata = "<![CDATA["

// maxTagName bounds the names that are looked up; none of the lists is longer.
const maxTagName = 64

// tagName is the length of the tag name at the start of s.
func tagName(s []byte) int {
	n := 0
	for n < len(s) && n < maxTagName && (letter(s[n]) || n > 0 && (digit(s[n]) || s[n] == '-')) {
		n++
	}
	return n
}

func letter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }
func digit(c byte) bool  { return c >= '0' && c <= '9' }
func space(c byte) bool  { return c == ' ' || c >= '\t' && c <= '\r' }

// Continue implements parser.BlockParser.
func (htmlBlock) Continue(node ast.Node, reader text.Reader, pc parser.Context) parser.State {
	block, ok := node.(*ast.HTMLBlock)
	if !ok {
		return parser.Close
	}
	line, segment := reader.PeekLine()
	lines := block.Lines()
	switch block.HTMLBlockType {
	case ast.HTMLBlockType6, ast.HTMLBlockType7:
		if util.IsBlank(line) {
			return parser.Close
		}
	default:
		if first := lines.At(0); lines.Len() == 1 && htmlEnd(block.HTMLBlockType, first.Value(reader.Source())) {
			return parser.Close
		}
		if htmlEnd(block.HTMLBlockType, line) {
			block.ClosureLine = segment
			reader.AdvanceToEOL()
			return parser.Close
		}
	}
	lines.Append(segment)
	reader.AdvanceToEOL()
	return parser.Continue | parser.NoChildren
}

// htmlEnd recognises the end conditions 1 to 5.
func htmlEnd(kind ast.HTMLBlockType, line []byte) bool {
	switch kind {
	case ast.HTMLBlockType1:
		return closesRaw(line)
	case ast.HTMLBlockType2:
		return bytes.Contains(line, []byte("-->"))
	case ast.HTMLBlockType3:
		return bytes.Contains(line, []byte("?>"))
	case ast.HTMLBlockType4:
		return bytes.IndexByte(line, '>') >= 0
	default:
		return bytes.Contains(line, []byte("]]>"))
	}
}

func closesRaw(line []byte) bool {
	for {
		i := bytes.Index(line, []byte("</"))
		if i < 0 {
			return false
		}
		line = line[i+2:]
		n := tagName(line)
		if n == len(line) || line[n] != '>' {
			continue
		}
		for _, raw := range rawTags {
			if strings.EqualFold(string(line[:n]), raw) {
				return true
			}
		}
	}
}

// Close implements parser.BlockParser.
func (htmlBlock) Close(ast.Node, text.Reader, parser.Context) {}

// CanInterruptParagraph implements parser.BlockParser.
func (htmlBlock) CanInterruptParagraph() bool { return true }

// CanAcceptIndentedLine implements parser.BlockParser.
func (htmlBlock) CanAcceptIndentedLine() bool { return false }

// loneTag reports whether a line holds one whole tag, with any name, and nothing else: start
// condition 7.
func loneTag(s []byte) bool {
	s = s[1:]
	closing := len(s) > 0 && s[0] == '/'
	if closing {
		s = s[1:]
	}
	n := 0
	for n < len(s) && (letter(s[n]) || n > 0 && (digit(s[n]) || s[n] == '-')) {
		n++
	}
	if n == 0 {
		return false
	}
	s = s[n:]
	if !closing {
		for {
			size := attribute(s)
			if size == 0 {
				break
			}
			s = s[size:]
		}
	}
	s = trimSpace(s)
	if !closing && len(s) > 0 && s[0] == '/' {
		s = s[1:]
	}
	return len(s) > 0 && s[0] == '>' && len(bytes.Trim(s[1:], "\t\n\f ")) == 0
}

func trimSpace(s []byte) []byte {
	for len(s) > 0 && space(s[0]) {
		s = s[1:]
	}
	return s
}

// attribute is the length of the attribute at the start of s with the white space before it, 0 when
// there is none.
func attribute(s []byte) int {
	rest := trimSpace(s)
	if len(rest) == len(s) {
		return 0
	}
	n := 0
	for n < len(rest) && (letter(rest[n]) || rest[n] == '_' || rest[n] == ':' || n > 0 && (digit(rest[n]) || rest[n] == '.' || rest[n] == '-')) {
		n++
	}
	if n == 0 {
		return 0
	}
	rest = rest[n:]
	if value := trimSpace(rest); len(value) > 0 && value[0] == '=' {
		if value = trimSpace(value[1:]); attributeValue(value) > 0 {
			rest = value[attributeValue(value):]
		}
	}
	return len(s) - len(rest)
}

// attributeValue is the length of the value at the start of s, 0 when there is none.
func attributeValue(s []byte) int {
	if len(s) == 0 {
		return 0
	}
	if quote := s[0]; quote == '"' || quote == '\'' {
		if end := bytes.IndexByte(s[1:], quote); end >= 0 {
			return end + 2
		}
		return 0
	}
	n := 0
	for n < len(s) && !space(s[n]) && bytes.IndexByte([]byte("\"'=<>`\x00"), s[n]) < 0 {
		n++
	}
	return n
}
