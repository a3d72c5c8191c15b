package action_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/evidence-gate/evidence-gate/action"
	"github.com/evidence-gate/evidence-gate/internal/githubtest"
	"github.com/evidence-gate/evidence-gate/report"
)

func TestResultsStandWhereAJobIsRead(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	pr := w.open(githubtest.PullRequestOptions{})
	j := w.job(t, "pull_request", w.payload(t, "pull_request")).run(t, w)
	j.requireConclusion(t, report.Success)
	require.Empty(t, annotations(t, j.log.String()))
	require.Contains(t, j.log.String(), "success")
	require.Equal(t, pr.HeadSHA(), outputs(t, j.output)["head-sha"])
	require.Equal(t, j.outcome.Report, j.saved(t))
	summary := read(t, j.summary)
	require.Contains(t, summary, fmt.Sprintf("https://github.example.com/acme/widgets/pull/%d", pr.Number()))
	require.Contains(t, summary, "✅ Ready for review.")

	pr.Push("eng", githubtest.Commit{})
	j = w.job(t, "pull_request", w.payload(t, "pull_request")).run(t, w)
	j.requireConclusion(t, report.Failure)
	require.Contains(t, strings.Join(annotations(t, j.log.String()), "\n"), "error head.stale: ")
	require.Contains(t, read(t, j.summary), "❌ Not ready for review.")
	require.Equal(t, j.outcome.Report, j.saved(t))
	require.Equal(t, pr.HeadSHA(), outputs(t, j.output)["head-sha"])
}

// On the events of a pull request GITHUB_SHA is a merge that GitHub makes to test, or the base.
func TestTheTestMergeIsNeverJudged(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	pr := w.open(githubtest.PullRequestOptions{Body: w.proof(testMerge)})
	for _, event := range []string{"pull_request", "pull_request_target"} {
		j := w.job(t, event, w.payload(t, "pull_request")).run(t, w)
		j.requireConclusion(t, report.Failure)
		require.Equal(t, pr.HeadSHA(), j.outcome.Report.HeadSHA)
		require.Contains(t, strings.Join(annotations(t, j.log.String()), "\n"),
			"notice Evidence: the evidence names "+testMerge+", which is GITHUB_SHA of this run", event)
	}
	pr.EditBody("eng", w.proof(pr.HeadSHA()))
	j := w.job(t, "pull_request", w.payload(t, "pull_request")).run(t, w)
	j.requireConclusion(t, report.Success)
	require.NotContains(t, j.log.String(), testMerge)
}

