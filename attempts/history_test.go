package attempts_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/evidence-gate/evidence-gate/attempts"
	"github.com/evidence-gate/evidence-gate/report"
	"github.com/evidence-gate/evidence-gate/snapshot"
)

// Three attempts of one story, and its texts.
var (
	a1   = attempt(1)
	a2   = attempt(2, "Strategy: split")
	a3   = attempt(3, "Strategy: ci", "Outcome: passed")
	only = carrier("RC-1", a1)
	both = carrier("RC-1", a1, a2)
)

// story judges one edited carrier at stage review.
func story(edits ...edit) attempts.Result {
	f := facts(edited(101, edits...))
	f.Stage = report.Review
	return attempts.Judge(f)
}

// A7: what is a rewrite, by GitHub's revisions.
func TestAppendOnly(t *testing.T) {
	t.Parallel()
	rewritten := []string{"error carrier.rewritten"}
	spaced := strings.NewReplacer("\n- ", "\n*   ", "**", "", "Outcome:", "**Outcome**:", "cache suite", "cache\n    suite").Replace(only)
	for _, c := range []struct {
		name  string
		edits []edit
		want  []string
	}{
		{"an attempt is added", []edit{{eng, "09:05", only}, {eng, "09:20", both}}, nil},
		{"a prediction and an attempt are added", []edit{{eng, "09:05", carrier("RC-1", timeout(1))}, {eng, "09:20", carrier("RC-1", timeout(1), prediction(2), attempt(2, "Timeout ms: 300000", later("09:30")))}}, nil},
		{"white space, bullets and bold change", []edit{{eng, "09:05", only}, {eng, "09:20", spaced}}, nil},
		{"line ends change", []edit{{eng, "09:05", only}, {eng, "09:20", strings.ReplaceAll(only, "\n", "\r\n")}}, nil},
		{"words around the attempts change", []edit{{eng, "09:05", "Hello\n\n" + only}, {eng, "09:20", only + "\n<!-- x -->\n"}}, nil},
		{"a text that holds nothing yet", []edit{{eng, "09:05", "soon"}, {eng, "09:20", only}}, nil},
		{"a malformed attempt is corrected", []edit{{eng, "09:05", carrier("RC-1", attempt(1, "Duration ms: 0"))}, {eng, "09:06", only}}, nil},
		{"a malformed attempt is taken away", []edit{{eng, "09:05", carrier("RC-1", a1, attempt(2, "Strategy: hope"))}, {eng, "09:06", only}}, nil},
		{"a repeated number is corrected", []edit{{eng, "09:05", carrier("RC-1", a1, attempt(1, "Strategy: split"))}, {eng, "09:06", both}}, nil},
		{"a malformed prediction is corrected", []edit{{eng, "09:05", carrier("RC-1", timeout(1), prediction(2, "Evidence: may need longer"))}, {eng, "09:06", carrier("RC-1", timeout(1), prediction(2))}}, nil},
		{"an engineer's triage, which never counted, is taken away", []edit{{eng, "09:05", carrier("RC-1", a1, triage(1))}, {eng, "09:06", only}}, nil},
		{"a maintainer puts triage between attempts", []edit{{eng, "09:05", both}, {lead, "10:00", carrier("RC-1", a1, triage(1), a2)}}, nil},

		{"an outcome changes", []edit{{eng, "09:05", only}, {eng, "09:20", carrier("RC-1", attempt(1, "Outcome: passed"))}}, append(rewritten, "note carrier.routine")},
		{"a number changes", []edit{{eng, "09:05", only}, {eng, "09:20", carrier("RC-1", attempt(2, later("09:01")))}}, rewritten},
		{"a text changes", []edit{{eng, "09:05", only}, {eng, "09:20", carrier("RC-1", attempt(1, "Partial evidence: 2 failing in the cache suite"))}}, rewritten},
		{"the last attempt is taken away", []edit{{eng, "09:05", both}, {eng, "09:20", only}}, rewritten},
		{"the first attempt is taken away", []edit{{eng, "09:05", both}, {eng, "09:20", carrier("RC-1", a2)}}, rewritten},
		{"attempts change places", []edit{{eng, "09:05", both}, {eng, "09:20", carrier("RC-1", a2, a1)}}, append(rewritten, "error attempt.number_order", "warning attempt.time_order")},
		{"a prediction is put in afterwards", []edit{{eng, "09:05", carrier("RC-1", timeout(1), attempt(2, "Timeout ms: 300000", later("09:30")))},
			{eng, "09:20", carrier("RC-1", timeout(1), prediction(2), attempt(2, "Timeout ms: 300000", later("09:30")))}}, rewritten},
		{"an attempt is made malformed", []edit{{eng, "09:05", only}, {eng, "09:20", carrier("RC-1", attempt(1, "Outcome: exploded"))}}, append(rewritten, "error attempt.field_invalid")},
		{"everything is commented out", []edit{{eng, "09:05", only}, {eng, "09:20", carrier("RC-1", "<!--\n"+a1+"-->\n\n")}}, append(rewritten, "error carrier.empty")},
		{"the marker is taken away", []edit{{eng, "09:05", only}, {eng, "09:20", "never mind"}}, rewritten},
		{"the marker names another check", []edit{{eng, "09:05", only}, {eng, "09:20", strings.ReplaceAll(only, "RC-1", "RC-2")}}, rewritten},
		{"the heading is broken", []edit{{eng, "09:05", only}, {eng, "09:20", strings.Replace(only, "## Verification", "Verification", 1)}}, append(rewritten, "error carrier.section_missing")},
		{"a maintainer's triage is taken away", []edit{{eng, "09:05", only}, {lead, "10:00", carrier("RC-1", a1, triage(1))}, {eng, "10:10", only}}, rewritten},
		{"another maintainer's triage is taken away by a maintainer", []edit{{eng, "09:05", only}, {lead, "10:00", carrier("RC-1", a1, triage(1))}, {boss, "10:10", only}}, rewritten},
		{"another maintainer's triage is changed", []edit{{eng, "09:05", only}, {lead, "10:00", carrier("RC-1", a1, triage(1))}, {boss, "10:10", carrier("RC-1", a1, triage(1, "Classification: pending", "Reason:"))}}, rewritten},
		{"a maintainer's own triage is taken away by nobody knows whom", []edit{{eng, "09:05", only}, {lead, "10:00", carrier("RC-1", a1, triage(1))}, {nil, "10:10", only}}, rewritten},
		{"own triage is changed, and an attempt with it", []edit{{eng, "09:05", both}, {lead, "10:00", carrier("RC-1", a1, triage(1), a2)}, {lead, "10:10", carrier("RC-1", a1)}}, rewritten},
		{"a maintainer makes an own pending triage final", []edit{{eng, "09:05", only}, {lead, "10:00", carrier("RC-1", a1, triage(1, "Classification: pending", "Reason:"))}, {lead, "10:10", carrier("RC-1", a1, triage(1))}}, nil},
		{"a maintainer mends a word of an own triage", []edit{{eng, "09:05", only}, {lead, "10:00", carrier("RC-1", a1, triage(1, "Reason: the hots ran out of disk"))}, {lead, "10:10", carrier("RC-1", a1, triage(1))}}, nil},
		{"a maintainer takes an own triage back", []edit{{eng, "09:05", only}, {lead, "10:00", carrier("RC-1", a1, triage(1))}, {lead, "10:10", only}}, nil},
		{"by a maintainer too", []edit{{eng, "09:05", both}, {lead, "09:20", only}}, rewritten},
		{"by an account that has no permission any more", []edit{{eng, "09:05", both}, {reader, "09:20", only}}, rewritten},
		{"by a deleted account", []edit{{eng, "09:05", both}, {nil, "09:20", only}}, rewritten},

		{"what was lost is put back", []edit{{eng, "09:05", both}, {eng, "09:20", only}, {eng, "09:30", both}}, nil},
		{"somebody else puts it back, and more", []edit{{eng, "09:05", both}, {eng, "09:20", only}, {eng2, "09:30", carrier("RC-1", a1, a2, a3)}}, nil},
		{"something else is written in its place", []edit{{eng, "09:05", both}, {eng, "09:20", only}, {eng, "09:30", carrier("RC-1", a1, attempt(2, "Strategy: ci"))}}, rewritten},
		{"what a rewrite added is no history", []edit{{eng, "09:05", both}, {eng, "09:20", carrier("RC-1", a1, attempt(2, "Strategy: ci"))}, {eng, "09:30", both}}, nil},
		{"three people edit within a minute, and the last did not see the second", []edit{{eng, "09:05", only}, {eng2, "09:20", both}, {lead, "09:20", carrier("RC-1", a1, attempt(2, "Strategy: ci"))}}, rewritten},
		{"three people edit within a minute, one after the other", []edit{{eng, "09:20", only}, {eng2, "09:20", both}, {lead, "09:20", carrier("RC-1", a1, a2, a3)}}, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			got := story(c.edits...)
			require.ElementsMatch(t, c.want, findings(got), "%v", got.Diagnostics)
		})
	}
}

