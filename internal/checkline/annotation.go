package checkline

import (
	"strings"

	"github.com/evidence-gate/evidence-gate/internal/markdown"
)

// names maps every spelling of an annotation's name to its canonical one (C2).
var names = map[string]string{
	"kind": "kind", "proof kind": "kind",
	"source": "source", "sources": "source", "satisfaction source": "source", "satisfaction sources": "source",
	"observation": "observation", "observations": "observation",
	"status": "status", "app": "app", "topology": "topology", "method": "method", "url": "url",
	"expected": "expected", "pattern": "pattern",
}

// nearFrom is the length from which two edits make a near miss; maxNearEdits are the edits (C2).
const (
	nearFrom     = 6
	maxNearEdits = 2
	maxName      = 40
)

// readGroups reads the annotation groups outside code spans and keeps the pieces between them.
func (c *Check) readGroups(from int) {
	text := c.Line.Text
	c.pieces = make([]markdown.Span, 0, 2)
	for i := from; i < len(text); {
		closer := closerOf(text[i])
		if closer == 0 || c.Line.InCode(i) {
			i++
			continue
		}
		end := c.closing(i, text[i], closer)
		if end < 0 || !c.readGroup(i+1, end) {
			i++ // ordinary brackets, but a group may stand inside
			continue
		}
		c.pieces = append(c.pieces, markdown.Span{Start: from, End: i})
		i = end + 1
		from = i
	}
	c.pieces = append(c.pieces, markdown.Span{Start: from, End: len(text)})
}

func closerOf(c byte) byte {
	switch c {
	case '(':
		return ')'
	case '[':
		return ']'
	}
	return 0
}

// maxGroup bounds the length of a group, which keeps reading linear.
const maxGroup = 1024

// closing finds the bracket that closes the one at open, skipping code spans.
func (c *Check) closing(open int, opener, closer byte) int {
	depth := 0
	text := c.Line.Text
	for i := open; i < len(text) && i < open+maxGroup; i++ {
		if text[i] != opener && text[i] != closer || c.Line.InCode(i) {
			continue
		}
		if text[i] == opener {
			depth++
			continue
		}
		if depth--; depth == 0 {
			return i
		}
	}
	return -1
}

// readGroup reads `name: value; name: value` between two brackets; it reports false when no part
// has the name of an annotation, or nearly one.
func (c *Check) readGroup(start, end int) bool {
	text := c.Line.Text
	found := false
	for start < end {
		stop := end
		for i := start; i < end; i++ {
			if text[i] == ';' && !c.Line.InCode(i) {
				stop = i
				break
			}
		}
		if c.readPart(start, stop, found) {
			found = true
		} else if !found {
			return false
		}
		start = stop + 1
	}
	return found
}

// readPart reads one part of a group. A part without a known name goes on with the list or value
// of the part before it.
func (c *Check) readPart(start, end int, after bool) bool {
	written, value, ok := cutColon(c.Line.Text[start:end])
	name := strings.ToLower(strings.Join(strings.Fields(markdown.StripInvisible(written)), " "))
	if ok && !c.Line.InCode(start+len(written)) {
		if canonical, known := names[name]; known {
			c.Annotations = append(c.Annotations, Annotation{Name: canonical, Value: strings.TrimSpace(value), Start: start + spaces(written), End: end})
			return true
		}
		if known := nearMiss(name); known != "" {
			c.NearMisses = append(c.NearMisses, NearMiss{Written: strings.TrimSpace(written), Known: known, Start: start + spaces(written), End: end})
			return true
		}
	}
	if after && len(c.Annotations) > 0 {
		last := &c.Annotations[len(c.Annotations)-1]
		last.Value += ";" + c.Line.Text[start:end]
		last.End = end
	}
	return false
}

// nearMiss returns the known name that a written one nearly is: within two edits of a name of six
// letters or more with the same first letter, or a shorter name with a letter doubled or added at
// its end (C2).
func nearMiss(name string) string {
	if name == "" || len(name) > maxName {
		return ""
	}
	best, edits := "", maxNearEdits+1
	for known := range names {
		if len(known) < nearFrom {
			if lengthened(name, known) {
				return known
			}
			continue
		}
		if name[0] != known[0] {
			continue
		}
		if n := markdown.Distance(name, known); n < edits || n == edits && known < best {
			best, edits = known, n
		}
	}
	if edits > maxNearEdits {
		return ""
	}
	return best
}

// lengthened reports whether name is known with one letter doubled or one added at its end.
func lengthened(name, known string) bool {
	if len(name) != len(known)+1 {
		return false
	}
	if strings.HasPrefix(name, known) {
		last := name[len(name)-1]
		return last >= 'a' && last <= 'z'
	}
	for i := range known {
		if name == known[:i+1]+known[i:] {
			return true
		}
	}
	return false
}
