package markdown

import (
	"html"
	"sort"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// Span is a byte range of a [Line]'s text.
type Span struct{ Start, End int }

// Line is one line of a block's live text as a reader sees it: escapes and entities resolved,
// emphasis and tags gone, every Unicode space a plain one (M5, M8).
type Line struct {
	Text  string
	Code  []Span // code spans
	Links []Span // texts of links
	Web   []Span // texts of those that lead to an http or https address
	at    []mark // of the whole line that this one was sliced from
	base  int    // where this one starts in that line
	d     *Document
}

// mark says that from byte t of a line on, bytes stand at source offset s and following.
type mark struct{ t, s int }

// Position is the place in the source of a byte of the line's text.
func (l Line) Position(i int) Position { return l.d.Position(l.offset(i)) }

func (l Line) offset(i int) int {
	i += l.base
	k := sort.Search(len(l.at), func(k int) bool { return l.at[k].t > i }) - 1
	if k < 0 {
		return 0
	}
	off := l.at[k].s + i - l.at[k].t
	if k+1 < len(l.at) {
		off = min(off, l.at[k+1].s)
	}
	return off
}

// Slice is the part of the line between two byte offsets, with the spans that lie inside. A span
// that loses only white space stays.
func (l Line) Slice(start, end int) Line {
	return Line{Text: l.Text[start:end], Code: l.clip(l.Code, start, end), Links: l.clip(l.Links, start, end), Web: l.clip(l.Web, start, end), at: l.at, base: l.base + start, d: l.d}
}

func (l Line) clip(spans []Span, start, end int) []Span {
	first := sort.Search(len(spans), func(i int) bool { return spans[i].End >= start })
	last := first + sort.Search(len(spans)-first, func(i int) bool { return spans[first+i].Start > end })
	for first < last && strings.Trim(l.Text[spans[first].Start:max(start, spans[first].Start)], " ") != "" {
		first++
	}
	for first < last && strings.Trim(l.Text[min(end, spans[last-1].End):spans[last-1].End], " ") != "" {
		last--
	}
	if first == last {
		return nil
	}
	if start == 0 && spans[last-1].End <= end {
		return spans[first:last]
	}
	out := make([]Span, 0, last-first)
	for _, s := range spans[first:last] {
		out = append(out, Span{max(s.Start, start) - start, min(s.End, end) - start})
	}
	return out
}

// ended is the line with its text, whose trailing white space shows nowhere.
func (l Line) ended(text string) Line {
	l.Text = strings.TrimRight(text, " ")
	for _, spans := range [][]Span{l.Code, l.Links, l.Web} {
		for i := len(spans) - 1; i >= 0 && spans[i].End > len(l.Text); i-- {
			spans[i] = Span{min(spans[i].Start, len(l.Text)), len(l.Text)}
		}
	}
	return l
}

// Trim is the line without white space at both ends.
func (l Line) Trim() Line { return l.TrimFrom(0) }

// TrimFrom is the line from a byte offset on, without white space at both ends.
func (l Line) TrimFrom(start int) Line {
	end := len(strings.TrimRight(l.Text, " \t"))
	for start < end && (l.Text[start] == ' ' || l.Text[start] == '\t') {
		start++
	}
	if start == 0 && end == len(l.Text) {
		return l
	}
	return l.Slice(min(start, end), end)
}

// Lines are the lines of a paragraph's or heading's live text. A task-list box is left out.
func (b Block) Lines() []Line {
	if k := b.Kind(); k != Paragraph && k != Heading {
		return nil
	}
	if lines, ok := b.d.inl[key(b.n)]; ok {
		return lines
	}
	b.d.readInlines([]ast.Node{b.n})
	return b.d.inl[key(b.n)]
}

// key identifies a text block by where its text starts.
func key(n ast.Node) int {
	if lines := n.Lines(); lines.Len() > 0 {
		return lines.At(0).Start
	}
	return -1
}

// Prepare reads the inline text of all blocks inside the given ones at once, which costs less than
// one by one.
func (d *Document) Prepare(blocks []Block) {
	var nodes []ast.Node
	for _, b := range blocks {
		_ = ast.Walk(b.n, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
			if !entering {
				return ast.WalkContinue, nil
			}
			switch (Block{d: d, n: n}).Kind() {
			case Paragraph, Heading:
				if _, done := d.inl[key(n)]; !done {
					nodes = append(nodes, n)
				}
				return ast.WalkSkipChildren, nil
			case List, Item:
				return ast.WalkContinue, nil
			default:
				return ast.WalkSkipChildren, nil
			}
		})
	}
	d.readInlines(nodes)
}

