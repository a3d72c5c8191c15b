package records

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
)

// The bounds of what is read of the records: the newest ones, some ten thousand runs.
const (
	maxRead = 16 << 20
	maxLine = 4 << 20
)

// Log is what the records say, oldest run first.
type Log struct {
	Records    []Record
	Unreadable int  // lines that are no record of this schema, a torn one included
	Cut        bool // older records were left out
}

// Read reads the records in a project's root. Without any the Log is empty.
func Read(root string) (Log, error) {
	project, err := os.OpenRoot(root)
	if err != nil {
		return Log{}, unreadable(err)
	}
	defer project.Close()
	info, err := project.Stat(Dir + "/" + FileName)
	if errors.Is(err, fs.ErrNotExist) {
		return Log{}, nil
	}
	if err != nil {
		return Log{}, unreadable(err)
	}
	if !info.Mode().IsRegular() { // a pipe would be waited for without end
		return Log{}, unreadable(fmt.Errorf("%s is no ordinary file", FileName))
	}
	file, err := project.Open(Dir + "/" + FileName)
	if err != nil {
		return Log{}, unreadable(err)
	}
	defer file.Close()
	text, cut, err := newest(file, info.Size())
	if err != nil {
		return Log{}, unreadable(err)
	}
	log := Parse(text)
	log.Cut = cut
	return log, nil
}

// newest reads the end of a file, from the beginning of a line.
func newest(file io.ReadSeeker, size int64) (text []byte, cut bool, err error) {
	if size <= maxRead {
		text, err = io.ReadAll(io.LimitReader(file, maxRead))
		return text, false, err
	}
	if _, err := file.Seek(size-maxRead, io.SeekStart); err != nil {
		return nil, false, err
	}
	text, err = io.ReadAll(io.LimitReader(file, maxRead))
	_, text, _ = bytes.Cut(text, []byte{'\n'})
	return text, true, err
}

// Parse reads lines of records. What is none is counted and passed over.
func Parse(text []byte) Log {
	var log Log
	for line := range bytes.SplitSeq(text, []byte{'\n'}) {
		if len(bytes.TrimSpace(line)) == 0 {
			continue
		}
		var r Record
		if len(line) > maxLine || json.Unmarshal(line, &r) != nil || r.fault() != nil {
			log.Unreadable++
			continue
		}
		log.Records = append(log.Records, r)
	}
	return log
}

func unreadable(err error) error {
	return fmt.Errorf("cannot read the run records in %s: %w", Dir, err)
}
