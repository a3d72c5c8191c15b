package checks_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/evidence-gate/evidence-gate/checks"
	"github.com/evidence-gate/evidence-gate/report"
	"github.com/evidence-gate/evidence-gate/snapshot"
)

// Section 9: a task may raise its own level; lowering counts only from a maintainer's revision.
func TestLevelOfTheTask(t *testing.T) {
	t.Parallel()
	lead, eng := user("lead", "maintain"), user("eng2", "write")
	for _, row := range []struct {
		about, policy, line string
		by                  *snapshot.Actor
		want                string
	}{
		{"no line", "checks", "", eng, "checks"},
		{"raised by anybody who may write a task", "checks", "Verification: checks+human", eng, "checks+human"},
		{"raised in another way", "checks+review", "Verification: checks+human", eng, "checks+review+human"},
		{"spelled with spaces and case", "checks", "**Verification**: Checks + Review.", eng, "checks+review"},
		{"lowered by an engineer", "checks+human", "Verification: checks", eng, "checks+human"},
		{"lowered by a maintainer", "checks+human", "Verification: checks", lead, "checks"},
		{"off by an engineer", "checks", "Verification: off", eng, "checks"},
		{"off by a maintainer", "checks", "Verification: off", lead, "off"},
		{"its parts in another order", "checks", "Verification: checks+human+review", eng, "checks+review+human"},
		{"an emoji in front, a reason behind", "checks", "✅ Verification: checks+human (asked by legal)", eng, "checks+human"},
		{"a sentence before it", "checks", "Verification: as usual\nVerification: checks+human", eng, "checks+human"},
		{"a maintainer's sentence lowers nothing", "checks+human", "Verification: checks the cache", lead, "checks+human"},
		{"a sentence", "checks", "Verification: run it twice.", eng, "checks"},
		{"hidden", "checks", "<!-- Verification: checks+human -->", eng, "checks"},
		{"quoted", "checks", "> Verification: checks+human", eng, "checks"},
	} {
		s := withPolicy(proved(), "level: "+row.policy)
		text := row.line + "\n\n## Required Checks\n\n" + npmTest
		s.Issue.Body, s.Issue.Author = &text, row.by
		require.Equal(t, row.want, checks.Evaluate(s, report.Review).Level, row.about)
	}
}

// The hand that counts is the one of the revision that gave the task its level.
func TestHandOfALoweredLevel(t *testing.T) {
	t.Parallel()
	high, low := "## Required Checks\n\n"+npmTest, "Verification: checks\n\n## Required Checks\n\n"+npmTest
	later := low + "\nOne more sentence.\n"
	lead, eng := user("lead", "maintain"), user("eng2", "write")
	by := func(a *snapshot.Actor, text string) snapshot.Revision {
		return snapshot.Revision{Editor: a, Body: &text}
	}
	for about, row := range map[string]struct {
		revisions []snapshot.Revision
		want      string
	}{
		"lowered by the maintainer, then edited elsewhere": {[]snapshot.Revision{by(eng, high), by(lead, low), by(eng, later)}, "checks"},
		"lowered by an engineer, then edited elsewhere":    {[]snapshot.Revision{by(lead, high), by(eng, low), by(lead, later)}, "checks+human"},
		"an engineer's erased text, then lowered":          {[]snapshot.Revision{by(lead, high), {Editor: eng, Erased: true}, by(lead, later)}, "checks+human"},
		"a maintainer's erased text, then lowered":         {[]snapshot.Revision{by(lead, high), {Editor: lead, Erased: true}, by(lead, later)}, "checks"},
		"a present text that is none of the history's":     {[]snapshot.Revision{by(lead, high)}, "checks+human"},
	} {
		s := withPolicy(proved(), "level: checks+human")
		s.Issue.Body, s.Issue.Author, s.Issue.Revisions = &later, lead, row.revisions
		require.Equal(t, row.want, checks.Evaluate(s, report.Review).Level, about)
	}
}

// A misspelt level must not leave the task with less than it asks for.
func TestMisspeltLevelOfTheTask(t *testing.T) {
	t.Parallel()
	s := proved()
	text := "Verification: checks+humans\n\n## Required Checks\n\n" + npmTest
	s.Issue.Body = &text
	want(t, s, "one letter too many", report.CodeContractAnnotationUnknown)
}

// Taking a raised level back is lowering: it counts only from a maintainer's revision.
func TestRaisedLevelStays(t *testing.T) {
	t.Parallel()
	plain, raised := "## Required Checks\n\n"+npmTest, "Verification: checks+human\n\n## Required Checks\n\n"+npmTest
	spelled := "Verification: checks\n\n## Required Checks\n\n" + npmTest
	lead, eng := user("lead", "maintain"), user("eng", "write")
	by := func(a *snapshot.Actor, text string) snapshot.Revision {
		return snapshot.Revision{Editor: a, Body: &text}
	}
	for about, row := range map[string]struct {
		revisions []snapshot.Revision
		want      string
	}{
		"taken out by an engineer":         {[]snapshot.Revision{by(lead, raised), by(eng, plain)}, "checks+human"},
		"lowered by an engineer":           {[]snapshot.Revision{by(lead, raised), by(eng, spelled)}, "checks+human"},
		"taken out by a deleted account":   {[]snapshot.Revision{by(lead, raised), by(nil, plain)}, "checks+human"},
		"taken out by a maintainer":        {[]snapshot.Revision{by(lead, raised), by(lead, plain)}, "checks"},
		"raised by an engineer, taken out": {[]snapshot.Revision{by(eng, plain), by(eng, raised), by(eng, plain)}, "checks+human"},
	} {
		s := proved()
		s.Issue.Body, s.Issue.Author = row.revisions[len(row.revisions)-1].Body, lead
		s.Issue.Revisions = row.revisions
		require.Equal(t, row.want, checks.Evaluate(s, report.Review).Level, about)
	}
}

func TestInvisibleCharacterInTheLevel(t *testing.T) {
	t.Parallel()
	s := proved()
	text := "Verifica\u200btion: checks+human\n\n## Required Checks\n\n" + npmTest
	s.Issue.Body = &text
	want(t, s, "in the label", report.CodeTextInvisibleCharacter)
}
