package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/evidence-gate/evidence-gate/internal/githubtest"
	"github.com/evidence-gate/evidence-gate/report"
)

// A live verdict is that of the Snapshot, whatever the state of the pull request.
func TestALiveVerdictIsThatOfItsSnapshot(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name    string
		prepare func(w *world)
		stage   report.Stage
		want    int
	}{
		{"no evidence yet", func(*world) {}, report.Review, exitFailure},
		{"evidence for the head", func(w *world) { w.pr.EditBody("eng", w.evidence(w.pr.HeadSHA())) }, report.Review, exitSuccess},
		{"and it may merge", func(w *world) { w.pr.EditBody("eng", w.evidence(w.pr.HeadSHA())) }, report.Merge, exitSuccess},
		{"evidence of the commit before", func(w *world) {
			w.pr.EditBody("eng", w.evidence(w.pr.HeadSHA()))
			w.pr.Push("eng", githubtest.Commit{})
		}, report.Review, exitFailure},
		{"a status that is still running", func(w *world) {
			w.pr.EditBody("eng", strings.Split(w.evidence(w.pr.HeadSHA()), "\n- Required check: [RC-2]")[0])
			w.repo.AddCheckRun(githubtest.CheckRunOptions{SHA: w.pr.HeadSHA(), Name: "npm run lint", Status: "in_progress"})
		}, report.Review, exitWaiting},
		{"a task without checks", func(w *world) { w.issue.EditBody("lead", "Please.") }, report.Review, exitWaiting},
		{"no task", func(w *world) { w.pr.EditBody("eng", "text") }, report.Review, exitFailure},
		{"a draft", func(w *world) { w.pr.SetDraft("eng", true) }, report.Review, exitFailure},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			c.prepare(w)
			_, want := w.judged(t, c.stage)
			got, chain := w.chained(func() outcome { return w.run("--json", "--stage", string(c.stage)) })
			require.LessOrEqual(t, chain, 3, "at most three requests one after another")
			require.Equal(t, c.want, got.code, got.stdout+got.stderr)
			reports, _ := schemas(t)
			requireSchema(t, reports, []byte(got.stdout))
			r := got.report(t)
			require.Contains(t, r.Notes, "memory_not_judged")
			r.Notes = slices.DeleteFunc(r.Notes, func(n string) bool { return n == "memory_not_judged" })
			require.Equal(t, asJSON(t, want), asJSON(t, r))
			text := w.run("--stage", string(c.stage))
			require.Equal(t, c.want, text.code)
			require.Contains(t, text.stdout, "Comments deleted or changed without a trace are known to the service only.")
		})
	}
}

func asJSON(t *testing.T, r report.Report) string {
	t.Helper()
	text, err := json.Marshal(r)
	require.NoError(t, err)
	return string(text)
}

func TestTheSnapshotOfAPullRequestIsValid(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.pr.Comment("dependabot[bot]", "<hello> & \u2028")
	got := w.run("snapshot")
	require.Equal(t, 0, got.code)
	_, snapshots := schemas(t)
	requireSchema(t, snapshots, []byte(got.stdout))
	require.Contains(t, got.stdout, "<hello> &", "readable, not escaped for HTML")
	require.Equal(t, got.stdout, w.run("snapshot", "--repo", "acme/widgets", "--pr", "#2").stdout)
}

func TestAForksPullRequest(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	fork := w.repo.OpenPullRequest(githubtest.PullRequestOptions{Author: "out", Fork: "out", Branch: "dark", Body: fmt.Sprintf("Closes #%d", w.issue.Number())})
	w.repo.SetRole("out", "read")
	w.World().AddUserToken("ghp_out", "out")
	w.environment["GH_TOKEN"] = "ghp_out"
	w.git(t, "remote", "add", "out", "git@github.com:out/widgets.git")
	w.git(t, "config", "branch.dark.remote", "out")
	s, r := w.judged(t, report.Review)
	require.Equal(t, fork.Number(), s.PullRequest.Number, "not the branch of the same name in the base")
	require.True(t, s.PullRequest.Fork)
	require.Equal(t, report.Failure, r.Conclusion)
	require.Equal(t, exitFailure, w.run().code)

	written := w.run("scaffold", "--write")
	require.Equal(t, 0, written.code, written.stderr)
	require.Contains(t, fork.Body(), "Current PR head: "+fork.HeadSHA(), "its author may write it without write access")
	w.environment["GH_TOKEN"] = "ghp_eng"
	fork.EditBody("out", w.evidence(fork.HeadSHA()))
	require.Equal(t, exitSuccess, w.run().code)
}

