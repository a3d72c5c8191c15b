package criteria

import (
	"strings"

	"github.com/evidence-gate/evidence-gate/internal/markdown"
)

// RuleIDs reads the ids of the business rules that a Markdown file holds (design sections 9 and 10):
// each list item and each heading of its live text is the rule whose id it carries first, `[BR-<n>]`.
// The ids are upper-case, in the order of the file, each once. The error is the refusal of M1.
func RuleIDs(text string) ([]string, error) {
	if !strings.Contains(strings.ToUpper(text), ruleMark) {
		return nil, nil
	}
	d, err := markdown.Parse(text)
	if err != nil {
		return nil, err
	}
	d.Prepare(d.Blocks())
	r := ruleReader{seen: map[string]bool{}}
	r.blocks(d.Blocks())
	return r.ids, nil
}

// ruleMark begins the id of a business rule.
const ruleMark = "BR-"

type ruleReader struct {
	ids  []string
	seen map[string]bool
}

func (r *ruleReader) blocks(blocks []markdown.Block) {
	for _, b := range blocks {
		switch b.Kind() {
		case markdown.Heading:
			r.read(b)
		case markdown.List:
			r.blocks(b.Children())
		case markdown.Item:
			r.item(b.Children())
		}
	}
}

// item reads the first paragraph of an item, and the lists and headings inside it.
func (r *ruleReader) item(children []markdown.Block) {
	for len(children) > 0 && children[0].Kind() == markdown.HTML {
		children = children[1:]
	}
	if len(children) > 0 && children[0].Kind() == markdown.Paragraph {
		r.read(children[0])
	}
	r.blocks(children)
}

func (r *ruleReader) read(b markdown.Block) {
	if id := firstRule(markdown.Join(b.Lines())); id != "" && !r.seen[id] {
		r.seen[id], r.ids = true, append(r.ids, id)
	}
}

// firstRule is the first id that a text carries in brackets, also where a reference definition turned it
// into a link; "" when it carries none.
func firstRule(l markdown.Line) string {
	first, at := "", len(l.Text)
	for i := 0; i < len(l.Text); i++ {
		if l.Text[i] != '[' || l.InCode(i) {
			continue
		}
		end := strings.IndexByte(l.Text[i:min(len(l.Text), i+maxIDText)], ']')
		if end < 0 {
			continue
		}
		if first = ruleID(l.Text[i+1 : i+end]); first != "" {
			at = i
			break
		}
	}
	for _, link := range l.Links {
		if link.Start >= at {
			break
		}
		if id := ruleID(strings.Trim(l.Text[link.Start:link.End], "[]")); id != "" && !l.InCode(link.Start) {
			return id
		}
	}
	return first
}

// ruleID reads an id `BR-<n>`, upper-cased; "" when s is none.
func ruleID(s string) string {
	if len(s) > maxIDText {
		return ""
	}
	s = strings.ToUpper(strings.TrimSpace(markdown.StripInvisible(s)))
	digits, ok := strings.CutPrefix(s, ruleMark)
	if !ok || digits == "" || len(digits) > maxIDDigits || strings.Trim(digits, "0123456789") != "" {
		return ""
	}
	return s
}
