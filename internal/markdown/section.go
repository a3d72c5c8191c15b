package markdown

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// CanonicalLevel is the heading level of sections; it wins over any other (M2).
const CanonicalLevel = 2

// Section is a live section of a document.
type Section struct {
	Heading Block
	Title   Line    // the heading's text
	Level   int     // of the heading
	Blocks  []Block // what stands under the heading
	first   int     // index of Blocks[0] among the document's blocks
}

// Outside are the blocks of the document that are not under the heading.
func (s Section) Outside() []Block {
	all := s.Heading.d.Blocks()
	out := append([]Block{}, all[:s.first]...)
	return append(out, all[s.first+len(s.Blocks):]...)
}

// Sections are the live sections of a name at the winning level: the canonical one, else the one
// level that has any, else none (M2). More than one is a duplicate for the caller to report (M3).
// Headings of several other levels count together.
func (d *Document) Sections(name string) []Section {
	blocks := d.Blocks()
	var canonical, other []Section
	for i, b := range blocks {
		if b.Kind() != Heading {
			continue
		}
		title, ok := singleLine(b.Lines())
		if !ok || !strings.EqualFold(Title(title.Text), name) {
			continue
		}
		s := Section{Heading: b, Title: title, Level: b.Level(), Blocks: under(blocks[i+1:], b.Level()), first: i + 1}
		if s.Level == CanonicalLevel {
			canonical = append(canonical, s)
		} else {
			other = append(other, s)
		}
	}
	if len(canonical) > 0 {
		return canonical
	}
	return other
}

// under are the blocks up to the next heading of the same or a higher level.
func under(blocks []Block, level int) []Block {
	for i, b := range blocks {
		if l := b.Level(); l > 0 && l <= level {
			return blocks[:i]
		}
	}
	return blocks
}

// maxTitleLines is how many lines of a setext heading are looked at; no section's name has more words.
const maxTitleLines = 8

// singleLine joins the lines of a heading; a setext heading may have several.
func singleLine(lines []Line) (Line, bool) {
	if len(lines) == 0 || len(lines) > maxTitleLines {
		return Line{}, false
	}
	return Join(lines), true
}

// Title is the text of a heading as names of sections are compared: without emoji and punctuation
// at both ends, spaces collapsed, invisible characters gone (M2, M5).
func Title(s string) string {
	s = TrimEmoji(StripInvisible(s))
	s = strings.TrimFunc(s, func(r rune) bool { return unicode.IsPunct(r) || decoration(r) })
	return Squeeze(s)
}

// TrimEmoji drops emoji at both ends, as characters or `:shortcodes:` (M8).
func TrimEmoji(s string) string {
	for {
		before := len(s)
		s = strings.TrimFunc(s, decoration)
		if n := shortcode(s); n > 0 {
			s = s[n:]
		}
		if strings.HasSuffix(s, ":") {
			if i := strings.LastIndexByte(s[:len(s)-1], ':'); i >= 0 && shortcode(s[i:]) == len(s)-i {
				s = s[:i]
			}
		}
		if len(s) == before {
			return s
		}
	}
}

// LeadingEmoji is the length of the emoji and spaces at the start of s.
func LeadingEmoji(s string) int {
	i := 0
	for i < len(s) {
		if n := shortcode(s[i:]); n > 0 {
			i += n
			continue
		}
		r, size := utf8.DecodeRuneInString(s[i:])
		if !decoration(r) {
			break
		}
		i += size
	}
	return i
}

// decoration reports whether r is white space, an emoji or one of the marks that shape one.
func decoration(r rune) bool {
	switch {
	case r < utf8.RuneSelf:
		return r == ' ' || r == '\t' || r == '\n'
	case r == 0xFE0F || r == 0x200D || r == 0x20E3 || r >= 0xE0020 && r <= 0xE007F:
		return true
	default:
		return unicode.IsSpace(r) || unicode.In(r, unicode.So, unicode.Sk, unicode.Sm)
	}
}

// shortcode is the length of a `:shortcode:` at the start of s, 0 when there is none.
func shortcode(s string) int {
	if len(s) < 3 || s[0] != ':' {
		return 0
	}
	for i := 1; i < len(s); i++ {
		switch c := s[i]; {
		case c == ':':
			if i == 1 {
				return 0
			}
			return i + 1
		case c >= 'a' && c <= 'z' || c >= '0' && c <= '9' || c == '_' || c == '-' || c == '+':
		default:
			return 0
		}
	}
	return 0
}