func TestATaskThatIsNamed(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	other := w.repo.AddIssue(githubtest.IssueOptions{Author: "lead", Title: "Other", Body: "## Required Checks\n\n- [RC-7] `make`\n"})
	s, r := w.judged(t, report.Review, "--issue", fmt.Sprint(other.Number()))
	require.Equal(t, "flag", s.Linked[0].Source)
	require.Equal(t, other.Number(), s.Issue.Number)
	require.Equal(t, "RC-7", *r.Checks[0].ID)
	got, chain := w.chained(func() outcome { return w.run("--json", "--issue", fmt.Sprint(other.Number())) })
	require.LessOrEqual(t, chain, 3, "at most three requests one after another")
	require.Contains(t, got.stderr, fmt.Sprintf("note: judged by the task acme/widgets#%d, which was chosen by hand", other.Number()))
	require.Contains(t, w.run("--issue", fmt.Sprint(other.Number())).stdout,
		fmt.Sprintf("note: Judged by the task acme/widgets#%d, which was chosen by hand, whatever the pull request closes.", other.Number()))
	require.NotContains(t, w.run().stdout, "chosen by hand")
	require.Equal(t, "RC-7", *got.report(t).Checks[0].ID)

	absent := w.run("--json", "--issue", "99")
	require.Equal(t, exitCouldNotJudge, absent.code)
	require.Equal(t, report.CodeGateUnavailable, absent.report(t).Diagnostics[0].Code)
	require.Contains(t, absent.stderr, "could not read the task acme/widgets#99")
}

// A page of another host is no link, whatever it calls itself, and proves nothing.
func TestAPageOfAnotherHostIsNoTask(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.repo.PushBranch("eng", "dev", githubtest.Commit{})
	body := func(link string) string {
		return strings.Replace(w.evidence(w.pr.HeadSHA()), fmt.Sprintf("Closes #%d", w.issue.Number()), "resolves "+link, 1)
	}
	pr := w.repo.OpenPullRequest(githubtest.PullRequestOptions{Author: "eng", Branch: "two", Base: "dev"})
	judge := func(link string) outcome {
		pr.EditBody("eng", strings.ReplaceAll(body(link), w.pr.HeadSHA(), pr.HeadSHA()))
		return w.run("--json", "--pr", fmt.Sprint(pr.Number()))
	}
	page := fmt.Sprintf("/acme/widgets/issues/%d", w.issue.Number())
	got := judge("https://github.com" + page)
	require.Equal(t, exitSuccess, got.code, got.stdout)
	for _, host := range []string{"https://evil.example", "https://github.com.evil.example", "https://github.com@evil.example", "http://evil.example:443"} {
		got = judge(host + page)
		require.Equal(t, exitFailure, got.code, host)
		require.Equal(t, []report.Code{report.CodeTaskMissing}, codesOf(got.report(t)), host)
	}
}

// Who wrote the pull request did link a task; that it is not there any more is its maintainer's.
func TestATaskThatMovedAfterItWasLinked(t *testing.T) {
	t.Parallel()
	for name, happens := range map[string]func(*world){
		"moved": func(w *world) {
			w.issue.Transfer("lead", w.World().AddRepository("acme/other", githubtest.RepositoryOptions{}))
		},
		"deleted": func(w *world) { w.issue.Delete("lead") },
	} {
		w := newWorld(t)
		w.pr.EditBody("eng", w.evidence(w.pr.HeadSHA()))
		require.Equal(t, exitSuccess, w.run().code, name)
		happens(w)
		got := w.run("--json")
		require.Equal(t, exitWaiting, got.code, name)
		d := got.report(t).Diagnostics
		require.Len(t, d, 1, name)
		require.Equal(t, report.CodeTaskUnreadable, d[0].Code, name)
		require.Contains(t, d[0].Message, fmt.Sprintf("acme/widgets#%d", w.issue.Number()), name)
	}
}

func TestManyTasksAreReadAtOnce(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.repo.PushBranch("eng", "dev", githubtest.Commit{})
	var body strings.Builder
	for range 10 {
		fmt.Fprintf(&body, "closes #%d\n", w.repo.AddIssue(githubtest.IssueOptions{Author: "lead", Body: "nothing"}).Number())
	}
	pr := w.repo.OpenPullRequest(githubtest.PullRequestOptions{Author: "eng", Branch: "two", Base: "dev", Body: body.String()})
	got, chain := w.chained(func() outcome { return w.run("--pr", fmt.Sprint(pr.Number())) })
	require.Equal(t, exitWaiting, got.code, got.stdout)
	require.Equal(t, 1, w.CountRequests(githubtest.Match{Operation: "Tasks"}))
	require.LessOrEqual(t, chain, 4)
}

