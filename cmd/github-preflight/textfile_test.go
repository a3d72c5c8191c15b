package main

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func fileOf(t *testing.T, text string) (string, textFile) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "carrier.md")
	require.NoError(t, os.WriteFile(path, []byte(text), 0o644))
	f, err := readTextFile("file", path)
	require.NoError(t, err)
	return path, f
}

func requireText(t *testing.T, want, path string) {
	t.Helper()
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	require.Equal(t, want, string(text))
}

// Who may write into a folder could replace a file that nobody may write.
func TestAReadOnlyFileStays(t *testing.T) {
	t.Parallel()
	path, f := fileOf(t, "theirs\n")
	require.NoError(t, os.Chmod(path, 0o444))
	err := f.replace("mine\n")
	require.ErrorIs(t, err, os.ErrPermission)
	require.ErrorContains(t, err, "read-only for you")
	requireText(t, "theirs\n", path)
	require.NoFileExists(t, path+".lock")
	info, err := os.Stat(path)
	require.NoError(t, err)
	require.EqualValues(t, 0o444, info.Mode().Perm())
}

// A file that its writer cannot give back to its owner is written in place.
func TestOverwriteLeavesNothingBehind(t *testing.T) {
	t.Parallel()
	path, f := fileOf(t, strings.Repeat("long\n", 100))
	before, err := os.Stat(path)
	require.NoError(t, err)
	require.NoError(t, f.overwrite("short\n"))
	requireText(t, "short\n", path)
	after, err := os.Stat(path)
	require.NoError(t, err)
	require.True(t, os.SameFile(before, after))
}

// waitingFor is a process whose pauses are counted, and used by somebody else.
func waitingFor(meanwhile func(pauses int) error) (process, *int) {
	pauses := 0
	return process{sleep: func(_ context.Context, d time.Duration) error {
		pauses++
		if d != writePause {
			return errors.New("not the pause of a writer")
		}
		return meanwhile(pauses)
	}}, &pauses
}

func TestWritersWaitForEachOther(t *testing.T) {
	t.Parallel()
	path, _ := fileOf(t, "first\n")
	lock := path + ".lock"
	require.NoError(t, os.WriteFile(lock, nil, 0o600))
	write := func() error {
		f, err := readTextFile("file", path)
		if err != nil {
			return err
		}
		return f.replace(string(f.text) + "mine\n")
	}

	p, pauses := waitingFor(func(n int) error {
		if n < 3 {
			return nil
		}
		return errors.Join(os.WriteFile(path, []byte("first\ntheirs\n"), 0o600), os.Remove(lock))
	})
	require.NoError(t, patiently(t.Context(), p, write))
	require.Equal(t, 3, *pauses)
	requireText(t, "first\ntheirs\nmine\n", path)

	require.NoError(t, os.WriteFile(lock, nil, 0o600))
	p, pauses = waitingFor(func(int) error { return nil })
	err := patiently(t.Context(), p, write)
	require.ErrorIs(t, err, errLocked)
	require.ErrorContains(t, err, lock+" is there: another command writes the file; delete it when none does")
	require.Equal(t, writeTries-1, *pauses, "then it gives up")

	p, pauses = waitingFor(func(int) error { return context.Canceled })
	require.ErrorIs(t, patiently(t.Context(), p, write), errLocked)
	require.Equal(t, 1, *pauses, "whoever stops the program does not wait")
	requireText(t, "first\ntheirs\nmine\n", path)

	other := errors.New("the disk is full")
	p, pauses = waitingFor(func(int) error { return nil })
	require.ErrorIs(t, patiently(t.Context(), p, func() error { return other }), other)
	require.Zero(t, *pauses)
}

func TestANewFileNeedsItsFolder(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "nowhere", "carrier.md")
	f, err := readTextFile("file", path)
	require.NoError(t, err)
	require.ErrorContains(t, f.replace("mine\n"), "there is no folder")
	require.NoDirExists(t, filepath.Dir(path))
}
