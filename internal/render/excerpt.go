package render

import (
	"strings"
	"unicode/utf8"

	"github.com/evidence-gate/evidence-gate/report"
)

const tabStop = 4

// excerpt is one line of a document and the marker under it, both ready for a terminal.
type excerpt struct {
	line   string
	marker string
}

// sources finds lines of documents, splitting each document once.
type sources struct {
	documents map[string]string
	split     map[string][]string
}

func (s *sources) line(where report.Where) (string, bool) {
	text, ok := s.documents[where.Document]
	if !ok || where.Line < 1 {
		return "", false
	}
	lines, ok := s.split[where.Document]
	if !ok {
		lines = strings.Split(lineBreaks(strings.TrimPrefix(text, "\ufeff")), "\n")
		if s.split == nil {
			s.split = map[string][]string{}
		}
		s.split[where.Document] = lines
	}
	if where.Line > len(lines) {
		return "", false
	}
	return lines[where.Line-1], true
}

// mark draws the line with carets from column to before end (1-based, in characters), cut to a
// window of at most room terminal columns around the first caret.
func mark(line string, column, end, room int) excerpt {
	room = max(room, 20)
	column = max(1, min(column, utf8.RuneCountInString(line)+1))
	end = max(end, column+1)
	cells := cellsAround(line, column, room)
	column = drawable(cells, column)

	from, to := window(cells, column, room)
	var drawn, marker strings.Builder
	if from > 0 || cells[0].column > 1 {
		drawn.WriteString("…")
		marker.WriteString(" ")
	}
	for _, c := range cells[from:to] {
		drawn.WriteString(c.text)
		fill := " "
		if column <= c.column && c.column < end {
			fill = "^"
		}
		marker.WriteString(strings.Repeat(fill, c.width))
	}
	if to < len(cells)-1 {
		drawn.WriteString("…")
	}
	return excerpt{line: strings.TrimRight(drawn.String(), " "), marker: strings.TrimRight(marker.String(), " ")}
}

// drawable moves the column back from a character without a width of its own, such as a combining
// accent, to the one that it is drawn on.
func drawable(cells []cell, column int) int {
	found := column
	for _, c := range cells {
		if c.column > column {
			break
		}
		if c.width > 0 {
			found = c.column
		}
	}
	return found
}

// cell is one character as drawn. Its column is the character's in the document.
type cell struct {
	text   string
	width  int
	column int
}

// cellsAround draws the characters of the line near the column; more than room of them on either
// side can never be shown. The last cell stands for the end of the line.
func cellsAround(line string, column, room int) []cell {
	var cells []cell
	position, drawn := 0, 0
	for len(line) > 0 && position <= column+room {
		r, size := utf8.DecodeRuneInString(line)
		raw := line[:size]
		line = line[size:]
		position++
		if position < column-room {
			continue
		}
		c := cell{text: visibleRune(r, raw), column: position}
		if r == '\t' {
			c.text = strings.Repeat(" ", tabStop-drawn%tabStop)
		}
		c.width = columns(c.text)
		drawn += c.width
		cells = append(cells, c)
	}
	return append(cells, cell{text: "", width: 1, column: position + 1})
}

// window picks the cells to draw: all when they fit, else a third of the room before the column
// and the rest after it.
func window(cells []cell, column, room int) (from, to int) {
	total := 0
	for _, c := range cells {
		total += c.width
	}
	if total <= room && cells[0].column == 1 {
		return 0, len(cells)
	}
	at := len(cells) - 1
	for i, c := range cells {
		if c.column >= column {
			at = i
			break
		}
	}
	room -= 2 // the ellipses
	from = at
	for before := 0; from > 0 && before+cells[from-1].width <= room/3; from-- {
		before += cells[from-1].width
	}
	used := 0
	for to = from; to < len(cells) && (to == at || used+cells[to].width <= room); to++ {
		used += cells[to].width
	}
	for from > 0 && used+cells[from-1].width <= room {
		from--
		used += cells[from].width
	}
	return from, to
}