// A7: the report shows what was lost, and names it for an acceptance.
func TestLostTextIsShown(t *testing.T) {
	t.Parallel()
	got := story(edit{eng, "09:05", both}, edit{eng2, "09:20", only})
	d := got.Diagnostics[0]
	require.Equal(t, report.CodeCarrierRewritten, d.Code)
	require.Equal(t, report.Engineer, d.Owner)
	require.Equal(t, "RC-1", *d.Check)
	require.Contains(t, d.Message, "2026-11-29T09:20:00Z by eng2")
	require.Contains(t, d.Message, "attempt 2")
	require.Equal(t, strings.TrimSpace(a2), d.Details["lost"])
	require.Equal(t, []string{"attempt 2"}, d.Details["entries"])
	require.Equal(t, int64(101), d.Details["comment_id"])
	require.Regexp(t, "^sha256:[0-9a-f]{64}$", d.Details["digest"])
	again := story(edit{eng, "09:05", strings.ReplaceAll(both, "\n- ", "\n*  ")}, edit{eng2, "09:20", only})
	require.Equal(t, d.Details["digest"], again.Diagnostics[0].Details["digest"], "white space does not matter")

	moved := story(edit{eng, "09:05", both}, edit{eng2, "09:20", carrier("RC-1", a2, a1)})
	require.Equal(t, report.CodeCarrierRewritten, moved.Diagnostics[0].Code)
	require.Contains(t, moved.Diagnostics[0].Message, "out of its place")

	long := story(edit{eng, "09:05", carrier("RC-1", attempt(1, "Partial evidence: "+strings.Repeat("very long ", 6000)))}, edit{eng2, "09:20", "gone"})
	require.Less(t, len(long.Diagnostics[0].Message), 1000)
	require.Less(t, len(long.Diagnostics[0].Details["lost"].(string)), 5000)
}

