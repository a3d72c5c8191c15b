package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"
	"unicode"

	"github.com/spf13/cobra"

	"github.com/evidence-gate/evidence-gate/app/config"
	"github.com/evidence-gate/evidence-gate/app/store"
)

const jobsHelp = `Jobs shows the work that the service gave up, and has it tried again. Work is given up
when it fails for hours, or when a person has to repair something, such as a missing
permission; until then the pull request's check run says why it was not judged.

The commands read the service's database beside it; the service may run or not.`

// jobsOptions are common to the commands about jobs.
type jobsOptions struct {
	environment []string
	file        string
	database    string
	now         func() time.Time
}

func newJobs(environment []string) *cobra.Command {
	o := &jobsOptions{environment: environment, now: time.Now}
	jobs := &cobra.Command{Use: "jobs", Short: "List work that was given up, and have it tried again", Long: jobsHelp}
	jobs.RunE = func(cmd *cobra.Command, args []string) error {
		if len(args) > 0 {
			return usageError{fmt.Errorf("there is no command %q: see evidence-gate jobs --help", args[0])}
		}
		return usageError{errors.New("expected list or retry: see evidence-gate jobs --help")}
	}
	jobs.PersistentFlags().StringVar(&o.file, "config", "", "YAML `file` with settings, of which database_url counts")
	jobs.PersistentFlags().StringVar(&o.database, "database-url", "", "database of the service, as sqlite:PATH")
	jobs.AddCommand(o.newList(), o.newRetry())
	return jobs
}

func (o *jobsOptions) newList() *cobra.Command {
	var all, asJSON bool
	list := &cobra.Command{
		Use: "list", Short: "List the work that was given up, the oldest first",
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) > 0 {
				return usageError{fmt.Errorf("list takes no arguments, found %q: see evidence-gate jobs list --help", args[0])}
			}
			return nil
		},
	}
	list.Flags().BoolVar(&all, "all", false, "also what still waits or runs")
	list.Flags().BoolVar(&asJSON, "json", false, "as JSON, one array")
	list.RunE = func(cmd *cobra.Command, _ []string) error {
		return o.with(cmd, func(letters *store.Letters) error {
			found, err := letters.List(cmd.Context(), all)
			if err != nil {
				return err
			}
			if asJSON {
				encoder := json.NewEncoder(cmd.OutOrStdout())
				encoder.SetIndent("", "  ")
				return encoder.Encode(found)
			}
			return writeLetters(cmd.OutOrStdout(), found, o.now())
		})
	}
	return list
}

func (o *jobsOptions) newRetry() *cobra.Command {
	var all bool
	retry := &cobra.Command{Use: "retry [ID...]", Short: "Have work that was given up tried again", Example: "  evidence-gate jobs retry 17 23\n  evidence-gate jobs retry --all"}
	retry.Flags().BoolVar(&all, "all", false, "everything that was given up")
	retry.RunE = func(cmd *cobra.Command, args []string) error {
		ids, err := idsOf(args, all)
		if err != nil {
			return usageError{err}
		}
		return o.with(cmd, func(letters *store.Letters) error {
			count, err := letters.Retry(cmd.Context(), ids...)
			if err != nil {
				return err
			}
			fmt.Fprintf(cmd.OutOrStdout(), "%d of the jobs will be tried again within seconds, or when the service starts.\n", count)
			if count < len(ids) {
				return fmt.Errorf("expected ids of jobs that were given up: %d of %d are not: see evidence-gate jobs list", len(ids)-count, len(ids))
			}
			return nil
		})
	}
	return retry
}

func idsOf(args []string, all bool) (ids []int64, err error) {
	if all == (len(args) > 0) {
		return nil, errors.New("expected the ids of jobs, from evidence-gate jobs list, or --all instead")
	}
	seen := map[int64]bool{}
	for _, arg := range args {
		id, err := strconv.ParseInt(arg, 10, 64)
		if err != nil || id <= 0 {
			return nil, fmt.Errorf("expected the id of a job, a positive number, found %q", arg)
		}
		if !seen[id] {
			seen[id] = true
			ids = append(ids, id)
		}
	}
	return ids, nil
}

// with opens the database, calls do and closes it.
func (o *jobsOptions) with(cmd *cobra.Command, do func(*store.Letters) error) (err error) {
	flags := map[string]string{}
	if cmd.Flags().Changed("database-url") {
		flags["database_url"] = o.database
	}
	path, err := config.LoadDatabase(config.Sources{Flags: flags, Environment: o.environment, File: fileOf(o.file, o.environment)})
	if err != nil {
		return usageError{fmt.Errorf("the configuration has mistakes:\n  %s", strings.ReplaceAll(err.Error(), "\n", "\n  "))}
	}
	letters, err := store.OpenLetters(cmd.Context(), path, o.now)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, letters.Close()) }()
	return do(letters)
}

func writeLetters(out io.Writer, letters []store.Letter, now time.Time) error {
	if len(letters) == 0 {
		_, err := fmt.Fprintln(out, "There are none.")
		return err
	}
	table := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "ID\tWHAT\tSTATE\tAGE\tREASON")
	for _, l := range letters {
		state := l.State
		if state == "" {
			state = "waiting"
		}
		fmt.Fprintf(table, "%d\t%s\t%s\t%s\t%s\n", l.ID, plain(subjectOf(l)), plain(state), now.Sub(l.Since).Round(time.Second), plain(l.Reason))
	}
	return table.Flush()
}

func subjectOf(l store.Letter) string {
	switch l.Kind {
	case store.PullRequest, store.Issue:
		return fmt.Sprintf("%s#%s", l.Repository, l.Name)
	case store.Head:
		return fmt.Sprintf("%s at %s", l.Repository, l.Name)
	case store.Base:
		return fmt.Sprintf("%s, branch %s", l.Repository, l.Name)
	case store.Installation:
		return fmt.Sprintf("installation %s on %s", l.Name, l.Repository)
	}
	return l.Repository
}

// plain leaves out what a terminal would obey: names and reasons come from elsewhere.
func plain(text string) string {
	return strings.Map(func(r rune) rune {
		if r == '\n' || r == '\t' {
			return ' '
		}
		if !unicode.IsGraphic(r) {
			return unicode.ReplacementChar
		}
		return r
	}, text)
}
