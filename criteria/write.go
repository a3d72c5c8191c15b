package criteria

import (
	"strings"
	"unicode"

	"github.com/evidence-gate/evidence-gate/internal/checkline"
	"github.com/evidence-gate/evidence-gate/internal/markdown"
)

// Markdown is the list item that declares the criterion, so that it reads back as the same one.
func (c Criterion) Markdown() string { return "- " + c.Line() }

// Line is the text of that item: `[AC-1] (kind: unit) what must hold (from: docs/rules.md#br-3)`.
func (c Criterion) Line() string {
	var parts []string
	if c.ID != "" {
		parts = append(parts, "["+c.ID+"]")
	}
	if c.Kind != "" {
		parts = append(parts, "(kind: "+c.Kind+")")
	}
	if text := c.written(); text != "" {
		parts = append(parts, text)
	}
	if len(c.From) > 0 {
		parts = append(parts, "(from: "+writtenSources(c.From)+")")
	}
	return strings.Join(parts, " ")
}

// written is the text as Markdown.
func (c Criterion) written() string {
	if len(c.pieces) == 0 {
		return checkline.Whole(markdown.Line{Text: c.Text})
	}
	out := make([]string, 0, len(c.pieces))
	for _, p := range c.pieces {
		out = append(out, checkline.Whole(p))
	}
	return strings.Join(out, " ")
}

// writtenSources are sources as the value of `from`. One that holds a bracket is written as code, in
// which brackets are text.
func writtenSources(from []string) string {
	out := make([]string, 0, len(from))
	for _, f := range from {
		l := markdown.Line{Text: f}
		if strings.ContainsAny(f, "()[]") {
			l.Code = []markdown.Span{{Start: 0, End: len(f)}}
		}
		out = append(out, checkline.Whole(l))
	}
	return strings.Join(out, ", ")
}

// maxShown and maxHelpText bound texts of others that messages and help lines repeat, in characters.
const (
	maxShown    = 80
	maxHelpText = 100
)

// shorten bounds the text and the sources for a help line.
func (c *Criterion) shorten() {
	if text := firstWords(c.Text); text != markdown.Squeeze(c.Text) {
		c.Text, c.pieces = text, nil
	}
	if len(c.From) > 3 {
		c.From = c.From[:3]
	}
}

func firstWords(text string) string { return bounded(markdown.Squeeze(text), maxHelpText) }

// shown is hostile text made fit for a message: bounded, on one line, without control characters.
func shown(text string) string {
	text = strings.Map(func(r rune) rune {
		if unicode.IsControl(r) || markdown.IsInvisible(r) {
			return unicode.ReplacementChar
		}
		return r
	}, text[:min(len(text), 8*maxShown)])
	return bounded(markdown.Squeeze(strings.ToValidUTF8(text, "")), maxShown)
}

func bounded(text string, most int) string {
	n := 0
	for i := range text {
		if n == most {
			return text[:i] + "…"
		}
		n++
	}
	return text
}

// placeholders are what the entry of a criterion says until somebody fills it; they never count (E4).
var placeholders = map[string]string{
	Regression: "REPLACE: check:RC-1, test:`its name` or command:`its command`, then how it went: before the change 1 failed, after it 0 failed",
	Manual:     "REPLACE: manual (a maintainer signs off), or check:RC-1, test:`its name`, command:`its command`, pr with a changed file",
	"":         "REPLACE: check:RC-1, test:`its name`, command:`its command`, pr with a changed file, or manual (a maintainer signs off)",
}

// Entry is the entry of the Evidence section for the criterion, ready to fill.
func (c Criterion) Entry() string {
	text, ok := placeholders[c.Kind]
	if !ok {
		text = placeholders[""]
	}
	return "- Criterion: [" + c.ID + "] " + c.written() + "\n  Evidence: " + text
}

// Entries are the entries of the Evidence section for all criteria that a body has none for yet, ready
// to fill, each ended by a line end; "" when there are none. An empty body has none.
func (l List) Entries(body string) string {
	have := map[string]bool{}
	if body != "" {
		for _, e := range readEntries(body).list {
			have[e.id] = true
		}
	}
	var out strings.Builder
	for _, c := range l.Criteria {
		if c.ID != "" && !c.Broken && !have[c.ID] {
			out.WriteString("\n" + c.Entry() + "\n")
		}
	}
	return out.String()
}