// A7: a maintainer's acceptance clears what is lost when it is given.
func TestAcceptance(t *testing.T) {
	t.Parallel()
	edits := []edit{{eng, "09:05", both}, {eng, "09:20", only}}
	lost := story(edits...).Diagnostics[0].Details["digest"].(string)
	accept := func(by *actor, at string, change func(*snapshot.Action)) snapshot.Action {
		a := snapshot.Action{Kind: "accept_loss", Actor: by, At: clock(at), CommentID: 101, Check: "RC-1"}
		if change != nil {
			change(&a)
		}
		return a
	}
	for _, c := range []struct {
		name   string
		action snapshot.Action
		more   []edit
		clears bool
	}{
		{"a maintainer's", accept(lead, "09:30", nil), nil, true},
		{"with the digest of what is lost", accept(lead, "09:30", func(a *snapshot.Action) { a.Digest = lost }), nil, true},
		{"with that digest, written without its prefix", accept(lead, "09:30", func(a *snapshot.Action) { a.Digest = strings.TrimPrefix(lost, "sha256:") }), nil, true},
		{"with that digest, by a clock that is behind", accept(lead, "09:10", func(a *snapshot.Action) { a.Digest = lost }), nil, true},
		{"of the comment, no check named", accept(lead, "09:30", func(a *snapshot.Action) { a.Check = "" }), nil, true},
		{"of the check, no comment named", accept(lead, "09:30", func(a *snapshot.Action) { a.CommentID = 0 }), nil, true},
		{"and attempts are added afterwards", accept(lead, "09:30", nil), []edit{{eng, "09:40", carrier("RC-1", a1, a3)}}, true},

		{"an engineer's", accept(eng2, "09:30", nil), nil, false},
		{"the author's, though a maintainer", accept(&actor{Login: "eng", Permission: "maintain"}, "09:30", nil), nil, false},
		{"a deleted account's", accept(nil, "09:30", nil), nil, false},
		{"of another kind", accept(lead, "09:30", func(a *snapshot.Action) { a.Kind = "accept_contract" }), nil, false},
		{"of another comment", accept(lead, "09:30", func(a *snapshot.Action) { a.CommentID = 102 }), nil, false},
		{"of another check", accept(lead, "09:30", func(a *snapshot.Action) { a.Check = "RC-2" }), nil, false},
		{"of another loss", accept(lead, "09:30", func(a *snapshot.Action) { a.Digest = "sha256:" + strings.Repeat("0", 64) }), nil, false},
		{"given before the loss", accept(lead, "09:10", nil), nil, false},
		{"and then more is lost", accept(lead, "09:30", nil), []edit{{eng, "09:40", "gone"}}, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			f := facts(edited(101, append(edits[:2:2], c.more...)...))
			f.Stage, f.Actions = report.Review, []snapshot.Action{c.action}
			got := attempts.Judge(f)
			if c.clears {
				require.Empty(t, findings(got), "%v", got.Diagnostics)
			} else {
				require.Equal(t, []string{"error carrier.rewritten"}, findings(got))
			}
		})
	}
}

