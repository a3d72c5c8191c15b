package attempts_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/evidence-gate/evidence-gate/attempts"
	"github.com/evidence-gate/evidence-gate/report"
	"github.com/evidence-gate/evidence-gate/snapshot"
)

func failedRun() attempts.Attempt {
	return attempts.Attempt{
		Artifact: head, Command: "npm test", Strategy: "foreground", TimeoutMS: "180000", Outcome: "failed", DurationMS: "4200", Required: "true",
		PartialEvidence: "3 failing in the cache suite", ProposedNext: "none", RecordedAt: "2026-11-29T09:01:00Z",
	}
}

// The canonical form is that of design section 6.
func TestNewCarrier(t *testing.T) {
	t.Parallel()
	run := failedRun()
	run.Outcome, run.Candidate, run.ProposedNext = "timed out", "project_fact", "split"
	got, err := attempts.NewCarrier("rc-1", run)
	require.NoError(t, err)
	require.Equal(t, int64(1), got.Number)
	require.Equal(t, `<!-- AGENTIC_LOOP_VERIFICATION_ATTEMPTS:RC-1 -->

## Verification Attempts

### RC-1

#### Attempt 1

- Artifact: 3f9c1a7be2d84065c1b7a9e0d3f4628517ab90cd
- Command: `+"`npm test`"+`
- Strategy: foreground
- Timeout ms: 180000
- Outcome: timed_out
- Duration ms: 4200
- Required: true
- Partial evidence: 3 failing in the cache suite
- Proposed next strategy: split
- Candidate classification: project_fact
- Recorded by: engineer
- Recorded at: 2026-11-29T09:01:00Z

[[agent: engineer]]
`, got.Body)
	require.Empty(t, findings(reviewed(got.Body)))
	_, err = attempts.NewCarrier("tests", failedRun())
	require.ErrorContains(t, err, "RC-1")
}

// What is appended stands before the trailer, and every other byte stays.
func TestAppendKeepsEveryByte(t *testing.T) {
	t.Parallel()
	run := failedRun()
	run.Strategy, run.RecordedAt = "ci", "2026-11-29T09:30:00Z"
	crlf := strings.ReplaceAll(only, "\n", "\r\n")
	for _, c := range []struct {
		name, body string
		before     string // what follows the addition
	}{
		{"before the trailer", only, "[[agent: engineer]]\n"},
		{"with CRLF", crlf, "[[agent: engineer]]\r\n"},
		{"with a BOM", "\ufeff" + only, "[[agent: engineer]]\n"},
		{"right below the list", strings.Replace(only, "\n\n[[", "\n[[", 1), "[[agent: engineer]]\n"},
		{"before what is not live below the trailer", only + "\n<!-- posted -->\n", "[[agent: engineer]]\n\n<!-- posted -->\n"},
		{"before the heading after the part", strings.Replace(only, "[[agent", "## Notes\n\nnone\n\n[[agent", 1), "## Notes\n\nnone\n\n[[agent: engineer]]\n"},
		{"at the end without a trailer", strings.TrimSuffix(only, "\n[[agent: engineer]]\n"), ""},
		{"at the end without a line end", strings.TrimSuffix(only, "\n\n[[agent: engineer]]\n"), ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			got, err := attempts.AppendAttempt(c.body, run, nil)
			require.NoError(t, err)
			require.Equal(t, int64(2), got.Number)
			kept := strings.TrimSuffix(c.body, c.before)
			require.True(t, strings.HasPrefix(got.Body, kept), got.Body)
			require.True(t, strings.HasSuffix(got.Body, c.before), got.Body)
			added := strings.TrimSuffix(strings.TrimPrefix(got.Body, kept), c.before)
			require.Equal(t, strings.Contains(c.body, "\r\n"), strings.Contains(added, "\r\n"))
			require.Equal(t, strings.Count(added, "\r\n"), strings.Count(added, "\r"))
			f := facts(edited(101, edit{eng, "09:05", c.body}, edit{eng, "09:30", got.Body}))
			f.Stage = report.Review
			for _, d := range attempts.Judge(f).Diagnostics {
				require.NotEqual(t, report.Error, d.Severity, "%v", d)
			}
			s, _ := attempts.Judge(f).Of("RC-1")
			require.Len(t, s.Recorded, 2)
		})
	}
}

