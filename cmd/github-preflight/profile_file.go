package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/evidence-gate/evidence-gate/profile"
)

// profileFile is a project.md of a checkout.
type profileFile struct {
	textFile
	named bool // by --file, instead of found
}

// findProfile reads the file with a name, or else the one that is found by walking up from the
// current folder to the top of the checkout. In a checkout without one it tells where it would be.
func findProfile(p process, name string) (profileFile, error) {
	if name != "" {
		f, err := readProfile(name)
		f.named = true
		return f, err
	}
	dir, err := folder(p)
	if err != nil {
		return profileFile{}, fmt.Errorf("cannot tell the current folder: %w", err)
	}
	if dir, err = filepath.Abs(dir); err != nil {
		return profileFile{}, err
	}
	for {
		f, err := readProfile(filepath.Join(dir, filepath.FromSlash(profile.Path)))
		if err != nil || f.exists {
			return f, err
		}
		if _, err := os.Stat(filepath.Join(dir, ".git")); err == nil {
			return f, nil
		}
		above := filepath.Dir(dir)
		if above == dir {
			return profileFile{}, nil
		}
		dir = above
	}
}

func readProfile(path string) (profileFile, error) {
	f, err := readTextFile("profile", path)
	if err == nil {
		err = expectUTF8("profile", path, string(f.text))
	}
	return profileFile{textFile: f}, err
}

// record replaces the file. The folder of the one that every checkout has at the same place is made.
func (f profileFile) record(text string) error {
	if !f.named {
		if err := os.Mkdir(filepath.Dir(f.path), 0o755); err != nil && !errors.Is(err, fs.ErrExist) {
			return err
		}
	}
	return f.replace(text)
}

// mustExist says that there is no profile to work with.
func (f profileFile) mustExist() error {
	switch {
	case f.exists:
		return nil
	case f.path == "":
		return fmt.Errorf("there is no %s in this folder or above it: name the file with --file", profile.Path)
	}
	return fmt.Errorf("there is no file %s: github-preflight profile record writes one", f.path)
}

// localProfile is what the profile of the checkout knows, for commands that ask nobody. One that is
// absent or cannot be read knows nothing; the latter is told.
func localProfile(p process) profile.Profile {
	f, err := findProfile(p, "")
	if err != nil {
		fmt.Fprintf(p.stderr, "note: no facts are shown: %v\n", err)
		return profile.Profile{}
	}
	read, diagnostics := profile.Read(string(f.text))
	if len(diagnostics) > 0 {
		fmt.Fprintf(p.stderr, "note: %s has problems: github-preflight profile validate shows them\n", f.shown(p))
	}
	return read
}

// decisions are the ids of the decisions that stand beside the profile.
func (f profileFile) decisions() ([]string, error) {
	return markdownFiles(filepath.Join(filepath.Dir(f.path), filepath.Base(profile.DecisionsPath)))
}