// A7: a revision that was erased waits for a maintainer.
func TestErasedRevision(t *testing.T) {
	t.Parallel()
	erase := func(c snapshot.Comment, i int) snapshot.Comment {
		c.Revisions[i].Body, c.Revisions[i].Erased = nil, true
		return c
	}
	accepted := []snapshot.Action{{Kind: "accept_loss", Actor: lead, At: clock("09:40"), CommentID: 101}}
	middle := erase(edited(101, edit{eng, "09:05", only}, edit{eng, "09:10", "x"}, edit{eng, "09:20", both}), 1)
	erased := []string{"error carrier.history_erased"}
	for _, c := range []struct {
		name    string
		comment snapshot.Comment
		actions []snapshot.Action
		want    []string
	}{
		{"none", edited(101, edit{eng, "09:05", only}, edit{eng, "09:20", both}), nil, nil},
		{"one of a carrier", middle, nil, erased},
		{"without its mark", func() snapshot.Comment {
			c := edited(101, edit{eng, "09:05", only}, edit{eng, "09:10", "x"}, edit{eng, "09:20", both})
			c.Revisions[1].Body = nil
			return c
		}(), nil, erased},
		{"accepted by a maintainer", middle, accepted, nil},
		{"accepted before", middle, []snapshot.Action{{Kind: "accept_loss", Actor: lead, At: clock("09:06"), CommentID: 101}}, erased},
		{"accepted by an engineer", middle, []snapshot.Action{{Kind: "accept_loss", Actor: eng, At: clock("09:40"), CommentID: 101}}, erased},
		{"of a comment that is no carrier", erase(edited(101, edit{eng, "09:05", "secret"}, edit{eng, "09:20", "hello"}), 0), nil, nil},
		{"that could not be read for its complexity", edited(101, edit{eng, "09:05", only}, edit{eng, "09:10", strings.Repeat("> ", 2000) + only}, edit{eng, "09:20", both}), nil, erased},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			f := facts(c.comment)
			f.Stage, f.Actions = report.Review, c.actions
			got := attempts.Judge(f)
			require.ElementsMatch(t, c.want, findings(got), "%v", got.Diagnostics)
			for _, d := range got.Diagnostics {
				require.Equal(t, report.Maintainer, d.Owner)
			}
		})
	}
}

