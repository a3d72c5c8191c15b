package markdown

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// invisible lists the characters of M5 that show nothing but can change what text means.
var invisible = &unicode.RangeTable{
	R16: []unicode.Range16{
		{Lo: 0x00AD, Hi: 0x00AD, Stride: 1}, {Lo: 0x034F, Hi: 0x034F, Stride: 1}, {Lo: 0x061C, Hi: 0x061C, Stride: 1},
		{Lo: 0x115F, Hi: 0x1160, Stride: 1}, {Lo: 0x17B4, Hi: 0x17B5, Stride: 1}, {Lo: 0x180E, Hi: 0x180E, Stride: 1},
		{Lo: 0x200B, Hi: 0x200F, Stride: 1}, {Lo: 0x202A, Hi: 0x202E, Stride: 1}, {Lo: 0x2060, Hi: 0x206F, Stride: 1},
		{Lo: 0x3164, Hi: 0x3164, Stride: 1}, {Lo: 0xFEFF, Hi: 0xFEFF, Stride: 1}, {Lo: 0xFFA0, Hi: 0xFFA0, Stride: 1},
	},
	R32: []unicode.Range32{{Lo: 0xE0000, Hi: 0xE007F, Stride: 1}},
}

// IsInvisible reports whether r is a zero-width or bidirectional control character of M5.
func IsInvisible(r rune) bool { return r >= 0xAD && unicode.Is(invisible, r) }

// IsBidi reports whether r reorders text, which M5 refuses in all live text of a section.
func IsBidi(r rune) bool { return r >= 0x202A && r <= 0x202E || r >= 0x2066 && r <= 0x2069 }

// FirstInvisible finds the first character of M5 in s. The joiner between two emoji is part of how
// they are written, so it is none. ok is false when there is none.
func FirstInvisible(s string) (at int, r rune, ok bool) {
	var before rune
	for i := 0; i < len(s); {
		if s[i] < utf8.RuneSelf {
			before = rune(s[i])
			i++
			continue
		}
		r, size := utf8.DecodeRuneInString(s[i:])
		if IsInvisible(r) && !joinsEmoji(before, r, s[i+size:]) {
			return i, r, true
		}
		before = r
		i += size
	}
	return 0, 0, false
}

// zeroWidthJoiner makes one emoji of two.
const zeroWidthJoiner = 0x200D

func joinsEmoji(before, r rune, rest string) bool {
	after, _ := utf8.DecodeRuneInString(rest)
	return r == zeroWidthJoiner && emoji(before) && emoji(after)
}

func emoji(r rune) bool {
	return r == 0xFE0F || r >= 0x2190 && unicode.In(r, unicode.So, unicode.Sk, unicode.Sm)
}

// StripInvisible is s without the characters of M5.
func StripInvisible(s string) string {
	if strings.IndexFunc(s, IsInvisible) < 0 {
		return s
	}
	out := make([]rune, 0, len(s))
	for _, r := range s {
		if !IsInvisible(r) {
			out = append(out, r)
		}
	}
	return string(out)
}
