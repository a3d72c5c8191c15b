package checks_test

import (
	"strings"
	"testing"

	"github.com/evidence-gate/evidence-gate/report"
	"github.com/evidence-gate/evidence-gate/snapshot"
)

// Section 13, log_match: the excerpt must match; the entry's own pattern may be left out, else it is
// the contract's.
func TestLogMatch(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		about, task, fields string
		codes               []report.Code
	}{
		{"a match", `pattern: all \d+ suites green`, "  Evidence: 12 tests, all 9 suites green (exit 0)\n", nil},
		{"a match in the lines below", `pattern: all \d+ suites green`, "  Evidence: the end of the log\n    - all 9 suites green (exit 0)\n", nil},
		{"no match", `pattern: all \d+ suites green`, "  Evidence: 128 passing (exit 0)\n", []report.Code{report.CodeCheckPatternUnmatched}},
		{"another case", `pattern: all \d+ suites green`, "  Evidence: All 9 suites green (exit 0)\n", []report.Code{report.CodeCheckPatternUnmatched}},
		{"the pattern repeated with other spaces", `pattern: all \d+ suites green`, "  Pattern: all  \\\\d+ suites green\n  Evidence: all 9 suites green (exit 0)\n", nil},
		{"another pattern", `pattern: all \d+ suites green`, "  Pattern: green\n  Evidence: all 9 suites green (exit 0)\n", []report.Code{report.CodeEvidencePatternMismatch}},
		{"no pattern", `app: ci`, "  Evidence: all 9 suites green (exit 0)\n", []report.Code{report.CodeContractMethodInvalid}},
		{"a pattern that is none", `pattern: a{2,1}`, "  Evidence: all 9 suites green (exit 0)\n", []report.Code{report.CodeContractMethodInvalid}},
		{"a pattern without end", `pattern: ` + strings.Repeat("a", 1001), "  Evidence: all 9 suites green (exit 0)\n", []report.Code{report.CodeContractMethodInvalid}},
	} {
		s := proved()
		setTask(&s, "- [RC-1] `npm test` (method: log_match; "+row.task+")\n")
		setEvidence(&s, "- Required check: [RC-1] `npm test`\n  Verdict: passed\n"+row.fields)
		want(t, s, row.about, row.codes...)
	}
}

// A status has no excerpt and no link, so it does not stand in for the entry of such a check.
func TestNoStatusStandsInForAnExcerpt(t *testing.T) {
	t.Parallel()
	for _, method := range []string{"log_match; pattern: green", "artifact"} {
		s := proved()
		setTask(&s, "- [RC-1] `npm test` [source: pr_body, status_check] (method: "+method+")\n")
		setEvidence(&s, "")
		s.StatusChecks = []snapshot.StatusCheck{run("success", "ci")}
		want(t, s, method, report.CodeCheckUnsatisfied)
	}
}

// Section 13, artifact: a stored link, which is live text and never fetched.
func TestArtifactLink(t *testing.T) {
	t.Parallel()
	for about, row := range map[string]struct {
		fields string
		codes  []report.Code
	}{
		"a link":                {"  Evidence: 128 passing, [the log](https://ci.example.com/1)\n", nil},
		"an address":            {"  Evidence: 128 passing, see https://ci.example.com/1\n", nil},
		"an item below":         {"  Evidence: 128 passing\n    - the log: <https://ci.example.com/1>\n", nil},
		"the field for it":      {"  URL: https://ci.example.com/1\n  Evidence: 128 passing (exit 0)\n", nil},
		"a placeholder for it":  {"  URL: https://<where the artifact is stored>\n  Evidence: 128 passing (exit 0)\n", []report.Code{report.CodeCheckArtifactMissing}},
		"an address of no host": {"  URL: https://\n  Evidence: 128 passing, [the log](https://)\n", []report.Code{report.CodeCheckArtifactMissing}},
		"none":                  {"  Evidence: 128 passing (exit 0)\n", []report.Code{report.CodeCheckArtifactMissing}},
		"a place in the page":   {"  Evidence: 128 passing, [the log](#log)\n", []report.Code{report.CodeCheckArtifactMissing}},
		"another scheme":        {"  Evidence: 128 passing, [the log](file:///tmp/log)\n", []report.Code{report.CodeCheckArtifactMissing}},
		"hidden":                {"  Evidence: 128 passing <!-- https://ci.example.com/1 -->\n", []report.Code{report.CodeCheckArtifactMissing}},
		"in code":               {"  Evidence: 128 passing `https://ci.example.com/1`\n", []report.Code{report.CodeCheckArtifactMissing}},
	} {
		s := proved()
		setTask(&s, "- [RC-1] `npm test` (method: artifact)\n")
		setEvidence(&s, "- Required check: [RC-1] `npm test`\n  Verdict: passed\n"+row.fields)
		want(t, s, about, row.codes...)
	}
}

// What no judge can prove yet never passes (section 1).
func TestMethodsWithoutAJudge(t *testing.T) {
	t.Parallel()
	for _, options := range []string{"method: external_check; url: https://example.com; expected: 200", "topology: integrated"} {
		s := proved()
		setTask(&s, "- [RC-1] `npm test` ("+options+")\n")
		want(t, s, options, report.CodeGateUnavailable)
	}
}
