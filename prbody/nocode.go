package prbody

import (
	"strings"

	"github.com/evidence-gate/evidence-gate/internal/markdown"
)

// noCodeLabel starts the line that says why a pull request changes no file (section 10).
const noCodeLabel = "no code reason"

// noCode reads such a line of the section; the first one with a reason counts.
func (r *reader) noCode(l markdown.Line) {
	colon, width := findColon(l.Text[:min(len(l.Text), maxLabel)])
	if width == 0 || r.ev.NoCode != nil || !strings.EqualFold(strings.TrimSpace(l.Text[:colon]), noCodeLabel) {
		return
	}
	r.checkMeaning(l.Slice(0, colon))
	rest := l.TrimFrom(colon + width)
	if !Placeholder(rest.Text) {
		r.ev.NoCode = r.keep(Value{Text: rest.Text, Where: lineWhere(rest)})
	}
}
