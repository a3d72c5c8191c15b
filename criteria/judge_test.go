package criteria_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/evidence-gate/evidence-gate/criteria"
	"github.com/evidence-gate/evidence-gate/report"
	"github.com/evidence-gate/evidence-gate/snapshot"
)

const (
	head = "b7d41e9f02c36a58d1f4e07b9c8a25630fe1d794"
	base = "51d0c3a94be7720f6a18e9c4d35b86fa02c7e91d"
)

func pointer[T any](v T) *T { return &v }

// check is a check as it was judged. No id means a check without one; no verdict that a status proves it.
func check(id, text string, satisfied bool, verdict, evidence string) report.Check {
	c := report.Check{Text: text, Kind: "manual", Satisfied: satisfied, Evidence: evidence}
	if id != "" {
		c.ID = pointer(id)
	}
	if verdict != "" {
		c.Verdict = pointer(verdict)
	}
	return c
}

func commandCheck(id, command string, satisfied bool, verdict, evidence string) report.Check {
	c := check(id, command, satisfied, verdict, evidence)
	c.Kind, c.Command = "command", command
	return c
}

// judged are the checks of most tests: a proved command, a proved manual check without an id, an open
// command, one that waits for CI, and one whose failure is triaged.
func judged() ([]report.Check, []report.Diagnostic) {
	page := check("", "Settings page", true, "passed", "see the observation")
	page.Observations = []report.Observation{{Name: "theme", Result: "chose Dark, reloaded: menu shows Dark"}}
	checks := []report.Check{
		commandCheck("RC-1", "npm test", true, "passed", "128 passing\ncache is emptied ok\ntheme survives reload skipped, 1 skipped"),
		page,
		commandCheck("RC-3", "npm run lint", false, "passed", "rule of three ok"),
		commandCheck("RC-4", "npm run e2e", false, "", ""),
		commandCheck("RC-5", "npm run slow", true, "failed", "1 failed: slow disk"),
	}
	return checks, []report.Diagnostic{
		of(report.New(report.CodeHeadStale, ""), "RC-3"), of(report.New(report.CodeCheckPending, ""), "RC-4"),
	}
}

func of(d report.Diagnostic, check string) report.Diagnostic {
	d.Check = &check
	return d
}

// judge judges one task with one body, as the policy's default does.
func judge(t *testing.T, issue, section string, change func(*criteria.Facts)) criteria.Result {
	t.Helper()
	list, diagnostics := criteria.Read(issue)
	require.Empty(t, diagnostics)
	f := criteria.Facts{Criteria: list, Mode: "optional", Head: head, Body: "## Evidence\nCurrent PR head: " + head + "\n\n" + section + "\n", ChangedPaths: []string{"src/cache.js", "docs/a b.md", ".env"}}
	f.Checks, f.Diagnostics = judged()
	if change != nil {
		change(&f)
	}
	return criteria.Judge(f)
}

const unit = "- [AC-1] (kind: unit) the cache is emptied"

func entry(evidence string) string { return "- Criterion: [AC-1]\n  Evidence: " + evidence }

func run(command, outcome, commit, topology, at string) snapshot.Run {
	return snapshot.Run{Command: command, Outcome: outcome, HeadSHA: commit, Topology: topology, At: at}
}

func withRuns(runs ...snapshot.Run) func(*criteria.Facts) {
	return func(f *criteria.Facts) { f.Runs = runs }
}

