package criteria

import (
	"strings"

	"github.com/evidence-gate/evidence-gate/internal/checkline"
	"github.com/evidence-gate/evidence-gate/internal/markdown"
	"github.com/evidence-gate/evidence-gate/prbody"
)

// Names of annotations.
const (
	kindName = "kind"
	fromName = "from"
)

// maxIDDigits keeps ids short enough to show, as those of checks.
const maxIDDigits = 18

// ID reads an id `AC-<n>` with nothing around it, upper-cased; "" when s is none.
func ID(s string) string {
	s = strings.ToUpper(s)
	digits, ok := strings.CutPrefix(s, "AC-")
	if !ok || digits == "" || len(digits) > maxIDDigits || strings.Trim(digits, "0123456789") != "" {
		return ""
	}
	return s
}

// maxIDText bounds how far an id's closing bracket is looked for.
const maxIDText = 64

// leadingID reads `[AC-<n>]` at the start of a line, also where a reference definition turned it into a
// link. end is where the rest starts.
func leadingID(l markdown.Line) (id string, end int) {
	if strings.HasPrefix(l.Text, "[") && !l.InCode(0) {
		if i := strings.IndexByte(l.Text[:min(len(l.Text), maxIDText)], ']'); i > 0 {
			if id := ID(strings.TrimSpace(markdown.StripInvisible(l.Text[1:i]))); id != "" {
				return id, i + 1
			}
		}
	}
	if len(l.Links) > 0 && l.Links[0].Start == 0 {
		if id := ID(strings.Trim(l.Text[:l.Links[0].End], "[] ")); id != "" {
			return id, l.Links[0].End
		}
	}
	return "", 0
}

// nearID reads what stands in brackets at the start of a line, begins with AC and is no id.
func nearID(l markdown.Line) (written string, end int) {
	if !strings.HasPrefix(l.Text, "[") || l.InCode(0) {
		return "", 0
	}
	i := strings.IndexByte(l.Text[:min(len(l.Text), maxIDText)], ']')
	if i < 0 {
		return "", 0
	}
	rest, ok := strings.CutPrefix(strings.ToUpper(strings.TrimSpace(markdown.StripInvisible(l.Text[1:i]))), "AC")
	if !ok || rest != "" && rest[0] >= 'A' && rest[0] <= 'Z' {
		return "", 0
	}
	return shown(l.Text[:i+1]), i + 1
}

// mentions calls found with every id that a text carries as `[AC-<n>]`.
func mentions(text string, found func(id string)) {
	for {
		i := strings.IndexByte(text, '[')
		if i < 0 {
			return
		}
		text = text[i+1:]
		if j := strings.IndexByte(text[:min(len(text), maxIDText)], ']'); j > 0 {
			if id := ID(strings.TrimSpace(markdown.StripInvisible(text[:j]))); id != "" {
				found(id)
			}
		}
	}
}

// parsed is the text of one criterion taken apart.
type parsed struct {
	id     string
	nearID string   // what stands in the place of an id and is none, such as [AC1]
	kinds  []string // values of `kind`, as written
	from   []string // values of `from`, as written
	empty  string   // name of an annotation without a value
	near   string   // name that is nearly one of an annotation
	open   string   // annotation whose bracket is never closed
	pieces []markdown.Line
	text   string
}

// parse takes the text of a criterion apart: `[AC-n] (kind: …) text (from: …)`, in which annotations
// may stand anywhere outside code spans, several in one group separated by `;`.
func parse(l markdown.Line) parsed {
	l = l.Trim()
	p := parsed{}
	from := 0
	if p.id, from = leadingID(l); p.id == "" {
		p.nearID, from = nearID(l)
	}
	for i := from; i < len(l.Text); i++ {
		if c := l.Text[i]; c != '(' && c != '[' || l.InCode(i) || !p.group(l, i) {
			continue
		}
		end := closing(l, i)
		if end < 0 {
			p.open = shown(l.Text[i:min(len(l.Text), i+maxShown)])
			break
		}
		p.parts(l, i+1, end)
		p.keep(l.Slice(from, i))
		from, i = end+1, end
	}
	p.keep(l.TrimFrom(from))
	texts := make([]string, 0, len(p.pieces))
	for _, piece := range p.pieces {
		texts = append(texts, piece.Text)
	}
	p.text = markdown.Squeeze(strings.Join(texts, " "))
	return p
}

