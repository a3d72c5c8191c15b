package demo

import "fmt"

// The people and the place of the story.
const (
	repositoryName = "acme/widgets"
	maintainer     = "mia"
	engineer       = "eng"
)

const (
	issueTitle = "Remember the chosen theme"
	issueBody  = `The page forgets the chosen theme whenever it is loaded again.

## Required Checks

- [RC-1] ` + "`npm test`" + `
- [RC-2] The theme survives a reload (kind: manual) [observations: reload]
`
)

const (
	pullRequestTitle = "Keep the chosen theme in local storage"
	laterCommit      = "Start with the light theme when storage is blocked"
)

// description is the body of the pull request before anybody thinks of evidence.
func description(issue int) string {
	return fmt.Sprintf("Writes the theme to local storage and reads it back before the first paint.\n\nCloses #%d\n", issue)
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
