package app

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/evidence-gate/evidence-gate/app/config"
	"github.com/evidence-gate/evidence-gate/internal/githubtest"
	"github.com/evidence-gate/evidence-gate/internal/published"
)

// proving is a gate whose task's only check passes, so that people alone are missing by the policy.
func proving(t *testing.T, policy string) *gate {
	t.Helper()
	g := newGate(t, "version: 1\n"+policy)
	g.carrier.Delete("eng")
	g.repo.SetRole("eng2", "write")
	g.start(config.EnrolByPolicy)
	g.pull = g.prove(g.repo.OpenPullRequest(githubtest.PullRequestOptions{Author: "eng", Title: "Add dark mode", Body: fmt.Sprintf("Closes #%d", g.task.Number())}))
	g.clock.Advance(time.Minute)
	return g
}

// prove writes evidence for the head.
func (g *gate) prove(pull *githubtest.PullRequest) *githubtest.PullRequest {
	pull.EditBody("eng", fmt.Sprintf("Closes #%d\n\n## Evidence\nCurrent PR head: %s\n\n- Required check: [RC-1] `npm test`\n  Verdict: passed\n  Evidence: 128 passing, 0 failing (exit 0)\n",
		g.task.Number(), pull.HeadSHA()))
	return pull
}

// says waits until the check run's summary holds a text.
func (g *gate) says(text string) {
	g.Helper()
	g.waitFor("the check run says "+text, func() bool {
		runs := g.runs("evidence-gate")
		return len(runs) == 1 && strings.Contains(runs[0].Summary+runs[0].Text, text)
	})
}

func (g *gate) press(by, button string) {
	g.Helper()
	g.repo.RequestAction(by, g.run().ID, button)
}

func labels(run githubtest.CheckRun) (list []string) {
	for _, a := range run.Actions {
		list = append(list, a.Label)
	}
	return list
}

// state is what the check run says for machines.
func (g *gate) state() published.State {
	g.Helper()
	run := g.run()
	state, err := published.From(run.App, "evidence-gate", run.Text)
	require.NoError(g, err)
	return state
}

func (g *gate) setTask(by, checks string) {
	g.task.EditBody(by, "## Required Checks\n\n"+checks)
	g.clock.Advance(time.Minute)
}

const twoChecks = "- [RC-1] `npm test`\n- [RC-2] `npm run lint`\n"

func TestAWeakenedContractIsAcceptedByAMaintainerOnly(t *testing.T) {
	t.Parallel()
	accept := map[string]func(g *gate){
		"by a comment": func(g *gate) {
			command := g.pull.Comment("lead", "/accept-contract")
			g.reacted(command, "+1")
		},
		"by the button": func(g *gate) { g.press("lead", "accept-contract") },
	}
	for how, by := range accept {
		t.Run(how, func(t *testing.T) {
			t.Parallel()
			g := proving(t, "")
			g.concludes("success")
			require.Empty(t, labels(g.run()))
			g.setTask("lead", twoChecks)
			g.concludes("failure") // an addition is taken
			g.says("RC-2")
			require.Len(t, g.state().Contract.Checks, 2)
			require.Equal(t, []string{"Re-evaluate"}, labels(g.run()))

			g.setTask("lead", "- [RC-1] `npm test`\n")
			g.concludes("action_required")
			require.Contains(t, g.run().Summary, "contract.changed")
			require.Equal(t, []string{"Re-evaluate", "Accept contract"}, labels(g.run()))

			refused := g.pull.Comment("eng2", "/accept-contract")
			g.reacted(refused, "confused")
			g.press("eng2", "accept-contract")
			g.waitFor("both are answered", func() bool { return len(g.replies()) == 2 })
			for _, answer := range g.replies() {
				require.Contains(t, answer, "it takes the maintainer's role")
				require.Contains(t, answer, "RC-2 was removed")
			}
			require.Equal(t, "action_required", g.run().Conclusion)
			require.Len(t, g.state().Contract.Checks, 2, "nothing is accepted")

			by(g)
			g.concludes("success")
			require.Len(t, g.state().Contract.Checks, 1)
			require.Len(t, g.replies(), 2)
			g.setTask("lead", "- [RC-1] `true`\n")
			g.concludes("action_required")
			require.Contains(t, g.run().Summary, "contract.changed", "what changes later is not accepted with it")
		})
	}
}

