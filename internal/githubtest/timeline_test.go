package githubtest

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// https://docs.github.com/en/graphql/reference/objects#labeledevent
func TestTheTimelineTellsWhoSetALabel(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	pr := f.repo.OpenPullRequest(PullRequestOptions{Author: "eng", Labels: []string{"docs"}})
	f.clock.Advance(time.Minute)
	pr.RemoveLabel("lead", "docs")
	pr.AddLabel("helper[bot]", "docs")
	pr.AddLabel("lead", "docs") // is set already
	const event = "label { name } actor { __typename login } createdAt"
	answer := f.pull(1, "timelineItems(last: 2, itemTypes: [LABELED_EVENT, UNLABELED_EVENT]) { totalCount filteredCount pageCount pageInfo { hasPreviousPage } "+
		"nodes { __typename ... on LabeledEvent { "+event+" } ... on UnlabeledEvent { "+event+" } } }")
	require.EqualValues(t, 3, answer.pull("timelineItems", "totalCount"))
	require.EqualValues(t, 2, answer.pull("timelineItems", "pageCount"))
	require.Equal(t, true, answer.pull("timelineItems", "pageInfo", "hasPreviousPage"))
	require.Equal(t, "UnlabeledEvent", answer.pull("timelineItems", "nodes", 0, "__typename"))
	require.Equal(t, "lead", answer.pull("timelineItems", "nodes", 0, "actor", "login"))
	require.Equal(t, "LabeledEvent", answer.pull("timelineItems", "nodes", 1, "__typename"))
	require.Equal(t, "Bot", answer.pull("timelineItems", "nodes", 1, "actor", "__typename"))
	require.Equal(t, start.Add(time.Minute).Format(time.RFC3339), answer.pull("timelineItems", "nodes", 1, "createdAt"))
	set := f.pull(1, "timelineItems(first: 5, itemTypes: [LABELED_EVENT]) { nodes { ... on LabeledEvent { "+event+" } } }")
	require.Equal(t, "eng", set.pull("timelineItems", "nodes", 0, "actor", "login"), "labels given at the opening have their event")
}

func TestTheWorkflowBehindARunNeedsItsPermission(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	pr := f.repo.OpenPullRequest(PullRequestOptions{Author: "eng"})
	f.repo.AddCheckRun(CheckRunOptions{SHA: pr.HeadSHA(), Name: "test", Workflow: "ci"})
	const members = "statusCheckRollup { contexts(first: 1) { nodes { ... on CheckRun { name checkSuite { workflowRun { workflow { name } } } } } } }"
	run := []any{"statusCheckRollup", "contexts", "nodes", 0, "checkSuite", "workflowRun"}
	require.Equal(t, "ci", f.pull(1, members).pull(append(run, "workflow", "name")...))
	f.server.World().Installation("acme").SetPermission("actions", "")
	refused := f.pull(1, members)
	require.Equal(t, "FORBIDDEN", refused.at("errors", 0, "type"))
	require.Nil(t, refused.at(append([]any{"data", "repository", "pullRequest"}, run...)...))
}

func TestAnOlderServerLacksFields(t *testing.T) {
	t.Parallel()
	server, err := New(t, Options{Lacks: []string{"Repository.isArchived", "Issue.title"}})
	require.NoError(t, err)
	t.Cleanup(server.Close)
	server.World().AddRepository("acme/widgets", RepositoryOptions{})
	server.World().AddUserToken("ghp_x", "acme")
	f := &fixture{T: t, server: server, token: "ghp_x"}
	refused := f.graphql(`{ repository(owner: "acme", name: "widgets") { isArchived ...R } } fragment R on Repository { issue(number: 1) { title } }`, nil)
	require.Nil(t, refused.object()["data"])
	require.Equal(t, "Field 'isArchived' doesn't exist on type 'Repository'", refused.at("errors", 0, "message"))
	require.Equal(t, map[string]any{"code": "undefinedField", "typeName": "Issue", "fieldName": "title"}, refused.at("errors", 1, "extensions"))
	require.Nil(t, f.graphql("{ rateLimit { cost } }", nil).object()["errors"], "what does not ask for them is answered")
}
