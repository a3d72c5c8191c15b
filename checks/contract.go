package checks

import (
	"fmt"
	"slices"
	"strings"

	"github.com/evidence-gate/evidence-gate/criteria"
	"github.com/evidence-gate/evidence-gate/internal/checkline"
	"github.com/evidence-gate/evidence-gate/internal/markdown"
	"github.com/evidence-gate/evidence-gate/prbody"
	"github.com/evidence-gate/evidence-gate/report"
)

// IssueDocument is the name of the task's text in diagnostics.
const IssueDocument = "issue.body"

// ContractSection is the title of the section that declares the checks (C1).
const ContractSection = "Required Checks"

// Kinds of checks and entries (C3).
const (
	Command       = "command"
	Manual        = "manual"
	ContractProof = "contract_proof"
)

// Sources of proof (C4).
const (
	PRBody               = "pr_body"
	StatusCheck          = "status_check"
	ManualObservation    = "manual_observation"
	AutomatedObservation = "automated_observation"
)

// Contract is the set of required checks of a task, with its acceptance criteria (section 10).
type Contract struct {
	Checks   []RequiredCheck
	Criteria criteria.List

	faults []report.Diagnostic // of the criteria
}

// RequiredCheck is one check of the contract (C2 to C5).
type RequiredCheck struct {
	ID           string
	Text         string
	Kind         string
	Declared     bool // the kind was written, not derived
	Sources      []string
	Command      string
	Observations []Declaration
	Status       string
	App          string
	Topology     string
	Method       string
	URL          string
	Expected     string
	Pattern      string

	line    checkline.Check
	where   report.Where
	sourced bool // the sources were written, not derived
}

// Declaration is one observation that a check asks for (C5).
type Declaration struct {
	Name  string
	Level string
}

// Name is how messages call the check: its id, else its text.
func (c *RequiredCheck) Name() string {
	if c.ID != "" {
		return c.ID
	}
	return c.Text
}

// shown is the check as the task writes it, without annotations and markup.
func (c *RequiredCheck) shown() string {
	if c.ID != "" {
		return "[" + c.ID + "] " + c.Text
	}
	return c.Text
}

func (c *RequiredCheck) allows(source string) bool {
	for _, s := range c.Sources {
		if s == source {
			return true
		}
	}
	return false
}

// HasChecks reports whether a task's text has a live contract section with a check in it; the
// loader counts only such tasks (section 14 Loading). A text that cannot be read counts, so that
// its refusal is reported.
func HasChecks(issueBody string) bool {
	c, diagnostics := ReadContract(issueBody)
	if len(c.Checks) > 0 {
		return true
	}
	for _, d := range diagnostics {
		if d.Severity == report.Error && d.Code != report.CodeContractMissing {
			return true
		}
	}
	return false
}

// ReadContract reads the contract from a task's text and validates it (C1 to C6).
func ReadContract(issueBody string) (Contract, []report.Diagnostic) {
	d, err := markdown.Parse(issueBody)
	if err != nil {
		return Contract{}, []report.Diagnostic{prbody.Refusal(err, IssueDocument, report.Maintainer)}
	}
	r := contractReader{d: d}
	r.read()
	r.identities()
	if criteria.MayHaveSection(issueBody) {
		r.contract.Criteria, r.contract.faults = criteria.ReadDocument(d)
	}
	return r.contract, r.diagnostics
}

type contractReader struct {
	d           *markdown.Document
	places      []int // lines of the policy that the checks were made of; nil: a task is read
	contract    Contract
	diagnostics []report.Diagnostic
}

// report adds a diagnostic of the task; all of them belong to the maintainer.
func (r *contractReader) report(code report.Code, where report.Where, help, format string, args ...any) {
	d := report.New(code, fmt.Sprintf(format, args...))
	d.Owner = report.Maintainer
	where = r.placed(where)
	d.Where = &where
	if help != "" {
		d.Help = help
	}
	r.diagnostics = append(r.diagnostics, d)
}

func lineWhere(l markdown.Line) report.Where {
	p, end := l.Extent()
	return report.Where{Document: IssueDocument, Line: p.Line, Column: p.Column, EndLine: end.Line, EndColumn: end.Column}
}

func blockWhere(b markdown.Block) report.Where {
	p := b.Position()
	return report.Where{Document: IssueDocument, Line: p.Line, Column: p.Column}
}

