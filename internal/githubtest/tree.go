package githubtest

import (
	"cmp"
	"crypto/sha1"
	"encoding/hex"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// tree is what the files of a commit hold, by their paths. It is never changed, so commits share it.
type tree map[string]string

// with is the tree after the changes of a commit.
func (t tree) with(changes []File) tree {
	if len(changes) == 0 {
		return t
	}
	changed := maps.Clone(t)
	if changed == nil {
		changed = tree{}
	}
	for _, f := range changes {
		delete(changed, f.Previous)
		if f.Status == "removed" {
			delete(changed, f.Path)
			continue
		}
		changed[f.Path] = f.Text
	}
	return changed
}

// treeEntry is one entry of a folder.
type treeEntry struct {
	path   string
	text   string
	folder bool
}

func (e treeEntry) name() string { return e.path[strings.LastIndexByte(e.path, '/')+1:] }

// sha is the entry's object id: git's own for files.
func (e treeEntry) sha() string {
	kind := "blob"
	if e.folder {
		kind = "tree"
	}
	sum := sha1.Sum(fmt.Appendf(nil, "%s %d\x00%s", kind, len(e.text), e.text))
	return hex.EncodeToString(sum[:])
}

// folder lists the entries of a folder in the order of their names; none when there is no such
// folder.
func (t tree) folder(path string) []treeEntry {
	prefix := path + "/"
	if path == "" {
		prefix = ""
	}
	found := map[string]treeEntry{}
	for file, text := range t {
		rest, inside := strings.CutPrefix(file, prefix)
		if !inside {
			continue
		}
		name, _, deeper := strings.Cut(rest, "/")
		e := treeEntry{path: prefix + name, folder: deeper}
		if !deeper {
			e.text = text
		}
		found[name] = e
	}
	return slices.SortedFunc(maps.Values(found), func(a, b treeEntry) int { return cmp.Compare(a.path, b.path) })
}
