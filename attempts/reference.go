package attempts

import (
	"fmt"
	"slices"
	"strings"

	"github.com/evidence-gate/evidence-gate/internal/checkline"
	"github.com/evidence-gate/evidence-gate/report"
	"github.com/evidence-gate/evidence-gate/snapshot"
)

// Known is what references of a triage may point at (A6).
type Known struct {
	Facts      []string // VF- ids of the profile
	References snapshot.References
}

// form is one way to write a reference.
type form struct {
	shape  string                   // for messages
	is     func(string) bool        // whether a text has the form
	exists func(Known, string) bool // nil: what it names is not looked up
	fact   string                   // the fact of the Snapshot that says what exists
}

var (
	factForm     = form{"a fact's id VF-…", isFact, func(k Known, s string) bool { return slices.Contains(k.Facts, s) }, "profile"}
	decisionForm = form{"a decision D-… or .agenticloop/decisions/<id>.md", isDecision, knownDecision, "references"}
	issueForm    = form{"issue:#<number> or github:issue:<number>", isIssue, nil, ""}
	taskForm     = form{"a task's id", isTask, knownTask, "references"}
	blockerForm  = form{"blocker:<name>", isBlocker, nil, ""}
)

// forms are the references that each classification takes (A6); one without a row takes none. A task
// id is the loosest form, so it is tried last.
var forms = map[string][]form{
	ProjectFact: {factForm},
	Decision:    {decisionForm},
	FollowUp:    {issueForm, taskForm},
	Blocker:     {blockerForm, issueForm, factForm, decisionForm, taskForm},
}

// decisionFolder is where decisions stand (A6).
const decisionFolder = ".agenticloop/decisions/"

func isFact(s string) bool { return slug(s, "VF-") }

func isDecision(s string) bool {
	if file, ok := strings.CutPrefix(s, decisionFolder); ok {
		name, ok := strings.CutSuffix(file, ".md")
		return ok && slug(name, "")
	}
	return slug(s, "D-")
}

func isIssue(s string) bool {
	for _, before := range []string{"issue:#", "github:issue:"} {
		if digits, ok := strings.CutPrefix(s, before); ok {
			_, fault := number(digits)
			return fault == ""
		}
	}
	return false
}

// isTask reports whether a text has the form of an id, with a dash or a digit in it, so that prose
// is none. What ids a repository really has is its references' matter.
func isTask(s string) bool { return slug(s, "") && strings.ContainsAny(s, "-0123456789") }

func isBlocker(s string) bool { return slug(s, "blocker:") }

// slug reports whether something follows the prefix and holds only letters, digits, dots, dashes
// and underscores.
func slug(s, prefix string) bool {
	name, ok := strings.CutPrefix(s, prefix)
	if !ok || name == "" {
		return false
	}
	for _, r := range name {
		if (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && (r < '0' || r > '9') && r != '-' && r != '_' && r != '.' {
			return false
		}
	}
	return true
}

// knownDecision looks a decision up; the base's decisions are listed as ids, file names or paths.
func knownDecision(k Known, s string) bool {
	return slices.ContainsFunc(k.References.Decisions, func(d string) bool { return bare(d) == bare(s) })
}

func knownTask(k Known, s string) bool {
	return slices.ContainsFunc(k.References.Tasks, func(t string) bool { return bare(t) == s })
}

// bare is an id without folder and extension.
func bare(s string) string { return strings.TrimSuffix(s[strings.LastIndexByte(s, '/')+1:], ".md") }

// referenceFault judges the reference of a triage. fact names what would have to be known to tell
// that the reference exists.
func referenceFault(t *subsection, known *Known) (d *report.Diagnostic, fact string) {
	class, ref := t.get(triageClassification), t.get(triageReference)
	allowed := forms[class]
	none := checkline.Fold(ref) == None
	fault := func(code report.Code, message string) *report.Diagnostic {
		d := report.New(code, message)
		d.Where = &t.where
		d.Details = map[string]any{"reference": printable(ref), "classification": class}
		return &d
	}
	switch {
	case len(allowed) == 0 && !none:
		d = fault(report.CodeTriageReferenceInvalid, fmt.Sprintf("%s of class %s refers to %q; %s takes no reference", t.String(), class, printable(ref), class))
		d.Help = "write: - Reference: none"
		return d, ""
	case len(allowed) == 0:
		return nil, ""
	case none:
		d = fault(report.CodeTriageReferenceMissing, fmt.Sprintf("%s of class %s names no reference", t.String(), class))
		d.Help = "name " + shapes(allowed)
		return d, ""
	}
	found := false
	for _, f := range allowed {
		if !f.is(ref) {
			continue
		}
		if f.exists == nil || known == nil || f.exists(*known, ref) {
			return nil, ""
		}
		found, fact = true, f.fact
	}
	if found {
		return fault(report.CodeTriageReferenceMissing, fmt.Sprintf("%s refers to %q, which does not exist at the base", t.String(), printable(ref))), fact
	}
	d = fault(report.CodeTriageReferenceInvalid, fmt.Sprintf("%s of class %s refers to %q, which is not %s", t.String(), class, printable(ref), shapes(allowed)))
	d.Help = "name " + shapes(allowed)
	return d, ""
}

func shapes(allowed []form) string {
	names := make([]string, len(allowed))
	for i, f := range allowed {
		names[i] = f.shape
	}
	return strings.Join(names, ", or ")
}

// triageFaults are what is wrong with a triage in itself (A6): all are warnings, and a triage with
// one does not count. facts are what could not be read and would have been needed.
func triageFaults(t *subsection, known *Known) (faults []report.Diagnostic, fact string) {
	for _, d := range t.faults {
		if d.Code == report.CodeTextInvisibleCharacter {
			d.Code, d.Severity, d.Owner = report.CodeTriageFieldInvalid, report.Warning, report.Maintainer
		}
		faults = append(faults, d)
	}
	if !slices.Contains(Classifications, t.get(triageClassification)) {
		return faults, ""
	}
	if t.given[triageReference] && t.get(triageReference) != "" {
		d, needs := referenceFault(t, known)
		if d != nil {
			faults = append(faults, *d)
		}
		fact = needs
	}
	if d := reasonFault(t); d != nil {
		faults = append(faults, *d)
	}
	return faults, fact
}

// reasonFault judges the reason: every classification but pending needs one, and one_off a concrete
// one.
func reasonFault(t *subsection) *report.Diagnostic {
	class, reason := t.get(triageClassification), t.get(triageReason)
	code, message := report.CodeTriageFieldMissing, ""
	switch {
	case class == Pending:
	case reason == "" && t.given[triageReason]: // reported as empty
	case placeholder(reason):
		message = fmt.Sprintf("%s has no %q", t.String(), kinds[kindTriage].fields[triageReason].label)
	case class == OneOff && !explains(reason):
		code, message = report.CodeTriageFieldInvalid, fmt.Sprintf("the reason of %s does not say what happened: %q", t.String(), printable(reason))
	}
	if message == "" {
		return nil
	}
	d := report.New(code, message)
	d.Help, d.Where = "add the line: - Reason: what happened, and how you know that it will not happen again", &t.where
	if code == report.CodeTriageFieldInvalid {
		d.Help = "say what happened and how you know that it will not happen again, such as - Reason: the build host ran out of disk; freed, and the suite passed there"
	}
	return &d
}
