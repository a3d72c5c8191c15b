// Package checkline reads the text of one required check: its stable id, kind prefix, annotations,
// code spans and match key (design section 4, C2 and C3; section 5, rule 1). A task declares a check
// with such a text and an entry of the Evidence section repeats it, so both are read here. What the
// annotations mean is left to the contract.
package checkline

import (
	"strings"

	"github.com/evidence-gate/evidence-gate/internal/markdown"
)

// Check is one check text taken apart.
type Check struct {
	ID          string        // "RC-1", upper case; "" without one
	Line        markdown.Line // the whole text
	Prefix      string        // "command", "manual" or "contract_proof" written before the text; "" without one
	Text        string        // what is left without id and annotations
	Key         string        // the match key: Text without prefix and backticks, lower case
	Code        []markdown.Span
	Annotations []Annotation
	NearMisses  []NearMiss
	pieces      []markdown.Span // what Text is made of
}

// Annotation is one `name: value` of a group. Name is canonical ("source", not "sources").
type Annotation struct {
	Name  string
	Value string
	Start int // of the name in the line's text
	End   int
	from  int // where the value starts
}

// NearMiss is a name that is nearly one of an annotation (C2).
type NearMiss struct {
	Written string
	Known   string
	Start   int
	End     int
}

// Command is the text of the first code span, "" without one (C3).
func (c Check) Command() string {
	if len(c.Code) == 0 {
		return ""
	}
	return c.Line.CodeText(c.Code[0])
}

// Commands are the texts of all code spans.
func (c Check) Commands() []string {
	out := make([]string, 0, len(c.Code))
	for _, s := range c.Code {
		out = append(out, c.Line.CodeText(s))
	}
	return out
}

// prefixes are the kinds that may stand before the text, by their spelling.
var prefixes = []string{"command", "manual", "contract_proof"}

// Parse takes a check text apart.
func Parse(line markdown.Line) Check {
	line = line.Trim()
	c := Check{Line: line, Code: line.Code}
	start := 0
	c.ID, start = readID(line)
	c.readGroups(start)
	c.readPrefix()
	c.Text = c.keptText()
	c.Key = Squeeze(strings.ReplaceAll(strings.ToLower(markdown.StripInvisible(c.Text)), "`", ""))
	return c
}

// keptText is the text without id, prefix and annotations.
func (c *Check) keptText() string {
	if len(c.pieces) == 1 {
		return Squeeze(c.Line.Text[c.pieces[0].Start:c.pieces[0].End])
	}
	var kept strings.Builder
	for _, p := range c.pieces {
		kept.WriteString(c.Line.Text[p.Start:p.End])
	}
	return Squeeze(kept.String())
}

func spaces(s string) int { return len(s) - len(strings.TrimLeft(s, " \t")) }

// ID reads a stable id `RC-<n>` with nothing around it, upper-cased; "" when s is none.
func ID(s string) string {
	s = strings.ToUpper(s)
	digits, ok := strings.CutPrefix(s, "RC-")
	if !ok || digits == "" || len(digits) > maxIDDigits || strings.Trim(digits, "0123456789") != "" {
		return ""
	}
	return s
}

// maxIDDigits keeps ids short enough to show; no contract has that many checks.
const maxIDDigits = 18

// readID reads `[RC-<n>]` at the start, also where a reference definition turned it into a link.
func readID(line markdown.Line) (id string, end int) {
	text := line.Text
	if strings.HasPrefix(text, "[") && !line.InCode(0) {
		if i := strings.IndexByte(text, ']'); i > 0 {
			if id := ID(strings.TrimSpace(markdown.StripInvisible(text[1:i]))); id != "" {
				return id, i + 1
			}
		}
	}
	for _, link := range line.Links {
		if link.Start == 0 {
			if id := ID(strings.Trim(text[link.Start:link.End], "[] ")); id != "" {
				return id, link.End
			}
		}
	}
	return "", 0
}

// readPrefix reads `command:`, `manual:` or `contract_proof:` before the text and takes it away.
func (c *Check) readPrefix() {
	for i, p := range c.pieces {
		text := c.Line.Text[p.Start:p.End]
		if strings.TrimSpace(text) == "" {
			continue
		}
		at := p.Start + spaces(text)
		if prefix, rest, ok := splitPrefix(c.Line.Text[at:p.End]); ok && !c.Line.InCode(at) {
			c.Prefix = prefix
			c.pieces[i].Start = p.End - len(rest)
		}
		return
	}
}

func splitPrefix(s string) (prefix, rest string, ok bool) {
	name, rest, ok := cutColon(s)
	if !ok {
		return "", s, false
	}
	folded := Fold(name)
	for _, p := range prefixes {
		if folded == p {
			return p, strings.TrimLeft(rest, " \t"), true
		}
	}
	return "", s, false
}

// cutColon splits at the first colon, plain or full-width (M5).
func cutColon(s string) (before, after string, ok bool) {
	i := strings.IndexByte(s, ':')
	if wide := strings.Index(s, "："); i < 0 || wide >= 0 && wide < i {
		i = wide
	}
	if i < 0 {
		return s, "", false
	}
	return s[:i], strings.TrimPrefix(strings.TrimPrefix(s[i:], ":"), "："), true
}

// Fold lower-cases a value and turns spaces and dashes into underscores (C2).
func Fold(s string) string {
	s = strings.ToLower(Squeeze(s))
	if !strings.ContainsAny(s, " -") {
		return s
	}
	return folder.Replace(s)
}

var folder = strings.NewReplacer(" ", "_", "-", "_")

// SplitList splits a list value at `,`, `|` and `;` and drops empty parts (C2).
func SplitList(s string) []string {
	if strings.IndexFunc(s, separates) < 0 {
		if s = strings.TrimSpace(s); s == "" {
			return nil
		}
		return []string{s}
	}
	var out []string
	for _, part := range strings.FieldsFunc(s, separates) {
		if part = strings.TrimSpace(part); part != "" {
			out = append(out, part)
		}
	}
	return out
}

func separates(r rune) bool {
	return r == ',' || r == '|' || r == ';' || r == '，' || r == '；'
}

// Squeeze trims a text and turns every run of white space into one space.
func Squeeze(s string) string { return markdown.Squeeze(s) }
