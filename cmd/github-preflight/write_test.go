package main

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/evidence-gate/evidence-gate/internal/githubtest"
	"github.com/evidence-gate/evidence-gate/report"
)

func TestScaffoldOfALivePullRequest(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	got := w.run("scaffold")
	require.Equal(t, 0, got.code, got.stderr)
	require.True(t, strings.HasPrefix(got.stdout, "## Evidence\nCurrent PR head: "+w.pr.HeadSHA()+"\n"), got.stdout)
	require.Contains(t, got.stdout, "- Required check: [RC-2] `npm run lint`\n  Verdict: not run\n")
	require.NotContains(t, got.stdout, "## Artifacts")
	full := w.run("scaffold", "--full")
	require.True(t, strings.HasPrefix(full.stdout, got.stdout+"\n## Artifacts\n"), full.stdout)
	require.Contains(t, full.stdout, "## Trace\n")
	require.NotContains(t, w.pr.Body(), "Evidence", "nothing is written without --write")
}

func TestScaffoldWrite(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	before := w.pr.Body()
	got := w.run("scaffold", "--write")
	require.Equal(t, 0, got.code, got.stderr)
	require.Equal(t, before+"\n"+w.run("scaffold").stdout, w.pr.Body())
	require.Contains(t, got.stdout, "wrote the Evidence section for the head "+w.pr.HeadSHA()[:12])
	require.Contains(t, got.stdout, "added: RC-1, RC-2")
	require.Equal(t, exitFailure, w.run().code, "the form alone proves nothing")

	w.ForgetRequests()
	again := w.run("scaffold", "--write")
	require.Contains(t, again.stdout, "nothing was changed")
	require.Zero(t, w.CountRequests(githubtest.Match{Method: http.MethodPatch}))

	w.pr.EditBody("eng", w.evidence(w.pr.HeadSHA())+"\n## Notes\n\nmine\n")
	require.Equal(t, exitSuccess, w.run().code)
	filled := w.pr.Body()
	require.Contains(t, w.run("scaffold", "--write").stdout, "nothing was changed", "what is for this head stays")
	require.Equal(t, filled, w.pr.Body())

	got = w.run("scaffold", "--write", "--full")
	require.Equal(t, 0, got.code, got.stderr)
	require.True(t, strings.HasPrefix(w.pr.Body(), filled), w.pr.Body())
	require.Contains(t, got.stdout, "kept, for this head already: RC-1, RC-2")
	require.Contains(t, got.stdout, "sections added: Artifacts, Deviations, Process Observations, Known Gaps, Follow-Ups, Trace")
	require.Equal(t, exitSuccess, w.run().code)
}

func TestScaffoldWriteNeverCarriesAVerdictToAnotherHead(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.pr.EditBody("eng", w.evidence(w.pr.HeadSHA())+"\n## Notes\n\n128 passing\n")
	old := w.pr.HeadSHA()
	w.pr.Push("eng", githubtest.Commit{})
	got := w.run("scaffold", "--write")
	require.Equal(t, 0, got.code, got.stderr)
	require.Contains(t, got.stdout, `set back to "not run", because the evidence was for another commit: RC-1, RC-2`)
	section, notes, found := strings.Cut(w.pr.Body(), "\n## Notes\n")
	require.True(t, found)
	require.Equal(t, "\n128 passing\n", notes, "nothing outside the section is touched")
	require.NotContains(t, section, "passed")
	require.NotContains(t, section, "passing")
	require.NotContains(t, section, old)
	require.Contains(t, section, "Current PR head: "+w.pr.HeadSHA())
	r := w.run("--json").report(t)
	require.Equal(t, report.Failure, r.Conclusion)
	for _, c := range r.Checks {
		require.False(t, c.Satisfied)
	}
}

