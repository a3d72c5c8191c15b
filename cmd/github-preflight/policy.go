package main

import (
	"errors"

	"github.com/spf13/cobra"

	"github.com/evidence-gate/evidence-gate/profile/policy"
)

func newPolicy(p process) *cobra.Command {
	command := &cobra.Command{
		Use:   "policy",
		Short: "Validate the repository's policy, or show what is in force and why",
		Long: `policy is about .github/evidence.yml, which says what is asked of pull requests (docs/policy.md).

The file is found by walking up from the current folder to the top of the checkout. When judging a
pull request the app reads it at the tip of the base branch instead, and falls back to the file of
the organisation's repository .github, then to the defaults.`,
		Example: `  github-preflight policy validate
  github-preflight policy show --base main --path docs/guide.md`,
		Args: func(c *cobra.Command, args []string) error {
			if len(args) == 0 {
				return errors.New("expected validate or show")
			}
			return unknownSubcommand(c, args[0])
		},
		RunE: func(*cobra.Command, []string) error { return nil },
	}
	command.AddCommand(newPolicyValidate(p), newPolicyShow(p))
	checkFlags(command)
	return command
}

// policyOptions are the flags that both commands take.
type policyOptions struct {
	organisation bool
	json         bool
}

func (o *policyOptions) flags(command *cobra.Command) {
	command.Flags().BoolVar(&o.organisation, "organisation", false, "the file is that of the organisation's repository .github")
	command.Flags().BoolVar(&o.json, "json", false, "print one JSON object")
}

func (o policyOptions) source() policy.Source {
	if o.organisation {
		return policy.Organisation
	}
	return policy.Repository
}
