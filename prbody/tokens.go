package prbody

import (
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// token is a word, a number or a sign of an evidence text.
type token struct {
	word     string // as written
	at       int    // byte offset
	value    int    // of a number
	number   bool
	meanings meaning
}

// tokens is an evidence text taken apart.
type tokens struct { // see tokenize
	text string
	list []token
}

// tokenize splits a text into words, whole numbers and signs. Words keep inner dashes and
// apostrophes ("non-zero", "isn't"); decimals, versions and the like are words. buf is used while
// it is large enough.
func tokenize(text string, buf []token) tokens {
	out := buf[:0]
	for i := 0; i < len(text); {
		c := text[i]
		if c == ' ' || c == '\n' {
			i++
			continue
		}
		size, word := 1, wordByte(c)
		if c >= utf8.RuneSelf {
			var r rune
			if r, size = utf8.DecodeRuneInString(text[i:]); unicode.IsSpace(r) {
				i += size
				continue
			}
			word = unicode.IsLetter(r) || unicode.IsDigit(r)
		} else if c == '\t' || c == '\r' || c == '\v' || c == '\f' {
			i++
			continue
		}
		end := i + size
		if word {
			end = wordEnd(text, i)
		} else if (c == '-' || c == '=') && strings.HasPrefix(text[end:], ">") {
			end++
		}
		if len(out) == cap(out) {
			out = slices.Grow(out, 64+len(out)) // append alone would copy long texts again and again
		}
		out = append(out, newToken(text[i:end], i))
		i = end
	}
	return tokens{text: text, list: out}
}

func wordByte(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= '0' && c <= '9' || c >= 'A' && c <= 'Z' || c == '_'
}

func digit(c byte) bool { return c >= '0' && c <= '9' }

func letter(c byte) bool { return wordByte(c) && !digit(c) || c >= utf8.RuneSelf }

// wordEnd is where the word that starts at i ends. A comma or full stop between digits belongs to
// the number, a dash or an apostrophe between letters to the word.
func wordEnd(text string, i int) int {
	for i < len(text) {
		c := text[i]
		if wordByte(c) {
			i++
			continue
		}
		if c < utf8.RuneSelf {
			if i+1 == len(text) || i == 0 {
				return i
			}
			prev, next := text[i-1], text[i+1]
			if (c == ',' || c == '.') && digit(prev) && digit(next) || (c == '-' || c == '\'') && letter(prev) && letter(next) {
				i++
				continue
			}
			return i
		}
		r, size := utf8.DecodeRuneInString(text[i:])
		if !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.IsMark(r) && r != '’' {
			return i
		}
		i += size
	}
	return i
}

func newToken(text string, at int) token {
	t := token{word: text, at: at}
	if !digit(text[0]) {
		t.meanings = meaningOf(text)
		return t
	}
	digits := text
	if grouped(text) {
		digits = strings.ReplaceAll(text, ",", "")
	}
	for i := range len(digits) {
		if !digit(digits[i]) {
			return t
		}
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
	if strings.IndexByte(s, ',') < 0 {
		return false
	}
	for i, p := range strings.Split(s, ",") {
		if i > 0 && len(p) != 3 || p == "" {
			return false
		}
	}
	return true
}

// maxWord is longer than every word that has a meaning.
const maxWord = 16

// meaningOf looks a word up in the vocabulary, case and the form of its apostrophe ignored.
func meaningOf(word string) meaning {
	if len(word) > maxWord {
		return 0
	}
	var lower [maxWord]byte
	n := 0
	for i := 0; i < len(word); i++ {
		c := word[i]
		if strings.HasPrefix(word[i:], "’") {
			c, i = '\'', i+len("’")-1
		}
		if c >= 'A' && c <= 'Z' {
			c += 'a' - 'A'
		}
		lower[n] = c
		n++
	}
	return vocabulary[string(lower[:n])]
}

func (t tokens) is(i int, m meaning) bool {
	return i >= 0 && i < len(t.list) && t.list[i].meanings&m != 0
}

func (t tokens) sign(i int, signs string) bool {
	return i >= 0 && i < len(t.list) && strings.Contains(signs, t.list[i].word)
}

// word is the token at i in lower case, "" outside the text.
func (t tokens) word(i int) string {
	if i < 0 || i >= len(t.list) {
		return ""
	}
	return strings.ReplaceAll(strings.ToLower(t.list[i].word), "’", "'")
}

func (t tokens) number(i int) bool { return i >= 0 && i < len(t.list) && t.list[i].number }

func (t tokens) has(m meaning) bool {
	for i := range t.list {
		if t.list[i].meanings&m != 0 {
			return true
		}
	}
	return false
}

// quote is the text between two tokens, both included.
func (t tokens) quote(from, to int) string {
	from, to = max(0, from), min(to, len(t.list)-1)
	return printable(t.text[t.list[from].at : t.list[to].at+len(t.list[to].word)])
}
