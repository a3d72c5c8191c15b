package github

import (
	"fmt"
	"regexp"
	"strings"
)

// Repo names a repository.
type Repo struct{ Owner, Name string }

// String is "owner/name", GitHub's full name of the repository.
func (r Repo) String() string { return r.Owner + "/" + r.Name }

// What GitHub allows in the two halves of a full name. Anything else would end up inside a request
// path, so it is refused before a request is made.
var (
	ownerForm = regexp.MustCompile(`^[A-Za-z0-9_-]{1,100}$`)
	nameForm  = regexp.MustCompile(`^[A-Za-z0-9._-]{1,100}$`)
	shaForm   = regexp.MustCompile(`^([0-9a-f]{40}|[0-9a-f]{64})$`)
)

// ParseRepo reads "owner/name".
func ParseRepo(full string) (Repo, error) {
	owner, name, _ := strings.Cut(full, "/")
	r := Repo{Owner: owner, Name: name}
	return r, r.check()
}

func (r Repo) check() error {
	if ownerForm.MatchString(r.Owner) && nameForm.MatchString(r.Name) && r.Name != "." && r.Name != ".." {
		return nil
	}
	return &Error{Kind: Invalid, Operation: "name a repository",
		Message: fmt.Sprintf("expected owner/name in letters, digits, '-', '_' and '.', found %q", r.String())}
}

func checkSHA(sha string) error {
	if shaForm.MatchString(sha) {
		return nil
	}
	return &Error{Kind: Invalid, Operation: "name a commit",
		Message: fmt.Sprintf("expected 40 or 64 lower-case hexadecimal digits, found %q", sha)}
}