func TestFormsOfEvidence(t *testing.T) {
	t.Parallel()
	sameNPM := func(f *criteria.Facts) {
		f.SameCommand = func(a, b string) bool {
			return strings.TrimPrefix(a, "/usr/bin/") == strings.TrimPrefix(b, "/usr/bin/")
		}
	}
	for _, c := range []struct {
		name     string
		evidence string
		change   func(*criteria.Facts)
		message  string // of the refusal; "" when the criterion is satisfied
		help     string
	}{
		{"check: a satisfied check by its id", "check:RC-1", nil, "", ""},
		{"check: its id in other spellings", "Check: [rc-1]", nil, "", ""},
		{"check: in code, with text after it", "`check:RC-1` (the cache tests)", nil, "", ""},
		{"check: by its text", "check:settings  PAGE.", nil, "", ""},
		{"check: by its command", "check:`npm test`", nil, "", ""},
		{"check: a status that succeeded", "check:RC-9", func(f *criteria.Facts) {
			f.Checks = append(f.Checks, commandCheck("RC-9", "make", true, "", ""))
		}, "", ""},
		{"check: a triaged failure is satisfied", "check:RC-5", nil, "", ""},
		{"check: one that is not satisfied", "check:RC-3", nil, "AC-1 rests on RC-3, which is not satisfied", "prove RC-3 on the head commit first"},
		{"check: one that is not declared", "check:RC-2", nil, `AC-1 names "RC-2", which is no required check of the task`, "Evidence: check:RC-1"},
		{"check: nothing", "check:", nil, "AC-1 names no check", "Evidence: check:RC-1"},
		{"check: the start of a text", "check:Settings", nil, `AC-1 names "Settings", which is no required check`, ""},
		{"check: a text of two checks", "check:Settings page", func(f *criteria.Facts) {
			f.Checks = append(f.Checks, check("RC-6", "settings page", true, "passed", "looked at it"))
		}, "2 checks say so: name one by its id", ""},

		{"test: its name stands in the evidence of a satisfied check", "test:cache is emptied", nil, "", ""},
		{"test: in code, in a named check", "test:`cache is emptied` in RC-1", nil, "", ""},
		{"test: in a named check", "test:cache is emptied in [RC-1]", nil, "", ""},
		{"test: in a check that the entry cites", "check:RC-1\n  Evidence: test:`cache is  emptied`", nil, "", ""},
		{"test: in what was observed", "test:menu shows Dark", nil, "", ""},
		{"test: it occurs nowhere", "test:cache is filled", nil, `the test "cache is filled" of AC-1 does not occur in the evidence of any check that passed`,
			"in the entry for RC-1, quote the line of the output that names it"},
		{"test: it occurs in another check than the named one", "test:`menu shows Dark` in RC-1", nil, "does not occur in the evidence of RC-1", ""},
		{"test: it occurs in another check than the cited one", "check:RC-1\n  Evidence: test:`menu shows Dark`", nil, "does not occur in the evidence of RC-1", ""},
		{"test: it occurs only in a check that is not satisfied", "test:rule of three", nil, `the test "rule of three" of AC-1 does not occur`, ""},
		{"test: the named check is not satisfied", "test:rule of three in RC-3", nil, "AC-1 rests on RC-3, which is not satisfied", ""},
		{"test: it occurs in the text of a triaged failure", "test:slow disk", nil, `the test "slow disk" of AC-1 does not occur`, ""},
		{"test: the named check failed and is triaged", "test:slow disk in RC-5", nil, "AC-1 rests on a pass of RC-5, which did not pass", ""},
		{"test: it was skipped", "test:theme survives reload", nil, "did not run: it says \"theme survives reload skipped\"", "run it on the head commit"},
		{"test: a part of a word", "test:ache is emptied", nil, `the test "ache is emptied" of AC-1 does not occur`, ""},
		{"test: a word of every output", "test:passing", nil, `AC-1 names no test: "passing" could stand in any output`, "Evidence: test:`the test's full name`"},
		{"test: nothing", "test:", nil, "AC-1 names no test", ""},
		{"test: no such check", "test:`cache is emptied` in RC-2", nil, `names "RC-2", which is no required check`, ""},

		{"command: an entry of it passed", "command:npm test", nil, "", ""},
		{"command: in code", "command:`npm  test`, all of it", nil, "", ""},
		{"command: the same command", "command:`/usr/bin/npm test`", sameNPM, "", ""},
		{"command: a recorded run on the head passed", "command:go test ./...", withRuns(run("go test ./...", "passed", head, "lane_final", "")), "", ""},
		{"command: the newest of two recorded runs passed", "command:go vet", withRuns(
			run("go vet", "passed", head, "", "2026-11-30T10:00:00Z"), run("go vet", "failed", head, "", "2026-11-30T09:00:00Z")), "", ""},
		{"command: the entry of it is not satisfied", "command:npm run lint", nil, "AC-1 rests on RC-3, which is not satisfied", ""},
		{"command: its failure is triaged, not passed", "command:npm run slow", nil, "AC-1 rests on a pass of RC-5, which did not pass", ""},
		{"command: no entry and no run", "command:go test ./...", nil, "of which no entry and no recorded run passed on the head", "Evidence: command:`npm test`"},
		{"command: a run of another commit", "command:go vet", withRuns(run("go vet", "passed", base, "", "")), "no recorded run passed on the head", ""},
		{"command: a run of the base", "command:go vet", withRuns(run("go vet", "passed", head, "baseline", "")), "no recorded run passed on the head", ""},
		{"command: a run for another contract", "command:go vet", func(f *criteria.Facts) {
			r := run("go vet", "passed", head, "", "")
			r.ContractDigest, f.ContractDigest = "sha256:1", "sha256:2"
			f.Runs = []snapshot.Run{r}
		}, "no recorded run passed on the head", ""},
		{"command: the newest recorded run failed", "command:npm test", withRuns(
			run("npm test", "passed", head, "", "2026-11-30T09:00:00Z"), run("npm test", "failed", head, "", "2026-11-30T10:00:00Z")),
			"whose latest recorded run on the head did not pass", "run it again"},
		{"command: a failed run without a time", "command:npm test", withRuns(
			run("npm test", "failed", head, "", ""), run("npm test", "passed", head, "", "2026-11-30T10:00:00Z")), "did not pass", ""},
		{"command: another command", "command:npm testing", nil, "of which no entry", ""},
		{"command: nothing", "command:", nil, "AC-1 names no command", ""},

		{"pr: a changed file", "pr src/cache.js", nil, "", ""},
		{"pr: at a line, among other words", "PR: it is emptied in src/cache.js:12.", nil, "", ""},
		{"pr: a file with a space, in code, below", "pr\n  The page is `docs/a b.md`.", nil, "", ""},
		{"pr: a hidden file", "pr: .env, src/other.js", nil, "", ""},
		{"pr: it names no file", "pr", nil, "AC-1 is the pull request and names none of its changed files", "Evidence: pr src/cache.js"},
		{"pr: it names a file that is not changed", "pr src/other.js", nil, `AC-1 names "src/other.js", which the pull request does not change`, "Evidence: pr src/cache.js"},
		{"pr: it names a folder", "pr src/", nil, `names "src/", which`, ""},

		{"manual: a maintainer signed off", "manual", func(f *criteria.Facts) { f.SignedOff = true }, "", ""},
		{"manual: with what to look at", "manual: open the page", func(f *criteria.Facts) { f.SignedOff = true }, "", ""},
		{"manual: signed off, but the check beside it is not satisfied", "manual\n  Evidence: check:RC-3", func(f *criteria.Facts) { f.SignedOff = true }, "AC-1 rests on RC-3", ""},
		{"manual: almost", "manually tested", func(f *criteria.Facts) { f.SignedOff = true }, `"manually tested" in the entry for AC-1 is none of check:`, "Evidence: check:RC-1"},

		{"none of the forms", "see RC-1", nil, `"see RC-1" in the entry for AC-1 is none of check:RC-<n>, test:<name>, command:<cmd>, pr and manual`, "Evidence: check:RC-1"},
		{"a form misspelt", "checks:RC-5", nil, "is none of check:", "Evidence: check:RC-5"},
		{"nothing", "", nil, "the entry for AC-1 does not say what proves it yet", "Evidence: check:RC-1"},
		{"a placeholder", "TODO: check:RC-1", nil, "the entry for AC-1 does not say what proves it yet", ""},
		{"several, of which each holds", "check:RC-1\n  Evidence: pr src/cache.js\n  Evidence: command:npm test", nil, "", ""},
		{"several, of which one does not", "check:RC-1\n  Evidence: pr src/other.js", nil, `names "src/other.js"`, ""},
		{"several in a list", "\n  - check:RC-1\n  - test:`cache is emptied`", nil, "", ""},
		{"several in a list, of which one does not hold", "\n  - check:RC-1\n  - check:RC-3", nil, "AC-1 rests on RC-3", ""},
		{"on the next line", "\n  check:RC-1", nil, "", ""},
		{"in a fence", "\n  ```\n  check:RC-1\n  ```", nil, "does not say what proves it yet", ""},
		{"in a comment", "<!-- check:RC-1 -->", nil, "does not say what proves it yet", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			got := judge(t, task(unit), entry(c.evidence), c.change)
			require.Equal(t, []report.Criterion{{ID: "AC-1", Satisfied: c.message == ""}}, got.Criteria, "%+v", got.Diagnostics)
			require.Empty(t, got.SignOff)
			if c.message == "" {
				require.Empty(t, got.Diagnostics)
				return
			}
			require.Equal(t, []report.Code{report.CodeCriterionUnsatisfied}, codes(got.Diagnostics))
			d := got.Diagnostics[0]
			require.Equal(t, report.Engineer, d.Owner)
			require.Contains(t, d.Message, c.message)
			require.Contains(t, d.Help, c.help)
			require.Equal(t, "AC-1", *d.Check)
			require.Equal(t, "pull_request.body", d.Where.Document)
			require.GreaterOrEqual(t, d.Where.Line, 5)
		})
	}
}

