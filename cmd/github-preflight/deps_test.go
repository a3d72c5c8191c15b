package main

import (
	"io"
	"log"
	"os/exec"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"github.com/stretchr/testify/require"
)

// The command line must not carry the service: its queue, its store, or a database driver (design
// section 1).
func TestTheCommandLineDoesNotImportTheService(t *testing.T) {
	t.Parallel()
	out, err := exec.Command("go", "list", "-deps", ".").Output()
	if err != nil {
		t.Skipf("needs the go command: %v", err)
	}
	imported := strings.Fields(string(out))
	require.Contains(t, imported, "github.com/evidence-gate/evidence-gate/checks")
	for _, path := range imported {
		for _, refused := range []string{
			"github.com/evidence-gate/evidence-gate/app", "github.com/riverqueue/", "modernc.org/sqlite", "modernc.org/libc",
			"github.com/jackc/", "github.com/pressly/goose", "database/sql", "github.com/prometheus/",
			"github.com/evidence-gate/evidence-gate/internal/githubtest", "github.com/graph-gophers/", "testing",
		} {
			require.False(t, path == strings.TrimSuffix(refused, "/") || strings.HasPrefix(path, strings.TrimSuffix(refused, "/")+"/"),
				"the command line imports %s", path)
		}
	}
}

// The help of each command is a manual page: what it does, how it is called, every flag in words.
func TestHelpSaysEverything(t *testing.T) {
	t.Parallel()
	root := newRoot(process{getenv: func(string) string { return "" }}, engine{})
	for _, c := range append(root.Commands(), root) {
		if c.Hidden || c.Name() == "completion" || c.Name() == "help" {
			continue
		}
		require.NotEmpty(t, c.Short, c.Name())
		require.Greater(t, len(c.Long), len(c.Short), c.Name())
		require.NotEmpty(t, c.Example, c.Name())
		for line := range strings.Lines(c.Long) {
			require.LessOrEqual(t, len(line), 105, c.Name())
		}
		c.LocalFlags().VisitAll(func(f *pflag.Flag) { require.NotEmpty(t, f.Usage, f.Name) })
		requireExamplesParse(t, root, c)
	}
}

// requireExamplesParse finds every example's command and flags.
func requireExamplesParse(t *testing.T, root, c *cobra.Command) {
	t.Helper()
	for line := range strings.Lines(c.Example) {
		_, call, found := strings.Cut(" "+strings.TrimSpace(line), " github-preflight")
		require.True(t, found, line)
		call, _, _ = strings.Cut(call, "|")
		call, _, _ = strings.Cut(call, ">")
		call = strings.ReplaceAll(call, `"$(git rev-parse HEAD)"`, "b7d41e9f02c36a58d1f4e07b9c8a25630fe1d794")
		named, rest, err := root.Find(strings.Fields(call))
		require.NoError(t, err, line)
		require.NoError(t, named.ParseFlags(rest), line)
	}
}

func quiet() *log.Logger { return log.New(io.Discard, "", 0) }
