package verify

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/evidence-gate/evidence-gate/profile/policy"
	"github.com/evidence-gate/evidence-gate/verify/tamper"
)

// Base is the commit whose steps run with --base: the merge base with the default branch as last
// fetched (design section 12).
type Base struct {
	Commit  string          `json:"commit"`
	Ref     string          `json:"ref"`               // the default branch, as it was last fetched
	Changes []tamper.Change `json:"changes,omitempty"` // that the working tree would make to the steps
}

// maxPolicy bounds the policy of the base, as every document is (M1).
const maxPolicy = 1 << 20

// FindBase reads the policy of the base. It asks git only, and never the network.
func FindBase(ctx context.Context, root string) (Base, policy.Policy, error) {
	g := git{ctx: ctx, dir: root}
	ref, err := g.defaultBranch()
	if err != nil {
		return Base{}, policy.Policy{}, err
	}
	commit, err := g.line("merge-base", "HEAD", ref)
	if err != nil {
		return Base{}, policy.Policy{}, err
	}
	b := Base{Commit: commit, Ref: strings.TrimPrefix(ref, "refs/remotes/")}
	if commit == "" {
		return b, policy.Policy{}, fmt.Errorf("HEAD and %s have no common commit here: fetch more of the history (git fetch --unshallow), or run the steps of the working tree with --base=false", b.Ref)
	}
	text, err := g.policyAt(commit)
	if err != nil {
		return b, policy.Policy{}, err
	}
	p, faults := policy.Read(text, policy.Repository)
	if len(faults) > 0 {
		return b, p, fmt.Errorf("the policy of the base %.12s is not valid, line %d: %s", commit, faults[0].Where.Line, faults[0].Message)
	}
	return b, p, nil
}

// Nearer is a policy of the base that stands nearer to a folder than the one in root, which the
// working tree has no more; empty when there is none. Without this question a change could choose
// other steps by deleting it.
func (b Base) Nearer(ctx context.Context, root, folder string) (string, error) {
	rel, err := filepath.Rel(root, folder)
	if err != nil || !filepath.IsLocal(rel) {
		return "", err
	}
	g := git{ctx: ctx, dir: root}
	for rel = filepath.ToSlash(rel); rel != "."; rel = path.Dir(rel) {
		name := path.Join(rel, policy.Path)
		blob, err := g.line("rev-parse", "--verify", "--quiet", b.Commit+":./"+name)
		if err != nil || blob != "" {
			return name, err
		}
	}
	return "", nil
}

type git struct {
	ctx context.Context
	dir string
}

const gitTimeout = 20 * time.Second

// output is what a call of git prints. Exit code 1 is "there is none" for the calls here: found is
// false then.
func (g git) output(args ...string) (text string, found bool, err error) {
	ctx, cancel := context.WithTimeout(g.ctx, gitTimeout)
	defer cancel()
	command := exec.CommandContext(ctx, "git", args...)
	command.Dir = g.dir
	// A partial clone would fetch what it lacks.
	command.Env = append(os.Environ(), "GIT_OPTIONAL_LOCKS=0", "GIT_NO_LAZY_FETCH=1", "GIT_TERMINAL_PROMPT=0", "LC_ALL=C")
	var out, said bytes.Buffer
	command.Stdout, command.Stderr = &out, &said
	err = command.Run()
	var exited *exec.ExitError
	switch {
	case err == nil:
		return out.String(), true, nil
	case errors.As(err, &exited) && exited.ExitCode() == 1:
		return "", false, nil
	}
	line, _, _ := strings.Cut(strings.TrimSpace(said.String()), "\n")
	return "", false, fmt.Errorf("the base cannot be found: git %s failed: %s", args[0], cmp.Or(line, err.Error()))
}

func (g git) line(args ...string) (string, error) {
	text, _, err := g.output(args...)
	return strings.TrimSpace(text), err
}

// usualRemotes are the names of remotes in the order in which they are the base, and usualBranches
// those of default branches where the remote's own word for it was never fetched.
var (
	usualRemotes  = []string{"upstream", "origin"}
	usualBranches = []string{"main", "master"}
)

// defaultBranch is the remote-tracking branch of the default branch: what refs/remotes/REMOTE/HEAD
// points at, else main or master.
func (g git) defaultBranch() (string, error) {
	text, _, err := g.output("for-each-ref", "--format=%(refname) %(symref)", "refs/remotes")
	if err != nil {
		return "", err
	}
	heads, refs, remotes := map[string]string{}, map[string]bool{}, slices.Clone(usualRemotes)
	for line := range strings.Lines(text) {
		name, target, _ := strings.Cut(strings.TrimSpace(line), " ")
		refs[name] = true
		remote, branch, _ := strings.Cut(strings.TrimPrefix(name, "refs/remotes/"), "/")
		if branch == "HEAD" && target != "" {
			heads[remote] = target
		}
		if !slices.Contains(remotes, remote) {
			remotes = append(remotes, remote)
		}
	}
	for _, remote := range remotes {
		candidates := []string{heads[remote]}
		for _, branch := range usualBranches {
			candidates = append(candidates, "refs/remotes/"+remote+"/"+branch)
		}
		for _, ref := range candidates {
			if refs[ref] {
				return ref, nil
			}
		}
	}
	return "", errors.New("the default branch was never fetched here: git fetch origin main (with its name), or run the steps of the working tree with --base=false")
}

// policyAt is the policy of a commit, for the folder that holds the policy now.
func (g git) policyAt(commit string) (string, error) {
	prefix, err := g.line("rev-parse", "--show-prefix")
	if err != nil {
		return "", err
	}
	name := path.Join(prefix, policy.Path)
	blob, err := g.line("rev-parse", "--verify", "--quiet", commit+":"+name)
	if err != nil {
		return "", err
	}
	if blob == "" {
		return "", fmt.Errorf("the base %.12s has no %s, so it declares no steps: run those of the working tree with --base=false", commit, name)
	}
	size, err := g.line("cat-file", "-s", blob)
	if err != nil {
		return "", err
	}
	if n, err := strconv.Atoi(size); err != nil || n > maxPolicy {
		return "", fmt.Errorf("%s of the base %.12s has %s bytes; it may have %d", name, commit, size, maxPolicy)
	}
	text, _, err := g.output("cat-file", "blob", blob)
	return text, err
}
