package main

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/evidence-gate/evidence-gate/internal/githubtest"
	"github.com/evidence-gate/evidence-gate/internal/published"
	"github.com/evidence-gate/evidence-gate/report"
	"github.com/evidence-gate/evidence-gate/snapshot"
)

// What only the App remembers is read from its check run on the head (design section 11), and from
// nobody else's.
func TestPublishedMemory(t *testing.T) {
	t.Parallel()
	lint := "RC-3"
	weakened := &snapshot.RememberedContract{Checks: []snapshot.RememberedCheck{{ID: &lint, Text: "[RC-3] `npm run e2e`"}}}
	for about, row := range map[string]struct {
		app   string
		state func(*published.State)
		text  func(string) string
		exit  int
		codes []report.Code
	}{
		"a check that is gone":               {appSlug, func(s *published.State) { s.Contract = weakened }, nil, exitWaiting, []report.Code{report.CodeContractChanged}},
		"nothing remembered":                 {appSlug, nil, nil, exitSuccess, nil},
		"another app's check run":            {"github-actions", func(s *published.State) { s.Contract = weakened }, nil, exitSuccess, nil},
		"of another pull request":            {appSlug, func(s *published.State) { s.PullRequest, s.Contract = 99, weakened }, nil, exitSuccess, nil},
		"too much to publish":                {appSlug, func(s *published.State) { s.Left = true }, nil, exitCouldNotJudge, []report.Code{report.CodeSnapshotFactUnavailable}},
		"an end that was changed afterwards": {appSlug, func(s *published.State) { s.Contract = weakened }, func(b string) string { return strings.Replace(b, "RC-3", "RC-1", 1) }, exitCouldNotJudge, []report.Code{report.CodeSnapshotFactUnavailable}},
		"a text without the App's memory":    {appSlug, nil, func(string) string { return "# Report\n" }, exitSuccess, nil},
	} {
		t.Run(about, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			w.pr.EditBody("eng", w.evidence(w.pr.HeadSHA()))
			state := published.State{RepositoryID: w.repo.ID(), PullRequest: w.pr.Number(), HeadSHA: w.pr.HeadSHA()}
			if row.state != nil {
				row.state(&state)
			}
			block, err := published.Encode(state)
			require.NoError(t, err)
			if row.text != nil {
				block = row.text(block)
			}
			w.repo.AddCheckRun(githubtest.CheckRunOptions{SHA: w.pr.HeadSHA(), Name: "evidence-gate", App: row.app, Text: "# Report\n\n" + block})
			got := w.run("--json")
			require.Equal(t, row.exit, got.code, got.stderr)
			var codes []report.Code
			for _, d := range got.report(t).Diagnostics {
				if d.Severity == report.Error {
					codes = append(codes, d.Code)
				}
			}
			require.Equal(t, row.codes, codes)
		})
	}
}

// An action counts by the role that its actor has now, whatever was published.
func TestPublishedActions(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.pr.EditBody("eng", w.evidence(w.pr.HeadSHA()))
	lint := "RC-3"
	state := published.State{RepositoryID: w.repo.ID(), PullRequest: w.pr.Number(), HeadSHA: w.pr.HeadSHA(),
		Contract: &snapshot.RememberedContract{Checks: []snapshot.RememberedCheck{{ID: &lint, Text: "[RC-3] `npm run e2e`"}}},
		Actions:  []snapshot.Action{{Kind: "accept_contract", Actor: &snapshot.Actor{Login: "lead", Type: "User", Permission: "maintain"}, At: "2026-11-30T09:59:00Z"}}}
	block, err := published.Encode(state)
	require.NoError(t, err)
	w.repo.AddCheckRun(githubtest.CheckRunOptions{SHA: w.pr.HeadSHA(), Name: "evidence-gate", App: appSlug, Text: block})
	require.Equal(t, exitSuccess, w.run().code)
	w.repo.SetRole("lead", "read")
	require.Equal(t, exitWaiting, w.run().code)
}
