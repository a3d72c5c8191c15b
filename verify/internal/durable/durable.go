// Package durable writes small files whole or not at all, and keeps processes apart that write the
// same one: what `verify` remembers is written by two runs at once (design section 12).
package durable

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// Replace puts data in the place of a file, with a mode. Another process sees the old text or the new
// one, never a part, and so does this one after a crash.
func Replace(path string, data []byte, mode fs.FileMode) (err error) {
	file, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+".*")
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			os.Remove(file.Name())
		}
	}()
	_, err = file.Write(data)
	if err = errors.Join(err, file.Chmod(mode), file.Sync(), file.Close()); err != nil {
		return fmt.Errorf("cannot write %s: %w", path, err)
	}
	return os.Rename(file.Name(), path)
}

// Lock waits until no other process holds the file locked, and holds it until it is closed. A process
// that ends, in whatever way, lets go of it.
func Lock(file *os.File) error {
	if err := lock(file); err != nil {
		return fmt.Errorf("cannot lock %s: %w", file.Name(), err)
	}
	return nil
}
