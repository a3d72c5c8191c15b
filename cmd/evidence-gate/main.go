// Command evidence-gate is the service of Evidence Gate (design section 14). Its commands only read
// their settings, call packages and print; the service itself is package app.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime/debug"

	"github.com/spf13/cobra"
)

// Exit codes.
const (
	exitFailure = 1
	exitUsage   = 2 // flags or configuration
)

func main() {
	os.Exit(run(context.Background(), os.Args[1:], os.Environ(), os.Stdout, os.Stderr))
}

// run is the whole program, for tests too.
func run(ctx context.Context, args, environment []string, stdout, stderr io.Writer) int {
	root := newRoot(environment)
	root.SetArgs(args)
	root.SetOut(stdout)
	root.SetErr(stderr)
	err := root.ExecuteContext(ctx)
	if err == nil {
		return 0
	}
	fmt.Fprintln(stderr, "evidence-gate:", err)
	var usage usageError
	if errors.As(err, &usage) {
		return exitUsage
	}
	return exitFailure
}

func newRoot(environment []string) *cobra.Command {
	root := &cobra.Command{
		Use:           "evidence-gate",
		Short:         "Decides whether pull requests may merge, from the evidence in their bodies",
		SilenceErrors: true,
		SilenceUsage:  true,
		Version:       version(),
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) > 0 {
				return usageError{fmt.Errorf("there is no command %q: see evidence-gate --help", args[0])}
			}
			return nil
		},
		RunE: func(root *cobra.Command, _ []string) error {
			if err := root.Help(); err != nil {
				return err
			}
			return usageError{errors.New("no command was given")}
		},
	}
	root.SetVersionTemplate("{{.Name}} {{.Version}}\n")
	root.SetFlagErrorFunc(func(c *cobra.Command, err error) error {
		return usageError{fmt.Errorf("%w: see %s --help", err, c.CommandPath())}
	})
	root.AddCommand(newServe(environment), newDemo(environment), newJobs(environment))
	return root
}

// version is that of the module that the program was built from.
func version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok || info.Main.Version == "" {
		return "unknown"
	}
	return info.Main.Version
}

// usageError is a mistake in what the program was given.
type usageError struct{ error }

func (e usageError) Unwrap() error { return e.error }