func (r *contractReader) read() {
	sections := r.d.Sections(ContractSection)
	if len(sections) == 0 {
		found := r.d.Instead(ContractSection)
		where := report.Where{Document: IssueDocument, Line: found.Line}
		r.report(report.CodeContractMissing, where, "", "the task has no live %s section%s", ContractSection, prbody.Explain(found))
		if found.What == markdown.FoundEscapedNewlines {
			d := prbody.EscapedNewlines("gh issue edit --body-file ISSUE.md")
			d.Owner, d.Where = report.Maintainer, &where
			r.diagnostics = append(r.diagnostics, d)
		}
		return
	}
	if len(sections) > 1 {
		r.report(report.CodeSectionDuplicate, lineWhere(sections[1].Title), "keep one section and delete the other",
			"the task has %d live %s sections, in lines %d and %d", len(sections), ContractSection,
			sections[0].Title.Position(0).Line, sections[1].Title.Position(0).Line)
		return
	}
	s := sections[0]
	r.checkText(s.Title)
	if s.Level != markdown.CanonicalLevel {
		r.report(report.CodeSectionLevel, lineWhere(s.Title), "## "+ContractSection,
			"the %s section stands at heading level %d; level %d is the canonical one", ContractSection, s.Level, markdown.CanonicalLevel)
	}
	r.d.Prepare(s.Blocks)
	for _, b := range s.Blocks {
		r.block(b)
	}
	if len(r.contract.Checks) == 0 && !hasError(r.diagnostics) {
		r.report(report.CodeContractMissing, lineWhere(s.Title), "", "the %s section declares no check", ContractSection)
	}
}

func hasError(diagnostics []report.Diagnostic) bool {
	for _, d := range diagnostics {
		if d.Severity == report.Error {
			return true
		}
	}
	return false
}

func (r *contractReader) checkText(l markdown.Line) {
	i, c, found := markdown.FirstInvisible(l.Text)
	if !found {
		return
	}
	d := prbody.Invisible(c)
	d.Owner = report.Maintainer
	w := r.placed(lineWhere(l.Slice(i, len(l.Text))))
	d.Where = &w
	r.diagnostics = append(r.diagnostics, d)
}

// block reads one block of the section: a list of checks, or text that must not hide one.
func (r *contractReader) block(b markdown.Block) {
	switch b.Kind() {
	case markdown.List:
		items := b.Children()
		r.contract.Checks = slices.Grow(r.contract.Checks, len(items))
		for _, item := range items {
			r.item(item)
		}
	case markdown.Rule:
	case markdown.Paragraph, markdown.Heading:
		r.prose(b)
	default:
		r.notLive(b)
	}
}

// item reads one top-level list item: its first paragraph is the check, the rest is prose.
func (r *contractReader) item(item markdown.Block) {
	children := item.Children()
	for len(children) > 0 && onlyComment(children[0]) {
		r.notLive(children[0])
		children = children[1:]
	}
	if len(children) == 0 {
		return
	}
	rest := children
	if children[0].Kind() == markdown.Paragraph {
		rest = children[1:]
		line := markdown.Join(children[0].Lines()).Trim()
		if !prbody.Placeholder(line.Text) {
			r.check(line)
		}
	}
	before := len(r.diagnostics)
	for _, b := range rest {
		r.inside(b)
	}
	if len(rest) == len(children) && !reportsCheck(r.diagnostics[before:]) {
		r.report(report.CodeContractIdentityEmpty, blockWhere(children[0]), "write the check as the item's own text: - [RC-1] …",
			"the list item holds no text of its own, so nothing is left of the check")
	}
}

// onlyComment reports whether a block holds HTML comments and nothing else.
func onlyComment(b markdown.Block) bool {
	if b.Kind() != markdown.HTML {
		return false
	}
	raw := strings.TrimSpace(b.Raw())
	for strings.HasPrefix(raw, "<!--") {
		_, rest, ended := strings.Cut(raw, "-->")
		if !ended {
			return true
		}
		raw = strings.TrimSpace(rest)
	}
	return raw == ""
}

// reportsCheck reports whether one of the diagnostics says that a check is out of place or hidden.
func reportsCheck(diagnostics []report.Diagnostic) bool {
	return hasError(diagnostics) || slices.ContainsFunc(diagnostics, func(d report.Diagnostic) bool { return d.Code == report.CodeContractHiddenCheck })
}

// inside reads what stands in a check's item below its text.
func (r *contractReader) inside(b markdown.Block) {
	switch b.Kind() {
	case markdown.List, markdown.Item:
		for _, c := range b.Children() {
			r.inside(c)
		}
	case markdown.Paragraph, markdown.Heading:
		r.prose(b)
	default:
		r.notLive(b)
	}
}

// maxHelpText bounds how much of a text a help line repeats.
const maxHelpText = 100

func firstWords(text string) string {
	text = strings.Join(strings.Fields(text), " ")
	if runes := []rune(text); len(runes) > maxHelpText {
		return string(runes[:maxHelpText]) + "…"
	}
	return text
}

// identities reports ids and match keys that two checks share (C6).
func (r *contractReader) identities() {
	ids, keys := map[string]int{}, map[string]int{} // -> line of the first
	for i := range r.contract.Checks {
		c := &r.contract.Checks[i]
		seen, name := keys, c.line.Key
		if c.ID != "" {
			seen, name = ids, c.ID
		}
		first, again := seen[name]
		switch {
		case !again:
			seen[name] = c.where.Line
		case c.ID != "":
			r.report(report.CodeContractIdDuplicate, c.where, "", "%s is used twice, in lines %d and %d", c.ID, first, c.where.Line)
		default:
			r.report(report.CodeContractIdentityDuplicate, c.where, "", "the checks in lines %d and %d say the same and have no id", first, c.where.Line)
		}
	}
}
