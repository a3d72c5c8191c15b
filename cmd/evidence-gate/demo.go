package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/signal"
	"strconv"
	"strings"
	"syscall"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"github.com/evidence-gate/evidence-gate/internal/demo"
)

const demoHelp = `Demo starts a simulated GitHub and the real service on 127.0.0.1, with a database that
is thrown away, and tells short stories, each of one pull request: evidence that goes
stale; a check that times out, and a maintainer who decides what it means; a task that is
weakened, and who may approve. After each step it shows the check run that the service
published.

It needs no account, no network and no settings, and leaves nothing behind.`

func newDemo(environment []string) *cobra.Command {
	var options demo.Options
	var verbose bool
	command := &cobra.Command{
		Use:   "demo",
		Short: "Show on this machine, without an account, what the service does",
		Long:  demoHelp,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) > 0 {
				return usageError{fmt.Errorf("demo takes no arguments, found %q: see evidence-gate demo --help", args[0])}
			}
			return nil
		},
	}
	command.Flags().SortFlags = false
	command.Flags().BoolVar(&options.Full, "full", false, "show the evidence as written and all of each check run")
	command.Flags().BoolVar(&options.Keep, "keep", false, "leave it running until Ctrl-C and say how to use it from the command line and by webhook")
	command.Flags().BoolVar(&verbose, "verbose", false, "write the service's log to standard error")
	command.RunE = func(cmd *cobra.Command, _ []string) error {
		options.Out = cmd.OutOrStdout()
		options.Color, options.Width = terminal(options.Out, environment)
		if verbose {
			options.Log = slog.New(slog.NewJSONHandler(cmd.ErrOrStderr(), nil))
		}
		// With nobody to read it the demo ends like any other: its files are removed.
		signal.Ignore(syscall.SIGPIPE)
		ctx, stop := signal.NotifyContext(cmd.Context(), syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP)
		defer stop()
		context.AfterFunc(ctx, stop) // a second signal ends the process at once
		if err := demo.Run(ctx, options); !errors.Is(err, syscall.EPIPE) {
			return err
		}
		return nil
	}
	return command
}

// terminal says whether to use colours, and how wide the output may be; 0 is not known.
func terminal(out io.Writer, environment []string) (color bool, width int) {
	variables := map[string]string{}
	for _, entry := range environment {
		name, value, _ := strings.Cut(entry, "=")
		variables[name] = value
	}
	if columns, err := strconv.Atoi(variables["COLUMNS"]); err == nil {
		width = columns
	}
	file, ok := out.(*os.File)
	if !ok || !term.IsTerminal(int(file.Fd())) {
		return false, width
	}
	if columns, _, err := term.GetSize(int(file.Fd())); err == nil && columns > 0 {
		width = columns
	}
	return variables["NO_COLOR"] == "" && variables["TERM"] != "dumb", width
}
