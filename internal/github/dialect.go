package github

import (
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"
)

// optionalField is a part of the queries that an older Enterprise Server may lack. Without it, its
// facts are unavailable, or another field stands in for it.
type optionalField struct {
	name    string   // type and field
	facts   []string // those that are lost whatever the pull request holds
	instead string   // what is asked in its place, under the same name
}

const (
	labelingField = "PullRequest.timelineItems" // lost where there are labels
	workflowField = "CheckSuite.workflowRun"    // lost where there are runs of workflows
)

// optionalFields lists them. A server without any other field cannot be read; the error names it.
var optionalFields = []optionalField{
	{"IssueComment.fullDatabaseId", nil, "fullDatabaseId: databaseId"}, // ids of such servers fit 32 bits
	{labelingField, nil, ""},
	{"PullRequest.closingIssuesReferences", []string{factIssue}, ""},
	{"PullRequest.userContentEdits", []string{factRevisions}, ""},
	{"Issue.userContentEdits", []string{factIssueRevisions}, ""},
	{"IssueComment.userContentEdits", []string{factComments, factIssueComments}, ""},
	{"Commit.authors", []string{factCommits}, ""},
	{"Commit.statusCheckRollup", []string{factStatusChecks}, ""},
	{workflowField, nil, ""},
}

// dialectLife is how long a host is taken to lack a field: servers are upgraded.
const dialectLife = 24 * time.Hour

// dialect is what one host's GraphQL lacks, as it said itself. It is safe for concurrent use.
type dialect struct {
	now func() time.Time

	mu    sync.Mutex
	lacks map[string]time.Time // when it said so, by type and name of the field
}

func newDialect(now func() time.Time) *dialect {
	return &dialect{now: now, lacks: map[string]time.Time{}}
}

// missing are the fields that the host lacks, sorted.
func (d *dialect) missing() []string {
	d.mu.Lock()
	defer d.mu.Unlock()
	now := d.now()
	maps.DeleteFunc(d.lacks, func(_ string, said time.Time) bool { return now.Sub(said) >= dialectLife })
	return slices.Sorted(maps.Keys(d.lacks))
}

// learn takes from a failed query which fields the host lacks, and reports whether a smaller query
// may succeed: all of them are optional, and one was not known.
func (d *dialect) learn(err error) bool {
	var e *Error
	if !errors.As(err, &e) || len(e.unknown) == 0 {
		return false
	}
	for _, field := range e.unknown {
		if !slices.ContainsFunc(optionalFields, func(o optionalField) bool { return o.name == field }) {
			return false
		}
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	progress := false
	for _, field := range e.unknown {
		_, known := d.lacks[field]
		progress = progress || !known
		d.lacks[field] = d.now()
	}
	return progress
}

// holes are the facts that a query without the missing fields leaves out.
func (d *dialect) holes(h *holes) {
	missing := d.missing()
	for _, o := range optionalFields {
		if !slices.Contains(missing, o.name) {
			continue
		}
		for _, fact := range o.facts {
			h.add(fact, lacking(o.name))
		}
	}
}

func lacking(field string) string {
	return fmt.Sprintf("this GitHub does not know %s: a newer Enterprise Server is needed", field)
}

// operation is one operation of a document as the host understands it.
func (d *dialect) operation(of document, name string) string {
	missing := d.missing()
	if len(missing) == 0 {
		return of.operation(name)
	}
	reduced := maps.Clone(of)
	for name, text := range reduced {
		for _, o := range optionalFields {
			if slices.Contains(missing, o.name) {
				_, field, _ := strings.Cut(o.name, ".")
				text = reduce(text, field, o.instead)
			}
		}
		reduced[name] = text
	}
	return reduced.operation(name)
}

// reduce leaves a field and all below it out of a definition, under whichever type it stands: what
// is left out too much is unavailable as well. In the files each field has a line of its own, and a
// closing brace too.
func reduce(text, field, instead string) string {
	begins := regexp.MustCompile(`^\s*(?:\w+: )?` + field + `\b(?:\(.*\))?( \{)?$`)
	var kept []string
	depth := 0
	for line := range strings.SplitSeq(text, "\n") {
		switch found := begins.FindStringSubmatch(line); {
		case depth > 0:
			depth += strings.Count(line, "{") - strings.Count(line, "}")
		case found == nil:
			kept = append(kept, line)
		case found[1] != "":
			depth = 1
		case instead != "":
			kept = append(kept, instead)
		}
	}
	return strings.Join(kept, "\n")
}
