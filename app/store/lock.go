package store

import (
	"errors"
	"fmt"
	"os"
)

// ErrLocked is wrapped by the error of opening a database that another process has open.
var ErrLocked = errors.New("another process has it open")

// lock is held on a file beside the database for as long as the process uses it. The system drops
// it when the process ends, however it ends. The file itself stays: removing it would let two
// processes hold locks on two files of one name.
type lock struct{ file *os.File }

func acquire(path string) (*lock, error) {
	file, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, fmt.Errorf("open lock file: %w", err)
	}
	if err := lockFile(file); err != nil {
		return nil, errors.Join(fmt.Errorf(
			"lock %s: %w (%w)", path, ErrLocked, err), file.Close())
	}
	return &lock{file: file}, nil
}

func (l *lock) release() error {
	if l == nil || l.file == nil {
		return nil
	}
	file := l.file
	l.file = nil
	return file.Close()
}
