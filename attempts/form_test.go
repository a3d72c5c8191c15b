package attempts_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/evidence-gate/evidence-gate/attempts"
	"github.com/evidence-gate/evidence-gate/report"
	"github.com/evidence-gate/evidence-gate/snapshot"
)

// findings are the diagnostics as "severity code", sorted, each once.
func findings(r attempts.Result) []string {
	out := []string{}
	for _, d := range r.Diagnostics {
		out = append(out, string(d.Severity)+" "+string(d.Code))
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// reviewed judges carriers of eng's at stage review.
func reviewed(bodies ...string) attempts.Result {
	var task []snapshot.Comment
	for i, body := range bodies {
		task = append(task, comment(int64(101+i), eng, "09:05", body))
	}
	f := facts(task...)
	f.Stage = report.Review
	return attempts.Judge(f)
}

// A1: what a carrier is.
func TestCarrierStructure(t *testing.T) {
	t.Parallel()
	good := carrier("RC-1", attempt(1))
	marker := "<!-- AGENTIC_LOOP_VERIFICATION_ATTEMPTS:RC-1 -->"
	for _, c := range []struct {
		name string
		body string
		want []string // findings
		is   bool     // the check has attempts
	}{
		{"A1: marker, section, heading, attempt, trailer", good, nil, true},
		{"A1: talk before the marker", "I ran it again.\n" + good, nil, true},
		{"A1: the id in lower case", strings.Replace(good, ":RC-1 -->", ":rc-1 -->", 1), nil, true},
		{"M1: CRLF and a BOM", "\ufeff" + strings.ReplaceAll(good, "\n", "\r\n"), nil, true},
		{"A1: maintainer as trailer", strings.Replace(good, "[[agent: engineer]]", "[[agent: maintainer]]", 1), nil, true},
		{"A1: the trailer right below the list", strings.Replace(good, "\n\n[[", "\n[[", 1), nil, true},
		{"A1: a comment below the trailer is not live", good + "\n<!-- posted by a tool -->\n", nil, true},
		{"M2: emoji and punctuation around the titles", strings.NewReplacer("## Verification Attempts", "## 🔁 Verification attempts:", "### RC-1", "### `RC-1`:").Replace(good), nil, true},
		{"M7: deeper headings and foreign items are ignored", carrier("RC-1", attempt(1)+"##### Notes\n\n- Mood: fine\n\nMore of it.\n\n"), nil, true},

		{"A1: a marker within a line is text", "See " + good, nil, false},
		{"A1: a marker that is not alone on its line is text", strings.Replace(good, "-->", "--> here it is", 1), nil, false},
		{"A1: another spelling of the marker is text", strings.Replace(good, "ATTEMPTS:", "ATTEMPTS: ", 1), nil, false},
		{"A1: a marker over several lines is text", strings.Replace(good, marker, "<!--\nAGENTIC_LOOP_VERIFICATION_ATTEMPTS:RC-1\n-->", 1), nil, false},
		{"A1: a quoted marker is text", "> " + strings.ReplaceAll(good, "\n", "\n> "), nil, false},
		{"A1: a fenced marker is text", "```\n" + good + "```\n", nil, false},
		{"A1: a marker inside a comment is text", "<!--\n" + marker + "\n", nil, false},
		{"A1: a marker in a list item is text", "- x\n\n  " + marker + "\n", nil, false},

		{"A1: two markers", strings.Replace(good, marker, marker+"\n"+marker, 1), []string{"error carrier.marker_repeated"}, false},
		{"A1, A6: a marker of each kind", strings.Replace(good, marker, marker+"\n<!-- AGENTIC_LOOP_VERIFICATION_TRIAGE:RC-1 -->", 1), []string{"error carrier.marker_repeated"}, false},
		{"A1: no section", marker + "\n\nfailed, sorry\n\n[[agent: engineer]]\n", []string{"error carrier.section_missing"}, false},
		{"A1: two sections", good + "\n## Verification Attempts\n", []string{"error carrier.section_missing", "warning carrier.trailer_missing"}, false},
		{"A1: no heading of a check", strings.Replace(good, "### RC-1\n\n", "", 1), []string{"error attempt.subsection_unknown", "error carrier.check_mismatch"}, false},
		{"A1: the heading of another check", strings.Replace(good, "### RC-1", "### RC-2", 1), []string{"error carrier.check_mismatch"}, false},
		{"A1: more than the id in the heading", strings.Replace(good, "### RC-1", "### RC-1 npm test", 1), []string{"error attempt.subsection_unknown", "error carrier.check_mismatch"}, false},
		{"A1: two headings of checks", carrier("RC-1", attempt(1), "### RC-2\n\n", attempt(1)), []string{"error carrier.check_mismatch"}, false},
		{"A1: no attempt", carrier("RC-1"), []string{"error carrier.empty"}, false},
		{"A1: attempts inside a comment", carrier("RC-1", "<!--\n"+attempt(1)+"-->\n\n"), []string{"error carrier.empty"}, false},
		{"A1: no trailer", strings.TrimSuffix(good, "[[agent: engineer]]\n"), []string{"warning carrier.trailer_missing"}, true},
		{"A1: text after the trailer", good + "\nThanks!\n", []string{"warning carrier.trailer_missing"}, true},
		{"A1: a check that the task does not declare", carrier("RC-7", attempt(1)), []string{"warning carrier.unknown_check"}, false},
		{"M2: the section at another level", strings.Replace(good, "## V", "# V", 1), []string{"warning section.level"}, true},
		{"M5: an invisible character in the marker", strings.Replace(good, ":RC", ":\u200bRC", 1), []string{"error text.invisible_character"}, false},
		{"M5: an invisible character early in the marker", strings.Replace(good, "AGENTIC", "AGEN\u2060TIC", 1), []string{"error text.invisible_character"}, false},
		{"M5: an invisible character in the heading of the section", strings.Replace(good, "## Verif", "## Ver\u200bif", 1), []string{"error text.invisible_character"}, false},
		{"M5: an invisible character in the heading of the check", strings.Replace(good, "### RC", "### R\u200bC", 1), []string{"error text.invisible_character"}, false},
		{"M5: an invisible character in a heading without meaning", "## No\u200btes\n\n" + good, nil, true},
		{"M5: an invisible character in a heading", strings.Replace(good, "#### Attempt", "#### Att\u200bempt", 1), []string{"error text.invisible_character"}, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			got := reviewed(c.body)
			require.ElementsMatch(t, c.want, findings(got), "%v", got.Diagnostics)
			_, is := got.Of("RC-1")
			require.Equal(t, c.is, is)
			for _, d := range got.Diagnostics {
				require.Equal(t, "comment:101", d.Where.Document, d.Code)
				require.Equal(t, report.Engineer, d.Owner)
			}
		})
	}
}

// M3: what stands in place of the section is named.
func TestInsteadOfTheSection(t *testing.T) {
	t.Parallel()
	got := reviewed(strings.Replace(carrier("RC-1", attempt(1)), "## V", "```\n## V", 1))
	require.Equal(t, []string{"error carrier.section_missing", "warning carrier.trailer_missing"}, findings(got))
	require.Contains(t, got.Diagnostics[0].Message, "line 4 stands inside the code fence opened in line 3")
}

// A1: the older of two comments is the carrier of a check; the other is a duplicate.
func TestSecondCarrier(t *testing.T) {
	t.Parallel()
	failed, passed := carrier("RC-1", attempt(1)), carrier("RC-1", attempt(1, "Outcome: passed"))
	for _, c := range []struct {
		name   string
		task   []snapshot.Comment
		first  int64
		latest string
		want   []string
	}{
		{"one for each check", []snapshot.Comment{comment(1, eng, "09:05", failed), comment(2, eng, "09:05", carrier("RC-2", attempt(1)))}, 1, attempts.Failed, nil},
		{"the first by time", []snapshot.Comment{comment(1, eng, "09:06", passed), comment(2, eng, "09:05", failed)}, 2, attempts.Failed, []string{"error carrier.duplicate"}},
		{"the first by id when two race", []snapshot.Comment{comment(8, eng2, "09:05", passed), comment(7, eng, "09:05", failed)}, 7, attempts.Failed, []string{"error carrier.duplicate"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			f := facts(c.task...)
			f.Stage = report.Review
			got := attempts.Judge(f)
			require.ElementsMatch(t, c.want, findings(got))
			s, ok := got.Of("RC-1")
			require.True(t, ok)
			require.Equal(t, c.first, s.Comment)
			require.Equal(t, c.latest, s.Latest)
		})
	}
}

// A1: a carrier may stand on the task and in the pull request's conversation.
func TestCarrierInTheConversation(t *testing.T) {
	t.Parallel()
	f := facts()
	f.Conversation = []snapshot.Comment{comment(101, eng, "09:05", carrier("RC-1", attempt(1)))}
	s, ok := attempts.Judge(f).Of("RC-1")
	require.True(t, ok)
	require.Equal(t, attempts.Failed, s.Latest)
}

// A2: whose carriers count.
func TestTrust(t *testing.T) {
	t.Parallel()
	helper := &snapshot.Actor{Login: "helper[bot]", Type: "Bot", Permission: "none"}
	for _, c := range []struct {
		name   string
		by     *snapshot.Actor
		author *snapshot.Actor
		counts bool
	}{
		{"write permission", eng2, eng, true},
		{"more than write permission", lead, eng, true},
		{"the author of the pull request, from a fork", reader, reader, true},
		{"the author's login in another case", reader, &snapshot.Actor{Login: "Passer-By"}, true},
		{"listed in the policy", helper, eng, true},
		{"read permission", reader, eng, false},
		{"a deleted account", nil, eng, false},
		{"a deleted account, of a pull request by a deleted account", nil, nil, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			f := facts(comment(101, c.by, "09:05", carrier("RC-1", attempt(1))))
			f.Stage, f.Author = report.Review, c.author
			f.Trusted = func(a *snapshot.Actor) bool { return a == helper || role("write", "maintain", "admin")(a) }
			got := attempts.Judge(f)
			_, counts := got.Of("RC-1")
			require.Equal(t, c.counts, counts)
			if c.counts {
				require.Empty(t, findings(got))
				require.Len(t, got.Carriers, 1)
				return
			}
			require.Equal(t, []string{"warning carrier.untrusted"}, findings(got))
			require.Empty(t, got.Carriers)
		})
	}
}

