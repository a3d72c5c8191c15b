package github

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/evidence-gate/evidence-gate/snapshot"
)

func edited(at, by, diff string) editNode {
	return editNode{EditedAt: at, Editor: &actorNode{Type: "User", Login: by}, Diff: &diff}
}

func hidden(at, by string) editNode {
	return editNode{EditedAt: at, Editor: &actorNode{Type: "User", Login: by}}
}

func erased(at, by string) editNode {
	e := hidden(at, by)
	deleted := "2026-11-30T12:00:00Z"
	e.DeletedAt = &deleted
	return e
}

func revision(at, by, body string) snapshot.Revision {
	return snapshot.Revision{EditedAt: at, Editor: &snapshot.Actor{Login: by, Type: "User"}, Body: &body}
}

func without(r snapshot.Revision, erased bool) snapshot.Revision {
	r.Body, r.Erased = nil, erased
	return r
}

func TestRevisions(t *testing.T) {
	t.Parallel()
	const nine, ten, eleven = "2026-11-30T09:00:00Z", "2026-11-30T10:00:00Z", "2026-11-30T11:00:00Z"
	eng := &actorNode{Type: "User", Login: "eng"}
	unknown := func(at, body string) snapshot.Revision { return snapshot.Revision{EditedAt: at, Body: &body} }
	for name, c := range map[string]struct {
		now    text
		edits  []editNode // newest first, as GitHub lists them
		want   []snapshot.Revision
		hidden bool
	}{
		"never edited: the text as created": {
			now:  text{"a", nine, eng},
			want: []snapshot.Revision{revision(nine, "eng", "a")},
		},
		"a deleted account wrote it": {
			now:  text{"a", nine, nil},
			want: []snapshot.Revision{unknown(nine, "a")},
		},
		"edited once: the creation is among the edits": {
			now:   text{"b", nine, eng},
			edits: []editNode{edited(ten, "lead", "b"), edited(nine, "eng", "a")},
			want:  []snapshot.Revision{revision(nine, "eng", "a"), revision(ten, "lead", "b")},
		},
		"the order is by time, whatever the list's is": {
			now:   text{"c", nine, eng},
			edits: []editNode{edited(ten, "lead", "b"), edited(eleven, "eng", "c"), edited(nine, "eng", "a")},
			want:  []snapshot.Revision{revision(nine, "eng", "a"), revision(ten, "lead", "b"), revision(eleven, "eng", "c")},
		},
		"edits of one second keep GitHub's order": {
			now:   text{"c", nine, eng},
			edits: []editNode{edited(ten, "eng", "c"), edited(ten, "lead", "b"), edited(nine, "eng", "a")},
			want:  []snapshot.Revision{revision(nine, "eng", "a"), revision(ten, "lead", "b"), revision(ten, "eng", "c")},
		},
		"times of another zone are compared as times": {
			now:   text{"b", nine, eng},
			edits: []editNode{edited("2026-11-30T08:30:00-02:00", "lead", "b"), edited(nine, "eng", "a")},
			want:  []snapshot.Revision{revision(nine, "eng", "a"), revision("2026-11-30T08:30:00-02:00", "lead", "b")},
		},
		"an erased revision": {
			now:   text{"c", nine, eng},
			edits: []editNode{edited(eleven, "eng", "c"), erased(ten, "lead"), edited(nine, "eng", "a")},
			want:  []snapshot.Revision{revision(nine, "eng", "a"), without(revision(ten, "lead", ""), true), revision(eleven, "eng", "c")},
		},
		"a token that may not see earlier texts": {
			now:    text{"b", nine, eng},
			edits:  []editNode{hidden(ten, "lead"), hidden(nine, "eng")},
			want:   []snapshot.Revision{without(revision(nine, "eng", ""), false), revision(ten, "lead", "b")},
			hidden: true,
		},
		"erased and hidden": {
			now:    text{"c", nine, eng},
			edits:  []editNode{hidden(eleven, "eng"), erased(ten, "lead"), hidden(nine, "eng")},
			want:   []snapshot.Revision{without(revision(nine, "eng", ""), false), without(revision(ten, "lead", ""), true), revision(eleven, "eng", "c")},
			hidden: true,
		},
		"the current text is erased from the history": {
			now:   text{"b", nine, eng},
			edits: []editNode{erased(ten, "lead"), edited(nine, "eng", "a")},
			want:  []snapshot.Revision{revision(nine, "eng", "a"), without(revision(ten, "lead", ""), true), unknown(ten, "b")},
		},
		"the current text is in no edit yet: by nobody": {
			now:   text{"c", nine, eng},
			edits: []editNode{edited(ten, "lead", "b"), edited(nine, "eng", "a")},
			want:  []snapshot.Revision{revision(nine, "eng", "a"), revision(ten, "lead", "b"), unknown(ten, "c")},
		},
		"line breaks make no difference": {
			now:   text{"b\r\nc", nine, eng},
			edits: []editNode{edited(ten, "lead", "b\nc"), edited(nine, "eng", "a")},
			want:  []snapshot.Revision{revision(nine, "eng", "a"), revision(ten, "lead", "b\nc")},
		},
		"an empty text is a text": {
			now:   text{"", nine, eng},
			edits: []editNode{edited(ten, "lead", ""), edited(nine, "eng", "a")},
			want:  []snapshot.Revision{revision(nine, "eng", "a"), revision(ten, "lead", "")},
		},
		"a deleted editor": {
			now:   text{"b", nine, eng},
			edits: []editNode{{EditedAt: ten, Diff: new("b")}, edited(nine, "eng", "a")},
			want:  []snapshot.Revision{revision(nine, "eng", "a"), unknown(ten, "b")},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, readable := revisions(c.now, c.edits)
			require.Equal(t, c.want, got)
			require.Equal(t, !c.hidden, readable)
		})
	}
}
