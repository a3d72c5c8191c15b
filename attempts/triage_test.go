package attempts_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/evidence-gate/evidence-gate/attempts"
	"github.com/evidence-gate/evidence-gate/report"
	"github.com/evidence-gate/evidence-gate/snapshot"
)

type actor = snapshot.Actor

// triaged judges a failed attempt and a comment of lead's at stage merge.
func triaged(body string) attempts.Result {
	return attempts.Judge(facts(comment(101, eng, "09:05", carrier("RC-1", attempt(1))), comment(201, lead, "10:05", body)))
}

// A6: what a triage must hold. One with a fault does not count, so that the episode stays open.
func TestTriageFields(t *testing.T) {
	t.Parallel()
	open := func(code string) []string { return []string{"error episode.active", "warning triage." + code} }
	for _, c := range []struct {
		name    string
		changes []string
		want    []string
	}{
		{"one_off", nil, nil},
		{"one_off, spelt otherwise", []string{"Classification: One-off"}, nil},
		{"project_fact that exists", []string{"Classification: project_fact", "Reference: VF-full-suite"}, nil},
		{"project_fact as a code span", []string{"Classification: project_fact", "Reference: `VF-full-suite`"}, nil},
		{"decision by id", []string{"Classification: decision", "Reference: D-cache"}, nil},
		{"decision by path", []string{"Classification: decision", "Reference: .agenticloop/decisions/D-cache.md"}, nil},
		{"follow_up to a task", []string{"Classification: follow_up", "Reference: T-9"}, nil},
		{"follow_up to an issue", []string{"Classification: follow_up", "Reference: issue:#12"}, nil},
		{"follow_up to an issue, written long", []string{"Classification: follow_up", "Reference: github:issue:12"}, nil},
		{"pending needs no reason", []string{"Classification: pending", "Reason:"}, []string{"error episode.pending_triage"}},
		{"a blocker by name", []string{"Classification: blocker", "Reference: blocker:database"}, []string{"error episode.blocker"}},
		{"a blocker by issue", []string{"Classification: blocker", "Reference: issue:#12"}, []string{"error episode.blocker"}},
		{"a blocker by decision", []string{"Classification: blocker", "Reference: D-cache"}, []string{"error episode.blocker"}},

		{"a remark as comment", []string{"Comment: seen it myself"}, nil},
		{"no classification", []string{"Classification:"}, open("field_missing")},
		{"no reference", []string{"Reference:"}, open("field_missing")},
		{"no reason", []string{"Reason:"}, open("field_missing")},
		{"a placeholder as reason", []string{"Reason: TBD"}, open("field_missing")},
		{"no reason for a follow_up", []string{"Classification: follow_up", "Reference: T-9", "Reason:"}, open("field_missing")},
		{"nobody", []string{"Triaged by:"}, open("field_missing")},
		{"no time", []string{"Triaged at:"}, open("field_missing")},
		{"another classification", []string{"Classification: flaky"}, open("field_invalid")},
		{"a reason that says nothing", []string{"Reason: should work now"}, open("field_invalid")},
		{"the reason names a label", []string{"Reason: flaky"}, open("field_invalid")},
		{"the reason names what is to blame", []string{"Reason: CI network issue"}, open("field_invalid")},
		{"the reason is that there are reasons", []string{"Reason: because reasons"}, open("field_invalid")},
		{"triaged by an engineer", []string{"Triaged by: engineer"}, open("field_invalid")},
		{"a time in year 0", []string{"Triaged at: 0000-01-01T00:00:00Z"}, open("field_invalid")},
		{"a time in year 10000", []string{"Triaged at: 10000-01-01T00:00:00Z"}, open("field_invalid")},
		{"an invisible character", []string{"Classification: one\u200b_off"}, open("field_invalid")},
		{"one_off with a reference", []string{"Reference: issue:#12"}, open("reference_invalid")},
		{"project_fact in prose", []string{"Classification: project_fact", "Reference: slow host"}, open("reference_invalid")},
		{"project_fact with a decision", []string{"Classification: project_fact", "Reference: D-cache"}, open("reference_invalid")},
		{"decision in prose", []string{"Classification: decision", "Reference: we agreed"}, open("reference_invalid")},
		{"decision in another folder", []string{"Classification: decision", "Reference: docs/D-cache.md"}, open("reference_invalid")},
		{"follow_up in prose", []string{"Classification: follow_up", "Reference: later"}, open("reference_invalid")},
		{"follow_up to an issue number that is none", []string{"Classification: follow_up", "Reference: issue:#0"}, open("reference_invalid")},
		{"a blocker without a name", []string{"Classification: blocker", "Reference: blocker: "}, open("reference_invalid")},
		{"project_fact that does not exist", []string{"Classification: project_fact", "Reference: VF-other"}, open("reference_missing")},
		{"decision that does not exist", []string{"Classification: decision", "Reference: D-other"}, open("reference_missing")},
		{"decision path that does not exist", []string{"Classification: decision", "Reference: .agenticloop/decisions/D-other.md"}, open("reference_missing")},
		{"follow_up to an unknown task", []string{"Classification: follow_up", "Reference: T-10"}, open("reference_missing")},
		{"follow_up to nothing", []string{"Classification: follow_up"}, open("reference_missing")},
		{"a blocker that names nothing", []string{"Classification: blocker"}, open("reference_missing")},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			got := triaged(triageComment("RC-1", triage(1, c.changes...)))
			require.ElementsMatch(t, c.want, findings(got), "%v", got.Diagnostics)
			for _, d := range got.Diagnostics {
				require.Equal(t, report.Maintainer, d.Owner)
			}
		})
	}
}

