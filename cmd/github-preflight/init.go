package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/evidence-gate/evidence-gate/verify/propose"
)

type initOptions struct {
	yes    bool
	dryRun bool
}

func newInit(p process) *cobra.Command {
	var o initOptions
	command := &cobra.Command{
		Use:   "init",
		Short: "Propose a policy, a pull request template and an issue form",
		Long: `init looks at what the repository has (go.mod, package.json and its lock file, Cargo.toml,
pyproject.toml, a Makefile) and proposes three files: .github/evidence.yml with the steps that verify
runs, a pull request template with the Evidence section, and an issue form with Required Checks.

It shows them, and writes them only after a yes: y at the terminal, or --yes. A file that is there
already is never written over. A layer that nothing names a command for gets a step that fails and
says so, until its command is written in.

It exits with 0 whether or not anything was written.`,
		Example: `  github-preflight init
  github-preflight init --dry-run
  github-preflight init --yes`,
		Args: cobra.NoArgs,
		RunE: func(command *cobra.Command, _ []string) error {
			if o.yes && o.dryRun {
				return usage(command, errors.New("--yes writes and --dry-run does not: give one of them"))
			}
			return initialise(p, o)
		},
	}
	command.Flags().BoolVar(&o.yes, "yes", false, "write the files without asking")
	command.Flags().BoolVar(&o.dryRun, "dry-run", false, "show the files and write nothing")
	command.ValidArgsFunction = cobra.NoFileCompletions
	checkFlags(command)
	return command
}

func initialise(p process, o initOptions) error {
	top, err := topFolder(p)
	if err != nil {
		return couldNotJudge(err)
	}
	root, err := os.OpenRoot(top)
	if err != nil {
		return couldNotJudge(fmt.Errorf("cannot open the project's folder: %w", err))
	}
	defer root.Close()
	proposal, err := propose.For(root.FS())
	if err != nil {
		return couldNotJudge(fmt.Errorf("nothing was written: %w", err))
	}
	if err := showProposal(p.stdout, top, proposal); err != nil {
		return written(err)
	}
	files := proposal.Writable()
	switch {
	case len(files) == 0:
		_, err = io.WriteString(p.stdout, "All three are there already; nothing was written.\n")
		return written(err)
	case o.dryRun:
		_, err = io.WriteString(p.stdout, "Nothing was written (--dry-run).\n")
		return written(err)
	case !o.yes:
		agreed, err := agrees(p, files)
		if err != nil || !agreed {
			return err
		}
	}
	return writeProposal(p, root, files)
}

// topFolder is the top of the checkout, or the current folder outside of one.
func topFolder(p process) (string, error) {
	from, err := folder(p)
	if err == nil {
		from, err = filepath.Abs(from)
	}
	if err != nil {
		return "", fmt.Errorf("cannot tell the current folder: %w", err)
	}
	for dir := from; ; dir = filepath.Dir(dir) {
		if _, err := os.Stat(filepath.Join(dir, ".git")); err == nil {
			return dir, nil
		}
		if filepath.Dir(dir) == dir {
			return from, nil
		}
	}
}

func showProposal(w io.Writer, top string, proposal propose.Proposal) error {
	var out strings.Builder
	fmt.Fprintf(&out, "Proposed for %s:\n\n", oneLine(top))
	for _, f := range proposal.Files {
		if f.There != "" {
			fmt.Fprintf(&out, "%s: not proposed, since %s is there; %s.\n\n", f.Path, oneLine(f.There), f.Help)
			continue
		}
		fmt.Fprintf(&out, "%s:\n\n", f.Path)
		for line := range strings.Lines(f.Text) {
			out.WriteString(strings.TrimRight("  | "+line, " \n") + "\n")
		}
		out.WriteString("\n")
	}
	if len(proposal.Open) > 0 {
		fmt.Fprintf(&out, "Nothing here says how the project does this: %s. Their steps fail until you write the command in.\n\n", strings.Join(proposal.Open, ", "))
	}
	for _, note := range proposal.Notes {
		fmt.Fprintf(&out, "%s.\n\n", oneLine(note))
	}
	_, err := io.WriteString(w, out.String())
	return err
}

// longestAnswer bounds a line that is read as an answer.
const longestAnswer = 1 << 10

// agrees asks the person at the terminal. Without one there is nobody to say yes: what a pipe sends
// was written before the proposal was shown.
func agrees(p process, files []propose.File) (bool, error) {
	if !readsTerminal(p.stdin) {
		_, err := io.WriteString(p.stdout, "Nothing was written: say yes at a terminal, or with --yes.\n")
		return false, written(err)
	}
	if _, err := fmt.Fprintf(p.stdout, "Write %s? [y/N] ", countedWord(len(files), "file")); err != nil {
		return false, written(err)
	}
	answer, err := bufio.NewReader(io.LimitReader(p.stdin, longestAnswer)).ReadString('\n')
	if err != nil && !errors.Is(err, io.EOF) {
		return false, couldNotJudge(fmt.Errorf("cannot read the answer: %w", err))
	}
	switch strings.ToLower(strings.TrimSpace(answer)) {
	case "y", "yes":
		return true, nil
	}
	_, err = io.WriteString(p.stdout, "Nothing was written.\n")
	return false, written(err)
}

// writeProposal writes each file that is not there. What another program wrote meanwhile stays.
func writeProposal(p process, root *os.Root, files []propose.File) error {
	for _, f := range files {
		if err := create(root, filepath.FromSlash(f.Path), f.Text); err != nil {
			return couldNotJudge(fmt.Errorf("cannot write %s: %w", f.Path, err))
		}
		if _, err := fmt.Fprintf(p.stdout, "wrote %s\n", f.Path); err != nil {
			return written(err)
		}
	}
	_, err := io.WriteString(p.stdout, "\nNext: read the files, run github-preflight policy validate and github-preflight verify, and commit.\n")
	return written(err)
}

// create writes a new file. A half-written one does not stay.
func create(root *os.Root, path, text string) error {
	if err := root.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	file, err := root.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if err != nil {
		return err
	}
	if err := store(file, text); err != nil {
		return errors.Join(err, root.Remove(path))
	}
	return nil
}
