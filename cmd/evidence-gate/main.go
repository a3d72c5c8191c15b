// Command evidence-gate is the service of Evidence Gate (design section 14). Its commands only read
// their settings, call packages and print; the service itself is package app.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"

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
		Args:          cobra.NoArgs,
	}
	root.SetFlagErrorFunc(func(c *cobra.Command, err error) error {
		return usageError{fmt.Errorf("%w: see %s --help", err, c.CommandPath())}
	})
	root.AddCommand(newServe(environment), newDemo(environment))
	return root
}

// usageError is a mistake in what the program was given.
type usageError struct{ error }

func (e usageError) Unwrap() error { return e.error }