// Comments that could not be read as a whole do not make those that the service saw deleted ones.
func TestUnreadIsNotDeleted(t *testing.T) {
	t.Parallel()
	f := facts()
	f.Remembered = []snapshot.RememberedCarrier{{CommentID: 101, Check: "RC-1", Body: only, Author: "eng", SeenAt: clock("09:06")}}
	f.Unavailable = func(fact string) bool { return fact == "comments" }
	require.Equal(t, []string{"error snapshot.fact_unavailable"}, findings(attempts.Judge(f)))
}

// A6: a field given twice makes the triage not count.
func TestTriageFieldTwice(t *testing.T) {
	t.Parallel()
	got := triaged(triageComment("RC-1", triage(1)+"- Classification: pending\n\n"))
	require.Equal(t, []string{"error episode.active", "warning triage.field_invalid"}, findings(got))
}

// A6: which attempt a triage is of.
func TestTriageTarget(t *testing.T) {
	t.Parallel()
	base := edit{eng, "09:05", carrier("RC-1", attempt(1))}
	two := attempt(2, "Strategy: split")
	for _, c := range []struct {
		name string
		task []snapshot.Comment
		want []string
	}{
		{"the latest attempt", []snapshot.Comment{comment(101, eng, "09:05", carrier("RC-1", attempt(1), two)), comment(201, lead, "10:05", triageComment("RC-1", triage(2)))}, nil},
		{"an earlier attempt only", []snapshot.Comment{comment(101, eng, "09:05", carrier("RC-1", attempt(1), two)), comment(201, lead, "10:05", triageComment("RC-1", triage(1)))}, []string{"error episode.active"}},
		{"no attempt", []snapshot.Comment{comment(101, eng, "09:05", carrier("RC-1", attempt(1))), comment(201, lead, "10:05", triageComment("RC-1", triage(3)))}, []string{"error episode.active", "warning triage.target_missing"}},
		{"a check without a carrier", []snapshot.Comment{comment(201, lead, "10:05", triageComment("RC-1", triage(1)))}, []string{"warning triage.target_missing"}},
		{"a number beyond 64 bits", []snapshot.Comment{comment(101, eng, "09:05", carrier("RC-1", attempt(1))), comment(201, lead, "10:05", triageComment("RC-1", "#### Triage for attempt 99999999999999999999\n\n- Classification: one_off\n- Reference: none\n- Reason: the build host ran out of disk\n- Triaged by: maintainer\n- Triaged at: 2026-11-29T10:00:00Z\n"))},
			[]string{"error episode.active", "warning triage.field_invalid"}},
		{"above its attempt", []snapshot.Comment{comment(101, lead, "09:05", carrier("RC-1", triage(1), attempt(1)))}, []string{"error episode.active", "warning triage.misplaced"}},
		{"an attempt that came later", []snapshot.Comment{
			edited(101, base, edit{eng, "11:00", carrier("RC-1", attempt(1), two)}), comment(201, lead, "10:05", triageComment("RC-1", triage(1), triage(2)))},
			[]string{"error episode.active", "warning triage.misplaced"}},
		{"an attempt that was recorded before", []snapshot.Comment{
			edited(101, base, edit{eng, "10:00", carrier("RC-1", attempt(1), two)}), comment(201, lead, "10:05", triageComment("RC-1", triage(2)))}, nil},
		{"a malformed attempt that was corrected afterwards", []snapshot.Comment{
			edited(101, edit{eng, "09:05", carrier("RC-1", attempt(1, "Duration ms: 0"))}, edit{eng, "11:00", carrier("RC-1", attempt(1))}), comment(201, lead, "10:05", triageComment("RC-1", triage(1)))},
			[]string{"error episode.active", "warning triage.misplaced"}},
		{"an attempt that got another number", []snapshot.Comment{
			edited(101, edit{eng, "09:05", carrier("RC-1", attempt(1), attempt(1, "Strategy: split"))}, edit{eng, "11:00", carrier("RC-1", attempt(1), two)}),
			comment(201, lead, "10:05", triageComment("RC-1", triage(2)))},
			[]string{"error episode.active", "warning triage.misplaced"}},
		{"an attempt that lost its number", []snapshot.Comment{
			edited(101, edit{eng, "09:05", carrier("RC-1", attempt(3, "Duration ms: 0"))}, edit{eng, "11:00", carrier("RC-1", attempt(1))}),
			comment(201, lead, "10:05", triageComment("RC-1", triage(3)))},
			[]string{"error episode.active", "warning triage.target_missing"}},
		{"two that count: the later one", []snapshot.Comment{comment(101, eng, "09:05", carrier("RC-1", attempt(1))),
			comment(201, lead, "10:05", triageComment("RC-1", triage(1))), comment(202, boss, "10:06", triageComment("RC-1", triage(1, "Classification: blocker", "Reference: blocker:disk")))},
			[]string{"error episode.blocker", "warning triage.repeated"}},
		{"two that count: the later one, whatever their order", []snapshot.Comment{comment(101, eng, "09:05", carrier("RC-1", attempt(1))),
			comment(201, lead, "10:07", triageComment("RC-1", triage(1))), comment(202, boss, "10:06", triageComment("RC-1", triage(1, "Classification: blocker", "Reference: blocker:disk")))},
			[]string{"warning triage.repeated"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			got := attempts.Judge(facts(c.task...))
			require.ElementsMatch(t, c.want, findings(got), "%v", got.Diagnostics)
		})
	}
}

