package demo

import (
	"fmt"
	"time"

	"github.com/evidence-gate/evidence-gate/internal/githubtest"
	"github.com/evidence-gate/evidence-gate/report"
)

// chapter is one pull request, from the task that asks for proof to the last thing that happened.
type chapter struct {
	title string
	about string // in one or two sentences
	task  githubtest.IssueOptions
	steps []step
}

// step is one thing that somebody does, and what must come of it.
type step struct {
	wanted string        // conclusion, in GitHub's word
	told   string        // who does what; %d is the number of the pull request
	names  []report.Code // that the check run gives as reasons
	plain  string        // what stands behind it, in plain words; may be empty
	do     func(*story) (deed, error)
	stays  bool // the command is refused, and the check run stays as it is
}

// deed is what a step left behind on GitHub.
type deed struct {
	written string              // Markdown that a person wrote, shown when all is to be shown
	asked   *githubtest.Comment // holds a command, which the service has to answer; or nil
	// added gives what the service wrote because of the command, "" while it has not. nil when there is
	// nothing that it should write.
	added func() string
	// requests says that the service asks somebody for a review because of the command.
	requests bool
}

// chapters are the story.
var chapters = []chapter{staleChapter, timeoutChapter, peopleChapter}

// begin opens the task of a chapter.
func (s *story) begin(number int, c chapter) {
	s.task = s.repository.AddIssue(c.task)
	s.pull, s.carrier = nil, nil
	s.page.chapter(number, c, s.task)
}

// open pushes a commit and opens the chapter's pull request on it.
func (s *story) open(branch, title string, body func(head string) string) {
	head := s.repository.PushBranch(engineer, branch, githubtest.Commit{Message: title})
	s.pull = s.repository.OpenPullRequest(githubtest.PullRequestOptions{
		Author: engineer, Title: title, Branch: branch, Body: body(head),
	})
}

// comment writes a comment, which may hold a command. GitHub's times are whole seconds, and a command
// is about what was there before its own second: so its author is a little slower than the last deed.
func (s *story) comment(login, text string) (*githubtest.Comment, error) {
	next := time.NewTimer(time.Until(s.acted.Truncate(time.Second).Add(time.Second)))
	defer next.Stop()
	select {
	case <-next.C:
		return s.pull.Comment(login, text), nil
	case <-s.stage.ctx.Done():
		return nil, s.stage.ctx.Err()
	}
}

// commenting writes a comment that holds a command.
func commenting(login, command string) func(*story) (deed, error) {
	return func(s *story) (deed, error) {
		asked, err := s.comment(login, command)
		return deed{asked: asked}, err
	}
}

// description is the body of a pull request before anybody thinks of evidence.
func (s *story) description(what string) string {
	return fmt.Sprintf("%s\n\nCloses #%d\n", what, s.task.Number())
}
