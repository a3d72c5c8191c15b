package githubtest

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/graph-gophers/graphql-go"
	"github.com/vektah/gqlparser/v2/ast"
)

// graphqlError is an error with GitHub's type, given beside partial data.
type graphqlError struct {
	kind    string
	message string
}

func (e *graphqlError) Error() string { return e.message }

func unresolved(format string, args ...any) error {
	return &graphqlError{kind: "NOT_FOUND", message: fmt.Sprintf("Could not resolve to "+format, args...)}
}

const inaccessible = "Resource not accessible by integration"

func forbidden() error { return &graphqlError{kind: "FORBIDDEN", message: inaccessible} }

// finish makes GitHub's answer of the executed query: partial data and errors with type and place.
func (s *Server) finish(ctx context.Context, run *execution, operation *ast.OperationDefinition, result *graphql.Response) response {
	var list []object
	for _, e := range result.Errors {
		answer := object{"message": e.Message, "path": e.Path}
		if known, ok := e.ResolverError.(*graphqlError); ok {
			answer["type"] = known.kind
			if known.kind == "FORBIDDEN" {
				answer["extensions"] = object{"saml_failure": false}
			}
		} else if ctx.Err() == nil { // a caller that went away, such as a killed process, did nothing wrong
			s.reporter.Errorf("githubtest: GraphQL: executing the query failed: %s", e.Message)
		}
		if f := fieldAt(operation.SelectionSet, e.Path); f != nil {
			answer["locations"] = []object{{"line": f.Position.Line, "column": f.Position.Column}}
		}
		list = append(list, answer)
	}
	if run.hidden.Load() {
		list = append(list, hiddenElements(operation.SelectionSet, result.Data)...)
	}
	body := object{"data": result.Data}
	if result.Data == nil {
		body["data"] = nil
	}
	if len(list) > 0 {
		body["errors"] = list
	}
	return ok(body)
}

// fieldAt finds the field that a path of an answer leads to.
func fieldAt(set ast.SelectionSet, path []any) *ast.Field {
	var found *ast.Field
	for _, step := range path {
		name, isField := step.(string)
		if !isField {
			continue
		}
		if found, set = fieldNamed(set, name); found == nil {
			return nil
		}
	}
	return found
}

// fieldNamed finds what a selection asks for under a name, and the merged selection below it.
func fieldNamed(set ast.SelectionSet, alias string) (*ast.Field, ast.SelectionSet) {
	var first *ast.Field
	var below ast.SelectionSet
	add := func(f *ast.Field, selected ast.SelectionSet) {
		if first == nil {
			first = f
		}
		below = append(below, selected...)
	}
	for _, selection := range set {
		switch s := selection.(type) {
		case *ast.Field:
			if s.Alias == alias {
				add(s, s.SelectionSet)
			}
		case *ast.InlineFragment:
			if f, selected := fieldNamed(s.SelectionSet, alias); f != nil {
				add(f, selected)
			}
		case *ast.FragmentSpread:
			if f, selected := fieldNamed(s.Definition.SelectionSet, alias); f != nil {
				add(f, selected)
			}
		}
	}
	return first, below
}

// hiddenElements makes the errors for elements of lists that are null because the token may not
// read them.
func hiddenElements(set ast.SelectionSet, data json.RawMessage) []object {
	var decoded any
	if json.Unmarshal(data, &decoded) != nil {
		return nil
	}
	var list []object
	walkNulls(set, decoded, nil, func(f *ast.Field, path []any) {
		list = append(list, object{
			"type": "FORBIDDEN", "message": inaccessible, "path": path, "extensions": object{"saml_failure": false},
			"locations": []object{{"line": f.Position.Line, "column": f.Position.Column}},
		})
	})
	return list
}

// walkNulls visits every null element of a list of nodes.
func walkNulls(set ast.SelectionSet, data any, path []any, visit func(*ast.Field, []any)) {
	members, ok := data.(map[string]any)
	if !ok {
		return
	}
	for _, alias := range sortedKeys(members) {
		f, below := fieldNamed(set, alias)
		if f == nil {
			continue
		}
		here := append(path[:len(path):len(path)], alias)
		elements, isList := members[alias].([]any)
		if !isList {
			walkNulls(below, members[alias], here, visit)
			continue
		}
		for i, element := range elements {
			place := append(here[:len(here):len(here)], i)
			if element == nil && f.Name == "nodes" {
				visit(f, place)
			}
			walkNulls(below, element, place, visit)
		}
	}
}
