package verify

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"strings"
	"time"

	"github.com/evidence-gate/evidence-gate/verify/records"
)

// Logs is the folder of the outputs of one run: .evidence/runs/<start> in the project. It is held
// open, so that no step can lead what is written elsewhere.
type Logs struct {
	folder *os.Root
	name   string // of the folder, from the project's root
}

// logTime is the form of <start>: a name on every file system, and sorted by time.
const logTime = "20060102T150405.000Z"

// mostTwins bounds how many runs may start in one millisecond.
const mostTwins = 100

// OpenLogs makes the folder for a run that starts now.
func OpenLogs(root string, start time.Time) (*Logs, error) {
	logs, err := openLogs(root, start)
	if err != nil {
		return nil, fmt.Errorf("the outputs of this run cannot be kept: %w", err)
	}
	return logs, nil
}

func openLogs(root string, start time.Time) (*Logs, error) {
	if err := records.Prepare(root); err != nil {
		return nil, err
	}
	project, err := os.OpenRoot(root)
	if err != nil {
		return nil, err
	}
	defer project.Close()
	runs := path.Join(records.Dir, "runs")
	if err := project.Mkdir(runs, 0o755); err != nil && !errors.Is(err, fs.ErrExist) {
		return nil, err
	}
	for twin := 1; twin <= mostTwins; twin++ {
		name := path.Join(runs, start.UTC().Format(logTime))
		if twin > 1 {
			name += fmt.Sprintf("-%d", twin)
		}
		err := project.Mkdir(name, 0o755)
		if errors.Is(err, fs.ErrExist) {
			continue
		}
		if err != nil {
			return nil, err
		}
		folder, err := project.OpenRoot(name)
		return &Logs{folder: folder, name: name}, err
	}
	return nil, fmt.Errorf("%s: there are %d runs of that time already", runs, mostTwins)
}

// Close lets go of the folder.
func (l *Logs) Close() error { return l.folder.Close() }

// write keeps one output, and returns the name of its file from the project's root and its sha-256.
func (l *Logs) write(number int, step string, text []byte) (name, digest string, err error) {
	file := fmt.Sprintf("%02d-%s.log", number, fileName(step))
	if err := l.folder.WriteFile(file, text, 0o600); err != nil {
		return "", "", err
	}
	sum := sha256.Sum256(text)
	return path.Join(l.name, file), hex.EncodeToString(sum[:]), nil
}

// fileName is the name of a step as a file may be called anywhere.
func fileName(step string) string {
	name := strings.Map(func(c rune) rune {
		switch {
		case c == '.' || c == '_' || c >= '0' && c <= '9' || c >= 'A' && c <= 'Z' || c >= 'a' && c <= 'z':
			return c
		}
		return '-'
	}, step)
	return name[:min(len(name), 60)]
}
