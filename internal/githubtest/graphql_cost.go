package githubtest

import (
	"fmt"
	"strings"

	"github.com/vektah/gqlparser/v2/ast"
)

// Limits: "Rate limits and query limits for the GraphQL API" in GitHub's documentation.
const (
	maxConnection = 100
	maxNodes      = 500_000
)

// queryCost is what a query may cost at most.
type queryCost struct {
	nodes    int
	requests int
}

// points of the hourly budget: one for each hundred connections asked for, at least one.
func (c queryCost) points() int { return max(1, (c.requests+50)/100) }

type costWalk struct {
	variables map[string]any
	cost      queryCost
	problems  []object
}

// measure checks the page sizes of all connections and adds up what they may return.
func measure(operation *ast.OperationDefinition, variables map[string]any) (queryCost, []object) {
	walk := &costWalk{variables: variables}
	walk.selections(operation.SelectionSet, nil, 1)
	return walk.cost, walk.problems
}

func (w *costWalk) selections(set ast.SelectionSet, path []any, parents int) {
	for _, selection := range set {
		switch s := selection.(type) {
		case *ast.Field:
			w.field(s, append(path[:len(path):len(path)], s.Alias), parents)
		case *ast.InlineFragment:
			w.selections(s.SelectionSet, path, parents)
		case *ast.FragmentSpread:
			w.selections(s.Definition.SelectionSet, path, parents)
		}
	}
}

func (w *costWalk) field(f *ast.Field, path []any, parents int) {
	if isConnection(f) {
		size := w.pageSize(f, path)
		w.cost.requests += parents
		parents *= max(1, size)
		w.cost.nodes += parents
		if w.cost.nodes > maxNodes && w.cost.nodes-parents <= maxNodes {
			w.refuse(f, path, "MAX_NODE_LIMIT_EXCEEDED", fmt.Sprintf("This query requests up to %d possible nodes which "+
				"exceeds the maximum limit of 500,000.", w.cost.nodes))
		}
	}
	w.selections(f.SelectionSet, path, parents)
}

func isConnection(f *ast.Field) bool {
	return f.Definition != nil && strings.HasSuffix(f.Definition.Type.Name(), "Connection") &&
		f.Definition.Arguments.ForName("first") != nil
}

// pageSize is what first or last ask for; one of them must be given and lie within 1 to 100.
func (w *costWalk) pageSize(f *ast.Field, path []any) int {
	arguments := f.ArgumentMap(w.variables)
	first, hasFirst := number(arguments["first"])
	last, hasLast := number(arguments["last"])
	switch {
	case !hasFirst && !hasLast:
		w.refuse(f, path, "MISSING_PAGINATION_BOUNDARIES", fmt.Sprintf("You must provide a `first` or `last` value to "+
			"properly paginate the `%s` connection.", f.Name))
		return 0
	case hasFirst && hasLast:
		w.refuse(f, path, "INVALID_PAGINATION", fmt.Sprintf("Passing both `first` and `last` to paginate the `%s` "+
			"connection is not supported.", f.Name))
		return 0
	case hasFirst:
		w.bound(f, path, "first", first)
		return first
	}
	w.bound(f, path, "last", last)
	return last
}

func (w *costWalk) bound(f *ast.Field, path []any, name string, n int) {
	if n > maxConnection {
		w.refuse(f, path, "EXCESSIVE_PAGINATION", fmt.Sprintf("Requesting %d records on the `%s` connection exceeds the "+
			"`%s` limit of 100 records.", n, f.Name, name))
	}
	if n < 0 {
		w.refuse(f, path, "INVALID_PAGINATION", fmt.Sprintf("`%s` on the `%s` connection cannot be less than zero.", name, f.Name))
	}
}

func (w *costWalk) refuse(f *ast.Field, path []any, kind, message string) {
	w.problems = append(w.problems, object{
		"type": kind, "path": path, "message": message,
		"locations": []object{{"line": f.Position.Line, "column": f.Position.Column}},
	})
}

func number(value any) (int, bool) {
	switch n := value.(type) {
	case int:
		return n, true
	case int64:
		return int(n), true
	case float64:
		return int(n), true
	}
	return 0, false
}