// A contract that is weakened in the moment of the acceptance is not the one that was accepted.
func TestAContractThatChangesAfterTheAcceptanceIsNotAccepted(t *testing.T) {
	t.Parallel()
	g := proving(t, "")
	g.concludes("success")
	g.setTask("lead", twoChecks)
	g.concludes("failure")
	g.setTask("lead", "- [RC-1] `npm test`\n")
	g.concludes("action_required")
	g.Webhooks().Hold()
	command := g.pull.Comment("lead", "/accept-contract")
	run := g.run()
	g.clock.Advance(time.Second)
	g.setTask("lead", "- [RC-1] `true`\n")
	g.repo.RequestAction("lead", run.ID, "accept-contract")
	g.Webhooks().Release()
	g.reacted(command, "confused")
	g.waitFor("both are answered", func() bool { return len(g.replies()) == 2 })
	require.Equal(t, "action_required", g.run().Conclusion)
	require.Contains(t, g.run().Summary, "contract.changed")
}

func TestTheContractIsRememberedAsItStoodWhenThePullRequestWasCreated(t *testing.T) {
	t.Parallel()
	g := newGate(t, onePolicy)
	g.carrier.Delete("eng")
	g.setTask("lead", twoChecks)
	g.pull = g.prove(g.repo.OpenPullRequest(githubtest.PullRequestOptions{Author: "eng", Body: fmt.Sprintf("Closes #%d", g.task.Number())}))
	g.clock.Advance(time.Minute)
	g.setTask("lead", "- [RC-1] `npm test`\n")
	g.start(config.EnrolByPolicy)
	g.pull.Comment("eng", "please")
	g.concludes("action_required")
	require.Contains(t, g.run().Summary, "contract.changed")
}

// A store that was lost, with a text that GitHub no longer shows in its history, is made up for by what
// was published.
func TestTheMemoryIsReadBackFromTheCheckRun(t *testing.T) {
	t.Parallel()
	g := proving(t, "")
	g.concludes("success")
	g.setTask("lead", twoChecks)
	g.concludes("failure")
	g.stop()
	g.Webhooks().SetTarget("")
	g.setTask("lead", "- [RC-1] `npm test`\n")
	g.database = t.TempDir() + "/another.db"
	g.start(config.EnrolByPolicy)
	g.settle()
	require.Equal(t, "action_required", g.run().Conclusion)
	require.Contains(t, g.run().Summary, "contract.changed")
}

// A stranger's contract waits for a maintainer, who confirms it beforehand or afterwards.
func TestAMaintainerConfirmsAContract(t *testing.T) {
	t.Parallel()
	for when, before := range map[string]bool{"before there is a pull request": true, "afterwards": false} {
		t.Run(when, func(t *testing.T) {
			t.Parallel()
			g := newGate(t, onePolicy)
			g.task = g.repo.AddIssue(githubtest.IssueOptions{Author: "passer", Body: "## Required Checks\n\n- [RC-1] `npm test`\n"})
			g.clock.Advance(time.Minute)
			g.start(config.EnrolByPolicy)
			var command *githubtest.Comment
			if before {
				command = g.task.Comment("lead", "/confirm-contract")
				g.clock.Advance(time.Minute)
			}
			g.pull = g.prove(g.repo.OpenPullRequest(githubtest.PullRequestOptions{Author: "eng", Body: fmt.Sprintf("Closes #%d", g.task.Number())}))
			if !before {
				g.concludes("action_required")
				require.Contains(t, g.run().Summary, "contract.untrusted")
				require.Equal(t, []string{"Re-evaluate", "Accept contract"}, labels(g.run()))
				g.clock.Advance(time.Minute)
				command = g.pull.Comment("lead", "/confirm-contract")
			}
			g.concludes("success")
			g.reacted(command, "+1")
		})
	}
}

func TestThreeWaysToApprove(t *testing.T) {
	t.Parallel()
	for how, approve := range map[string]func(g *gate){
		"a review":   func(g *gate) { g.pull.Review(githubtest.ReviewOptions{Author: "lead", State: "approved"}) },
		"a comment":  func(g *gate) { g.pull.Comment("lead", "/approve") },
		"the button": func(g *gate) { g.press("lead", "approve") },
	} {
		t.Run(how, func(t *testing.T) {
			t.Parallel()
			g := proving(t, "level: checks+human\nnotify: \"off\"\n")
			g.concludes("action_required")
			g.says("approval.person_missing")
			require.Equal(t, []string{"Re-evaluate", "Approve"}, labels(g.run()))

			g.press("eng", "approve")
			g.waitFor("the author's press is refused", func() bool { return len(g.replies()) == 1 })
			require.Contains(t, g.replies()[0], "eng is no maintainer")
			approve(g)
			g.concludes("success")
			require.Empty(t, labels(g.run()))
			require.Contains(t, g.run().Text, "lead")

			g.clock.Advance(time.Minute)
			g.pull.Push("eng", githubtest.Commit{})
			g.prove(g.pull)
			g.concludes("action_required")
			g.says("approval.stale")
			require.Len(t, g.replies(), 1, "nobody is asked, nothing is answered")
		})
	}
}

