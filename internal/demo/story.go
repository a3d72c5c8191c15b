package demo

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/evidence-gate/evidence-gate/internal/githubtest"
	"github.com/evidence-gate/evidence-gate/profile/policy"
	"github.com/evidence-gate/evidence-gate/report"
)

// story is what happened so far.
type story struct {
	stage    *stage
	page     *page
	patience time.Duration

	repository *githubtest.Repository
	outside    *githubtest.PullRequest // of the repository without a policy

	// Of the chapter:
	task    *githubtest.Issue
	pull    *githubtest.PullRequest
	carrier *githubtest.Comment

	acted     time.Time // when somebody did something last
	heads     []head
	published int // how many steps led to a check run
}

// head is a commit and the conclusions that its check run had, in their order.
type head struct {
	pull        int
	sha         string
	conclusions []string
}

func newStory(st *stage, p *page, patience time.Duration) *story {
	s := &story{stage: st, page: p, patience: patience}
	s.repository = st.github.World().AddRepository(repositoryName, githubtest.RepositoryOptions{})
	s.repository.SetRole(maintainer, "maintain")
	s.repository.SetRole(engineer, "write")
	s.repository.SetFile("main", policy.Path, policyText)
	s.outside = st.github.World().AddRepository(otherName, githubtest.RepositoryOptions{}).
		OpenPullRequest(githubtest.PullRequestOptions{Author: engineer, Title: "Polish the handles"})
	return s
}

// tell plays the chapters one after the other and says in the end what they took.
func (s *story) tell(ctx context.Context) error {
	s.page.opening()
	number := 0
	for i, c := range chapters {
		s.begin(i+1, c)
		for _, st := range c.steps {
			number++
			if err := s.play(ctx, number, st); err != nil {
				return err
			}
			if s.page.err != nil {
				return fmt.Errorf("write the output: %w", s.page.err)
			}
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

// play does one step and waits until the service has published what it makes of it, and has answered
// what it was asked. An evaluation of the step before may still end meanwhile: it is passed over.
func (s *story) play(ctx context.Context, number int, st step) error {
	before := s.checkRuns()
	did, err := st.do(s)
	s.acted = time.Now()
	if err != nil {
		return s.undone(ctx, number, err)
	}
	told := fmt.Sprintf(st.told, s.pull.Number())
	waiting, stop := context.WithTimeout(ctx, s.patience)
	defer stop()
	var found []githubtest.CheckRun
	var answered answer
	err = s.stage.github.WaitFor(waiting, func() bool {
		found, answered = s.checkRuns(), s.answerTo(did)
		return answered.complete(did, st.stays) && (st.stays || published(before, found)) && st.isTold(found)
	})
	if err != nil {
		return s.missing(ctx, missed{
			number: number, step: st, told: told, found: found,
			unanswered: !answered.complete(did, st.stays),
		})
	}
	run := found[0]
	if !st.stays {
		s.remember(run)
	}
	s.page.step(scene{number: number, told: told, plain: st.plain, deed: did, answer: answered, run: run, stays: st.stays})
	return nil
}

// isTold says whether there is one check run and it says what is told.
func (st step) isTold(found []githubtest.CheckRun) bool {
	return len(found) == 1 && found[0].Conclusion == st.wanted && st.unnamed(found[0]) == ""
}

// unnamed is the first reason that a check run does not give though it should.
func (st step) unnamed(run githubtest.CheckRun) report.Code {
	for _, code := range st.names {
		if !strings.Contains(run.Summary, "`"+string(code)+"`") {
			return code
		}
	}
	return ""
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
	s.heads = append(s.heads, head{s.pull.Number(), run.HeadSHA, []string{run.Conclusion}})
}

// undone says why somebody could not do a step.
func (s *story) undone(ctx context.Context, number int, err error) error {
	if broken := s.stage.broken(); broken != nil {
		return fmt.Errorf("step %d: %w", number, broken)
	}
	if ctx.Err() != nil {
		return fmt.Errorf("stopped before step %d was done: %w", number, ctx.Err())
	}
	return fmt.Errorf("step %d: %w", number, err)
}

// missed is a step of which something else came than is told.
type missed struct {
	number     int
	step       step
	told       string
	found      []githubtest.CheckRun
	unanswered bool
}

// missing says why the wait for a step ended without the check run or the answer that is told.
func (s *story) missing(ctx context.Context, m missed) error {
	if err := s.stage.broken(); err != nil {
		return fmt.Errorf("step %d (%s): %w", m.number, m.told, err)
	}
	if err := ctx.Err(); err != nil {
		return fmt.Errorf("stopped before step %d (%s) was done: %w", m.number, m.told, err)
	}
	return fmt.Errorf("step %d (%s): expected %s; %s; run again with --verbose to see what the service did",
		m.number, m.told, m.difference(short(s.pull.HeadSHA()), s.patience), s.lastDelivery())
}

// difference says what was expected and what was found.
func (m missed) difference(on string, within time.Duration) string {
	wanted := fmt.Sprintf("a check run concluding %s on %s within %s, found ", m.step.wanted, on, within)
	if len(m.found) == 0 {
		return wanted + "none"
	}
	last := m.found[len(m.found)-1]
	switch {
	case m.unanswered:
		return fmt.Sprintf("the command to be carried out or refused, and answered, within %s, found no complete answer", within)
	case len(m.found) > 1:
		return fmt.Sprintf("one check run on %s, found %d", on, len(m.found))
	case last.Status != "completed":
		return wanted + fmt.Sprintf("one that is not concluded (%s: %s)", last.Status, last.Title)
	case last.Conclusion != m.step.wanted:
		return wanted + last.Conclusion + ": " + last.Title
	case m.step.unnamed(last) != "":
		return fmt.Sprintf("the check run to name %s within %s, found: %s", m.step.unnamed(last), within, last.Title)
	}
	return wanted + fmt.Sprintf("one that was not written anew (%s: %s)", last.Conclusion, last.Title)
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
