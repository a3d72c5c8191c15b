package profile

import (
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/evidence-gate/evidence-gate/attempts"
	"github.com/evidence-gate/evidence-gate/internal/checkline"
	"github.com/evidence-gate/evidence-gate/prbody"
)

// The fields of a fact, in the order in which they are written.
const (
	fieldCommand = iota
	fieldOutcome
	fieldDuration
	fieldTimeout
	fieldCeiling
	fieldStrategy
	fieldUpdated
	fieldSource
	fieldRevisit
	fieldDecision
	fieldCount
)

// none says that there is no such thing, and unknown that nobody knows.
const (
	none    = attempts.None
	unknown = attempts.Unknown
)

// The values of Last outcome and Strategy are those of attempts (section 7, A3).
var (
	Outcomes   = attempts.Outcomes
	Strategies = attempts.Strategies
)

// field is one row of the table of fields.
type field struct {
	label   string
	of      func(*Fact) *string
	read    func(string) (value string, ok bool) // of a text that is not empty
	allowed string                               // what is, as the end of a sentence
	example string
}

var fields = [fieldCount]field{
	fieldCommand:  {"Command", func(f *Fact) *string { return &f.Command }, anyText, "one command, in a code span", "`npm test`"},
	fieldOutcome:  {"Last outcome", func(f *Fact) *string { return &f.LastOutcome }, oneOf(Outcomes), "passed, failed, timed_out or blocked", "timed_out"},
	fieldDuration: {"Observed duration ms", func(f *Fact) *string { return &f.DurationMS }, milliseconds, times, "180000"},
	fieldTimeout:  {"Timeout ms", func(f *Fact) *string { return &f.TimeoutMS }, milliseconds, times, "180000"},
	fieldCeiling:  {"Host timeout ceiling ms", func(f *Fact) *string { return &f.HostCeilingMS }, milliseconds, times, "unknown"},
	fieldStrategy: {"Strategy", func(f *Fact) *string { return &f.Strategy }, oneOf(Strategies), "foreground, background, focused, split or ci", "background"},
	fieldUpdated:  {"Updated", func(f *Fact) *string { return &f.Updated }, date, "a day that exists, written YYYY-MM-DD", "2026-11-20"},
	fieldSource:   {"Source", func(f *Fact) *string { return &f.Source }, durable, durableSources, "issue:#42"},
	fieldRevisit:  {"Revisit when", func(f *Fact) *string { return &f.RevisitWhen }, condition, "the condition under which the fact is looked at again", "the suite is split"},
	fieldDecision: {"Decision", func(f *Fact) *string { return &f.Decision }, decision, "none, an id such as D-cache, or " + DecisionsPath + "/<id>.md", "none"},
}

const (
	times          = "a whole number of milliseconds above zero, unknown or none"
	durableSources = "a task id, task:<id>, event:<uuid>, issue:#n, pr:n, github:issue:n, github:pr:n, commit:<full sha>, an http(s) URL or the path of a Markdown file"
)

func anyText(s string) (string, bool) { return s, true }

// condition is prose that is no placeholder.
func condition(s string) (string, bool) {
	return s, strings.EqualFold(s, none) || !prbody.Placeholder(s)
}

// oneOf reads one of a few words; case, spaces and dashes are folded as in C2.
func oneOf(words []string) func(string) (string, bool) {
	return func(s string) (string, bool) {
		s = checkline.Fold(s)
		return s, slices.Contains(words, s)
	}
}

// maxDigits is how many digits every number of 64 bits can have.
const maxDigits = 18

// number reports whether a text is the number of something: digits, the first of which is no zero.
func number(s string) bool {
	return s != "" && len(s) <= maxDigits && s[0] != '0' && strings.Trim(s, "0123456789") == ""
}

// milliseconds reads a time: a positive integer of 64 bits in plain digits, unknown or none.
func milliseconds(s string) (string, bool) {
	if word := strings.ToLower(s); word == none || word == unknown {
		return word, true
	}
	n, err := strconv.ParseInt(s, 10, 64)
	return strconv.FormatInt(n, 10), err == nil && n > 0 && strings.Trim(s, "0123456789") == ""
}