// readInlines fills d.inl for the nodes.
func (d *Document) readInlines(nodes []ast.Node) {
	if len(d.inl) == 0 {
		d.inl = make(map[int][]Line, len(nodes))
	}
	var hard []ast.Node
	for _, n := range nodes {
		if lines, ok := d.plainLines(n); ok {
			d.inl[key(n)] = lines
			continue
		}
		hard = append(hard, n)
	}
	if len(hard) == 0 {
		return
	}
	d.pc.Set(batchKey, hard)
	root := inlineParser.Parse(text.NewBlockReader(d.src, hard[0].Lines()), parser.WithContext(d.pc))
	i := 0
	for c := root.FirstChild(); c != nil; c = c.NextSibling() {
		d.inl[key(hard[i])] = d.collect(c)
		i++
	}
}

var batchKey = parser.NewContextKey()

// inlineParser reads the inline text of the blocks that the context holds under batchKey.
var inlineParser = parser.NewParser(
	parser.WithBlockParsers(util.Prioritized(batch{}, 100)),
	parser.WithInlineParsers(append(parser.DefaultInlineParsers(),
		util.Prioritized(extension.NewStrikethroughParser(), 500),
		util.Prioritized(extension.NewLinkifyParser(), 999))...),
)

// batch is a block parser that opens one text block for each block of the batch, whatever the
// reader shows, so that goldmark reads their inline text in one go.
type batch struct{}

func (batch) Trigger() []byte { return nil }

func (batch) Open(parent ast.Node, reader text.Reader, pc parser.Context) (ast.Node, parser.State) {
	nodes, _ := pc.Get(batchKey).([]ast.Node)
	pc.Set(batchKey, nil)
	var last ast.Node
	for i, n := range nodes {
		block := ast.NewTextBlock()
		block.SetLines(inlineSegments(n, reader.Source()))
		if last = block; i < len(nodes)-1 {
			parent.AppendChild(parent, block)
		}
	}
	for line, _ := reader.PeekLine(); line != nil; line, _ = reader.PeekLine() {
		reader.AdvanceLine()
	}
	return last, parser.NoChildren
}

func (batch) Continue(ast.Node, text.Reader, parser.Context) parser.State { return parser.Close }
func (batch) Close(ast.Node, text.Reader, parser.Context)                 {}
func (batch) CanInterruptParagraph() bool                                 { return true }
func (batch) CanAcceptIndentedLine() bool                                 { return true }

// inlineSegments are the lines of a block without the task-list box of the item it opens.
func inlineSegments(n ast.Node, src []byte) *text.Segments {
	lines := n.Lines()
	if p := n.Parent(); p == nil || p.Kind() != ast.KindListItem || p.FirstChild() != n || taskBox(n, src) == "" {
		return lines
	}
	out := text.NewSegments()
	for i := range lines.Len() {
		s := lines.At(i)
		if i == 0 {
			s = s.WithStart(s.Start + 4)
		}
		out.Append(s)
	}
	return out
}

// collect turns the inline nodes of a block into lines.
func (d *Document) collect(block ast.Node) []Line {
	c := collector{d: d}
	c.children(block)
	c.endLine()
	return c.lines
}

type collector struct {
	d     *Document
	lines []Line
	cur   Line
	buf   []byte
	marks []mark // of the current line, and of those before it
	first int    // where those of the current line start
}

