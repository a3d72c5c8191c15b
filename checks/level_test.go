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
		"an erased revision in between":                    {[]snapshot.Revision{by(lead, low), {Editor: lead, Erased: true}, by(lead, later)}, "checks+human"},
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
