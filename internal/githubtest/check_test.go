package githubtest

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// https://docs.github.com/en/rest/checks/runs#create-a-check-run
func TestCreateCheckRun(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	sha := f.repo.OpenPullRequest(PullRequestOptions{Author: "eng"}).HeadSHA()
	output := func(title, summary, text string) map[string]any {
		return map[string]any{"title": title, "summary": summary, "text": text}
	}
	action := func(label, description, identifier string) map[string]any {
		return map[string]any{"label": label, "description": description, "identifier": identifier}
	}
	good := action("Evaluate", "Judge again", "evaluate")
	bytes := func(n int) string { return strings.Repeat("é", n/2) + strings.Repeat("x", n%2) }
	for _, test := range []struct {
		name    string
		change  map[string]any
		status  int
		message string
	}{
		{"queued by default", nil, 201, `"status":"queued"`},
		{"in progress", map[string]any{"status": "in_progress"}, 201, `"conclusion":null`},
		{"completed", map[string]any{"status": "completed", "conclusion": "failure"}, 201, `"completed_at":"2026-11-30T10:00:00Z"`},
		{"a conclusion completes", map[string]any{"conclusion": "success"}, 201, `"status":"completed"`},
		{"completed without conclusion", map[string]any{"status": "completed"}, 422, "conclusion"},
		{"completed_at without conclusion", map[string]any{"completed_at": "2026-11-30T10:00:00Z"}, 422, "conclusion"},
		{"only GitHub sets stale", map[string]any{"conclusion": "stale"}, 422, "conclusion"},
		{"unknown status", map[string]any{"status": "done"}, 422, "status"},
		{"no name", map[string]any{"name": ""}, 422, `\"name\" wasn't supplied`},
		{"no head", map[string]any{"head_sha": nil}, 422, `\"head_sha\" wasn't supplied`},
		{"abbreviated head", map[string]any{"head_sha": sha[:12]}, 422, "head_sha"},
		{"unknown head", map[string]any{"head_sha": strings.Repeat("0", 40)}, 422, "No commit found for SHA"},
		{"summary of 65,535 bytes", map[string]any{"output": output("t", bytes(65535), bytes(65535))}, 201, ""},
		{"summary of 65,536 bytes", map[string]any{"output": output("t", bytes(65536), "")}, 422, "summary exceeds a maximum bytesize of 65535"},
		{"text of 65,536 bytes", map[string]any{"output": output("t", "s", bytes(65536))}, 422, "text exceeds a maximum bytesize of 65535"},
		{"title of 255 characters", map[string]any{"output": output(strings.Repeat("é", 255), "s", "")}, 201, ""},
		{"title of 256 characters", map[string]any{"output": output(strings.Repeat("é", 256), "s", "")}, 422, "title"},
		{"no title", map[string]any{"output": map[string]any{"summary": "s"}}, 422, "title"},
		{"no summary", map[string]any{"output": map[string]any{"title": "t"}}, 422, "summary"},
		{"three actions", map[string]any{"actions": []any{good, good, good}}, 201, ""},
		{"four actions", map[string]any{"actions": []any{good, good, good, good}}, 422, "actions"},
		{"label of 20", map[string]any{"actions": []any{action(strings.Repeat("x", 20), strings.Repeat("x", 40), strings.Repeat("x", 20))}}, 201, ""},
		{"label of 21", map[string]any{"actions": []any{action(strings.Repeat("x", 21), "d", "i")}}, 422, "label"},
		{"description of 41", map[string]any{"actions": []any{action("l", strings.Repeat("x", 41), "i")}}, 422, "description"},
		{"identifier of 21", map[string]any{"actions": []any{action("l", "d", strings.Repeat("x", 21))}}, 422, "identifier"},
		{"action without description", map[string]any{"actions": []any{action("l", "", "i")}}, 422, "description"},
		{"details without http", map[string]any{"details_url": "ftp://x"}, 422, "details_url"},
		{"wrong type", map[string]any{"name": 7}, 422, "Invalid request"},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			body := map[string]any{"name": "Evidence", "head_sha": sha}
			for name, value := range test.change {
				body[name] = value
			}
			answer := f.do("POST", "/repos/acme/widgets/check-runs", body)
			require.Equal(t, test.status, answer.status, answer.text)
			require.Contains(t, answer.text, test.message)
			if test.status == 422 {
				require.NotEmpty(t, answer.at("documentation_url"))
			}
		})
	}
}