func TestEventsNameThePullRequest(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	pr := w.open(githubtest.PullRequestOptions{})
	other := w.repo.OpenPullRequest(githubtest.PullRequestOptions{Author: "eng", Body: "nothing"})
	pull := fmt.Sprintf(`"repository":{"full_name":"acme/widgets"},"pull_request":{"number":%d}`, pr.Number())
	issue := func(more string) string {
		return fmt.Sprintf(`{"repository":{"full_name":"acme/widgets"},"issue":{"number":%d%s}}`, pr.Number(), more)
	}
	for _, c := range []struct {
		name, event, payload, pr string
		judged                   int    // 0: none
		says                     string // why not
	}{
		{name: "pull_request", event: "pull_request", payload: "{" + pull + "}", judged: pr.Number()},
		{name: "pull_request_target", event: "pull_request_target", payload: "{" + pull + "}", judged: pr.Number()},
		{name: "pull_request_review", event: "pull_request_review", payload: "{" + pull + "}", judged: pr.Number()},
		{name: "comment on a pull request", event: "issue_comment", payload: issue(`,"pull_request":{"url":"x"}`), judged: pr.Number()},
		{name: "comment on an issue", event: "issue_comment", payload: issue("")},
		{name: "dispatch with a number", event: "workflow_dispatch", payload: `{"inputs":{"pr":"1"}}`, pr: fmt.Sprint(pr.Number()), judged: pr.Number()},
		{name: "the input wins", event: "pull_request", payload: "{" + pull + "}", pr: fmt.Sprint(other.Number()), judged: other.Number()},
		{name: "the input wins over a plain issue", event: "issue_comment", payload: issue(""), pr: fmt.Sprint(pr.Number()), judged: pr.Number()},
		{name: "schedule with a number", event: "schedule", payload: `{"schedule":"0 5 * * *"}`, pr: fmt.Sprint(pr.Number()), judged: pr.Number()},
		{name: "dispatch without a number", event: "workflow_dispatch", payload: `{"inputs":{}}`, says: `the event "workflow_dispatch" names no pull request: give the input pr`},
		{name: "push", event: "push", payload: `{"ref":"refs/heads/main"}`, says: `the event "push" names no pull request`},
		{name: "merge queue", event: "merge_group", payload: `{"merge_group":{"head_sha":"` + testMerge + `"}}`, says: `the event "merge_group" names no pull request`},
		{name: "event of the future", event: "pull_request\n::add-mask::x", payload: "{" + pull + "}", says: `names no pull request`},
		{name: "payload without a number", event: "pull_request", payload: `{"number":1}`, says: "expected the event's payload to hold pull_request.number"},
		{name: "comment without an issue", event: "issue_comment", payload: `{}`, says: "expected the event's payload to hold issue.number"},
		{name: "payload cut off", event: "pull_request", payload: `{"pull_request"`, says: "no JSON of the expected shape"},
		{name: "payload of another shape", event: "pull_request", payload: `{"pull_request":{"number":"x"}}`, says: "no JSON of the expected shape"},
		{name: "repository of another shape", event: "pull_request", payload: `{"repository":{"full_name":"a/b/../c"},"pull_request":{"number":1}}`, says: "to name the repository"},
	} {
		j := w.job(t, c.event, []byte(c.payload))
		j.variables["INPUT_PR"] = c.pr
		j.run(t, w)
		require.NoError(t, j.err, c.name)
		said := strings.Join(annotations(t, j.log.String()), "\n")
		switch {
		case c.judged != 0:
			require.False(t, j.outcome.Nothing || j.outcome.Misused, c.name)
			require.Contains(t, read(t, j.summary), fmt.Sprintf("/pull/%d>)", c.judged), c.name)
			require.NotEmpty(t, j.outcome.Report.HeadSHA, "%s: %s", c.name, j.log.String())
		case c.says == "":
			require.Equal(t, action.Outcome{Nothing: true}, j.outcome, c.name)
			require.Contains(t, j.log.String(), "no pull request: nothing to judge", c.name)
			require.Empty(t, outputs(t, j.output), c.name)
			require.Empty(t, said, c.name)
		default:
			require.True(t, j.outcome.Misused, c.name)
			require.Contains(t, said, c.says, c.name)
			require.Contains(t, said, "help: correct the workflow", c.name)
			require.Equal(t, "action_required", outputs(t, j.output)["conclusion"], c.name)
		}
	}
}

func TestWrongInputs(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.open(githubtest.PullRequestOptions{})
	for _, c := range []struct{ name, value, says string }{
		{"INPUT_PR", "0", `the input pr: expected a number such as 42, or nothing, found "0"`},
		{"INPUT_PR", "-1", "the input pr"},
		{"INPUT_PR", "#42", "the input pr"},
		{"INPUT_PR", "99999999999", "the input pr"},
		{"INPUT_ISSUE", "seven", "the input issue"},
		{"INPUT_STAGE", "Merge", `the input stage: expected review or merge, found "Merge"`},
		{"INPUT_WAIT", "10", "the input wait: expected a time of up to 6h"},
		{"INPUT_WAIT", "-1m", "the input wait"},
		{"INPUT_WAIT", "7h", "the input wait"},
		{"INPUT_PR", strings.Repeat("9", 100_000), "…"},
		{"INPUT_PR", "1\n::add-mask::x\n##[add-mask]x", `found "1\n::add-mask::x\n##[add-mask]x"`},
	} {
		j := w.job(t, "pull_request", w.payload(t, "pull_request"))
		j.variables[c.name] = c.value
		j.run(t, w)
		require.NoError(t, j.err)
		require.True(t, j.outcome.Misused, c.value)
		said := strings.Join(annotations(t, j.log.String()), "\n")
		require.Contains(t, said, c.says)
		require.Less(t, len(said), 1000)
	}
	require.Zero(t, w.CountRequests(githubtest.Match{}), "nothing was asked of GitHub")
}

