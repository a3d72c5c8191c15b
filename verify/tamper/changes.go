package tamper

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// What happened to a step, or to another part of the form.
const (
	Edited  = "edited"
	Added   = "added"
	Removed = "removed"
)

// The parts of a form that change.
const (
	PartStep    = "step"
	PartOrder   = "order" // the same steps in another order
	PartEnv     = "env"
	PartPassEnv = "pass_env"
	PartKind    = "kind"
)

// Change is one difference between two forms.
type Change struct {
	Part   string  `json:"part"`
	Step   string  `json:"step,omitempty"` // name of the step, or of the variable
	Change string  `json:"change"`
	Fields []Field `json:"-"` // of an edited step, and of the kind: for the person who decides
}

// Field is a value that an edit replaced, as the policy file might write it.
type Field struct{ Name, Was, Is string }

// String is the change in words, without the values.
func (c Change) String() string {
	switch c.Part {
	case PartOrder:
		return "the order of the steps was changed"
	case PartKind:
		return "the kind was changed"
	case PartStep:
		if c.Change == Edited {
			return fmt.Sprintf("step %q was edited (%s)", c.Step, strings.Join(c.names(), ", "))
		}
		return fmt.Sprintf("step %q was %s", c.Step, c.Change)
	}
	return fmt.Sprintf("%s %s was %s", c.Part, c.Step, c.Change)
}

func (c Change) names() []string {
	var names []string
	for _, f := range c.Fields {
		names = append(names, f.Name)
	}
	return names
}

// Changes lists what became of one form in another: the steps in their order, then the rest.
func Changes(was, is Form) []Change {
	changes := stepChanges(was.Steps, is.Steps)
	changes = append(changes, variableChanges(was.Env, is.Env)...)
	for _, name := range is.PassEnv {
		if !slices.Contains(was.PassEnv, name) {
			changes = append(changes, Change{Part: PartPassEnv, Step: name, Change: Added})
		}
	}
	for _, name := range was.PassEnv {
		if !slices.Contains(is.PassEnv, name) {
			changes = append(changes, Change{Part: PartPassEnv, Step: name, Change: Removed})
		}
	}
	if was.Kind != is.Kind {
		changes = append(changes, Change{Part: PartKind, Change: Edited, Fields: []Field{{PartKind, was.Kind, is.Kind}}})
	}
	return changes
}

// identity is by what two forms have a step in common: its name, or the id of one without a name.
type identity struct{ name, id string }

func (s Step) identity() identity {
	if s.Name != "" {
		return identity{name: s.Name}
	}
	return identity{id: s.ID}
}

func stepChanges(was, is []Step) []Change {
	before := map[identity]Step{}
	for _, s := range was {
		before[s.identity()] = s
	}
	var changes []Change
	now := map[identity]bool{}
	var kept []identity
	for _, s := range is {
		id := s.identity()
		now[id] = true
		old, there := before[id]
		switch {
		case !there:
			changes = append(changes, Change{Part: PartStep, Step: s.title(), Change: Added, Fields: s.fields()})
			continue
		case len(difference(old, s)) > 0:
			changes = append(changes, Change{Part: PartStep, Step: s.title(), Change: Edited, Fields: difference(old, s)})
		}
		kept = append(kept, id)
	}
	var order []identity
	for _, s := range was {
		if now[s.identity()] {
			order = append(order, s.identity())
			continue
		}
		changes = append(changes, Change{Part: PartStep, Step: s.title(), Change: Removed, Fields: swapped(s.fields())})
	}
	if !slices.Equal(order, kept) {
		changes = append(changes, Change{Part: PartOrder, Change: Edited})
	}
	return changes
}

func variableChanges(was, is map[string]string) []Change {
	all := maps.Clone(was)
	if all == nil {
		all = map[string]string{}
	}
	maps.Copy(all, is)
	var changes []Change
	for _, name := range slices.Sorted(maps.Keys(all)) {
		old, before := was[name]
		value, now := is[name]
		switch {
		case !before:
			changes = append(changes, Change{Part: PartEnv, Step: name, Change: Added})
		case !now:
			changes = append(changes, Change{Part: PartEnv, Step: name, Change: Removed})
		case old != value:
			changes = append(changes, Change{Part: PartEnv, Step: name, Change: Edited})
		}
	}
	return changes
}

// fields are the values of a step by the names of the policy file.
func (s Step) fields() []Field {
	run := s.Run
	if len(s.Args) > 0 {
		run = quotedList(s.Args)
	}
	return []Field{
		{Name: "id", Is: s.ID}, {Name: "run", Is: run}, {Name: "phase", Is: s.Phase}, {Name: "layer", Is: s.Layer},
		{Name: "timeout", Is: shownTime(s.Timeout)}, {Name: "tags", Is: quotedList(s.Tags)}, {Name: "default", Is: fmt.Sprint(s.Default)},
		{Name: "probe", Is: s.Probe}, {Name: "probe_timeout", Is: shownTime(s.ProbeTimeout)}, {Name: "stage", Is: s.Stage},
	}
}

// difference lists the fields whose values differ.
func difference(was, is Step) []Field {
	old := was.fields()
	var fields []Field
	for i, f := range is.fields() {
		if old[i].Is != f.Is {
			fields = append(fields, Field{f.Name, old[i].Is, f.Is})
		}
	}
	return fields
}

func swapped(fields []Field) []Field {
	for i, f := range fields {
		fields[i] = Field{Name: f.Name, Was: f.Is}
	}
	return fields
}

func quotedList(words []string) string {
	if len(words) == 0 {
		return ""
	}
	var quoted []string
	for _, w := range words {
		quoted = append(quoted, fmt.Sprintf("%q", w))
	}
	return "[" + strings.Join(quoted, ", ") + "]"
}

func shownTime(milliseconds int64) string { return fmt.Sprintf("%dms", milliseconds) }
