package prbody

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/evidence-gate/evidence-gate/internal/markdown"
)

// Rewritten is a body whose Evidence section was renewed, with what became of each entry, by name.
type Rewritten struct {
	Body    string
	Kept    []string // for this head already, unchanged to the byte
	Reset   []string // were for another commit: to be filled again
	Added   []string // of checks that had no entry
	Dropped []string // were for another commit and for no check of the task
}

// Rewrite renews the Evidence section of a body for a head: section is the section ready to fill,
// as Scaffold writes it. Nothing outside the section is touched, nor is anything inside it that is
// neither a head marker nor an entry. An entry stays only when it is for this very head; every
// other one gives way to the form, so that no verdict is carried over to another commit. A body
// without the section gets it at its end.
//
// The result is read again before it is returned: a body in which the section cannot be renewed by
// these rules is an error, and is left to a person.
func Rewrite(body, section, head string) (Rewritten, error) {
	form, err := readForm(section)
	if err != nil {
		return Rewritten{}, err
	}
	w, err := newRewriter(body, head)
	if err != nil {
		return Rewritten{}, err
	}
	if w.section == nil {
		w.text.append(section)
		for _, t := range form {
			w.result.Added = append(w.result.Added, t.name)
		}
	} else {
		w.renew(form)
	}
	w.result.Body = w.text.String()
	if err := w.check(form); err != nil {
		return Rewritten{}, err
	}
	return w.result, nil
}

// template is one entry of the form.
type template struct {
	entry Entry
	name  string
	lines []string
}

func readForm(section string) ([]template, error) {
	w, err := newRewriter(section, "")
	if err != nil {
		return nil, err
	}
	if w.section == nil {
		return nil, errors.New("expected an Evidence section to write, found none")
	}
	var form []template
	for _, i := range w.items() {
		lines := w.text.slice(i.from, i.to)
		form = append(form, template{entry: i.entry, name: i.entry.Name(), lines: lines})
	}
	return form, nil
}

// rewriter holds one body under work.
type rewriter struct {
	text    *lines
	head    string
	d       *markdown.Document
	ev      Evidence
	section *markdown.Section
	kept    []string // the texts of the entries that stay
	result  Rewritten
}

func newRewriter(body, head string) (*rewriter, error) {
	ev, err := Read(body)
	if err != nil {
		return nil, err
	}
	d, err := markdown.Parse(body)
	if err != nil {
		return nil, err
	}
	w := &rewriter{text: splitLines(body), head: head, d: d, ev: ev}
	sections := d.Sections(SectionName)
	if len(sections) > 1 {
		return nil, fmt.Errorf("the body has %d live %s sections, in lines %d and %d: delete all but one of them",
			len(sections), SectionName, sections[0].Title.Position(0).Line, sections[1].Title.Position(0).Line)
	}
	if len(sections) == 1 {
		w.section = &sections[0]
	}
	return w, nil
}

// item is one entry of the section with the lines that it takes, from (0-based) to before to.
type item struct {
	entry    Entry
	from, to int
}

// items finds the entries of the section in the text. They are the same list items that Read takes
// for entries, in the same order.
func (w *rewriter) items() []item {
	var found []item
	w.d.Prepare(w.section.Blocks)
	for k, b := range w.section.Blocks {
		if b.Kind() != markdown.List {
			continue
		}
		items := b.Children()
		for j, i := range items {
			if !isEntry(i) || len(found) == len(w.ev.Entries) {
				continue
			}
			from := i.Position().Line - 1
			to := w.sectionEnd()
			if j+1 < len(items) {
				to = items[j+1].Position().Line - 1
			} else if k+1 < len(w.section.Blocks) {
				to = w.section.Blocks[k+1].Position().Line - 1
			}
			found = append(found, item{entry: w.ev.Entries[len(found)], from: from, to: w.text.itemEnd(from, to)})
		}
	}
	return found
}

func isEntry(item markdown.Block) bool {
	children := item.Children()
	if len(children) == 0 || children[0].Kind() != markdown.Paragraph {
		return false
	}
	lines := children[0].Lines()
	if len(lines) == 0 {
		return false
	}
	f, ok := matchLabel(lines[0])
	return ok && f.field == fieldCheck
}

// sectionEnd is the line (0-based) before which the section ends.
func (w *rewriter) sectionEnd() int {
	blocks := w.d.Blocks()
	start := w.section.Heading.Position()
	for i, b := range blocks {
		if b.Kind() == markdown.Heading && b.Position() == start {
			if after := i + 1 + len(w.section.Blocks); after < len(blocks) {
				return blocks[after].Position().Line - 1
			}
		}
	}
	return w.text.count()
}

