package approval

import (
	"fmt"
	"strings"
	"time"

	"github.com/evidence-gate/evidence-gate/internal/markdown"
	"github.com/evidence-gate/evidence-gate/prbody"
	"github.com/evidence-gate/evidence-gate/profile/policy"
	"github.com/evidence-gate/evidence-gate/snapshot"
)

// How much of other people's text a finding repeats, in characters.
const (
	maxName         = 80
	maxQuote        = 300
	maxQuoteDetails = 4000
	maxNames        = 10 // that one message lists
	shortSHA        = 12
)

// bounded is other people's text made fit for a message: cut, without control characters.
func bounded(s string, limit int) string {
	var out strings.Builder
	n := 0
	for _, r := range s {
		if n == limit {
			out.WriteRune('…')
			break
		}
		n++
		if r < ' ' && r != '\n' || r == 0x7F || markdown.IsInvisible(r) {
			r = '\uFFFD'
		}
		out.WriteRune(r)
	}
	return out.String()
}

func printable(s string) string { return bounded(strings.Join(strings.Fields(s), " "), maxName) }

// deleted is how an account is called that is there no more.
const deleted = "a deleted account"

func name(a *snapshot.Actor) string {
	if a == nil {
		return deleted
	}
	return printable(a.Login)
}

func login(a *snapshot.Actor) string {
	if a == nil {
		return ""
	}
	return a.Login
}

func key(login string) string { return strings.ToLower(login) }

func hasPermission(a *snapshot.Actor) string {
	if a.Permission == "" {
		return "the permission of " + name(a) + " is not known"
	}
	return name(a) + " has the permission " + printable(a.Permission)
}

func short(sha string) string {
	switch {
	case prbody.Canonical(sha):
		return sha[:shortSHA]
	case sha == "":
		return "no commit"
	}
	return printable(sha)
}

func on(at string) string {
	if t := moment(at); !t.IsZero() {
		return " at " + t.Format(time.RFC3339)
	}
	return ""
}

// moment reads a time; one that cannot be read is not known, which is zero.
func moment(s string) time.Time {
	t, err := time.Parse(time.RFC3339, s)
	if err != nil {
		return time.Time{}
	}
	return t.UTC()
}

// same reports whether a word is about a commit. One about no commit is about none.
func same(sha, head string) bool { return sha != "" && sha == head }

// person reports whether an account is one of a person: no program, no listed agent, no organisation
// and no placeholder of an import.
func person(roles policy.Roles, a *snapshot.Actor) bool {
	return a != nil && roles.Person(a) && (a.Type == "User" || a.Type == "")
}

// and joins parts of a sentence, as many as a message lists.
func and(parts []string) string {
	more := ""
	if n := len(parts) - maxNames; n > 0 {
		parts, more = parts[:maxNames], fmt.Sprintf(" and %d more", n)
	}
	if more == "" && len(parts) > 1 {
		last := len(parts) - 1
		return strings.Join(parts[:last], ", ") + " and " + parts[last]
	}
	return strings.Join(parts, ", ") + more
}
