package prbody

import (
	"strings"
	"unicode"

	"github.com/evidence-gate/evidence-gate/internal/markdown"
	"github.com/evidence-gate/evidence-gate/report"
)

// marker reads a head marker at the start of a line (E6).
func (r *reader) marker(l markdown.Line) {
	f, ok := matchLabel(l)
	if !ok || f.field != fieldHead {
		return
	}
	r.checkMeaning(f.name)
	w := lineWhere(f.name)
	if f.rest.Text != "" {
		w = lineWhere(f.rest)
	}
	r.addMarker(f.rest, w)
}

func (r *reader) addMarker(rest markdown.Line, w report.Where) {
	value, end := firstWord(rest)
	if end > 0 {
		word := rest.Slice(0, end)
		r.checkMeaning(word)
		w = lineWhere(word)
	}
	r.ev.Markers = append(r.ev.Markers, Marker{Value{Text: value, Where: w}})
}

// firstWord is the value of a SHA field: the code span or link at its start, else its first word,
// without punctuation after it (E6). end is where it ends in the line.
func firstWord(l markdown.Line) (word string, end int) {
	for _, spans := range [][]markdown.Span{l.Code, l.Links} {
		if len(spans) > 0 && spans[0].Start == 0 {
			return trimPunctuation(strings.TrimSpace(l.Text[:spans[0].End])), spans[0].End
		}
	}
	end = len(l.Text)
	if i := strings.IndexAny(l.Text, " \t"); i >= 0 {
		end = i
	}
	return trimPunctuation(l.Text[:end]), end
}

func trimPunctuation(s string) string {
	return strings.TrimRightFunc(s, func(r rune) bool { return unicode.IsPunct(r) && r != '>' })
}

// SHA is the value of a field that names a commit.
func (v Value) SHA() string {
	if v.Code != "" {
		return trimPunctuation(v.Code)
	}
	word, _, _ := strings.Cut(v.Text, " ")
	return trimPunctuation(word)
}

// Fault is what is wrong with a commit that should be the head (E6).
type Fault string

// The faults of E6 in the order in which they are looked for; a code of `head.*`, `artifact.*` or
// `observation.artifact_*` ends with one.
const (
	NoFault      Fault = ""
	Missing      Fault = "missing"
	Abbreviated  Fault = "abbreviated"
	NotCanonical Fault = "not_canonical"
	Fabricated   Fault = "fabricated"
	Stale        Fault = "stale"
)

// fabricatedDigits is how many leading digits a retyped head shares with the real one (E6).
const fabricatedDigits = 7

// minAbbreviation is the shortest prefix that git itself takes for a commit.
const minAbbreviation = 4

// CompareSHA compares a written commit with the head. An empty head means that the head is not
// known, so that only the form is judged.
func CompareSHA(written, head string) Fault {
	switch {
	case written == "":
		return NotCanonical
	case head != "" && written == head:
		return NoFault
	case head != "" && len(written) >= minAbbreviation && strings.HasPrefix(head, written):
		return Abbreviated
	case !Canonical(written):
		return NotCanonical
	case head == "":
		return NoFault
	case written[:fabricatedDigits] == head[:min(len(head), fabricatedDigits)]:
		return Fabricated
	default:
		return Stale
	}
}

// Canonical reports whether s is a full commit id: 40 or 64 lower-case hexadecimal digits.
func Canonical(s string) bool {
	if len(s) != 40 && len(s) != 64 {
		return false
	}
	return strings.Trim(s, "0123456789abcdef") == ""
}