func (c *collector) children(n ast.Node) {
	for k := n.FirstChild(); k != nil; k = k.NextSibling() {
		c.inline(k)
	}
}

func (c *collector) inline(n ast.Node) {
	switch n := n.(type) {
	case *ast.Text:
		c.text(n.Segment.Start, n.Segment.Stop)
		if n.SoftLineBreak() || n.HardLineBreak() {
			c.endLine()
		}
	case *ast.CodeSpan:
		start := len(c.buf)
		for k := n.FirstChild(); k != nil; k = k.NextSibling() {
			if t, ok := k.(*ast.Text); ok {
				c.verbatim(t.Segment.Start, t.Segment.Stop)
			}
		}
		c.cur.Code = append(c.cur.Code, Span{start, len(c.buf)})
	case *ast.AutoLink:
		start := len(c.buf)
		label := n.Label(c.d.src)
		c.mark(n.Pos())
		c.buf = append(c.buf, label...)
		c.link(start, n.URL(c.d.src))
	case *ast.Link:
		start := len(c.buf)
		c.children(n)
		c.link(start, n.Destination)
	case *ast.RawHTML:
		if isLineBreakTag(n, c.d.src) {
			c.mark(n.Segments.At(0).Start)
			c.buf = append(c.buf, ' ')
		}
	default:
		c.children(n)
	}
}

func isLineBreakTag(n *ast.RawHTML, src []byte) bool {
	if n.Segments.Len() != 1 {
		return false
	}
	s := n.Segments.At(0)
	tag := strings.ToLower(string(s.Value(src)))
	return strings.HasPrefix(tag, "<br") && strings.Trim(tag[3:], " />") == ""
}

func (c *collector) mark(source int) {
	c.marks = append(c.marks, mark{len(c.buf), source})
}

// verbatim adds source bytes of a code span: a line end is a space, nothing is resolved.
func (c *collector) verbatim(start, stop int) {
	c.mark(start)
	for i := start; i < stop; {
		b := c.d.src[i]
		if b < utf8.RuneSelf {
			if b == '\n' || b == '\t' || b == '\v' || b == '\f' {
				b = ' '
			}
			c.buf = append(c.buf, b)
			i++
			continue
		}
		i = c.wide(i, stop)
	}
}

// text adds source bytes of live text, resolving escapes and entities (M8).
func (c *collector) text(start, stop int) {
	c.mark(start)
	src := c.d.src
	for i := start; i < stop; {
		b := src[i]
		switch {
		case b == '\\' && i+1 < stop && util.IsPunct(src[i+1]):
			c.mark(i + 1)
			c.buf = append(c.buf, src[i+1])
			i += 2
		case b == '&':
			i = c.entity(i, stop)
		case b == '\t' || b == '\v' || b == '\f' || b == '\n':
			c.buf = append(c.buf, ' ')
			i++
		case b < utf8.RuneSelf:
			c.buf = append(c.buf, b)
			i++
		default:
			i = c.wide(i, stop)
		}
	}
}

// wide adds one character beyond ASCII; a Unicode space becomes a plain one (M5).
func (c *collector) wide(i, stop int) int {
	r, size := utf8.DecodeRune(c.d.src[i:stop])
	if !unicode.IsSpace(r) {
		c.buf = append(c.buf, c.d.src[i:i+size]...)
		return i + size
	}
	c.mark(i)
	c.buf = append(c.buf, ' ')
	c.mark(i + size)
	return i + size
}

// maxEntity is the longest entity name of HTML5 with its & and ;.
const maxEntity = 33

// maxEntityDigits is the longest number of a character reference that cmark-gfm reads.
const maxEntityDigits = 8

