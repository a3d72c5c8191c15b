package policy

import (
	"path"
	"regexp"
	"slices"

	"github.com/bmatcuk/doublestar/v4"
)

// Glob is a glob of paths or of branch names, as the policy writes it: `*` within one folder, `**`
// over folders, `?`, `[a-z]` and `{a,b}`.
type Glob string

// Match reports whether the glob matches a whole name. A name that no file of a commit can have, such
// as one with "..", matches nothing.
func (g Glob) Match(name string) bool {
	return name != "" && path.Clean(name) == name && doublestar.MatchUnvalidated(string(g), name)
}

func anyGlob(globs []Glob, name string) bool {
	return slices.ContainsFunc(globs, func(g Glob) bool { return g.Match(name) })
}

// Pattern is a regular expression (RE2). The zero Pattern matches everything.
type Pattern struct{ expression *regexp.Regexp }

// String is the expression as it was written, empty for the zero Pattern.
func (p Pattern) String() string {
	if p.expression == nil {
		return ""
	}
	return p.expression.String()
}

// Match reports whether the expression occurs in the text.
func (p Pattern) Match(text string) bool {
	return p.expression == nil || p.expression.MatchString(text)
}
