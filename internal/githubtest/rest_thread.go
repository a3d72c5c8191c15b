package githubtest

import (
	"fmt"
	"slices"
	"time"
)

const eitherRead, eitherWrite = "issues=read; pull_requests=read", "issues=write; pull_requests=write"

// "REST API endpoints for issues" and "… for issue comments".
var threadEndpoints = []endpoint{
	{pattern: "GET /repos/{owner}/{repo}/issues/{number}", accepts: eitherRead, handle: (*call).getIssue},
	{
		pattern: "GET /repos/{owner}/{repo}/issues/{number}/comments", paged: true, query: []string{"since"},
		accepts: eitherRead, handle: (*call).listComments,
	},
	{
		pattern: "POST /repos/{owner}/{repo}/issues/{number}/comments", writes: true, accepts: eitherWrite,
		handle: (*call).createComment,
	},
}

// thread finds the issue or pull request of the path; with it comes the refusal when its own
// permission is missing, since the other one covers only the other kind.
func (c *call) thread(level string) (*thread, *Issue, *PullRequest, *response) {
	number := int(c.number("number"))
	if p := c.repository.pulls[number]; p != nil {
		return &p.thread, nil, p, nil
	}
	i := c.repository.issues[number]
	if i == nil || i.movedTo != nil {
		answer := notFound()
		return nil, nil, nil, &answer
	}
	if i.deleted {
		answer := failure(410, "This issue was deleted")
		return nil, nil, nil, &answer
	}
	mayRead := c.repository.public && level == "read"
	if !mayRead && strength(c.grant.level(c.repository, "issues")) < strength(level) {
		answer := missingPermission("issues=" + level)
		return nil, nil, nil, &answer
	}
	return &i.thread, i, nil, nil
}

func (c *call) getIssue() response {
	if i := c.repository.issues[int(c.number("number"))]; i != nil && i.movedTo != nil {
		return c.moved(i.movedTo)
	}
	t, i, p, refused := c.thread("read")
	if refused != nil {
		return *refused
	}
	json := c.world.issueJSON(t, p)
	json["closed_by"] = nil
	if i != nil && i.kind != "" {
		json["type"] = issueTypeJSON(i.kind)
	}
	if i != nil {
		json["sub_issues_summary"] = object{"total": 0, "completed": 0, "percent_completed": 0}
	}
	return ok(json)
}

// moved sends on to where an issue was transferred to: "If the issue was transferred to or deleted from a
// repository where the authenticated user lacks read access, the API returns a 404 Not Found status."
func (c *call) moved(to *Issue) response {
	if !c.grant.sees(to.repository) {
		return notFound()
	}
	return *permanently(fmt.Sprintf("%s/repositories/%d/issues/%d", c.world.apiURL, to.repository.id, to.number))
}

// issueTypeJSON is a type of issues; an organization has each name once.
func issueTypeJSON(name string) object {
	id := firstID["issue_type"]
	for _, r := range name {
		id = (id*31 + int64(r)) % 1_000_000
	}
	return object{"id": id, "node_id": nodeID("IT", id), "name": name, "description": nil}
}

func (c *call) listComments() response {
	t, _, _, refused := c.thread("read")
	if refused != nil {
		return *refused
	}
	comments := slices.Clone(t.comments)
	if since := c.request.URL.Query().Get("since"); since != "" {
		at, err := time.Parse(time.RFC3339, since)
		if err != nil {
			return invalid(problem{Resource: "IssueComment", Field: "since", Code: "invalid"})
		}
		comments = slices.DeleteFunc(comments, func(o *Comment) bool { return o.updatedAt.Before(at) })
	}
	return listed(c, comments, c.world.commentJSON)
}

const maxBody = 65536 // characters of a body or comment

func (c *call) createComment() response {
	t, i, p, refused := c.thread("write")
	if refused != nil {
		return *refused
	}
	var asked struct {
		Body *string `json:"body"`
	}
	if refused := c.decode(&asked); refused != nil {
		return *refused
	}
	switch {
	case asked.Body == nil:
		return unprocessable("Invalid request.\n\n\"body\" wasn't supplied.")
	case *asked.Body == "":
		return invalid(problem{Resource: "IssueComment", Field: "body", Code: "missing_field"})
	case len([]rune(*asked.Body)) > maxBody:
		return invalid(problem{
			Resource: "IssueComment", Field: "body", Code: "unprocessable", Message: "body is too long (maximum is 65536 characters)",
		})
	}
	return created(c.world.commentJSON(c.world.addComment(t, i, p, c.actor(), *asked.Body)))
}

// actor is the account that the token acts for: the user, or the app's bot.
func (c *call) actor() *account {
	if c.grant.user != nil {
		return c.grant.user
	}
	return c.world.account(c.world.app.Slug + botSuffix)
}