// A7: what the service saw is part of the history too.
func TestRemembered(t *testing.T) {
	t.Parallel()
	seen := func(id int64, at, body string) snapshot.RememberedCarrier {
		return snapshot.RememberedCarrier{CommentID: id, Check: "RC-1", Body: body, Author: "eng", SeenAt: clock(at)}
	}
	rewritten := []string{"error carrier.rewritten"}
	passed := carrier("RC-1", attempt(1, "Outcome: passed"))
	mine := attempt(1, "Strategy: ci", "Outcome: passed")
	for _, c := range []struct {
		name string
		task []snapshot.Comment
		seen []snapshot.RememberedCarrier
		acts []snapshot.Action
		want []string
	}{
		{"it stands as it was seen", []snapshot.Comment{comment(101, eng, "09:05", only)}, []snapshot.RememberedCarrier{seen(101, "09:06", only)}, nil, nil},
		{"it grew since", []snapshot.Comment{edited(101, edit{eng, "09:05", only}, edit{eng, "09:20", both})}, []snapshot.RememberedCarrier{seen(101, "09:06", only), seen(101, "09:21", both)}, nil, nil},
		{"it changed without a trace", []snapshot.Comment{comment(101, eng, "09:05", passed)}, []snapshot.RememberedCarrier{seen(101, "09:06", only)}, nil, append(rewritten, "note carrier.routine")},
		{"it shrank without a trace", []snapshot.Comment{comment(101, eng, "09:05", only)}, []snapshot.RememberedCarrier{seen(101, "09:06", both)}, nil, rewritten},
		{"a revision vanished that was seen, but nothing of it", []snapshot.Comment{edited(101, edit{eng, "09:05", only}, edit{eng, "09:30", carrier("RC-1", a1, a2, a3)})}, []snapshot.RememberedCarrier{seen(101, "09:21", both)}, nil, nil},
		{"it was deleted", nil, []snapshot.RememberedCarrier{seen(101, "09:06", only)}, nil, rewritten},
		{"it was deleted, accepted", nil, []snapshot.RememberedCarrier{seen(101, "09:06", only)}, []snapshot.Action{{Kind: "accept_loss", Actor: lead, At: clock("09:30"), CommentID: 101}}, nil},
		{"it was deleted and written anew", []snapshot.Comment{comment(102, eng2, "09:30", both)}, []snapshot.RememberedCarrier{seen(101, "09:06", only)}, nil, nil},
		{"it was deleted and another written", []snapshot.Comment{comment(102, eng, "09:30", passed)}, []snapshot.RememberedCarrier{seen(101, "09:06", only)}, nil, append(rewritten, "note carrier.routine")},
		{"it was deleted and written anew in another order", []snapshot.Comment{comment(102, eng, "09:30", carrier("RC-1", attempt(1, "Strategy: split", later("09:02")), attempt(2, later("09:01"))))}, []snapshot.RememberedCarrier{seen(101, "09:06", both)}, nil,
			append(rewritten, "warning attempt.time_order")},
		{"a duplicate was deleted whose attempts stand in the carrier, renumbered", []snapshot.Comment{edited(101, edit{eng, "09:05", only}, edit{eng, "09:30", carrier("RC-1", a1, attempt(2, "Strategy: ci", "Outcome: passed", later("09:01")))})},
			[]snapshot.RememberedCarrier{seen(101, "09:06", only), seen(102, "09:07", carrier("RC-1", mine))}, nil, nil},
		{"a duplicate was deleted with what it held", []snapshot.Comment{comment(101, eng, "09:05", only)}, []snapshot.RememberedCarrier{seen(102, "09:07", carrier("RC-1", mine))}, nil, rewritten},
		{"a malformed one was deleted", nil, []snapshot.RememberedCarrier{seen(101, "09:06", carrier("RC-1", attempt(1, "Outcome: exploded")))}, nil, nil},
		{"a stranger's was deleted", []snapshot.Comment{comment(1, reader, "09:00", "hi")}, []snapshot.RememberedCarrier{{CommentID: 101, Check: "RC-1", Body: only, Author: reader.Login, SeenAt: clock("09:06")}}, nil, nil},
		{"of somebody whose role nobody knows", nil, []snapshot.RememberedCarrier{{CommentID: 101, Check: "RC-1", Body: only, Author: "nobody-knows", SeenAt: clock("09:06")}}, nil, rewritten},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			f := facts(c.task...)
			f.Stage, f.Remembered, f.Actions = report.Review, c.seen, c.acts
			got := attempts.Judge(f)
			require.ElementsMatch(t, c.want, findings(got), "%v", got.Diagnostics)
		})
	}
}

