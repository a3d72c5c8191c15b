package action_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/evidence-gate/evidence-gate/checks"
	"github.com/evidence-gate/evidence-gate/internal/githubtest"
	"github.com/evidence-gate/evidence-gate/report"
	"github.com/evidence-gate/evidence-gate/snapshot"
)

// One engine, proved (design section 19): what a GitHub can show of a case leads through simulator,
// loader and Action to the Report that follows from the case itself.
func TestCasesThroughTheAction(t *testing.T) {
	t.Parallel()
	cases, err := filepath.Glob("../testdata/cases/*.json")
	require.NoError(t, err)
	shown := 0
	for _, name := range cases {
		var c struct {
			ID       string            `json:"id"`
			Stage    report.Stage      `json:"stage"`
			Snapshot snapshot.Snapshot `json:"snapshot"`
		}
		require.NoError(t, json.Unmarshal([]byte(read(t, name)), &c), name)
		w := &world{clock: githubtest.NewClock(mustTime(t, c.Snapshot.Now))}
		w.Server = githubtest.NewT(t, githubtest.Options{Clock: w.clock.Now})
		pr, known, err := w.World().Show(c.Snapshot)
		if errors.Is(err, githubtest.ErrNotShown) {
			w.Close()
			continue
		}
		require.NoError(t, err, c.ID)
		shown++
		t.Run(c.ID, func(t *testing.T) {
			t.Parallel()
			defer w.Close()
			w.World().AddWorkflowToken(token, pr.Repository(), earlierTextsToo())
			j := w.job(t, "pull_request", fmt.Appendf(nil, `{"repository":{"full_name":%q},"pull_request":{"number":%d}}`, pr.Repository().FullName(), pr.Number()))
			j.variables["INPUT_STAGE"] = string(c.Stage)
			j.run(t, w)
			require.NoError(t, j.err)
			require.Equal(t, asJSON(t, checks.Evaluate(known, c.Stage)), read(t, outputs(t, j.output)["report"]))
		})
	}
	require.Greater(t, shown, len(cases)*3/4, "most cases can be shown by a GitHub")
}

// asJSON is the Report as the Action saves it.
func asJSON(t *testing.T, r report.Report) string {
	t.Helper()
	var text bytes.Buffer
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	require.NoError(t, encoder.Encode(r))
	return text.String()
}

// earlierTextsToo are permissions that also show the earlier texts of a body, which some cases hold.
func earlierTextsToo() map[string]string {
	granted := maps.Clone(everything)
	granted["pull_requests"] = "write"
	return granted
}
