package app

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/evidence-gate/evidence-gate/internal/githubtest"
)

// TestEnrolment is the rule of design section 9: who has no policy gets nothing.
func TestEnrolment(t *testing.T) {
	t.Parallel()
	rows := []struct {
		rule       string
		own, above string // policies
		enrol      string
		refused    string // GitHub refuses to show this file
		published  bool
		says       string
	}{
		{rule: "no policy at all", enrol: "policy"},
		{rule: "no policy, but all are enrolled", enrol: "all", published: true},
		{rule: "a policy of its own", own: onePolicy, enrol: "policy", published: true},
		{rule: "a policy of its organisation", above: onePolicy, enrol: "policy", published: true},
		{rule: "a policy that is broken", own: "version: 9\n", enrol: "policy", published: true, says: "policy.invalid"},
		{rule: "a policy that cannot be read", own: onePolicy, enrol: "policy", refused: "/repos/acme/widgets/contents/.github/evidence.yml", published: true, says: "policy"},
		{rule: "an organisation's policy that cannot be read", enrol: "policy", refused: "/repos/acme/.github/contents/.github/evidence.yml", published: true, says: "policy"},
	}
	for _, row := range rows {
		t.Run(row.rule, func(t *testing.T) {
			t.Parallel()
			g := newGate(t, row.own)
			if row.above != "" {
				g.World().AddRepository("acme/.github", githubtest.RepositoryOptions{}).SetFile("main", ".github/evidence.yml", row.above)
			}
			if row.refused != "" {
				g.World().AddRepository("acme/.github", githubtest.RepositoryOptions{})
				g.Fail(githubtest.Fault{Match: githubtest.Match{Path: row.refused}, Times: -1, Status: http.StatusForbidden, Message: "Resource not accessible by integration"})
			}
			g.start(row.enrol)
			g.pull = g.open("eng")
			command := g.pull.Comment("passer", triageLine)
			if !row.published {
				require.Eventually(t, g.done, patient, 5*time.Millisecond, "the events are done")
				require.Empty(t, g.repo.CheckRuns(g.pull.HeadSHA()))
				require.Empty(t, g.replies())
				require.Empty(t, command.Reactions())
				require.Empty(t, g.remembered(), "nothing private is kept either")
				return
			}
			g.concludes("action_required")
			require.Contains(t, g.run().Summary, row.says)
		})
	}
}

// TestAFailureInARepositoryThatIsNotEnrolledIsNotPublished, once it was seen not to be.
func TestAFailureInARepositoryThatIsNotEnrolledIsNotPublished(t *testing.T) {
	t.Parallel()
	g := newGate(t, "")
	g.start("policy")
	g.pull = g.open("eng")
	require.Eventually(t, g.done, patient, 5*time.Millisecond, "the events are done")
	g.Fail(githubtest.Fault{Match: githubtest.Match{Operation: "PullRequest"}, Times: -1, Status: http.StatusForbidden, Message: "no"})
	g.pull = g.open("eng")
	require.Eventually(t, g.failed, patient, 5*time.Millisecond, "it is given up")
	require.Empty(t, g.repo.CheckRuns(g.pull.HeadSHA()))
}

func TestThePolicysNameAndMode(t *testing.T) {
	t.Parallel()
	g := newGate(t, "version: 1\ncheck_name: proof\n")
	g.start("policy")
	g.pull = g.open("eng")
	g.waitFor("a check run of the policy's name", func() bool { return len(g.runs("proof")) == 1 })
	require.Empty(t, g.runs("evidence-gate"))

	g.repo.SetFile("main", ".github/evidence.yml", "version: 1\ncheck_name: gate\nmode: report\n")
	g.pull.Comment("eng", "The policy calls it otherwise now.")
	g.waitFor("a check run of the new name", func() bool {
		old, now := g.runs("proof"), g.runs("gate")
		return len(now) == 1 && now[0].Status == "completed" && old[0].Title == "Superseded by a newer run"
	})
	require.Equal(t, "success", g.runs("gate")[0].Conclusion)
	require.Contains(t, g.runs("gate")[0].Title, "would be action-required")
	require.Equal(t, "success", g.runs("proof")[0].Conclusion, "it says what the new one says")

	g.repo.SetFile("main", ".github/evidence.yml", "version: 1\nlevel: off\ncheck_name: gate\n")
	g.pull.Comment("eng", "Nothing is asked now.")
	g.waitFor("neutral is success, and says why", func() bool {
		run := g.runs("gate")[0]
		return run.Conclusion == "success" && run.Updates > 0 && run.Title != "" && !strings.Contains(run.Title, "would be")
	})
	require.Contains(t, g.runs("gate")[0].Summary, "off")
}
