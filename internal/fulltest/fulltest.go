// Package fulltest says what a test needs besides Go (design section 19): a test whose needs are
// not met is skipped with the reason, and fails instead where everything must be present.
package fulltest

import (
	"errors"
	"os"
	"path/filepath"
)

// Variable is the environment variable that turns skipping into failing when it is "1".
const Variable = "EVIDENCE_GATE_TEST_FULL"

// NPMVariable names the folder that holds the npm packages with GitHub's published descriptions.
const NPMVariable = "EVIDENCE_GATE_NPM_DIR"

// T is what [Needs] uses of a test.
type T interface {
	Helper()
	Skipf(format string, args ...any)
	Fatalf(format string, args ...any)
}

// Enabled says whether full tests were asked for.
func Enabled() bool { return os.Getenv(Variable) == "1" }

// Needs skips the test when something that it needs is not there, and fails it in full tests.
func Needs(t T, what string, ok bool) {
	t.Helper()
	if ok {
		return
	}
	if Enabled() {
		t.Fatalf("%s=1 asks for every test, and this one needs %s", Variable, what)
		return
	}
	t.Skipf("needs %s (an error with %s=1)", what, Variable)
}

// NPM finds a file of an npm package, such as "@octokit/graphql-schema/schema.graphql": below the
// folder that EVIDENCE_GATE_NPM_DIR names, else below the next node_modules folder upwards. It
// skips or fails the test as [Needs] does when there is none.
func NPM(t T, file string) string {
	t.Helper()
	path := locate(file)
	Needs(t, "the npm package file "+file+" (npm install --no-save in the repository, or "+NPMVariable+")", path != "")
	return path
}

func locate(file string) string {
	if folder := os.Getenv(NPMVariable); folder != "" {
		return existing(filepath.Join(folder, file))
	}
	folder, err := os.Getwd()
	if err != nil {
		return ""
	}
	for {
		if path := existing(filepath.Join(folder, "node_modules", file)); path != "" {
			return path
		}
		parent := filepath.Dir(folder)
		if parent == folder {
			return ""
		}
		folder = parent
	}
}

func existing(path string) string {
	if _, err := os.Stat(path); errors.Is(err, os.ErrNotExist) {
		return ""
	}
	return path
}
