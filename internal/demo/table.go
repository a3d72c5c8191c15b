package demo

import (
	"strings"

	"github.com/yuin/goldmark/ast"
	extast "github.com/yuin/goldmark/extension/ast"
)

// gutter parts the columns of a table.
const gutter = "  "

// table draws a table in aligned columns; cells that are too wide for the room are wrapped.
func (d drawer) table(n *extast.Table, room int) []string {
	var rows [][][]word
	for row := n.FirstChild(); row != nil; row = row.NextSibling() {
		style := plain
		if _, header := row.(*extast.TableHeader); header {
			style = faint
		}
		rows = append(rows, d.cells(row, style))
	}
	widths := fit(rows, room)
	var lines []string
	for _, row := range rows {
		lines = append(lines, d.row(row, widths)...)
	}
	return lines
}

func (d drawer) cells(row ast.Node, style string) [][]word {
	var cells [][]word
	for cell := row.FirstChild(); cell != nil; cell = cell.NextSibling() {
		cells = append(cells, words(d.inline(cell, style)))
	}
	return cells
}

// fit gives each column the width of its widest cell, and takes from the widest ones until the
// table fits or nothing but single words is left.
func fit(rows [][][]word, room int) []int {
	var widths, least []int
	for _, row := range rows {
		for i, cell := range row {
			if i == len(widths) {
				widths, least = append(widths, 0), append(least, 0)
			}
			whole := 0
			for _, w := range cell {
				whole += w.columns() + min(whole, 1)
				least[i] = max(least[i], w.columns())
			}
			widths[i] = max(widths[i], whole)
		}
	}
	for total(widths) > room {
		widest := -1
		for i := range widths {
			if widths[i] > least[i] && (widest < 0 || widths[i] > widths[widest]) {
				widest = i
			}
		}
		if widest < 0 {
			break
		}
		widths[widest]--
	}
	return widths
}

func total(widths []int) int {
	sum := len(gutter) * max(len(widths)-1, 0)
	for _, w := range widths {
		sum += w
	}
	return sum
}

// row draws one row, in as many lines as its highest cell needs.
func (d drawer) row(cells [][]word, widths []int) []string {
	var lines []string
	left := 0
	for i, cell := range cells {
		for j, text := range wrap(cell, widths[i], d.paint) {
			if j == len(lines) {
				lines = append(lines, "")
			}
			lines[j] += strings.Repeat(" ", max(left-visibleColumns(lines[j]), 0)) + text
		}
		left += widths[i] + len(gutter)
	}
	return lines
}

// visibleColumns is columns of a text that may be coloured.
func visibleColumns(s string) int {
	n := 0
	for {
		before, after, found := strings.Cut(s, "\x1b[")
		n += columns(before)
		if !found {
			return n
		}
		_, s, _ = strings.Cut(after, "m")
	}
}
