package prbody

import (
	"errors"
	"fmt"
	"strings"

	"github.com/evidence-gate/evidence-gate/internal/markdown"
)

// AddToSection puts list items at the end of the Evidence section of a body, touching nothing else:
// items that are no entries, such as those of acceptance criteria. The result is read again: a body
// whose entries would change is refused.
func AddToSection(body, items string) (string, error) {
	if strings.TrimSpace(items) == "" {
		return body, nil
	}
	w, err := newRewriter(body, "")
	if err != nil {
		return "", err
	}
	if w.section == nil {
		return "", errors.New("expected an Evidence section to add to, found none")
	}
	end := w.sectionEnd()
	for end > 0 && w.text.blank(end-1) {
		end--
	}
	w.text.insertBlock(end, strings.Split(strings.Trim(items, "\n"), "\n"))
	added := w.text.String()
	after, err := newRewriter(added, "")
	if err != nil {
		return "", err
	}
	if after.section == nil || !sameEntries(w, after) || after.listItems() <= w.listItems() {
		return "", fmt.Errorf("nothing can be added at the end of the %s section without changing an entry: add by hand:\n%s", SectionName, items)
	}
	return added, nil
}

// sameEntries reports whether two texts have the same entries, to the line.
func sameEntries(before, after *rewriter) bool {
	was, is := before.items(), after.items()
	if len(was) != len(is) {
		return false
	}
	for i := range was {
		if strings.Join(before.text.slice(was[i].from, was[i].to), "\n") != strings.Join(after.text.slice(is[i].from, is[i].to), "\n") {
			return false
		}
	}
	return true
}

// listItems counts the top-level list items of the section, so that none is added where it is not
// live.
func (w *rewriter) listItems() int {
	n := 0
	for _, b := range w.section.Blocks {
		if b.Kind() == markdown.List {
			n += len(b.Children())
		}
	}
	return n
}
