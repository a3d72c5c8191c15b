package propose

import (
	"slices"
)

// The layers in the order in which a project is put together; policy validate demands the first four.
var (
	demanded = []string{"install", "lint", "typecheck", "test"}
	order    = []string{"install", "lint", "typecheck", "test", "build", "docs"}
)

// steps are those of every kind of project that the root is, in a fixed order.
func (l *look) steps() []Step {
	var steps []Step
	for _, of := range []func() []Step{l.goSteps, l.nodeSteps, l.cargoSteps, l.pythonSteps} {
		steps = append(steps, of()...)
	}
	return withTargets(steps, l.makeSteps())
}

// withTargets adds the targets of a Makefile, which are the project's own words: they take the place
// of what is only usual, and stand back where another file names the command, and where one says how
// the project is installed.
func withTargets(steps, targets []Step) []Step {
	for _, t := range targets {
		if slices.ContainsFunc(steps, func(s Step) bool { return s.Layer == t.Layer && !s.usual }) {
			continue
		}
		steps = slices.DeleteFunc(steps, func(s Step) bool { return s.Layer == t.Layer })
		steps = append(steps, t)
	}
	return steps
}

// arranged gives the steps their order, phases and names. A name that two kinds of project share gets
// the kind before it.
func arranged(steps []Step) []Step {
	slices.SortStableFunc(steps, func(a, b Step) int {
		return slices.Index(order, a.Layer) - slices.Index(order, b.Layer)
	})
	count := map[string]int{}
	for _, s := range steps {
		count[s.Layer]++
	}
	for i := range steps {
		s := &steps[i]
		s.Phase = "check"
		if s.Layer == "install" {
			s.Phase = "setup"
		}
		s.Name = s.Layer
		if count[s.Layer] > 1 {
			s.Name = kinds[s.From] + " " + s.Layer
		}
	}
	return steps
}

// kinds are what the files say a project is.
var kinds = map[string]string{
	goFile: "go", nodeFile: "node", cargoFile: "rust", pythonFile: "python", makeFile: "make",
}

func open(steps []Step) []string {
	return slices.DeleteFunc(slices.Clone(demanded), func(layer string) bool {
		return slices.ContainsFunc(steps, func(s Step) bool { return s.Layer == layer })
	})
}

// table makes steps of rows of a layer and a command; rows without a command are left out.
func table(from string, rows ...Step) []Step {
	rows = slices.DeleteFunc(rows, func(s Step) bool { return s.Run == "" })
	for i := range rows {
		rows[i].From = from
	}
	return rows
}
