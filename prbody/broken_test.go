package prbody

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// E4: texts that tell of tests that did not pass, of a run that was cut short, or of none.
func TestTextsThatReportNoPass(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		"127/128 passed", "100 of 128 tests passed", "0 of 128 passed", "99% passed", "99.5% tests passed",
		"all but one test passes", "all tests pass except two on Windows", "one failure", "a few failing tests", "pre-existing failure in auth",
		"3 tests broken", "one test is red", "doesn't compile", "the code does not build", `"failed": 1`, "numFailedTests: 1",
		"✗ keeps theme", "1 ❌ 127 ✅", "error: Cannot find module 'vite'", "TypeError: x is undefined", "panic: nil pointer",
		"npm: command not found", "Segmentation fault (core dumped)", "not ok 3 - theme",
		"test suite timed out", "timed out after 10m", "aborted after 3 minutes", "the job was killed", "Killed by the host",
		"128 skipped", "all 128 tests skipped", "unable to run locally", "will run after merge", "will be verified in staging",
	} {
		require.NotEmpty(t, contradicts(text, 0), text)
	}
	for _, text := range []string{
		"128/128 passed", "100% tests passed", "first 100/128 passed, then 128/128 passed", "126/128 passed, 2 skipped",
		`"failed": 0, "passed": 12`, "numFailedTests: 0, 12 rows", "0 ❌ 127 ✅", "✖ 3 problems (0 errors, 3 warnings)", "press ✗ and the dialog closes",
		"a request that timed out is retried, 3 tries seen", "shows TypeError in the console view", "the killed process is listed in grey",
		"an expired link does not work and says why", "error: 404 is shown for a missing page", "one failed login is logged with its address",
		"128 passed, 3 skipped", "3 skipped rows are listed in the import view", "the test hung before; now 128 passing",
	} {
		require.Empty(t, contradicts(text, 0), text)
	}
	for _, text := range []string{"ditto", "same as before", "I expect this to pass", "as the reviewer approved"} {
		require.False(t, concretes(text), text)
	}
	for _, text := range []string{"TODO: fill in later", "TBD - will add", "[paste output]"} {
		require.True(t, Placeholder(text), text)
	}
	for _, text := range []string{"TODO list shows 3 items", "[12, 15] are the ids shown", "[x] and [y]"} {
		require.False(t, Placeholder(text), text)
	}
}
