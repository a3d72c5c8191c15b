package main

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/signal"
	"runtime/debug"
	"strings"
	"syscall"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/evidence-gate/evidence-gate/app"
	"github.com/evidence-gate/evidence-gate/app/config"
	"github.com/evidence-gate/evidence-gate/app/metrics"
	"github.com/evidence-gate/evidence-gate/checks"
)

const serveHelp = `Serve takes GitHub's webhooks, judges the pull requests they are about and publishes
one check run for each head commit.

Every setting is a flag, an environment variable (EVIDENCE_GATE_ and the name in
capitals) or a key of a YAML file given by --config or EVIDENCE_GATE_CONFIG. Flags
win over the environment, that over the file. Secrets are better given as files:
flags can be seen in the list of processes.

Nothing is published in a repository that has no policy (.github/evidence.yml at its
base branch) and whose organisation has none either, unless enrol is all.`

func newServe(environment []string) *cobra.Command {
	var file string
	serve := &cobra.Command{
		Use:     "serve",
		Short:   "Take webhooks and publish check runs",
		Long:    serveHelp,
		Example: "  evidence-gate serve --app-id 12345 --private-key-file app.pem --webhook-secret-file webhook.secret",
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) > 0 {
				return usageError{fmt.Errorf("serve takes no arguments, found %q: settings are flags, see evidence-gate serve --help", args[0])}
			}
			return nil
		},
	}
	serve.Flags().SortFlags = false
	serve.Flags().StringVar(&file, "config", "", "YAML `file` with settings, one key a line, such as app_id: 12345")
	addSettings(serve.Flags())
	serve.RunE = func(cmd *cobra.Command, _ []string) error {
		settings, err := config.Load(config.Sources{
			Flags: givenSettings(cmd.Flags()), Environment: environment, File: fileOf(file, environment),
		})
		if err != nil {
			return usageError{fmt.Errorf("the configuration has mistakes:\n  %s", strings.ReplaceAll(err.Error(), "\n", "\n  "))}
		}
		ctx, stop := signal.NotifyContext(cmd.Context(), syscall.SIGINT, syscall.SIGTERM)
		defer stop()
		context.AfterFunc(ctx, stop) // a second signal ends the process at once
		return serveUntil(ctx, settings, cmd.ErrOrStderr())
	}
	return serve
}

// addSettings makes a flag of every setting.
func addSettings(flags *pflag.FlagSet) {
	for _, key := range config.Keys() {
		flags.String(config.Flag(key.Name), key.Default, key.Help)
		if key.Secret {
			flags.String(config.Flag(key.Name)+"-file", "", "path of a file with the "+strings.ReplaceAll(key.Name, "_", " "))
		}
	}
}

func givenSettings(flags *pflag.FlagSet) map[string]string {
	given := map[string]string{}
	for _, name := range config.Names() {
		if flag := flags.Lookup(config.Flag(name)); flag.Changed {
			given[name] = flag.Value.String()
		}
	}
	return given
}

func fileOf(flag string, environment []string) string {
	if flag != "" {
		return flag
	}
	for _, entry := range environment {
		if path, ok := strings.CutPrefix(entry, config.Variable("config")+"="); ok {
			return path
		}
	}
	return ""
}

// memoryGoal makes the collector work harder before the process takes the 256 MiB of design section
// 17; GOMEMLIMIT overrides it.
const memoryGoal = 200 << 20

// serveUntil runs the service until ctx ends.
func serveUntil(ctx context.Context, settings config.Config, logs io.Writer) error {
	// Whoever reads the log may go away; the service must not go with it.
	signal.Ignore(syscall.SIGPIPE)
	if os.Getenv("GOMEMLIMIT") == "" {
		debug.SetMemoryLimit(memoryGoal)
	}
	log := slog.New(slog.NewJSONHandler(logs, &slog.HandlerOptions{Level: settings.LogLevel}))
	numbers := metrics.New()
	github, err := app.NewGitHub(settings, numbers, checks.HasChecks)
	if err != nil {
		return err
	}
	service, err := app.New(settings, app.Deps{
		GitHub: github, Reach: github, Self: github.Self, Evaluate: checks.Evaluate, Metrics: numbers, Log: log,
	})
	if err != nil {
		return err
	}
	go github.Greet(ctx, log)
	return service.Run(ctx)
}
