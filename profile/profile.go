// Package profile reads and writes the verification profile (design section 7): the section
// `## Verification Operating Facts` of `.agenticloop/project.md`, which keeps what is known of how a
// command runs (how long it takes, which strategy works, what the host allows). It is pure: text in,
// values and diagnostics out. Which check a fact is about is decided by package checks, which knows
// when two texts are the same command; where the text comes from is left to the callers.
//
// Whatever is wrong with a profile belongs to the maintainer and never blocks an ordinary pull
// request: every diagnostic is a warning, until [AsErrors] makes errors of them for
// `github-preflight profile validate` and for a pull request that changes the file.
package profile

import (
	"slices"
	"strings"

	"github.com/evidence-gate/evidence-gate/internal/markdown"
	"github.com/evidence-gate/evidence-gate/report"
	"github.com/evidence-gate/evidence-gate/snapshot"
)

// Document is the name of the profile in diagnostics.
const Document = "profile"

// Path is where a repository keeps its profile, and DecisionsPath where it keeps its decisions.
const (
	Path          = ".agenticloop/project.md"
	DecisionsPath = ".agenticloop/decisions"
)

// SectionName is the title of the section.
const SectionName = "Verification Operating Facts"

// EmptyState is what the section says, to the letter, when there are no facts.
const EmptyState = "No project-wide verification operating facts are currently recorded."

// Profile is what the section records. Found tells a section without facts from none.
type Profile struct {
	Found bool
	Facts []Fact

	place place
}

// place is where in the text a fact can be written.
type place struct {
	heading string // the signs before the heading of a fact
	empty   span   // the sentence of the empty state; zero when it is not there
	next    int    // the line of the block after the section; 0 when the text ends with it
}

// Fact is what is known of one command. A field that is absent, given twice or not allowed is
// empty. The three times are milliseconds, "unknown" or "none".
type Fact struct {
	ID            string `json:"id"`
	Command       string `json:"command"`
	LastOutcome   string `json:"last_outcome"`
	DurationMS    string `json:"observed_duration_ms"`
	TimeoutMS     string `json:"timeout_ms"`
	HostCeilingMS string `json:"host_timeout_ceiling_ms"`
	Strategy      string `json:"strategy"`
	Updated       string `json:"updated"`
	Source        string `json:"source"`
	RevisitWhen   string `json:"revisit_when"`
	Decision      string `json:"decision"`

	where report.Where // of the heading
	lines [fieldCount]span
	last  int // the last line of the fact that holds a field, or its heading
}

// span is a field as it stands in the text: its lines, from the one with the label, and its value,
// allowed or not.
type span struct {
	from, to int // 1-based; 0 when the field is absent
	where    report.Where
	text     string
}

// Where is the heading of the fact in the document it was read from.
func (f Fact) Where() report.Where { return f.where }

// Report is the fact as a Report shows it next to a check.
func (f Fact) Report() report.Fact {
	return report.Fact{
		ID: f.ID, Command: f.Command, LastOutcome: f.LastOutcome, DurationMS: f.DurationMS, TimeoutMS: f.TimeoutMS,
		HostCeilingMS: f.HostCeilingMS, Strategy: f.Strategy, Updated: f.Updated,
	}
}

// IDs are the ids of the facts, which a triage may refer to (A6).
func (p Profile) IDs() []string {
	ids := make([]string, 0, len(p.Facts))
	for _, f := range p.Facts {
		ids = append(ids, f.ID)
	}
	return ids
}

// Fact returns the first fact with an id.
func (p Profile) Fact(id string) (Fact, bool) {
	i := slices.IndexFunc(p.Facts, func(f Fact) bool { return f.ID == id })
	if i < 0 {
		return Fact{}, false
	}
	return p.Facts[i], true
}

// Judge reads the profile of a Snapshot with everything that is wrong with it: as warnings, or as
// errors when the pull request changes the file. Without a profile there is nothing to say.
func Judge(s snapshot.Snapshot) (Profile, []report.Diagnostic) {
	if s.Profile == nil {
		return Profile{}, nil
	}
	p, diagnostics := Read(s.Profile.Text)
	if !slices.ContainsFunc(s.Unavailable, func(u snapshot.Unavailable) bool { return u.Fact == "references" }) {
		var decisions []string
		if s.References != nil {
			decisions = s.References.Decisions
		}
		diagnostics = append(diagnostics, p.MissingDecisions(decisions)...)
	}
	if s.Profile.ChangedInPullRequest {
		diagnostics = AsErrors(diagnostics)
	}
	return p, diagnostics
}

// AsErrors returns the diagnostics as errors. A section at another heading level stays a warning,
// as it is in every document (M2).
func AsErrors(diagnostics []report.Diagnostic) []report.Diagnostic {
	out := slices.Clone(diagnostics)
	for i := range out {
		if out[i].Code != report.CodeSectionLevel {
			out[i].Severity = report.Error
		}
	}
	return out
}

// MissingDecisions reports the decisions that facts name and that are not among the given ones,
// which are ids or file names.
func (p Profile) MissingDecisions(decisions []string) []report.Diagnostic {
	known := make(map[string]bool, len(decisions))
	for _, d := range decisions {
		known[decisionID(d)] = true
	}
	var out []report.Diagnostic
	for _, f := range p.Facts {
		if f.Decision == "" || f.Decision == none || known[decisionID(f.Decision)] {
			continue
		}
		d := finding(report.CodeProfileDecisionMissing, f.lines[fieldDecision].where,
			"%s names the decision %s, and there is no file %s/%s.md", f.ID, shown(f.Decision), DecisionsPath, shortened(decisionID(f.Decision)))
		d.Help = "name a decision that exists on the base branch, or write: - Decision: none"
		d.Details = map[string]any{"fact": f.ID, "decision": f.Decision}
		out = append(out, d)
	}
	return out
}

// decisionID is the id of a decision without its folder and the ending of its file.
func decisionID(s string) string {
	return strings.TrimSuffix(strings.TrimPrefix(s, DecisionsPath+"/"), ".md")
}

// isID reports whether a text is the id of a fact: VF- and a name.
func isID(s string) bool {
	name, ok := strings.CutPrefix(s, "VF-")
	return ok && isName(name)
}

// maxName keeps names short enough to show.
const maxName = 100

// isName reports whether a text can name something: ASCII letters, digits, dots, dashes and
// underscores, the first one a letter or digit.
func isName(s string) bool {
	if s == "" || len(s) > maxName || !letterOrDigit(s[0]) {
		return false
	}
	for i := range len(s) {
		if !letterOrDigit(s[i]) && strings.IndexByte("._-", s[i]) < 0 {
			return false
		}
	}
	return true
}

func letterOrDigit(c byte) bool {
	return c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
}

func lineWhere(l markdown.Line) report.Where {
	p, end := l.Extent()
	return report.Where{Document: Document, Line: p.Line, Column: p.Column, EndLine: end.Line, EndColumn: end.Column}
}
