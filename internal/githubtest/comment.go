package githubtest

import (
	"slices"
	"time"
)

// Comment is one comment on an issue or in a pull request's conversation.
type Comment struct {
	world     *World
	thread    *thread
	pull      *PullRequest // nil on issues
	issue     *Issue       // nil on pull requests
	id        int64
	body      document
	updatedAt time.Time
	app       *appIdentity
	reactions []reaction
}

// Comment writes a comment on the issue.
func (i *Issue) Comment(author, body string) *Comment {
	w := i.repository.world
	var c *Comment
	w.change(func() { c = w.addComment(&i.thread, i, nil, w.account(author), body) })
	return c
}

// Comment writes a comment in the pull request's conversation.
func (p *PullRequest) Comment(author, body string) *Comment {
	w := p.repository.world
	var c *Comment
	w.change(func() { c = w.addComment(&p.thread, nil, p, w.account(author), body) })
	return c
}

func (w *World) addComment(t *thread, i *Issue, p *PullRequest, author *account, body string) *Comment {
	c := &Comment{
		world: w, thread: t, issue: i, pull: p, id: w.nextID("comment"),
		body: w.newDocument(author, body), updatedAt: w.now(),
	}
	if author.login == w.app.Slug+botSuffix {
		c.app = w.appNamed(w.app.Slug)
	}
	t.comments = append(t.comments, c)
	t.updatedAt = w.now()
	w.nodes[nodeID("IC", c.id)] = c
	w.emitComment(c, "created", author, nil)
	return c
}

// ID of the comment.
func (c *Comment) ID() int64 { return c.id }

// Body is the current text.
func (c *Comment) Body() string { return look(c.world, c.body.text) }

// Edit changes the comment as the actor; the same text changes nothing.
func (c *Comment) Edit(actor, text string) {
	c.world.change(func() {
		before := c.body.text()
		if !c.world.edit(&c.body, c.world.account(actor), text) {
			return
		}
		c.updatedAt = c.world.now()
		c.world.emitComment(c, "edited", c.world.account(actor), map[string]any{
			"changes": map[string]any{"body": map[string]any{"from": before}},
		})
	})
}

// EraseRevision deletes the content of revision i (0 is the creation) from the history.
func (c *Comment) EraseRevision(actor string, i int) {
	c.world.change(func() { c.body.erase(i, c.world.account(actor), c.world.now()) })
}

// Delete deletes the comment.
func (c *Comment) Delete(actor string) {
	c.world.change(func() {
		c.thread.comments = slices.DeleteFunc(c.thread.comments, func(o *Comment) bool { return o == c })
		delete(c.world.nodes, nodeID("IC", c.id))
		c.world.emitComment(c, "deleted", c.world.account(actor), nil)
	})
}

// Comments are the texts of all comments on the issue or in the conversation, oldest first.
func (t *thread) Comments() []string {
	return look(t.repository.world, func() []string {
		texts := make([]string, 0, len(t.comments))
		for _, c := range t.comments {
			texts = append(texts, c.body.text())
		}
		return texts
	})
}
