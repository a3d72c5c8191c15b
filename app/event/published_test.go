package event

import (
	"encoding/json"
	"os"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/evidence-gate/evidence-gate/internal/fulltest"
)

// publishedSets are the sets of sample payloads that the npm package @octokit/webhooks-examples
// holds: of github.com and of several versions of Enterprise Server.
var publishedSets = []string{"api.github.com", "ghes-31", "ghes-32", "ghes-33", "ghes-34", "ghes-35"}

// Every published sample decodes, and to the hint that its own members tell.
func TestPublishedSamplesOfEveryServer(t *testing.T) {
	t.Parallel()
	for _, set := range publishedSets {
		text, err := os.ReadFile(fulltest.NPM(t, "@octokit/webhooks-examples/"+set+"/index.json"))
		require.NoError(t, err)
		var list []struct {
			Name     string            `json:"name"`
			Examples []json.RawMessage `json:"examples"`
		}
		require.NoError(t, json.Unmarshal(text, &list))
		hints := 0
		for _, event := range list {
			for i, payload := range event.Examples {
				hint, err := Decode(event.Name, payload, self)
				require.NoError(t, err, "%s %s example %d", set, event.Name, i)
				if hint.OfInterest() {
					hints++
					requireHint(t, event.Name, payload, hint)
				}
			}
		}
		require.NotZero(t, hints, set)
	}
}

// requireHint holds a hint against what the payload says.
func requireHint(t *testing.T, name string, payload []byte, hint Hint) {
	t.Helper()
	var said struct {
		Repository  struct{ ID int64 }
		PullRequest struct{ Number int } `json:"pull_request"`
		Issue       struct {
			Number      int
			PullRequest json.RawMessage `json:"pull_request"`
		}
		CheckRun struct {
			HeadSHA string `json:"head_sha"`
		} `json:"check_run"`
		CheckSuite struct {
			HeadSHA string `json:"head_sha"`
		} `json:"check_suite"`
		WorkflowRun struct {
			HeadSHA string `json:"head_sha"`
		} `json:"workflow_run"`
		Installation struct{ ID int64 }
		SHA, Ref     string
	}
	require.NoError(t, json.Unmarshal(payload, &said))
	require.Equal(t, said.Repository.ID, hint.RepositoryID)
	switch {
	case name == "installation":
		require.True(t, hint.Installation)
		require.Equal(t, said.Installation.ID, hint.InstallationID)
	case name == "installation_repositories":
		require.NotEmpty(t, hint.Repositories)
	case name == "repository", name == "member":
		require.True(t, hint.Whole)
	case name == "push":
		require.Equal(t, said.Ref, "refs/heads/"+hint.Base)
	case name == "check_suite", name == "workflow_run", name == "status":
		require.Equal(t, said.SHA+said.CheckSuite.HeadSHA+said.WorkflowRun.HeadSHA, hint.HeadSHA)
	case name == "pull_request_review":
		require.Equal(t, []int{said.PullRequest.Number}, hint.PullRequests)
	case name == "pull_request":
		require.Equal(t, []int{said.PullRequest.Number}, hint.PullRequests)
	case name == "check_run":
		require.True(t, hint.HeadSHA == said.CheckRun.HeadSHA || len(hint.PullRequests) > 0, "%+v", hint)
	case said.Issue.PullRequest != nil:
		require.True(t, slices.Contains(hint.PullRequests, said.Issue.Number), "%+v", hint)
	default:
		require.Equal(t, []int{said.Issue.Number}, hint.Issues)
	}
}
