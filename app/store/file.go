package store

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"
)

// ErrReplaced is wrapped by the error of writing to a database whose file was deleted, moved or
// replaced while it was open. SQLite itself goes on writing to the file that nobody can open any more.
var ErrReplaced = errors.New("the database file was deleted or replaced while it was in use")

// resolve follows links, so that one file has one lock whatever name it is opened by.
func resolve(path string) (string, error) {
	real, err := filepath.EvalSymlinks(path)
	if err == nil {
		return real, nil
	}
	if !errors.Is(err, fs.ErrNotExist) {
		return "", err
	}
	if _, err := os.Lstat(path); err == nil {
		return "", fmt.Errorf("%s is a link to a file that does not exist: %w", path, fs.ErrNotExist)
	}
	folder, err := filepath.EvalSymlinks(filepath.Dir(path))
	if errors.Is(err, fs.ErrNotExist) {
		return "", fmt.Errorf("its folder %s does not exist: %w", filepath.Dir(path), fs.ErrNotExist)
	}
	return filepath.Join(folder, filepath.Base(path)), err
}

// identify notes which file is at path.
func (s *Store) identify(path string) (err error) {
	s.path = path
	s.file, err = os.Stat(path)
	return err
}

// present fails when the file at path is not the one that was opened. It is asked for before every
// promise: a look at a folder costs nothing beside a commit.
func (s *Store) present() error {
	now, err := os.Stat(s.path)
	if err == nil && os.SameFile(s.file, now) {
		return nil
	}
	return fmt.Errorf("%w: put it back and restart, or restart to begin with an empty one (%s)", ErrReplaced, s.path)
}

// advice says what to do about a database that cannot be opened.
func advice(err error) string {
	switch code(err) {
	case sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_CORRUPT:
		return "the file is damaged or no SQLite database: restore it from a backup, or move it away, together with " +
			"its -wal and -shm files, to begin with an empty one and redeliver recent deliveries from the App's settings"
	case sqlite3.SQLITE_FULL:
		return "free space on its disk"
	case sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED:
		return "another program holds it: stop that"
	}
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return "create the folder, or correct database_url"
	case errors.Is(err, ErrLocked):
		return "a SQLite file serves one evidence-gate process: stop the other one, or give this one another database_url"
	}
	return "expected the path of a file that this process may read and write, in a folder that it may write to: correct database_url or the rights"
}

// ofDatabase says whether a failure is the database's as a whole, rather than that of what was written.
func ofDatabase(err error) bool {
	switch code(err) {
	case sqlite3.SQLITE_OK, sqlite3.SQLITE_CONSTRAINT, sqlite3.SQLITE_MISMATCH, sqlite3.SQLITE_TOOBIG, sqlite3.SQLITE_RANGE:
		return errors.Is(err, ErrReplaced)
	}
	return true
}

// code is SQLite's primary result code, SQLITE_OK for errors that are not SQLite's.
func code(err error) int {
	var failure *sqlite.Error
	if !errors.As(err, &failure) {
		return sqlite3.SQLITE_OK
	}
	return failure.Code() & 0xff
}