func TestClosedAndMergedAreJudgedAllTheSame(t *testing.T) {
	t.Parallel()
	for state, end := range map[string]func(w *world){
		"closed": func(w *world) { w.pr.Close("eng") },
		"merged": func(w *world) { w.pr.Merge("lead") },
	} {
		w := newWorld(t)
		w.pr.EditBody("eng", w.evidence(w.pr.HeadSHA()))
		end(w)
		got := w.run()
		require.Equal(t, exitSuccess, got.code, got.stderr)
		require.Contains(t, got.stderr, "note: acme/widgets#2 is "+state+"; it was judged all the same")
	}
}

func TestACheckoutThatIsNotAtTheHead(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	require.Regexp(t, `note: this checkout is at [0-9a-f]{12}, but the head of acme/widgets#2 is `+w.pr.HeadSHA()[:12], w.run().stderr)
	require.Empty(t, w.run("--pr", "2").stderr, "another pull request may be meant than that of the checkout")
}

func TestWhatCannotBeJudged(t *testing.T) {
	t.Parallel()
	type arrangement func(t *testing.T, w *world)
	set := func(name, value string) arrangement {
		return func(_ *testing.T, w *world) { w.environment[name] = value }
	}
	fail := func(f githubtest.Fault) arrangement {
		return func(_ *testing.T, w *world) { w.Fail(f) }
	}
	query := githubtest.Match{Operation: "PullRequest"}
	for _, c := range []struct {
		name    string
		arrange arrangement
		args    []string
		says    []string
	}{
		{"no token", set("GH_TOKEN", ""), nil, []string{"there is no token for the address http://127.0.0.1", ": set GH_TOKEN"}},
		{"an expired token", set("GH_TOKEN", "ghp_expired"), nil, []string{"could not find the pull request", "Bad credentials", "help: the token is from GH_TOKEN: renew it, or run gh auth login"}},
		{"a token that is none", set("GH_TOKEN", "two words"), nil, []string{"expected a token in one word"}},
		{"an address that is none", set("GITHUB_API_URL", "api.github.com"), nil, []string{"GitHub address: expected a URL", `found "api.github.com"`}},
		{"nobody at the address", set("GITHUB_API_URL", "http://127.0.0.1:1"), nil, []string{"no answer from GitHub", "help: try again; when it stays so, check the network"}},
		{"another host", func(t *testing.T, w *world) {
			w.environment["GITHUB_SERVER_URL"] = "https://git.example.com"
		}, nil, []string{"no remote leads to git.example.com (origin: github.com/acme/widgets)", "--repo"}},
		{"a branch without a pull request", func(t *testing.T, w *world) { w.git(t, "checkout", "--quiet", "-b", "light") }, nil,
			[]string{`acme/widgets has no pull request from the branch "light"`, "--pr N", "--repo"}},
		{"a detached head", func(t *testing.T, w *world) { w.git(t, "checkout", "--quiet", "--detach") }, nil, []string{"no branch is checked out", "--pr N"}},
		{"several remotes", func(t *testing.T, w *world) {
			w.git(t, "remote", "rename", "origin", "acme")
			w.git(t, "remote", "add", "out", "https://github.com/out/widgets")
		}, []string{"--pr", "2"}, []string{"the checkout has several remotes", "--repo OWNER/NAME"}},
		{"no checkout", func(t *testing.T, w *world) { w.dir = t.TempDir() }, nil, []string{"in no git checkout", "--repo OWNER/NAME and --pr N"}},
		{"no such pull request", nil, []string{"--pr", "99"}, []string{"could not read the pull request acme/widgets#99", "help: check the number and the name"}},
		{"a repository that the token may not see", nil, []string{"--repo", "acme/secret", "--pr", "1"}, []string{"could not read the pull request acme/secret#1", "that the token from GH_TOKEN may see the repository"}},
		{"5xx", fail(githubtest.Fault{Match: query, Status: 502}), nil, []string{"GitHub answered 502 Bad Gateway", "help: try again"}},
		{"a rate limit", fail(githubtest.Fault{Match: query, Status: 403, Header: map[string]string{"X-RateLimit-Remaining": "0", "X-RateLimit-Reset": "1796032900"}, Message: "API rate limit exceeded"}), nil,
			[]string{"GitHub's rate limit is used up; it asks to wait 1m40s", "help: wait, or use a token of your own"}},
		{"a secondary rate limit", func(_ *testing.T, w *world) { w.Fail(githubtest.SecondaryRateLimit(30 * time.Second)) }, nil, []string{"it asks to wait 30s"}},
		{"an answer that breaks off", fail(githubtest.Fault{Match: query, Drop: true}), nil, []string{"could not read the pull request"}},
		{"a redirect to another host", fail(githubtest.Fault{Match: query, Status: 301, Header: map[string]string{"Location": "https://evil.example.com/graphql"}}), nil,
			[]string{"to https://evil.example.com and was not followed, so that the token stays", "help: set GITHUB_API_URL"}},
		{"errors without data", fail(githubtest.Fault{Match: query, GraphQLErrors: []map[string]any{{"message": "Something went wrong"}}}), nil, []string{"GitHub answered with an error (Something went wrong)"}},
		{"no JSON", func(_ *testing.T, w *world) {
			w.onAnswer(func(*http.Request, string, []byte) []byte { return []byte("<html>Sign in to the network</html>") })
		}, nil, []string{"no JSON of the expected shape"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			if c.arrange != nil {
				c.arrange(t, w)
			}
			got := w.run(append([]string{"--json"}, c.args...)...)
			require.Equal(t, exitCouldNotJudge, got.code, got.stdout+got.stderr)
			for _, words := range c.says {
				require.Contains(t, got.stderr, words)
			}
			require.NotContains(t, got.stderr+got.stdout, "ghp_")
			require.NotContains(t, got.stderr+got.stdout, "App", "what is wrong with an app is nothing to who runs this")
			reports, _ := schemas(t)
			requireSchema(t, reports, []byte(got.stdout))
			d := got.report(t).Diagnostics[0]
			require.Equal(t, report.CodeGateUnavailable, d.Code)
			require.NotContains(t, d.Message, "help:", "help is a member of its own")
			require.NotEmpty(t, d.Help)
			if _, help, told := strings.Cut(got.stderr, "\nhelp: "); told {
				require.Equal(t, strings.TrimSpace(help), d.Help)
			}
		})
	}
}

