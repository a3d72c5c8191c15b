package publish

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/evidence-gate/evidence-gate/internal/github"
	"github.com/evidence-gate/evidence-gate/report"
)

var (
	repo = github.Repo{Owner: "acme", Name: "widgets"}
	head = strings.Repeat("a1", 20)
	noon = time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)
)

// fake holds check runs and the requests that were made. It plays what the simulator cannot: runs
// that vanish between two requests, and races.
type fake struct {
	runs     []github.CheckRun
	requests []string
	gone     map[int64]github.Kind // how an update of that run is refused
	failing  error                 // what the next write ends in
}

func (f *fake) CheckRuns(_ context.Context, _ github.Repo, sha, name string) ([]github.CheckRun, error) {
	f.requests = append(f.requests, "list")
	var found []github.CheckRun
	for _, run := range f.runs {
		if run.HeadSHA == sha && run.Name == name {
			found = append(found, run)
		}
	}
	return found, nil
}

func (f *fake) CreateCheckRun(_ context.Context, _ github.Repo, run github.CheckRun) (github.CheckRun, error) {
	f.requests = append(f.requests, "create")
	if err := f.failing; err != nil {
		return github.CheckRun{}, err
	}
	run.ID = int64(100 + len(f.runs))
	f.runs = append(f.runs, run)
	return run, nil
}

func (f *fake) UpdateCheckRun(_ context.Context, _ github.Repo, run github.CheckRun) (github.CheckRun, error) {
	f.requests = append(f.requests, fmt.Sprintf("update %d", run.ID))
	if kind, ok := f.gone[run.ID]; ok {
		return github.CheckRun{}, &github.Error{Kind: kind, Message: "no such run"}
	}
	if err := f.failing; err != nil {
		return github.CheckRun{}, err
	}
	at := slices.IndexFunc(f.runs, func(r github.CheckRun) bool { return r.ID == run.ID })
	f.runs[at] = run
	return run, nil
}

func (f *fake) run(id int64) github.CheckRun {
	at := slices.IndexFunc(f.runs, func(r github.CheckRun) bool { return r.ID == id })
	return f.runs[at]
}

func (f *fake) asked() []string {
	asked := f.requests
	f.requests = nil
	return asked
}

func newPublisher(gh GitHub) Publisher {
	return Publisher{
		GitHub:    gh,
		CheckName: "evidence-gate",
		Render: func(r report.Report) (string, string, string) {
			return r.Title, "Verdict: " + string(r.Conclusion), "Details"
		},
		RenderVersion: "1",
		Now:           func() time.Time { return noon },
	}
}

func target() Target { return Target{Repo: repo, Number: 42, HeadSHA: head} }

func concluded(c report.Conclusion) report.Report {
	return report.Report{Schema: report.Schema, Conclusion: c, HeadSHA: head, Title: "Title of " + string(c)}
}