// https://docs.github.com/en/rest/checks/runs#update-a-check-run
func TestUpdateCheckRun(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	sha := f.repo.OpenPullRequest(PullRequestOptions{Author: "eng"}).HeadSHA()
	created := f.do("POST", "/repos/acme/widgets/check-runs", map[string]any{
		"name": "Evidence", "head_sha": sha, "external_id": "d1", "status": "in_progress",
		"output": map[string]any{"title": "Judging", "summary": "Wait"},
	})
	id := int64(created.at("id").(float64))
	require.Greater(t, id, int64(1)<<32, "ids exceed 32 bits")
	path := fmt.Sprintf("/repos/acme/widgets/check-runs/%d", id)
	f.clock.Advance(time.Minute)
	done := f.do("PATCH", path, map[string]any{"conclusion": "failure", "external_id": "d2"})
	require.Equal(t, 200, done.status, done.text)
	run, known := f.repo.CheckRun(id)
	require.True(t, known)
	require.Equal(t, CheckRun{
		ID: id, Name: "Evidence", HeadSHA: sha, App: f.server.App().Slug, Status: "completed", Conclusion: "failure",
		ExternalID: "d2", Title: "Judging", Summary: "Wait", StartedAt: start, CompletedAt: start.Add(time.Minute), Updates: 1,
	}, run)
	again := f.do("PATCH", path, map[string]any{"status": "in_progress"})
	require.Nil(t, again.at("conclusion"), "a run that is in progress again has no conclusion")

	other := f.repo.AddCheckRun(CheckRunOptions{SHA: sha, Name: "npm test"})
	refused := f.do("PATCH", fmt.Sprintf("/repos/acme/widgets/check-runs/%d", other), map[string]any{"conclusion": "success"})
	require.Equal(t, 403, refused.status, "only the app that made a run may change it")
	require.Equal(t, 404, f.do("PATCH", "/repos/acme/widgets/check-runs/1", map[string]any{"conclusion": "success"}).status)
	require.Equal(t, 422, f.do("PATCH", path, map[string]any{"status": "completed"}).status)
}

func TestUpdateCannotMoveTheHead(t *testing.T) {
	t.Parallel()
	told := &complaints{}
	f := startFixture(t, RepositoryOptions{}, told)
	sha := f.repo.OpenPullRequest(PullRequestOptions{Author: "eng"}).HeadSHA()
	id := f.do("POST", "/repos/acme/widgets/check-runs", map[string]any{"name": "x", "head_sha": sha}).at("id").(float64)
	require.Equal(t, 422, f.do("PATCH", fmt.Sprintf("/repos/acme/widgets/check-runs/%.0f", id), map[string]any{"head_sha": sha}).status)
	require.Contains(t, told.all(), `"head_sha" of PATCH`)
}

// https://docs.github.com/en/rest/checks/runs#list-check-runs-for-a-git-reference
func TestListCheckRuns(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	pr := f.repo.OpenPullRequest(PullRequestOptions{Author: "eng", Branch: "dark"})
	sha := pr.HeadSHA()
	for range 2 { // the second one of the same name and suite hides the first
		f.do("POST", "/repos/acme/widgets/check-runs", map[string]any{"name": "Evidence", "head_sha": sha})
	}
	f.repo.AddCheckRun(CheckRunOptions{SHA: sha, Name: "Evidence", App: "impostor"})
	f.repo.AddCheckRun(CheckRunOptions{SHA: sha, Name: "npm test", Workflow: "ci"})
	f.repo.AddCheckRun(CheckRunOptions{SHA: sha, Name: "npm test", Workflow: "nightly", Status: "queued"})
	f.repo.AddCheckRun(CheckRunOptions{SHA: f.repo.Branch("main"), Name: "npm test"})
	list := "/repos/acme/widgets/commits/" + sha + "/check-runs"
	for _, test := range []struct {
		path  string
		total float64
	}{
		{list, 4},
		{list + "?filter=all", 5},
		{list + "?check_name=Evidence", 2},
		{list + "?check_name=Evidence&filter=all", 3},
		{list + fmt.Sprintf("?check_name=Evidence&app_id=%d", f.server.App().ID), 1},
		{list + "?status=queued", 2},
		{"/repos/acme/widgets/commits/dark/check-runs", 4},
	} {
		answer := f.do("GET", test.path, nil)
		require.Equal(t, test.total, answer.at("total_count"), test.path)
	}
	page := f.do("GET", list+"?per_page=3", nil)
	require.Len(t, page.at("check_runs"), 3)
	require.Equal(t, "next=2 last=2", rels(page.header.Get("Link")))
	require.EqualValues(t, 4, page.at("total_count"))
	require.Equal(t, 422, f.do("GET", "/repos/acme/widgets/commits/nothing/check-runs", nil).status)
}

func TestCheckRunsOfForksNameNoPullRequest(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	branch := f.repo.OpenPullRequest(PullRequestOptions{Author: "eng"})
	fork := f.repo.OpenPullRequest(PullRequestOptions{Author: "guest", Fork: "guest"})
	named := func(sha string) any {
		answer := f.do("POST", "/repos/acme/widgets/check-runs", map[string]any{"name": "x", "head_sha": sha})
		require.Equal(t, 201, answer.status, answer.text)
		return answer.at("pull_requests")
	}
	require.Len(t, named(branch.HeadSHA()), 1)
	require.Empty(t, named(fork.HeadSHA()))
}
