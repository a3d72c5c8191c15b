package criteria

import (
	"strings"

	"github.com/evidence-gate/evidence-gate/internal/checkline"
	"github.com/evidence-gate/evidence-gate/internal/markdown"
	"github.com/evidence-gate/evidence-gate/report"
)

// Bounds of one judgement: beyond them nothing is found any more, so that hostile documents cost no
// more than honest ones. Nobody writes that many criteria.
const (
	maxSearched = 64 << 20 // bytes of evidence in which names of tests are looked for
	leastSearch = 64       // what looking into one check counts at least
	maxCompared = 4000     // commands that are compared as shell commands
)

// index finds what evidence names.
type index struct {
	byID     map[string]*report.Check
	byKey    map[string][]*report.Check // folded text -> checks, in order
	proved   []*report.Check            // those that passed
	waiting  map[string]bool            // names of checks that only wait for somebody else
	changed  map[string]bool            // paths
	commands []command
	exact    map[string]int      // spelling -> place in commands
	named    map[string]*command // what was looked up
	texts    map[*report.Check][]string
	red      map[*report.Check]bool // failed before it passed

	searched int
	compared int
}

func newIndex(f Facts) *index {
	x := &index{byID: make(map[string]*report.Check, len(f.Checks)), byKey: make(map[string][]*report.Check, len(f.Checks)),
		waiting: map[string]bool{}, changed: make(map[string]bool, len(f.ChangedPaths)), exact: map[string]int{}, named: map[string]*command{},
		texts: map[*report.Check][]string{}, red: map[*report.Check]bool{}}
	for i := range f.Checks {
		c := &f.Checks[i]
		if c.ID != nil {
			x.byID[*c.ID] = c
		}
		key := keyOf(c.Text)
		x.byKey[key] = append(x.byKey[key], c)
		if passed(c) {
			x.proved = append(x.proved, c)
		}
	}
	x.readWaiting(f.Diagnostics)
	for _, path := range f.ChangedPaths {
		x.changed[path] = true
	}
	x.readCommands(f)
	return x
}

// readWaiting finds the checks whose errors are all for others than engineers to settle.
func (x *index) readWaiting(diagnostics []report.Diagnostic) {
	engineers := map[string]bool{}
	for _, d := range diagnostics {
		if d.Check != nil && d.Severity == report.Error {
			x.waiting[*d.Check] = true
			engineers[*d.Check] = engineers[*d.Check] || d.Owner == report.Engineer
		}
	}
	for name, engineer := range engineers {
		x.waiting[name] = !engineer
	}
}

// keyOf folds the text of a check, as entries without an id are matched (section 5, rule 1).
func keyOf(text string) string {
	return checkline.Squeeze(strings.ReplaceAll(strings.ToLower(markdown.StripInvisible(text)), "`", ""))
}

// find are the checks of a name: one by its id, else those with that text.
func (x *index) find(name string) []*report.Check {
	if c := x.byID[checkID(name)]; c != nil {
		return []*report.Check{c}
	}
	if found := x.byKey[keyOf(name)]; len(found) > 0 {
		return found
	}
	return x.byKey[keyOf(strings.TrimRight(name, ". "))]
}

// says are the texts of a check's evidence, white space collapsed within their lines.
func (x *index) says(c *report.Check) []string {
	if texts, ok := x.texts[c]; ok {
		return texts
	}
	var texts []string
	add := func(text string) {
		if text = collapse(text); text != "" {
			texts = append(texts, text)
		}
	}
	add(c.Evidence)
	for _, o := range c.Observations {
		add(o.Result)
	}
	x.texts[c] = texts
	return texts
}

// collapse turns runs of white space into one space and keeps line ends.
func collapse(text string) string {
	lines := strings.Split(text, "\n")
	for i, l := range lines {
		lines[i] = markdown.Squeeze(l)
	}
	return strings.TrimSpace(strings.Join(lines, "\n"))
}

// passed reports whether a check is satisfied by a pass, and not by the triage of a failure.
func passed(c *report.Check) bool {
	return c.Satisfied && (c.Verdict == nil || *c.Verdict == "passed")
}