// What the rules would refuse is refused before it is written, by the code and its rule.
func TestRefusedBeforeWriting(t *testing.T) {
	t.Parallel()
	timedOut := carrier("RC-1", timeout(1))
	again := func(change func(*attempts.Attempt)) func(string) (attempts.Draft, error) {
		return func(body string) (attempts.Draft, error) {
			run := failedRun()
			run.RecordedAt = "2026-11-29T09:30:00Z"
			change(&run)
			return attempts.AppendAttempt(body, run, func(a, b string) bool { return strings.TrimPrefix(a, "/bin/") == b })
		}
	}
	decide := func(n int64, change func(*attempts.Triage)) func(string) (attempts.Draft, error) {
		return func(body string) (attempts.Draft, error) {
			tr := attempts.Triage{Attempt: n, Classification: "one_off", Reference: "none", Reason: "the build host ran out of disk", TriagedAt: "2026-11-29T10:00:00Z"}
			change(&tr)
			return attempts.AppendTriage(body, tr, &attempts.Known{Facts: []string{"VF-a"}, References: snapshot.References{Tasks: []string{"T-9"}}})
		}
	}
	predict := func(p attempts.Prediction) func(string) (attempts.Draft, error) {
		return func(body string) (attempts.Draft, error) { return attempts.AppendPrediction(body, p) }
	}
	sure := attempts.Prediction{BasedOn: 1, Evidence: "2,100 of 2,310 tests finished", WindowMS: "200000-290000", ChosenMS: "300000", RecordedAt: "2026-11-29T09:10:00Z"}
	for _, c := range []struct {
		name  string
		body  string
		write func(string) (attempts.Draft, error)
		code  report.Code // "" when it is written
		rule  string
		warns []report.Code
	}{
		{"an attempt", only, again(func(a *attempts.Attempt) { a.Strategy = "ci" }), "", "", nil},
		{"a missing field", only, again(func(a *attempts.Attempt) { a.Artifact = "" }), "attempt.field_missing", "A3", nil},
		{"an invalid field", only, again(func(a *attempts.Attempt) { a.Outcome = "exploded" }), "attempt.field_invalid", "A3", nil},
		{"a timeout without its classification", only, again(func(a *attempts.Attempt) { a.Outcome, a.Strategy = "timed_out", "ci" }), "attempt.classification_missing", "A3", nil},
		{"a number that was given", only, again(func(a *attempts.Attempt) { a.Number, a.Strategy = 1, "ci" }), "attempt.number_repeated", "A3", nil},
		{"an unchanged retry after a timeout", timedOut, again(func(a *attempts.Attempt) {}), "retry.prediction_missing", "A5", nil},
		{"an unchanged retry, the command spelt otherwise", timedOut, again(func(a *attempts.Attempt) { a.Command = "/bin/npm test" }), "retry.prediction_missing", "A5", nil},
		{"an unchanged retry after a failure", only, again(func(a *attempts.Attempt) {}), "", "", []report.Code{"retry.unchanged"}},
		{"an attempt from before", only, again(func(a *attempts.Attempt) { a.RecordedAt, a.Strategy = "2026-11-29T08:00:00Z", "ci" }), "", "", []report.Code{"attempt.time_order"}},
		{"a triage", only, decide(1, func(*attempts.Triage) {}), "", "", nil},
		{"a second triage", carrier("RC-1", a1, triage(1)), decide(1, func(*attempts.Triage) {}), "", "", []report.Code{"triage.repeated"}},
		{"a triage of no attempt", only, decide(3, func(*attempts.Triage) {}), "triage.target_missing", "A6", nil},
		{"a triage without a reason", only, decide(1, func(tr *attempts.Triage) { tr.Reason = "" }), "triage.field_missing", "A6", nil},
		{"a triage with a fact that exists", only, decide(1, func(tr *attempts.Triage) { tr.Classification, tr.Reference = "project_fact", "VF-a" }), "", "", nil},
		{"a triage with a fact that does not", only, decide(1, func(tr *attempts.Triage) { tr.Classification, tr.Reference = "project_fact", "VF-b" }), "triage.reference_missing", "A6", nil},
		{"a triage with a reference in prose", only, decide(1, func(tr *attempts.Triage) { tr.Classification, tr.Reference = "decision", "we agreed" }), "triage.reference_invalid", "A6", nil},
		{"a prediction", timedOut, predict(sure), "", "", nil},
		{"a prediction without evidence", timedOut, predict(attempts.Prediction{BasedOn: 1, WindowMS: "1-2", ChosenMS: "3", RecordedAt: sure.RecordedAt}), "prediction.field_missing", "A4", nil},
		{"a prediction based on nothing", timedOut, predict(attempts.Prediction{BasedOn: 7, Evidence: sure.Evidence, WindowMS: sure.WindowMS, ChosenMS: sure.ChosenMS, RecordedAt: sure.RecordedAt}), "prediction.target_missing", "A4", nil},
		{"a carrier without its section", strings.Replace(only, "## V", "V", 1), again(func(*attempts.Attempt) {}), "carrier.section_missing", "A1", nil},
		{"old errors are not held against what is added", carrier("RC-1", attempt(1, "Required:")), again(func(a *attempts.Attempt) { a.Strategy = "ci" }), "", "", nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			got, err := c.write(c.body)
			if c.code == "" {
				require.NoError(t, err)
				require.Equal(t, c.warns, codesOf(got.Warnings))
				return
			}
			var refused *attempts.Refusal
			require.ErrorAs(t, err, &refused)
			require.Equal(t, c.code, refused.Diagnostic.Code)
			require.ErrorContains(t, err, "rule "+c.rule)
			require.Empty(t, got.Body)
		})
	}
}

