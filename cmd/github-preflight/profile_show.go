package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/evidence-gate/evidence-gate/internal/render"
	"github.com/evidence-gate/evidence-gate/profile"
	"github.com/evidence-gate/evidence-gate/report"
)

type profileOptions struct {
	file string
	json bool
}

func (o *profileOptions) flags(command *cobra.Command) {
	command.Flags().StringVar(&o.file, "file", "", "the `file` of the profile; that of the checkout, .agenticloop/project.md, when absent")
	command.Flags().BoolVar(&o.json, "json", false, "print one JSON object")
}

func newProfileShow(p process) *cobra.Command {
	var o profileOptions
	command := &cobra.Command{
		Use:   "show [VF-NAME]",
		Short: "Print the recorded facts, or one of them with all its fields",
		Long: `show prints the facts that the profile records, one a line, or with the id of a fact all its fields.
A value that is missing or not allowed is shown as a question mark; profile validate says why.

It exits with 0 however good the facts are, and with 3 when there is no profile or no such fact.`,
		Example: `  github-preflight profile show
  github-preflight profile show VF-full-suite
  github-preflight profile show --json`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(command *cobra.Command, args []string) error {
			return profileShow(p, o, args)
		},
	}
	o.flags(command)
	command.ValidArgsFunction = completeFacts(p)
	checkFlags(command)
	return command
}

// shownProfile is a profile as `profile show --json` and `profile validate --json` print it.
type shownProfile struct {
	Path        string              `json:"path"`
	Section     bool                `json:"section"`
	Valid       bool                `json:"valid"`
	Facts       []profile.Fact      `json:"facts"`
	Diagnostics []report.Diagnostic `json:"diagnostics"`
}

func profileShow(p process, o profileOptions, id []string) error {
	f, shown, err := openProfile(p, o.file)
	if err != nil {
		return couldNotJudge(err)
	}
	if len(id) == 1 {
		found, ok := profile.Profile{Facts: shown.Facts}.Fact(id[0])
		if !ok {
			return couldNotJudge(fmt.Errorf("%s records no fact %q", f.shown(p), id[0]))
		}
		shown.Facts = []profile.Fact{found}
	}
	switch {
	case o.json:
		err = writeJSON(p.stdout, shown)
	case len(id) == 1:
		err = render.Fact(p.stdout, shown.Facts[0])
	default:
		err = printFacts(p, f, shown)
	}
	if err := written(err); err != nil {
		return err
	}
	if n := len(shown.Diagnostics); n > 0 && !o.json {
		fmt.Fprintf(p.stderr, "note: %s has %d problems: github-preflight profile validate shows them\n", f.shown(p), n)
	}
	return nil
}

func printFacts(p process, f profileFile, shown shownProfile) error {
	switch {
	case !shown.Section:
		_, err := fmt.Fprintf(p.stdout, "%s has no section %q, so that no facts are recorded\n", f.shown(p), profile.SectionName)
		return err
	case len(shown.Facts) == 0:
		_, err := fmt.Fprintf(p.stdout, "%s records no facts\n", f.shown(p))
		return err
	}
	return render.Facts(p.stdout, shown.Facts)
}

// openProfile reads the profile of the checkout as `profile validate` judges it.
func openProfile(p process, name string) (profileFile, shownProfile, error) {
	f, err := findProfile(p, name)
	if err == nil {
		err = f.mustExist()
	}
	if err != nil {
		return f, shownProfile{}, err
	}
	decisions, err := f.decisions()
	if err != nil {
		return f, shownProfile{}, err
	}
	read, diagnostics := profile.Read(string(f.text))
	diagnostics = profile.AsErrors(append(diagnostics, read.MissingDecisions(decisions)...))
	return f, shownProfile{
		Path: f.shown(p), Section: read.Found, Valid: report.Conclude(diagnostics) == report.Success,
		Facts: append([]profile.Fact{}, read.Facts...), Diagnostics: append([]report.Diagnostic{}, diagnostics...),
	}, nil
}