// A6: a triage comment holds the two headings and triage only; more is ignored, less does not count.
func TestTriageComment(t *testing.T) {
	t.Parallel()
	good := triageComment("RC-1", triage(1))
	active := "error episode.active"
	for _, c := range []struct {
		name string
		body string
		want []string
	}{
		{"as it should be", good, nil},
		{"with the trailer", good + "[[agent: maintainer]]\n", nil},
		{"with words above", "Looked into it.\n\n" + good, []string{"warning triage.text_ignored"}},
		{"with an attempt", triageComment("RC-1", attempt(1), triage(1)), []string{"warning triage.text_ignored"}},
		{"with another section", good + "\n## Notes\n\nnone\n", []string{"warning triage.text_ignored"}},
		{"without headings", "<!-- AGENTIC_LOOP_VERIFICATION_TRIAGE:RC-1 -->\n\n" + triage(1), []string{active, "warning triage.field_missing", "warning triage.text_ignored"}},
		{"with the heading of another check", triageComment("RC-1", "### RC-2\n\n", triage(1)), []string{active, "warning triage.field_missing"}},
		{"without triage", triageComment("RC-1"), []string{active, "warning triage.field_missing"}},
		{"with a quoted marker", "> " + good, []string{active}},
		{"with words below", good + "\nbut I do not mean it\n", []string{"warning triage.text_ignored"}},
		{"with another list item", good[:len(good)-1] + "- Note: see above\n", []string{"warning triage.text_ignored"}},
		{"with a table below", good + "\n| a |\n|---|\n| b |\n", []string{"warning triage.text_ignored"}},
		{"with an HTML comment below", good + "\n<!-- signed -->\n", nil},
		{"with a second check below", good + "\n### RC-2\n\n" + triage(1), []string{active, "warning triage.field_missing"}},
		{"with an invisible character in the marker", strings.Replace(good, "TRIAGE:RC", "TRIAGE:\u200bRC", 1), []string{active, "warning triage.field_invalid"}},
		{"with one in the heading of the section", strings.Replace(good, "## Ver", "## V\u200ber", 1), []string{active, "warning triage.field_invalid"}},
		{"with one in the heading of the check", strings.Replace(good, "### RC", "### R\u200bC", 1), []string{active, "warning triage.field_invalid"}},
		{"with one in the heading of the triage", strings.Replace(good, "#### Tri", "#### Tr\u200bi", 1), []string{active, "warning triage.field_invalid"}},
		{"with one in the reason, which is prose", strings.Replace(good, "build host", "build\u200b host", 1), nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			got := triaged(c.body)
			require.ElementsMatch(t, c.want, findings(got), "%v", got.Diagnostics)
		})
	}
}

