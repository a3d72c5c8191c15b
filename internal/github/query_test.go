package github

import (
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/vektah/gqlparser/v2"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/parser"
	"github.com/vektah/gqlparser/v2/validator"
	"github.com/vektah/gqlparser/v2/validator/rules"

	"github.com/evidence-gate/evidence-gate/internal/fulltest"
	"github.com/evidence-gate/evidence-gate/internal/githubtest"
)

// queries are all operations as they are sent.
func queries() map[string]string {
	sent := map[string]string{}
	for _, d := range []document{pullRequestQueries, findQueries} {
		for name, text := range d {
			if strings.HasPrefix(text, "query ") {
				sent[name] = d.operation(name)
			}
		}
	}
	return sent
}

func TestTheFilesAreWholeDocuments(t *testing.T) {
	t.Parallel()
	for _, text := range []string{pullRequestText, findText} {
		require.NoError(t, githubtest.ValidateQuery(text), "no fragment is unused")
	}
	require.Len(t, queries(), 13)
}

func TestTheSimulatorModelsEveryQuery(t *testing.T) {
	t.Parallel()
	for name, text := range queries() {
		require.NoError(t, githubtest.ValidateQuery(text), name)
	}
}

func TestGitHubsSchemaHasEveryQuery(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile(fulltest.NPM(t, "@octokit/graphql-schema/schema.graphql"))
	require.NoError(t, err)
	schema := gitHubsSchema(t, string(text))
	for name, text := range queries() {
		document, problems := gqlparser.LoadQueryWithRules(schema, text, rules.NewDefaultRules())
		require.Empty(t, problems, name)
		for _, field := range deprecated(document) {
			t.Errorf("%s asks for %s, which GitHub is going to remove", name, field)
		}
	}
}

// gitHubsSchema reads the published schema, in which some fields stand twice.
func gitHubsSchema(t *testing.T, text string) *ast.Schema {
	t.Helper()
	parsed, err := parser.ParseSchemas(validator.Prelude, &ast.Source{Name: "GitHub's schema", Input: text})
	require.NoError(t, err)
	for _, definition := range parsed.Definitions {
		once := map[string]bool{}
		definition.Fields = slices.DeleteFunc(definition.Fields, func(f *ast.FieldDefinition) bool {
			twice := once[f.Name]
			once[f.Name] = true
			return twice
		})
	}
	schema, err := validator.ValidateSchemaDocument(parsed)
	require.NoError(t, err)
	return schema
}

// deprecated lists the fields that GitHub marks as such.
func deprecated(document *ast.QueryDocument) []string {
	var found []string
	var walk func(ast.SelectionSet)
	walk = func(set ast.SelectionSet) {
		for _, s := range set {
			switch s := s.(type) {
			case *ast.Field:
				if s.Definition.Directives.ForName("deprecated") != nil {
					found = append(found, s.ObjectDefinition.Name+"."+s.Name)
				}
				walk(s.SelectionSet)
			case *ast.InlineFragment:
				walk(s.SelectionSet)
			}
		}
	}
	for _, o := range document.Operations {
		walk(o.SelectionSet)
	}
	for _, f := range document.Fragments {
		walk(f.SelectionSet)
	}
	return found
}