func TestTheInputsReachTheEngine(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	pr := w.open(githubtest.PullRequestOptions{})
	second := w.repo.AddIssue(githubtest.IssueOptions{Author: "lead", Body: "## Required Checks\n\n- [RC-9] `make lint`\n"})
	j := w.job(t, "pull_request", w.payload(t, "pull_request"))
	j.variables["INPUT_STAGE"], j.variables["INPUT_ISSUE"] = " merge ", fmt.Sprint(second.Number())
	j.run(t, w)
	j.requireConclusion(t, report.Failure)
	require.Equal(t, report.Merge, j.outcome.Report.Stage)
	require.Equal(t, "RC-9", *j.outcome.Report.Checks[0].ID)
	require.Contains(t, read(t, j.summary), fmt.Sprintf("Judged by the task acme/widgets\\#<!-- -->%d, which was chosen by hand", second.Number()))
	require.Equal(t, pr.HeadSHA(), j.outcome.Report.HeadSHA)

	j = w.job(t, "pull_request", w.payload(t, "pull_request"))
	j.variables["INPUT_ISSUE"] = "4711"
	j.run(t, w)
	j.requireConclusion(t, report.ActionRequired)
	require.Contains(t, j.log.String(), "could not read the task acme/widgets#4711")
	require.Contains(t, j.log.String(), "help: correct the input issue")
}

func TestOffARunner(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	j := w.job(t, "pull_request", nil)
	for _, name := range []string{"GITHUB_EVENT_NAME", "GITHUB_OUTPUT", "RUNNER_TEMP"} {
		delete(j.variables, name)
	}
	j.run(t, w)
	require.EqualError(t, j.err, "expected a runner of GitHub Actions, but it sets no GITHUB_EVENT_NAME, GITHUB_OUTPUT, RUNNER_TEMP: "+
		"this command is run by the Action (action.yml); elsewhere run github-preflight without it")
	require.Empty(t, j.log.String())
}

func TestFilesOfTheRunnerThatAreNotThere(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.open(githubtest.PullRequestOptions{})
	payload := w.payload(t, "pull_request")

	j := w.job(t, "pull_request", payload)
	require.NoError(t, os.Remove(j.event))
	j.run(t, w)
	require.NoError(t, j.err)
	require.True(t, j.outcome.Misused)
	require.Contains(t, j.log.String(), "cannot read the event's payload that GITHUB_EVENT_PATH names")

	// One that fails does not keep the others from being told, and all say what the exit code says.
	for name, says := range map[string]string{
		"GITHUB_OUTPUT": "cannot write the step outputs", "GITHUB_STEP_SUMMARY": "cannot write the job summary", "RUNNER_TEMP": "cannot write the report",
	} {
		j := w.job(t, "pull_request", payload)
		j.variables[name] = filepath.Join(t.TempDir(), "no", "where")
		j.run(t, w)
		require.ErrorContains(t, j.err, says)
		require.Equal(t, report.ActionRequired, j.outcome.Report.Conclusion)
		require.NotEmpty(t, j.outcome.Report.HeadSHA)
		said := annotations(t, j.log.String())
		require.Len(t, said, 1, name)
		require.Contains(t, said[0], "error gate.unavailable: "+says)
		require.Contains(t, said[0], "help: look at the runner")
		if name != "GITHUB_STEP_SUMMARY" {
			require.Contains(t, read(t, j.summary), says, name)
		}
		if name != "GITHUB_OUTPUT" {
			require.Equal(t, "action_required", outputs(t, j.output)["conclusion"], name)
			require.Equal(t, j.outcome.Report.HeadSHA, outputs(t, j.output)["head-sha"], name)
		}
		if name == "GITHUB_STEP_SUMMARY" {
			require.Equal(t, j.outcome.Report, j.saved(t))
		}
	}
}

func TestARunnerWithoutAJobSummary(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.open(githubtest.PullRequestOptions{})
	j := w.job(t, "pull_request", w.payload(t, "pull_request"))
	delete(j.variables, "GITHUB_STEP_SUMMARY")
	j.run(t, w)
	j.requireConclusion(t, report.Success)
	require.Equal(t, []string{"notice Evidence: the runner sets no GITHUB_STEP_SUMMARY, so there is no job summary; the log and the report have everything"},
		annotations(t, j.log.String()))
	require.Empty(t, read(t, j.summary))
	require.Equal(t, report.Success, j.saved(t).Conclusion)
}

