package githubtest

import "time"

// revision is one state of a text. The first one is its creation.
type revision struct {
	id        int64
	editor    *account
	at        time.Time
	text      string
	deletedAt time.Time
	deletedBy *account
}

// document is a text with its history: the body of a pull request, issue, comment or review.
type document struct {
	author    *account
	revisions []revision
}

func (w *World) newDocument(author *account, text string) document {
	return document{author: author, revisions: []revision{{id: w.nextID("edit"), editor: author, at: w.now(), text: text}}}
}

func (d *document) text() string { return d.revisions[len(d.revisions)-1].text }

func (d *document) created() time.Time { return d.revisions[0].at }

// edit adds a revision and says whether the text changed.
func (w *World) edit(d *document, editor *account, text string) bool {
	if text == d.text() {
		return false
	}
	d.revisions = append(d.revisions, revision{id: w.nextID("edit"), editor: editor, at: w.now(), text: text})
	return true
}

// edited says who edited last and when; nil and zero when the text is as created.
func (d *document) edited() (*account, time.Time) {
	if len(d.revisions) == 1 {
		return nil, time.Time{}
	}
	last := d.revisions[len(d.revisions)-1]
	return last.editor, last.at
}

// edits is what userContentEdits lists, newest first: the creation only once there is another.
func (d *document) edits() []revision {
	if len(d.revisions) == 1 {
		return nil
	}
	edits := make([]revision, 0, len(d.revisions))
	for i := len(d.revisions) - 1; i >= 0; i-- {
		edits = append(edits, d.revisions[i])
	}
	return edits
}

// erase deletes the content of revision i (0 is the creation) from the history.
func (d *document) erase(i int, by *account, at time.Time) {
	d.revisions[i].deletedBy, d.revisions[i].deletedAt = by, at
}
