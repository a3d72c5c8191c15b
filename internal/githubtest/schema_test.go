package githubtest

import (
	"os"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/vektah/gqlparser/v2/ast"

	"github.com/evidence-gate/evidence-gate/internal/fulltest"
)

func TestResolversFitTheSchema(t *testing.T) {
	t.Parallel()
	NewT(t) // ParseSchema refuses a schema field without its resolver
}

func TestValidateQuery(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ name, query, problem string }{
		{"fine", `query($n: Int!) { repository(owner: "a", name: "b") { pullRequest(number: $n) { title } } }`, ""},
		{"unknown field", `{ repository(owner: "a", name: "b") { stargazerCount } }`, `"stargazerCount" on type "Repository"`},
		{"unknown argument", `{ repository(owner: "a", name: "b", x: 1) { name } }`, `"x" on field "Query.repository"`},
		{"missing argument", `{ repository(owner: "a") { name } }`, `"name"`},
		{"unknown type", `query($n: PullRequestID) { rateLimit { cost } }`, "PullRequestID"},
		{"variable of the wrong type", `query($n: String!) { repository(owner: "a", name: "b") { issue(number: $n) { title } } }`, "$n"},
		{"unused fragment", `fragment F on Issue { title } query { rateLimit { cost } }`, `"F"`},
		{"unknown union member", `{ node(id: "x") { ... on Gist { id } } }`, "Gist"},
		{"no GraphQL", `select 1`, "Unexpected"},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			err := ValidateQuery(test.query)
			if test.problem == "" {
				require.NoError(t, err)
				return
			}
			require.ErrorContains(t, err, test.problem)
		})
	}
}

// Every type, field, argument and enum value of the trimmed schema must be GitHub's own.
func TestSchemaIsPartOfGitHubs(t *testing.T) {
	t.Parallel()
	file := fulltest.NPM(t, "@octokit/graphql-schema/schema.graphql")
	published, err := os.ReadFile(file)
	require.NoError(t, err)
	full, err := PublishedSchema(string(published))
	require.NoError(t, err)
	trimmed, err := parsedSchema()
	require.NoError(t, err)
	for name, definition := range trimmed.Types {
		if definition.BuiltIn {
			continue
		}
		theirs := full.Types[name]
		if theirs == nil {
			t.Errorf("GitHub has no type %s", name)
			continue
		}
		compareType(t, definition, theirs)
	}
}

func compareType(t *testing.T, ours, theirs *ast.Definition) {
	t.Helper()
	require.Equal(t, theirs.Kind, ours.Kind, ours.Name)
	require.Subset(t, theirs.Interfaces, ours.Interfaces, ours.Name)
	require.Subset(t, theirs.Types, ours.Types, ours.Name)
	for _, value := range ours.EnumValues {
		require.NotNilf(t, theirs.EnumValues.ForName(value.Name), "%s.%s", ours.Name, value.Name)
	}
	for _, field := range ours.Fields {
		if field.Name == "__schema" || field.Name == "__type" {
			continue
		}
		full := theirs.Fields.ForName(field.Name)
		require.NotNilf(t, full, "GitHub has no field %s.%s", ours.Name, field.Name)
		require.Equalf(t, full.Type.String(), field.Type.String(), "type of %s.%s", ours.Name, field.Name)
		for _, argument := range field.Arguments {
			known := full.Arguments.ForName(argument.Name)
			require.NotNilf(t, known, "GitHub has no argument %s.%s(%s)", ours.Name, field.Name, argument.Name)
			require.Equalf(t, known.Type.String(), argument.Type.String(), "type of %s.%s(%s)", ours.Name, field.Name, argument.Name)
			require.Equalf(t, known.DefaultValue.String(), argument.DefaultValue.String(), "default of %s.%s(%s)", ours.Name, field.Name, argument.Name)
		}
		for _, argument := range full.Arguments {
			required := argument.Type.NonNull && argument.DefaultValue == nil
			require.Falsef(t, required && field.Arguments.ForName(argument.Name) == nil, "GitHub requires %s.%s(%s)", ours.Name, field.Name, argument.Name)
		}
	}
}
