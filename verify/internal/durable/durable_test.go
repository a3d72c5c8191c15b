package durable

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestReplace(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	path := filepath.Join(folder, "state.json")
	for _, text := range []string{"one", "two"} {
		require.NoError(t, Replace(path, []byte(text), 0o600))
		got, err := os.ReadFile(path)
		require.NoError(t, err)
		require.Equal(t, text, string(got))
		info, err := os.Stat(path)
		require.NoError(t, err)
		require.Equal(t, os.FileMode(0o600), info.Mode().Perm())
	}
	entries, err := os.ReadDir(folder)
	require.NoError(t, err)
	require.Len(t, entries, 1, "nothing is left beside the file")
}

func TestReplaceLeavesNothingBehindWhenItFails(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	path := filepath.Join(folder, "taken")
	require.NoError(t, os.Mkdir(path, 0o700))
	require.Error(t, Replace(path, []byte("text"), 0o600))
	entries, err := os.ReadDir(folder)
	require.NoError(t, err)
	require.Len(t, entries, 1)
	require.Error(t, Replace(filepath.Join(folder, "not", "there"), nil, 0o600))
}

// Who waits for the lock gets it once the other one lets go, and not before.
func TestLock(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "lock")
	first, err := os.Create(path)
	require.NoError(t, err)
	second, err := os.OpenFile(path, os.O_RDWR, 0)
	require.NoError(t, err)
	require.NoError(t, Lock(first))
	seen := make(chan string)
	go func() {
		if err := Lock(second); err != nil {
			seen <- err.Error()
		}
		text, _ := os.ReadFile(path)
		seen <- string(text)
	}()
	_, err = first.WriteString("written under the lock")
	require.NoError(t, err)
	require.NoError(t, first.Close())
	require.Equal(t, "written under the lock", <-seen)
	require.NoError(t, second.Close())
	require.ErrorContains(t, Lock(second), path)
}