func (p *parsed) keep(l markdown.Line) {
	if l = l.Trim(); l.Text != "" {
		p.pieces = append(p.pieces, l)
	}
}

// group reports whether the bracket at i opens annotations, or nearly.
func (p *parsed) group(l markdown.Line, i int) bool {
	name, _, ok := cutName(l, i+1, len(l.Text))
	return ok && (known(name) || nearly(name) != "")
}

// closing is where the bracket at i is closed, -1 when it never is.
func closing(l markdown.Line, i int) int {
	opened, closed := l.Text[i], byte(')')
	if opened == '[' {
		closed = ']'
	}
	depth := 0
	for ; i < len(l.Text); i++ {
		switch c := l.Text[i]; {
		case c != opened && c != closed || l.InCode(i):
		case c == opened:
			depth++
		default:
			if depth--; depth == 0 {
				return i
			}
		}
	}
	return -1
}

// parts reads `name: value; name: value`. A part without a name goes on with the value before it.
func (p *parsed) parts(l markdown.Line, start, end int) {
	var last *string
	from := 0 // where the value of last starts
	for start < end {
		stop := start
		for stop < end && (l.Text[stop] != ';' || l.InCode(stop)) {
			stop++
		}
		name, at, ok := cutName(l, start, stop)
		switch {
		case ok && known(name):
			values := &p.kinds
			if name == fromName {
				values = &p.from
			}
			*values = append(*values, "")
			last, from = &(*values)[len(*values)-1], at
			if strings.TrimSpace(l.Text[at:stop]) == "" {
				p.empty = name
			}
		case ok && nearly(name) != "":
			p.near, last = name, nil
		}
		if last != nil {
			*last = strings.TrimSpace(l.Text[from:stop])
		}
		start = stop + 1
	}
}

// maxNameText bounds a name with the white space around it.
const maxNameText = 64

// cutName reads the name before the first colon between two places, in lower case; at is where its
// value starts.
func cutName(l markdown.Line, start, end int) (name string, at int, ok bool) {
	text := l.Text[start:min(end, start+maxNameText)]
	colon, width := colon(text)
	if width == 0 || l.InCode(start+colon) {
		return "", start, false
	}
	return strings.ToLower(markdown.Squeeze(markdown.StripInvisible(text[:colon]))), start + colon + width, true
}

// colon is the place and width of the first colon, plain or full-width (M5); width 0 when there is none.
func colon(s string) (at, width int) {
	at, width = strings.IndexByte(s, ':'), 1
	if wide := strings.Index(s, "："); wide >= 0 && (at < 0 || wide < at) {
		return wide, len("：")
	}
	if at < 0 {
		return 0, 0
	}
	return at, width
}

func known(name string) bool { return name == kindName || name == fromName }

// nearly is the annotation whose name is written with a letter doubled or added at its end (C2).
func nearly(name string) string {
	for _, known := range [...]string{kindName, fromName} {
		if len(name) != len(known)+1 {
			continue
		}
		if last := name[len(name)-1]; strings.HasPrefix(name, known) && last >= 'a' && last <= 'z' {
			return known
		}
		for i := range known {
			if name == known[:i+1]+known[i:] {
				return known
			}
		}
	}
	return ""
}

// kind is the kind that was written, "" when there is none or not exactly one of Kinds.
func (p parsed) kind() string {
	found := ""
	for _, written := range p.kinds {
		kind := kindOf(written)
		if kind == "" || found != "" && kind != found {
			return ""
		}
		found = kind
	}
	return found
}

// kindOf folds the spelling of a kind, as values of checks are folded (C2).
func kindOf(written string) string {
	if len(written) > maxNameText {
		return ""
	}
	folded := checkline.Fold(written)
	for _, k := range Kinds {
		if folded == checkline.Fold(k) {
			return k
		}
	}
	return ""
}

// sources are the places that `from` names.
func (p parsed) sources() []string {
	var out []string
	for _, written := range p.from {
		out = append(out, checkline.SplitList(written)...)
	}
	return out
}

// formal reports whether a text is meant as a criterion: it starts with an id, or with nearly one, or
// carries a kind.
func (p parsed) formal() bool { return p.id != "" || p.nearID != "" || p.kind() != "" }

// blank reports whether a text asks for nothing.
func (p parsed) blank() bool { return prbody.Placeholder(p.text) }
