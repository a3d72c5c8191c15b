package main

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/evidence-gate/evidence-gate/report"
)

const liveProfile = `# Widgets

## Verification Operating Facts

### VF-full-suite

- Command: ` + "`npm test`" + `
- Last outcome: timed_out
- Observed duration ms: 180000
- Timeout ms: 600000
- Host timeout ceiling ms: none
- Strategy: background
- Updated: 2026-11-20
- Source: issue:#42
- Revisit when: the suite is split
- Decision: none
`

// What the profile of the base branch knows is shown next to the check, wherever it is written of.
func TestFactsOfALivePullRequest(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.repo.SetFile("main", ".agenticloop/project.md", liveProfile)

	got := w.run("scaffold")
	require.Equal(t, 0, got.code, got.stderr)
	const comment = "- Required check: [RC-1] `npm test`\n  <!-- VF-full-suite: strategy background, timeout 600000 ms, host ceiling none -->\n  Verdict: not run\n"
	require.Contains(t, got.stdout, comment)

	got = w.run("brief")
	require.Equal(t, 0, got.code, got.stderr)
	require.Contains(t, got.stdout, "- \\[RC-1\\]: strategy background, timeout 600000 ms, last outcome timed out after 180000 ms, updated 2026-11-20 (`VF-full-suite`)\n")

	got = w.run("scaffold", "--write")
	require.Equal(t, 0, got.code, got.stderr)
	require.Contains(t, w.pr.Body(), comment)
	written := w.pr.Body()
	require.Equal(t, 0, w.run("scaffold", "--write").code)
	require.Equal(t, written, w.pr.Body())

	w.pr.EditBody("eng", w.evidence(w.pr.HeadSHA()))
	_, r := w.judged(t, report.Review)
	require.Equal(t, report.Success, r.Conclusion, "%+v", r.Diagnostics)
	require.NotNil(t, r.Checks[0].Fact)
	require.Equal(t, "background", r.Checks[0].Fact.Strategy)
	require.Nil(t, r.Checks[1].Fact)
}

// A broken profile is told and blocks nobody who did not break it.
func TestABrokenProfileBlocksNobody(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.repo.SetFile("main", ".agenticloop/project.md", "## Verification Operating Facts\n\n### full-suite\n")
	w.pr.EditBody("eng", w.evidence(w.pr.HeadSHA()))
	_, r := w.judged(t, report.Merge)
	require.Equal(t, report.Success, r.Conclusion, "%+v", r.Diagnostics)
	require.Contains(t, codesOf(r), report.CodeProfileIdInvalid)
}
