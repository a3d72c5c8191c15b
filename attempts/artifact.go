package attempts

import (
	"fmt"
	"sort"
	"strings"
)

// Lengths of an object id: git's own shortest abbreviation, SHA-1 and SHA-256.
const (
	minSHA       = 4
	lengthSHA1   = 40
	lengthSHA256 = 64
)

// artifact reads what a run was made of: a commit, or a `commit:`, `tree:`, `range:` or `patch:`
// reference (A3).
func artifact(value string) (string, string) {
	kind, rest := splitArtifact(value)
	ok := false
	switch kind {
	case "commit", "tree":
		ok = objectID(rest)
	case "range":
		from, to, two := strings.Cut(rest, "..")
		ok = two && objectID(from) && objectID(to)
	case "patch":
		ok = rest != ""
	}
	if !ok {
		return value, fmt.Sprintf("%q names no commit, tree:<sha>, range:<sha>..<sha> or patch:<path>", printable(value))
	}
	return value, ""
}

// splitArtifact parts a reference from its kind; a bare object id is a commit, two of them a range.
func splitArtifact(value string) (kind, rest string) {
	before, after, ok := strings.Cut(value, ":")
	if !ok {
		if strings.Contains(value, "..") {
			return "range", strings.ToLower(value)
		}
		return "commit", strings.ToLower(value)
	}
	kind, rest = strings.ToLower(strings.TrimSpace(before)), strings.TrimSpace(after)
	if kind != "patch" {
		rest = strings.ToLower(rest)
	}
	return kind, rest
}

func objectID(s string) bool {
	return (len(s) >= minSHA && len(s) <= lengthSHA1 || len(s) == lengthSHA256) && strings.Trim(s, "0123456789abcdef") == ""
}

// objects tells which artifacts of one carrier are the same object (A5).
type objects map[string]string // an object id -> the longest one that it abbreviates

// newObjects collects the object ids of the artifacts. Of several that one id abbreviates, the
// first in alphabetical order is meant.
func newObjects(artifacts []string) objects {
	var ids []string
	for _, a := range artifacts {
		switch kind, rest := splitArtifact(a); kind {
		case "commit", "tree":
			ids = append(ids, rest)
		case "range":
			from, to, _ := strings.Cut(rest, "..")
			ids = append(ids, from, to)
		}
	}
	sort.Strings(ids)
	o := make(objects, len(ids))
	for i := len(ids) - 1; i >= 0; i-- {
		o[ids[i]] = ids[i]
		if i+1 < len(ids) && strings.HasPrefix(ids[i+1], ids[i]) {
			o[ids[i]] = o[ids[i+1]]
		}
	}
	return o
}

// of is the one spelling of everything that names the same artifact. What a run of a range runs on is
// the commit at its end, and a whole id is of one object, whatever it is called.
func (o objects) of(artifact string) string {
	kind, rest := splitArtifact(artifact)
	switch kind {
	case "commit":
		return o[rest]
	case "tree":
		if len(rest) >= lengthSHA1 {
			return o[rest]
		}
		rest = o[rest]
	case "range":
		_, to, _ := strings.Cut(rest, "..")
		return o[to]
	}
	return kind + ":" + rest
}
