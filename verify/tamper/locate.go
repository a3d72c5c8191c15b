package tamper

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// gitTimeout bounds a call of git that reads one setting.
const gitTimeout = 20 * time.Second

// Locate is the Key of the project that stands in a folder, the one that holds the policy's .github.
// The remote is origin, else the first one; a project without one has the empty URL.
func Locate(ctx context.Context, root string) (string, error) {
	folder, err := filepath.Abs(root)
	if err == nil {
		folder, err = filepath.EvalSymlinks(folder)
	}
	if err != nil {
		return "", err
	}
	remote, err := remoteURL(ctx, folder)
	if err != nil {
		return "", err
	}
	return Key(remote, folder), nil
}

// remoteURL is empty without git or a remote. Any other failure is one: taking it for "no remote"
// would look for the copy under another name, and find none.
func remoteURL(ctx context.Context, folder string) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, gitTimeout)
	defer cancel()
	command := exec.CommandContext(ctx, "git", "config", "--null", "--get-regexp", `^remote\..*\.url$`)
	command.Dir = folder
	// The caller's variables could give git another configuration, and so the copy another name.
	command.Env = slices.DeleteFunc(os.Environ(), func(v string) bool { return strings.HasPrefix(v, "GIT_") })
	out, err := command.Output()
	var exited *exec.ExitError
	switch {
	case errors.Is(err, exec.ErrNotFound), errors.As(err, &exited) && exited.ExitCode() == 1:
		return "", nil
	case err != nil:
		return "", fmt.Errorf("cannot tell the project's remote, which its copy of the checks is kept under: git config in %s: %w", folder, err)
	}
	first := ""
	for setting := range strings.SplitSeq(string(out), "\x00") {
		name, address, _ := strings.Cut(setting, "\n")
		if name == "remote.origin.url" {
			return address, nil
		}
		if first == "" {
			first = address
		}
	}
	return first, nil
}
