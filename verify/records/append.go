package records

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	"github.com/evidence-gate/evidence-gate/verify/internal/durable"
)

// ignoreAll is the .gitignore of Dir: everything in it, itself included.
const ignoreAll = "*\n"

// Prepare makes the folder .evidence in a project's root, with its .gitignore, so that runs are no
// dirt. The root must exist; a link in the place of the folder is refused, since a repository could
// lead it anywhere.
func Prepare(root string) error {
	project, err := os.OpenRoot(root)
	if err != nil {
		return unwritable(err)
	}
	defer project.Close()
	folder, err := open(project)
	if err != nil {
		return unwritable(err)
	}
	return folder.Close()
}

func open(project *os.Root) (*os.Root, error) {
	if err := project.Mkdir(Dir, 0o755); err != nil && !errors.Is(err, fs.ErrExist) {
		return nil, err
	}
	info, err := project.Lstat(Dir)
	if err != nil {
		return nil, err
	}
	if !info.IsDir() {
		return nil, fmt.Errorf("%s is no folder", Dir)
	}
	folder, err := project.OpenRoot(Dir)
	if err != nil {
		return nil, err
	}
	ignore, err := folder.OpenFile(".gitignore", os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if errors.Is(err, fs.ErrExist) {
		return folder, nil
	}
	if err == nil {
		_, err = ignore.WriteString(ignoreAll)
		err = errors.Join(err, ignore.Close())
	}
	if err != nil {
		return nil, errors.Join(err, folder.Close())
	}
	return folder, nil
}

// Append adds one run to the records in a project's root. Two runs that end at the same time both
// stand there afterwards, each on a line of its own; what is left of a line that a crash cut short
// stays by itself. A record that holds anything but its own words is refused.
func Append(root string, r Record) error {
	r.Schema = Schema
	r.Start = r.Start.UTC()
	if r.Steps == nil {
		r.Steps = []Step{}
	}
	if err := r.fault(); err != nil {
		return unwritable(err)
	}
	line, err := json.Marshal(r)
	if err != nil {
		return unwritable(err)
	}
	project, err := os.OpenRoot(root)
	if err != nil {
		return unwritable(err)
	}
	defer project.Close()
	folder, err := open(project)
	if err != nil {
		return unwritable(err)
	}
	defer folder.Close()
	if err := appendLine(folder, line); err != nil {
		return unwritable(err)
	}
	return nil
}

func appendLine(folder *os.Root, line []byte) (err error) {
	if info, err := folder.Lstat(FileName); err == nil && !info.Mode().IsRegular() {
		return fmt.Errorf("%s/%s is no ordinary file", Dir, FileName)
	}
	file, err := folder.OpenFile(FileName, os.O_RDWR|os.O_CREATE|os.O_APPEND, 0o644)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	if err := durable.Lock(file); err != nil {
		return err
	}
	torn, err := cutShort(file)
	if err != nil {
		return err
	}
	line = append(line, '\n')
	if torn {
		line = append([]byte{'\n'}, line...)
	}
	_, err = file.Write(line)
	return err
}

// cutShort reports whether the last line has no end.
func cutShort(file *os.File) (bool, error) {
	end, err := file.Seek(0, io.SeekEnd)
	if err != nil || end == 0 {
		return false, err
	}
	last := []byte{0}
	if _, err := file.ReadAt(last, end-1); err != nil {
		return false, err
	}
	return last[0] != '\n', nil
}

func unwritable(err error) error { return fmt.Errorf("cannot record the run in %s: %w", Dir, err) }
