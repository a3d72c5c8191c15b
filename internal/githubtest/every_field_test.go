package githubtest

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// Every member of the schema is asked for, so that each resolver runs.
func TestEveryField(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	issue := f.repo.AddIssue(IssueOptions{Labels: []string{"task"}})
	comment := issue.Comment("eng", "hi")
	comment.Edit("eng", "hello")
	pr := f.repo.OpenPullRequest(PullRequestOptions{Author: "eng", Body: "closes #1", Labels: []string{"docs"}})
	pr.RemoveLabel("lead", "docs")
	pr.AddLabel("lead", "docs")
	pr.Comment("helper[bot]", "hi")
	pr.Review(ReviewOptions{Author: "lead"}).Edit("lead", "text")
	f.repo.AddCheckRun(CheckRunOptions{SHA: pr.HeadSHA(), Name: "npm test", Workflow: "ci"})
	f.repo.AddStatus(StatusOptions{SHA: pr.HeadSHA(), Context: "ci"})
	issue.EditBody("eng", "edited")
	pr.Merge("lead")
	query := everyField(t)
	require.NoError(t, ValidateQuery(query))
	answer := f.graphql(query, nil)
	require.Equal(t, 200, answer.status)
	require.Nil(t, answer.object()["errors"], answer.text)
	require.Equal(t, "npm test", answer.at("data", "repository", "pullRequest", "statusCheckRollup", "contexts", "nodes", 0, "name"))
}

// everyField writes a query of every field of the schema, down to a few levels.
func everyField(t *testing.T) string {
	t.Helper()
	schema, err := parsedSchema()
	require.NoError(t, err)
	arguments := map[string]string{
		"repository": `(owner: "acme", name: "widgets")`, "pullRequest": "(number: 2)", "issue": "(number: 1)",
		"object": `(expression: "main")`,
	}
	var members func(typeName string, depth int, parent string) string
	members = func(typeName string, depth int, parent string) string {
		definition := schema.Types[typeName]
		if len(definition.Types) > 0 {
			var parts []string
			for _, member := range definition.Types {
				parts = append(parts, "... on "+member+members(member, depth, typeName))
			}
			return " { __typename " + strings.Join(parts, " ") + " }"
		}
		var parts []string
		for _, field := range definition.Fields {
			target := schema.Types[field.Type.Name()]
			leaf := len(target.Fields) == 0 && len(target.Types) == 0
			if strings.HasPrefix(field.Name, "__") || field.Name == "node" || (!leaf && depth == 0) {
				continue
			}
			if typeName == "IssueComment" && field.Name == "issue" && parent == "PullRequest" {
				continue // not modelled for comments on pull requests
			}
			text := field.Name
			if field.Name == "timelineItems" {
				text += "(first: 5, itemTypes: [LABELED_EVENT, UNLABELED_EVENT])"
			} else if field.Arguments.ForName("first") != nil {
				text += "(first: 5)"
			} else if len(field.Arguments) > 0 {
				text += arguments[field.Name]
			}
			if !leaf {
				from := typeName
				if strings.HasSuffix(typeName, "Connection") {
					from = parent
				}
				text += members(target.Name, depth-1, from)
			}
			parts = append(parts, text)
		}
		if len(parts) == 0 {
			return " { __typename }"
		}
		return " { " + strings.Join(parts, " ") + " }"
	}
	return "query Every" + members("Query", 7, "")
}