// A stranger stops nothing: what is wrong with a carrier that does not count is not reported.
func TestStrangersBreakNothing(t *testing.T) {
	t.Parallel()
	f := facts(
		comment(1, reader, "09:00", carrier("RC-1", attempt(1, "Outcome: passed"))),
		comment(2, reader, "09:01", "<!-- AGENTIC_LOOP_VERIFICATION_ATTEMPTS:RC-1 -->\n<!-- AGENTIC_LOOP_VERIFICATION_ATTEMPTS:RC-1 -->\n"),
		comment(3, reader, "09:02", strings.Repeat("> ", 2000)+"<!-- AGENTIC_LOOP_VERIFICATION_ATTEMPTS:RC-1 -->"),
		comment(101, eng, "09:05", carrier("RC-1", attempt(1))),
	)
	f.Stage = report.Review
	got := attempts.Judge(f)
	require.Equal(t, report.Success, report.Conclude(got.Diagnostics), "%v", got.Diagnostics)
	s, ok := got.Of("RC-1")
	require.True(t, ok)
	require.Equal(t, int64(101), s.Comment)
}

// A3: fields of an attempt and their values.
func TestAttemptFields(t *testing.T) {
	t.Parallel()
	missing, invalid := []string{"error attempt.field_missing"}, []string{"error attempt.field_invalid"}
	for _, c := range []struct {
		change string
		want   []string
	}{
		{"Artifact: commit:" + head, nil},
		{"Artifact: " + head[:7], nil},
		{"Artifact: " + strings.ToUpper(head), nil},
		{"Artifact: tree:" + older, nil},
		{"Artifact: range:" + older + ".." + head, nil},
		{"Artifact: patch:fix.patch", nil},
		{"Artifact: latest", invalid},
		{"Artifact: branch:main", invalid},
		{"Artifact: range:" + older, invalid},
		{"Artifact: patch: ", invalid},
		{"Artifact: " + head + "00", invalid},
		{"Command: go test ./...", nil},
		{"Strategy: ci", nil},
		{"Strategy: **Focused**", nil},
		{"Strategy: hope", invalid},
		{"Timeout ms: unknown", nil},
		{"Timeout ms: none", nil},
		{"Timeout ms: 9223372036854775807", nil},
		{"Timeout ms: 9223372036854775808", invalid},
		{"Timeout ms: 99999999999999999999999999", invalid},
		{"Timeout ms: 0", invalid},
		{"Timeout ms: -5", invalid},
		{"Timeout ms: 180,000", invalid},
		{"Timeout ms: 3 min", invalid},
		{"Timeout ms: ١٢", invalid},
		{"Duration ms: none", nil},
		{"Duration ms: 4.2", invalid},
		{"Outcome: blocked", nil},
		{"Outcome: `passed`", []string{"note carrier.routine"}},
		{"Outcome: exploded", invalid},
		{"Outcome: not passed", invalid},
		{"Required: false", nil},
		{"Required: maybe", invalid},
		{"Proposed next strategy: split", nil},
		{"Proposed next strategy: pray", invalid},
		{"Candidate classification: follow_up", nil},
		{"Candidate classification: pending", invalid},
		{"Candidate classification: shrug", invalid},
		{"Recorded by: maintainer", invalid},
		{"Recorded at: 2026-11-30T09:12:44.25Z", nil},
		{"Recorded at: 2026-11-30T09:12Z", nil},
		{"Recorded at: 2026-11-30T09:12:44+00:00", nil},
		{"Recorded at: 2026-11-30T09:12:44+02:00", invalid},
		{"Recorded at: 2026-11-30", invalid},
		{"Recorded at: yesterday", invalid},
		{"Recorded at: 0000-01-01T00:00:00Z", invalid},
		{"Recorded at: 10000-01-01T00:00:00Z", invalid},
		{"Recorded at: 2026-02-30T09:12:44Z", invalid},
		{"Partial evidence: " + strings.Repeat("x", 64<<10), nil},
		{"Partial evidence: cut short by \u202e", []string{"error text.invisible_character"}},
		{"Command: `npm\u200b test`", []string{"error text.invisible_character"}},
		{"Artifact:", missing}, {"Command:", missing}, {"Strategy:", missing}, {"Timeout ms:", missing}, {"Outcome:", missing}, {"Duration ms:", missing},
		{"Required:", missing}, {"Partial evidence:", missing}, {"Proposed next strategy:", missing}, {"Recorded by:", missing}, {"Recorded at:", missing},
		{"Outcome: &#32;", missing},
	} {
		t.Run(c.change[:min(len(c.change), 60)], func(t *testing.T) {
			t.Parallel()
			got := reviewed(carrier("RC-1", attempt(1, c.change)))
			require.ElementsMatch(t, c.want, findings(got), "%v", got.Diagnostics)
		})
	}
}

