package app

import (
	"context"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/evidence-gate/evidence-gate/app/store"
)

// migrated is a database file as a first start leaves it. Making one anew takes longer than most of
// what the tests do with it.
var migrated = sync.OnceValues(func() ([]byte, error) {
	dir, err := os.MkdirTemp("", "migrated")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "gate.db")
	s, err := store.Open(context.Background(), path, time.Now)
	if err != nil {
		return nil, err
	}
	if err := s.Close(); err != nil {
		return nil, err
	}
	return os.ReadFile(path)
})

// newDatabase is the path of such a file.
func newDatabase(t *testing.T) string {
	t.Helper()
	file, err := migrated()
	require.NoError(t, err)
	path := filepath.Join(t.TempDir(), "gate.db")
	require.NoError(t, os.WriteFile(path, file, 0o600))
	return path
}