// A7: a carrier that stands in another comment keeps its triage: its attempts were recorded when
// they were first seen.
func TestTriageOutlivesTheComment(t *testing.T) {
	t.Parallel()
	f := facts(comment(102, eng, "11:00", only), comment(201, lead, "10:05", triageComment("RC-1", triage(1))))
	f.Remembered = []snapshot.RememberedCarrier{{CommentID: 101, Check: "RC-1", Body: only, Author: "eng", SeenAt: clock("09:06")}}
	require.Empty(t, findings(attempts.Judge(f)))
	f.Remembered = nil
	require.Equal(t, []string{"error episode.active", "warning triage.misplaced"}, findings(attempts.Judge(f)))
}

// A7: no dead ends: a maintainer's final triage of an attempt clears what is wrong with it.
func TestTriageClearsFaults(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name string
		subs []string
		of   int
		want []string
	}{
		{"a field that is missing", []string{attempt(1, "Required:")}, 1, []string{"warning attempt.field_missing"}},
		{"a field that is invalid", []string{attempt(1, "Outcome: exploded")}, 1, []string{"warning attempt.field_invalid"}},
		{"a field twice", []string{attempt(1) + "- Outcome: passed\n\n"}, 1, []string{"warning attempt.field_repeated"}},
		{"no classification", []string{timeout(1, "Candidate classification:")}, 1, []string{"warning attempt.classification_missing"}},
		{"the order of numbers", []string{attempt(5, later("09:00")), attempt(2, "Strategy: split")}, 2, []string{"warning attempt.number_order"}},
		{"its prediction", []string{timeout(1), prediction(2, "Evidence: may need longer"), attempt(2, "Timeout ms: 300000", later("09:30"))}, 2, []string{"warning prediction.field_invalid"}},
		{"not an invisible character", []string{attempt(1, "Command: `npm\u200b test`")}, 1, []string{"error text.invisible_character"}},
		{"not another heading", []string{attempt(1), "#### Remarks\n\n"}, 1, []string{"error attempt.subsection_unknown"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			got := attempts.Judge(facts(comment(101, eng, "09:05", carrier("RC-1", c.subs...)), comment(201, lead, "10:05", triageComment("RC-1", triage(c.of)))))
			require.ElementsMatch(t, c.want, findings(got), "%v", got.Diagnostics)
		})
	}
}
