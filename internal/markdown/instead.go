package markdown

import (
	"strings"

	"github.com/yuin/goldmark/ast"
)

// Instead tells what a document has in place of a missing section (M3).
type Instead struct {
	What  Found
	Line  int    // 1-based line of what was found
	Open  int    // line that opened the fence or comment around it
	Title string // what stands there
}

// Found is the kind of thing that stands in place of a section.
type Found int

// What may stand in place of a section, in the order in which it is looked for.
const (
	FoundNothing Found = iota
	FoundEmpty
	FoundEscapedNewlines
	FoundInFence
	FoundIndented
	FoundInQuote
	FoundInComment
	FoundInHTML
	FoundInList
	FoundNoSpace  // "##Evidence"
	FoundBold     // "**Evidence**"
	FoundNearMiss // a heading with nearly that title
)

// Instead looks for what stands in place of the section called name.
func (d *Document) Instead(name string) Instead {
	if d.Blank() {
		return Instead{What: FoundEmpty}
	}
	if n := strings.Count(d.text, `\n`); n > 1 && n >= len(d.lines) {
		return Instead{What: FoundEscapedNewlines, Line: d.Position(strings.Index(d.text, `\n`)).Line}
	}
	var covers []cover
	for i := range d.lines {
		title, noSpace, ok := d.headingLine(i+1, name)
		if !ok {
			continue
		}
		if covers == nil {
			covers = d.covers()
		}
		found := Instead{What: covers[i].what, Line: i + 1, Open: covers[i].open, Title: title}
		if noSpace && covers[i].text {
			found.What = FoundNoSpace
		}
		if found.What != FoundNothing {
			return found
		}
	}
	return d.nearMiss(name)
}

// headingLine looks at one source line that would be the heading if it were live.
func (d *Document) headingLine(line int, name string) (title string, noSpace, ok bool) {
	rest := d.LineText(line)
	rest = rest[readPrefix(rest).end:]
	hashes := len(rest) - len(strings.TrimLeft(rest, "#"))
	if hashes == 0 || hashes > 6 || !strings.EqualFold(Title(strings.Trim(rest, "# \t")), name) {
		return "", false, false
	}
	return strings.TrimSpace(rest), hashes < len(rest) && rest[hashes] != ' ' && rest[hashes] != '\t', true
}

// cover tells which block keeps a line from being live, and where that opens.
type cover struct {
	what Found
	open int
	text bool // the line belongs to a paragraph
}

// covers are the covers of all lines.
func (d *Document) covers() []cover {
	out := make([]cover, len(d.lines))
	var walk func(n ast.Node, around cover)
	walk = func(n ast.Node, around cover) {
		if n.Type() == ast.TypeInline {
			return
		}
		b := Block{d: d, n: n}
		opened := d.Position(b.offset()).Line
		switch n := n.(type) {
		case *ast.FencedCodeBlock:
			around = cover{what: FoundInFence, open: opened}
		case *ast.CodeBlock:
			around = cover{what: FoundIndented, open: opened}
		case *ast.Blockquote:
			around = cover{what: FoundInQuote, open: opened}
		case *ast.ListItem:
			around = cover{what: FoundInList, open: opened}
		case *ast.HTMLBlock:
			if around = (cover{what: FoundInHTML, open: opened}); n.HTMLBlockType == ast.HTMLBlockType2 {
				around.what = FoundInComment
			}
			if n.HasClosure() {
				out[d.Position(n.ClosureLine.Start).Line-1] = around
			}
		case *ast.Paragraph, *ast.TextBlock:
			around.text = true
		}
		if lines := n.Lines(); n.Type() == ast.TypeBlock && lines != nil {
			for i := range lines.Len() {
				out[d.Position(lines.At(i).Start).Line-1] = around
			}
		}
		for c := n.FirstChild(); c != nil; c = c.NextSibling() {
			walk(c, around)
		}
	}
	walk(d.root, cover{})
	return out
}

// nearMiss looks for a heading with nearly the title, or bold text used as a heading.
func (d *Document) nearMiss(name string) Instead {
	near := Instead{}
	for _, b := range d.Blocks() {
		start := d.LineText(b.Position().Line)
		if b.Kind() != Heading && (b.Kind() != Paragraph || !strings.HasPrefix(start, "*") && !strings.HasPrefix(start, "_")) {
			continue
		}
		lines := b.Lines()
		if len(lines) == 0 {
			continue
		}
		title := Title(lines[0].Text)
		at := lines[0].Position(0).Line
		switch b.Kind() {
		case Paragraph:
			if strings.EqualFold(title, name) && strings.ContainsAny(d.LineText(at)[:1], "*_") {
				return Instead{What: FoundBold, Line: at, Title: strings.TrimSpace(d.LineText(at))}
			}
		case Heading:
			if near.What == FoundNothing && (Distance(strings.ToLower(title), strings.ToLower(name)) <= 2 || containsWord(title, name)) {
				near = Instead{What: FoundNearMiss, Line: at, Title: strings.TrimSpace(d.LineText(at))}
			}
		}
	}
	return near
}

func containsWord(title, name string) bool {
	return strings.Contains(" "+strings.ToLower(title)+" ", " "+strings.ToLower(name)+" ")
}
