package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/evidence-gate/evidence-gate/profile/policy"
	"github.com/evidence-gate/evidence-gate/report"
)

func newPolicyValidate(p process) *cobra.Command {
	var o policyOptions
	command := &cobra.Command{
		Use:   "validate [FILE]",
		Short: "Say everything that is wrong with a policy",
		Long: `validate reads .github/evidence.yml of the checkout, or FILE, and shows every fault in it with its line,
the key or value that was probably meant, and the line to write. A single - reads standard input.

Where the file declares steps it also demands those of the layers install, lint, typecheck and test,
and a server that is probed for the kinds web and api. It exits with 1 when something is wrong.`,
		Example: `  github-preflight policy validate
  github-preflight policy validate evidence.yml --json
  git show origin/main:.github/evidence.yml | github-preflight policy validate -`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			return policyValidate(p, o, args)
		},
	}
	o.flags(command)
	checkFlags(command)
	return command
}

// validity is what `policy validate --json` prints.
type validity struct {
	Path        string              `json:"path"`
	Valid       bool                `json:"valid"`
	Diagnostics []report.Diagnostic `json:"diagnostics"`
}

func policyValidate(p process, o policyOptions, args []string) error {
	f, err := openPolicy(p, args)
	if err == nil && !f.exists {
		err = fmt.Errorf("there is no %s in this folder or above it: name the file; without one the organisation's holds, or the defaults", policy.Path)
	}
	if err != nil {
		return couldNotJudge(err)
	}
	read, faults := policy.Read(f.text, o.source())
	if len(faults) == 0 {
		faults = read.Incomplete()
	}
	switch {
	case o.json:
		err = written(writeJSON(p.stdout, validity{f.name, len(faults) == 0, append([]report.Diagnostic{}, faults...)}))
	case len(faults) > 0:
		err = f.printFaults(p, faults)
	default:
		_, err = fmt.Fprintf(p.stdout, "%s: valid\n", f.name)
		err = written(err)
	}
	if err == nil && len(faults) > 0 {
		return &exit{code: exitFailure}
	}
	return err
}