// A6: only a maintainer's hand counts.
func TestHand(t *testing.T) {
	t.Parallel()
	plain, with := carrier("RC-1", attempt(1)), carrier("RC-1", attempt(1), triage(1))
	reword := carrier("RC-1", attempt(1), triage(1, "Reason: the network of the build host went down for an hour"))
	refused := []string{"error episode.active", "warning triage.not_maintainer"}
	lost := append([]string{"error carrier.rewritten"}, refused...)
	aside := func(by *actor, edits ...edit) []snapshot.Comment {
		c := comment(201, by, "10:05", triageComment("RC-1", triage(1)))
		if len(edits) > 0 {
			c = edited(201, edits...)
		}
		return []snapshot.Comment{comment(101, eng, "09:05", plain), c}
	}
	for _, c := range []struct {
		name        string
		task        []snapshot.Comment
		author      *actor
		maintainers int
		want        []string
	}{
		{"a maintainer's comment", aside(lead), eng, 2, nil},
		{"an engineer's comment", aside(eng2), eng, 2, refused},
		{"a stranger's comment", aside(reader), eng, 2, refused},
		{"a deleted account's comment", aside(nil), eng, 2, refused},
		{"by somebody who lost the role since", aside(&actor{Login: "lead", Permission: "write"}), eng, 2, refused},
		{"a maintainer's edit of the carrier", []snapshot.Comment{edited(101, edit{eng, "09:05", plain}, edit{lead, "10:00", with})}, eng, 2, nil},
		{"an engineer's edit of the carrier", []snapshot.Comment{edited(101, edit{eng, "09:05", plain}, edit{eng, "10:00", with})}, eng, 2, refused},
		{"an engineer's carrier without revisions", []snapshot.Comment{comment(101, eng, "09:05", with)}, eng, 2, refused},
		{"a maintainer's edit of something else", []snapshot.Comment{edited(101, edit{eng, "09:05", plain}, edit{eng, "10:00", with}, edit{lead, "10:10", with + "\n<!-- seen -->\n"})}, eng, 2, refused},
		{"an engineer's later edit of something else", []snapshot.Comment{edited(101, edit{eng, "09:05", plain}, edit{lead, "10:00", with}, edit{eng, "10:10", "\n" + with})}, eng, 2, nil},
		{"an engineer rewords the maintainer's triage", []snapshot.Comment{edited(101, edit{eng, "09:05", plain}, edit{lead, "10:00", with}, edit{eng, "10:10", reword})}, eng, 2, lost},
		{"an engineer puts back what an engineer took away", []snapshot.Comment{edited(101, edit{eng, "09:05", plain}, edit{lead, "10:00", with}, edit{eng, "10:10", plain}, edit{eng2, "10:20", with})}, eng, 2, nil},
		{"a maintainer edits in between", []snapshot.Comment{edited(101, edit{eng, "09:05", plain}, edit{lead, "10:00", with}, edit{eng, "10:10", plain}, edit{lead, "10:15", "\n" + plain}, edit{eng2, "10:20", with})}, eng, 2, nil},
		{"an engineer puts back what the maintainer took away", []snapshot.Comment{edited(101, edit{eng, "09:05", plain}, edit{lead, "10:00", with}, edit{lead, "10:10", plain}, edit{eng, "10:20", with})}, eng, 2, refused},
		{"an engineer's edit of a maintainer's comment", aside(nil, edit{lead, "10:05", triageComment("RC-1", triage(1, "Classification: pending"))}, edit{eng, "10:06", triageComment("RC-1", triage(1))}), eng, 2, refused},
		{"an engineer turns it to another check", aside(nil, edit{lead, "10:05", triageComment("RC-2", triage(1))}, edit{eng, "10:06", triageComment("RC-1", triage(1))}), eng, 2, refused},
		{"the author, with another maintainer", aside(lead), lead, 2, refused},
		{"the author, when nobody counted the maintainers", aside(lead), lead, 0, refused},
		{"the author, alone", aside(lead), lead, 1, nil},
		{"another maintainer than the author", aside(boss), lead, 2, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			f := facts(c.task...)
			f.Author, f.Maintainers = c.author, c.maintainers
			got := attempts.Judge(f)
			require.ElementsMatch(t, c.want, findings(got), "%v", got.Diagnostics)
		})
	}
}

