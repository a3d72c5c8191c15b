package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"time"
)

// errChangedMeanwhile is for a file that is not any more what was read, and errLocked for one that
// another command writes.
var (
	errChangedMeanwhile = errors.New("it was changed meanwhile, so nothing was written: run it again")
	errLocked           = errors.New("is there: another command writes the file; delete it when none does")
)

// How often, and for how long in all, is tried again when another writer is in the way: five seconds,
// while a write takes some hundredths.
const (
	writePause = 50 * time.Millisecond
	writeTries = 100
)

// patiently does something that reads a file and replaces it. When another writer is in the way it is
// done anew, from the reading on, so that what was written meanwhile is judged too.
func patiently(ctx context.Context, p process, do func() error) error {
	for tries := 1; ; tries++ {
		err := do()
		if tries == writeTries || !errors.Is(err, errLocked) && !errors.Is(err, errChangedMeanwhile) {
			return err
		}
		if p.sleep(ctx, writePause) != nil {
			return err
		}
	}
}

// replace writes a new text in place of the one that was read, whole or not at all. A file beside it
// keeps two writers apart, as git's do, and a text that somebody else wrote meanwhile stays. Mode and
// owner stay as well.
func (f textFile) replace(text string) (err error) {
	before, err := f.writable()
	if err != nil {
		return err
	}
	mode := fs.FileMode(0o644)
	if before != nil {
		mode = before.Mode().Perm()
	}
	lock := f.path + ".lock"
	file, err := os.OpenFile(lock, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
	if errors.Is(err, fs.ErrExist) {
		return fmt.Errorf("%s %w", lock, errLocked)
	}
	if err != nil {
		return err
	}
	keep := false
	defer func() {
		if err != nil && !keep {
			os.Remove(lock)
		}
	}()
	owned := true
	if before != nil {
		owned = keepOwner(file, before)
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
	if owned {
		return os.Rename(lock, f.path)
	}
	if err := f.overwrite(text); err != nil {
		keep = true
		return fmt.Errorf("%s was not written to its end, its whole text is in %s: %w", f.path, lock, err)
	}
	return os.Remove(lock)
}

// writable refuses what may not be written. Who may write into a folder could replace a file that they
// may not write; a read-only file is meant to stay as it is. The file's properties are nil when there
// is none.
func (f textFile) writable() (fs.FileInfo, error) {
	info, err := os.Lstat(f.path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, f.folderThere()
	case err != nil:
		return nil, err
	case !info.Mode().IsRegular():
		return nil, fmt.Errorf("%s is no ordinary file: nothing was written", f.path)
	}
	err = fs.ErrPermission
	if info.Mode().Perm()&0o222 != 0 {
		err = openAndClose(f.path)
	}
	if err != nil {
		return nil, fmt.Errorf("%s is read-only for you: nothing was written; make it writable first, or ask whose it is: %w", f.path, err)
	}
	return info, nil
}

func openAndClose(path string) error {
	file, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	return file.Close()
}

// overwrite writes the text into the file itself, which then stays its owner's.
func (f textFile) overwrite(text string) error {
	file, err := os.OpenFile(f.path, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	if _, err := file.WriteString(text); err != nil {
		return errors.Join(err, file.Close())
	}
	return errors.Join(file.Truncate(int64(len(text))), file.Sync(), file.Close())
}

// store writes a file to the disk and closes it.
func store(file *os.File, text string) error {
	_, err := file.WriteString(text)
	return errors.Join(err, file.Sync(), file.Close())
}
