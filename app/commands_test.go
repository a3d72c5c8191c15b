package app

import (
	"net/http"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/evidence-gate/evidence-gate/internal/githubtest"
)

const triageLine = "/triage RC-1 attempt 1 one_off because the build host ran out of disk"

func names(c *githubtest.Comment) string { return "- Comment: " + strconv.FormatInt(c.ID(), 10) + "\n" }

func TestAMaintainersTriageIsAppended(t *testing.T) {
	t.Parallel()
	for where, onTask := range map[string]bool{"on the task": true, "on the pull request": false} {
		t.Run(where, func(t *testing.T) {
			t.Parallel()
			g := runningGate(t)
			before := g.carrier.Body()
			var command *githubtest.Comment
			if text := "I looked at the host.\n\n" + triageLine + "\n\nThanks!"; onTask {
				command = g.task.Comment("lead", text)
			} else {
				command = g.pull.Comment("lead", text)
			}
			g.concludes("success")
			g.reacted(command, "+1")
			after := g.carrier.Body()
			added := "\n#### Triage for attempt 1\n\n- Classification: one_off\n- Reference: none\n- Reason: the build host ran out of disk\n- Triaged by: maintainer\n"
			require.Contains(t, after, added)
			require.Equal(t, 1, strings.Count(after, names(command)))
			trailer := strings.LastIndex(before, "[[agent: engineer]]")
			require.True(t, strings.HasPrefix(after, before[:trailer]), "every byte that was there stays")
			require.True(t, strings.HasSuffix(after, before[trailer:]))
			g.settle()
			require.Equal(t, after, g.carrier.Body(), "once")
			require.Empty(t, g.replies())
			require.NotContains(t, g.log.String(), "out of disk", "private text stays out of the log")
		})
	}
}

func TestCommandsOfOthers(t *testing.T) {
	t.Parallel()
	rows := []struct {
		rule, by, says string
		reaction       string
	}{
		{"an engineer triages", "eng", "it takes the maintainer's role", "confused"},
		{"a stranger triages", "passer", "commands are for the maintainers", ""},
	}
	for _, row := range rows {
		t.Run(row.rule, func(t *testing.T) {
			t.Parallel()
			g := runningGate(t)
			command := g.pull.Comment(row.by, triageLine)
			g.waitFor("a reply", func() bool { return len(g.replies()) == 1 })
			require.Contains(t, g.replies()[0], row.says)
			require.Contains(t, g.replies()[0], "`"+triageLine+"`")
			if row.reaction != "" {
				g.reacted(command, row.reaction)
			}
			g.settle()
			require.Len(t, g.replies(), 1)
			require.Equal(t, g.attempts(1), g.carrier.Body())
			require.Equal(t, "action_required", g.run().Conclusion)
		})
	}
}

// TestStrangersCannotMakeItWrite: it says once that it ignores them, whoever they are.
func TestStrangersCannotMakeItWrite(t *testing.T) {
	t.Parallel()
	g := runningGate(t)
	for range 3 {
		for _, by := range []string{"passer", "other", "another"} {
			g.pull.Comment(by, "/override @lead @boss I am sure")
		}
	}
	g.waitFor("a reply", func() bool { return len(g.replies()) == 1 })
	last := g.pull.Comment("lead", "/evaluate")
	g.reacted(last, "+1")
	g.settle()
	require.Len(t, g.replies(), 1)
	require.NotRegexp(t, "(^|[^`])@lead", strings.ReplaceAll(g.replies()[0], "`/override @lead @boss I am sure`", ""), "nobody is mentioned")
}

func TestTheAuthorsTriageWithAndWithoutAnotherMaintainer(t *testing.T) {
	t.Parallel()
	rows := []struct {
		rule    string
		another string
		accepts bool
	}{
		{"there is another", "maintain", false},
		{"there is none", "write", true},
	}
	for _, row := range rows {
		t.Run(row.rule, func(t *testing.T) {
			t.Parallel()
			g := newGate(t, onePolicy)
			for _, login := range []string{"lead", "boss"} {
				g.repo.SetRole(login, row.another)
			}
			g.repo.SetRole("eng", "maintain")
			g.start("policy")
			g.pull = g.open("eng")
			g.concludes("action_required")
			command := g.pull.Comment("eng", triageLine)
			if row.accepts {
				g.reacted(command, "+1")
				g.concludes("success")
				return
			}
			g.reacted(command, "confused")
			g.waitFor("a reply", func() bool { return len(g.replies()) == 1 })
			require.Contains(t, g.replies()[0], "while the repository has another maintainer")
			require.Equal(t, g.attempts(1), g.carrier.Body())
		})
	}
}

