package main

import (
	"context"
	"net/http"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/evidence-gate/evidence-gate/attempts"
	"github.com/evidence-gate/evidence-gate/internal/githubtest"
)

// failedOnce is a carrier of RC-1 with one attempt that failed.
func failedOnce(t *testing.T) string {
	t.Helper()
	draft, err := attempts.NewCarrier("RC-1", attempts.Attempt{
		Artifact: "3f9c1a7be2d84065c1b7a9e0d3f4628517ab90cd", Command: "npm test", Strategy: attempts.Split,
		TimeoutMS: "180000", Outcome: attempts.Failed, DurationMS: "4200", Required: "true",
		PartialEvidence: "3 failing in the cache suite", ProposedNext: attempts.None, RecordedAt: "2020-01-01T09:00:00Z",
	})
	require.NoError(t, err)
	return draft.Body
}

func section(head string) string {
	return "Closes #1\n\n## Evidence\nCurrent PR head: " + head +
		"\n\n- Required check: [RC-1] `npm test`\n  Verdict: failed\n  Evidence: 3 failing in the cache suite\n"
}

// TestKillDuringACommand: a process that dies between the parts of a command leaves nothing undone and
// nothing done twice.
func TestKillDuringACommand(t *testing.T) {
	t.Parallel()
	reaction := githubtest.Match{Method: http.MethodPost, Path: "/repos/*/*/issues/comments/*/reactions"}
	rows := []struct {
		when    string
		fault   githubtest.Fault
		reached func(carrier, command *githubtest.Comment) bool
	}{
		{"when the carrier was written and nothing else", githubtest.Fault{Match: reaction, Times: -1, Latency: time.Hour},
			func(carrier, _ *githubtest.Comment) bool { return strings.Contains(carrier.Body(), "#### Triage") }},
		{"when the comment was answered and nothing recorded", githubtest.Fault{Match: reaction, Times: -1, Drop: true, AfterEffect: true},
			func(_, command *githubtest.Comment) bool { return len(command.Reactions()) > 0 }},
	}
	for _, row := range rows {
		t.Run(row.when, func(t *testing.T) {
			t.Parallel()
			ctx, cancel := context.WithTimeout(t.Context(), 2*patience)
			defer cancel()
			gh, folder := githubtest.NewT(t), t.TempDir()
			repo, issue, options := placeWithTask(gh)
			carrier := issue.Comment("eng", failedOnce(t))
			pull := repo.OpenPullRequest(options)
			pull.EditBody("eng", section(pull.HeadSHA()))
			command := pull.Comment("lead", "/triage RC-1 attempt 1 one_off because the build host ran out of disk")
			gh.Fail(row.fault)
			first := startProcess(t, gh, folder)
			gh.Webhooks().SetTarget(first.webhooks)
			pull.AddLabel("eng", "ready")
			require.NoError(t, gh.WaitFor(ctx, func() bool { return row.reached(carrier, command) }))
			require.Equal(t, -1, first.end(syscall.SIGKILL))

			gh.ClearFaults()
			gh.Webhooks().SetTarget("")
			second := startProcess(t, gh, folder)
			require.NoError(t, gh.WaitFor(ctx, func() bool {
				runs := repo.CheckRuns(pull.HeadSHA())
				return len(runs) == 1 && runs[0].Conclusion == "success"
			}), second.logged())
			require.Equal(t, 1, strings.Count(carrier.Body(), "#### Triage"))
			require.Equal(t, []string{"evidence-gate[bot] +1"}, command.Reactions())
		})
	}
}

// TestWhatWasSeenSurvivesAKill: a carrier that is deleted while nobody looks is missed all the same.
func TestWhatWasSeenSurvivesAKill(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithTimeout(t.Context(), 2*patience)
	defer cancel()
	gh, folder := githubtest.NewT(t), t.TempDir()
	repo, issue, options := placeWithTask(gh)
	carrier := issue.Comment("eng", failedOnce(t))
	first := startProcess(t, gh, folder)
	gh.Webhooks().SetTarget(first.webhooks)
	pull := repo.OpenPullRequest(options)
	require.NoError(t, gh.WaitFor(ctx, func() bool { return len(repo.CheckRuns(pull.HeadSHA())) == 1 }))
	require.Equal(t, -1, first.end(syscall.SIGKILL))

	gh.Webhooks().SetTarget("")
	carrier.Delete("eng")
	second := startProcess(t, gh, folder)
	gh.Webhooks().SetTarget(second.webhooks)
	pull.EditBody("eng", section(pull.HeadSHA()))
	require.NoError(t, gh.WaitFor(ctx, func() bool {
		return strings.Contains(repo.CheckRuns(pull.HeadSHA())[0].Summary, "carrier.rewritten")
	}), second.logged())
	require.NotContains(t, first.logged()+second.logged(), "cache suite", "private text stays out of the log")
}
