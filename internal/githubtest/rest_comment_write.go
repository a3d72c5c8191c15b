package githubtest

import (
	"net/http"
	"regexp"
	"slices"
	"time"
)

const (
	oneComment       = "/repos/{owner}/{repo}/issues/comments/{id}"
	commentReactions = oneComment + "/reactions"
)

// "REST API endpoints for issue comments" and "… for reactions", as far as one comment is concerned.
var commentEndpoints = []endpoint{
	{pattern: "PATCH " + oneComment, writes: true, accepts: eitherWrite, handle: (*call).updateComment},
	{pattern: "POST " + commentReactions, writes: true, accepts: eitherWrite, handle: (*call).createReaction},
}

// getComment stands apart: http.ServeMux refuses its pattern beside "…/issues/{number}/comments",
// since a path could fit both.
var getComment = endpoint{pattern: "GET " + oneComment, accepts: eitherRead, handle: (*call).getComment}

var commentPath = regexp.MustCompile(`^/repos/([^/]+)/([^/]+)/issues/comments/(\d+)$`)

// unrouted answers what http.ServeMux has no pattern for.
func (s *Server) unrouted(r *http.Request) response {
	m := commentPath.FindStringSubmatch(r.URL.Path)
	if m == nil || r.Method != http.MethodGet {
		return s.unmodelled(r)
	}
	for i, name := range []string{"owner", "repo", "id"} {
		r.SetPathValue(name, m[i+1])
	}
	return s.call(&getComment, r)
}

// reaction is one account's reaction to a comment.
type reaction struct {
	id      int64
	account *account
	content string
	at      time.Time
}

var reactionContents = []string{"+1", "-1", "laugh", "confused", "heart", "hooray", "rocket", "eyes"}

// Reactions are the reactions to the comment, oldest first, as "login content".
func (c *Comment) Reactions() []string {
	return look(c.world, func() []string {
		list := []string{}
		for _, r := range c.reactions {
			list = append(list, r.account.login+" "+r.content)
		}
		return list
	})
}

func (c *Comment) reactionsJSON(url string) object {
	json := reactionsJSON(url)
	for _, r := range c.reactions {
		json[r.content] = json[r.content].(int) + 1
		json["total_count"] = json["total_count"].(int) + 1
	}
	return json
}

// comment finds the comment of the path; with it comes the refusal when the permission for its kind
// of thread is missing.
func (c *call) comment(level string) (*Comment, *response) {
	found := c.repository.comment(c.number("id"))
	if found == nil {
		answer := notFound()
		return nil, &answer
	}
	mayRead := c.repository.public && level == "read"
	if found.issue != nil && !mayRead && strength(c.grant.level(c.repository, "issues")) < strength(level) {
		answer := missingPermission("issues=" + level)
		return nil, &answer
	}
	return found, nil
}

func (r *Repository) comment(id int64) *Comment {
	for _, i := range r.issues {
		if !i.gone() {
			if c := i.comment(id); c != nil {
				return c
			}
		}
	}
	for _, p := range r.pulls {
		if c := p.comment(id); c != nil {
			return c
		}
	}
	return nil
}

func (t *thread) comment(id int64) *Comment {
	for _, c := range t.comments {
		if c.id == id {
			return c
		}
	}
	return nil
}

func (c *call) getComment() response {
	found, refused := c.comment("read")
	if refused != nil {
		return *refused
	}
	return ok(c.world.commentJSON(found))
}

func (c *call) updateComment() response {
	found, refused := c.comment("write")
	if refused != nil {
		return *refused
	}
	if u := c.grant.user; u != nil && u != found.body.author && !atLeast(c.repository.role(u), "write") {
		return failure(http.StatusForbidden, "Must have admin rights to Repository.")
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
	before := found.body.text()
	if c.world.edit(&found.body, c.actor(), *asked.Body) {
		found.updatedAt = c.world.now()
		c.world.emitComment(found, "edited", c.actor(), object{"changes": object{"body": object{"from": before}}})
	}
	return ok(c.world.commentJSON(found))
}

// createReaction answers 200 instead of 201 when the account reacted like that before.
func (c *call) createReaction() response {
	found, refused := c.comment("write")
	if refused != nil {
		return *refused
	}
	var asked struct {
		Content string `json:"content"`
	}
	if refused := c.decode(&asked); refused != nil {
		return *refused
	}
	if !slices.Contains(reactionContents, asked.Content) {
		return invalid(problem{Resource: "Reaction", Field: "content", Code: "invalid"})
	}
	for _, r := range found.reactions {
		if r.account == c.actor() && r.content == asked.Content {
			return ok(c.world.reactionJSON(r))
		}
	}
	r := reaction{id: c.world.nextID("reaction"), account: c.actor(), content: asked.Content, at: c.world.now()}
	found.reactions = append(found.reactions, r)
	return created(c.world.reactionJSON(r))
}

func (w *World) reactionJSON(r reaction) object {
	return object{
		"id": r.id, "node_id": nodeID("REA", r.id), "user": w.userJSON(r.account), "content": r.content, "created_at": timestamp(r.at),
	}
}
