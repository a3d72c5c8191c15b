package demo

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/evidence-gate/evidence-gate/internal/githubtest"
)

// story is the pull request and what happened to it so far.
type story struct {
	stage    *stage
	page     *page
	patience time.Duration

	repository *githubtest.Repository
	issue      *githubtest.Issue
	pull       *githubtest.PullRequest
	heads      []head
	published  int // how many steps led to a check run
}

// head is a commit and the conclusions that its check run had, in their order.
type head struct {
	sha         string
	conclusions []string
}

// step is one thing that a person does, and what must come of it.
type step struct {
	wanted string // conclusion, in GitHub's word
	told   string // who does what; %d is the number of the pull request
	do     func(*story) (written string)
}

// steps are the story. Each do gives the evidence that it wrote, if any.
var steps = []step{
	{"failure", engineer + " opens pull request #%d without evidence", (*story).open},
	{"success", engineer + " checks the commit and writes the evidence into #%d", func(s *story) string { return s.record(firstRound) }},
	{"failure", engineer + " pushes a commit to #%d, the evidence is now stale", (*story).push},
	{"success", engineer + " checks again and renews the evidence of #%d", func(s *story) string { return s.record(secondRound) }},
}

func newStory(st *stage, p *page, patience time.Duration) *story {
	s := &story{stage: st, page: p, patience: patience}
	s.repository = st.github.World().AddRepository(repositoryName, githubtest.RepositoryOptions{})
	s.repository.SetRole(maintainer, "maintain")
	s.repository.SetRole(engineer, "write")
	s.issue = s.repository.AddIssue(githubtest.IssueOptions{Author: maintainer, Title: issueTitle, Body: issueBody})
	return s
}

func (s *story) open() string {
	s.pull = s.repository.OpenPullRequest(githubtest.PullRequestOptions{
		Author: engineer, Title: pullRequestTitle, Body: description(s.issue.Number()),
	})
	return ""
}

func (s *story) record(r round) string {
	section := r.section(s.pull.HeadSHA())
	s.pull.EditBody(engineer, description(s.issue.Number())+"\n"+section)
	return section
}

func (s *story) push() string {
	s.pull.Push(engineer, githubtest.Commit{Message: laterCommit})
	return ""
}

// tell plays the steps one after the other and says in the end what they took.
func (s *story) tell(ctx context.Context) error {
	s.page.opening(s.issue)
	for i, st := range steps {
		if err := s.play(ctx, i+1, st); err != nil {
			return err
		}
		if s.page.err != nil {
			return fmt.Errorf("write the output: %w", s.page.err)
		}
	}
	if err := s.settle(ctx); err != nil {
		return err
	}
	s.page.closing(s.tally())
	if s.page.err != nil {
		return fmt.Errorf("write the output: %w", s.page.err)
	}
	return nil
}

// play does one step and waits until the service has published what it makes of it.
func (s *story) play(ctx context.Context, number int, st step) error {
	before := s.checkRuns()
	written := st.do(s)
	told := fmt.Sprintf(st.told, s.pull.Number())
	waiting, stop := context.WithTimeout(ctx, s.patience)
	defer stop()
	var found []githubtest.CheckRun
	err := s.stage.github.WaitFor(waiting, func() bool {
		found = s.checkRuns()
		return published(before, found)
	})
	if err != nil {
		return s.missing(ctx, number, st, told, found)
	}
	if len(found) != 1 {
		return fmt.Errorf("step %d (%s): expected one check run on %s, found %d", number, told, short(s.pull.HeadSHA()), len(found))
	}
	run := found[0]
	s.remember(run)
	s.page.step(number, told, written, run)
	if run.Conclusion != st.wanted {
		return fmt.Errorf("step %d (%s): expected the check run to conclude %s, found %s: %s", number, told, st.wanted, run.Conclusion, run.Title)
	}
	return nil
}

// checkRuns are the service's check runs on the head.
func (s *story) checkRuns() []githubtest.CheckRun {
	if s.pull == nil {
		return nil
	}
	return slices.DeleteFunc(s.repository.CheckRuns(s.pull.HeadSHA()), func(run githubtest.CheckRun) bool {
		return run.App != s.stage.github.App().Slug || run.Name != checkName
	})
}

// published says whether check runs were written since then and all of them are concluded.
func published(before, now []githubtest.CheckRun) bool {
	if len(now) == 0 || slices.EqualFunc(before, now, func(a, b githubtest.CheckRun) bool { return a.ID == b.ID && a.Updates == b.Updates }) {
		return false
	}
	return !slices.ContainsFunc(now, func(run githubtest.CheckRun) bool { return run.Status != "completed" })
}

func (s *story) remember(run githubtest.CheckRun) {
	s.published++
	if n := len(s.heads); n > 0 && s.heads[n-1].sha == run.HeadSHA {
		s.heads[n-1].conclusions = append(s.heads[n-1].conclusions, run.Conclusion)
		return
	}
	s.heads = append(s.heads, head{run.HeadSHA, []string{run.Conclusion}})
}

// missing says why the wait for a step ended without a check run.
func (s *story) missing(ctx context.Context, number int, st step, told string, found []githubtest.CheckRun) error {
	if err := s.stage.broken(); err != nil {
		return fmt.Errorf("step %d (%s): %w", number, told, err)
	}
	if err := ctx.Err(); err != nil {
		return fmt.Errorf("stopped before step %d (%s) was done: %w", number, told, err)
	}
	state := "none"
	if len(found) > 0 {
		last := found[len(found)-1]
		state = fmt.Sprintf("one that was not written anew (%s %s: %s)", last.Status, last.Conclusion, last.Title)
		if last.Status != "completed" {
			state = fmt.Sprintf("one that is not concluded (%s: %s)", last.Status, last.Title)
		}
	}
	return fmt.Errorf("step %d (%s): expected a check run concluding %s on %s within %s, found %s; %s; run again with --verbose to see what the service did",
		number, told, st.wanted, short(s.pull.HeadSHA()), s.patience, state, s.lastDelivery())
}

// lastDelivery says what became of the latest webhook.
func (s *story) lastDelivery() string {
	sent := s.stage.github.Webhooks().Deliveries()
	if len(sent) == 0 {
		return "no webhook was delivered"
	}
	last := sent[len(sent)-1]
	return fmt.Sprintf("the last webhook, %s, was answered %s", eventName(last), describe(last.Answers))
}