func TestEntries(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name    string
		section string
		codes   []report.Code
		message string
	}{
		{"as the design writes it", "- Criterion: [AC-1]\n  Evidence: check:RC-1", nil, ""},
		{"with the criterion's text, a ticked box and bold labels", "* [x] **Criterion:** [ac-1] the cache is emptied\n  **Evidence:** check:RC-1", nil, ""},
		{"the evidence in a nested item", "1. ✅ Criterion： AC-1\n   - evidence: check:RC-1", nil, ""},
		{"beside entries of checks", "- Required check: [RC-1] `npm test`\n  Verdict: passed\n  Evidence: 128 passing\n- Criterion: [AC-1]\n  Evidence: check:RC-1", nil, ""},
		{"with the verdict passed", "- Criterion: [AC-1]\n  Verdict: passed\n  Evidence: check:RC-1", nil, ""},
		{"none", "- Required check: [RC-1] `npm test`", []report.Code{report.CodeCriterionUnsatisfied}, "AC-1 has no entry in the Evidence section"},
		{"without evidence", "- Criterion: [AC-1]", []report.Code{report.CodeCriterionUnsatisfied}, "the entry for AC-1 names no evidence"},
		{"with another verdict", "- Criterion: [AC-1]\n  Evidence: check:RC-1\n  Verdict: failed", []report.Code{report.CodeCriterionUnsatisfied}, `the entry for AC-1 says "failed", not passed`},
		{"with two verdicts", "- Criterion: [AC-1]\n  Verdict: blocked\n  Evidence: check:RC-1\n  Verdict: passed", []report.Code{report.CodeCriterionUnsatisfied}, `says "blocked"`},
		{"nested in another item", "- Criteria\n  - Criterion: [AC-1]\n    Evidence: check:RC-1", []report.Code{report.CodeCriterionUnsatisfied}, "AC-1 has no entry"},
		{"a paragraph", "Criterion: [AC-1]\nEvidence: check:RC-1", []report.Code{report.CodeCriterionUnsatisfied}, "AC-1 has no entry"},
		{"quoted", "> - Criterion: [AC-1]\n>   Evidence: check:RC-1", []report.Code{report.CodeCriterionUnsatisfied}, "AC-1 has no entry"},
		{"fenced", "```\n- Criterion: [AC-1]\n  Evidence: check:RC-1\n```", []report.Code{report.CodeCriterionUnsatisfied}, "AC-1 has no entry"},
		{"commented out", "<!--\n- Criterion: [AC-1]\n  Evidence: check:RC-1\n-->", []report.Code{report.CodeCriterionUnsatisfied}, "AC-1 has no entry"},
		{"not ticked", "- [ ] Criterion: [AC-1]\n  Evidence: check:RC-1", []report.Code{report.CodeEntryUnchecked}, "the task box of the entry for AC-1 is not ticked"},
		{"on one line", "- Criterion: [AC-1] Evidence: check:RC-1", []report.Code{report.CodeEntryFieldInline}, "stand on one line"},
		{"two in one item", "- Criterion: [AC-1]\n  Criterion: [AC-1]\n  Evidence: check:RC-1", []report.Code{report.CodeEntryFieldRepeated}, `"Criterion" is given twice in the entry for AC-1`},
		{"twice", "- Criterion: [AC-1]\n  Evidence: check:RC-1\n- Criterion: [AC-1]\n  Evidence: check:RC-1", []report.Code{report.CodeEntryDuplicate}, "AC-1 has two entries, in lines 4 and 6"},
		{"an invisible character in the id", "- Criterion: [AC\u200b-1]\n  Evidence: check:RC-1", []report.Code{report.CodeTextInvisibleCharacter}, "U+200B"},
		{"an invisible character in the evidence", "- Criterion: [AC-1]\n  Evidence: check:RC\u2060-1", []report.Code{report.CodeTextInvisibleCharacter}, "U+2060"},
		{"an invisible character in the evidence of a list", "- Criterion: [AC-1]\n  Evidence:\n  - check:RC\u2060-1", []report.Code{report.CodeTextInvisibleCharacter}, "U+2060"},
		{"for another criterion", "- Criterion: [AC-2]\n  Evidence: check:RC-1", []report.Code{report.CodeEntryUnknownCheck, report.CodeCriterionUnsatisfied}, "the entry is for AC-2, and the task has no such criterion"},
		{"for none", "- Criterion: the cache\n  Evidence: check:RC-1", []report.Code{report.CodeEntryUnknownCheck, report.CodeCriterionUnsatisfied}, `the entry "the cache" names no criterion by its id`},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			got := judge(t, task(unit), c.section, nil)
			require.Equal(t, c.codes == nil, got.Criteria[0].Satisfied, "%+v", got.Diagnostics)
			require.ElementsMatch(t, c.codes, codes(got.Diagnostics))
			if c.codes != nil {
				require.Contains(t, got.Diagnostics[0].Message, c.message)
			}
		})
	}
}

