package prbody

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// token is a word, a number or a sign of an evidence text.
type token struct {
	word   string // lower case; a sign as written
	text   string // as written
	at     int    // byte offset
	number bool
	value  int
}

// tokenize splits a text into words, whole numbers and signs. Words keep inner dashes and
// apostrophes ("non-zero", "isn't"); decimals, versions and the like are words.
func tokenize(text string) []token {
	out := make([]token, 0, 2+len(text)/5)
	for i := 0; i < len(text); {
		r, size := utf8.DecodeRuneInString(text[i:])
		switch {
		case unicode.IsSpace(r):
			i += size
		case wordRune(r):
			end := wordEnd(text, i)
			out = append(out, newToken(text[i:end], i))
			i = end
		case strings.HasPrefix(text[i:], "->"), strings.HasPrefix(text[i:], "=>"):
			out = append(out, token{word: "→", text: text[i : i+2], at: i})
			i += 2
		default:
			out = append(out, token{word: text[i : i+size], text: text[i : i+size], at: i})
			i += size
		}
	}
	return out
}

func wordRune(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) || r == '_' }

// wordEnd is where the word that starts at i ends. A comma or full stop between digits belongs to
// the number.
func wordEnd(text string, i int) int {
	for i < len(text) {
		r, size := utf8.DecodeRuneInString(text[i:])
		if !wordRune(r) {
			next, _ := utf8.DecodeRuneInString(text[i+size:])
			prev, _ := utf8.DecodeLastRuneInString(text[:i])
			digits := unicode.IsDigit(prev) && unicode.IsDigit(next)
			letters := unicode.IsLetter(prev) && unicode.IsLetter(next)
			if !((r == ',' || r == '.') && digits || (r == '-' || r == '\'' || r == '’') && letters) {
				return i
			}
		}
		i += size
	}
	return i
}

func newToken(text string, at int) token {
	t := token{text: text, word: strings.ReplaceAll(strings.ToLower(text), "’", "'"), at: at}
	if text[0] < '0' || text[0] > '9' {
		return t
	}
	digits := text
	if grouped(text) {
		digits = strings.ReplaceAll(text, ",", "")
	}
	if strings.Trim(digits, "0123456789") != "" {
		return t
	}
	t.number = true
	if n, err := strconv.Atoi(digits); err == nil {
		t.value = n
	} else {
		t.value = 1 // too large to hold, and certainly not zero
	}
	return t
}

// grouped reports whether commas part the digits in thousands.
func grouped(s string) bool {
	parts := strings.Split(s, ",")
	if len(parts) == 1 {
		return false
	}
	for i, p := range parts {
		if i > 0 && len(p) != 3 || p == "" {
			return false
		}
	}
	return true
}
