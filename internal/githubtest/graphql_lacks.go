package githubtest

import (
	"slices"

	"github.com/vektah/gqlparser/v2/ast"
)

// unknownFields words the errors of an older server for the fields of a document that it lacks.
func unknownFields(document *ast.QueryDocument, lacks []string) []object {
	var problems []object
	visit := func(f *ast.Field) {
		of := f.ObjectDefinition.Name
		if !slices.Contains(lacks, of+"."+f.Name) {
			return
		}
		problems = append(problems, object{
			"message":    "Field '" + f.Name + "' doesn't exist on type '" + of + "'",
			"locations":  []object{{"line": f.Position.Line, "column": f.Position.Column}},
			"extensions": object{"code": "undefinedField", "typeName": of, "fieldName": f.Name},
		})
	}
	for _, operation := range document.Operations {
		visitFields(operation.SelectionSet, visit)
	}
	for _, fragment := range document.Fragments {
		visitFields(fragment.SelectionSet, visit)
	}
	return problems
}

// visitFields visits the fields of a selection and those below; fragments that it spreads are left
// out.
func visitFields(set ast.SelectionSet, visit func(*ast.Field)) {
	for _, selection := range set {
		switch s := selection.(type) {
		case *ast.Field:
			visit(s)
			visitFields(s.SelectionSet, visit)
		case *ast.InlineFragment:
			visitFields(s.SelectionSet, visit)
		}
	}
}