// A4, A5: a longer foreground run is written together with its prediction.
func TestAppendWithPrediction(t *testing.T) {
	t.Parallel()
	run := failedRun()
	run.TimeoutMS, run.Outcome, run.RecordedAt = "300000", "passed", "2026-11-29T09:30:00Z"
	p := attempts.Prediction{BasedOn: 1, Evidence: "2,100 of 2,310 tests finished before the limit", WindowMS: "200000-290000", ChosenMS: "300000", RecordedAt: "2026-11-29T09:10:00Z"}
	got, err := attempts.AppendAttempt(carrier("RC-1", timeout(1)), run, nil, p)
	require.NoError(t, err)
	require.Equal(t, strings.TrimSpace(carrier("RC-1", timeout(1), prediction(2, "Recorded at: 2026-11-29T09:10:00Z"),
		attempt(2, "Timeout ms: 300000", "Outcome: passed", later("09:30")))), strings.TrimSpace(got.Body))
	require.Empty(t, findings(reviewed(got.Body)))
}

// Text that is no carrier, or whose end is open, is left alone.
func TestNothingToAppendTo(t *testing.T) {
	t.Parallel()
	_, err := attempts.AppendAttempt("hello", failedRun(), nil)
	require.ErrorContains(t, err, "no carrier")
	run := failedRun()
	run.Strategy = "ci"
	_, err = attempts.AppendAttempt(strings.TrimSuffix(only, "[[agent: engineer]]\n")+"<!-- draft\n", run, nil)
	require.ErrorContains(t, err, "would not be read")
	_, err = attempts.AppendAttempt(carrier("RC-1", attempt(9223372036854775807, "Recorded at: 2026-11-29T09:00:00Z")), run, nil)
	require.ErrorContains(t, err, "highest number")
}

// A6: a maintainer may post the triage in a comment of its own.
func TestNewTriageComment(t *testing.T) {
	t.Parallel()
	tr := attempts.Triage{Attempt: 1, Classification: "one_off", Reference: "none", Reason: "the build host ran out of disk; freed and verified", TriagedAt: "2026-11-29T10:00:00Z"}
	got, err := attempts.NewTriageComment("RC-1", tr, nil)
	require.NoError(t, err)
	require.Equal(t, strings.TrimSpace(triageComment("RC-1", triage(1))), strings.TrimSpace(got))
	require.Empty(t, findings(triaged(got)))
	tr.Reason = "works now"
	_, err = attempts.NewTriageComment("RC-1", tr, nil)
	require.ErrorContains(t, err, "triage.field_invalid")
}

// parse(render(x)) = x, for any text.
func TestRenderRoundTrip(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(1, 2))
	pieces := []string{"npm", " ", "`", "``", "*", "**", "_", "__", "[a](b)", "[x]", "<b>", "<!--", "-->", "&amp;", "&", "\\", "~~", "https://a.example/b_c_d?e=1&f=2", "www.a.example/x_y",
		"a@b.example", "#", "- ", "1. ", "| a | b |", "Outcome: passed", "[[agent: engineer]]", "é", "😀", ":tada:", "\n", "\r\n", "\t", "!", "(", ")", "'", "\"", "=", "---", "```", "~~~", ">"}
	text := func() string {
		var out strings.Builder
		out.WriteString("ran")
		for range r.IntN(12) {
			out.WriteString(pieces[r.IntN(len(pieces))])
		}
		out.WriteString("end")
		return out.String()
	}
	squeezed := func(s string) string { return strings.Join(strings.Fields(s), " ") }
	written := 0
	for range 1000 {
		a := failedRun()
		a.Number, a.RecordedBy, a.Command, a.PartialEvidence = 1, "engineer", text(), text()
		got, err := attempts.NewCarrier("RC-1", a)
		if err != nil {
			require.ErrorContains(t, err, "cannot be written", a)
			continue
		}
		written++
		parsed, err := attempts.Parse(got.Body)
		require.NoError(t, err)
		a.Command, a.PartialEvidence = squeezed(a.Command), squeezed(a.PartialEvidence)
		require.Len(t, parsed.Entries, 1)
		require.Equal(t, a, *parsed.Entries[0].Attempt, got.Body)
	}
	require.Greater(t, written, 950)
}

