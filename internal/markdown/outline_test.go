package markdown

import (
	"fmt"
	"strings"
)

// outline is a document as a reader of this package sees it, one line per block: its depth, kind,
// level, first source line, task box and text. Definitions are left out, because cmark-gfm's tree
// does not hold them, and so are the
// insides of tables and quotes, which are never live.
type outline []outlined

type outlined struct {
	depth int
	kind  Kind
	level int
	line  int // 0 where cmark-gfm is known to give no usable line
	task  string
	text  string // white space collapsed
}

func (o outlined) String() string {
	return fmt.Sprintf("%s%s level %d line %d task %q %q", strings.Repeat("  ", o.depth), kindNames[o.kind], o.level, o.line, o.task, o.text)
}

var kindNames = map[Kind]string{
	Other: "other", Paragraph: "paragraph", Heading: "heading", List: "list", Item: "item", Quote: "quote", Code: "code", HTML: "html",
	Table: "table", Rule: "rule", Definition: "definition",
}

func (o outline) String() string {
	var s strings.Builder
	for _, b := range o {
		s.WriteString(b.String() + "\n")
	}
	return s.String()
}

// outlineOf is the outline of a document of this package.
func outlineOf(d *Document) outline {
	var out outline
	var walk func(b Block, depth int)
	walk = func(b Block, depth int) {
		row := outlined{depth: depth, kind: b.Kind(), level: b.Level()}
		switch row.kind {
		case Definition:
			return
		case Paragraph, Heading:
			var texts []string
			for _, l := range b.Lines() {
				texts = append(texts, l.Text)
			}
			row.text = collapse(strings.Join(texts, " "))
		case Code, HTML:
			row.text = collapse(b.Raw())
		case Item:
			row.task = b.Task()
		}
		switch row.kind {
		case Heading, Item, Quote, HTML, Rule:
			if depth == 0 || row.text != "" {
				row.line = b.Position().Line
			}
		}
		out = append(out, row)
		if row.kind == Quote {
			return
		}
		for _, c := range b.Children() {
			walk(c, depth+1)
		}
	}
	for _, b := range d.Blocks() {
		walk(b, 0)
	}
	return out
}

// collapse makes texts comparable: every run of white space is one space, what is no character is
// U+FFFD.
func collapse(s string) string {
	s = strings.Map(func(r rune) rune {
		if r < ' ' && r != '\n' && r != '\t' && r != '\v' && r != '\f' {
			return '\uFFFD'
		}
		return r
	}, s)
	return strings.Join(strings.Fields(s), " ")
}