// A12: a triage that the app appended counts by the hand of the comment that it names.
func TestTriageByCommand(t *testing.T) {
	t.Parallel()
	const reason = "the build host ran out of disk; freed and verified"
	line := "/triage RC-1 attempt 1 one_off because " + reason
	appended := func(changes ...string) snapshot.Comment {
		with := carrier("RC-1", attempt(1), triage(1, append([]string{"Comment: 301"}, changes...)...))
		return edited(101, edit{eng, "09:05", carrier("RC-1", attempt(1))}, edit{gateBot, "10:06", with})
	}
	refused := []string{"error episode.active", "warning triage.not_maintainer"}
	reworded := "/triage RC-1 attempt 1 one_off because the disk of the build host was full"
	for _, c := range []struct {
		name    string
		carrier snapshot.Comment
		command *snapshot.Comment
		want    []string
	}{
		{"the maintainer's comment", appended(), ptr(comment(301, lead, "10:05", line)), nil},
		{"named by its address", appended("Comment: https://github.com/acme/widgets/issues/7#issuecomment-301"), ptr(comment(301, lead, "10:05", line)), nil},
		{"among other text", appended(), ptr(comment(301, lead, "10:05", "Thanks for looking.\n"+line)), nil},
		{"in other case and space", appended(), ptr(comment(301, lead, "10:05", "/Triage  rc-1 Attempt 1 one-off BECAUSE "+reason)), nil},
		{"no such comment", appended(), nil, refused},
		{"an engineer's comment", appended(), ptr(comment(301, eng2, "10:05", line)), refused},
		{"the author's comment", appended(), ptr(comment(301, eng, "10:05", line)), refused},
		{"a deleted account's comment", appended(), ptr(comment(301, nil, "10:05", line)), refused},
		{"an edited comment", appended(), ptr(edited(301, edit{lead, "10:05", line + " twice"}, edit{eng, "10:06", line})), refused},
		{"an edited comment without revisions", appended(), ptr(snapshot.Comment{ID: 301, Author: lead, Body: line, CreatedAt: clock("10:05"), UpdatedAt: clock("10:09")}), refused},
		{"another check", appended(), ptr(comment(301, lead, "10:05", "/triage RC-2 attempt 1 one_off because "+reason)), refused},
		{"another attempt", appended(), ptr(comment(301, lead, "10:05", "/triage RC-1 attempt 2 one_off because "+reason)), refused},
		{"another classification", appended(), ptr(comment(301, lead, "10:05", "/triage RC-1 attempt 1 pending because "+reason)), refused},
		{"another reference", appended("Classification: follow_up", "Reference: issue:#12"), ptr(comment(301, lead, "10:05", "/triage RC-1 attempt 1 follow_up issue:#13 because "+reason)), refused},
		{"another reason", appended(), ptr(comment(301, lead, "10:05", reworded)), refused},
		{"a quoted command", appended(), ptr(comment(301, lead, "10:05", "> "+line)), refused},
		{"a command in code", appended(), ptr(comment(301, lead, "10:05", "    "+line)), refused},
		{"a command within a line", appended(), ptr(comment(301, lead, "10:05", "Write "+line)), refused},
		{"a command from before the attempt", appended(), ptr(comment(301, lead, "09:00", line)), []string{"error episode.active", "warning triage.misplaced"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			f := facts(c.carrier)
			if c.command != nil {
				f.Task = append(f.Task, *c.command)
			}
			got := attempts.Judge(f)
			require.ElementsMatch(t, c.want, findings(got), "%v", got.Diagnostics)
			if s, _ := got.Of("RC-1"); c.want == nil {
				require.Equal(t, lead, s.Recorded[0].Hand)
			}
		})
	}
}