// A12: a task file.
func TestParseTaskFile(t *testing.T) {
	t.Parallel()
	section := "# T-9\n\nSome task.\n\n## Verification Attempts\n\n"
	for _, c := range []struct {
		name string
		text string
		want []string // check and number of entries
		code []report.Code
	}{
		{"several checks", section + "### RC-1\n\n" + a1 + a2 + "### RC-2\n\n" + a1 + "## Evidence\n\nx\n", []string{"RC-1 2", "RC-2 1"}, nil},
		{"the empty state", section + attempts.EmptyState + "\n", nil, nil},
		{"no section", "# T-9\n\nSome task.\n", nil, nil},
		{"another sentence", section + "None.\n", nil, []report.Code{report.CodeCarrierEmpty}},
		{"a check without attempts", section + "### RC-1\n\n", []string{"RC-1 0"}, []report.Code{report.CodeCarrierEmpty}},
		{"a check twice", section + "### RC-1\n\n" + a1 + "### RC-1\n\n" + a1, []string{"RC-1 1", "RC-1 1"}, []report.Code{report.CodeCarrierDuplicate}},
		{"two sections", section + "### RC-1\n\n" + a1 + "## Verification Attempts\n", nil, []report.Code{report.CodeCarrierSectionMissing}},
		{"an attempt of no check", section + a1, nil, []report.Code{report.CodeAttemptSubsectionUnknown, report.CodeCarrierEmpty}},
		{"a fault", section + "### RC-1\n\n" + attempt(1, "Outcome: exploded"), []string{"RC-1 1"}, []report.Code{report.CodeAttemptFieldInvalid}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			got, faults, err := attempts.ParseTaskFile(c.text)
			require.NoError(t, err)
			var have []string
			codes := codesOf(faults)
			for _, k := range got {
				have = append(have, fmt.Sprintf("%s %d", k.Check, len(k.Entries)))
				codes = append(codes, codesOf(k.Diagnostics)...)
			}
			require.Equal(t, c.want, have)
			require.Equal(t, c.code, codes)
		})
	}
}

// A prediction whose run would be refused is refused itself: it would stand for nothing for ever (A5, A7).
func TestPredictionsThatAnnounceNothing(t *testing.T) {
	t.Parallel()
	p := attempts.Prediction{BasedOn: 1, Evidence: "2,100 of 2,310 tests finished", WindowMS: "200000-290000", ChosenMS: "300000", RecordedAt: "2026-11-29T09:10:00Z"}
	draft, err := attempts.AppendPrediction(carrier("RC-1", timeout(1)), p)
	require.NoError(t, err)
	run := failedRun()
	run.TimeoutMS, run.RecordedAt, run.Outcome, run.Candidate = "300000", "2026-11-29T09:20:00Z", "timed_out", "project_fact"
	draft, err = attempts.AppendAttempt(draft.Body, run, nil)
	require.NoError(t, err)

	again := p
	again.BasedOn, again.WindowMS, again.ChosenMS, again.RecordedAt = 2, "310000-390000", "400000", "2026-11-29T09:30:00Z"
	var refused *attempts.Refusal
	_, err = attempts.AppendPrediction(draft.Body, again)
	require.ErrorAs(t, err, &refused)
	require.Equal(t, report.CodeRetrySecondEscalation, refused.Diagnostic.Code)

	_, err = attempts.AppendPrediction(only, p)
	require.ErrorContains(t, err, "did not time out in the foreground")
	small := p
	small.WindowMS, small.ChosenMS = "1000-2000", "3000"
	_, err = attempts.AppendPrediction(carrier("RC-1", timeout(1)), small)
	require.ErrorAs(t, err, &refused)
	require.Equal(t, report.CodeRetryTimeoutNotLarger, refused.Diagnostic.Code)
}
