package records

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// treeTimeout bounds how long a run waits to learn its tree.
const treeTimeout = 10 * time.Second

// TreeID is git's id of the files of a checkout as they are now: those of the index and the untracked
// ones that are not ignored. Two runs with one id saw the same files, whatever was committed. It is
// computed beside the repository, in which nothing changes. Without git, in no checkout, or when
// it takes too long, there is none and an error says why.
func TreeID(ctx context.Context, root string) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, treeTimeout)
	defer cancel()
	g := gitIn{ctx: ctx, dir: root, env: ownEnvironment(os.Environ())}
	// The index and the objects are those of this worktree, which may be a linked one.
	paths, err := g.run("rev-parse", "--path-format=absolute", "--show-toplevel", "--git-path", "index", "--git-path", "objects")
	if err != nil {
		return "", err
	}
	lines := strings.Split(paths, "\n")
	if len(lines) != 3 {
		return "", errors.New("git rev-parse did not name the index and the objects of the checkout")
	}
	beside, err := os.MkdirTemp("", "evidence-gate-tree-")
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(beside)
	index := filepath.Join(beside, "index")
	if err := copyFile(lines[1], index); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return "", err
	}
	if err := os.Mkdir(filepath.Join(beside, "objects"), 0o700); err != nil {
		return "", err
	}
	g.dir = lines[0]
	g.env = append(g.env, "GIT_INDEX_FILE="+index, "GIT_OBJECT_DIRECTORY="+filepath.Join(beside, "objects"),
		"GIT_ALTERNATE_OBJECT_DIRECTORIES="+lines[2])
	if _, err := g.run("-c", "core.splitIndex=false", "-c", "core.fsmonitor=false", "-c", "advice.addEmbeddedRepo=false", "add", "--all"); err != nil {
		return "", err
	}
	tree, err := g.run("write-tree")
	if err == nil && !isObject(tree) {
		err = fmt.Errorf("git write-tree printed no id")
	}
	if err != nil {
		return "", err
	}
	return tree, nil
}

// ownEnvironment drops what git takes from a hook that started this program.
func ownEnvironment(env []string) []string {
	return append(slices.DeleteFunc(slices.Clone(env), func(line string) bool {
		return strings.HasPrefix(line, "GIT_INDEX_FILE=") || strings.HasPrefix(line, "GIT_OBJECT_DIRECTORY=") ||
			strings.HasPrefix(line, "GIT_ALTERNATE_OBJECT_DIRECTORIES=")
	}), "LC_ALL=C", "GIT_OPTIONAL_LOCKS=0")
}

type gitIn struct {
	ctx context.Context
	dir string
	env []string
}

func (g gitIn) run(args ...string) (string, error) {
	command := exec.CommandContext(g.ctx, "git", args...)
	command.Dir, command.Env = g.dir, g.env
	var said bytes.Buffer
	command.Stderr = &said
	out, err := command.Output()
	if err != nil {
		line, _, _ := strings.Cut(strings.TrimSpace(said.String()), "\n")
		return "", fmt.Errorf("git cannot tell the tree of the checkout: %w: %s", err, line)
	}
	return strings.TrimSuffix(string(out), "\n"), nil
}

func copyFile(from, to string) error {
	source, err := os.Open(from)
	if err != nil {
		return err
	}
	defer source.Close()
	target, err := os.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	_, err = io.Copy(target, source)
	return errors.Join(err, target.Close())
}