// A3: how fields may be written.
func TestFieldSpellings(t *testing.T) {
	t.Parallel()
	good := carrier("RC-1", attempt(1))
	plain := strings.NewReplacer("\n- A", "\n* A", "\n- C", "\n+ C", "\n- O", "\n1. O")
	for _, c := range []struct {
		name string
		body string
		want []string
	}{
		{"any bullet", plain.Replace(good), nil},
		{"labels in bold, the colon inside or outside", strings.NewReplacer("Outcome:", "**Outcome:**", "Strategy:", "**Strategy**:", "Required:", "_Required_:").Replace(good), nil},
		{"labels in any case", strings.NewReplacer("Timeout ms:", "TIMEOUT MS:", "Recorded by:", "recorded  by :").Replace(good), nil},
		{"a full-width colon", strings.Replace(good, "Outcome:", "Outcome：", 1), nil},
		{"without bullets", strings.ReplaceAll(good, "\n- ", "\n"), nil},
		{"text over several lines", strings.Replace(good, "cache suite", "cache\n  suite, all of\n  the same kind", 1), nil},
		{"text with a list and a fence", strings.Replace(good, "cache suite", "cache suite:\n  - a\n  - b\n\n  ```\n  Outcome: passed\n  ```", 1), nil},
		{"other list items", strings.Replace(good, "- Required", "- Weather: rain\n- just text\n- Required", 1), nil},
		{"a field twice", strings.Replace(good, "- Required", "- Outcome: passed\n- Required", 1), []string{"error attempt.field_repeated"}},
		{"a field twice, the second within text", strings.Replace(good, "cache suite", "cache suite\n  Outcome: passed", 1), []string{"error attempt.field_repeated"}},
		{"a field without its value", strings.Replace(good, "Outcome: failed", "Outcome:", 1), []string{"error attempt.field_missing"}},
		{"a fenced field", strings.Replace(good, "- Outcome: failed\n", "- x\n\n  ```\n  Outcome: failed\n  ```\n", 1), []string{"error attempt.field_missing"}},
		{"a quoted field", strings.Replace(good, "- Outcome: failed\n", "- > Outcome: failed\n", 1), []string{"error attempt.field_missing"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			got := reviewed(c.body)
			require.ElementsMatch(t, c.want, findings(got), "%v", got.Diagnostics)
			s, ok := got.Of("RC-1")
			require.True(t, ok)
			if c.want == nil {
				a := s.Recorded[0].Attempt
				require.Equal(t, attempts.Failed, a.Outcome)
				require.Equal(t, "npm test", a.Command)
				require.Contains(t, a.PartialEvidence, "3 failing in the cache suite"[:15])
			}
		})
	}
}

