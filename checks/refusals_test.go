package checks_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/evidence-gate/evidence-gate/checks"
	"github.com/evidence-gate/evidence-gate/report"
	"github.com/evidence-gate/evidence-gate/snapshot"
)

const (
	refusalHead  = "3f9c1a7be2d84065c1b7a9e0d3f4628517ab90cd"
	otherHead    = "51d0c3a94be7720f6a18e9c4d35b86fa02c7e91d"
	npmTest      = "- [RC-1] `npm test`\n"
	npmTestEntry = "- Required check: [RC-1] `npm test`\n  Verdict: passed\n  Evidence: 128 passing (exit 0)\n"
)

// proved is a Snapshot in which everything is right.
func proved() snapshot.Snapshot {
	s := snapshot.Snapshot{Repository: snapshot.Repository{Owner: "acme", Name: "widgets"}, App: "evidence-gate"}
	s.PullRequest.HeadSHA = refusalHead
	s.Linked = []snapshot.Linked{{Repository: "acme/widgets", Number: 7, Source: "closing", Readable: true, HasChecks: true}}
	s.Issue = &snapshot.Issue{Number: 7, Author: user("lead", "maintain")}
	setTask(&s, npmTest)
	setEvidence(&s, npmTestEntry)
	return s
}

func user(login, permission string) *snapshot.Actor {
	return &snapshot.Actor{Login: login, Type: "User", Permission: permission}
}

func setTask(s *snapshot.Snapshot, list string) {
	text := "## Required Checks\n\n" + list
	s.Issue.Body = &text
}

func setEvidence(s *snapshot.Snapshot, entries string) {
	text := "## Evidence\nCurrent PR head: " + refusalHead + "\n\n" + entries
	s.PullRequest.Body = &text
}

func run(conclusion, app string) snapshot.StatusCheck {
	return snapshot.StatusCheck{Name: "npm test", App: app, Status: "completed", Conclusion: &conclusion}
}

// want is the errors of a Snapshot at stage merge; none means success.
func want(t *testing.T, s snapshot.Snapshot, about string, codes ...report.Code) {
	t.Helper()
	got := checks.Evaluate(s, report.Merge)
	var errors []report.Code
	for _, d := range got.Diagnostics {
		if d.Severity == report.Error {
			errors = append(errors, d.Code)
		}
	}
	require.Equal(t, codes, errors, about)
	require.Equal(t, len(codes) == 0, got.Conclusion == report.Success, about)
}

// C1, C2: nothing that asks for something may vanish, and no typo may allow more.
func TestNoRequirementVanishes(t *testing.T) {
	t.Parallel()
	for list, codes := range map[string][]report.Code{
		"":                                             nil,
		"- `<Button>` renders `<span>`\n":              {report.CodeCheckUnsatisfied},
		"- <!-- why --> \n  lint is clean\n":           {report.CodeCheckUnsatisfied},
		"- - `npm run lint`\n":                         {report.CodeContractIdentityEmpty},
		"- # npm run lint\n":                           {report.CodeContractIdentityEmpty},
		"- <p>lint is clean</p>\n":                     {report.CodeContractIdentityEmpty},
		"- ```\n  npm run lint\n  ```\n":               {report.CodeContractIdentityEmpty},
		"- <!-- nothing here -->\n":                    nil,
		"- > [RC-2] quoted\n":                          nil,
		"\n[RC-2](https://example.com) lint\n":         {report.CodeContractCheckOutsideList},
		"\n[RC-2\u200b] lint\n":                        {report.CodeContractCheckOutsideList},
		"- [RC-2] `a` [source: ]\n":                    {report.CodeContractAnnotationUnknown},
		"- [RC-2] `a` [source: status_check; app: ]\n": {report.CodeContractAnnotationUnknown},
		"- [RC-2] manual: a [observations: ,]\n":       {report.CodeContractAnnotationUnknown},
	} {
		s := proved()
		setTask(&s, npmTest+list)
		want(t, s, list, codes...)
	}
}

// C8: the contract counts as the hand wrote it that last changed it.
func TestLastHandOnTheContract(t *testing.T) {
	t.Parallel()
	before, now := "## Required Checks\n\n"+npmTest+"- [RC-2] `npm run lint`\n", "## Required Checks\n\n"+npmTest
	later := "One more sentence.\n\n" + now
	by := func(editor *snapshot.Actor, text string) snapshot.Revision {
		return snapshot.Revision{Editor: editor, Body: &text}
	}
	lead, stranger := user("lead", "maintain"), user("stranger", "read")
	for about, row := range map[string]struct {
		revisions []snapshot.Revision
		trusted   bool
	}{
		"a stranger, then the maintainer beside the section": {[]snapshot.Revision{by(lead, before), by(stranger, now), by(lead, later)}, false},
		"a stranger beside the section":                      {[]snapshot.Revision{by(lead, now), by(stranger, later)}, true},
		"the maintainer wrote a stranger's section anew":     {[]snapshot.Revision{by(stranger, before), by(lead, later)}, true},
		"a deleted account":                                  {[]snapshot.Revision{by(lead, before), by(nil, later)}, false},
		"an erased revision":                                 {[]snapshot.Revision{by(lead, before), {Editor: lead, Erased: true}, by(stranger, later)}, false},
	} {
		s := proved()
		s.Issue.Body, s.Issue.Revisions = &later, row.revisions
		var codes []report.Code
		if !row.trusted {
			codes = append(codes, report.CodeContractUntrustedAuthor)
		}
		want(t, s, about, codes...)
	}
}