// Half an output would be read as a whole one.
func TestADiskThatIsFull(t *testing.T) {
	t.Parallel()
	if _, err := os.Stat("/dev/full"); err != nil {
		t.Skip("needs /dev/full")
	}
	w := newWorld(t)
	w.open(githubtest.PullRequestOptions{})
	for _, name := range []string{"GITHUB_OUTPUT", "GITHUB_STEP_SUMMARY"} {
		j := w.job(t, "pull_request", w.payload(t, "pull_request"))
		j.variables[name] = "/dev/full"
		j.run(t, w)
		require.ErrorContains(t, j.err, "no space left")
		require.Equal(t, report.ActionRequired, j.outcome.Report.Conclusion)
		require.Contains(t, strings.Join(annotations(t, j.log.String()), "\n"), "error gate.unavailable: cannot write the")
	}
}

func TestALogThatIsClosed(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.open(githubtest.PullRequestOptions{})
	j := w.job(t, "pull_request", w.payload(t, "pull_request"))
	_, err := action.Run(t.Context(), action.Process{
		Getenv: func(name string) string { return j.variables[name] }, Stdout: closedWriter{}, Now: w.clock.Now,
	}, engine())
	require.ErrorIs(t, err, errClosed)
	require.Equal(t, "action_required", outputs(t, j.output)["conclusion"], "what nobody could read is no success")
}

func TestWhatKeepsFromJudging(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name string
		set  func(*world, *job)
		says string
		help string
	}{
		{"no token", func(_ *world, j *job) { j.variables["INPUT_TOKEN"] = " " }, "the input token is empty", "correct the workflow"},
		{"a token with a line break", func(_ *world, j *job) { j.variables["INPUT_TOKEN"] = "ghs_a\nghs_b\n" }, "the input token: expected one word, found a space or a line break inside it", "correct the workflow"},
		{"unknown token", func(_ *world, j *job) { j.variables["INPUT_TOKEN"] = "ghs_expired" }, "GitHub does not accept the token: it has expired", "leave the input token out to use the job's own token, or renew the secret"},
		{"address of another form", func(_ *world, j *job) { j.variables["GITHUB_API_URL"] = "ftp://x" }, "GitHub address: expected a URL", "correct the workflow"},
		{"no such pull request", func(_ *world, j *job) { j.variables["INPUT_PR"] = "4711" }, "there is none, or this token may not see it", "correct the input pr"},
		{"no such task", func(_ *world, j *job) { j.variables["INPUT_ISSUE"] = "4711" }, "could not read the task acme/widgets#4711", "correct the input issue"},
		{"a token that may not read", func(w *world, _ *job) {
			w.World().AddWorkflowToken(token, w.repo, map[string]string{"issues": "read", "contents": "read", "checks": "read", "statuses": "read", "actions": "read"})
		}, "pull requests: read", "give the workflow the permissions that docs/ci.md lists"},
		{"rate limit that is far away", func(w *world, _ *job) { w.Fail(githubtest.SecondaryRateLimit(time.Hour)) }, "GitHub's rate limit is used up", "nothing to write: run the job again later"},
		{"GitHub is down", func(w *world, _ *job) { w.Fail(githubtest.Fault{Status: http.StatusBadGateway, Times: -1}) }, "could not read the pull request", "nothing to write: run the job again."},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			w.open(githubtest.PullRequestOptions{})
			j := w.job(t, "pull_request", w.payload(t, "pull_request"))
			c.set(w, j)
			began := w.clock.Now()
			j.run(t, w)
			j.requireConclusion(t, report.ActionRequired)
			require.False(t, j.outcome.Misused)
			said := annotations(t, j.log.String())
			require.Len(t, said, 1)
			require.Contains(t, said[0], c.says)
			require.Contains(t, said[0], "help: "+c.help)
			require.NotContains(t, said[0], "ghs_")
			require.NotContains(t, said[0], "private key")
			require.Contains(t, read(t, j.summary), "Nothing could be judged")
			require.Equal(t, report.CodeGateUnavailable, j.saved(t).Diagnostics[0].Code)
			require.LessOrEqual(t, w.clock.Now().Sub(began), time.Minute, "it gives up")
		})
	}
}

