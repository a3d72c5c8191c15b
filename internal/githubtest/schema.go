package githubtest

import (
	_ "embed"
	"fmt"
	"slices"
	"sync"

	"github.com/vektah/gqlparser/v2"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/parser"
	"github.com/vektah/gqlparser/v2/validator"
	"github.com/vektah/gqlparser/v2/validator/rules"
)

// schemaText is the modelled part of GitHub's public GraphQL schema; the file names its source.
//
//go:embed schema.graphql
var schemaText string

// parsedSchema is the schema as gqlparser reads it.
var parsedSchema = sync.OnceValues(func() (*ast.Schema, error) {
	return gqlparser.LoadSchema(&ast.Source{Name: "schema.graphql", Input: schemaText})
})

// ValidateQuery says what of a GraphQL document the simulator does not model: unknown fields,
// arguments and types, variables that do not fit, unused fragments.
func ValidateQuery(text string) error {
	_, err := parseQuery(text)
	return err
}

func parseQuery(text string) (*ast.QueryDocument, error) {
	schema, err := parsedSchema()
	if err != nil {
		return nil, fmt.Errorf("githubtest: schema.graphql: %w", err)
	}
	document, problems := gqlparser.LoadQueryWithRules(schema, text, rules.NewDefaultRules())
	if len(problems) > 0 {
		return nil, problems
	}
	return document, nil
}

// PublishedSchema reads GitHub's whole public schema as the npm package @octokit/graphql-schema
// publishes it, which defines some fields twice.
func PublishedSchema(text string) (*ast.Schema, error) {
	document, err := parser.ParseSchemas(validator.Prelude, &ast.Source{Name: "GitHub", Input: text})
	if err != nil {
		return nil, fmt.Errorf("githubtest: reading GitHub's schema: %w", err)
	}
	for _, definition := range document.Definitions {
		seen := map[string]bool{}
		definition.Fields = slices.DeleteFunc(definition.Fields, func(f *ast.FieldDefinition) bool {
			twice := seen[f.Name]
			seen[f.Name] = true
			return twice
		})
	}
	schema, err := validator.ValidateSchemaDocument(document)
	if err != nil {
		return nil, fmt.Errorf("githubtest: GitHub's schema does not hold together: %w", err)
	}
	return schema, nil
}
