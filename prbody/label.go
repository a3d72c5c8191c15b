package prbody

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/evidence-gate/evidence-gate/internal/markdown"
)

// field is what a label introduces.
type field int

const (
	fieldNone field = iota
	fieldCheck
	fieldVerdict
	fieldEvidence
	fieldKind
	fieldSource
	fieldImplementation
	fieldObservation
	fieldLevel
	fieldResult
	fieldArtifact
	fieldTopology
	fieldURL
	fieldPattern
	fieldOutput
	fieldNames
	fieldHead
	fieldCount
)

// label is one row of the table of labels (E1, E2, E6).
type label struct {
	text  string // lower case
	shown string // canonical spelling
	field field
}

var labels = []label{
	{"required check", "Required check", fieldCheck},
	{"verdict", "Verdict", fieldVerdict},
	{"evidence", "Evidence", fieldEvidence},
	{"kind", "Kind", fieldKind},
	{"source", "Source", fieldSource},
	{"implementation head", "Implementation head", fieldImplementation},
	{"observation", "Observation", fieldObservation},
	{"level", "Level", fieldLevel},
	{"result", "Result", fieldResult},
	{"artifact", "Artifact", fieldArtifact},
	{"topology", "Topology", fieldTopology},
	{"url", "URL", fieldURL},
	{"pattern", "Pattern", fieldPattern},
	{"output sha256", "Output sha256", fieldOutput},
	{"observations", "Observations", fieldNames},
	{"current pr head", "Current PR head", fieldHead},
	{"pr head", "Current PR head", fieldHead},
	{"head commit", "Current PR head", fieldHead},
	{"headrefoid", "Current PR head", fieldHead},
	{"head ref oid", "Current PR head", fieldHead},
}

// maxLabel is longer than every label with the emoji that may stand before it.
const maxLabel = 64

// labelled is a line that starts with a label.
type labelled struct {
	label
	rest markdown.Line // the line after the colon
	name markdown.Line // the label as written
}

// matchLabel reads a label at the start of a line: case ignored, after an emoji, with a plain or
// full-width colon (E1, M5, M8).
func matchLabel(l markdown.Line) (labelled, bool) {
	text := l.Text
	start := 0
	if text != "" && (text[0] >= utf8.RuneSelf || text[0] == ' ' || text[0] == ':') {
		start = markdown.LeadingEmoji(text)
	}
	colon, width := findColon(text[start:min(len(text), start+maxLabel)])
	if width == 0 {
		return labelled{}, false
	}
	colon += start
	row, ok := lookup(text[start:colon])
	if !ok {
		return labelled{}, false
	}
	return labelled{label: row, rest: l.TrimFrom(colon + width), name: l.Slice(start, colon)}, true
}

// findColon is the place and width of the first colon, plain or full-width; width 0 when there is
// none.
func findColon(s string) (at, width int) {
	for i := 0; i < len(s); i++ {
		if s[i] == ':' {
			return i, 1
		}
		if s[i] == fullWidthColon[0] && strings.HasPrefix(s[i:], fullWidthColon) {
			return i, len(fullWidthColon)
		}
	}
	return 0, 0
}

const fullWidthColon = "："

func lookup(written string) (label, bool) {
	name := strings.TrimSpace(markdown.StripInvisible(written))
	for _, row := range labels {
		if len(name) == len(row.text) && strings.EqualFold(name, row.text) {
			return row, true
		}
	}
	if strings.Contains(name, "  ") {
		return lookup(strings.Join(strings.Fields(name), " "))
	}
	return label{}, false
}

// freeText are the fields whose value is prose, in which words with a colon are common.
var freeText = map[field]bool{fieldCheck: true, fieldEvidence: true, fieldResult: true, fieldPattern: true, fieldURL: true}

// secondLabel looks for another label later in the same line (E3). In prose only the canonical
// spelling of the labels that structure an entry counts, outside code and brackets.
func secondLabel(first field, rest markdown.Line) (label, int, bool) {
	text := rest.Text
	for i := 0; i < len(text); {
		at, width := findColon(text[i:])
		if width == 0 {
			break
		}
		i += at
		for _, row := range labels {
			start := i - len(row.text)
			if start >= 0 && text[i-1]|0x20 == row.text[len(row.text)-1]|0x20 && strings.EqualFold(text[start:i], row.text) &&
				atWordStart(text, start) && !rest.InCode(start) && counts(first, row, rest, start, i) {
				return row, start, true
			}
		}
		i += width
	}
	return label{}, 0, false
}

// counts reports whether a label that was found within a line is one: always after a field of one
// word, in prose only when it is written like one.
func counts(first field, row label, rest markdown.Line, start, end int) bool {
	return !freeText[first] || rest.Text[start:end] == row.shown && structural[row.field] && !bracketed(rest.Text, start)
}

// structural are the labels that a line of prose does not hold by chance.
var structural = map[field]bool{
	fieldCheck: true, fieldVerdict: true, fieldEvidence: true, fieldImplementation: true, fieldObservation: true, fieldHead: true,
}

func atWordStart(text string, i int) bool {
	if i == 0 {
		return true
	}
	r, _ := utf8.DecodeLastRuneInString(text[:i])
	return !unicode.IsLetter(r) && !unicode.IsDigit(r) || strings.HasSuffix(text[:i], `\n`)
}

func bracketed(text string, i int) bool {
	return i > 0 && (text[i-1] == '(' || text[i-1] == '[')
}
