package render

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/width"
)

// visible makes foreign text harmless and honest on one line: control characters, invisible and
// bidirectional characters, line breaks and bytes that are no UTF-8 are written as <U+200B> or
// <0xFF>, so that no terminal obeys them and no reader misses them.
func visible(s string) string {
	if plain(s) {
		return s
	}
	var b strings.Builder
	for len(s) > 0 {
		r, size := utf8.DecodeRuneInString(s)
		b.WriteString(visibleRune(r, s[:size]))
		s = s[size:]
	}
	return b.String()
}

// visibleRune is one character of visible; raw are its bytes.
func visibleRune(r rune, raw string) string {
	switch {
	case r == utf8.RuneError && len(raw) == 1:
		return fmt.Sprintf("<0x%02X>", raw[0])
	case r == ' ' || r > ' ' && r < 0x7f:
		return raw
	case !unicode.IsGraphic(r) || unicode.Is(unicode.Zl, r) || unicode.Is(unicode.Zp, r) || invisible(r):
		return fmt.Sprintf("<U+%04X>", r)
	}
	return raw
}

// invisible are characters that Unicode counts as graphic although nothing is drawn for them; the
// format characters (Cf) are no graphic ones to begin with.
func invisible(r rune) bool {
	switch r {
	case 0x034F, 0x115F, 0x1160, 0x17B4, 0x17B5, 0x3164, 0xFFA0:
		return true
	}
	return 0xFE00 <= r && r <= 0xFE0F || 0xE0100 <= r && r <= 0xE01EF || 0x180B <= r && r <= 0x180F
}

func plain(s string) bool {
	for i := range len(s) {
		if s[i] < ' ' || s[i] >= 0x7f {
			return false
		}
	}
	return true
}

// visibleLines is visible for text of several lines; a tab becomes spaces.
func visibleLines(s string) []string {
	lines := strings.Split(strings.TrimRight(lineBreaks(s), "\n"), "\n")
	for i, line := range lines {
		lines[i] = visible(strings.ReplaceAll(line, "\t", "    "))
	}
	return lines
}

// lineBreaks turns CRLF and CR into LF, as documents are read (design section 2, M1).
func lineBreaks(s string) string {
	if !strings.Contains(s, "\r") {
		return s
	}
	return strings.ReplaceAll(strings.ReplaceAll(s, "\r\n", "\n"), "\r", "\n")
}

// columns is how many terminal columns a visible text takes.
func columns(s string) int {
	n := 0
	for _, r := range s {
		n += runeColumns(r)
	}
	return n
}

func runeColumns(r rune) int {
	switch {
	case r < 0x7f:
		return 1
	case unicode.In(r, unicode.Mn, unicode.Me):
		return 0
	}
	switch width.LookupRune(r).Kind() {
	case width.EastAsianWide, width.EastAsianFullwidth:
		return 2
	}
	return 1
}

// shorten cuts a text to at most n characters, with an ellipsis for what is gone.
func shorten(s string, n int) string {
	if len(s) <= n {
		return s
	}
	count := 0
	for i := range s {
		if count == n-1 {
			if utf8.RuneCountInString(s[i:]) <= 1 {
				return s
			}
			return s[:i] + "…"
		}
		count++
	}
	return s
}
