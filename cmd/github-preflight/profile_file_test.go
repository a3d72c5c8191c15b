package main

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

const smallProfile = "## Verification Operating Facts\n\nNo project-wide verification operating facts are currently recorded.\n"

func TestProfileIsLookedForInTheCheckoutOnly(t *testing.T) {
	t.Parallel()
	top := t.TempDir()
	require.NoError(t, os.MkdirAll(filepath.Join(top, ".agenticloop"), 0o755))
	require.NoError(t, os.WriteFile(filepath.Join(top, ".agenticloop", "project.md"), []byte(smallProfile), 0o600))
	inner := filepath.Join(top, "checkout", "src")
	require.NoError(t, os.MkdirAll(inner, 0o755))

	f, err := findProfile(process{dir: inner}, "")
	require.NoError(t, err)
	require.True(t, f.exists)
	require.Equal(t, filepath.Join(top, ".agenticloop", "project.md"), f.path)

	require.NoError(t, os.Mkdir(filepath.Join(top, "checkout", ".git"), 0o755))
	f, err = findProfile(process{dir: inner}, "")
	require.NoError(t, err)
	require.False(t, f.exists, "a profile above the checkout is another project's")
	require.Equal(t, filepath.Join(top, "checkout", ".agenticloop", "project.md"), f.path, "where a new one goes")
}

// A file that somebody changed after it was read is never written over.
func TestAProfileChangedMeanwhileStays(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "project.md")
	for _, c := range []struct {
		about  string
		before *string
		now    string
	}{
		{"edited", ptr(smallProfile), "edited\n"},
		{"created", nil, "created\n"},
	} {
		require.NoError(t, os.RemoveAll(path))
		if c.before != nil {
			require.NoError(t, os.WriteFile(path, []byte(*c.before), 0o600))
		}
		f, err := readProfile(path)
		require.NoError(t, err)
		require.NoError(t, os.WriteFile(path, []byte(c.now), 0o600))
		require.ErrorIs(t, f.replace("mine\n"), errChangedMeanwhile, c.about)
		text, err := os.ReadFile(path)
		require.NoError(t, err)
		require.Equal(t, c.now, string(text), c.about)
		require.NoFileExists(t, path+".lock", c.about)
	}
}

func TestReplaceKeepsTheMode(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	path := filepath.Join(dir, "project.md")
	require.NoError(t, os.WriteFile(path, []byte(smallProfile), 0o600))
	f, err := readProfile(path)
	require.NoError(t, err)
	require.NoError(t, f.replace("mine\n"))
	info, err := os.Stat(path)
	require.NoError(t, err)
	require.EqualValues(t, 0o600, info.Mode().Perm())

	link := filepath.Join(dir, "link.md")
	if err := os.Symlink(path, link); err != nil {
		t.Skipf("no symbolic links here: %v", err)
	}
	f, err = readProfile(link)
	require.NoError(t, err)
	require.ErrorContains(t, f.replace("other\n"), "no ordinary file")
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	require.Equal(t, "mine\n", string(text))
}

// What stands in the file is anybody's text: the terminal obeys none of it.
func TestProfileOutputIsHarmless(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "project.md")
	text := "## Verification Operating Facts\n\n### VF-a\n\n- Command: `a \x1b[31m\u202e b`\n- Strategy: \x1b]0;title\x07\n- Revisit when: \x1b[2J\n"
	require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
	for _, args := range [][]string{{"profile", "show", "--file", path}, {"profile", "show", "VF-a", "--file", path}, {"profile", "validate", "--file", path}} {
		var out, errs bytes.Buffer
		run(args, process{stdin: strings.NewReader(""), stdout: &out, stderr: &errs, getenv: func(string) string { return "" }}, engine{})
		for _, written := range []io.Reader{&out, &errs} {
			shown, err := io.ReadAll(written)
			require.NoError(t, err)
			require.NotContains(t, string(shown), "\x1b", args)
			require.NotContains(t, string(shown), "\u202e", args)
			require.NotContains(t, string(shown), "\x07", args)
		}
	}
}

func ptr(s string) *string { return &s }
