package demo

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/evidence-gate/evidence-gate/attempts"
	"github.com/evidence-gate/evidence-gate/internal/githubtest"
	"github.com/evidence-gate/evidence-gate/report"
)

// timeoutChapter tells how a run that did not pass is written down, and who decides what it means
// (design section 6).
var timeoutChapter = chapter{
	title: "A check times out",
	about: "What did not pass at once is written down, not away: each run is an attempt in a comment on the task, the carrier. A maintainer decides what it means.",
	task: githubtest.IssueOptions{
		Author: maintainer, Title: "Find widgets by a part of their name",
		Body: `The search finds whole names only.

## Required Checks

- [RC-1] ` + "`" + suite + "`" + `
`,
	},
	steps: []step{
		{
			wanted: "action_required", told: engineer + " opens #%d and says that the check failed",
			names: []report.Code{report.CodeEpisodeActive},
			plain: "The suite was cut off after 180 s. The attempt is recorded, so the evidence is honest; but nobody decided yet what the timeout means.",
			do:    openTimedOut,
		},
		{
			wanted: "failure", told: engineer + " runs the same again for #%d, with the same 180 s",
			names: []report.Code{report.CodeRetryPredictionMissing, report.CodeRetryTimeoutNotLarger},
			plain: "The command line refuses to record that, so it is written by hand. The same run with the same time tells nothing new.",
			do:    retryUnchanged,
		},
		{
			wanted: "action_required", told: engineer + " predicts how long #%d needs, and gives the run 420 s",
			names: []report.Code{report.CodeEpisodeActive, report.CodeEpisodeExhausted},
			plain: "A longer run is allowed once, with a prediction made from something that was seen. Now the disk of the build host fills up. It was the third attempt that did not pass.",
			do:    retryPredicted,
		},
		{
			wanted: "success", told: maintainer + " looks at the build host and decides, in a comment on #%d",
			plain: triageLine,
			do:    triage,
		},
	},
}

const (
	suite      = "npm run test:search"
	triageLine = "/triage RC-1 attempt 3 one_off because the disk of the build host was full; it is clean now"
)

// trailer is the last line of a carrier that an engineer writes.
const trailer = "[[agent: engineer]]"

func openTimedOut(s *story) (_ deed, err error) {
	var first attempts.Draft
	section := ""
	s.open("search-parts", "Search by a part of the name", func(head string) string {
		first, err = attempts.NewCarrier("RC-1", timedOut(head, "1,204 of 2,310 tests finished, none failed"))
		section = searchEvidence(head, "failed", "timed out after 180 s: 1,204 of 2,310 tests finished, none failed")
		return s.description(searchChange) + "\n" + section
	})
	if err != nil {
		return deed{}, fmt.Errorf("write the first attempt: %w", err)
	}
	s.carrier = s.task.Comment(engineer, first.Body)
	return deed{written: section + "\n" + first.Body}, nil
}

// retryUnchanged records what the rules refuse. The text is canonical all the same.
func retryUnchanged(s *story) (deed, error) {
	again := timedOut(s.pull.HeadSHA(), "1,198 of 2,310 tests finished, none failed")
	var refused *attempts.Refusal
	if _, err := attempts.AppendAttempt(s.carrier.Body(), again, nil); !errors.As(err, &refused) {
		return deed{}, fmt.Errorf("expected an unchanged retry to be refused before it is written, found: %v", err)
	}
	again.Number = 2
	alone, err := attempts.NewCarrier("RC-1", again)
	if err != nil {
		return deed{}, fmt.Errorf("write the second attempt: %w", err)
	}
	added := alone.Body[strings.Index(alone.Body, "#### "):strings.LastIndex(alone.Body, trailer)]
	s.carrier.Edit(engineer, strings.Replace(s.carrier.Body(), trailer, added+trailer, 1))
	return deed{written: added}, nil
}

func retryPredicted(s *story) (deed, error) {
	now := instant()
	before := s.carrier.Body()
	longer := timedOut(s.pull.HeadSHA(), "1,731 of 2,310 tests finished, none failed, then no space left on device")
	longer.TimeoutMS, longer.DurationMS, longer.Outcome, longer.Candidate = "420000", "268000", attempts.Blocked, attempts.OneOff
	third, err := attempts.AppendAttempt(before, longer, nil, attempts.Prediction{
		BasedOn: 1, Evidence: "1,204 of 2,310 tests finished in 180 s, which makes about 345 s for all",
		WindowMS: "330000-400000", ChosenMS: "420000", RecordedBy: attempts.Engineer, RecordedAt: now,
	})
	if err != nil {
		return deed{}, fmt.Errorf("write the predicted attempt: %w", err)
	}
	s.carrier.Edit(engineer, third.Body)
	section := searchEvidence(s.pull.HeadSHA(), "blocked", "the disk of the build host was full after 1,731 of 2,310 tests, none failed")
	s.pull.EditBody(engineer, s.description(searchChange)+"\n"+section)
	return deed{written: section + "\n" + inserted(before, third.Body)}, nil
}

func triage(s *story) (deed, error) {
	before := s.carrier.Body()
	asked, err := s.comment(maintainer, triageLine)
	return deed{asked: asked, added: func() string { return inserted(before, s.carrier.Body()) }}, err
}

const searchChange = "Matches any part of the name, by an index that is kept up to date."

func searchEvidence(head, verdict, evidence string) string {
	return fmt.Sprintf(`## Evidence
Current PR head: %s

- Required check: [RC-1] `+"`"+suite+"`"+`
  Verdict: %s
  Evidence: %s
`, head, verdict, evidence)
}

// timedOut is a run of the suite that was cut off after 180 s.
func timedOut(head, seen string) attempts.Attempt {
	return attempts.Attempt{
		Artifact: head, Command: suite, Strategy: attempts.Foreground, TimeoutMS: "180000",
		Outcome: attempts.TimedOut, DurationMS: "180000", Required: "true", PartialEvidence: seen,
		ProposedNext: attempts.Foreground, Candidate: attempts.ProjectFact,
		RecordedBy: attempts.Engineer, RecordedAt: instant(),
	}
}

func instant() string { return time.Now().UTC().Format(time.RFC3339) }

// inserted is the piece that makes one text of another; "" when something else was changed.
func inserted(before, after string) string {
	more := len(after) - len(before)
	if more <= 0 {
		return ""
	}
	start := 0
	for start < len(before) && before[start] == after[start] {
		start++
	}
	if before[start:] != after[start+more:] {
		return ""
	}
	return after[start : start+more]
}
