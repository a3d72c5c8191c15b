package prbody

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestContradiction(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		text string
		exit int
		bad  bool
	}{
		// E4: failing or failed tests or errors, a non-zero exit code
		{"125 passing, 3 failing (exit 1)", 0, true},
		{"Tests run: 128, Failures: 3, Errors: 0, Skipped: 0", 0, true},
		{"Tests run: 128 Failures: 0 Errors: 0", 0, false},
		{"3 failed, 125 passed, 0 errors in 12s", 0, true},
		{"125 passed, 0 failed, 2 errors", 0, true},
		{"2 of 128 tests failed", 0, true},
		{"0/128 failed", 0, false},
		{"3/128 failed", 0, true},
		{"the suite failed", 0, true},
		{"some tests are still failing", 0, true},
		{"no tests failed, 12 rows", 0, false},
		{"none failed of 1,204", 0, false},
		{"1,204 passed without errors", 0, false},
		{"finished with errors", 0, true},
		{"FAIL src/cache.test.js", 0, true},
		{"128 passed; FAILED: 0", 0, false},
		{"# pass 128 # fail 0", 0, false},
		{"# pass 125 # fail 3", 0, true},
		{"exit code: 2", 0, true},
		{"the process exited with code 137", 0, true},
		{"exit status 0", 0, false},
		{"exits non-zero on bad input: 12 cases passed", 0, true},
		{"shows a 500 error page with the id", 0, false},
		{"error: 404 is shown for a missing page", 0, false},
		{"failed logins are throttled after 5 tries", 0, false},
		{"the tests that failed before now pass: 128 passing", 0, false},
		{"failed tests: 3", 0, true},
		{"failed test cases: 0", 0, false},
		{"failures (3)", 0, true},
		{"3 new failures", 0, true},
		{"could not compile widgets due to 2 previous errors", 0, true},
		{"src/a.ts(1,2): error TS2322: Type 'string' is not assignable", 0, true},
		{"error[E0308]: mismatched types", 0, true},
		{"make: *** [test] Error 2", 0, true},
		{"failed to compile", 0, true},
		{"ERROR in ./src/a.js", 0, true},
		{"[ERROR] Failed to execute goal", 0, true},
		{"npm ERR! code ELIFECYCLE", 0, true},
		{"HTTP ERROR 404 is shown for a missing page", 0, false},
		{"no ERROR in the log of 12 runs", 0, false},
		{"conclusion: failure", 0, true},
		{"the API answers {\"status\":\"failed\"} for a broken upload", 0, false},
		{"an error occurred", 0, true},
		{"the page says “an error occurred” when offline", 0, false},
		{"there were errors", 0, true},
		{"with an error message under the field", 0, false},
		{"ended with a non-zero exit code", 0, true},
		{"3 tests did not pass", 0, true},
		{"before it 3 tests did not pass, now 128 passing", 0, false},
		// a later zero of the same kind and a word that orders them excuses
		{"before the fix 3 failing; after it 128 passing, 0 failing (exit 0)", 0, false},
		{"crate a: 10 passed; 0 failed. crate b: 125 passed; 3 failed", 0, true},
		{"3 failing → 0 failing", 0, false},
		{"0 failing then 3 failing", 0, true},
		{"3 failing, 0 failing", 0, true},
		{"first exit 1, then exit 0", 0, false},
		{"first 3 failing, then exit 0", 0, true},
		// skipped, xfailed, ignored and pending beside passing counts are no failures
		{"128 passed, 3 xfailed in 4.1s", 0, false},
		{"128 passing, 3 pending", 0, false},
		{"128 passing, 3 skipped, 2 ignored", 0, false},
		// nothing run, still waiting
		{"0 passed, 5 skipped, exit 0 (service not set up)", 0, true},
		{"test result: ok. 12 passed; doc tests: 0 passed", 0, false},
		{"no tests were found", 0, true},
		{"ran 0 tests", 0, true},
		{"Tests run: 0", 0, true},
		{"could not be run here", 0, true},
		{"pending hosted CI; will update", 0, true},
		{"waiting for the runner", 0, true},
		{"CI still running", 0, true},
		{"128 passing while the nightly is still running", 0, false},
		{"0 examples, 0 failures", 0, true},
		{"Tests run: 12, Failures: 0, Errors: 0, Skipped: 0\nTests run: 30, Failures: 0, Errors: 0, Skipped: 0", 0, false},
		{"Tests run: 0, Failures: 0, Errors: 0 Tests run: 30, Failures: 0, Errors: 0", 0, false},
		{"0 passed, 5 tests run", 0, true},
		{"quality gate passed: 0 bugs", 0, false},
		{"Passed: 0 Skipped: 5", 0, true},
		{"Complete requests: 1000 Failed requests: 0", 0, false},
		{"Complete requests: 1000 Failed requests: 3", 0, true},
		{"the job no longer fails: 3 nightly runs green", 0, false},
		{"OK (0 tests, 0 assertions)", 0, true},
		{"Total tests: 0", 0, true},
		{"100% passed, 0 tests failed out of 12", 0, false},
		{"golangci-lint run: 0 issues.", 0, false},
		{"trivy: Total: 0 (HIGH: 0, CRITICAL: 0)", 0, false},
		{"testing: warning: no tests to run PASS ok example.com/a 0.1s [no tests to run]", 0, true},
		{"ok example.com/a 0.4s, ok example.com/b 0.1s [no tests to run]", 0, false},
		{"no test files", 0, true},
		{"0/128 passed", 0, true},
		{"0 of 128 tests passed", 0, true},
		{"128 of 128 passed", 0, false},
		{"none passed", 0, true},
		{"1..2 ok 1 - a not ok 2 - b", 0, true},
		{"exit(1)", 0, true},
		{"clean exit (128 passing)", 0, false},
		{"it keeps failing", 0, true},
		{"the run did not finish", 0, true},
		{"results to follow", 0, true},
		{"ok example.com/a 0.4s, ? example.com/b [no test files]", 0, false},
		{"was never run", 0, true},
		{"unable to run the tests here", 0, true},
		{"will run later", 0, true},
		{"the job is queued", 0, true},
		{"in progress", 0, true},
		{"the button stays disabled while a save is in progress, then turns green", 0, false},
		{"the spinner stops and \"in progress\" turns to \"done\" after 3 s", 0, false},
		// another expected exit code (C2)
		{"no match, exit 1", 1, false},
		{"no match, exit 0", 1, true},
		{"12 rows", 0, false},
		{"ran [\"bash\", \"-lc\", \"npm test\"]; 128 passing (exit 0)", 0, false},
		{"action required:\nclear the cache\nthen rerun", 0, false},
		{"diff of the exported symbols is empty", 0, false},
		{"99999999999999999999 failed", 0, true},
	} {
		got := contradicts(row.text, row.exit)
		require.Equal(t, row.bad, got != "", "%s: %s", row.text, got)
	}
}

