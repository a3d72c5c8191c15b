package githubtest

import (
	"encoding/json"
	"os"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/stretchr/testify/require"

	"github.com/evidence-gate/evidence-gate/internal/fulltest"
)

// everything makes each modelled event happen at least once and returns the deliveries.
func everything(t *testing.T) []Delivery {
	t.Helper()
	clock := NewClock(start)
	gh := NewT(t, Options{Clock: clock.Now})
	hooks := gh.Webhooks()
	hooks.Hold()
	w := gh.World()
	repo := w.AddRepository("acme/widgets", RepositoryOptions{})
	other := w.AddRepository("acme/gadgets", RepositoryOptions{})
	users := w.AddRepository("octo/own", RepositoryOptions{UserOwned: true, Public: true})
	users.AddIssue(IssueOptions{Title: "By its owner"})
	repo.SetRole("lead", "maintain")
	issue := repo.AddIssue(IssueOptions{Author: "lead", Title: "Dark mode", Body: "## Required Checks", Labels: []string{"task"}})
	issue.EditBody("lead", "## Required Checks\n\n- `npm test`")
	issue.EditTitle("lead", "Dark theme")
	issue.AddLabel("lead", "ui")
	issue.RemoveLabel("lead", "ui")
	comment := issue.Comment("eng", "on it")
	comment.Edit("eng", "done")
	comment.Delete("eng")
	issue.Close("lead")
	issue.Reopen("lead")
	issue.Transfer("lead", other)
	repo.AddIssue(IssueOptions{Author: "lead"}).Delete("lead")

	pr := repo.OpenPullRequest(PullRequestOptions{Author: "eng", Title: "Dark mode", Labels: []string{"a"}})
	pr.EditBody("eng", "## Evidence")
	pr.EditTitle("eng", "Dark theme")
	pr.ChangeBase("eng", "release")
	pr.Push("eng", Commit{})
	pr.SetDraft("eng", true)
	pr.SetDraft("eng", false)
	pr.AddLabel("lead", "docs")
	pr.RemoveLabel("lead", "docs")
	pr.Comment("helper[bot]", "I am a bot")
	review := pr.Review(ReviewOptions{Author: "lead", State: "approved", Body: "Fine"})
	review.Edit("lead", "Fine, thanks")
	review.Dismiss("lead")
	run := repo.AddCheckRun(CheckRunOptions{SHA: pr.HeadSHA(), Name: "npm test", Workflow: "ci", Status: "in_progress"})
	repo.SetCheckRun(run, "completed", "failure")
	repo.AddStatus(StatusOptions{SHA: pr.HeadSHA(), Context: "ci/legacy", Creator: "ci[bot]"})
	own := repo.AddCheckRun(CheckRunOptions{SHA: pr.HeadSHA(), Name: "Evidence", App: gh.App().Slug})
	repo.Rerequest("lead", own)
	repo.RequestAction("lead", own, "evaluate")
	repo.RerequestSuite("lead", pr.HeadSHA())
	pr.Close("eng")
	pr.Reopen("eng")
	fork := repo.OpenPullRequest(PullRequestOptions{Author: "guest", Fork: "guest"})
	w.Repository("guest/widgets").Delete()
	w.DeleteAccount("guest")
	fork.EditBody("eng", "from a fork that is gone")
	pr.Merge("lead")
	installation := w.Install("newcomer")
	installation.Suspend()
	installation.Unsuspend()
	installation.Uninstall()
	return hooks.Pending()
}

func TestEveryEventHappens(t *testing.T) {
	t.Parallel()
	seen := map[string]bool{}
	for _, d := range everything(t) {
		seen[d.Event+"."+d.Action] = true
	}
	for _, event := range []string{
		"pull_request.opened", "pull_request.edited", "pull_request.synchronize", "pull_request.closed",
		"pull_request.reopened", "pull_request.labeled", "pull_request.unlabeled", "pull_request.ready_for_review",
		"pull_request.converted_to_draft", "pull_request_review.submitted", "pull_request_review.edited",
		"pull_request_review.dismissed", "issues.opened", "issues.edited", "issues.closed", "issues.reopened",
		"issues.labeled", "issues.unlabeled", "issues.deleted", "issues.transferred", "issue_comment.created",
		"issue_comment.edited", "issue_comment.deleted", "check_run.created", "check_run.completed",
		"check_run.rerequested", "check_run.requested_action", "check_suite.rerequested", "status.",
		"installation.created", "installation.deleted", "installation.suspend", "installation.unsuspend",
	} {
		require.Truef(t, seen[event], "no %s was sent", event)
	}
}

// Every payload must be one that GitHub's published webhook schemas describe.
func TestPayloadsFitThePublishedSchemas(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile(fulltest.NPM(t, "@octokit/webhooks-schemas/schema.json"))
	require.NoError(t, err)
	var document any
	require.NoError(t, json.Unmarshal(text, &document))
	dropTemplateFormat(document)
	compiler := jsonschema.NewCompiler()
	require.NoError(t, compiler.AddResource("webhooks.json", document))
	for _, d := range everything(t) {
		name := d.Event + "$event"
		if d.Action != "" {
			name = d.Event + "$" + d.Action
		}
		schema, err := compiler.Compile("webhooks.json#/definitions/" + name)
		require.NoError(t, err, name)
		var payload any
		require.NoError(t, json.Unmarshal(d.Payload, &payload))
		if err := schema.Validate(payload); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// dropTemplateFormat takes the format uri-template out of a schema: the validator does not know the
// operators of RFC 6570 that GitHub's links use.
func dropTemplateFormat(schema any) {
	switch s := schema.(type) {
	case map[string]any:
		if s["format"] == "uri-template" {
			delete(s, "format")
		}
		for _, member := range s {
			dropTemplateFormat(member)
		}
	case []any:
		for _, element := range s {
			dropTemplateFormat(element)
		}
	}
}