func TestRefusedCommandsSayWhy(t *testing.T) {
	t.Parallel()
	rows := []struct{ rule, line, says string }{
		{"no such attempt", "/triage RC-1 attempt 7 one_off because the build host ran out of disk", "triage.target_missing"},
		{"no carrier", "/triage RC-9 attempt 1 one_off because the build host ran out of disk", "RC-9 has no carrier"},
		{"no decision of that name", "/triage RC-1 attempt 1 decision D-404 because the team decided so", "triage.reference_missing"},
		{"not a triage", "/triage accepted", "/triage RC-1 attempt 1 one_off because"},
		{"no reason", "/triage RC-1 attempt 1 one_off because TODO", "the reason is missing"},
		{"nothing is lost", "/accept-loss RC-1 because the wrong log was pasted", "no recorded history of RC-1 is lost"},
		{"no reason for the loss", "/accept-loss RC-1", "expected /accept-loss RC-1 because"},
		{"no reason to ask for a person", "/needs-human", "found no reason"},
		{"text that does harm", "/triage RC-1 attempt @acme/core <img src=x> [x](http://a.example) <!-- --> `x` because", "not carried out"},
	}
	g := runningGate(t)
	var written []*githubtest.Comment
	for _, row := range rows {
		written = append(written, g.pull.Comment("lead", row.line))
	}
	g.waitFor("replies", func() bool { return len(g.replies()) == len(rows) })
	for i, row := range rows {
		g.reacted(written[i], "confused")
		answer := g.replies()[i]
		require.Contains(t, answer, strconv.FormatInt(written[i].ID(), 10), row.rule)
		require.Contains(t, answer, row.says, row.rule)
		for _, line := range strings.Split(answer, "\n")[1:] {
			require.NotRegexp(t, "@|<|\\]\\(", codeSpans.ReplaceAllString(line, ""), "nothing of the comment is live in the reply")
		}
	}
	g.settle()
	require.Len(t, g.replies(), len(rows))
	require.Equal(t, g.attempts(1), g.carrier.Body())
}

var codeSpans = regexp.MustCompile("`` .*? ``|`[^`]*`")

func TestAnEditedCommandExecutesNothing(t *testing.T) {
	t.Parallel()
	g := runningGate(t)
	g.Webhooks().Hold()
	command := g.pull.Comment("lead", "/evaluate")
	g.clock.Advance(time.Second)
	command.Edit("lead", triageLine)
	g.Webhooks().Release()
	g.reacted(command, "confused")
	g.waitFor("a reply", func() bool { return len(g.replies()) == 1 })
	require.Contains(t, g.replies()[0], "the comment was edited")
	command.Edit("lead", triageLine+", really")
	g.settle()
	require.Len(t, g.replies(), 1, "said once")
	require.Equal(t, g.attempts(1), g.carrier.Body())
}

func TestACommandThatIsEditedLaterCountsNoLonger(t *testing.T) {
	t.Parallel()
	g := runningGate(t)
	command := g.pull.Comment("lead", triageLine)
	g.concludes("success")
	g.clock.Advance(time.Second)
	command.Edit("lead", strings.Replace(triageLine, "one_off", "one_off", 1)+" again")
	g.concludes("action_required")
	g.waitFor("a reply", func() bool { return len(g.replies()) == 1 })
	require.Contains(t, g.replies()[0], "had been carried out before it was edited")
	command.Edit("lead", triageLine+" once more")
	g.settle()
	require.Len(t, g.replies(), 1)
	require.Equal(t, 1, strings.Count(g.carrier.Body(), "#### Triage"))
}

// TestEditsThatRaceWithTheAppend: whatever is written while the App writes, nobody's text is lost.
func TestEditsThatRaceWithTheAppend(t *testing.T) {
	t.Parallel()
	edit := githubtest.Match{Method: http.MethodPatch, Path: "/repos/acme/widgets/issues/comments/"}
	t.Run("an attempt is added between reading and writing", func(t *testing.T) {
		t.Parallel()
		g := runningGate(t)
		g.between.before(edit, func() { g.carrier.Edit("eng", g.attempts(2)) })
		command := g.pull.Comment("lead", triageLine)
		g.reacted(command, "+1")
		g.settle()
		require.Contains(t, g.carrier.Body(), "#### Attempt 2", "the edit that was overwritten is back")
		require.Equal(t, 1, strings.Count(g.carrier.Body(), names(command)))
		require.Empty(t, g.replies())
		require.NotContains(t, g.run().Summary, "carrier.rewritten")
	})
	t.Run("twice in a row", func(t *testing.T) {
		t.Parallel()
		g := runningGate(t)
		g.between.before(edit, func() {
			g.carrier.Edit("eng", g.attempts(2))
			g.between.before(edit, func() { g.carrier.Edit("eng", g.attempts(3)) })
		})
		command := g.pull.Comment("lead", triageLine)
		g.reacted(command, "+1")
		g.settle()
		require.Contains(t, g.carrier.Body(), "#### Attempt 3")
		require.Equal(t, 1, strings.Count(g.carrier.Body(), names(command)))
		require.NotContains(t, g.run().Summary, "carrier.rewritten")
	})
	t.Run("somebody's editor was open and overwrites the triage", func(t *testing.T) {
		t.Parallel()
		g := runningGate(t)
		// The next request after the write reads the comment again.
		g.between.before(edit, func() {
			g.between.before(githubtest.Match{Method: http.MethodGet, Path: edit.Path}, func() { g.carrier.Edit("eng", g.attempts(2)) })
		})
		command := g.pull.Comment("lead", triageLine)
		g.reacted(command, "+1")
		g.settle()
		require.Contains(t, g.carrier.Body(), "#### Attempt 2")
		require.Equal(t, 1, strings.Count(g.carrier.Body(), names(command)))
	})
}