func TestConcrete(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]bool{
		"All green, works!": false, "LGTM": false, "should work": false, "seems right": false, "ran earlier": false,
		"see above": false, "it's fine 👍": false, "ok.": false, "tests pass locally": false,
		"verified manually": false, "see logs": false, "queued": false, "skipped": false,
		"12 rows": true, "exit 0": true, "128 passing": true, "diff is empty": true, "no browser here": true, "run 812 on the head": true,
	} {
		require.Equal(t, want, concretes(text), text)
	}
}

func TestPlaceholder(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]bool{
		"": true, "TBD": true, "todo": true, "N/A": true, "n/a.": true, "none": true, "pending": true, "...": true, "…": true,
		"<excerpt>": true, "REPLACE: final-state result": true, "_No response_": true, "-": true,
		"<Button> renders <span>":    false,
		"none of the 12 rows differ": false, "pending hosted CI": false, "128 passing": false, "replaced the lamp, it burns": false,
	} {
		require.Equal(t, want, Placeholder(text), text)
	}
}

func TestVerdict(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]Verdict{
		"passed": Passed, "PASSED": Passed, "passed.": Passed, "✅ passed": Passed, ":white_check_mark: passed": Passed, "✔️ passed": Passed,
		"failed": Failed, "blocked": Blocked, "not run": NotRun, "Not  Run": NotRun,
		"PASS": "", "ok": "", "passed (with caveats)": "", "not passed": "", "passed, except the slow suite": "", "": "", "passed ✅ maybe": "",
	} {
		got, _ := Value{Text: text}.Verdict()
		require.Equal(t, want, got, text)
	}
	require.Equal(t, Passed, Value{Text: "PASS"}.NearestVerdict())
	require.Equal(t, Failed, Value{Text: "fail!"}.NearestVerdict())
	require.Equal(t, Blocked, Value{Text: "bloked"}.NearestVerdict())
}

func contradicts(text string, wantExit int) string {
	failure, _ := Weigh(text, wantExit)
	return failure
}

func concretes(text string) bool {
	_, concrete := Weigh(text, 0)
	return concrete
}
