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
	for i := range d.lines {
		if found := d.headingLine(i+1, name); found.What != FoundNothing {
			return found
		}
	}
	return d.nearMiss(name)
}

// headingLine looks at one source line that would be the heading if it were live.
func (d *Document) headingLine(line int, name string) Instead {
	rest := d.LineText(line)
	rest = rest[readPrefix(rest).end:]
	hashes := len(rest) - len(strings.TrimLeft(rest, "#"))
	if hashes == 0 || hashes > 6 || !strings.EqualFold(Title(strings.Trim(rest, "# \t")), name) {
		return Instead{}
	}
	found := Instead{Line: line, Title: strings.TrimSpace(rest)}
	found.What, found.Open = d.around(d.lines[line-1]+len(d.LineText(line))-1, hashes < len(rest) && rest[hashes] != ' ' && rest[hashes] != '\t')
	return found
}

// around tells which block keeps the text at an offset from being live, and where it opens.
func (d *Document) around(offset int, noSpace bool) (Found, int) {
	what, open := FoundNothing, 0
	_ = ast.Walk(d.root, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering || n.Type() == ast.TypeInline {
			return ast.WalkSkipChildren, nil
		}
		b := Block{d: d, n: n}
		start, end := b.extent()
		if n != d.root && (offset < start || offset > end) && !closes(n, offset) {
			return ast.WalkSkipChildren, nil
		}
		opened := d.Position(b.offset()).Line
		switch n := n.(type) {
		case *ast.FencedCodeBlock:
			what, open = FoundInFence, max(1, d.Position(start).Line-1)
		case *ast.CodeBlock:
			what, open = FoundIndented, opened
		case *ast.Blockquote:
			what, open = FoundInQuote, opened
		case *ast.ListItem:
			what, open = FoundInList, opened
		case *ast.HTMLBlock:
			if what, open = FoundInHTML, opened; n.HTMLBlockType == ast.HTMLBlockType2 {
				what = FoundInComment
			}
		case *ast.Paragraph, *ast.TextBlock:
			if noSpace {
				what, open = FoundNoSpace, opened
			}
		}
		return ast.WalkContinue, nil
	})
	return what, open
}

func closes(n ast.Node, offset int) bool {
	h, ok := n.(*ast.HTMLBlock)
	return ok && h.HasClosure() && offset >= h.ClosureLine.Start && offset <= h.ClosureLine.Stop
}

// nearMiss looks for a heading with nearly the title, or bold text used as a heading.
func (d *Document) nearMiss(name string) Instead {
	near := Instead{}
	for _, b := range d.Blocks() {
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
