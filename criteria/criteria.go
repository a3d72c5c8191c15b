// Package criteria judges the acceptance criteria of a task (design section 10): what its
// `## Acceptance Criteria` section asks for, what the Evidence section of the pull request body says
// about each criterion, and whether that holds.
//
// It is pure. Whether a check is satisfied is decided by package checks and passed in; who may sign
// off is left to package approval. A list of plain sentences, as many tasks have under that heading, is
// no list of criteria: the form makes it one.
package criteria

import (
	"github.com/evidence-gate/evidence-gate/internal/markdown"
	"github.com/evidence-gate/evidence-gate/report"
)

// IssueDocument is the name of the task's text in diagnostics.
const IssueDocument = "issue.body"

// SectionName is the title of the section that declares the criteria.
const SectionName = "Acceptance Criteria"

// Kinds of criteria.
const (
	Unit         = "unit"
	Integration  = "integration"
	E2E          = "e2e"
	Regression   = "regression"
	BusinessRule = "business-rule"
	Security     = "security"
	Manual       = "manual"
)

// Kinds are all kinds of criteria.
var Kinds = []string{Unit, Integration, E2E, Regression, BusinessRule, Security, Manual}

// Criterion is one acceptance criterion.
type Criterion struct {
	ID    string       // "AC-1", upper case; "" when it has none, which is malformed
	Kind  string       // one of Kinds; "" when it is malformed
	Text  string       // what must hold, without id and annotations
	From  []string     // where it comes from, such as docs/rules.md#br-3
	Where report.Where // in the task

	// Broken criteria are malformed or doubled. They are reported as such, and nothing satisfies them
	// before the task is corrected.
	Broken bool

	pieces []markdown.Line // what Text is made of
}

// List is what a task asks for.
type List struct {
	Criteria []Criterion

	d      *markdown.Document // the task; nil when it was not parsed
	found  bool               // it has a section of that name
	faulty bool               // what is wrong with the section is reported
	where  report.Where       // of the section
}

// Empty reports whether the task asks for no criterion at all, not even a malformed one.
func (l List) Empty() bool { return len(l.Criteria) == 0 }
