package githubtest

import (
	"encoding/json"
	"net/http"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/stretchr/testify/require"

	"github.com/evidence-gate/evidence-gate/internal/fulltest"
)

// operation is one documented endpoint and a request to it.
type operation struct {
	method, documented, path string
	body                     any
	status                   int
	app                      bool
}

// exchange is an answer of the simulator to an operation.
type exchange struct {
	operation
	reply reply
}

// conversation asks every modelled endpoint something.
func conversation(t *testing.T) []exchange {
	t.Helper()
	f := newFixture(t)
	f.repo.SetRole("eng", "triage")
	f.server.World().AddCustomRole("release-manager", "maintain")
	f.repo.SetRole("lead", "release-manager")
	f.server.World().AddTeamMember("acme", "core", "lead")
	f.server.World().AddUserToken("ghp_lead", "lead")
	issue := f.repo.AddIssue(IssueOptions{Author: "lead", Body: "text", Labels: []string{"task"}, Type: "Bug"})
	talk := "/repos/acme/widgets/issues/comments/" + strconv.FormatInt(issue.Comment("eng", "a comment").ID(), 10)
	pr := f.repo.OpenPullRequest(PullRequestOptions{Author: "eng", Fork: "eng"})
	pr.Comment("eng", "a comment")
	merged := f.repo.OpenPullRequest(PullRequestOptions{Author: "eng", Commits: []Commit{
		{Files: []File{{Path: "b.go", Previous: "a.go", Status: "renamed"}}},
	}})
	sha := merged.HeadSHA()
	run := strconv.FormatInt(f.repo.AddCheckRun(CheckRunOptions{SHA: sha, Name: "Evidence", App: f.server.App().Slug}), 10)
	merged.Merge("lead")
	f.repo.AddIssue(IssueOptions{}).Transfer("lead", f.server.World().AddRepository("acme/gadgets", RepositoryOptions{}))
	installation := strconv.FormatInt(f.server.World().Installation("acme").ID(), 10)
	f.server.Webhooks().SetTarget("http://127.0.0.1:1")
	for range 2 {
		_, err := f.server.Webhooks().Ping(t.Context())
		require.NoError(t, err)
	}
	f.server.Webhooks().SetTarget("")
	const repo = "/repos/{owner}/{repo}"
	create := map[string]any{
		"name": "Evidence", "head_sha": sha, "status": "completed", "conclusion": "success",
		"output":  map[string]any{"title": "Fine", "summary": "All is there"},
		"actions": []any{map[string]any{"label": "Evaluate", "description": "Judge again", "identifier": "evaluate"}},
	}
	var all []exchange
	for _, o := range []operation{
		{"GET", "/app", "/app", nil, 200, true},
		{"GET", "/app/installations", "/app/installations", nil, 200, true},
		{"GET", "/app/installations/{installation_id}", "/app/installations/" + installation, nil, 200, true},
		{"GET", repo + "/installation", "/repos/acme/widgets/installation", nil, 200, true},
		{"POST", "/app/installations/{installation_id}/access_tokens", "/app/installations/" + installation + "/access_tokens", map[string]any{"repositories": []string{"widgets"}, "permissions": map[string]any{"checks": "write"}}, 201, true},
		{"GET", "/installation/repositories", "/installation/repositories", nil, 200, false},
		{"GET", "/app/hook/deliveries", "/app/hook/deliveries?per_page=1", nil, 200, true},
		{"POST", "/app/hook/deliveries/{delivery_id}/attempts", "/app/hook/deliveries/" + strconv.Itoa(firstDeliveryID) + "/attempts", nil, 202, true},
		{"POST", "/app/hook/deliveries/{delivery_id}/attempts", "/app/hook/deliveries/1/attempts", nil, 404, true},
		{"GET", "/rate_limit", "/rate_limit", nil, 200, false},
		{"GET", repo, "/repos/acme/widgets", nil, 200, false},
		{"GET", repo + "/pulls", "/repos/acme/widgets/pulls?state=all", nil, 200, false},
		{"GET", repo + "/pulls/{pull_number}", "/repos/acme/widgets/pulls/2", nil, 200, false},
		{"GET", repo + "/pulls/{pull_number}", "/repos/acme/widgets/pulls/3", nil, 200, false},
		{"PATCH", repo + "/pulls/{pull_number}", "/repos/acme/widgets/pulls/2", map[string]any{"body": "changed"}, 200, false},
		{"GET", repo + "/pulls/{pull_number}/files", "/repos/acme/widgets/pulls/3/files", nil, 200, false},
		{"POST", repo + "/pulls/{pull_number}/requested_reviewers", "/repos/acme/widgets/pulls/2/requested_reviewers", map[string]any{"reviewers": []string{"lead"}, "team_reviewers": []string{"core"}}, 201, false},
		{"POST", repo + "/pulls/{pull_number}/requested_reviewers", "/repos/acme/widgets/pulls/2/requested_reviewers", map[string]any{"reviewers": []string{"eng"}}, 422, false},
		{"GET", repo + "/issues/{issue_number}", "/repos/acme/widgets/issues/1", nil, 200, false},
		{"GET", repo + "/issues/{issue_number}", "/repos/acme/widgets/issues/3", nil, 200, false},
		{"GET", repo + "/issues/{issue_number}", "/repos/acme/widgets/issues/4", nil, 301, false},
		{"GET", repo + "/issues/{issue_number}/comments", "/repos/acme/widgets/issues/1/comments", nil, 200, false},
		{"POST", repo + "/issues/{issue_number}/comments", "/repos/acme/widgets/issues/2/comments", map[string]any{"body": "hello"}, 201, false},
		{"GET", repo + "/issues/comments/{comment_id}", talk, nil, 200, false},
		{"PATCH", repo + "/issues/comments/{comment_id}", talk, map[string]any{"body": "changed"}, 200, false},
		{"PATCH", repo + "/issues/comments/{comment_id}", talk, map[string]any{"body": ""}, 422, false},
		{"POST", repo + "/issues/comments/{comment_id}/reactions", talk + "/reactions", map[string]any{"content": "+1"}, 201, false},
		{"POST", repo + "/issues/comments/{comment_id}/reactions", talk + "/reactions", map[string]any{"content": "+1"}, 200, false},
		{"POST", repo + "/issues/comments/{comment_id}/reactions", talk + "/reactions", map[string]any{"content": "shrug"}, 422, false},
		{"GET", repo + "/commits/{commit_sha}/pulls", "/repos/acme/widgets/commits/" + sha + "/pulls", nil, 200, false},
		{"GET", repo + "/commits/{ref}/check-runs", "/repos/acme/widgets/commits/" + sha + "/check-runs?check_name=Evidence&filter=latest", nil, 200, false},
		{"POST", repo + "/check-runs", "/repos/acme/widgets/check-runs", create, 201, false},
		{"GET", repo + "/check-runs/{check_run_id}", "/repos/acme/widgets/check-runs/" + run, nil, 200, false},
		{"PATCH", repo + "/check-runs/{check_run_id}", "/repos/acme/widgets/check-runs/" + run, map[string]any{"status": "in_progress"}, 200, false},
		{"GET", repo + "/collaborators/{username}/permission", "/repos/acme/widgets/collaborators/eng/permission", nil, 200, false},
		{"GET", repo + "/collaborators/{username}/permission", "/repos/acme/widgets/collaborators/lead/permission", nil, 200, false},
		{"GET", repo + "/collaborators/{username}/permission", "/repos/acme/widgets/collaborators/helper%5Bbot%5D/permission", nil, 404, false},
		{"GET", repo + "/collaborators", "/repos/acme/widgets/collaborators?permission=triage", nil, 200, false},
		{"GET", "/orgs/{org}/teams/{team_slug}/members", "/orgs/acme/teams/core/members", nil, 200, false},
		{"GET", repo + "/contents/{path}", "/repos/acme/widgets/contents/src/main.go", nil, 200, false},
		{"GET", repo + "/contents/{path}", "/repos/acme/widgets/contents/src?ref=main", nil, 200, false},
		{"GET", repo + "/contents/{path}", "/repos/acme/widgets/contents/none", nil, 404, false},
		{"GET", "/user", "/user", nil, 200, false},
		{"GET", repo, "/repos/acme/nothing", nil, 404, false},
		{"POST", repo + "/check-runs", "/repos/acme/widgets/check-runs", map[string]any{"name": "Evidence", "head_sha": "short"}, 422, false},
	} {
		token := f.token
		switch {
		case o.app:
			token = f.appJWT(nil)
		case o.path == "/user":
			token = "ghp_lead"
		}
		answer := f.as(token, o.method, o.path, o.body)
		require.Equalf(t, o.status, answer.status, "%s %s: %s", o.method, o.path, answer.text)
		all = append(all, exchange{o, answer})
	}
	return all
}

