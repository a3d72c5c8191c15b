package criteria_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/evidence-gate/evidence-gate/attempts"
	"github.com/evidence-gate/evidence-gate/criteria"
	"github.com/evidence-gate/evidence-gate/report"
	"github.com/evidence-gate/evidence-gate/snapshot"
)

const regression = "- [AC-1] (kind: regression) an expired token is refused"

// attempted is the standing of RC-1 with attempts of these outcomes.
func attempted(outcomes ...string) func(*criteria.Facts) {
	return func(f *criteria.Facts) {
		f.Attempts = func(check string) (attempts.Standing, bool) {
			s := attempts.Standing{Check: check}
			for _, o := range outcomes {
				s.Recorded = append(s.Recorded, attempts.Recorded{Attempt: attempts.Attempt{Outcome: o}})
			}
			return s, check == "RC-1"
		}
	}
}

func says(evidence string) func(*criteria.Facts) {
	return func(f *criteria.Facts) { f.Checks[0].Evidence = evidence }
}

func TestRegressionNeedsRedBeforeGreen(t *testing.T) {
	t.Parallel()
	red, unsatisfied := report.CodeCriterionRedMissing, report.CodeCriterionUnsatisfied
	for _, c := range []struct {
		name     string
		evidence string
		change   func(*criteria.Facts)
		code     report.Code // "" when the criterion is satisfied
	}{
		{"an attempt failed before", "check:RC-1", attempted("failed", "passed"), ""},
		{"an attempt failed before, cited by command", "command:npm test", attempted("failed"), ""},
		{"an attempt failed before, cited by test", "test:cache is emptied", attempted("failed"), ""},
		{"a recorded run on the base failed", "check:RC-1", withRuns(run("npm test", "failed", base, "baseline", "")), ""},
		{"a recorded run of an earlier commit failed", "command:npm test", withRuns(run("npm test", "failed", base, "lane_final", "")), ""},
		{"a recorded run of the check failed", "check:RC-1", withRuns(snapshot.Run{Check: "RC-1", Outcome: "failed", HeadSHA: base, Topology: "baseline"}), ""},
		{"the first of two runs on the head failed", "check:RC-1", withRuns(
			run("npm test", "failed", head, "", "2026-11-30T09:00:00Z"), run("npm test", "passed", head, "", "2026-11-30T10:00:00Z")), ""},
		{"only recorded runs", "command:go test ./auth", withRuns(run("go test ./auth", "failed", base, "", ""), run("go test ./auth", "passed", head, "", "")), ""},
		{"the entry says so in order", "check:RC-1 before the change it failed; after the change it passed", nil, ""},
		{"the check's evidence says so in order", "check:RC-1", says("before the fix: 1 failed (exit 1); after: 128 passed, 0 failed (exit 0)"), ""},
		{"beside a sign-off", "check:RC-1 (before the change it failed)\n  Evidence: manual", func(f *criteria.Facts) { f.SignedOff = true }, ""},

		{"nothing failed before", "check:RC-1", nil, red},
		{"every attempt passed or was cut short", "check:RC-1", attempted("timed_out", "passed"), red},
		{"attempts of another check", "command:go vet", func(f *criteria.Facts) {
			attempted("failed")(f)
			f.Runs = []snapshot.Run{run("go vet", "passed", head, "", "")}
		}, red},
		{"an attempt that does not count", "check:RC-1", func(f *criteria.Facts) {
			f.Attempts = func(string) (attempts.Standing, bool) {
				return attempts.Standing{Recorded: []attempts.Recorded{{Refused: true, Attempt: attempts.Attempt{Outcome: "failed"}}}}, true
			}
		}, red},
		{"a recorded run on the base passed", "check:RC-1", withRuns(run("npm test", "passed", base, "baseline", "")), red},
		{"another command failed on the base", "check:RC-1", withRuns(run("npm run lint", "failed", base, "baseline", "")), red},
		{"a run of the merged tree failed", "check:RC-1", withRuns(run("npm test", "failed", base, "post_merge", "")), red},
		{"a run for another contract failed", "check:RC-1", func(f *criteria.Facts) {
			r := run("npm test", "failed", base, "baseline", "")
			r.ContractDigest, f.ContractDigest = "sha256:1", "sha256:2"
			f.Runs = []snapshot.Run{r}
		}, red},
		{"no run is named", "pr src/cache.js (before the change it failed)", nil, red},
		{"only a sign-off", "manual, before the change it failed", func(f *criteria.Facts) { f.SignedOff = true }, red},
		{"no pass on the head, its failure is triaged", "check:RC-5 before the change it failed", nil, unsatisfied},
		{"no proof at all", "check:RC-3 before the change it failed", nil, unsatisfied},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			got := judge(t, task(regression), entry(c.evidence), c.change)
			require.Equal(t, c.code == "", got.Criteria[0].Satisfied, "%+v", got.Diagnostics)
			if c.code == "" {
				require.Empty(t, got.Diagnostics)
				return
			}
			require.Equal(t, []report.Code{c.code}, codes(got.Diagnostics))
			require.Contains(t, got.Diagnostics[0].Message, "AC-1")
		})
	}
	require.True(t, judge(t, task(unit), entry("check:RC-1"), nil).Criteria[0].Satisfied, "only regressions need it")
}

// Texts that put a failed run before the pass, and texts that do not.
func TestOrderedTexts(t *testing.T) {
	t.Parallel()
	for text, ordered := range map[string]bool{
		"before the change: 1 failed; after: 0 failed":                    true,
		"Before the fix the test failed, after it the test passed.":       true,
		"failed before and passed after":                                  true,
		"first run 3 failing, fixed, rerun 0 failing (exit 0)":            true,
		"on main it failed (exit code 1)":                                 true,
		"without the change it fails":                                     true,
		"the new test failed, then passed":                                true,
		"1 failing -> 0 failing":                                          true,
		"exit 1 → exit 0":                                                 true,
		"red on the baseline":                                             true,
		"it failed before it passed":                                      true,
		"baseline: expected 401, got 200: FAIL TestExpiredToken\nnow: ok": true,
		"":                              false,
		"128 passed, 0 failed (exit 0)": false,
		"all tests passed before and after the change":  false,
		"before the change 0 failed, after it 0 failed": false,
		"it never failed before":                        false,
		"no test failed before the change":              false,
		"it didn't fail before":                         false,
		"without the change it would have failed":       false,
		"it should fail before the change":              false,
		"passed before it failed":                       false,
		"after the change it failed":                    false,
		"passed, then failed":                           false,
		"1 failed, 127 passed":                          false,
		"before the change I read the code":             false,
		"the failed login is refused now":               false,
		"it failed. That was expected. Nothing else to say, except that it exists now": false,
	} {
		got := judge(t, task(regression), entry("check:RC-1\n  ")+text, nil)
		require.Equal(t, ordered, got.Criteria[0].Satisfied, "%q: %+v", text, got.Diagnostics)
	}
}
