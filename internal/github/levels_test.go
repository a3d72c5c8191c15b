package github

import (
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/evidence-gate/evidence-gate/checks"
	"github.com/evidence-gate/evidence-gate/internal/githubtest"
	"github.com/evidence-gate/evidence-gate/report"
)

// What is read of people is what the levels with a review or a person are judged by (section 10): from
// GitHub to the verdict.
func TestApprovalsAreJudgedByWhatIsRead(t *testing.T) {
	t.Parallel()
	const review, human = "checks+review", "checks+human"
	approve := func(login string) func(*world, *githubtest.PullRequest) {
		return func(_ *world, pr *githubtest.PullRequest) {
			pr.Review(githubtest.ReviewOptions{Author: login, State: "approved"})
		}
	}
	for name, c := range map[string]struct {
		level     string
		policy    string   // more of it
		authors   []string // of the commit; eng when empty
		base      string
		do        func(*world, *githubtest.PullRequest)
		code      string // none: it passes
		assurance string
	}{
		"nobody reviewed":              {level: review, do: func(*world, *githubtest.PullRequest) {}, code: "approval.missing"},
		"a writer reviewed":            {level: review, do: approve("peer"), assurance: "agent_verified"},
		"a maintainer reviewed":        {level: review, do: approve("boss"), assurance: "person_approved"},
		"a reader reviewed":            {level: review, do: approve("reader"), code: "approval.missing"},
		"a triager reviewed":           {level: review, do: approve("triager"), code: "approval.missing"},
		"a stranger reviewed":          {level: review, do: approve("stranger"), code: "approval.missing"},
		"an app reviewed":              {level: review, do: approve("helper[bot]"), code: "approval.missing"},
		"an app that is listed":        {level: review, policy: `roles: { agents: { "helper[bot]": { provider: a } } }`, do: approve("helper[bot]"), assurance: "agent_verified"},
		"who posted the task reviewed": {level: review, do: approve("lead"), code: "approval.not_independent"},
		"a co-author reviewed":         {level: review, authors: []string{"eng", "peer"}, do: approve("peer"), code: "approval.not_independent"},
		"an unknown author":            {level: review, authors: []string{"eng", "who@example.com"}, do: approve("peer"), code: "approval.not_independent"},
		"the author of what is below": {level: review, base: "dev", do: func(w *world, pr *githubtest.PullRequest) {
			w.repo.OpenPullRequest(githubtest.PullRequestOptions{Author: "peer", Branch: "dev"})
			approve("peer")(w, pr)
		}, code: "approval.not_independent"},
		"another than that": {level: review, base: "dev", do: func(w *world, pr *githubtest.PullRequest) {
			w.repo.OpenPullRequest(githubtest.PullRequestOptions{Author: "eng", Branch: "dev"})
			approve("peer")(w, pr)
		}, assurance: "agent_verified"},
		"a reviewer whose role is hidden": {level: review, do: func(w *world, pr *githubtest.PullRequest) {
			w.forbid("/repos/acme/widgets/collaborators/peer/permission")
			approve("peer")(w, pr)
		}, code: "snapshot.fact_unavailable"},
		"a push after the review": {level: review, do: func(w *world, pr *githubtest.PullRequest) {
			approve("peer")(w, pr)
			pr.Push("eng", githubtest.Commit{})
		}, code: "approval.stale"},

		"a maintainer approved":         {level: human, do: approve("boss"), assurance: "person_approved"},
		"a writer approved":             {level: human, do: approve("peer"), code: "approval.person_missing"},
		"a reader approved":             {level: human, do: approve("reader"), code: "approval.person_missing"},
		"one of the maintainers' team":  {level: human, policy: "roles: { maintainers: { teams: [core] } }", do: approve("reader"), assurance: "person_approved"},
		"an app in the team's place":    {level: human, do: approve("helper[bot]"), code: "approval.person_missing"},
		"a custom role on a maintainer": {level: human, do: approve("custom"), assurance: "person_approved"},
		"their own work":                {level: human, authors: []string{"boss"}, do: approve("boss"), code: "approval.own_work"},
		"their own work, alone": {level: human, policy: "roles: { maintainers: { permission: admin } }", authors: []string{"boss"}, do: approve("boss"),
			assurance: "self_approved"},
		"alone, as far as is shown": {level: human, policy: "roles: { maintainers: { permission: admin } }", authors: []string{"boss"},
			do: func(w *world, pr *githubtest.PullRequest) {
				w.forbid("/repos/acme/widgets/collaborators")
				approve("boss")(w, pr)
			}, code: "approval.own_work"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			w.World().AddCustomRole("release-manager", "maintain")
			for login, role := range map[string]string{"boss": "admin", "lead": "maintain", "peer": "write", "eng": "write", "reader": "read", "triager": "triage", "custom": "release-manager"} {
				w.repo.SetRole(login, role)
			}
			w.World().AddTeamMember("acme", "core", "reader")
			base := "main"
			if c.base != "" {
				base = c.base
			}
			w.repo.SetFile(base, ".github/evidence.yml", fmt.Sprintf("version: 1\nlevel: %s\n%s\n", c.level, c.policy))
			issue := w.repo.AddIssue(githubtest.IssueOptions{Author: "lead", Body: "## Required Checks\n\n- [RC-1] `npm test`\n"})
			pr := w.open(githubtest.PullRequestOptions{Author: "eng", Base: c.base, Commits: []githubtest.Commit{{Authors: c.authors}}})
			pr.EditBody("eng", fmt.Sprintf("Closes #%d\n\n## Evidence\nCurrent PR head: %s\n\n- Required check: [RC-1] `npm test`\n  Verdict: passed\n  Evidence: 128 passing, 0 failing (exit 0)\n", issue.Number(), pr.HeadSHA()))
			c.do(w, pr)
			got := checks.Evaluate(w.load(t, pr), report.Merge)
			var codes []string
			for _, d := range got.Diagnostics {
				if d.Severity == report.Error {
					codes = append(codes, string(d.Code))
				}
			}
			if c.code != "" {
				require.NotEqual(t, report.Success, got.Conclusion)
				require.True(t, slices.Contains(codes, c.code), "%v", codes)
				return
			}
			require.Empty(t, codes)
			require.Equal(t, report.Success, got.Conclusion)
			require.Equal(t, c.assurance, got.Assurance)
		})
	}
}