func TestWhoLosesTheRoleStandsBehindNothing(t *testing.T) {
	t.Parallel()
	g := proving(t, "level: checks+human\nnotify: \"off\"\n")
	g.concludes("action_required")
	g.press("lead", "approve")
	g.concludes("success")
	g.repo.SetRole("lead", "write")
	// What is known of a role is believed for five minutes: a new process knows nothing yet.
	g.start(config.EnrolByPolicy)
	g.settle()
	require.Equal(t, "action_required", g.run().Conclusion)
	require.Contains(t, g.run().Summary, "lead approved, but is no maintainer")
}

func TestAnOverrideIsVisibleForEver(t *testing.T) {
	t.Parallel()
	g := proving(t, "level: checks+human\nnotify: \"off\"\n")
	g.concludes("action_required")
	refused := g.pull.Comment("lead", "/override the release is burning")
	g.reacted(refused, "confused")
	g.waitFor("it is answered", func() bool { return len(g.replies()) == 1 })
	require.Contains(t, g.replies()[0], "it takes an admin")
	g.reacted(g.pull.Comment("boss", "/override the release is burning"), "+1")
	g.concludes("success")
	run := g.run()
	require.Contains(t, run.Summary+run.Text, "override.active")
	require.Contains(t, run.Summary+run.Text, "the release is burning")
	require.Equal(t, "override", g.state().Actions[0].Kind)

	g.clock.Advance(time.Minute)
	g.pull.Push("eng", githubtest.Commit{})
	g.prove(g.pull)
	g.concludes("action_required")
	require.NotContains(t, g.run().Summary+g.run().Text, "override.active", "for that head only")
}

func TestAReviewerAsksForAPerson(t *testing.T) {
	t.Parallel()
	g := proving(t, "notify: \"off\"\n")
	g.concludes("success")
	g.reacted(g.pull.Comment("eng2", "/needs-human this touches payments"), "+1")
	g.concludes("action_required")
	g.says("approval.person_requested")
	require.Contains(t, g.run().Summary, "this touches payments")
	g.clock.Advance(time.Minute)
	g.press("lead", "approve")
	g.concludes("success")
}

// A command that was written for one head counts for no other.
func TestAnApprovalIsForTheHeadThatWasThereWhenItWasWritten(t *testing.T) {
	t.Parallel()
	g := proving(t, "level: checks+human\nnotify: \"off\"\n")
	g.concludes("action_required")
	old := g.run()
	g.Webhooks().Hold()
	command := g.pull.Comment("lead", "/approve")
	g.clock.Advance(time.Second)
	g.pull.Push("eng", githubtest.Commit{})
	g.prove(g.pull)
	g.repo.RequestAction("lead", old.ID, "approve")
	g.Webhooks().Release()
	g.reacted(command, "confused")
	g.waitFor("both are answered", func() bool { return len(g.replies()) == 2 })
	require.Contains(t, strings.Join(g.replies(), "\n"), "the head was `"+old.HeadSHA[:12]+"` when it was written")
	require.Contains(t, strings.Join(g.replies(), "\n"), "that check run is of `"+old.HeadSHA[:12]+"`")
	g.concludes("action_required")
}

const asking = "level: checks+review\nroles: { agents: { near: { provider: a, connector: x }, far: { provider: b, connector: y }, eng: { provider: a, connector: z } } }\nreview: { reviewers: [near, far, eng], wait: 1s }\n"

