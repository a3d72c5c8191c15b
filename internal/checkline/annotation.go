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
	maxNameText  = 256 // a name with the white space around and in it
)

// readGroups reads the annotation groups outside code spans and keeps the pieces between them.
func (c *Check) readGroups(from int) {
	text := c.Line.Text
	c.pieces = make([]markdown.Span, 0, 2)
	if !strings.ContainsAny(text[from:], "([") {
		c.pieces = append(c.pieces, markdown.Span{Start: from, End: len(text)})
		return
	}
	for _, pair := range c.pairs(from) {
		if pair.open < from || pair.close < 0 || !c.readGroup(pair.open+1, pair.close) {
			continue // inside a group that was read, or ordinary brackets
		}
		c.pieces = append(c.pieces, markdown.Span{Start: from, End: pair.open})
		from = pair.close + 1
	}
	c.pieces = append(c.pieces, markdown.Span{Start: from, End: len(text)})
}

// pair is an opening bracket and the one that closes it, -1 when none does.
type pair struct{ open, close int }

// usualPairs is how many brackets a check rarely exceeds.
const usualPairs = 4

// pairs finds for each opening bracket outside code spans the one that closes it, in order.
func (c *Check) pairs(from int) []pair {
	found := make([]pair, 0, usualPairs)
	var roundStack, squareStack [usualPairs]int
	round, square := roundStack[:0], squareStack[:0] // open ones, as places in found
	for i := from; i < len(c.Line.Text); i++ {
		stack := &round
		char := c.Line.Text[i]
		switch char {
		case '(', ')':
		case '[', ']':
			stack = &square
		default:
			continue
		}
		if c.Line.InCode(i) {
			continue
		}
		if char == '(' || char == '[' {
			*stack = append(*stack, len(found))
			found = append(found, pair{open: i, close: -1})
		} else if last := len(*stack) - 1; last >= 0 {
			found[(*stack)[last]].close = i
			*stack = (*stack)[:last]
		}
	}
	return found
}

// readGroup reads `name: value; name: value` between two brackets; it reports false when its first
// part does not have the name of an annotation, or nearly one.
func (c *Check) readGroup(start, end int) bool {
	if !c.named(start, end) {
		return false
	}
	text := c.Line.Text
	for start < end {
		stop := start
		for stop < end && (text[stop] != ';' || c.Line.InCode(stop)) {
			stop++
		}
		c.readPart(start, stop)
		start = stop + 1
	}
	return true
}

// name reads the name before the first colon of a part, with white space collapsed in lower case.
func (c *Check) name(start, end int) (written, name, value string, ok bool) {
	text := c.Line.Text[start:end]
	written, _, ok = cutColon(text[:min(len(text), maxNameText)])
	if !ok || c.Line.InCode(start+len(written)) {
		return "", "", "", false
	}
	_, value, _ = cutColon(text)
	return written, strings.ToLower(Squeeze(markdown.StripInvisible(written))), value, true
}

// named reports whether a part has the name of an annotation, or nearly one.
func (c *Check) named(start, end int) bool {
	_, name, _, ok := c.name(start, end)
	return ok && (names[name] != "" || nearMiss(name) != "")
}

// readPart reads one part of a group. A part without a known name goes on with the list or value
// of the part before it.
func (c *Check) readPart(start, end int) {
	written, name, value, ok := c.name(start, end)
	at := start + spaces(written)
	if canonical := names[name]; ok && canonical != "" {
		c.Annotations = append(c.Annotations, Annotation{Name: canonical, Value: strings.TrimSpace(value), Start: at, End: end, from: end - len(value)})
		return
	}
	if known := nearMiss(name); ok && known != "" {
		c.NearMisses = append(c.NearMisses, NearMiss{Written: strings.TrimSpace(written), Known: known, Start: at, End: end})
		return
	}
	if len(c.Annotations) > 0 {
		last := &c.Annotations[len(c.Annotations)-1]
		last.Value, last.End = strings.TrimSpace(c.Line.Text[last.from:end]), end
	}
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
		if more := len(name) - len(known); name[0] != known[0] || more > maxNearEdits || -more > maxNearEdits {
			continue // as many edits at least as the lengths differ by
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