func ptr[T any](v T) *T { return &v }

// What could not be read and would have decided never passes.
func TestUnreadFacts(t *testing.T) {
	t.Parallel()
	unread := &actor{Login: "lead", Type: "User"}
	failed := comment(101, eng, "09:05", carrier("RC-1", attempt(1)))
	fact := comment(201, lead, "10:05", triageComment("RC-1", triage(1, "Classification: project_fact", "Reference: VF-new")))
	task := comment(201, lead, "10:05", triageComment("RC-1", triage(1, "Classification: follow_up", "Reference: T-10")))
	for _, c := range []struct {
		name string
		fact string
		task []snapshot.Comment
		want string
	}{
		{"comments of the task", "issue.comments", nil, "issue.comments"},
		{"comments of the conversation", "comments", nil, "comments"},
		{"what the service remembers", "memory", nil, "memory"},
		{"the role of who recorded", "permissions", []snapshot.Comment{comment(101, unread, "09:05", failed.Body)}, "permissions"},
		{"the role of who triaged", "permissions", []snapshot.Comment{failed, comment(201, unread, "10:05", triageComment("RC-1", triage(1)))}, "permissions"},
		{"the teams of who triaged", "teams", []snapshot.Comment{failed, comment(201, eng2, "10:05", triageComment("RC-1", triage(1)))}, "teams"},
		{"the profile", "profile", []snapshot.Comment{failed, fact}, "profile"},
		{"the tasks", "references", []snapshot.Comment{failed, task}, "references"},
		{"nothing that matters", "permissions", []snapshot.Comment{failed, comment(201, lead, "10:05", triageComment("RC-1", triage(1)))}, ""},
		{"a profile that nobody refers to", "profile", []snapshot.Comment{failed, comment(201, lead, "10:05", triageComment("RC-1", triage(1)))}, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			f := facts(c.task...)
			f.Unavailable = func(fact string) bool { return fact == c.fact }
			var facts []any
			for _, d := range attempts.Judge(f).Diagnostics {
				if d.Code == report.CodeSnapshotFactUnavailable {
					require.Equal(t, report.Error, d.Severity)
					facts = append(facts, d.Details["fact"])
				}
			}
			if c.want == "" {
				require.Empty(t, facts)
				return
			}
			require.Equal(t, []any{c.want}, facts)
		})
	}
}