func (c *collector) entity(i, stop int) int {
	src := c.d.src
	for j := i + 1; j < stop && j < i+maxEntity; j++ {
		if c := src[j]; c != ';' {
			if letter(c) || digit(c) || c == '#' && j == i+1 {
				continue
			}
			break
		}
		value, ok := entityText(string(src[i : j+1]))
		if !ok {
			break
		}
		c.mark(i)
		for _, r := range value {
			if unicode.IsSpace(r) {
				r = ' '
			}
			c.buf = utf8.AppendRune(c.buf, r)
		}
		c.mark(j + 1)
		return j + 1
	}
	c.buf = append(c.buf, '&')
	return i + 1
}

// entityText is what a character reference stands for. Unlike in HTML, a name needs its semicolon
// and a number is the character's own.
func entityText(reference string) (string, bool) {
	digits, numeric := strings.CutPrefix(strings.TrimSuffix(reference, ";"), "&#")
	if !numeric {
		text := html.UnescapeString(reference)
		return text, text != reference && (reference == "&semi;" || !strings.HasSuffix(text, ";"))
	}
	base := 10
	if rest := strings.TrimLeft(digits, "xX"); len(rest) == len(digits)-1 {
		digits, base = rest, 16
	}
	if len(digits) > maxEntityDigits {
		return "", false
	}
	n, err := strconv.ParseUint(digits, base, 32)
	if err != nil {
		return "", false
	}
	if n == 0 || n > unicode.MaxRune {
		n = unicode.ReplacementChar
	}
	return string(rune(n)), true
}

func (c *collector) endLine() {
	if len(c.buf) == 0 && len(c.marks) == c.first {
		return
	}
	l := c.cur
	l.at = c.marks[c.first:len(c.marks):len(c.marks)]
	c.first = len(c.marks)
	l.d = c.d
	c.lines = append(c.lines, l.ended(string(c.buf)))
	c.cur, c.buf = Line{}, c.buf[:0]
}

// Join is the lines one after the other with a space between them, as running text reads.
func Join(lines []Line) Line {
	if len(lines) == 0 {
		return Line{}
	}
	if len(lines) == 1 {
		return lines[0]
	}
	var text strings.Builder
	out := Line{d: lines[0].d}
	for i, l := range lines {
		if i > 0 {
			text.WriteByte(' ')
		}
		base := text.Len()
		text.WriteString(l.Text)
		for _, s := range l.Code {
			out.Code = append(out.Code, Span{s.Start + base, s.End + base})
		}
		for _, s := range l.Links {
			out.Links = append(out.Links, Span{s.Start + base, s.End + base})
		}
		for _, s := range l.Web {
			out.Web = append(out.Web, Span{s.Start + base, s.End + base})
		}
		out.at = append(out.at, mark{base, l.offset(0)})
		for _, m := range l.at {
			if m.t > l.base && m.t < l.base+len(l.Text) {
				out.at = append(out.at, mark{m.t - l.base + base, m.s})
			}
		}
	}
	out.Text = text.String()
	return out
}

// CodeText is the text of a code span of the line, white space collapsed.
func (l Line) CodeText(s Span) string { return Squeeze(l.Text[s.Start:s.End]) }

// Squeeze trims a text and turns every run of white space into one space.
func Squeeze(s string) string {
	s = strings.TrimSpace(s)
	for i := 0; i < len(s); i++ {
		if c := s[i]; c >= utf8.RuneSelf || c < ' ' || c == ' ' && s[i+1] == ' ' {
			return strings.Join(strings.Fields(s), " ")
		}
	}
	return s
}

// InCode reports whether a byte of the line stands in a code span.
func (l Line) InCode(i int) bool {
	k := sort.Search(len(l.Code), func(k int) bool { return l.Code[k].End > i })
	return k < len(l.Code) && i >= l.Code[k].Start
}

// Extent is where the line starts and the place just after its last byte.
func (l Line) Extent() (start, end Position) {
	start = l.Position(0)
	if l.Text == "" {
		return start, start
	}
	if len(l.at) == 1 {
		return start, Position{Line: start.Line, Column: start.Column + utf8.RuneCountInString(l.Text)}
	}
	_, size := utf8.DecodeLastRuneInString(l.Text)
	end = l.Position(len(l.Text) - size)
	end.Column++
	return start, end
}