func TestNoEvidenceSection(t *testing.T) {
	t.Parallel()
	got := judge(t, task(unit), "", func(f *criteria.Facts) { f.Body = "Nothing here." })
	require.Equal(t, []report.Code{report.CodeCriterionUnsatisfied}, codes(got.Diagnostics))
	require.Contains(t, got.Diagnostics[0].Message, "AC-1 has no evidence")
	require.Equal(t, report.Where{Document: "issue.body", Line: 5, Column: 3, EndLine: 5, EndColumn: 43}, *got.Diagnostics[0].Where)
	require.True(t, strings.HasPrefix(got.Diagnostics[0].Help, "- Criterion: [AC-1] the cache is emptied\n  Evidence: "))
}

// An entry for a criterion that the task does not have warns; it is an error when it says that something
// failed (E5).
func TestEntryForNoCriterion(t *testing.T) {
	t.Parallel()
	section := entry("check:RC-1") + "\n- Criterion: [AC-2]\n  Evidence: check:RC-1"
	got := judge(t, task(unit), section, nil)
	require.Equal(t, []report.Code{report.CodeEntryUnknownCheck}, codes(got.Diagnostics))
	require.Equal(t, report.Warning, got.Diagnostics[0].Severity)
	require.Contains(t, got.Diagnostics[0].Help, "- Criterion: [AC-1]")
	got = judge(t, task(unit), section+"\n  Verdict: failed", nil)
	require.Equal(t, report.Error, got.Diagnostics[0].Severity)
}

