//go:build unix

package main

import (
	"os"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"
)

// A file that one account's command replaces stays the other account's.
func TestReplaceKeepsTheOwner(t *testing.T) {
	t.Parallel()
	if os.Geteuid() != 0 {
		t.Skip("only root may give files away")
	}
	const other = 65534
	path, f := fileOf(t, "theirs\n")
	require.NoError(t, os.Chown(path, other, other))
	require.NoError(t, os.Chmod(path, 0o664))
	require.NoError(t, f.replace("mine\n"))
	info, err := os.Stat(path)
	require.NoError(t, err)
	stat := info.Sys().(*syscall.Stat_t)
	require.EqualValues(t, other, stat.Uid)
	require.EqualValues(t, other, stat.Gid)
	require.EqualValues(t, 0o664, info.Mode().Perm())
	requireText(t, "mine\n", path)
}