// TestAFailureBetweenWritingAndRecording: the work is done again and nothing happens twice.
func TestAFailureBetweenWritingAndRecording(t *testing.T) {
	t.Parallel()
	for what, match := range map[string]githubtest.Match{
		"reading again":  {Operation: "Comment"},
		"the write":      {Method: http.MethodPatch, Path: "/repos/acme/widgets/issues/comments/*"},
		"the reaction":   {Method: http.MethodPost, Path: "/repos/acme/widgets/issues/comments/*/reactions"},
		"loading anew":   {Operation: "PullRequest"},
		"the check runs": {Method: http.MethodPatch, Path: "/repos/acme/widgets/check-runs/*"},
	} {
		t.Run(what, func(t *testing.T) {
			t.Parallel()
			g := runningGate(t)
			g.Fail(githubtest.Fault{Match: match, Times: 2, Drop: true, AfterEffect: true})
			command := g.pull.Comment("lead", triageLine)
			g.concludes("success")
			g.reacted(command, "+1")
			g.settle()
			require.Equal(t, 1, strings.Count(g.carrier.Body(), names(command)))
			require.Len(t, command.Reactions(), 1)
		})
	}
	t.Run("the reply", func(t *testing.T) {
		t.Parallel()
		g := runningGate(t)
		g.Fail(githubtest.Fault{Match: githubtest.Match{Method: http.MethodPost, Path: "/repos/acme/widgets/issues/*/comments"}, Times: 1, Drop: true, AfterEffect: true})
		command := g.pull.Comment("eng", triageLine)
		g.reacted(command, "confused")
		g.settle()
		require.Len(t, g.replies(), 1)
	})
}

func TestACarrierThatTheAppMayNotEdit(t *testing.T) {
	t.Parallel()
	g := runningGate(t)
	g.Fail(githubtest.Fault{Match: githubtest.Match{Method: http.MethodPatch, Path: "/repos/acme/widgets/issues/comments/*"}, Times: -1, Status: http.StatusForbidden, Message: "Resource not accessible by integration"})
	command := g.pull.Comment("lead", triageLine)
	g.reacted(command, "confused")
	g.waitFor("a reply", func() bool { return len(g.replies()) == 1 })
	require.Contains(t, g.replies()[0], "the App may not read and edit that comment")
	g.settle()
	require.Equal(t, "action_required", g.run().Conclusion, "the pull request is judged all the same")
}

func TestAnAnswerThatCannotBeGivenKeepsNoVerdictBack(t *testing.T) {
	t.Parallel()
	g := runningGate(t)
	for _, path := range []string{"/repos/acme/widgets/issues/comments/*/reactions", "/repos/acme/widgets/issues/*/comments"} {
		g.Fail(githubtest.Fault{Match: githubtest.Match{Method: http.MethodPost, Path: path}, Times: -1, Status: http.StatusForbidden, Message: "locked"})
	}
	g.pull.Comment("eng", triageLine)
	g.pull.Comment("lead", triageLine)
	g.concludes("success")
	require.Empty(t, g.replies())
	require.Contains(t, g.log.String(), "a command could not be answered")
}

// TestATriageReachesTheOtherPullRequestsOfTheTask though what the App writes is no event: they are
// judged anew. The comment that is the maintainer's hand (A12) must be one that they show.
func TestATriageReachesTheOtherPullRequestsOfTheTask(t *testing.T) {
	t.Parallel()
	for where, counts := range map[string]bool{"written on the task": true, "written on one pull request": false} {
		t.Run(where, func(t *testing.T) {
			t.Parallel()
			g := runningGate(t)
			first := g.pull
			g.pull = g.open("eng")
			g.concludes("action_required")
			before := g.run()
			if counts {
				g.task.Comment("lead", triageLine)
				g.concludes("success")
			} else {
				first.Comment("lead", triageLine)
				g.waitFor("the other one is judged anew", func() bool { return g.run().Updates > before.Updates })
				require.Equal(t, "action_required", g.run().Conclusion)
				require.Contains(t, g.run().Text, "triage.not_maintainer")
			}
			g.pull = first
			g.concludes("success")
			require.Equal(t, 1, strings.Count(g.carrier.Body(), "#### Triage"))
		})
	}
}
