package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/evidence-gate/evidence-gate/internal/render"
)

// textFile is a file of the project that a command changes. It need not exist.
type textFile struct {
	path   string
	text   []byte
	exists bool
}

// readTextFile reads a file that may be absent. what names it in errors.
func readTextFile(what, path string) (textFile, error) {
	f := textFile{path: path}
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return f, nil
	case err != nil:
		return f, fmt.Errorf("cannot read the %s: %w", what, err)
	case !info.Mode().IsRegular():
		return f, fmt.Errorf("cannot read the %s: expected a file, and %s is none", what, path)
	case info.Size() > maxDocument:
		return f, fmt.Errorf("the %s %s is over %d MiB; a document may have 1 MiB", what, path, maxDocument>>20)
	}
	if f.text, err = os.ReadFile(path); err != nil {
		return f, fmt.Errorf("cannot read the %s: %w", what, err)
	}
	f.exists = true
	return f, nil
}

// folderThere refuses a new file whose folder is missing: that is more often a mistyped path than a
// folder to make.
func (f textFile) folderThere() error {
	dir := filepath.Dir(f.path)
	if _, err := os.Stat(dir); !f.exists && errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("there is no folder %s for the file %s: make it first, or name another file", dir, filepath.Base(f.path))
	}
	return nil
}

// shown is the path as it is told to people: seen from the current folder when that is shorter.
func (f textFile) shown(p process) string { return render.Plain(f.near(p)) }

func (f textFile) near(p process) string {
	if from, err := folder(p); err == nil && filepath.IsAbs(f.path) {
		if short, err := filepath.Rel(from, f.path); err == nil && len(short) < len(f.path) {
			return short
		}
	}
	return f.path
}

// folder is the folder to start from.
func folder(p process) (string, error) {
	if p.dir != "" {
		return p.dir, nil
	}
	return os.Getwd()
}

// markdownFiles are the names of the Markdown files of a folder, without their ending; none when
// there is no such folder.
func markdownFiles(folder string) ([]string, error) {
	entries, err := os.ReadDir(folder)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("cannot read the folder %s: %w", folder, err)
	}
	var names []string
	for _, e := range entries {
		if name, ok := strings.CutSuffix(e.Name(), ".md"); ok && !e.IsDir() {
			names = append(names, name)
		}
	}
	return names, nil
}
