package github

import (
	"fmt"
	"net/http"
	"slices"
	"strings"

	"github.com/evidence-gate/evidence-gate/snapshot"
)

// The facts of a Snapshot that can stand in unavailable (schema/snapshot.schema.json).
const (
	factIssue          = "issue"
	factIssueComments  = "issue.comments"
	factIssueRevisions = "issue.revisions"
	factComments       = "comments"
	factReviews        = "reviews"
	factCommits        = "commits"
	factRevisions      = "pull_request.revisions"
	factStatusChecks   = "status_checks"
	factLabels         = "labels"
	factChangedPaths   = "changed_paths"
	factPolicy         = "policy"
	factMemory         = "memory"
	factProfile        = "profile"
	factReferences     = "references"
	factPermissions    = "permissions"
	factTeams          = "teams"
)

// places maps where the answer to PullRequest has a hole to the fact that is missing and the
// permission that would fill it; without the fact there is no Snapshot at all where none is named.
// The first row whose steps begin the path, an index standing for *, counts.
var places = []struct {
	at    string
	fact  string
	needs string
}{
	{"repository.defaultBranchRef", "", "contents: read"},
	{"repository.pullRequest.baseRef.stacked", factCommits, "pull requests: read"},
	{"repository.pullRequest.baseRef", "", "contents: read"},
	{"repository.pullRequest.labels", factLabels, "pull requests: read"},
	{"repository.pullRequest.labelings", factLabels, "pull requests: read"},
	{"repository.pullRequest.userContentEdits", factRevisions, "pull requests: read"},
	{"repository.pullRequest.comments", factComments, "pull requests: read"},
	{"repository.pullRequest.reviews", factReviews, "pull requests: read"},
	{"repository.pullRequest.commits", factCommits, "contents: read"},
	{"repository.pullRequest.head.nodes.*.commit.statusCheckRollup.contexts.nodes.*.checkSuite.workflowRun", factStatusChecks, "actions: read"},
	{"repository.pullRequest.head", factStatusChecks, "checks: read and commit statuses: read"},
	{"repository.pullRequest.closingIssuesReferences.nodes.*.comments", factIssueComments, "issues: read"},
	{"repository.pullRequest.closingIssuesReferences.nodes.*.userContentEdits", factIssueRevisions, "issues: write"},
	{"repository.pullRequest.closingIssuesReferences.nodes.*.labels", factLabels, "issues: read"},
	{"repository.pullRequest.closingIssuesReferences", factIssue, "issues: read"},
}

// holes collects the facts that could not be read, each with its first reason.
type holes struct{ found []snapshot.Unavailable }

func (h *holes) add(fact, reason string) {
	if !h.has(fact) {
		h.found = append(h.found, snapshot.Unavailable{Fact: fact, Reason: reason})
	}
}

func (h *holes) has(fact string) bool {
	return slices.ContainsFunc(h.found, func(u snapshot.Unavailable) bool { return u.Fact == fact })
}

// addErrors turns the errors of the first request into missing facts. One that stands for no fact
// is returned: nothing can be judged without it.
func (h *holes) addErrors(c *Client, doing string, errors []graphQLError) *Error {
	for _, e := range errors {
		fact, needs := place(e.Path)
		if fact == "" {
			return c.withheldWhole(doing, e)
		}
		h.add(fact, fmt.Sprintf("GitHub withheld it (%s): the App or token needs the permission %q", quote(e.Message), needs))
	}
	return nil
}

// withheldWhole is a refusal that leaves nothing to judge.
func (c *Client) withheldWhole(doing string, e graphQLError) *Error {
	_, needs := place(e.Path)
	return &Error{Kind: Forbidden, Operation: doing, Status: http.StatusOK, Permission: needs,
		Message: c.forbidden(needs, quote(e.Path.String()+": "+e.Message))}
}

func place(p path) (fact, needs string) {
	for _, row := range places {
		if p.begins(strings.Split(row.at, ".")) {
			return row.fact, row.needs
		}
	}
	return "", "pull requests: read"
}

func (p path) begins(steps []string) bool {
	if len(p) < len(steps) {
		return false
	}
	for i, step := range steps {
		if step != "*" && p[i] != step {
			return false
		}
	}
	return true
}
