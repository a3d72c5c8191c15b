package app

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// TestADeletedCarrierIsRewrittenUntilItIsRestoredOrAccepted goes through webhook, store and judge.
func TestADeletedCarrierIsRewrittenUntilItIsRestoredOrAccepted(t *testing.T) {
	t.Parallel()
	t.Run("restored by anyone", func(t *testing.T) {
		t.Parallel()
		g := runningGate(t)
		g.carrier.Delete("eng")
		g.concludes("failure")
		require.Contains(t, g.run().Summary, "carrier.rewritten")
		require.NotContains(t, g.log.String(), "cache suite", "private text stays out of the log")
		g.task.Comment("boss", g.attempts(1))
		g.concludes("action_required")
		require.NotContains(t, g.run().Summary, "carrier.rewritten")
	})
	t.Run("accepted by a maintainer", func(t *testing.T) {
		t.Parallel()
		g := runningGate(t)
		g.carrier.Delete("eng")
		g.concludes("failure")
		refused := g.pull.Comment("eng", "/accept-loss RC-1 because I say so")
		g.reacted(refused, "confused")
		command := g.pull.Comment("lead", "/accept-loss RC-1 because the log of another project was pasted")
		g.reacted(command, "+1")
		g.settle()
		require.NotContains(t, g.run().Summary, "carrier.rewritten")

		actions, err := g.actions()
		require.NoError(t, err)
		require.Len(t, actions, 1)
		require.Equal(t, "lead", actions[0].Actor.Login)
		require.Equal(t, "maintain", actions[0].Actor.Permission)
		require.Regexp(t, "^sha256:[0-9a-f]{64}$", actions[0].Digest)
		require.Equal(t, "the log of another project was pasted", actions[0].Reason)
		require.Equal(t, g.carrier.ID(), actions[0].CommentID)

		g.clock.Advance(time.Minute)
		again := g.task.Comment("eng", g.attempts(2))
		g.concludes("action_required")
		again.Delete("eng")
		g.concludes("failure")
		require.Contains(t, g.run().Summary, "carrier.rewritten", "what is lost later is not accepted with it")
	})
}

func TestACarrierThatLosesItsHistory(t *testing.T) {
	t.Parallel()
	g := runningGate(t)
	g.clock.Advance(time.Minute)
	g.carrier.Edit("eng", strings.Replace(g.attempts(1), "Outcome: failed", "Outcome: passed", 1))
	g.concludes("failure")
	require.Contains(t, g.run().Summary, "carrier.rewritten")
	g.carrier.EraseRevision("eng", 0)
	g.settle()
	require.Contains(t, g.run().Summary, "carrier.rewritten", "GitHub forgot it, the service did not")
	require.Contains(t, g.run().Summary, "carrier.history_erased")
	g.reacted(g.pull.Comment("lead", "/accept-loss RC-1 because the log of another project was pasted"), "+1")
	g.settle()
	require.NotContains(t, g.run().Summary, "carrier.")
}

// TestTheMemoryOutlivesTheProcess: what was deleted while the service was down is missed at the next
// look.
func TestTheMemoryOutlivesTheProcess(t *testing.T) {
	t.Parallel()
	g := runningGate(t)
	g.stop()
	g.Webhooks().SetTarget("")
	g.carrier.Delete("eng")
	g.start("policy")
	g.settle()
	require.Contains(t, g.run().Summary, "carrier.rewritten")
}
