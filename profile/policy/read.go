package policy

import (
	"strings"

	"github.com/evidence-gate/evidence-gate/report"
)

// Read reads the text of one policy file. The diagnostics, all of them policy.invalid, name every
// fault of the file, up to a bounded number; while there is one, the Policy must not be judged by.
// They point into the document "policy", or "organisation_policy" for the organisation's file.
func Read(text string, source Source) (Policy, []report.Diagnostic) {
	p := Default()
	p.Source = source
	p.lines = map[string]int{}
	text = normal(text)
	r := &reader{source: source, lines: strings.Split(text, "\n")}
	if !r.within(text) {
		return p, r.all()
	}
	root, ok := r.tree(text)
	if !ok {
		return p, r.all()
	}
	switch root.kind {
	case mapping:
		r.keys(root, scope{lines: p.lines}, field{}, fieldsOf(&p))
		r.policy(&p, root)
	case nothing:
		r.fault(spot{line: 1, column: 1}, "version: 1", "the policy is empty; its first line is the version")
	default:
		r.fault(root.at, "version: 1", "the policy is %s; it takes keys and values, beginning with the version", kindNames[root.kind])
	}
	return p, r.all()
}

// normal drops a byte order mark and turns every line break into LF, as all documents are read (M1).
func normal(text string) string {
	text = strings.TrimPrefix(text, "\ufeff")
	return strings.ReplaceAll(strings.ReplaceAll(text, "\r\n", "\n"), "\r", "\n")
}

// policy looks at the file as a whole.
func (r *reader) policy(p *Policy, root node) {
	if _, there := root.has("version"); !there {
		r.fault(spot{line: root.at.line, column: 1}, "version: 1", "the policy has no version")
	}
	if floor, there := root.has("floor"); there {
		p.Floor.Keys, p.Floor.Line = floorKeys(floor.value), floor.at.line
		if r.source == Repository && len(floor.value.entries) > 0 {
			r.fault(floor.at, "remove the key; in "+Path+" of the organisation's repository .github it holds for every repository",
				"floor is read from the organisation's file only")
		}
	}
	r.unique(root, "name", func(c Check) string { return c.Name }, p.Checks)
	r.unique(root, "id", func(c Check) string { return c.ID }, p.Checks)
}

func floorKeys(n node) []string {
	var given []string
	for _, e := range n.entries {
		given = append(given, e.key)
	}
	return given
}

// unique wants the names, and the ids, of checks to differ.
func (r *reader) unique(root node, key string, of func(Check) string, checks []Check) {
	listed, _ := root.has("checks")
	seen := map[string]int{}
	for i, c := range checks {
		name := of(c)
		if name == "" {
			continue
		}
		if before, twice := seen[name]; twice {
			at := spot{line: c.Line, column: 1}
			if len(listed.value.items) == len(checks) {
				if e, there := listed.value.items[i].has(key); there {
					at = e.value.at
				}
			}
			r.fault(at, "give each entry of checks its own "+key, "the %s %s stands twice; line %d has it already", key, shown(name), before)
			continue
		}
		seen[name] = c.Line
	}
}