// Section 5, rule 8: of runs at one time the worse counts, in whatever order they come.
func TestWorseOfEqualRuns(t *testing.T) {
	t.Parallel()
	failed, skipped, green := run("failure", "ci"), run("skipped", "ci"), run("success", "ci")
	for _, runs := range [][]snapshot.StatusCheck{{failed, skipped}, {skipped, failed}, {green, failed}, {failed, green}} {
		s := proved()
		s.StatusChecks = runs
		want(t, s, *runs[0].Conclusion, report.CodeEvidenceContradictsStatus)
	}
	s := proved()
	setTask(&s, "- [RC-1] `npm test` [source: status_check; app: GitHub Actions]\n")
	setEvidence(&s, "")
	s.StatusChecks = []snapshot.StatusCheck{run("success", "github-actions")}
	want(t, s, "an app by its name")
}

// Section 11: the text that is judged is the one of the linked task.
func TestLinkedTaskIsTheOneJudged(t *testing.T) {
	t.Parallel()
	seven := proved().Linked[0]
	with := func(change func(*snapshot.Linked)) snapshot.Linked {
		l := seven
		change(&l)
		return l
	}
	for about, row := range map[string]struct {
		linked []snapshot.Linked
		codes  []report.Code
	}{
		"linked twice":       {[]snapshot.Linked{seven, with(func(l *snapshot.Linked) { l.Source = "keyword" })}, nil},
		"another number":     {[]snapshot.Linked{with(func(l *snapshot.Linked) { l.Number = 8 })}, []report.Code{report.CodeSnapshotFactUnavailable}},
		"another repository": {[]snapshot.Linked{with(func(l *snapshot.Linked) { l.Repository = "acme/other" })}, []report.Code{report.CodeTaskUnreadable}},
	} {
		s := proved()
		s.Linked = row.linked
		want(t, s, about, row.codes...)
	}
}

// E6, M5 and section 5: heads, hidden characters, results and arguments of commands.
func TestRefusedEntries(t *testing.T) {
	t.Parallel()
	s := proved()
	s.PullRequest.HeadSHA = ""
	want(t, s, "no head", report.CodeSnapshotFactUnavailable)

	s = proved()
	setEvidence(&s, "- Facts\n  - Current PR head: "+otherHead+"\n\n"+npmTestEntry)
	want(t, s, "another head in a nested item", report.CodeHeadAmbiguous)

	body := strings.Replace(*proved().PullRequest.Body, "Current", "- Facts\n  - Current", 1)
	s.PullRequest.Body = &body
	want(t, s, "the head in a nested item")

	for _, text := range []string{"### a \u202e heading\n", "| a \u202e table |\n|---|\n"} {
		s = proved()
		setEvidence(&s, npmTestEntry+"\n"+text)
		want(t, s, text, report.CodeTextInvisibleCharacter)
	}

	s = proved()
	setTask(&s, "- [RC-1] `echo`\n")
	setEvidence(&s, strings.Replace(npmTestEntry, "npm test", `echo ""`, 1))
	want(t, s, "one more, empty argument", report.CodeEvidenceCommandMismatch)

	s = proved()
	setTask(&s, "- [RC-1] manual: theme stays [observations: theme-survives-reload]\n")
	setEvidence(&s, `- Required check: [RC-1] theme stays
  Kind: manual
  Source: manual_observation
  Implementation head: `+refusalHead+`
  Verdict: passed
  Evidence: see the record
  Observation: theme-survives-reload
  Level: running_path
  Result: "Theme survives reload".
  Artifact: `+refusalHead+`
  Source: manual_observation
`)
	want(t, s, "a result that repeats the name", report.CodeObservationResultGeneric)
}

// E5: the closest check is named as the entry has to write it.
func TestUnknownCheckNamesTheClosest(t *testing.T) {
	t.Parallel()
	s := proved()
	setEvidence(&s, strings.Replace(npmTestEntry, "[RC-1]", "RC-1", 1))
	got := checks.Evaluate(s, report.Merge).Diagnostics
	unknown := got[len(got)-1]
	require.Equal(t, report.CodeEntryUnknownCheck, unknown.Code)
	require.Contains(t, unknown.Message, `the closest is "[RC-1] npm test"`)
	require.Contains(t, unknown.Help, "- Required check: [RC-1] `npm test`")
}
