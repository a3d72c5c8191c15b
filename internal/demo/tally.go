package demo

import (
	"context"
	"fmt"
	"net/http"
	"strings"

	"github.com/evidence-gate/evidence-gate/internal/githubtest"
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
	if err := s.stage.unknown.err(); err != nil {
		return fmt.Errorf("expected the service to ask only what the simulator knows: %w", err)
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
	kinds    []count // of requests, in the order of kinds
}

type count struct {
	what string
	n    int
}

// kinds tell requests apart by why the service makes them; the first that fits counts.
var kinds = []struct {
	why  string
	fits func(method, path string) bool
}{
	{"to read the pull request", func(_, path string) bool { return path == "/graphql" }},
	{"to look for a check run", func(method, path string) bool {
		return method == http.MethodGet && strings.HasSuffix(path, "/check-runs")
	}},
	{"to write one", func(_, path string) bool { return strings.Contains(path, "/check-runs") }},
	{"to sign in", func(string, string) bool { return true }},
}

func (s *story) tally() tally {
	t := tally{webhooks: len(s.stage.github.Webhooks().Deliveries()), heads: s.heads}
	requests := s.stage.github.Requests()
	t.requests = len(requests)
	for _, kind := range kinds {
		t.kinds = append(t.kinds, count{what: kind.why})
	}
	for _, r := range requests {
		for i, kind := range kinds {
			if kind.fits(r.Method, r.Path) {
				t.kinds[i].n++
				break
			}
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