func TestEveryLiveCommandSaysWhatIsWrong(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.environment["GH_TOKEN"] = "ghp_expired"
	for _, args := range [][]string{{}, {"snapshot"}, {"brief"}, {"scaffold"}, {"scaffold", "--write"}} {
		got := w.run(args...)
		require.Equal(t, exitCouldNotJudge, got.code, args)
		require.Empty(t, got.stdout, args)
		require.Contains(t, got.stderr, "help: the token is from GH_TOKEN", args)
	}
}

func TestARenamedRepository(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.pr.EditBody("eng", w.evidence(w.pr.HeadSHA()))
	w.repo.Rename("gadgets")
	for _, args := range [][]string{nil, {"--repo", "acme/widgets", "--pr", "2"}} {
		require.Equal(t, exitSuccess, w.run(args...).code)
	}
	w.pr.EditBody("eng", fmt.Sprintf("Closes #%d", w.issue.Number()))
	got := w.run("scaffold", "--write", "--repo", "acme/widgets", "--pr", "2")
	require.Equal(t, 0, got.code, got.stderr)
	require.Contains(t, w.pr.Body(), "## Evidence", "a redirect on the same host is followed")
}

// What GitHub withholds stands in unavailable, and never passes.
func TestPartialData(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.pr.EditBody("eng", w.evidence(w.pr.HeadSHA()))
	w.onAnswer(func(_ *http.Request, operation string, text []byte) []byte {
		if operation != "PullRequest" {
			return text
		}
		return change(text, func(data map[string]any) any {
			pull := data["repository"].(map[string]any)["pullRequest"].(map[string]any)
			pull["reviews"] = nil
			return []any{map[string]any{
				"type": "FORBIDDEN", "message": "Resource not accessible by personal access token",
				"path": []any{"repository", "pullRequest", "reviews"},
			}}
		})
	})
	got := w.run("--json")
	require.Equal(t, exitCouldNotJudge, got.code, got.stdout)
	r := got.report(t)
	require.NotEqual(t, report.Success, r.Conclusion)
	require.Equal(t, "reviews", r.Diagnostics[0].Details["fact"])
	_, want := w.judged(t, report.Review)
	require.Equal(t, want.Diagnostics[0].Message, r.Diagnostics[0].Message)
}

func TestAnUnknownUnionMember(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.pr.EditBody("eng", w.evidence(w.pr.HeadSHA()))
	w.repo.AddCheckRun(githubtest.CheckRunOptions{SHA: w.pr.HeadSHA(), Name: "npm test"})
	w.onAnswer(func(_ *http.Request, operation string, text []byte) []byte {
		return bytes.ReplaceAll(text, []byte(`"__typename":"CheckRun"`), []byte(`"__typename":"HologramRun"`))
	})
	require.Equal(t, exitSuccess, w.run().code, "what GitHub may add later is no reason to fail")
}

// change edits an answer: f changes its data and returns its errors.
func change(text []byte, f func(data map[string]any) any) []byte {
	var answer map[string]any
	if json.Unmarshal(text, &answer) != nil {
		return text
	}
	answer["errors"] = f(answer["data"].(map[string]any))
	changed, _ := json.Marshal(answer)
	return changed
}
