package checkout

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"time"

	"github.com/evidence-gate/evidence-gate/internal/github"
)

// gitTimeout bounds one call of git; all of them read local files only.
const gitTimeout = 20 * time.Second

// The calls of git. The arguments are fixed: nothing that a repository or a person names becomes
// one, and no shell is involved.
var (
	gitHead    = []string{"rev-parse", "--verify", "--quiet", "HEAD"}
	gitBranch  = []string{"symbolic-ref", "--quiet", "HEAD"}
	gitRemotes = []string{"remote", "--verbose"}
	gitConfig  = []string{"config", "--null", "--get-regexp", `^(remote|branch)\.`}
	gitFolder  = []string{"rev-parse", "--git-dir"}
)

// git returns what it prints. Exit code 1 means "there is none" for the calls above and is no error.
func git(ctx context.Context, dir string, args []string) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, gitTimeout)
	defer cancel()
	command := exec.CommandContext(ctx, "git", args...)
	command.Dir = dir
	command.Env = append(os.Environ(), "GIT_OPTIONAL_LOCKS=0", "LC_ALL=C")
	var out, said bytes.Buffer
	command.Stdout, command.Stderr = &out, &said
	err := command.Run()
	var exited *exec.ExitError
	switch {
	case err == nil:
		return out.String(), nil
	case errors.As(err, &exited) && exited.ExitCode() == 1:
		return "", nil
	case errors.Is(err, exec.ErrNotFound):
		return "", errors.New("git was not found: install it")
	case strings.Contains(said.String(), "not a git repository"):
		return "", errors.New("this folder is in no git checkout: go to one")
	case strings.Contains(said.String(), "dubious ownership"):
		return "", errors.New("git refuses this checkout because another user owns it: run git config --global --add safe.directory FOLDER")
	}
	return "", fmt.Errorf("git %s failed: %s", args[0], github.Plain(firstLine(said.String(), err)))
}

func firstLine(said string, err error) string {
	line, _, _ := strings.Cut(strings.TrimSpace(said), "\n")
	if line == "" {
		return err.Error()
	}
	return line
}

// tree is what git knows of a checkout.
type tree struct {
	commit   string
	branch   string // empty when no branch is checked out
	remotes  []remote
	settings map[string]string // remote.* and branch.*, the last value of each
}

func readTree(ctx context.Context, dir string) (*tree, error) {
	t := &tree{settings: map[string]string{}}
	if _, err := git(ctx, dir, gitFolder); err != nil {
		return t, err
	}
	outputs := map[string]string{}
	for name, args := range map[string][]string{"head": gitHead, "branch": gitBranch, "remotes": gitRemotes, "config": gitConfig} {
		out, err := git(ctx, dir, args)
		if err != nil {
			return t, err
		}
		outputs[name] = out
	}
	t.commit = strings.TrimSpace(outputs["head"])
	t.branch, _ = strings.CutPrefix(strings.TrimSpace(outputs["branch"]), "refs/heads/")
	for setting := range strings.SplitSeq(outputs["config"], "\x00") {
		if key, value, ok := strings.Cut(setting, "\n"); ok {
			t.settings[key] = value
		}
	}
	t.remotes = parseRemotes(outputs["remotes"], t.settings)
	return t, nil
}

// ofBranch is a setting of the branch that is checked out.
func (t *tree) ofBranch(name string) string { return t.settings["branch."+t.branch+"."+name] }