// Between the first look and the write everything can happen; no edit of another is lost.
func TestScaffoldWriteRaces(t *testing.T) {
	t.Parallel()
	const theirs = "theirs, in the same minute"
	get := func(r *http.Request, _ string) bool {
		return r.Method == http.MethodGet && strings.HasSuffix(r.URL.Path, "/pulls/2")
	}
	patch := func(r *http.Request, _ string) bool { return r.Method == http.MethodPatch }
	history := func() func(r *http.Request, operation string) bool {
		looks := 0
		return func(_ *http.Request, operation string) bool {
			if operation == "PullRequest" {
				looks++
			}
			return operation == "PullRequest" && looks == 2
		}
	}
	edit := func(w *world) { w.pr.EditBody("lead", theirs) }
	for _, c := range []struct {
		name   string
		when   func(r *http.Request, operation string) bool
		happen func(w *world)
		code   int
		says   string
		after  func(t *testing.T, w *world)
	}{
		{"the body is edited before the last look", get, edit, exitCouldNotJudge, "nothing was written: the body of acme/widgets#2 was edited meanwhile: run it again", func(t *testing.T, w *world) {
			require.Equal(t, theirs, w.pr.Body())
		}},
		{"a commit is pushed before the last look", get, func(w *world) { w.pr.Push("eng", githubtest.Commit{}) }, exitCouldNotJudge, "nothing was written: acme/widgets#2 got the new head", func(t *testing.T, w *world) {
			require.NotContains(t, w.pr.Body(), "## Evidence")
		}},
		{"it is merged before the last look", get, func(w *world) { w.pr.Merge("lead") }, exitCouldNotJudge, "nothing was written: acme/widgets#2 is merged", func(t *testing.T, w *world) {
			require.NotContains(t, w.pr.Body(), "## Evidence")
		}},
		{"it is closed before the last look", get, func(w *world) { w.pr.Close("lead") }, exitCouldNotJudge, "nothing was written: acme/widgets#2 is closed", func(t *testing.T, w *world) {
			require.NotContains(t, w.pr.Body(), "## Evidence")
		}},
		{"the body is edited in the moment of the write", patch, edit, exitCouldNotJudge, "was written over an edit of lead that was made at 2026-11-30T10:00:00Z, in the same moment: restore it", func(t *testing.T, w *world) {
			require.Contains(t, w.pr.Body(), "## Evidence")
		}},
		{"a commit is pushed in the moment of the write", patch, func(w *world) { w.pr.Push("eng", githubtest.Commit{}) }, 0, "", func(t *testing.T, w *world) {
			require.NotContains(t, w.pr.Body(), w.pr.HeadSHA(), "the section stays for the head that was read")
			require.Equal(t, exitFailure, w.run().code)
		}},
		{"the body is edited right after the write", history(), edit, 0, "", func(t *testing.T, w *world) {
			require.Equal(t, theirs, w.pr.Body())
		}},
		{"the write fails", patch, func(w *world) {
			w.Fail(githubtest.Fault{Match: githubtest.Match{Method: http.MethodPatch}, Status: 502})
		}, exitCouldNotJudge, "could not write the body of acme/widgets#2: GitHub answered 502", func(t *testing.T, w *world) {
			require.NotContains(t, w.pr.Body(), "## Evidence")
		}},
		{"the write is refused", patch, func(w *world) {
			w.Fail(githubtest.Fault{Match: githubtest.Match{Method: http.MethodPatch}, Status: 403, Message: "Resource not accessible by personal access token"})
		}, exitCouldNotJudge, `lacks the permission "pull requests: write": use one that has it`, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			done := false
			w.onArrival(func(r *http.Request, operation string) {
				if !done && c.when(r, operation) {
					done = true
					c.happen(w)
				}
			})
			got := w.run("scaffold", "--write")
			require.Equal(t, c.code, got.code, got.stderr)
			require.Contains(t, got.stderr, c.says)
			require.True(t, done)
			if c.after != nil {
				c.after(t, w)
			}
		})
	}
}

func TestScaffoldWriteIsRefused(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name    string
		prepare func(w *world)
		code    int
		says    string
	}{
		{"two sections", func(w *world) { w.pr.EditBody("eng", w.evidence(w.pr.HeadSHA())+"\n## Evidence\n") }, exitCouldNotJudge, "delete all but one of them"},
		{"a fence that is never closed", func(w *world) { w.pr.EditBody("eng", fmt.Sprintf("Closes #%d\n```\n", w.issue.Number())) }, exitCouldNotJudge, "paste the new section by hand"},
		{"a body that would be too long", func(w *world) {
			w.pr.EditBody("eng", fmt.Sprintf("Closes #%d\n", w.issue.Number())+strings.Repeat("é", 65_400))
		}, exitCouldNotJudge, "GitHub takes 65536: shorten it first"},
		{"it is closed", func(w *world) { w.pr.Close("eng") }, exitCouldNotJudge, "nothing was written: acme/widgets#2 is closed: reopen it first"},
		{"it is merged", func(w *world) { w.pr.Merge("lead") }, exitCouldNotJudge, "nothing was written: acme/widgets#2 is merged, and its last report stands"},
		{"no task", func(w *world) { w.pr.EditBody("eng", "text") }, exitFailure, "error[task.missing]"},
		{"a task with a mistake", func(w *world) { w.issue.EditBody("lead", "## Required Checks\n\n- [RC-1] `x` (kind: magic)\n") }, exitWaiting, "error[contract.kind_invalid] issue.body:3"},
		{"two tasks", func(w *world) {
			w.pr.LinkIssue(w.repo.AddIssue(githubtest.IssueOptions{Body: "## Required Checks\n\n- [RC-1] `x`\n"}))
		}, exitFailure, "error[task.ambiguous]"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			c.prepare(w)
			before := w.pr.Body()
			got := w.run("scaffold", "--write")
			require.Equal(t, c.code, got.code, got.stderr)
			require.Contains(t, got.stderr, c.says)
			require.Equal(t, before, w.pr.Body())
			require.Zero(t, w.CountRequests(githubtest.Match{Method: http.MethodPatch}))
		})
	}
}