// renew rewrites the section in place.
func (w *rewriter) renew(form []template) {
	fresh := w.markersFresh()
	used := make([]bool, len(form))
	var gone []item // whose lines were replaced
	last := -1      // line before which missing entries go
	for _, i := range w.items() {
		t := find(form, i.entry)
		switch {
		case fresh && i.entry.isFor(w.head):
			w.result.Kept = append(w.result.Kept, i.entry.Name())
			w.kept = append(w.kept, strings.Join(w.text.slice(i.from, i.to), "\n"))
			if t >= 0 {
				used[t] = true
			}
		case t >= 0 && !used[t]:
			used[t], gone = true, append(gone, i)
			w.result.Reset = append(w.result.Reset, form[t].name)
			w.text.replace(i.from, i.to, form[t].lines)
		default:
			gone = append(gone, i)
			w.result.Dropped = append(w.result.Dropped, i.entry.Name())
			w.text.remove(i.from, i.to)
			continue
		}
		last = i.to
	}
	if marked := w.renewMarkers(gone); last < 0 {
		last = marked
	}
	for k, t := range form {
		if !used[k] {
			w.result.Added = append(w.result.Added, t.name)
			w.text.insertBlock(last, t.lines)
		}
	}
}

// markersFresh says whether the section is for the head already.
func (w *rewriter) markersFresh() bool {
	return len(w.ev.Markers) > 0 && !slices.ContainsFunc(w.ev.Markers, func(m Marker) bool { return m.Value.Text != w.head })
}

// isFor says whether no commit that the entry names is another one.
func (e Entry) isFor(head string) bool {
	if e.Implementation != nil && e.Implementation.SHA() != head {
		return false
	}
	return !slices.ContainsFunc(e.Observations, func(o Observation) bool { return o.Artifact != nil && o.Artifact.SHA() != head })
}

// find is the template for an entry: by id, else by match key where one of them has no id.
func find(form []template, e Entry) int {
	if e.Check.ID != "" {
		if i := slices.IndexFunc(form, func(t template) bool { return t.entry.Check.ID == e.Check.ID }); i >= 0 {
			return i
		}
	}
	return slices.IndexFunc(form, func(t template) bool {
		return t.entry.Check.Key == e.Check.Key && (t.entry.Check.ID == "" || e.Check.ID == "")
	})
}

// renewMarkers sees that the section is marked with the head: every marker that is left says so, or
// one is added below the heading. It returns the line after the first.
func (w *rewriter) renewMarkers(gone []item) int {
	first := -1
	for _, m := range w.ev.Markers {
		at := m.Value.Where.Line - 1
		if slices.ContainsFunc(gone, func(i item) bool { return i.from <= at && at < i.to }) {
			continue
		}
		if m.Value.Text != w.head {
			w.text.replace(at, at+1, []string{w.text.prefix(at) + headLabel + w.head})
		}
		if first < 0 {
			first = at + 1
		}
	}
	if first < 0 {
		first = w.headingEnd()
		w.text.insertBefore(first, headLabel+w.head)
	}
	return first
}

const headLabel = "Current PR head: "

// headingEnd is the line after the heading, below its underline when it has one.
func (w *rewriter) headingEnd() int {
	first := w.section.Title.Position(0).Line - 1
	if strings.HasPrefix(strings.TrimLeft(w.text.at(first), " "), "#") {
		return first + 1
	}
	for i := first + 1; i < w.text.count(); i++ {
		if line := strings.TrimSpace(w.text.at(i)); line != "" && strings.Trim(line, "=") == "" || line != "" && strings.Trim(line, "-") == "" {
			return i + 1
		}
	}
	return first + 1
}

// check reads the result as a judge would and refuses it unless the section is for the head, every
// check has its entry, and each entry is, to the line, one that was kept or one of the form.
func (w *rewriter) check(form []template) error {
	refuse := func(what string) error {
		return fmt.Errorf("the %s section cannot be renewed without touching other text (%s): paste the new section by hand", SectionName, what)
	}
	after, err := newRewriter(w.result.Body, w.head)
	if err != nil {
		return refuse(err.Error())
	}
	if after.section == nil {
		what := "the body would have no live section"
		for _, d := range after.ev.Diagnostics {
			what = d.Message
		}
		return refuse(what)
	}
	if !after.markersFresh() {
		return refuse("a head marker would be missing or name another commit")
	}
	expected := map[string]int{}
	for _, text := range w.kept {
		expected[text]++
	}
	for _, t := range form {
		if slices.Contains(w.result.Reset, t.name) || slices.Contains(w.result.Added, t.name) {
			expected[strings.Join(t.lines, "\n")]++
		}
	}
	for _, i := range after.items() {
		text := strings.Join(after.text.slice(i.from, i.to), "\n")
		if expected[text]--; expected[text] < 0 {
			return refuse("other text would become a part of the entry for " + i.entry.Name())
		}
	}
	for _, missing := range expected {
		if missing > 0 {
			return refuse("an entry would be lost")
		}
	}
	return nil
}
