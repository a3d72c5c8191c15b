package demo

import (
	"context"
	"fmt"
	"net/http"
	"path"
	"strings"

	"github.com/evidence-gate/evidence-gate/internal/githubtest"
	"github.com/evidence-gate/evidence-gate/profile/policy"
)

// settle waits until every webhook was answered and refuses a story that only looked right.
func (s *story) settle(ctx context.Context) error {
	waiting, stop := context.WithTimeout(ctx, s.patience)
	defer stop()
	hooks := s.stage.github.Webhooks()
	if err := hooks.Flush(waiting); err != nil {
		return fmt.Errorf("expected every webhook to be answered within %s, %d wait: %w", s.patience, len(hooks.Pending()), err)
	}
	// A check run can be seen before the request that wrote it is answered and counted.
	if err := s.stage.github.WaitFor(waiting, func() bool { return s.writes() >= s.published }); err != nil {
		return fmt.Errorf("expected the %d writes of check runs to be answered within %s, %d were: %w", s.published, s.patience, s.writes(), err)
	}
	for _, d := range hooks.Deliveries() {
		for _, answer := range d.Answers {
			if answer.Status != http.StatusAccepted {
				return fmt.Errorf("expected the service to answer every webhook with 202, found %s to %s", describe(d.Answers), eventName(d))
			}
		}
	}
	if err := s.leftAlone(waiting); err != nil {
		return err
	}
	if err := s.stage.unknown.err(); err != nil {
		return fmt.Errorf("expected the service to ask only what the simulator knows: %w", err)
	}
	return nil
}

// leftAlone makes sure that the pull request of the repository without a policy was looked at, and got
// nothing.
func (s *story) leftAlone(waiting context.Context) error {
	looked := githubtest.Match{Method: http.MethodGet, Path: "/repos/" + otherName + "/contents/" + policy.Path}
	if err := s.stage.github.WaitFor(waiting, func() bool { return s.stage.github.CountRequests(looked) > 0 }); err != nil {
		return fmt.Errorf("expected the service to look for a policy of %s within %s: %w", otherName, s.patience, err)
	}
	if found := s.outside.Repository().CheckRuns(s.outside.HeadSHA()); len(found) > 0 {
		return fmt.Errorf("expected no check run in %s, which has no policy, found %q", otherName, found[0].Title)
	}
	return nil
}

// writes counts the answered requests that wrote a check run.
func (s *story) writes() int {
	return s.stage.github.CountRequests(githubtest.Match{Method: http.MethodPost, Path: "/repos/*/*/check-runs"}) +
		s.stage.github.CountRequests(githubtest.Match{Method: http.MethodPatch, Path: "/repos/*/*/check-runs/*"})
}

// tally is what the story took, counted where it arrived.
type tally struct {
	webhooks int
	heads    []head
	requests int
	kinds    []count // of requests, in the order of kinds; those that there were
}

type count struct {
	what string
	n    int
}

// kind is why the service makes requests.
type kind struct {
	why  string
	fits func(githubtest.Request) bool
}

// The GraphQL operations that read something else than a pull request.
const (
	closing = "Closing"
	comment = "Comment"
)

// kinds tell requests apart; the first that fits counts.
var kinds = []kind{
	{"to read pull requests", func(r githubtest.Request) bool {
		return r.Path == "/graphql" && r.Operation != closing && r.Operation != comment || within(r, "/pulls/*/files")
	}},
	{"to find the pull requests of a task", func(r githubtest.Request) bool { return r.Operation == closing }},
	{"to read the policy and the files beside it", func(r githubtest.Request) bool {
		return within(r, "/contents/*") || within(r, "/contents/*/*")
	}},
	{"to ask who has which role", func(r githubtest.Request) bool {
		return within(r, "/collaborators") || within(r, "/collaborators/*/permission")
	}},
	{"to read, write or answer comments", func(r githubtest.Request) bool {
		return r.Operation == comment || within(r, "/issues/comments/*") || within(r, "/issues/comments/*/reactions") ||
			within(r, "/issues/*/comments")
	}},
	{"to ask for a review", func(r githubtest.Request) bool { return within(r, "/pulls/*/requested_reviewers") }},
	{"to look for a check run", func(r githubtest.Request) bool { return within(r, "/commits/*/check-runs") }},
	{"to write one", func(r githubtest.Request) bool { return within(r, "/check-runs") || within(r, "/check-runs/*") }},
	{"to sign in", func(r githubtest.Request) bool { return r.Path == "/app" || strings.HasPrefix(r.Path, "/app/") }},
	{"for something else", func(githubtest.Request) bool { return true }},
}

// within says whether a request is for a place in a repository.
func within(r githubtest.Request, place string) bool {
	fits, err := path.Match("/repos/*/*"+place, r.Path)
	return err == nil && fits
}

func (s *story) tally() tally {
	t := tally{webhooks: len(s.stage.github.Webhooks().Deliveries()), heads: s.heads}
	requests := s.stage.github.Requests()
	t.requests = len(requests)
	counted := make([]int, len(kinds))
	for _, r := range requests {
		for i, kind := range kinds {
			if kind.fits(r) {
				counted[i]++
				break
			}
		}
	}
	for i, n := range counted {
		if n > 0 {
			t.kinds = append(t.kinds, count{kinds[i].why, n})
		}
	}
	return t
}

func eventName(d githubtest.Delivery) string { return strings.TrimSpace(d.Event + " " + d.Action) }

// describe says what the target answered last.
func describe(answers []githubtest.Answer) string {
	if len(answers) == 0 {
		return "not at all"
	}
	last := answers[len(answers)-1]
	if last.Err != nil {
		return "not at all: " + last.Err.Error()
	}
	return fmt.Sprintf("%d (%s)", last.Status, strings.TrimSpace(last.Body))
}

// short is a commit as people say it.
func short(sha string) string { return sha[:min(len(sha), 7)] }
