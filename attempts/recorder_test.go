package attempts_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/evidence-gate/evidence-gate/attempts"
	"github.com/evidence-gate/evidence-gate/snapshot"
)

// Section 10: whose word the attempts are, wherever they stand now. A name is "?" when it is not known.
func TestRecorders(t *testing.T) {
	t.Parallel()
	seen := func(id int64, at, by, body string) snapshot.RememberedCarrier {
		return snapshot.RememberedCarrier{CommentID: id, Check: "RC-1", Body: body, Author: by, SeenAt: clock(at)}
	}
	erase := func(c snapshot.Comment, i int) snapshot.Comment {
		c.Revisions[i].Body, c.Revisions[i].Erased = nil, true
		return c
	}
	accepts := snapshot.Action{Kind: "accept_loss", Actor: lead, At: clock("11:00"), CommentID: 101}
	triagedBoth := carrier("RC-1", a1, a2, triage(1))
	bobs := []snapshot.RememberedCarrier{seen(99, "09:01", "eng2", only)}
	for _, c := range []struct {
		name string
		task []snapshot.Comment
		seen []snapshot.RememberedCarrier
		want []string
	}{
		{"its author", []snapshot.Comment{comment(101, eng, "09:05", both)}, nil, []string{"eng"}},
		{"and whoever adds an attempt", []snapshot.Comment{edited(101, edit{eng, "09:05", only}, edit{eng2, "09:20", both})}, nil, []string{"eng", "eng2"}},
		{"not who triages it", []snapshot.Comment{edited(101, edit{eng, "09:05", both}, edit{lead, "09:20", triagedBoth})}, nil, []string{"eng"}},
		{"not who comments beside it", []snapshot.Comment{comment(101, eng, "09:05", both), comment(102, eng2, "09:06", "> "+only), comment(103, lead, "10:05", triageComment("RC-1", triage(1)))}, nil, []string{"eng"}},
		{"nobody knows who added one", []snapshot.Comment{edited(101, edit{eng, "09:05", only}, edit{nil, "09:20", both})}, nil, []string{"eng", "?"}},
		{"nobody knows who edited something else", []snapshot.Comment{edited(101, edit{eng, "09:05", both}, edit{nil, "09:20", "Hello\n\n" + both})}, nil, []string{"eng"}},
		{"a text that no revision shows", []snapshot.Comment{func() snapshot.Comment {
			c := edited(101, edit{eng, "09:05", only}, edit{eng, "09:20", only})
			c.Body = both
			return c
		}()}, nil, []string{"eng", "?"}},

		{"moved into another comment, the first one stands", []snapshot.Comment{comment(99, eng2, "09:01", only), comment(101, eng, "09:05", both)}, nil, []string{"eng2", "eng"}},
		{"moved, and the first one was emptied", []snapshot.Comment{edited(99, edit{eng2, "09:01", only}, edit{eng2, "09:30", "moved"}), comment(101, eng, "09:05", both)}, nil, []string{"eng2", "eng"}},
		{"moved, and the first one was deleted", []snapshot.Comment{comment(101, eng, "09:05", both)}, bobs, []string{"eng", "eng2"}},
		{"moved and renumbered", []snapshot.Comment{comment(101, eng, "09:05", carrier("RC-1", attempt(4, later("09:01"))))}, bobs, []string{"eng", "eng2"}},
		{"moved to another check", []snapshot.Comment{comment(101, eng, "09:05", carrier("RC-2", a1))}, bobs, []string{"eng", "eng2"}},
		{"deleted and nothing written anew", nil, bobs, []string{"eng2"}},
		{"deleted, its author not known", nil, []snapshot.RememberedCarrier{seen(99, "09:01", "", only)}, []string{"?"}},
		{"deleted, and nobody knows who added one", nil, append(bobs[:1:1], seen(99, "09:20", "eng2", both)), []string{"eng2", "?"}},
		{"lost in a rewrite", []snapshot.Comment{edited(101, edit{eng, "09:05", only}, edit{eng2, "09:20", both}, edit{eng, "09:30", only})}, nil, []string{"eng", "eng2"}},

		{"a revision of a known hand was erased", []snapshot.Comment{erase(edited(101, edit{eng, "09:05", only}, edit{eng2, "09:20", both}, edit{eng, "09:30", both}), 1)}, nil, []string{"eng", "eng2"}},
		{"a revision of no known hand was erased", []snapshot.Comment{erase(edited(101, edit{eng, "09:05", only}, edit{nil, "09:20", both}, edit{eng, "09:30", both}), 1)}, nil, []string{"eng", "?"}},
		{"of a comment that was never a carrier", []snapshot.Comment{erase(edited(101, edit{eng, "09:05", "a"}, edit{eng2, "09:20", "b"}, edit{eng, "09:30", "c"}), 1)}, nil, nil},

		{"a stranger's carrier, which does not count", []snapshot.Comment{comment(99, reader, "09:01", only), comment(101, eng, "09:05", only)}, nil, []string{"passer-by", "eng"}},
		{"a stranger's that was emptied", []snapshot.Comment{edited(99, edit{reader, "09:01", only}, edit{reader, "09:30", "moved"})}, nil, []string{"passer-by"}},
		{"a stranger cannot make a hand unknown", []snapshot.Comment{edited(99, edit{reader, "09:01", only}, edit{nil, "09:30", both}), comment(101, eng, "09:05", only)}, nil, []string{"passer-by", "eng"}},
		{"a stranger's words", []snapshot.Comment{comment(99, reader, "09:01", "> "+only)}, nil, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			f := facts(c.task...)
			f.Remembered = c.seen
			for _, actions := range [][]snapshot.Action{nil, {accepts}} { // an acceptance takes nobody off
				f.Actions = actions
				got := attempts.Judge(f)
				require.ElementsMatch(t, c.want, names(got.Recorders), "%v", got.Recorders)
				if s, ok := got.Of("RC-1"); ok {
					require.Subset(t, names(got.Recorders), names(s.Recorders))
				}
			}
		})
	}
}

// Each is of one check and one comment.
func TestRecordersOfACheck(t *testing.T) {
	t.Parallel()
	got := attempts.Judge(facts(comment(101, eng, "09:05", only), comment(102, eng2, "09:05", carrier("RC-2", a1))))
	s, ok := got.Of("RC-2")
	require.True(t, ok)
	require.Equal(t, []attempts.Recorder{{Actor: eng2, Check: "RC-2", Comment: 102}}, s.Recorders)
	require.Equal(t, []attempts.Recorder{{Actor: eng, Check: "RC-1", Comment: 101}, {Actor: eng2, Check: "RC-2", Comment: 102}}, got.Recorders)
}

func names(of []attempts.Recorder) []string {
	var out []string
	for _, r := range of {
		if r.Actor == nil {
			out = append(out, "?")
		} else {
			out = append(out, r.Actor.Login)
		}
	}
	return out
}
