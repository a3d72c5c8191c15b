package publish

import (
	"strings"
	"unicode/utf8"
)

const (
	// titleLimit is in characters: GitHub takes 255, the design asks for fewer.
	titleLimit = 254
	// documentLimit is in bytes, for summary and text each (GitHub's REST documentation of check
	// runs says characters; it counts bytes).
	documentLimit = 65535
)

// line makes a title: one line, within the limit.
func line(title string) string {
	runes := []rune(strings.Join(strings.Fields(clean(title)), " "))
	if len(runes) > titleLimit {
		return string(runes[:titleLimit-1]) + "…"
	}
	return string(runes)
}

// document cuts Markdown to the limit, at the end of a line where one is near, and says so with a
// link to the whole. The beginning stays: the verdict stands first.
func document(text, details string) string { return within(documentLimit, text, details) }

// ending cuts Markdown so that the memory behind it, which is short and whole, fits.
func ending(text, details, memory string) string {
	if memory == "" {
		return document(text, details)
	}
	const between = "\n\n"
	return strings.TrimRight(within(documentLimit-len(between)-len(memory), text, details), "\n") + between + memory
}

func within(limit int, text, details string) string {
	text = clean(text)
	if len(text) <= limit {
		return text
	}
	mark := "\n\n*Cut here: GitHub takes no more.*"
	if details != "" {
		mark = "\n\n*Cut here: GitHub takes no more. [The full report](<" + details + ">)*"
	}
	const room = 256 // for the line that closes an open code fence
	kept := cut(text, limit-len(mark)-room)
	return kept + closing(kept) + mark
}

// cut keeps at most limit bytes, whole runes, and whole lines when that costs little.
func cut(text string, limit int) string {
	limit = max(limit, 0)
	for limit > 0 && !utf8.RuneStart(text[limit]) {
		limit--
	}
	const near = 2048
	if end := strings.LastIndexByte(text[:limit], '\n'); end > limit-near {
		return text[:end]
	}
	return text[:limit]
}

// closing ends a code fence that the cut left open; the mark would be part of the code.
func closing(kept string) string {
	const longest = 64
	open := ""
	for l := range strings.SplitSeq(kept, "\n") {
		l = strings.TrimLeft(l, " ")
		fence := l[:len(l)-len(strings.TrimLeft(l, "`"))]
		if tilde := l[:len(l)-len(strings.TrimLeft(l, "~"))]; len(tilde) > len(fence) {
			fence = tilde
		}
		switch {
		case len(fence) < 3:
		case open == "":
			open = fence
		case fence[0] == open[0] && len(fence) >= len(open) && strings.TrimSpace(l[len(fence):]) == "":
			open = ""
		}
	}
	if open == "" || len(open) > longest {
		return ""
	}
	return "\n" + open
}

// clean leaves only what GitHub stores: valid UTF-8 without NUL and other control characters.
func clean(text string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' && r != '\n' && r != '\t' && r != '\r' {
			return utf8.RuneError
		}
		return r
	}, strings.ToValidUTF8(text, string(utf8.RuneError)))
}
