package tamper

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/evidence-gate/evidence-gate/verify/internal/durable"
)

// Store is the state folder: what is known of each project outside of it, in a file of its own.
type Store struct{ dir string }

// Project is what the store knows of one project.
type Project struct {
	Schema          int        `json:"schema"`
	Copy            *Copy      `json:"copy,omitempty"`
	FirstGreenAt    *time.Time `json:"firstGreenAt,omitempty"`    // when a run was green for the first time
	FirstTestPassAt *time.Time `json:"firstTestPassAt,omitempty"` // when the tests passed for the first time
}

// Copy is the copy of a policy's digest outside the project, with what it is over, so that a change
// can be named.
type Copy struct {
	Digest     string    `json:"digest"`
	Form       Form      `json:"form"`
	RecordedAt time.Time `json:"recordedAt"`
	Accepted   bool      `json:"accepted,omitempty"` // by a person; else recorded at the first use
}

const projectSchema = 1

// maxProject bounds a project's file: far over what the largest policy (1 MiB) makes of it.
const maxProject = 16 << 20

// BrokenError says that a project's file is there and is none.
type BrokenError struct {
	Path string
	Err  error
}

func (e *BrokenError) Error() string {
	return fmt.Sprintf("%s holds what verify remembers of this project, and it cannot be read as such (%v); "+
		"verify --accept-changes writes it anew", e.Path, e.Err)
}

func (e *BrokenError) Unwrap() error { return e.Err }

// OpenStore finds the state folder: EVIDENCE_GATE_STATE_DIR, else $XDG_STATE_HOME/evidence-gate, else
// ~/.local/state/evidence-gate. It need not exist.
func OpenStore(getenv func(string) string) (Store, error) {
	if dir := getenv("EVIDENCE_GATE_STATE_DIR"); dir != "" {
		if !filepath.IsAbs(dir) {
			return Store{}, fmt.Errorf("EVIDENCE_GATE_STATE_DIR is %q; it takes an absolute path, outside the project", dir)
		}
		return StoreAt(dir), nil
	}
	// The XDG Base Directory Specification: "All paths set in these environment variables must be
	// absolute", others are to be ignored.
	if dir := getenv("XDG_STATE_HOME"); filepath.IsAbs(dir) {
		return StoreAt(filepath.Join(dir, "evidence-gate")), nil
	}
	home := getenv("HOME")
	if home == "" {
		home = getenv("USERPROFILE")
	}
	if !filepath.IsAbs(home) {
		return Store{}, errors.New("there is no home folder to remember the checks in: set EVIDENCE_GATE_STATE_DIR to the absolute path of a folder outside the project")
	}
	return StoreAt(filepath.Join(home, ".local", "state", "evidence-gate")), nil
}

// StoreAt is the store in a folder.
func StoreAt(dir string) Store { return Store{dir: dir} }

// Key names a project in the store: sha-256 of its remote's URL and the folder that the policy's
// repository is checked out in, with symbolic links resolved. A name and password in the URL are left
// out, since tokens change.
func Key(remote, folder string) string {
	digest := sha256.Sum256([]byte(withoutUser(remote) + "\x00" + folder))
	return hex.EncodeToString(digest[:])
}

// withoutUser drops the user from scheme://user@host/…; in git@host:path it is no secret.
func withoutUser(remote string) string {
	scheme, rest, found := strings.Cut(remote, "://")
	if !found {
		return remote
	}
	host, path, _ := strings.Cut(rest, "/")
	return scheme + "://" + host[strings.LastIndex(host, "@")+1:] + "/" + path
}

func (s Store) path(key string) string { return filepath.Join(s.dir, "projects", key+".json") }

// Load reads what is known of a project; nothing is the zero Project. A file that cannot be read as
// one is a *BrokenError: it never counts as absent.
func (s Store) Load(key string) (Project, error) {
	info, err := os.Stat(s.path(key))
	if errors.Is(err, fs.ErrNotExist) {
		return Project{}, nil
	}
	if err == nil && !info.Mode().IsRegular() { // a pipe would be waited for without end
		return Project{}, &BrokenError{Path: s.path(key), Err: errors.New("it is no ordinary file")}
	}
	file, err := os.Open(s.path(key))
	if err != nil {
		return Project{}, unreachable(err)
	}
	defer file.Close()
	text, err := io.ReadAll(io.LimitReader(file, maxProject+1))
	if err != nil {
		return Project{}, unreachable(err)
	}
	project, err := decode(text)
	if err != nil {
		return Project{}, &BrokenError{Path: s.path(key), Err: err}
	}
	return project, nil
}

func decode(text []byte) (Project, error) {
	var project Project
	if len(text) > maxProject {
		return Project{}, fmt.Errorf("it has more than %d MiB", maxProject>>20)
	}
	if err := json.Unmarshal(text, &project); err != nil {
		return Project{}, err
	}
	if project.Schema != projectSchema {
		return Project{}, fmt.Errorf("it is of schema %d, and this program reads %d", project.Schema, projectSchema)
	}
	if c := project.Copy; c != nil && c.Form.Digest() != c.Digest {
		return Project{}, errors.New("its digest is not that of the steps in it")
	}
	return project, nil
}

// Update changes what is known of a project, one process at a time, and returns the outcome. A broken
// file stays as it is.
func (s Store) Update(key string, change func(*Project)) (Project, error) {
	return s.update(key, change, false)
}

func (s Store) update(key string, change func(*Project), anew bool) (Project, error) {
	if err := os.MkdirAll(filepath.Dir(s.path(key)), 0o700); err != nil {
		return Project{}, unreachable(err)
	}
	lock, err := os.OpenFile(s.path(key)+".lock", os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return Project{}, unreachable(err)
	}
	defer lock.Close()
	if err := durable.Lock(lock); err != nil {
		return Project{}, unreachable(err)
	}
	project, err := s.Load(key)
	var broken *BrokenError
	if err != nil && !(anew && errors.As(err, &broken)) {
		return Project{}, err
	}
	change(&project)
	project.Schema = projectSchema
	text, err := json.MarshalIndent(project, "", "  ")
	if err != nil {
		return Project{}, err
	}
	if err := durable.Replace(s.path(key), append(text, '\n'), 0o600); err != nil {
		return Project{}, unreachable(err)
	}
	return project, nil
}

func unreachable(err error) error {
	return fmt.Errorf("cannot use the folder where the checks are remembered outside the project: %w; "+
		"make it writable, or set EVIDENCE_GATE_STATE_DIR to another one", err)
}
