package main

import (
	"slices"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"github.com/stretchr/testify/require"
)

// Every command explains itself in the same way.
func TestEveryCommandHasItsHelp(t *testing.T) {
	t.Parallel()
	root := newRoot(process{}, engine{})
	var all []*cobra.Command
	var walk func(*cobra.Command)
	walk = func(c *cobra.Command) {
		all = append(all, c)
		for _, below := range c.Commands() {
			walk(below)
		}
	}
	walk(root)
	require.Greater(t, len(all), 20)
	for _, c := range all {
		name := c.CommandPath()
		require.NotEmpty(t, c.Short, name)
		require.NotEmpty(t, c.Long, name)
		if c.Hidden {
			continue
		}
		require.Contains(t, c.Example, "  "+name, "%s: an example of its own", name)
		require.True(t, c.GroupID != "" || c.Parent() != root, "%s belongs to no group", name)
		files := slices.Contains([]string{"lint", "policy validate", "policy show"}, relative(name))
		require.Equal(t, files || c.HasSubCommands() && c != root, c.ValidArgsFunction == nil, "%s: files are offered where files are meant", name)
		c.LocalNonPersistentFlags().VisitAll(func(f *pflag.Flag) { requireFlag(t, c, f) })
	}
}

func relative(path string) string { return path[min(len(path), len("github-preflight ")):] }

// requireFlag holds that the value of a flag has a name, and is completed by what it may be: by files
// only where it is one.
func requireFlag(t *testing.T, c *cobra.Command, f *pflag.Flag) {
	t.Helper()
	value, what := pflag.UnquoteUsage(f)
	about := c.CommandPath() + " --" + f.Name
	require.NotEmpty(t, what, about)
	if f.Value.Type() == "bool" {
		return
	}
	require.NotContains(t, []string{"", "string", "strings", "stringArray", "int", "N"}, value, about)
	_, completed := c.GetFlagCompletionFunc(f.Name)
	require.Equal(t, !slices.Contains([]string{"file", "path", "place"}, value), completed, about)
}
