package checks

import (
	"github.com/evidence-gate/evidence-gate/attempts"
)

// judgeAttempts judges the attempt carriers of the task and of the pull request (section 6).
func (e *evaluation) judgeAttempts() bool {
	if e.offline {
		return true
	}
	s := e.snapshot
	facts := attempts.Facts{
		Stage: e.stage, Conversation: s.Comments, Actions: s.Actions,
		Author: s.PullRequest.Author, Maintainers: s.Repository.Maintainers,
		Maintainer: e.policy.Roles.Maintainer, Trusted: e.policy.Roles.Trusted,
		Facts: e.profile.IDs(), MaxAttempts: e.policy.MaxAttempts,
		BodyRevisions: s.PullRequest.Revisions, Unavailable: e.unavailable, SameCommand: SameCommand, Commands: map[string]string{},
	}
	if s.Issue != nil {
		facts.Task = s.Issue.Comments
	}
	if s.Memory != nil {
		facts.Remembered = s.Memory.Carriers
	}
	if s.References != nil {
		facts.References = *s.References
	}
	for i := range e.contract.Checks {
		if c := &e.contract.Checks[i]; c.ID != "" {
			facts.Checks = append(facts.Checks, c.ID)
			if c.Command != "" {
				facts.Commands[c.ID] = c.Command
			}
		}
	}
	e.attempts = attempts.Judge(facts)
	e.report.Episodes = append(e.report.Episodes, e.attempts.Episodes...)
	e.add(e.attempts.Diagnostics...)
	return true
}
