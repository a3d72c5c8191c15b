package fulltest

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// recorder notes what a test would have been told.
type recorder struct{ skipped, failed string }

func (r *recorder) Helper()                           {}
func (r *recorder) Skipf(format string, args ...any)  { r.skipped = fmt.Sprintf(format, args...) }
func (r *recorder) Fatalf(format string, args ...any) { r.failed = fmt.Sprintf(format, args...) }

func TestNeeds(t *testing.T) {
	for _, test := range []struct {
		name            string
		full            string
		ok              bool
		skipped, failed bool
	}{
		{"there, ordinary run", "", true, false, false},
		{"there, full run", "1", true, false, false},
		{"missing, ordinary run", "", false, true, false},
		{"missing, full run", "1", false, false, true},
		{"missing, variable not 1", "0", false, true, false},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Setenv(Variable, test.full)
			var r recorder
			Needs(&r, "a compiler", test.ok)
			require.Equal(t, test.skipped, r.skipped != "")
			require.Equal(t, test.failed, r.failed != "")
			if !test.ok {
				require.Contains(t, r.skipped+r.failed, "needs a compiler")
			}
		})
	}
}

func TestNPM(t *testing.T) {
	t.Setenv(Variable, "")
	root := t.TempDir()
	file := filepath.Join(root, "node_modules", "@scope", "name", "data.json")
	require.NoError(t, os.MkdirAll(filepath.Dir(file), 0o755))
	require.NoError(t, os.WriteFile(file, []byte("{}"), 0o644))
	below := filepath.Join(root, "a", "b")
	require.NoError(t, os.MkdirAll(below, 0o755))
	t.Chdir(below)

	t.Setenv(NPMVariable, "")
	var r recorder
	found := NPM(&r, "@scope/name/data.json")
	require.FileExists(t, found)
	require.Empty(t, r.skipped)

	t.Setenv(NPMVariable, filepath.Join(root, "node_modules"))
	require.Equal(t, file, NPM(&r, "@scope/name/data.json"))

	t.Setenv(NPMVariable, below)
	require.Empty(t, NPM(&r, "@scope/name/data.json"), "the variable wins over folders upwards")
	require.Contains(t, r.skipped, "@scope/name/data.json")
}
