package demo

import (
	"fmt"

	"github.com/evidence-gate/evidence-gate/internal/githubtest"
	"github.com/evidence-gate/evidence-gate/report"
)

// staleChapter tells how proof belongs to one commit and no other.
var staleChapter = chapter{
	title: "Proof goes stale",
	about: "A task says what has to be proved; the body of the pull request proves it, for the commit that is there now.",
	task: githubtest.IssueOptions{
		Author: maintainer, Title: "Remember the chosen theme",
		Body: `The page forgets the chosen theme whenever it is loaded again.

## Required Checks

- [RC-1] ` + "`npm test`" + `
- [RC-2] The theme survives a reload (kind: manual) [observations: reload]
`,
	},
	steps: []step{
		{wanted: "failure", told: engineer + " opens pull request #%d without evidence", names: []report.Code{report.CodeSectionMissing}, do: openWithout},
		{wanted: "success", told: engineer + " checks the commit and writes the evidence into #%d", do: recording(firstRound)},
		{wanted: "failure", told: engineer + " pushes a commit to #%d, the evidence is now stale", names: []report.Code{report.CodeHeadStale}, do: push},
		{wanted: "success", told: engineer + " checks again and renews the evidence of #%d", do: recording(secondRound)},
	},
}

const themeChange = "Writes the theme to local storage and reads it back before the first paint."

func openWithout(s *story) (deed, error) {
	s.open("keep-theme", "Keep the chosen theme in local storage", func(string) string { return s.description(themeChange) })
	return deed{}, nil
}

func recording(r round) func(*story) (deed, error) {
	return func(s *story) (deed, error) {
		section := r.section(s.pull.HeadSHA())
		s.pull.EditBody(engineer, s.description(themeChange)+"\n"+section)
		return deed{written: section}, nil
	}
}

func push(s *story) (deed, error) {
	s.pull.Push(engineer, githubtest.Commit{Message: "Start with the light theme when storage is blocked"})
	return deed{}, nil
}

// round is what one round of checking found, on one commit.
type round struct {
	tests    string // what npm test printed
	looked   string // how the manual check was done
	observed string // what was seen
}

var (
	firstRound = round{
		tests:    "final run: 128 passing, 0 failing (exit 0)",
		looked:   "checked in the running app, see the observation",
		observed: "chose Dark, reloaded: the body kept class theme-dark, the menu Dark",
	}
	secondRound = round{
		tests:    "run again after the push: 131 passing, 0 failing (exit 0)",
		looked:   "checked again in the running app, storage allowed and blocked",
		observed: "chose Dark, reloaded: Dark stayed; storage blocked: Light, no error",
	}
)

// section is the Evidence section that records the round, in the form of design section 3.
func (r round) section(head string) string {
	return fmt.Sprintf(`## Evidence
Current PR head: %[1]s

- Required check: [RC-1] `+"`npm test`"+`
  Verdict: passed
  Evidence: %[2]s

- Required check: [RC-2] The theme survives a reload
  Kind: manual
  Source: manual_observation
  Implementation head: %[1]s
  Verdict: passed
  Evidence: %[3]s
  Observation: reload
  Level: running_path
  Result: %[4]s
  Artifact: %[1]s
  Source: manual_observation
`, head, r.tests, r.looked, r.observed)
}
