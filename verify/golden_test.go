//go:build unix

package verify

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/evidence-gate/evidence-gate/verify/tamper"
)

var update = flag.Bool("update", false, "rewrite the golden files")

func sha256Of(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:])
}

const declared = `kind: cli
checks:
  - { name: install, run: echo installed, phase: setup, layer: install }
  - { id: RC-1, name: unit tests, run: "echo 3 passing; exit $TESTS", layer: test, tags: [fast] }
  - { name: lint, run: [echo, no complaints], layer: lint }
  - { name: load, run: ./dev/load, layer: test, default: false }
  - { name: starts, run: "true", stage: app }
  - { name: stop db, run: echo stopped, phase: teardown, layer: install }
`

// steady replaces what differs between two runs.
func steady(r Result) Result {
	r.Root, r.DurationMS = "/home/eng/widgets", 61_200
	for i := range r.Steps {
		if r.Steps[i].Status != Skipped {
			r.Steps[i].DurationMS = int64(i+1) * 700
		}
	}
	for _, at := range []*time.Time{r.FirstGreenAt, r.FirstTestPassAt} {
		if at != nil {
			*at = clock()
		}
	}
	return r
}

// The text, the JSON and the error of every outcome.
func TestGolden(t *testing.T) {
	t.Parallel()
	for name, make := range map[string]func(t *testing.T, root string) Result{
		"green": func(t *testing.T, root string) Result { return verified(t, withTests(t, root, "0")) },
		"partial": func(t *testing.T, root string) Result {
			s := withTests(t, root, "0")
			s.Agent = "claude-code"
			s.Selection = Selection{Only: []string{"test"}}
			return verified(t, s)
		},
		"failed": func(t *testing.T, root string) Result { return verified(t, withTests(t, root, "1")) },
		"changed": func(t *testing.T, root string) Result {
			s := withTests(t, root, "0")
			verified(t, s)
			write(t, root, strings.NewReplacer(" exit $TESTS", " true", "kind: cli", "kind: library\nenv: { A: b }").Replace(declared))
			s.Policy = readPolicy(t, root)
			return verified(t, s)
		},
		"refused": func(t *testing.T, root string) Result {
			return withTests(t, root, "0").Refuse(tamper.MayAccept("claude-code", false))
		},
		"interrupted": func(t *testing.T, root string) Result {
			write(t, root, strings.ReplaceAll(declared, "exit $TESTS", "echo ready; exec sleep 600"))
			s := withTests(t, root, "0")
			ctx, stop := context.WithCancel(t.Context())
			s.Options.Progress = &stopper{step: "unit tests", stop: stop}
			r, err := Verify(ctx, s)
			require.NoError(t, err)
			return r
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := steady(make(t, project(t, declared)))
			requireResult(t, r)
			var text bytes.Buffer
			require.NoError(t, r.Text(&text))
			golden(t, name+".txt", text.String())
			object, err := json.MarshalIndent(r, "", "  ")
			require.NoError(t, err)
			golden(t, name+".json", string(object)+"\n")
			e, failed := r.Envelope()
			require.Equal(t, r.ExitCode() != 0, failed)
			if failed {
				line, err := json.Marshal(e)
				require.NoError(t, err)
				golden(t, name+".error.json", string(line)+"\n")
			}
		})
	}
}

func withTests(t *testing.T, root, code string) Session {
	s := session(t, root)
	s.Environ = append(s.Environ, "TESTS="+code)
	return s
}

func golden(t *testing.T, name, got string) {
	t.Helper()
	file := filepath.Join("testdata", "golden", name)
	if *update {
		require.NoError(t, os.MkdirAll(filepath.Dir(file), 0o755))
		require.NoError(t, os.WriteFile(file, []byte(got), 0o644))
	}
	want, err := os.ReadFile(file)
	require.NoError(t, err)
	require.Equal(t, string(want), got, "run with -update after reading the difference")
}

func TestExitCodes(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		r    Result
		want int
	}{
		{Result{Outcome: Green}, 0},
		{Result{Outcome: Partial}, 0},
		{Result{Outcome: Failed, Failure: &Failure{Kind: KindStep}}, 5},
		{Result{Outcome: Failed, Failure: &Failure{Kind: KindEnv}}, 5},
		{Result{Outcome: Failed, Failure: &Failure{Kind: KindTimeout}}, 5},
		{Result{Outcome: Failed, Failure: &Failure{Kind: KindInterrupted}}, 130},
		{Result{Outcome: Changed}, 5},
		{Result{Outcome: Refused}, 6},
		{Result{Outcome: "fine"}, 5},
	} {
		require.Equal(t, c.want, c.r.ExitCode(), c.r)
	}
}
