package attempts

import (
	"slices"
	"strings"
	"time"

	"github.com/evidence-gate/evidence-gate/internal/markdown"
	"github.com/evidence-gate/evidence-gate/snapshot"
)

// event is one moment in the life of a comment.
type event struct {
	what    occasion
	text    *string // nil: the text is not known
	editor  *snapshot.Actor
	unknown bool // who wrote the text is not known
	at      time.Time
	action  *snapshot.Action
}

type occasion int

const (
	written  occasion = iota // a revision, or a text that the service saw
	erased                   // a revision whose text is gone
	accepted                 // a maintainer accepted what was lost
	gone                     // the comment was deleted
)

// comment is one comment with everything that is known of its past.
type comment struct {
	snapshot.Comment
	fact       string // what its list is called among the facts that could not be read
	deleted    bool   // known only from what the service saw
	remembered []snapshot.RememberedCarrier
}

// marked reports whether any text of the comment may hold a marker.
func (c *comment) marked() bool {
	if len(c.remembered) > 0 || mayHoldMarker(c.Body) {
		return true
	}
	return slices.ContainsFunc(c.Revisions, func(r snapshot.Revision) bool { return r.Body != nil && mayHoldMarker(*r.Body) })
}

// mayHoldMarker tells quickly whether a text may hold a marker, also one with invisible characters
// in it.
func mayHoldMarker(text string) bool {
	return strings.Contains(text, signature) || strings.Contains(text, "<!--") && strings.Contains(markdown.StripInvisible(text), signature)
}

// events are the moments of a comment, oldest first, without those of acceptances. The last text is
// the current one.
func (c *comment) events() []event {
	var out []event
	for i := range c.Revisions {
		out = append(out, c.revision(i))
	}
	if !c.deleted {
		if n := len(out); n == 0 {
			out = append(out, event{text: &c.Body, editor: c.Author, unknown: c.Author == nil, at: moment(c.CreatedAt)})
		} else if last := &out[n-1]; last.text == nil || *last.text != c.Body {
			out = append(out, event{text: &c.Body, unknown: true, at: moment(c.UpdatedAt)})
		}
	}
	out = c.seen(out)
	if c.deleted {
		out = append(out, event{what: gone})
	}
	return out
}

// revision is one revision of GitHub's history. The text of the last one is the comment's own.
func (c *comment) revision(i int) event {
	r := c.Revisions[i]
	e := event{text: r.Body, editor: r.Editor, at: moment(r.EditedAt)}
	if r.Body == nil && !r.Erased && i == len(c.Revisions)-1 {
		e.text = &c.Body
	}
	if r.Erased || e.text == nil {
		e.what, e.text = erased, nil
	}
	return e
}

// seen puts the texts that the service saw, and that GitHub's history does not hold, into their
// places; the current text stays the last.
func (c *comment) seen(events []event) []event {
	if len(c.remembered) == 0 {
		return events
	}
	known := make(map[string]bool, len(events)+len(c.remembered))
	for _, e := range events {
		if e.text != nil {
			known[normalised(*e.text)] = true
		}
	}
	var out []event
	for i := range c.remembered {
		r := &c.remembered[i]
		text := normalised(r.Body)
		if known[text] {
			continue
		}
		known[text] = true
		out = append(out, event{text: &r.Body, unknown: true, at: moment(r.SeenAt)})
	}
	if c.deleted || len(events) == 0 {
		return merge(events, out)
	}
	last := len(events) - 1
	return append(merge(events[:last:last], out), events[last])
}

// merge puts moments into their places among events; one without a readable time stands last.
func merge(events, moments []event) []event {
	slices.SortStableFunc(moments, func(a, b event) int { return early(a.at, b.at) })
	out := make([]event, 0, len(events)+len(moments))
	for _, m := range moments {
		for len(events) > 0 && (m.at.IsZero() || !events[0].at.After(m.at)) {
			out, events = append(out, events[0]), events[1:]
		}
		out = append(out, m)
	}
	return append(out, events...)
}

// early orders times; one that is not known comes last.
func early(a, b time.Time) int {
	switch {
	case a.IsZero() == b.IsZero():
		return a.Compare(b)
	case a.IsZero():
		return 1
	}
	return -1
}

// moment reads a time of GitHub's; zero when it cannot be read.
func moment(s string) time.Time {
	t, err := time.Parse(time.RFC3339, s)
	if err != nil {
		return time.Time{}
	}
	return t
}
