package action

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/evidence-gate/evidence-gate/internal/github"
)

// maxPayload bounds what is read of an event: GitHub sends payloads of up to 25 MB.
const maxPayload = 32 << 20

// errPlainIssue says that a comment is on an issue that is no pull request.
var errPlainIssue = errors.New("the issue is no pull request")

// payload is all that is taken from an event: which pull request of which repository it is about.
// Body, head and everything else are read live.
type payload struct {
	Repository struct {
		FullName string `json:"full_name"`
	} `json:"repository"`
	PullRequest *struct {
		Number int `json:"number"`
	} `json:"pull_request"`
	Issue *struct {
		Number      int       `json:"number"`
		PullRequest *struct{} `json:"pull_request"`
	} `json:"issue"`
}

// events are those that name a pull request, each with where its payload does.
var events = []struct {
	name   string
	number func(payload) (int, error)
}{
	{"pull_request", ofPullRequest},
	{"pull_request_target", ofPullRequest},
	{"pull_request_review", ofPullRequest},
	{"issue_comment", ofIssue},
}

func ofPullRequest(p payload) (int, error) {
	if p.PullRequest == nil || p.PullRequest.Number < 1 {
		return 0, errors.New("expected the event's payload to hold pull_request.number, found none")
	}
	return p.PullRequest.Number, nil
}

func ofIssue(p payload) (int, error) {
	switch {
	case p.Issue == nil || p.Issue.Number < 1:
		return 0, errors.New("expected the event's payload to hold issue.number, found none")
	case p.Issue.PullRequest == nil:
		return 0, errPlainIssue
	}
	return p.Issue.Number, nil
}

// findTarget finds the pull request: the one of the input, else the event's.
func findTarget(r runner, in inputs) (target, error) {
	p, err := readPayload(r.payload)
	if err != nil {
		return target{}, err
	}
	full := p.Repository.FullName
	if full == "" {
		full = r.repository
	}
	repo, err := github.ParseRepo(full)
	if err != nil {
		return target{}, fmt.Errorf("expected the event's payload or GITHUB_REPOSITORY to name the repository: %w", err)
	}
	if in.pr > 0 {
		return target{repo, in.pr}, nil
	}
	number, err := eventNumber(r.event, p)
	return target{repo, number}, err
}

func eventNumber(event string, p payload) (int, error) {
	var names []string
	for _, e := range events {
		if e.name == event {
			return e.number(p)
		}
		names = append(names, e.name)
	}
	return 0, fmt.Errorf("the event %q names no pull request: give the input pr, or run the Action on %s", event, strings.Join(names, ", "))
}

func readPayload(name string) (payload, error) {
	file, err := os.Open(name)
	if err != nil {
		return payload{}, fmt.Errorf("cannot read the event's payload that GITHUB_EVENT_PATH names: %w", err)
	}
	defer file.Close()
	data, err := io.ReadAll(io.LimitReader(file, maxPayload+1))
	if err != nil {
		return payload{}, fmt.Errorf("cannot read the event's payload that GITHUB_EVENT_PATH names: %w", err)
	}
	if len(data) > maxPayload {
		return payload{}, fmt.Errorf("the event's payload is over %d bytes, which GitHub never sends", maxPayload)
	}
	var p payload
	if err := json.Unmarshal(data, &p); err != nil {
		return payload{}, fmt.Errorf("the event's payload that GITHUB_EVENT_PATH names is no JSON of the expected shape: %w", err)
	}
	return p, nil
}
