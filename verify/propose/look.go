package propose

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/evidence-gate/evidence-gate/prbody"
	"github.com/evidence-gate/evidence-gate/profile/policy"
)

// maxFile bounds a file that is looked into; a larger one is noted and passed over.
const maxFile = 1 << 20

// look reads a repository and remembers what it could not use.
type look struct {
	root   fs.FS
	notes  []string
	failed error // the first failure of reading what is there
}

func (l *look) note(format string, args ...any) {
	l.notes = append(l.notes, fmt.Sprintf(format, args...))
}

// read is the text of a file; it reports false when there is none, or none that can be used.
func (l *look) read(name string) (string, bool) {
	file, err := l.root.Open(name)
	if errors.Is(err, fs.ErrNotExist) {
		return "", false
	}
	if err != nil {
		l.note("%s cannot be read: %v", name, err)
		return "", false
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil || !info.Mode().IsRegular() {
		l.note("%s is no ordinary file; it was not looked into", name)
		return "", false
	}
	text, err := io.ReadAll(io.LimitReader(file, maxFile+1))
	switch {
	case err != nil:
		l.note("%s cannot be read: %v", name, err)
		return "", false
	case len(text) > maxFile:
		l.note("%s is over %d MiB; it was not looked into", name, maxFile>>20)
		return "", false
	}
	return strings.TrimPrefix(string(text), "\ufeff"), true
}

// has reports whether there is a file or folder of a name.
func (l *look) has(name string) bool {
	_, err := fs.Stat(l.root, name)
	return err == nil
}

// anyOf is the first of some names that is there.
func (l *look) anyOf(names ...string) (string, bool) {
	i := slices.IndexFunc(names, l.has)
	if i < 0 {
		return "", false
	}
	return names[i], true
}

// entry is the name of an entry of a folder that a test holds for; a folder that cannot be read is a
// failure, because what may be in it must not be written over or beside.
func (l *look) entry(folder string, fits func(fs.DirEntry) bool) (string, bool) {
	entries, err := fs.ReadDir(l.root, folder)
	if err != nil {
		if !errors.Is(err, fs.ErrNotExist) && l.failed == nil {
			l.failed = fmt.Errorf("cannot read the folder %s: %w", folder, err)
		}
		return "", false
	}
	for _, e := range entries {
		if fits(e) {
			return path.Join(folder, e.Name()), true
		}
	}
	return "", false
}

func named(name string) func(fs.DirEntry) bool {
	return func(e fs.DirEntry) bool { return strings.EqualFold(e.Name(), name) }
}

func (l *look) policyFile(text string) File {
	f := File{Path: policy.Path, Text: text}
	f.There, _ = l.entry(path.Dir(policy.Path), named(path.Base(policy.Path)))
	f.Help = "github-preflight policy validate says whether it is complete"
	return f
}

// templateFile knows the places where GitHub looks for a template, and its spellings.
func (l *look) templateFile(text string) File {
	f := File{Path: TemplatePath, Text: text}
	for _, folder := range []string{".github", ".", "docs"} {
		there, found := l.entry(folder, isTemplate)
		if !found {
			continue
		}
		f.There, f.Help = there, "its section "+prbody.SectionName+" is where scaffold --write puts the entries"
		if existing, _ := l.read(there); !strings.Contains(strings.ToLower(existing), "# "+strings.ToLower(prbody.SectionName)) {
			f.Help = "add a section ## " + prbody.SectionName + " to it"
		}
		return f
	}
	return f
}

func isTemplate(e fs.DirEntry) bool {
	name := strings.ToLower(e.Name())
	return slices.Contains([]string{"pull_request_template", "pull_request_template.md", "pull_request_template.txt"}, name)
}

func (l *look) formFile(text string) File {
	f := File{Path: FormPath, Text: text}
	f.There, _ = l.entry(path.Dir(FormPath), func(e fs.DirEntry) bool {
		return strings.EqualFold(e.Name(), path.Base(FormPath)) || strings.EqualFold(e.Name(), "task.yaml")
	})
	f.Help = "its issues need a section Required Checks"
	return f
}
