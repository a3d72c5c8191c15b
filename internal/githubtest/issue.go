package githubtest

import (
	"time"
)

// IssueOptions describe a new issue.
type IssueOptions struct {
	Author string // the repository's owner when empty
	Title  string
	Body   string
	Labels []string
	Type   string // name of the issue's type, such as "Bug"
}

// thread is what issues and pull requests share: number, title, body, labels, comments.
type thread struct {
	repository *Repository
	number     int
	issueID    int64
	title      string
	body       document
	open       bool
	closedAt   time.Time
	updatedAt  time.Time
	labels     []*label
	labelings  []labeling
	comments   []*Comment
}

// Issue is one issue.
type Issue struct {
	thread
	kind    string // name of its type
	deleted bool
	movedTo *Issue // where it was transferred to
}

// AddIssue opens an issue.
func (r *Repository) AddIssue(o IssueOptions) *Issue {
	var i *Issue
	r.world.change(func() {
		i = &Issue{thread: r.newThread(o.Author, o.Title, o.Body), kind: o.Type}
		for _, name := range o.Labels {
			i.addLabel(i.body.author, name)
		}
		r.issues[i.number] = i
		r.world.nodes[nodeID("I", i.issueID)] = i
		r.world.emitIssue(i, "opened", i.body.author, nil)
	})
	return i
}

func (r *Repository) newThread(author, title, body string) thread {
	if author == "" {
		author = r.owner.login
	}
	if title == "" {
		title = "Untitled"
	}
	return thread{
		repository: r, number: r.nextNumber(), issueID: r.world.nextID("issue"), title: title, open: true,
		body: r.world.newDocument(r.world.account(author), body), updatedAt: r.world.now(),
	}
}

// Number of the issue or pull request.
func (t *thread) Number() int { return t.number }

// Repository that it belongs to.
func (t *thread) Repository() *Repository { return t.repository }

// Body is the current text.
func (t *thread) Body() string { return look(t.repository.world, t.body.text) }

// EraseRevision deletes the content of revision i (0 is the creation) from the body's history.
func (t *thread) EraseRevision(actor string, i int) {
	w := t.repository.world
	w.change(func() { t.body.erase(i, w.account(actor), w.now()) })
}

// setBody edits the body and returns the changes member of the webhook, nil when nothing changed.
func (t *thread) setBody(actor, text string) map[string]any {
	w := t.repository.world
	before := t.body.text()
	if !w.edit(&t.body, w.account(actor), text) {
		return nil
	}
	t.updatedAt = w.now()
	return map[string]any{"body": map[string]any{"from": before}}
}

func (t *thread) setTitle(title string) map[string]any {
	if title == t.title {
		return nil
	}
	before := t.title
	t.title, t.updatedAt = title, t.repository.world.now()
	return map[string]any{"title": map[string]any{"from": before}}
}

// EditBody changes the issue's body as the actor; the same text changes nothing.
func (i *Issue) EditBody(actor, text string) {
	w := i.repository.world
	w.change(func() {
		if changes := i.setBody(actor, text); changes != nil {
			w.emitIssue(i, "edited", w.account(actor), map[string]any{"changes": changes})
		}
	})
}

// EditTitle changes the issue's title.
func (i *Issue) EditTitle(actor, title string) {
	w := i.repository.world
	w.change(func() {
		if changes := i.setTitle(title); changes != nil {
			w.emitIssue(i, "edited", w.account(actor), map[string]any{"changes": changes})
		}
	})
}

// Close closes the issue.
func (i *Issue) Close(actor string) {
	i.repository.world.change(func() { i.close(i.repository.world.account(actor)) })
}

func (i *Issue) close(actor *account) {
	if !i.open {
		return
	}
	w := i.repository.world
	i.open, i.closedAt, i.updatedAt = false, w.now(), w.now()
	w.emitIssue(i, "closed", actor, nil)
}

// Reopen opens a closed issue again.
func (i *Issue) Reopen(actor string) {
	w := i.repository.world
	w.change(func() {
		i.open, i.closedAt, i.updatedAt = true, time.Time{}, w.now()
		w.emitIssue(i, "reopened", w.account(actor), nil)
	})
}

// AddLabel sets a label.
func (i *Issue) AddLabel(actor, name string) {
	w := i.repository.world
	w.change(func() {
		if l := i.addLabel(w.account(actor), name); l != nil {
			w.emitIssue(i, "labeled", w.account(actor), map[string]any{"label": w.labelJSON(i.repository, l)})
		}
	})
}

// RemoveLabel takes a label away.
func (i *Issue) RemoveLabel(actor, name string) {
	w := i.repository.world
	w.change(func() {
		if l := i.removeLabel(w.account(actor), name); l != nil {
			w.emitIssue(i, "unlabeled", w.account(actor), map[string]any{"label": w.labelJSON(i.repository, l)})
		}
	})
}

// Delete deletes the issue.
func (i *Issue) Delete(actor string) {
	w := i.repository.world
	w.change(func() {
		w.emitIssue(i, "deleted", w.account(actor), nil)
		i.deleted = true
		delete(w.nodes, nodeID("I", i.issueID))
	})
}

// Transfer moves the issue to another repository and returns the new one, to which requests for the
// old one are redirected (REST).
func (i *Issue) Transfer(actor string, to *Repository) *Issue {
	w := i.repository.world
	var moved *Issue
	w.change(func() {
		moved = &Issue{thread: i.thread}
		moved.repository, moved.number, moved.issueID = to, to.nextNumber(), w.nextID("issue")
		for _, c := range moved.comments {
			c.thread, c.issue = &moved.thread, moved
		}
		to.issues[moved.number] = moved
		w.nodes[nodeID("I", moved.issueID)] = moved
		i.comments = nil
		w.emitIssue(i, "transferred", w.account(actor), map[string]any{"changes": map[string]any{
			"new_issue": w.issueJSON(&moved.thread, nil), "new_repository": w.repositoryJSON(to),
		}})
		i.movedTo = moved
	})
	return moved
}

func (i *Issue) gone() bool { return i.deleted || i.movedTo != nil }
