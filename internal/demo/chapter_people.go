package demo

import (
	"fmt"
	"strings"

	"github.com/evidence-gate/evidence-gate/internal/githubtest"
	"github.com/evidence-gate/evidence-gate/report"
)

// peopleChapter tells who may change what is asked for, and who may say yes (design section 10).
var peopleChapter = chapter{
	title: "Who may say yes",
	about: "This task asks for more than its repository does: a person has to approve as well. And what a task asked for when the pull request was opened is remembered.",
	task: githubtest.IssueOptions{
		Author: maintainer, Title: "Keep old addresses working",
		Body: `Old addresses lead to the start page since the shop moved.

Verification: checks+human

## Required Checks

- [RC-1] ` + "`npm test`" + `
- [RC-2] Old addresses lead to their widget (kind: manual) ` + bothObservations + `
`,
	},
	steps: []step{
		{
			wanted: "failure", told: engineer + " opens #%d, and did not look at shared links",
			names: []report.Code{report.CodeObservationMissing},
			plain: "The task names two observations. One is there.",
			do:    openHalfObserved,
		},
		{
			wanted: "action_required", told: engineer + " takes the second observation out of the task of #%d",
			names: []report.Code{report.CodeContractChanged},
			plain: "Whoever may write in the repository may edit its issues. But the service remembers what was asked for: less is not accepted in silence.",
			do:    weaken,
		},
		{
			wanted: "action_required", told: maintainer + " accepts that, in a comment on #%d",
			names: []report.Code{report.CodeApprovalPersonMissing},
			plain: "/accept-contract",
			do:    accept,
		},
		{
			wanted: "action_required", told: engineer + ", who wrote it, approves #%d",
			plain: "/approve", stays: true,
			do: commenting(engineer, "/approve"),
		},
		{
			wanted: "success", told: maintainer + " approves #%d in a review",
			plain: "She has the maintainer's role, and the evidence is not hers.",
			do:    review,
		},
	},
}

const (
	bothObservations = "[observations: bookmark, shared-link]"
	oneObservation   = "[observations: bookmark]"
)

func openHalfObserved(s *story) (deed, error) {
	written := ""
	s.open("old-addresses", "Redirect old addresses", func(head string) string {
		written = fmt.Sprintf(`## Evidence
Current PR head: %[1]s

- Required check: [RC-1] `+"`npm test`"+`
  Verdict: passed
  Evidence: 134 passing, 0 failing (exit 0)

- Required check: [RC-2] Old addresses lead to their widget
  Kind: manual
  Source: manual_observation
  Implementation head: %[1]s
  Verdict: passed
  Evidence: opened old addresses in a browser, see the observation
  Observation: bookmark
  Level: running_path
  Result: opened a bookmark from last year: redirected to /widgets/17, the widget was shown
  Artifact: %[1]s
  Source: manual_observation
`, head)
		return s.description("Looks old addresses up in a table and redirects them for good.") + "\n" + written
	})
	return deed{written: written}, nil
}

func weaken(s *story) (deed, error) {
	after := strings.Replace(s.task.Body(), bothObservations, oneObservation, 1)
	s.task.EditBody(engineer, after)
	return deed{written: after}, nil
}

func accept(s *story) (deed, error) {
	did, err := commenting(maintainer, "/accept-contract")(s)
	did.requests = true // only the approval is missing now
	return did, err
}

func review(s *story) (deed, error) {
	s.pull.Review(githubtest.ReviewOptions{Author: maintainer, State: "approved", Body: "Shared links follow with the next release."})
	return deed{}, nil
}