// date reads a day from year 1 to 9999.
func date(s string) (string, bool) {
	t, err := time.Parse(time.DateOnly, s)
	return s, err == nil && t.Year() > 0
}

// decision reads the name of a decision; whether it exists is asked later.
func decision(s string) (string, bool) {
	if strings.EqualFold(s, none) {
		return none, true
	}
	if file, ok := strings.CutPrefix(s, DecisionsPath+"/"); ok {
		id, ok := strings.CutSuffix(file, ".md")
		return s, ok && isName(id)
	}
	id, ok := strings.CutPrefix(s, "D-")
	return s, ok && isName(id)
}

// numbered are the references that end in a number, and named those that end in a name.
var (
	numbered = []string{"issue:#", "pr:", "github:issue:", "github:pr:"}
	named    = []string{"task:"}
)

// durable reads a source that can still be looked up later (section 7).
func durable(s string) (string, bool) { return s, isDurable(s) }

func isDurable(s string) bool {
	if strings.ContainsAny(s, " \t\n") {
		return false
	}
	for _, prefix := range numbered {
		if n, ok := strings.CutPrefix(s, prefix); ok && number(n) {
			return true
		}
	}
	for _, prefix := range named {
		if id, ok := strings.CutPrefix(s, prefix); ok && isName(id) {
			return true
		}
	}
	if id, ok := strings.CutPrefix(s, "event:"); ok {
		return isUUID(id)
	}
	if sha, ok := strings.CutPrefix(s, "commit:"); ok {
		return prbody.Canonical(sha)
	}
	return isTask(s) || isURL(s) || isMarkdownPath(s)
}

// notTasks start the ids of other things.
var notTasks = []string{"VF-", "RC-", "AC-", "BR-", "D-"}

// isTask reports whether a text is a task's id: capitals, a dash and a name, such as T-9.
func isTask(s string) bool {
	key, name, ok := strings.Cut(s, "-")
	if !ok || key == "" || key[0] < 'A' || key[0] > 'Z' || strings.Trim(key, "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789") != "" || !isName(name) || len(s) > maxName {
		return false
	}
	return !slices.ContainsFunc(notTasks, func(other string) bool { return key+"-" == other })
}

// isUUID reports whether a text is a UUID, 8-4-4-4-12 hexadecimal digits.
func isUUID(s string) bool {
	parts := strings.Split(s, "-")
	if len(parts) != len(uuidParts) {
		return false
	}
	for i, part := range parts {
		if len(part) != uuidParts[i] || strings.Trim(strings.ToLower(part), "0123456789abcdef") != "" {
			return false
		}
	}
	return true
}

var uuidParts = [...]int{8, 4, 4, 4, 12}

func isURL(s string) bool {
	u, err := url.Parse(s)
	return err == nil && (u.Scheme == "http" || u.Scheme == "https") && u.Hostname() != "" && u.User == nil
}

// isMarkdownPath reports whether a text is the path of a Markdown file in the repository, with or
// without an anchor.
func isMarkdownPath(s string) bool {
	path, _, _ := strings.Cut(s, "#")
	lower := strings.ToLower(path)
	file := strings.HasSuffix(lower, ".md") || strings.HasSuffix(lower, ".markdown")
	if !file || strings.ContainsAny(path, `:\`) || strings.HasPrefix(path, "/") || strings.HasPrefix(path, "~") {
		return false
	}
	return !slices.Contains(strings.Split(path, "/"), "..")
}

// Field is one field of a fact as it is written.
type Field struct{ Label, Value string }

// Fields are the fields of the fact in the order in which they are written.
func (f Fact) Fields() []Field {
	out := make([]Field, 0, len(fields))
	for _, row := range fields {
		out = append(out, Field{Label: row.label, Value: *row.of(&f)})
	}
	return out
}
