package demo

import (
	"strings"
	"unicode"

	"golang.org/x/text/width"
)

// word is text between spaces, in pieces of one style each.
type word []run

// words splits text at white space. Pieces that touch are one word.
func words(runs []run) []word {
	var list []word
	var current word
	end := func() {
		if len(current) > 0 {
			list, current = append(list, current), nil
		}
	}
	for _, r := range runs {
		if strings.TrimLeftFunc(r.text, unicode.IsSpace) != r.text {
			end()
		}
		for i, piece := range strings.Fields(r.text) {
			if i > 0 {
				end()
			}
			current = append(current, run{printable(piece), r.style})
		}
		if strings.TrimRightFunc(r.text, unicode.IsSpace) != r.text {
			end()
		}
	}
	end()
	return list
}

func (w word) columns() int {
	n := 0
	for _, r := range w {
		n += columns(r.text)
	}
	return n
}

// wrap puts words into lines of at most so many columns; a longer word has a line of its own.
func wrap(list []word, room int, p painter) []string {
	var lines []string
	var line []word
	used := 0
	for _, w := range list {
		n := w.columns()
		if used > 0 && used+1+n > room {
			lines = append(lines, p.line(line))
			line, used = nil, 0
		}
		used += n + min(used, 1)
		line = append(line, w)
	}
	if len(line) > 0 {
		lines = append(lines, p.line(line))
	}
	return lines
}

// line paints words as few times as their styles allow.
func (p painter) line(list []word) string {
	var pieces []run
	add := func(r run) {
		if n := len(pieces); n > 0 && pieces[n-1].style == r.style {
			pieces[n-1].text += r.text
			return
		}
		pieces = append(pieces, r)
	}
	for i, w := range list {
		if i > 0 {
			space := run{text: " "}
			if last := pieces[len(pieces)-1].style; last == w[0].style {
				space.style = last
			}
			add(space)
		}
		for _, r := range w {
			add(r)
		}
	}
	var b strings.Builder
	for _, r := range pieces {
		b.WriteString(p.text(r.style, r.text))
	}
	return b.String()
}

// printable takes away what a terminal would obey or not show. The renderer of check runs has named
// such characters already; this holds for whatever else comes here.
func printable(s string) string {
	return strings.Map(func(r rune) rune {
		if r == '\t' {
			return ' '
		}
		if !unicode.IsGraphic(r) {
			return unicode.ReplacementChar
		}
		return r
	}, s)
}

// columns is how many columns of a terminal a printable text takes.
func columns(s string) int {
	n := 0
	for _, r := range s {
		switch {
		case unicode.In(r, unicode.Mn, unicode.Me):
		case width.LookupRune(r).Kind() == width.EastAsianWide, width.LookupRune(r).Kind() == width.EastAsianFullwidth:
			n += 2
		default:
			n++
		}
	}
	return n
}