// A misspelt label is named where the field is missed.
func TestNearLabel(t *testing.T) {
	t.Parallel()
	got := reviewed(strings.Replace(carrier("RC-1", attempt(1)), "- Outcome:", "- Outcom:", 1))
	require.Equal(t, []string{"error attempt.field_missing"}, findings(got))
	require.Contains(t, got.Diagnostics[0].Message, `"Outcom"`)
	require.Equal(t, 13, got.Diagnostics[0].Where.Line)
}

// A3: attempts beside each other.
func TestAttemptsTogether(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name string
		subs []string
		want []string
	}{
		{"numbers increase", []string{attempt(1), attempt(2, "Artifact: "+older)}, nil},
		{"with a gap", []string{attempt(1), attempt(4, "Artifact: "+older)}, nil},
		{"a number twice", []string{attempt(1), attempt(1, "Artifact: "+older)}, []string{"error attempt.number_repeated"}},
		{"a number twice, written with a zero", []string{attempt(1), strings.Replace(attempt(1, "Artifact: "+older), "Attempt 1", "Attempt 01", 1)}, []string{"error attempt.number_repeated"}},
		{"numbers go down", []string{attempt(5, "Recorded at: 2026-11-29T09:00:00Z"), attempt(2, "Artifact: "+older)}, []string{"error attempt.number_order"}},
		{"a number beyond 64 bits", []string{strings.Replace(attempt(1), "Attempt 1", "Attempt 99999999999999999999", 1)}, []string{"error attempt.field_invalid"}},
		{"the number 0", []string{attempt(0)}, []string{"error attempt.field_invalid"}},
		{"times go back", []string{attempt(1, "Recorded at: 2026-11-29T09:30:00Z"), attempt(2, "Artifact: "+older)}, []string{"warning attempt.time_order"}},
		{"a timeout with its classification", []string{timeout(1)}, nil},
		{"a timeout without", []string{timeout(1, "Candidate classification:")}, []string{"error attempt.classification_missing"}},
		{"another heading of level 4", []string{attempt(1), "#### Remarks\n\nnone\n\n"}, []string{"error attempt.subsection_unknown"}},
		{"a heading that is nearly one", []string{attempt(1), strings.Replace(attempt(2), "Attempt 2", "Attempt #2", 1)}, []string{"error attempt.subsection_unknown"}},
		{"a heading without text", []string{attempt(1), "####\n\n"}, []string{"error attempt.subsection_unknown"}},
		{"no space for a number", []string{attempt(1), "#### Attempt\n\n"}, []string{"error attempt.subsection_unknown"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			got := reviewed(carrier("RC-1", c.subs...))
			require.ElementsMatch(t, c.want, findings(got), "%v", got.Diagnostics)
		})
	}
}