func TestEveryEndpointIsAsked(t *testing.T) {
	t.Parallel()
	asked := map[string]bool{}
	for _, e := range conversation(t) {
		asked[e.method+" "+placeholders(e.documented)] = true
	}
	for _, e := range endpoints() {
		require.Truef(t, asked[placeholders(e.pattern)], "%s", e.pattern)
	}
}

// placeholders makes all names of path parameters alike.
func placeholders(pattern string) string {
	parts := strings.Split(pattern, "/")
	for i, part := range parts {
		if strings.HasPrefix(part, "{") {
			parts[i] = "{}"
		}
	}
	return strings.Join(parts, "/")
}

// Every answer must be one that GitHub's published description of its REST API allows. Statuses that it
// does not list for an operation, or without a body, are errors, which all have one shape.
func TestAnswersFitThePublishedDescription(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile(fulltest.NPM(t, "@octokit/openapi/generated/api.github.com.json"))
	require.NoError(t, err)
	var document map[string]any
	require.NoError(t, json.Unmarshal(text, &document))
	listInstallations := document["paths"].(map[string]any)["/app/installations"].(map[string]any)["get"].(map[string]any)
	content := listInstallations["responses"].(map[string]any)["200"].(map[string]any)["content"].(map[string]any)
	// The description says there that an account is a user and an enterprise at once.
	content["application/json"].(map[string]any)["schema"].(map[string]any)["items"] = map[string]any{
		"$ref": "#/components/schemas/installation",
	}
	asJSONSchema(document["components"].(map[string]any)["schemas"])
	asJSONSchema(document["components"].(map[string]any)["responses"])
	asJSONSchema(document["paths"])
	compiler := jsonschema.NewCompiler()
	require.NoError(t, compiler.AddResource("github.json", document))
	for _, e := range conversation(t) {
		escaped := strings.ReplaceAll(e.documented, "/", "~1")
		place := "/paths/" + escaped + "/" + strings.ToLower(e.method) + "/responses/" + strconv.Itoa(e.status)
		operations := document["paths"].(map[string]any)[e.documented].(map[string]any)
		response := operations[strings.ToLower(e.method)].(map[string]any)["responses"].(map[string]any)[strconv.Itoa(e.status)]
		described, _ := response.(map[string]any)
		ref, shared := described["$ref"].(string)
		switch {
		case shared:
			place = strings.TrimPrefix(ref, "#")
		case e.status >= http.StatusBadRequest && described["content"] == nil:
			place = "/components/responses/validation_failed"
		}
		schema, err := compiler.Compile("github.json#" + place + "/content/application~1json/schema")
		require.NoError(t, err, e.documented)
		var body any
		require.NoError(t, json.Unmarshal([]byte(e.reply.text), &body))
		if err := schema.Validate(body); err != nil {
			t.Errorf("%s %s: %v", e.method, e.path, err)
		}
	}
}

// asJSONSchema turns OpenAPI 3.0's nullable into JSON Schema's null type.
func asJSONSchema(schema any) {
	switch s := schema.(type) {
	case map[string]any:
		for _, member := range s {
			asJSONSchema(member)
		}
		if s["nullable"] == true {
			allowNull(s)
		}
	case []any:
		for _, element := range s {
			asJSONSchema(element)
		}
	}
}

func allowNull(s map[string]any) {
	delete(s, "nullable")
	null := map[string]any{"type": "null"}
	switch {
	case s["type"] != nil:
		s["type"] = []any{s["type"], "null"}
		if values, ok := s["enum"].([]any); ok {
			s["enum"] = append(values, nil)
		}
	case s["anyOf"] != nil:
		s["anyOf"] = append(s["anyOf"].([]any), null)
	case s["oneOf"] != nil:
		s["oneOf"] = append(s["oneOf"].([]any), null)
	case s["allOf"] != nil:
		s["anyOf"] = []any{map[string]any{"allOf": s["allOf"]}, null}
		delete(s, "allOf")
	}
}
