package main

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/evidence-gate/evidence-gate/checks"
	"github.com/evidence-gate/evidence-gate/internal/githubtest"
	"github.com/evidence-gate/evidence-gate/report"
	"github.com/evidence-gate/evidence-gate/snapshot"
)

// One engine, proved (design section 19): `evaluate` prints the Report of the library for every case,
// and the live command the same for every case that a GitHub can show, but for the note that it does
// not know what the App remembers.
func TestCasesThroughTheCommands(t *testing.T) {
	t.Parallel()
	cases, err := filepath.Glob("../../testdata/cases/*.json")
	require.NoError(t, err)
	shown := 0
	for _, name := range cases {
		text, err := os.ReadFile(name)
		require.NoError(t, err)
		var c struct {
			ID       string            `json:"id"`
			Stage    report.Stage      `json:"stage"`
			Snapshot json.RawMessage   `json:"snapshot"`
			facts    snapshot.Snapshot // the same, decoded
		}
		require.NoError(t, json.Unmarshal(text, &c), name)
		require.NoError(t, json.Unmarshal(c.Snapshot, &c.facts), name)

		file := filepath.Join(t.TempDir(), "snapshot.json")
		require.NoError(t, os.WriteFile(file, c.Snapshot, 0o600))
		offline := (&world{clock: githubtest.NewClock(time.Now()), dir: t.TempDir()}).run("evaluate", "--snapshot", file, "--stage", string(c.Stage), "--json")
		require.Equal(t, decoded(t, checks.Evaluate(c.facts, c.Stage)), offline.report(t), c.ID)

		at, err := time.Parse(time.RFC3339, c.facts.Now)
		require.NoError(t, err, c.ID)
		w := &world{clock: githubtest.NewClock(at), dir: t.TempDir()}
		w.Server = githubtest.NewT(t, githubtest.Options{Clock: w.clock.Now})
		pr, known, err := w.World().Show(c.facts)
		if errors.Is(err, githubtest.ErrNotShown) {
			w.Close()
			continue
		}
		require.NoError(t, err, c.ID)
		shown++
		t.Run(c.ID, func(t *testing.T) {
			t.Parallel()
			defer w.Close()
			pr.Repository().SetRole("cli", "write")
			w.World().AddUserToken("ghp_cli", "cli")
			w.environment = map[string]string{"GITHUB_API_URL": w.URL(), "GH_TOKEN": "ghp_cli"}
			live := w.run("--repo", pr.Repository().FullName(), "--pr", strconv.Itoa(pr.Number()), "--stage", string(c.Stage), "--json")
			want := checks.Evaluate(known, c.Stage)
			want.Notes = append(want.Notes, "memory_not_judged")
			want, got := decoded(t, want), live.report(t)
			slices.Sort(want.Notes)
			slices.Sort(got.Notes)
			require.Equal(t, want, got)
		})
	}
	require.Greater(t, shown, len(cases)*3/4, "most cases can be shown by a GitHub")
}

// decoded is a Report as it comes out of its JSON.
func decoded(t *testing.T, r report.Report) report.Report {
	t.Helper()
	text, err := json.Marshal(r)
	require.NoError(t, err)
	var out report.Report
	require.NoError(t, json.Unmarshal(text, &out))
	return out
}