// A4: predictions.
func TestPredictions(t *testing.T) {
	t.Parallel()
	missing, invalid, target := []string{"error prediction.field_missing"}, []string{"error prediction.field_invalid"}, []string{"error prediction.target_missing"}
	for _, c := range []struct {
		name       string
		prediction string
		want       []string
	}{
		{"as it should be", prediction(2), nil},
		{"a window of one point", prediction(2, "Predicted completion window ms: 300000-300000"), nil},
		{"a window with spaces and a long dash", prediction(2, "Predicted completion window ms: 200000 – 290000"), nil},
		{"no number to base it on", prediction(2, "Based on attempt:"), missing},
		{"no evidence", prediction(2, "Evidence:"), missing},
		{"no window", prediction(2, "Predicted completion window ms:"), missing},
		{"no choice", prediction(2, "Chosen timeout ms:"), missing},
		{"nobody", prediction(2, "Recorded by:"), missing},
		{"no time", prediction(2, "Recorded at:"), missing},
		{"may need longer", prediction(2, "Evidence: may need longer"), invalid},
		{"hedges only", prediction(2, "Evidence: The run just needs more time, it was a bit slow."), invalid},
		{"a placeholder", prediction(2, "Evidence: TBD"), invalid},
		{"based on prose", prediction(2, "Based on attempt: the first"), invalid},
		{"a window that ends before it starts", prediction(2, "Predicted completion window ms: 290000-200000"), invalid},
		{"a window of one number", prediction(2, "Predicted completion window ms: 290000"), invalid},
		{"a window beyond 64 bits", prediction(2, "Predicted completion window ms: 1-99999999999999999999"), invalid},
		{"a choice inside the window", prediction(2, "Chosen timeout ms: 250000"), append(invalid, "error retry.timeout_differs")},
		{"a choice at the end of the window", prediction(2, "Chosen timeout ms: 290000"), []string{"error retry.timeout_differs"}},
		{"a choice in prose", prediction(2, "Chosen timeout ms: five minutes"), invalid},
		{"by somebody else", prediction(2, "Recorded by: maintainer"), invalid},
		{"a field twice", prediction(2) + "- Chosen timeout ms: 400000\n\n", invalid},
		{"based on no attempt", prediction(2, "Based on attempt: 9"), target},
		{"for an attempt far ahead", prediction(9, "Based on attempt: 1"), append(target, "error retry.prediction_missing")},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			retry := attempt(2, "Timeout ms: 300000", "Recorded at: 2026-11-29T09:30:00Z")
			got := reviewed(carrier("RC-1", timeout(1), c.prediction, retry))
			require.ElementsMatch(t, c.want, findings(got), "%v", got.Diagnostics)
		})
	}
	got := reviewed(carrier("RC-1", timeout(1), prediction(2)))
	require.Empty(t, findings(got), "for the next attempt")
}

