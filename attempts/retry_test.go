package attempts_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/evidence-gate/evidence-gate/attempts"
	"github.com/evidence-gate/evidence-gate/report"
)

// later changes the time of an attempt so that times go forward.
func later(at string) string { return "Recorded at: " + clock(at) }

// A5: the retry rule. The findings are those at stage review.
func TestRetryRule(t *testing.T) {
	t.Parallel()
	longer := attempt(2, "Timeout ms: 300000", "Outcome: passed", later("09:30"))
	again := func(change string) []string {
		return []string{timeout(1), attempt(2, change, "Outcome: passed", "Timeout ms: 300000")}
	}
	missing := []string{"error retry.prediction_missing"}
	for _, c := range []struct {
		name    string
		subs    []string
		want    []string
		latest  string
		refused []int64
	}{
		{"a longer foreground run that was predicted", []string{timeout(1), prediction(2), longer}, nil, "passed", nil},
		{"the second prediction replaces the first", []string{timeout(1), prediction(2, "Chosen timeout ms: 400000"), prediction(2), longer}, nil, "passed", nil},
		{"another strategy", []string{timeout(1), attempt(2, "Strategy: split", "Outcome: passed")}, nil, "passed", nil},
		{"another commit", []string{timeout(1), attempt(2, "Artifact: "+older, "Outcome: passed")}, nil, "passed", nil},
		{"another environment", []string{timeout(1), attempt(2, "Command: `CI=1 npm test`", "Outcome: passed")}, nil, "passed", nil},
		{"another start of a range is another commit's", []string{timeout(1), attempt(2, "Artifact: range:"+head+".."+older, "Outcome: passed")}, nil, "passed", nil},
		{"a comment sign in an argument", []string{timeout(1), attempt(2, "Command: `npm test -- '#1'`", "Outcome: passed")}, nil, "passed", nil},
		{"a redirection", []string{timeout(1), attempt(2, "Command: `npm test > log`", "Outcome: passed")}, nil, "passed", nil},
		{"another command", []string{timeout(1), attempt(2, "Command: `npm run lint`", "Outcome: passed")}, nil, "passed", nil},
		{"an abbreviated tree is not the commit of the same digits", []string{timeout(1), attempt(2, "Artifact: tree:"+head[:8], "Outcome: passed")}, nil, "passed", nil},
		{"a run after a pass is no retry", []string{timeout(1), attempt(2, "Strategy: split", "Outcome: passed"), attempt(3, "Outcome: passed")}, nil, "passed", nil},
		{"a background run with a larger timeout", []string{timeout(1, "Strategy: background"), attempt(2, "Strategy: background", "Timeout ms: 300000", "Outcome: passed")}, nil, "passed", nil},

		{"no prediction", []string{timeout(1), longer}, []string{"error retry.prediction_missing"}, "timed_out", []int64{2}},
		{"no prediction, another strategy in between", []string{timeout(1), attempt(2, "Strategy: split"), attempt(3, "Timeout ms: 300000", "Outcome: passed")},
			[]string{"error retry.prediction_missing"}, "failed", []int64{3}},
		{"a prediction of another attempt", []string{timeout(1), prediction(3, "Based on attempt: 1"), longer, attempt(3, "Strategy: ci", later("09:40"))},
			[]string{"warning retry.prediction_missing"}, "failed", []int64{2}},
		{"a prediction after the run", []string{timeout(1), longer, prediction(2, later("09:40"))}, []string{"error retry.prediction_misplaced"}, "timed_out", []int64{2}},
		{"a prediction before the timeout", []string{attempt(1), prediction(3, "Based on attempt: 1"), timeout(2, "Timeout ms: 90000", later("09:05")), attempt(3, "Timeout ms: 300000", "Outcome: passed", later("09:30"))},
			[]string{"note episode.slower", "error retry.prediction_misplaced"}, "timed_out", []int64{3}},
		{"the same timeout", []string{timeout(1), prediction(2, "Predicted completion window ms: 1-180000", "Chosen timeout ms: 180000"), attempt(2, "Outcome: passed")},
			[]string{"error retry.timeout_not_larger"}, "timed_out", []int64{2}},
		{"a smaller timeout", []string{timeout(1), prediction(2, "Predicted completion window ms: 1-90000", "Chosen timeout ms: 90000"), attempt(2, "Timeout ms: 90000", "Outcome: passed")},
			[]string{"error retry.timeout_not_larger"}, "timed_out", []int64{2}},
		{"no timeout at all", []string{timeout(1), prediction(2), attempt(2, "Timeout ms: none", "Outcome: passed")}, []string{"error retry.timeout_not_larger"}, "timed_out", []int64{2}},
		{"another timeout than predicted", []string{timeout(1), prediction(2), attempt(2, "Timeout ms: 290000", "Outcome: passed")}, []string{"error retry.timeout_differs"}, "timed_out", []int64{2}},
		{"a second longer run", []string{timeout(1), prediction(2), timeout(2, "Timeout ms: 300000", "Duration ms: 300000", later("09:20")),
			prediction(3, "Predicted completion window ms: 300000-500000", "Chosen timeout ms: 600000", later("09:30")), attempt(3, "Timeout ms: 600000", "Outcome: passed", later("09:40"))},
			[]string{"note episode.slower", "error retry.second_escalation"}, "timed_out", []int64{3}},
		{"a longer run after one that was refused", []string{timeout(1), attempt(2, "Outcome: failed"), prediction(3, "Based on attempt: 1"), attempt(3, "Timeout ms: 300000", "Outcome: passed", later("09:30"))},
			[]string{"warning retry.prediction_missing", "warning retry.timeout_not_larger"}, "passed", []int64{2}},

		{"the same background run after a timeout", []string{timeout(1, "Strategy: background"), attempt(2, "Strategy: background", "Outcome: passed")}, []string{"error retry.unchanged"}, "timed_out", []int64{2}},
		{"the same background run, another in between", []string{timeout(1, "Strategy: background"), attempt(2, "Strategy: split"), attempt(3, "Strategy: background", "Outcome: passed")},
			[]string{"error retry.unchanged"}, "failed", []int64{3}},
		{"timeouts that nobody knows are the same", []string{timeout(1, "Strategy: ci", "Timeout ms: unknown"), attempt(2, "Strategy: ci", "Timeout ms: Unknown", "Outcome: passed")}, []string{"error retry.unchanged"}, "timed_out", []int64{2}},
		{"the same run after a failure only warns", []string{attempt(1), attempt(2, "Outcome: passed")}, []string{"warning retry.unchanged"}, "passed", nil},
		{"the same run after a block only warns", []string{attempt(1, "Outcome: blocked"), attempt(2, "Outcome: passed")}, []string{"warning retry.unchanged"}, "passed", nil},
		{"the same run again after a pass", []string{attempt(1), attempt(2, "Strategy: split", "Outcome: passed"), attempt(3, "Outcome: passed")}, nil, "passed", nil},

		{"the commit with its prefix", []string{timeout(1), attempt(2, "Artifact: commit:"+head, "Outcome: passed", "Timeout ms: 300000")}, []string{"error retry.prediction_missing"}, "timed_out", []int64{2}},
		{"the commit abbreviated", []string{timeout(1, "Artifact: "+head[:9]), attempt(2, "Outcome: passed", "Timeout ms: 300000")}, []string{"error retry.prediction_missing"}, "timed_out", []int64{2}},
		{"a range with its ends abbreviated", []string{timeout(1, "Artifact: range:"+older+".."+head), attempt(2, "Artifact: range:"+older[:8]+".."+head[:8], "Outcome: passed", "Timeout ms: 300000")},
			[]string{"error retry.prediction_missing"}, "timed_out", []int64{2}},
		{"the command with other white space", []string{timeout(1), attempt(2, "Command: `npm   test`", "Outcome: passed", "Timeout ms: 300000")}, []string{"error retry.prediction_missing"}, "timed_out", []int64{2}},
		{"the command by the rule of section 5", []string{timeout(1), attempt(2, "Command: `/usr/bin/npm test`", "Outcome: passed", "Timeout ms: 300000")}, []string{"error retry.prediction_missing"}, "timed_out", []int64{2}},

		{"the command with a comment", again("Command: `npm test # again`"), missing, "timed_out", []int64{2}},
		{"with a semicolon", again("Command: `npm test ;`"), missing, "timed_out", []int64{2}},
		{"in parentheses", again("Command: `( (npm test) )`"), missing, "timed_out", []int64{2}},
		{"in braces", again("Command: `{ npm test; } # again`"), missing, "timed_out", []int64{2}},
		{"through env", again("Command: `env npm test`"), missing, "timed_out", []int64{2}},
		{"through env and by the rule of section 5", again("Command: `env /usr/bin/npm test`"), missing, "timed_out", []int64{2}},
		{"through exec", again("Command: `exec npm test`"), missing, "timed_out", []int64{2}},
		{"the range that ends at the commit", again("Artifact: range:" + older + ".." + head), missing, "timed_out", []int64{2}},
		{"the commit called a tree", again("Artifact: tree:" + head), missing, "timed_out", []int64{2}},

		{"a later attempt that is allowed clears it", []string{timeout(1), longer, attempt(3, "Strategy: split", "Outcome: passed", later("09:40"))}, []string{"warning retry.prediction_missing"}, "passed", []int64{2}},
		{"a later one that is refused too does not", []string{timeout(1), longer, attempt(3, "Timeout ms: 400000", "Outcome: passed", later("09:40"))}, []string{"error retry.prediction_missing"}, "timed_out", []int64{2, 3}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			f := facts(comment(101, eng, "09:50", carrier("RC-1", c.subs...)))
			f.Stage = report.Review
			f.SameCommand = func(a, b string) bool {
				return strings.TrimPrefix(a, "/usr/bin/") == strings.TrimPrefix(b, "/usr/bin/")
			}
			got := attempts.Judge(f)
			require.ElementsMatch(t, c.want, findings(got), "%v", got.Diagnostics)
			s, ok := got.Of("RC-1")
			require.True(t, ok)
			require.Equal(t, c.latest, s.Latest)
			var refused []int64
			for _, r := range s.Recorded {
				if r.Refused {
					refused = append(refused, r.Attempt.Number)
				}
			}
			require.Equal(t, c.refused, refused)
		})
	}
}

