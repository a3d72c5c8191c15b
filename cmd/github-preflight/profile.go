package main

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"
)

func newProfile(p process) *cobra.Command {
	command := &cobra.Command{
		Use:   "profile",
		Short: "Print, validate or record what is known of how the project's commands run",
		Long: `profile is about the facts in .agenticloop/project.md, section "Verification Operating Facts": how long
a command takes, which strategy works and what the host allows, so that nobody has to find out again
by a timeout. Reports, scaffold and brief show a check's fact next to it.

The file is found by walking up from the current folder to the top of the checkout. When judging a
pull request the app reads it at the base branch instead.`,
		Example: `  github-preflight profile show
  github-preflight profile validate
  github-preflight profile record VF-full-suite --command "npm test" --outcome timed_out --timeout-ms 180000 --strategy background --source issue:#42 --revisit-when "the suite is split"`,
		Args: func(c *cobra.Command, args []string) error {
			if len(args) == 0 {
				return errors.New("expected show, validate or record")
			}
			return unknownSubcommand(c, args[0])
		},
		RunE: func(*cobra.Command, []string) error { return nil },
	}
	command.AddCommand(newProfileShow(p), newProfileValidate(p), newProfileRecord(p))
	checkFlags(command)
	return command
}

// unknownSubcommand refuses a word that is no command of a group, and names those that are.
func unknownSubcommand(group *cobra.Command, word string) error {
	var names []string
	for _, c := range group.Commands() {
		names = append(names, c.Name())
	}
	message := fmt.Sprintf("there is no command %q; expected %s", group.Name()+" "+word, strings.Join(names, ", "))
	group.SuggestionsMinimumDistance = 2
	if like := group.SuggestionsFor(word); len(like) > 0 {
		message += "; did you mean " + strings.Join(like, " or ") + "?"
	}
	return errors.New(message)
}
