package main

import (
	"fmt"
	"io"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/evidence-gate/evidence-gate/profile/policy"
	"github.com/evidence-gate/evidence-gate/report"
	"github.com/evidence-gate/evidence-gate/snapshot"
)

type policyShowOptions struct {
	policyOptions
	base   string
	author string
	paths  []string
	labels []string
	types  string
	change bool // one of the above was given
}

func newPolicyShow(p process) *cobra.Command {
	var o policyShowOptions
	command := &cobra.Command{
		Use:   "show [FILE]",
		Short: "Print each value that is in force, and where it comes from",
		Long: `show reads .github/evidence.yml of the checkout, or FILE, and prints every key with its value and where
that comes from: a line of the file, a rule, or the defaults. A single - reads standard input.

With --base, --path, --label, --author or --issue-type it says what holds for a pull request like
that: which rule matches, and whether it is judged at all. All its commits are by the author, and its
labels were set by a maintainer.

It exits with 1 when the file is broken; then nothing of it is in force.`,
		Example: `  github-preflight policy show
  github-preflight policy show --base main --path docs/guide.md --path docs/index.md
  github-preflight policy show evidence.yml --author "dependabot[bot]" --json`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(command *cobra.Command, args []string) error {
			for _, name := range []string{"base", "author", "path", "label", "issue-type"} {
				o.change = o.change || command.Flags().Changed(name)
			}
			return policyShow(p, o, args)
		},
	}
	o.flags(command)
	flags := command.Flags()
	flags.StringVar(&o.base, "base", "main", "the `branch` that the pull request is for")
	flags.StringVar(&o.author, "author", "", "the `account` that wrote it; a bot's ends in [bot]")
	flags.StringArrayVar(&o.paths, "path", nil, "a changed `path`; may be given several times")
	flags.StringArrayVar(&o.labels, "label", nil, "a `label` that a maintainer set; may be given several times")
	flags.StringVar(&o.types, "issue-type", "", "the `type` of its task")
	completeNothing(command, "base", "author", "label", "issue-type")
	checkFlags(command)
	return command
}

// shownPolicy is what `policy show --json` prints.
type shownPolicy struct {
	Path        string              `json:"path"`
	Source      policy.Source       `json:"source"`
	Valid       bool                `json:"valid"`
	Rule        int                 `json:"rule"`    // 0: none matches
	Neutral     string              `json:"neutral"` // why it is not judged
	Undecided   []string            `json:"undecided"`
	Values      []policy.Value      `json:"values"`
	Diagnostics []report.Diagnostic `json:"diagnostics"`
}

func policyShow(p process, o policyShowOptions, args []string) error {
	f, err := openPolicy(p, args)
	if err != nil {
		return couldNotJudge(err)
	}
	read, faults := policy.Default(), []report.Diagnostic{}
	if f.exists {
		var found []report.Diagnostic
		read, found = policy.Read(f.text, o.source())
		faults = append(faults, found...)
	}
	shown := shownPolicy{Path: f.name, Source: read.Source, Valid: len(faults) == 0, Undecided: []string{}, Values: []policy.Value{}, Diagnostics: faults}
	if shown.Valid {
		shown.fill(o.effective(read))
	}
	switch {
	case o.json:
		err = written(writeJSON(p.stdout, shown))
	case shown.Valid:
		err = written(shown.print(p.stdout, f, o))
	default:
		err = f.printFaults(p, faults)
	}
	if err == nil && !shown.Valid {
		return &exit{code: exitFailure}
	}
	return err
}

// effective is the policy as it stands, or as it holds for the pull request of the flags.
func (o policyShowOptions) effective(read policy.Policy) policy.Effective {
	if !o.change {
		return policy.Effective{Policy: read}
	}
	return read.For(o.madeUp())
}

// madeUp is a pull request like that of the flags. Without a path its changed paths are not known.
func (o policyShowOptions) madeUp() snapshot.Snapshot {
	var s snapshot.Snapshot
	pr := &s.PullRequest
	pr.BaseRef = o.base
	if o.author != "" {
		pr.Author = &snapshot.Actor{Login: o.author}
		pr.Commits = []snapshot.Commit{{Authors: []*string{&o.author}}}
	}
	if len(o.paths) > 0 {
		files := len(o.paths)
		pr.ChangedFiles, pr.ChangedPaths = &files, o.paths
	}
	for _, name := range o.labels {
		pr.Labels = append(pr.Labels, snapshot.Label{Name: name, By: &snapshot.Actor{Type: "User", Permission: "admin"}})
	}
	if o.types != "" {
		s.Issue = &snapshot.Issue{Type: o.types}
	}
	return s
}

func (s *shownPolicy) fill(e policy.Effective) {
	s.Rule, s.Neutral, s.Values = e.Rule, e.Neutral, e.Values()
	for _, m := range e.Missing {
		s.Undecided = append(s.Undecided, m.Fact)
	}
}

func (s shownPolicy) print(w io.Writer, f policyFile, o policyShowOptions) error {
	fmt.Fprintln(w, s.heading(f, o))
	fmt.Fprintln(w)
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "KEY\tVALUE\tFROM")
	for _, v := range s.Values {
		fmt.Fprintf(table, "%s\t%s\t%s\n", v.Key, v.Text(), v.From)
	}
	return table.Flush()
}

func (s shownPolicy) heading(f policyFile, o policyShowOptions) string {
	name := f.name
	if !f.exists {
		name = "There is no " + f.name + "; the defaults, unless the organisation has one"
	}
	switch {
	case !o.change:
		return name + ":"
	case s.Neutral != "":
		return name + ": this pull request is not judged: " + s.Neutral
	case len(s.Undecided) > 0:
		return name + ": what holds for this pull request cannot be told without its changed paths; give them with --path"
	case s.Rule > 0:
		return fmt.Sprintf("%s: this pull request is judged; rule %d matches", name, s.Rule)
	}
	return name + ": this pull request is judged; no rule matches"
}