// A5: a maintainer's final triage of a refused retry lets it stand; pending or somebody else's does
// not.
func TestRefusedRetryStands(t *testing.T) {
	t.Parallel()
	body := carrier("RC-1", timeout(1), attempt(2, "Timeout ms: 300000", "Outcome: passed"))
	for _, c := range []struct {
		name    string
		hand    string
		comment string
		latest  string
		want    []string
	}{
		{"final", "lead", triageComment("RC-1", triage(2)), "passed", []string{"warning retry.prediction_missing"}},
		{"pending", "lead", triageComment("RC-1", triage(2, "Classification: pending")), "timed_out", []string{"error episode.active", "error retry.prediction_missing"}},
		{"of the attempt before", "lead", triageComment("RC-1", triage(1)), "timed_out", []string{"error retry.prediction_missing"}},
		{"by an engineer", "eng", triageComment("RC-1", triage(2)), "timed_out", []string{"error episode.active", "error retry.prediction_missing", "warning triage.not_maintainer"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			by := map[string]int{"lead": 0, "eng": 1}[c.hand]
			got := attempts.Judge(facts(comment(101, eng, "09:05", body), comment(201, []*actor{lead, eng}[by], "10:05", c.comment)))
			require.ElementsMatch(t, c.want, findings(got), "%v", got.Diagnostics)
			s, _ := got.Of("RC-1")
			require.Equal(t, c.latest, s.Latest)
		})
	}
}