// A criterion whose check only waits for somebody else waits too: that finding already says for whom.
func TestWaitingChecks(t *testing.T) {
	t.Parallel()
	for _, evidence := range []string{"check:RC-4", "command:npm run e2e", "test:`opens the page` in RC-4", "check:RC-4\n  Evidence: manual"} {
		got := judge(t, task(unit), entry(evidence), nil)
		require.Equal(t, []report.Criterion{{ID: "AC-1"}}, got.Criteria, evidence)
		require.Empty(t, got.Diagnostics, evidence)
		require.Empty(t, got.SignOff, evidence)
	}
	both := func(f *criteria.Facts) {
		f.Diagnostics = append(f.Diagnostics, of(report.New(report.CodeEvidenceMissing, ""), "RC-4"))
	}
	got := judge(t, task(unit), entry("check:RC-4"), both)
	require.Equal(t, []report.Code{report.CodeCriterionUnsatisfied}, codes(got.Diagnostics), "an engineer must act as well")
}

func TestSignOff(t *testing.T) {
	t.Parallel()
	issue := task("- [AC-1] (kind: manual) the page looks right", "- [AC-2] (kind: unit) x holds", "- [AC-3] (kind: manual) y looks right")
	section := "- Criterion: [AC-1]\n  Evidence: manual\n- Criterion: [AC-2]\n  Evidence: check:RC-1\n- Criterion: [AC-3]\n  Evidence: check:RC-3\n  Evidence: manual"
	got := judge(t, issue, section, nil)
	require.Equal(t, []string{"AC-1"}, got.SignOff, "AC-3 lacks more than the sign-off")
	require.Equal(t, []report.Criterion{{ID: "AC-1"}, {ID: "AC-2", Satisfied: true}, {ID: "AC-3"}}, got.Criteria)
	require.Equal(t, []report.Code{report.CodeCriterionUnsatisfied}, codes(got.Diagnostics))

	later := got.WithSignOff()
	require.Equal(t, []report.Criterion{{ID: "AC-1", Satisfied: true}, {ID: "AC-2", Satisfied: true}, {ID: "AC-3"}}, later.Criteria)
	require.Empty(t, later.SignOff)
	require.False(t, got.Criteria[0].Satisfied, "the result that was asked stays as it was")
	require.Equal(t, judge(t, issue, section, func(f *criteria.Facts) { f.SignedOff = true }), later)
}

