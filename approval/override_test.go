package approval_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/evidence-gate/evidence-gate/approval"
	"github.com/evidence-gate/evidence-gate/profile/policy"
	"github.com/evidence-gate/evidence-gate/report"
	"github.com/evidence-gate/evidence-gate/snapshot"
)

// Section 9: /override REASON by an admin passes the gate for this head.
func TestOverride(t *testing.T) {
	t.Parallel()
	hotfix := because("hotfix, evidence follows")
	robot := &snapshot.Actor{Login: "root[bot]", Type: "Bot", Permission: "admin"}
	for rule, r := range map[string]struct {
		change  change
		refused string // empty: it counts
	}{
		"an admin's":             {action("override", chief, hotfix), ""},
		"a maintainer's":         {action("override", lead, hotfix), "it takes an admin, and lead has the permission maintain"},
		"of an unknown role":     {action("override", user("who", ""), hotfix), "the permission of who is not known"},
		"a deleted account's":    {action("override", nil, hotfix), "nobody can be asked"},
		"a bot's":                {action("override", robot, hotfix), "it takes a person"},
		"for an older commit":    {action("override", chief, hotfix, forCommit(older)), "given for 9b0e4d2c7a61, and the head is 3f9c1a7be2d8"},
		"for no commit":          {action("override", chief, hotfix, forCommit("")), "given for no commit"},
		"without a reason":       {action("override", chief, because(" ")), "gives no reason"},
		"with an invisible one":  {action("override", chief, because("\u200b\u2060")), "gives no reason"},
		"with dots":              {action("override", chief, because("...")), "gives no reason"},
		"with a placeholder":     {action("override", chief, because("TODO")), "gives no reason"},
		"another kind of action": {action("approve", chief, hotfix), "-"},
	} {
		t.Run(rule, func(t *testing.T) {
			t.Parallel()
			for _, stage := range []report.Stage{report.Review, report.Merge} {
				f := facts(checks, r.change)
				f.Stage = stage
				got := approval.Judge(f)
				switch r.refused {
				case "":
					require.Equal(t, chief, got.Override.Actor)
					require.Empty(t, got.OverrideRefused)
				case "-":
					require.Nil(t, got.Override)
					require.Empty(t, got.OverrideRefused)
				default:
					require.Nil(t, got.Override)
					require.Contains(t, got.OverrideRefused, r.refused)
				}
			}
		})
	}
	agent := facts(checks, action("override", chief, hotfix), agents(map[string]policy.Agent{"chief": {}}))
	require.Nil(t, approval.Judge(agent).Override, "an agent's does not count, whatever its permission")
	both := facts(checks, action("override", chief, hotfix), action("override", lead, hotfix))
	require.NotNil(t, approval.Judge(both).Override)
	require.Empty(t, approval.Judge(both).OverrideRefused)
}

// It stays visible: who, when, for which commit and why, bounded.
func TestAnOverrideIsShown(t *testing.T) {
	t.Parallel()
	f := facts(checks, action("override", chief, because("hotfix\n\n"+strings.Repeat("y", 100_000))))
	d := approval.Overridden(*approval.Judge(f).Override)
	require.Equal(t, report.CodeOverrideActive, d.Code)
	require.Equal(t, report.Note, d.Severity)
	require.True(t, strings.HasPrefix(d.Message, "chief passed the gate for commit 3f9c1a7be2d8 at 2026-11-29T12:00:00Z: hotfix yyy"), d.Message)
	require.Less(t, len(d.Message), 500)
	require.Less(t, len(d.Details["reason"].(string)), 5000)
}
