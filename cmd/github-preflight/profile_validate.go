package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/evidence-gate/evidence-gate/internal/render"
	"github.com/evidence-gate/evidence-gate/profile"
	"github.com/evidence-gate/evidence-gate/report"
)

func newProfileValidate(p process) *cobra.Command {
	var o profileOptions
	command := &cobra.Command{
		Use:   "validate",
		Short: "Say what is wrong with the recorded facts",
		Long: `validate judges the facts of the profile: their ids, commands and fields, whether their sources can
still be looked up later, and whether the decisions that they name exist in .agenticloop/decisions.

It exits with 1 when something is wrong. In the report of a pull request the same problems are
warnings, unless the pull request changes the file.`,
		Example: `  github-preflight profile validate
  github-preflight profile validate --file docs/project.md --json`,
		Args: cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			return profileValidate(p, o)
		},
	}
	o.flags(command)
	command.ValidArgsFunction = cobra.NoFileCompletions
	checkFlags(command)
	return command
}

func profileValidate(p process, o profileOptions) error {
	f, shown, err := openProfile(p, o.file)
	if err != nil {
		return couldNotJudge(err)
	}
	if o.json {
		err = writeJSON(p.stdout, shown)
	} else {
		err = printValidity(p, f, shown)
	}
	if err := written(err); err != nil {
		return err
	}
	if !shown.Valid {
		return &exit{code: exitFailure}
	}
	return nil
}

func printValidity(p process, f profileFile, shown shownProfile) error {
	if err := render.Diagnostics(p.stdout, shown.Diagnostics, map[string]string{profile.Document: string(f.text)}, textOptions(p, p.stdout)); err != nil {
		return err
	}
	if len(shown.Diagnostics) > 0 {
		fmt.Fprintln(p.stdout)
	}
	state := fmt.Sprintf("%s, %s", countedWord(len(shown.Facts), "fact"), countedWord(errorCount(shown.Diagnostics), "error"))
	if !shown.Section {
		state = fmt.Sprintf("no section %q, so that there are no facts", profile.SectionName)
	}
	_, err := fmt.Fprintf(p.stdout, "%s: %s\n", f.shown(p), state)
	return err
}

func errorCount(diagnostics []report.Diagnostic) int {
	n := 0
	for _, d := range diagnostics {
		if d.Severity == report.Error {
			n++
		}
	}
	return n
}

func countedWord(n int, one string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %ss", n, one)
}