// A section for another commit proves nothing, whatever its entries say.
func TestUnboundSection(t *testing.T) {
	t.Parallel()
	for _, evidence := range []string{"check:RC-1", "check:RC-3", "pr src/cache.js", "manual"} {
		got := judge(t, task(unit), entry(evidence), func(f *criteria.Facts) { f.Unbound, f.SignedOff = true, true })
		require.Equal(t, []report.Criterion{{ID: "AC-1"}}, got.Criteria, evidence)
		require.Empty(t, got.Diagnostics, evidence)
	}
}

func TestPathsThatWereNotRead(t *testing.T) {
	t.Parallel()
	unread := func(paths ...string) func(*criteria.Facts) {
		return func(f *criteria.Facts) {
			f.ChangedPaths, f.Unavailable = paths, func(fact string) bool { return fact == "changed_paths" }
		}
	}
	got := judge(t, task(unit), entry("pr src/cache.js"), unread())
	require.Equal(t, []string{"changed_paths"}, got.Needs)
	require.Equal(t, []report.Criterion{{ID: "AC-1"}}, got.Criteria)
	require.Empty(t, got.Diagnostics)

	got = judge(t, task(unit), entry("pr src/cache.js"), unread("src/cache.js"))
	require.Empty(t, got.Needs, "what was read is enough")
	require.True(t, got.Criteria[0].Satisfied)
	require.Empty(t, judge(t, task(unit), entry("check:RC-1"), unread()).Needs, "nobody asked for the paths")
}

