package event

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// requireNamed holds what a hint names against the payload's text.
func requireNamed(t *testing.T, hint Hint, payload string) {
	t.Helper()
	if hint.Installation {
		require.Contains(t, payload, fmt.Sprint(hint.InstallationID))
		return
	}
	named := append([]Repository{}, hint.Repositories...)
	if len(named) == 0 {
		named = []Repository{{hint.RepositoryID, hint.Repo}}
	}
	for _, r := range named {
		require.NotZero(t, r.ID)
		require.Contains(t, payload, fmt.Sprintf("%q", r.Repo.String()))
	}
}

func plainPayload(action, members, sender string) string {
	if members != "" {
		members += ","
	}
	return fmt.Sprintf(`{"action":%q,%s%s,%s}`, action, members, repository, sender)
}

func pushPayload(ref, more, files, sender string) string {
	return fmt.Sprintf(`{"ref":%q,%s"commits":[{"added":[],"modified":[],"removed":[]},%s],`+
		`"repository":{"id":5000000001,"full_name":"acme/widgets","default_branch":"main"},"installation":{"id":9000000009},%s}`, ref, more, files, sender)
}

func installationPayload(action string) string {
	return fmt.Sprintf(`{"action":%q,"installation":{"id":9000000009,"account":{"login":"acme"}},%s}`, action, person)
}

func repositoriesPayload(action, added, removed string) string {
	return fmt.Sprintf(`{"action":%q,"installation":{"id":9000000009},"repositories_added":[%s],"repositories_removed":[%s],%s}`, action, added, removed, person)
}

// TestWhatEachEventLeadsTo is the table of design section 14: event and action, and what is evaluated.
// In it pr 42 is a pull request, sha the ones with that head, base:main those into a branch, whole all
// of a repository, all those of every repository of the installation, and - none.
func TestWhatEachEventLeadsTo(t *testing.T) {
	t.Parallel()
	suite := func(action string, app int, pulls, sender string) string {
		return plainPayload(action, fmt.Sprintf(`"check_suite":{"head_sha":%q,"app":{"id":%d,"slug":"ci"},"pull_requests":%s}`, sha, app, pulls), sender)
	}
	workflow := func(action, pulls, sender string) string {
		return plainPayload(action, fmt.Sprintf(`"workflow_run":{"head_sha":%q,"pull_requests":%s}`, sha, pulls), sender)
	}
	review := func(action, sender string) string {
		return plainPayload(action, `"review":{"commit_id":"`+sha+`"},"pull_request":{"number":42}`, sender)
	}
	status := func(sender string) string {
		return fmt.Sprintf(`{"sha":%q,"state":"pending","name":"acme/widgets",%s,%s}`, sha, repository, sender)
	}
	const (
		policyFile = `{"added":[".github/evidence.yml"]}`
		code       = `{"modified":["main.go","docs/notes.txt"]}`
		main       = "refs/heads/main"
		one        = `{"id":1,"full_name":"acme/one"}`
		two        = `{"id":2,"full_name":"acme/two"}`
	)
	rows := []struct{ event, payload, want string }{
		{"check_suite", suite("completed", foreignID, listed, person), "pr 42"},
		{"check_suite", suite("completed", foreignID, `[]`, person), "sha"},
		{"check_suite", suite("completed", ownAppID, listed, ownBot), "-"},
		{"check_suite", suite("requested", ownAppID, `[]`, person), "sha"},
		{"check_suite", suite("requested", ownAppID, `[]`, ownBot), "-"},
		{"check_suite", suite("rerequested", ownAppID, listed, person), "pr 42 rerun"},
		{"check_suite", suite("rerequested", ownAppID, `[]`, person), "sha rerun"},
		{"check_suite", suite("created", foreignID, listed, person), "-"},

		{"status", status(person), "sha"},
		{"status", status(otherBot), "sha"},
		{"status", status(ownBot), "-"},

		{"workflow_run", workflow("completed", listed, person), "pr 42"},
		{"workflow_run", workflow("completed", `[]`, otherBot), "sha"},
		{"workflow_run", workflow("requested", listed, person), "-"},
		{"workflow_run", workflow("in_progress", listed, person), "-"},

		{"pull_request_review", review("submitted", person), "pr 42"},
		{"pull_request_review", review("edited", person), "pr 42"},
		{"pull_request_review", review("dismissed", otherBot), "pr 42"},
		{"pull_request_review", review("submitted", ownBot), "-"},
		{"pull_request_review", review("unknown", person), "-"},

		{"push", pushPayload(main, "", policyFile, person), "base:main"},
		{"push", pushPayload("refs/heads/release/1", "", policyFile, person), "base:release/1"},
		{"push", pushPayload(main, "", `{"removed":[".agenticloop/decisions/0001.md"]}`, person), "base:main"},
		{"push", pushPayload(main, "", `{"modified":[".agenticloop/project.md"]}`, person), "base:main"},
		{"push", pushPayload(main, "", `{"modified":["docs/Business-Rules.MD"]}`, person), "base:main"},
		{"push", pushPayload(main, "", code, person), "-"},
		{"push", pushPayload(main, `"forced":true,`, code, person), "base:main"},
		{"push", pushPayload("refs/heads/new", `"created":true,`, code, person), "base:new"},
		{"push", pushPayload("refs/heads/old", `"deleted":true,`, policyFile, person), "-"},
		{"push", pushPayload("refs/tags/v1", "", policyFile, person), "-"},
		{"push", pushPayload(main, "", strings.TrimSuffix(strings.Repeat(code+",", mostCommits), ","), person), "base:main"},
		{"push", strings.ReplaceAll(pushPayload(main, "", policyFile, person), "acme/widgets", "acme/.github"), "base:main all"},
		{"push", strings.ReplaceAll(pushPayload(main, "", `{"modified":["README.md"]}`, person), "acme/widgets", "acme/.github"), "base:main"},
		{"push", strings.ReplaceAll(pushPayload("refs/heads/topic", "", policyFile, person), "acme/widgets", "acme/.github"), "base:topic"},

		{"repository", plainPayload("renamed", "", person), "whole"},
		{"repository", plainPayload("transferred", "", person), "whole"},
		{"repository", plainPayload("privatized", "", person), "whole"},
		{"repository", plainPayload("publicized", "", person), "whole"},
		{"repository", plainPayload("edited", "", person), "whole"},
		{"repository", plainPayload("unarchived", "", person), "whole"},
		{"repository", plainPayload("deleted", "", person), "whole"},
		{"repository", plainPayload("archived", "", person), "-"},
		{"repository", plainPayload("created", "", person), "-"},

		{"member", plainPayload("added", `"member":{"login":"eng"}`, person), "whole"},
		{"member", plainPayload("removed", `"member":{"login":"eng"}`, person), "whole"},
		{"member", plainPayload("edited", `"member":{"login":"eng"}`, person), "whole"},
		{"member", plainPayload("waved", `"member":{"login":"eng"}`, person), "-"},

		{"installation", installationPayload("created"), "all"},
		{"installation", installationPayload("unsuspend"), "all"},
		{"installation", installationPayload("new_permissions_accepted"), "all"},
		{"installation", installationPayload("deleted"), "all"},
		{"installation", installationPayload("suspend"), "-"},

		{"installation_repositories", repositoriesPayload("added", one+","+two, ""), "acme/one acme/two"},
		{"installation_repositories", repositoriesPayload("removed", "", two), "acme/two"},
		{"installation_repositories", repositoriesPayload("added", strings.TrimSuffix(strings.Repeat(one+",", MaxRepositories+1), ","), ""), "all"},
		{"installation_repositories", repositoriesPayload("added", "", ""), "-"},
	}
	for _, row := range rows {
		t.Run(row.event+" "+row.want, func(t *testing.T) {
			t.Parallel()
			hint, err := Decode(row.event, []byte(row.payload), self)
			require.NoError(t, err)
			require.NotEmpty(t, hint.Reason)
			require.Equal(t, row.want, leadsTo(hint))
			require.Equal(t, row.want != "-", hint.OfInterest())
			if hint.OfInterest() {
				require.EqualValues(t, 9000000009, hint.InstallationID)
			}
		})
	}
}

