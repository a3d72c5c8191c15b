package github

import (
	"maps"
	"os"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/vektah/gqlparser/v2"
	"github.com/vektah/gqlparser/v2/validator/rules"

	"github.com/evidence-gate/evidence-gate/internal/fulltest"
	"github.com/evidence-gate/evidence-gate/internal/githubtest"
)

// taskQueries are the operation that reads tasks by their numbers, as it is sent.
func taskQueries() map[string]string {
	of := maps.Clone(branchQueries)
	sent := map[string]string{}
	for name, numbers := range map[string][]int{"no task": nil, "one task": {7}, "two tasks": {7, 2147483647}} {
		of["Tasks"] = tasksQuery(numbers)
		sent[name] = of.operation("Tasks")
	}
	return sent
}

func TestTheSimulatorModelsTheQueriesForTasks(t *testing.T) {
	t.Parallel()
	for name, text := range taskQueries() {
		require.NoError(t, githubtest.ValidateQuery(text), name)
	}
}

func TestGitHubsSchemaHasTheQueriesForTasks(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile(fulltest.NPM(t, "@octokit/graphql-schema/schema.graphql"))
	require.NoError(t, err)
	schema := gitHubsSchema(t, string(text))
	for name, text := range taskQueries() {
		document, problems := gqlparser.LoadQueryWithRules(schema, text, rules.NewDefaultRules())
		require.Empty(t, problems, name)
		require.Empty(t, deprecated(document), name)
	}
}
