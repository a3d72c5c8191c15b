package store

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

func TestADatabaseThatCannotBeOpenedSaysWhatToDo(t *testing.T) {
	t.Parallel()
	whole := filepath.Join(t.TempDir(), "whole.db")
	s, _ := openAt(t, whole)
	require.NoError(t, s.Close())
	text, err := os.ReadFile(whole)
	require.NoError(t, err)
	rows := []struct {
		what    string
		prepare func(path string) error
		says    string
	}{
		{"no folder", func(path string) error { return os.Remove(filepath.Dir(path)) }, "create the folder"},
		{"a folder", func(path string) error { return os.Mkdir(path, 0o700) }, "expected the path of a file"},
		{"another file", func(path string) error { return os.WriteFile(path, []byte(strings.Repeat("text ", 2000)), 0o600) }, "restore it from a backup"},
		{"half a file", func(path string) error { return os.WriteFile(path, text[:len(text)/2], 0o600) }, "restore it from a backup"},
		{"a link to nothing", func(path string) error { return os.Symlink(path+".elsewhere", path) }, "does not exist"},
	}
	for _, row := range rows {
		t.Run(row.what, func(t *testing.T) {
			t.Parallel()
			path := filepath.Join(t.TempDir(), "sub", "gate.db")
			require.NoError(t, os.Mkdir(filepath.Dir(path), 0o700))
			require.NoError(t, row.prepare(path))
			_, err := Open(t.Context(), path, time.Now)
			require.ErrorContains(t, err, path, "the file is named")
			require.ErrorContains(t, err, row.says)
		})
	}
}

func TestOneProcessWhateverNameTheFileIsOpenedBy(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	openAt(t, filepath.Join(folder, "gate.db"))
	link := filepath.Join(folder, "link.db")
	require.NoError(t, os.Symlink(filepath.Join(folder, "gate.db"), link))
	_, err := Open(t.Context(), link, time.Now)
	require.ErrorIs(t, err, ErrLocked)
	require.ErrorContains(t, err, "stop the other one")
}

func TestNothingIsPromisedOnceTheFileIsGone(t *testing.T) {
	t.Parallel()
	rows := map[string]func(path string) error{
		"deleted": os.Remove,
		"moved":   func(path string) error { return os.Rename(path, path+".old") },
		"replaced": func(path string) error {
			return errors.Join(os.Rename(path, path+".old"), os.WriteFile(path, nil, 0o600))
		},
	}
	for what, do := range rows {
		t.Run(what, func(t *testing.T) {
			t.Parallel()
			path := filepath.Join(t.TempDir(), "gate.db")
			s, _ := openAt(t, path)
			accept(t, s, delivery("before", pull(42)))
			require.NoError(t, do(path))
			_, err := s.Accept(t.Context(), delivery("after", pull(42)))
			require.ErrorIs(t, err, ErrReplaced)
			require.ErrorIs(t, s.Writable(t.Context()), ErrReplaced)
		})
	}
}

// TestAGroupIsTriedAgainOneByOneOnlyForTheSakeOfTheOthers: with the database away or locked, a try for
// each of a hundred deliveries would take minutes, while GitHub waits ten seconds.
func TestAGroupIsTriedAgainOneByOneOnlyForTheSakeOfTheOthers(t *testing.T) {
	t.Parallel()
	rows := []struct {
		failure error
		tries   int
	}{
		{ErrReplaced, 1},
		{errors.New("one of them is at fault"), 1 + 3},
	}
	for _, row := range rows {
		tries := 0
		g := &group{commit: func(_ context.Context, deliveries []Delivery) ([]Receipt, error) {
			tries++
			return nil, row.failure
		}}
		answers := make(chan answer, 3)
		g.write([]request{{answer: answers}, {answer: answers}, {answer: answers}})
		for range 3 {
			require.ErrorIs(t, (<-answers).err, row.failure)
		}
		require.Equal(t, row.tries, tries, "%v", row.failure)
	}
}