func TestScaffoldUsage(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for _, c := range []struct {
		args []string
		says string
	}{
		{[]string{"scaffold", "--issue", "x.md"}, "expected both --issue FILE and --head SHA"},
		{[]string{"scaffold", "--issue", "x.md", "--head", w.pr.HeadSHA(), "--pr", "2"}, "either --issue and --head, or a pull request on GitHub"},
		{[]string{"scaffold", "--issue", "x.md", "--head", w.pr.HeadSHA(), "--write"}, "--write needs a pull request on GitHub"},
		{[]string{"brief", "--head", w.pr.HeadSHA()}, "--head goes with --issue"},
		{[]string{"brief", "--issue", "x.md", "--repo", "acme/widgets"}, "expected either --issue, or a pull request"},
		{[]string{"--pr", "0"}, "expected a number such as 42"},
		{[]string{"--pr", "99999999999"}, "expected a number such as 42"},
		{[]string{"--issue", "ISSUE.md"}, "expected a number such as 42"},
		{[]string{"--wait", "-1m"}, "expected a time such as 10m"},
		{[]string{"--wait", "soon"}, "expected a time such as 10m"},
		{[]string{"--wait", "5"}, "expected a time such as 10m"},
		{[]string{"--repo", "widgets"}, "--repo: expected OWNER/NAME"},
		{[]string{"snapshot", "--repo", "a/b/c/d"}, "--repo: expected OWNER/NAME"},
		{[]string{"brief", "--repo", "https://eng:sekrit@github.com/acme"}, "--repo: expected OWNER/NAME"},
		{[]string{"scaffold", "--write", "--repo", "acme/wid gets"}, "--repo: expected OWNER/NAME"},
		{[]string{"--stage", "later"}, "expected review or merge"},
		{[]string{"snapshot", "2"}, "unknown command"},
	} {
		got := w.run(c.args...)
		require.Equal(t, exitUsage, got.code, c.args)
		require.Contains(t, got.stderr, c.says, c.args)
		require.Contains(t, got.stderr, "--help", c.args)
		require.NotContains(t, got.stderr, "sekrit")
		require.Empty(t, got.stdout, c.args)
	}
}

// Criteria get their entries too, once each.
func TestScaffoldWriteOfCriteria(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.issue.EditBody("lead", w.issue.Body()+"\n## Acceptance Criteria\n\n- [AC-1] (kind: unit) the cache is emptied\n")
	w.pr.EditBody("eng", w.evidence(w.pr.HeadSHA())+"\n## Notes\n\nmine\n")
	require.Equal(t, exitFailure, w.run().code)
	got := w.run("scaffold", "--write")
	require.Equal(t, 0, got.code, got.stderr)
	require.Contains(t, got.stdout, "\n  added for criteria: AC-1\n")
	section, notes, found := strings.Cut(w.pr.Body(), "\n## Notes\n")
	require.True(t, found)
	require.Equal(t, "\nmine\n", notes)
	require.Equal(t, 1, strings.Count(section, "- Criterion: [AC-1]"), section)
	require.Contains(t, section, "128 passing", "what is for this head stays")
	before := w.pr.Body()
	require.Contains(t, w.run("scaffold", "--write").stdout, "nothing was changed")
	require.Equal(t, before, w.pr.Body())
	require.Contains(t, w.run("brief").stdout, "## Acceptance criteria")
}