func TestTemporaryFailuresAreTriedAgain(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.open(githubtest.PullRequestOptions{})
	w.Fail(githubtest.Fault{Status: http.StatusBadGateway, Times: 2})
	w.Fail(githubtest.SecondaryRateLimit(20 * time.Second))
	j := w.job(t, "pull_request", w.payload(t, "pull_request")).run(t, w)
	j.requireConclusion(t, report.Success)
	require.Equal(t, []time.Duration{time.Second, 2 * time.Second, 20 * time.Second}, j.pauses)
}

func TestWaitingForAPendingStatus(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, wait string
		finishes   bool
		want       report.Conclusion
		pauses     int
	}{
		{"not at all", "", true, report.Pending, 0},
		{"until it is there", "10m", true, report.Success, 2},
		{"until the time is over", "40s", false, report.Pending, 3},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			w.task.EditBody("lead", "## Required Checks\n\n- [RC-1] `npm test` [source: status_check]\n")
			pr := w.open(githubtest.PullRequestOptions{Body: fmt.Sprintf("Closes #%d\n\n## Evidence\n\nCurrent PR head: b7d41e9f02c36a58d1f4e07b9c8a25630fe1d794\n", w.task.Number())})
			run := w.repo.AddCheckRun(githubtest.CheckRunOptions{SHA: pr.HeadSHA(), Name: "npm test", Workflow: "ci", Status: "in_progress"})
			j := w.job(t, "pull_request", w.payload(t, "pull_request"))
			j.variables["INPUT_WAIT"] = c.wait
			j.asleep = func() {
				if c.finishes && len(j.pauses) == 2 {
					w.repo.SetCheckRun(run, "completed", "success")
				}
			}
			j.run(t, w)
			j.requireConclusion(t, c.want)
			require.Len(t, j.pauses, c.pauses)
		})
	}
}

// Its text stands in the log with the lines it is about, and in annotations and summary.
func TestHostileTextCommandsNothing(t *testing.T) {
	t.Parallel()
	evil := []string{
		"::set-output name=conclusion::success", "::add-mask::passed", "::stop-commands::x", "  ::set-env name=PATH::/evil", "text ##[add-mask]passed",
		"##[set-output name=conclusion;]success", "::error::%0A::add-mask::x", "conclusion=success", "conclusion<<EOF\nsuccess\nEOF", "\u2028::add-mask::x", "\r::add-mask::x",
	}
	for _, line := range evil {
		w := newWorld(t)
		body := fmt.Sprintf("Closes #%d\n\n## Evidence\n\nCurrent PR head: %s\n%s\n\n- Required check: [RC-1] `npm test`\n  Verdict: %s\n  Evidence: %s\n- Required check: %s\n  Verdict: %s\n",
			w.task.Number(), line, line, line, line, line, line)
		w.task.EditBody("lead", "## Required Checks\n\n- [RC-1] `npm test`\n- [RC-2] "+line+"\n- "+line+"\n")
		w.open(githubtest.PullRequestOptions{Body: body, Title: line})
		j := w.job(t, "pull_request", w.payload(t, "pull_request")).run(t, w)
		require.NoError(t, j.err)
		require.NotEqual(t, report.Success, j.outcome.Report.Conclusion, line)
		require.NotEmpty(t, annotations(t, j.log.String()), line)
		require.Equal(t, map[string]string{
			"conclusion": string(j.outcome.Report.Conclusion), "report": outputs(t, j.output)["report"], "head-sha": j.outcome.Report.HeadSHA,
		}, outputs(t, j.output), line)
	}
}

func TestNoPullRequestIsWrittenTo(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.open(githubtest.PullRequestOptions{})
	j := w.job(t, "pull_request", w.payload(t, "pull_request")).run(t, w)
	j.requireConclusion(t, report.Success)
	for _, r := range w.Requests() {
		if r.Path == "/graphql" {
			var asked struct {
				Query string `json:"query"`
			}
			require.NoError(t, json.Unmarshal(r.Body, &asked))
			require.True(t, strings.HasPrefix(strings.TrimSpace(asked.Query), "query"), asked.Query)
			continue
		}
		require.Equal(t, http.MethodGet, r.Method, r.Path)
	}
}
