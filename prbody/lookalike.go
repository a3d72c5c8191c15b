package prbody

import (
	"strings"

	"github.com/evidence-gate/evidence-gate/internal/checkline"
	"github.com/evidence-gate/evidence-gate/internal/markdown"
	"github.com/evidence-gate/evidence-gate/report"
)

// Lookalike is a line of the section that names a check but starts no entry (E1), with the reason.
type Lookalike struct {
	Where report.Where
	Why   string
}

// maxLookalikes bounds how many lines are kept.
const maxLookalikes = 200

// Lookalikes finds the lines of the section that name a check by its id and start no entry; of each
// id the first. It is for messages only: nothing that it finds proves anything.
func (e Evidence) Lookalikes() map[string]Lookalike {
	found := map[string]Lookalike{}
	for _, b := range e.blocks {
		lookalikes(b, "", found)
	}
	return found
}

// lookalikes walks the blocks; inside is why an entry cannot stand there, "" in the section's own
// lists.
func lookalikes(b markdown.Block, inside string, found map[string]Lookalike) {
	switch b.Kind() {
	case markdown.Paragraph, markdown.Heading:
		why := inside
		if why == "" {
			why = "is no list item"
		}
		for _, l := range b.Lines() {
			look(l, why, found)
		}
	case markdown.List:
		for _, item := range b.Children() {
			for i, c := range item.Children() {
				why := inside
				switch {
				case why != "":
				case i == 0:
					why = "does not start with `Required check:`"
				default:
					why = "stands inside another list item"
				}
				if i == 0 || c.Kind() != markdown.Paragraph {
					lookalikes(c, why, found)
				}
			}
		}
	case markdown.Quote:
		for _, c := range b.Children() {
			lookalikes(c, "stands in a quote", found)
		}
	}
}

func look(l markdown.Line, why string, found map[string]Lookalike) {
	if f, ok := matchLabel(l); ok && f.field == fieldCheck && strings.HasPrefix(why, "does not start") {
		return // an entry
	}
	text := l.Text
	for len(found) < maxLookalikes {
		_, rest, open := strings.Cut(text, "[")
		if !open {
			return
		}
		id, after, closed := strings.Cut(rest, "]")
		if !closed {
			return
		}
		if id = checkline.ID(strings.TrimSpace(id)); id != "" {
			if _, known := found[id]; !known {
				found[id] = Lookalike{Where: lineWhere(l), Why: why}
			}
		}
		text = after
	}
}
