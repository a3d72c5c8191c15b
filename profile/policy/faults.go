package policy

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/evidence-gate/evidence-gate/internal/markdown"
	"github.com/evidence-gate/evidence-gate/report"
)

// maxFaults bounds how many faults of one file are reported; maxShown how much of a value is quoted.
const (
	maxFaults = 50
	maxShown  = 60
)

// spot is a place in the file: 1-based, the columns in characters. A zero end is one character.
type spot struct{ line, column, end int }

// reader reads one file and gathers its faults.
type reader struct {
	source Source
	lines  []string
	faults []report.Diagnostic
	more   int // faults beyond those reported
}

// fault adds one fault. The help is the exact line to write, or what to do.
func (r *reader) fault(at spot, help, format string, args ...any) {
	if len(r.faults) >= maxFaults {
		r.more++
		return
	}
	d := report.New(report.CodePolicyInvalid, fmt.Sprintf(format, args...))
	if help != "" {
		d.Help = help
	}
	d.Where = r.where(at)
	r.faults = append(r.faults, d)
}

// where makes sure that the place is one of the text.
func (r *reader) where(at spot) *report.Where {
	line := max(1, min(at.line, len(r.lines)))
	width := utf8.RuneCountInString(r.lines[line-1])
	column := max(1, min(at.column, width+1))
	w := &report.Where{Document: r.source.document(), Line: line, Column: column}
	if end := min(at.end, width+1); end > column+1 {
		w.EndLine, w.EndColumn = line, end
	}
	return w
}

// all are the faults found, in the order of the file, with one more that counts those left out.
func (r *reader) all() []report.Diagnostic {
	slices.SortStableFunc(r.faults, func(a, b report.Diagnostic) int {
		return cmp.Or(a.Where.Line-b.Where.Line, a.Where.Column-b.Where.Column)
	})
	if r.more > 0 {
		d := report.New(report.CodePolicyInvalid, "the policy has more faults than these")
		d.Where = &report.Where{Document: r.source.document()}
		return append(r.faults, d)
	}
	return r.faults
}

// nearest finds the known word that is spelled most like the given one. It reports false when none is
// near: of a short word one letter may differ, of a longer one two or a third of them.
func nearest(given string, known []string) (string, bool) {
	found, least := "", -1
	for _, k := range known {
		if d := markdown.Distance(plain(given), plain(k)); least < 0 || d < least {
			found, least = k, d
		}
	}
	short := min(len(given), len(found))
	near := max(2, short/3)
	if short < 4 {
		near = 1
	}
	return found, least >= 0 && least <= near
}

// plain leaves out what people write differently in one word: case, dashes and spaces.
func plain(s string) string { return unspelled.Replace(strings.ToLower(s)) }

var unspelled = strings.NewReplacer("-", "_", " ", "_")

// shown quotes a value of the file for a message.
func shown(s string) string {
	s = strings.Join(strings.Fields(s), " ")
	if utf8.RuneCountInString(s) > maxShown {
		s = string([]rune(s)[:maxShown-1]) + "…"
	}
	return "`" + s + "`"
}

// oneOf lists words for a message.
func oneOf(words []string) string {
	if len(words) == 1 {
		return words[0]
	}
	return strings.Join(words[:len(words)-1], ", ") + " or " + words[len(words)-1]
}
