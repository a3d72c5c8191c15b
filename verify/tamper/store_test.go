package tamper

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// What is no ordinary file in the place of the copy is broken, and never waited for.
func TestACopyThatIsNoFile(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	require.NoError(t, os.MkdirAll(filepath.Join(dir, "projects", "key.json"), 0o700))
	var broken *BrokenError
	_, err := StoreAt(dir).Load("key")
	require.ErrorAs(t, err, &broken)
}