func leadsTo(h Hint) string {
	var words []string
	for _, number := range h.PullRequests {
		words = append(words, fmt.Sprintf("pr %d", number))
	}
	if len(h.PullRequests) == 0 && h.HeadSHA != "" {
		words = append(words, "sha")
	}
	if h.Base != "" {
		words = append(words, "base:"+h.Base)
	}
	if h.Whole {
		words = append(words, "whole")
	}
	if h.Installation {
		words = append(words, "all")
	}
	for _, r := range h.Repositories {
		words = append(words, r.Repo.String())
	}
	if h.Rerun {
		words = append(words, "rerun")
	}
	if len(words) == 0 {
		return "-"
	}
	return strings.Join(words, " ")
}

func TestTheNewEventsRefuseMalformedPayloads(t *testing.T) {
	t.Parallel()
	rows := []struct{ rule, event, payload, says string }{
		{"a push without a ref", "push", `{` + repository + `}`, "ref"},
		{"a branch that is too long", "push", pushPayload("refs/heads/"+strings.Repeat("x", 2000), "", `{"added":[".github/evidence.yml"]}`, person), "branch"},
		{"a status without a commit", "status", `{` + repository + `}`, "sha"},
		{"a workflow without a commit", "workflow_run", `{"action":"completed",` + repository + `}`, "workflow_run.head_sha"},
		{"a suite without a commit", "check_suite", `{"action":"completed",` + repository + `}`, "check_suite.head_sha"},
		{"a review without a pull request", "pull_request_review", `{"action":"submitted",` + repository + `}`, "number"},
		{"an installation without an id", "installation", `{"action":"created"}`, "installation.id"},
		{"an owner that is none", "installation", strings.Replace(installationPayload("created"), `"acme"`, `"a/../b"`, 1), "account.login"},
		{"a repository without an id", "installation_repositories", repositoriesPayload("added", `{"full_name":"acme/one"}`, ""), "repository.id"},
		{"a repository whose name climbs out of its URL", "installation_repositories", repositoriesPayload("removed", "", `{"id":1,"full_name":"acme/.."}`), "full_name"},
		{"a member of no repository", "member", `{"action":"added"}`, "repository.id"},
	}
	for _, row := range rows {
		t.Run(row.rule, func(t *testing.T) {
			t.Parallel()
			_, err := Decode(row.event, []byte(row.payload), self)
			require.ErrorIs(t, err, ErrMalformed)
			require.ErrorContains(t, err, row.says)
		})
	}
}
