package attempts_test

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// A6: one_off needs a concrete reason: what happened, not what such things are called.
func TestConcreteReasons(t *testing.T) {
	t.Parallel()
	for _, reason := range []string{
		"flaky", "Flaky!", "flake", "it is a flaky test", "flaky-test", "infra", "infrastructure problem", "network", "network/infra", "random",
		"random failure", "unrelated", "unrelated to this PR", "known issue", "because reasons", "reasons", "ci glitch", "temporary error",
		"the build failed, as it sometimes does", "fl\u200baky", "transient timeout",
	} {
		require.Equal(t, []string{"error episode.active", "warning triage.field_invalid"}, findings(triaged(triageComment("RC-1", triage(1, "Reason: "+reason)))), reason)
	}
	for _, reason := range []string{
		"the build host ran out of disk; freed and verified", "the runner died", "network: registry.example.com answered 503 until 10:20",
		"flaky DNS of the build host, resolver restarted", "someone unplugged the test phone", "power cut in the lab", "clock skew of 40 minutes on runner 7",
	} {
		require.Empty(t, findings(triaged(triageComment("RC-1", triage(1, "Reason: "+reason)))), reason)
	}
	for _, c := range []struct{ class, reference string }{{"project_fact", "VF-full-suite"}, {"follow_up", "T-9"}} {
		require.Empty(t, findings(triaged(triageComment("RC-1", triage(1, "Classification: "+c.class, "Reference: "+c.reference, "Reason: flaky")))), "another class points at what explains it")
	}
}