// M1: a carrier that is too large or too complex is refused, not half read.
func TestDocumentBounds(t *testing.T) {
	t.Parallel()
	for code, body := range map[string]string{
		"error document.too_large":   carrier("RC-1", attempt(1)) + strings.Repeat("x", 1<<20),
		"error document.too_complex": carrier("RC-1", attempt(1)) + strings.Repeat("> ", 2000) + "x",
	} {
		got := reviewed(body)
		require.Equal(t, []string{code}, findings(got))
		_, ok := got.Of("RC-1")
		require.False(t, ok)
		require.Equal(t, "comment:101", got.Diagnostics[0].Where.Document)
	}
}

// Every diagnostic of a form points at the line it is about.
func TestPlaces(t *testing.T) {
	t.Parallel()
	body := carrier("RC-1", attempt(1), attempt(2, "Artifact: "+older, "Strategy: hope"))
	got := reviewed(body)
	require.Equal(t, []string{"error attempt.field_invalid"}, findings(got))
	at := got.Diagnostics[0].Where
	line := strings.Split(body, "\n")[at.Line-1]
	require.Equal(t, "hope", line[at.Column-1:at.EndColumn-1], fmt.Sprint(at))
	require.Equal(t, "RC-1", *got.Diagnostics[0].Check)
}
