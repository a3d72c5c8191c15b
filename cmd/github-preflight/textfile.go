package main

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
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

// shown is the path as it is told to people: seen from the current folder when that is shorter.
func (f textFile) shown(p process) string {
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

// errChangedMeanwhile is for a file that is not any more what was read.
var errChangedMeanwhile = errors.New("it was changed meanwhile, so nothing was written: run it again")

// replace writes a new text in place of the one that was read, whole or not at all. A file beside it
// keeps two writers apart, as git's do, and a text that somebody else wrote meanwhile stays.
func (f textFile) replace(text string) (err error) {
	mode := fs.FileMode(0o644)
	if info, err := os.Lstat(f.path); err == nil {
		if !info.Mode().IsRegular() {
			return fmt.Errorf("%s is no ordinary file: nothing was written", f.path)
		}
		mode = info.Mode().Perm()
	} else if err := os.MkdirAll(filepath.Dir(f.path), 0o755); err != nil {
		return err
	}
	lock := f.path + ".lock"
	file, err := os.OpenFile(lock, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
	if errors.Is(err, fs.ErrExist) {
		return fmt.Errorf("%s is there: another command writes the file; delete it when none does", lock)
	}
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			os.Remove(lock)
		}
	}()
	if f.exists {
		_ = file.Chmod(mode) // the umask may have taken something away
	}
	if err := store(file, text); err != nil {
		return err
	}
	now, err := readTextFile("file", f.path)
	if err != nil {
		return err
	}
	if now.exists != f.exists || !bytes.Equal(now.text, f.text) {
		return fmt.Errorf("%s: %w", f.path, errChangedMeanwhile)
	}
	return os.Rename(lock, f.path)
}

// store writes a file to the disk and closes it.
func store(file *os.File, text string) error {
	_, err := file.WriteString(text)
	return errors.Join(err, file.Sync(), file.Close())
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
