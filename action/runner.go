package action

import (
	"errors"
	"fmt"
	"strings"

	"github.com/evidence-gate/evidence-gate/internal/github"
)

// runner is what a step finds on a runner of GitHub Actions ("Store information in variables" in
// GitHub's documentation).
type runner struct {
	event      string // name of the event
	payload    string // file with the event's payload
	repository string // owner/name of the workflow's repository
	api        string // REST address
	graphql    string // GraphQL address; empty: beside the REST address
	server     string // address of the pages
	temp       string // folder of the job's temporary files
	output     string // file for the step's outputs
	summary    string // file for the job summary; empty where the runner has none
}

// findRunner reads the runner's variables and names all that are missing at once.
func findRunner(getenv func(string) string) (runner, error) {
	var missing []string
	needed := func(name string) string {
		value := getenv(name)
		if value == "" {
			missing = append(missing, name)
		}
		return value
	}
	r := runner{
		event:      needed("GITHUB_EVENT_NAME"),
		payload:    needed("GITHUB_EVENT_PATH"),
		output:     needed("GITHUB_OUTPUT"),
		summary:    getenv("GITHUB_STEP_SUMMARY"),
		temp:       needed("RUNNER_TEMP"),
		repository: getenv("GITHUB_REPOSITORY"),
		api:        getenv("GITHUB_API_URL"),
		graphql:    getenv("GITHUB_GRAPHQL_URL"),
		server:     getenv("GITHUB_SERVER_URL"),
	}
	if len(missing) > 0 {
		return runner{}, errors.New("expected a runner of GitHub Actions, but it sets no " + strings.Join(missing, ", ") +
			": this command is run by the Action (action.yml); elsewhere run github-preflight without it")
	}
	if r.server == "" {
		r.server = "https://github.com"
	}
	return r, nil
}

// target is the pull request to judge. The zero target is none.
type target struct {
	repo   github.Repo
	number int
}

// String is "owner/name#number", and empty for no target.
func (t target) String() string {
	if t.number == 0 {
		return ""
	}
	return fmt.Sprintf("%s#%d", t.repo, t.number)
}

// page is the pull request's page.
func (r runner) page(t target) string {
	if t.number == 0 {
		return ""
	}
	return fmt.Sprintf("%s/%s/pull/%d", strings.TrimRight(r.server, "/"), t.repo, t.number)
}