func TestModes(t *testing.T) {
	t.Parallel()
	none := "## Required Checks\n\n- [RC-1] `npm test`\n"
	with := func(mode string) func(*criteria.Facts) {
		return func(f *criteria.Facts) { f.Mode, f.Rules = mode, []string{"BR-1"} }
	}
	require.Equal(t, criteria.Result{}, judge(t, task(unit), "", with("off")))
	require.Equal(t, []report.Code{report.CodeCriterionUnsatisfied, report.CodeCriterionRuleUncovered}, codes(judge(t, task(unit), "", with("optional")).Diagnostics))
	require.Equal(t, []report.Code{report.CodeCriterionRuleUncovered}, codes(judge(t, none, "", with("optional")).Diagnostics))
	require.Equal(t, []report.Code{report.CodeCriterionMissing, report.CodeCriterionRuleUncovered}, codes(judge(t, none, "", with("required")).Diagnostics))
	require.Contains(t, codes(judge(t, none, "", with("a word that is none")).Diagnostics), report.CodeCriterionMissing, "what is not known is judged strictly")

	for name, c := range map[string]struct{ issue, message string }{
		"no section":  {none, "the task has no live Acceptance Criteria section"},
		"an empty":    {"", "the task has no live Acceptance Criteria section"},
		"a fence":     {"```\n## Acceptance Criteria\n```\n", "the heading in line 2 stands inside the code fence opened in line 1"},
		"a near miss": {"## Acceptance Criterias\n\n- [AC-1] (kind: unit) x\n", `Acceptance Criterias" in line 1`},
		"sentences":   {task("- The cache is emptied."), "the Acceptance Criteria section holds none: no list item starts with [AC-<n>]"},
		"no response": {task("_No response_"), "the Acceptance Criteria section holds none"},
	} {
		got := judge(t, c.issue, "", func(f *criteria.Facts) { f.Mode = "required" })
		require.Equal(t, []report.Code{report.CodeCriterionMissing}, codes(got.Diagnostics), name)
		require.Equal(t, report.Maintainer, got.Diagnostics[0].Owner, name)
		require.Contains(t, got.Diagnostics[0].Message, c.message, name)
		require.Equal(t, "## Acceptance Criteria\n\n- [AC-1] (kind: unit) what must hold", got.Diagnostics[0].Help, name)
		require.Equal(t, "issue.body", got.Diagnostics[0].Where.Document, name)
	}
}

// What is wrong with the list is the maintainer's; the engineer is asked for the rest only.
func TestBrokenCriteriaAreNeverSatisfied(t *testing.T) {
	t.Parallel()
	list, diagnostics := criteria.Read(task("- [AC-1] x holds", "- [AC-2] (kind: unit) y holds", "- z holds", "- [AC-3] (kind: unit) a", "- [AC-3] (kind: unit) a"))
	require.Len(t, diagnostics, 3)
	f := criteria.Facts{Criteria: list, Mode: "required", Head: head, Body: "## Evidence\n"}
	for _, id := range []string{"AC-1", "AC-2", "AC-3"} {
		f.Body += fmt.Sprintf("- Criterion: [%s]\n  Evidence: check:RC-1\n", id)
	}
	f.Checks, f.Diagnostics = judged()
	got := criteria.Judge(f)
	require.Empty(t, got.Diagnostics)
	require.Equal(t, []report.Criterion{{ID: "AC-1"}, {ID: "AC-2", Satisfied: true}, {ID: "z holds"}, {ID: "AC-3"}, {ID: "AC-3"}}, got.Criteria)
}

func TestHostileTextInMessages(t *testing.T) {
	t.Parallel()
	got := judge(t, task(unit), entry("check:"+strings.Repeat("x\u0007", 5000)), nil)
	require.Len(t, got.Diagnostics, 1)
	require.Less(t, len(got.Diagnostics[0].Message), 500)
	require.NotContains(t, got.Diagnostics[0].Message, "\u0007")
}

// An entry for a criterion where the task has none is named, as an entry for no check is (E5).
func TestEntryWithoutAnyCriterion(t *testing.T) {
	t.Parallel()
	got := criteria.Judge(criteria.Facts{Mode: "optional", Body: "## Evidence\n\n- Criterion: [AC-9] the cache\n  Evidence: check:RC-1\n"})
	require.Equal(t, []report.Code{report.CodeEntryUnknownCheck}, codes(got.Diagnostics))
	got = criteria.Judge(criteria.Facts{Mode: "optional", Body: "## Evidence\n\n- a plain item\n"})
	require.Empty(t, got.Diagnostics)
}