func TestReviewersAreAskedOncePerHead(t *testing.T) {
	t.Parallel()
	g := newGate(t, "version: 1\n"+asking)
	g.carrier.Delete("eng")
	for _, login := range []string{"near", "far"} {
		g.repo.SetRole(login, "write")
	}
	g.start(config.EnrolByPolicy)
	g.pull = g.prove(g.repo.OpenPullRequest(githubtest.PullRequestOptions{Author: "eng", Body: fmt.Sprintf("Closes #%d", g.task.Number())}))
	g.concludes("action_required")
	g.waitFor("another provider's agent is asked", func() bool { return len(g.pull.RequestedReviewers()) > 0 })
	require.Equal(t, "far", g.pull.RequestedReviewers()[0])
	g.waitFor("then a person", func() bool { return len(g.pull.RequestedReviewers()) > 1 })
	require.Contains(t, g.pull.RequestedReviewers(), "boss")
	require.NotContains(t, g.pull.RequestedReviewers(), "near")
	require.NotContains(t, g.pull.RequestedReviewers(), "eng")
	requests := func() int {
		count := 0
		for _, r := range g.Requests() {
			if r.Method == http.MethodPost && strings.HasSuffix(r.Path, "/requested_reviewers") {
				count++
			}
		}
		return count
	}
	g.waitFor("both by a request each", func() bool { return requests() > 1 })
	before := requests()
	require.Equal(t, 2, before)
	g.start(config.EnrolByPolicy)
	g.settle()
	require.Equal(t, before, requests(), "once on a head, whatever process runs")

	g.clock.Advance(time.Minute)
	g.pull.Push("eng", githubtest.Commit{})
	g.prove(g.pull)
	g.concludes("action_required")
	g.waitFor("and anew for another head", func() bool { return requests() > before })
}

func TestWhoeverGitHubDoesNotLetAskIsNamedInOneComment(t *testing.T) {
	t.Parallel()
	for how, policy := range map[string]string{
		"a bot":                    "level: checks+review\nroles: { agents: { \"far[bot]\": { provider: b, connector: y } } }\nreview: { reviewers: [\"far[bot]\"] }\n",
		"the policy says comments": "level: checks+review\nnotify: comment\nreview: { reviewers: [far] }\n",
		"no collaborator":          "level: checks+review\nreview: { reviewers: [far] }\n",
	} {
		t.Run(how, func(t *testing.T) {
			t.Parallel()
			g := proving(t, policy)
			g.concludes("action_required")
			mine := func() (found []string) {
				for _, text := range g.replies() {
					if strings.HasPrefix(text, "<!-- evidence-gate:asking -->") {
						found = append(found, text)
					}
				}
				return found
			}
			g.waitFor("a comment", func() bool { return len(mine()) == 1 })
			require.Contains(t, mine()[0], "@far")
			require.Contains(t, mine()[0], g.pull.HeadSHA())
			require.Empty(t, g.pull.RequestedReviewers())
			g.settle()
			first := mine()
			g.pull.Push("eng", githubtest.Commit{})
			g.prove(g.pull)
			g.waitFor("the same comment names the new head", func() bool { return len(mine()) == 1 && mine()[0] != first[0] })
			require.Contains(t, mine()[0], g.pull.HeadSHA())
			g.clock.Advance(time.Minute)
			g.pull.Review(githubtest.ReviewOptions{Author: "eng2", State: "approved"})
			g.concludes("success")
			g.waitFor("and that nobody is asked any more", func() bool { return strings.Contains(mine()[0], "Nobody is asked") })
		})
	}
}

func TestAFailureOfAskingKeepsNoVerdictBack(t *testing.T) {
	t.Parallel()
	for what, status := range map[string]int{"GitHub is down": http.StatusBadGateway, "the permission is missing": http.StatusForbidden} {
		t.Run(what, func(t *testing.T) {
			t.Parallel()
			g := newGate(t, "version: 1\nlevel: checks+review\nreview: { reviewers: [eng2] }\n")
			g.carrier.Delete("eng")
			g.repo.SetRole("eng2", "write")
			g.Fail(githubtest.Fault{Match: githubtest.Match{Method: http.MethodPost, Path: "/repos/acme/widgets/pulls/*/requested_reviewers"}, Times: 1, Status: status, Message: "no"})
			g.start(config.EnrolByPolicy)
			g.pull = g.prove(g.repo.OpenPullRequest(githubtest.PullRequestOptions{Author: "eng", Body: fmt.Sprintf("Closes #%d", g.task.Number())}))
			g.concludes("action_required")
			g.settle()
			asked := status == http.StatusBadGateway
			if asked {
				g.waitFor("it is tried again", func() bool { return len(g.pull.RequestedReviewers()) == 1 })
			} else {
				require.Empty(t, g.pull.RequestedReviewers())
			}
			g.clock.Advance(time.Minute)
			g.pull.Review(githubtest.ReviewOptions{Author: "eng2", State: "approved"})
			g.concludes("success")
		})
	}
}
