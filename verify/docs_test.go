//go:build unix

package verify

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/evidence-gate/evidence-gate/internal/fulltest"
	"github.com/evidence-gate/evidence-gate/profile/policy"
)

const manual = "../docs/verify.md"

var (
	exampleStart = regexp.MustCompile(`<!-- example: (\w+) -->`)
	exampleFile  = regexp.MustCompile("(?s)<!-- file: (\\S+) -->\n```\\w*\n(.*?)```\n")
)

// examples are the projects of the manual: their files by name.
func examples(t *testing.T) map[string]map[string]string {
	t.Helper()
	text := content(t, manual)
	found := map[string]map[string]string{}
	starts := exampleStart.FindAllStringSubmatchIndex(text, -1)
	for i, at := range starts {
		end := len(text)
		if i+1 < len(starts) {
			end = starts[i+1][0]
		}
		files := map[string]string{}
		for _, file := range exampleFile.FindAllStringSubmatch(text[at[1]:end], -1) {
			files[file[1]] = file[2]
		}
		found[text[at[2]:at[3]]] = files
	}
	return found
}

// Each example of the manual is complete: its policy has every layer, and where its tools are it is
// green.
func TestExamplesOfTheManual(t *testing.T) {
	t.Parallel()
	all := examples(t)
	require.Len(t, all, 3)
	for name, c := range map[string]struct {
		kind  string
		tools []string
	}{
		"go":     {policy.CLI, []string{"go", "gofmt"}},
		"node":   {policy.Web, []string{"node", "npm"}},
		"python": {policy.Library, []string{"python3", "mypy"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			root, err := filepath.EvalSymlinks(t.TempDir())
			require.NoError(t, err)
			for file, text := range all[name] {
				path := filepath.Join(root, filepath.FromSlash(file))
				require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
				require.NoError(t, os.WriteFile(path, []byte(text), 0o644))
			}
			p := readPolicy(t, root)
			require.Empty(t, p.Incomplete())
			require.Equal(t, c.kind, p.Kind)
			for _, tool := range c.tools {
				_, err := exec.LookPath(tool)
				fulltest.Needs(t, tool, err == nil)
			}
			s := session(t, root)
			s.Environ = append(os.Environ(), "PORT="+freePort(t))
			r := verified(t, s)
			require.Equal(t, Green, r.Outcome, r.Failure)
		})
	}
}

// The tables and the sample of the manual name every word that a result can have, and no other.
func TestTheManualNamesEveryWord(t *testing.T) {
	t.Parallel()
	text := content(t, manual)
	for _, word := range []string{Green, Partial, Failed, Changed, Refused, "ok", "file-only", "first-use", "not-checked"} {
		require.Contains(t, text, "\n| `"+word+"` |", word)
	}
	for _, word := range append(append([]string{KindStep, KindEnv, KindTimeout, KindInterrupted}, tokenNames...),
		"VerifyFailed", "VerifyChanged", "PermissionDenied", "VerifyUnavailable", "ACTIONS_*", "EVIDENCE_GATE_*", "_TOKEN", "_SECRET", "_PASSWORD", "_KEY") {
		require.Contains(t, text, "`"+word+"`", word)
	}
	require.Contains(t, text, "\n## What green does not prove\n")
}
