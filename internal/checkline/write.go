package checkline

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/evidence-gate/evidence-gate/internal/markdown"
)

// Frame is the match key with every code span left out: what two spellings of one command share.
func (c Check) Frame() string {
	var out strings.Builder
	c.walk(func(text string, code bool) {
		if code {
			text = "`"
		}
		out.WriteString(text)
	})
	return strings.ToLower(Squeeze(markdown.StripInvisible(out.String())))
}

// Markdown writes the text, without id and annotations, so that it reads back as the same text with
// the same code spans.
func (c Check) Markdown() string {
	var out strings.Builder
	c.walk(func(text string, code bool) {
		if code {
			out.WriteString(codeSpan(Squeeze(text)))
			return
		}
		out.WriteString(escape(text))
	})
	written := Squeeze(out.String())
	if slashes := len(written) - len(strings.TrimRight(written, `\`)); slashes%2 == 1 {
		written += `\` // else it would escape the line's end
	}
	if _, _, again := splitPrefix(c.Text); again && c.Prefix != "" {
		written = c.Prefix + ": " + written // else the text's own start would be taken for the prefix
	}
	return written
}

// Whole writes a whole line, with id and annotations, so that it reads back as the same text with the
// same code spans.
func Whole(l markdown.Line) string {
	return Check{Line: l, Code: l.Code, pieces: []markdown.Span{{Start: 0, End: len(l.Text)}}}.Markdown()
}

// walk shows the text piece by piece, code spans apart.
func (c Check) walk(show func(text string, code bool)) {
	k := 0
	for _, p := range c.pieces {
		from := p.Start
		for ; k < len(c.Code) && c.Code[k].End <= p.End; k++ {
			if c.Code[k].Start < from {
				continue
			}
			show(c.Line.Text[from:c.Code[k].Start], false)
			show(c.Line.Text[c.Code[k].Start:c.Code[k].End], true)
			from = c.Code[k].End
		}
		show(c.Line.Text[from:p.End], false)
	}
}

// codeSpan puts a text between backticks that it does not hold itself.
func codeSpan(text string) string {
	ticks := "`"
	for strings.Contains(text, ticks) {
		ticks += "`"
	}
	if strings.HasPrefix(text, "`") || strings.HasSuffix(text, "`") {
		text = " " + text + " "
	}
	return ticks + text + ticks
}

// escape writes plain text as Markdown. Only what could be markup is escaped, so that ordinary text
// stays as it is.
func escape(text string) string {
	var out strings.Builder
	for i := 0; i < len(text); {
		r, size := utf8.DecodeRuneInString(text[i:])
		next, _ := utf8.DecodeRuneInString(text[i+size:])
		prev, _ := utf8.DecodeLastRuneInString(text[:i])
		if markup(prev, r, next) {
			out.WriteByte('\\')
		}
		out.WriteString(text[i : i+size])
		i += size
	}
	return out.String()
}

func markup(prev, r, next rune) bool {
	switch r {
	case '`', '*', '~':
		return true
	case '_':
		return !inWord(prev) || !inWord(next)
	case '\\':
		return unicode.IsPunct(next) || unicode.IsSymbol(next)
	case '<':
		return unicode.IsLetter(next) || next == '/' || next == '!' || next == '?'
	case '&':
		return unicode.IsLetter(next) || next == '#'
	case '(':
		return prev == ']'
	case '[':
		return prev == ']' || prev == '!'
	case ':':
		return prev == ']'
	}
	return false
}

func inWord(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }
