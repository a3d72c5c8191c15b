package checks

import (
	"fmt"

	"github.com/evidence-gate/evidence-gate/internal/checkline"
	"github.com/evidence-gate/evidence-gate/internal/markdown"
	"github.com/evidence-gate/evidence-gate/prbody"
	"github.com/evidence-gate/evidence-gate/profile/policy"
	"github.com/evidence-gate/evidence-gate/report"
)

// judgeEvidence judges the pull request body against the contract (sections 3 and 5).
func (e *evaluation) judgeEvidence() bool {
	ev, err := prbody.Read(e.body())
	if err != nil {
		e.add(prbody.Refusal(err, prbody.Document, report.Engineer))
		return false
	}
	e.add(e.withScaffold(ev)...)
	m := newMatcher(e, ev)
	e.unbound = ev.Found && !e.judgeHead(ev)
	m.unbound = e.unbound
	if e.contract == nil {
		m.formOnly()
		return true
	}
	e.report.Checks = make([]report.Check, 0, len(e.contract.Checks))
	for i := range e.contract.Checks {
		e.report.Checks = append(e.report.Checks, m.judge(&e.contract.Checks[i]))
	}
	m.leftovers()
	m.noEntries()
	e.judgeRenewal(ev, m)
	return true
}

// body is the pull request's body; a null one is the empty document (M1).
func (e *evaluation) body() string {
	if b := e.snapshot.PullRequest.Body; b != nil {
		return *b
	}
	return ""
}

// maxScaffold bounds the checks that the help of a missing section spells out.
const maxScaffold = 10

// withScaffold lets a missing section's help show the whole section to write, unless something in
// the body only has to be moved or closed.
func (e *evaluation) withScaffold(ev prbody.Evidence) []report.Diagnostic {
	if e.contract == nil || len(e.contract.Checks) > maxScaffold {
		return ev.Diagnostics
	}
	for i, d := range ev.Diagnostics {
		if d.Code == report.CodeSectionMissing && d.Help == "## "+prbody.SectionName {
			ev.Diagnostics[i].Help = section(*e.contract, e.snapshot.PullRequest.HeadSHA)
		}
	}
	return ev.Diagnostics
}

// at places a diagnostic.
func at(d report.Diagnostic, w report.Where) report.Diagnostic {
	d.Where = &w
	return d
}

// judgeHead judges the head markers (E6). It reports whether the section is for the head.
func (e *evaluation) judgeHead(ev prbody.Evidence) bool {
	head := e.snapshot.PullRequest.HeadSHA
	line := "Current PR head: " + head
	if head == "" {
		e.note("head_not_judged")
		line = "Current PR head: <the head commit's full SHA>"
	}
	if len(ev.Markers) == 0 {
		e.add(missingHead(ev, line))
		return false
	}
	first := ev.Markers[0].Value
	for _, m := range ev.Markers[1:] {
		if m.Value.Text != first.Text {
			d := report.New(report.CodeHeadAmbiguous, fmt.Sprintf("the section names two heads: %s in line %d and %s in line %d",
				short(first.Text), first.Where.Line, short(m.Value.Text), m.Value.Where.Line))
			d.Help = line
			e.add(at(d, m.Value.Where))
			return false
		}
	}
	fault := prbody.CompareSHA(first.Text, head)
	if fault != prbody.NoFault {
		e.add(at(shaDiagnostic("head.", "the head marker", "Current PR head", fault, first.Text, head), first.Where))
	}
	return fault == prbody.NoFault
}

func missingHead(ev prbody.Evidence, line string) report.Diagnostic {
	if len(ev.Outside) > 0 {
		d := report.New(report.CodeHeadOutsideSection, fmt.Sprintf("the head marker in line %d stands outside the %s section", ev.Outside[0].Value.Where.Line, prbody.SectionName))
		d.Help = fmt.Sprintf("move it below the heading in line %d: %s", ev.Heading.Line, line)
		return at(d, ev.Outside[0].Value.Where)
	}
	d := report.New(report.CodeHeadMissing, "the section does not say for which commit the evidence is")
	d.Help = line
	return at(d, ev.Heading)
}

// shaDiagnostic words one fault of E6; area is "head.", "artifact." or "observation.artifact_".
func shaDiagnostic(area, what, label string, fault prbody.Fault, written, head string) report.Diagnostic {
	var message string
	help := label + ": " + head
	switch fault {
	case prbody.Missing:
		message = what + " is missing"
	case prbody.Abbreviated:
		message = fmt.Sprintf("%s is shortened to %d digits", what, len(written))
	case prbody.NotCanonical:
		message = fmt.Sprintf("%s is %s, not 40 or 64 lower-case hexadecimal digits", what, quoteOrNothing(written))
	case prbody.Fabricated:
		message = fmt.Sprintf("%s starts like the head %s but is another commit: %s", what, short(head), written)
		help += " (copy headRefOid, do not retype it: gh pr view --json headRefOid)"
	case prbody.Stale:
		message = fmt.Sprintf("%s is %s, but the head is now %s", what, short(written), short(head))
		help += " (after running the checks on it)"
	}
	if head == "" {
		help = label + ": <the head commit's full SHA>"
	}
	d := report.New(report.Code(area+string(fault)), message)
	d.Help = help
	d.Details = map[string]any{"found_head": firstWords(written)}
	if head != "" {
		d.Details["expected_head"] = head
	}
	return d
}

func quoteOrNothing(s string) string {
	if s == "" {
		return "empty"
	}
	return fmt.Sprintf("%q", firstWords(s))
}

// shortSHA is how many digits of a commit a sentence shows.
const shortSHA = 12

func short(sha string) string {
	if prbody.Canonical(sha) {
		return sha[:shortSHA]
	}
	return quoteOrNothing(sha)
}

// maxClosest bounds for how many unknown entries, and among how many checks, the closest check is
// looked for.
const (
	maxClosest     = 20
	maxClosestTo   = 500
	maxClosestText = 80
)

// leftovers reports entries that belong to no check (E5).
func (m *matcher) leftovers() {
	for i := range m.ev.Entries {
		entry := &m.ev.Entries[i]
		if m.used[i] {
			continue
		}
		if c := m.byKeyWithID[entry.Check.Key]; entry.Check.ID == "" && entry.Check.Key != "" && c != nil {
			d := report.New(report.CodeEntryIdMissing, fmt.Sprintf("the entry is for %s but leaves the id out", c.ID))
			d.Help = fmt.Sprintf("- Required check: [%s] %s", c.ID, checkline.Whole(entry.Check.Line))
			d.Check = pointer(c.ID)
			m.e.add(at(d, entry.Where))
			continue
		}
		m.unknown(entry)
	}
}

func (m *matcher) unknown(entry *prbody.Entry) {
	name := entry.Name()
	message := fmt.Sprintf("no declared check is called %q", firstWords(name))
	near := m.closest(entry)
	if near != nil {
		message += fmt.Sprintf("; the closest is %q", firstWords(near.shown()))
	}
	d := report.New(report.CodeEntryUnknownCheck, message)
	if entry.Verdict != nil {
		if v, ok := entry.Verdict.Verdict(); ok && (v == prbody.Failed || v == prbody.Blocked) {
			d.Severity = report.Error
			d.Message += fmt.Sprintf(", and its verdict is %s", v)
		}
	}
	if name != "" {
		d.Check = pointer(name)
	}
	d.Help = "name a declared check, or delete the entry"
	if near != nil {
		d.Help = "- Required check: " + declaredText(*near) + " (or delete the entry)"
	}
	m.e.add(at(d, entry.Where))
}

func (m *matcher) closest(entry *prbody.Entry) *RequiredCheck {
	if m.searched++; m.searched > maxClosest || len(entry.Check.Key) > maxClosestText {
		return nil
	}
	var best *RequiredCheck
	edits := len(entry.Check.Key)
	for i := range m.e.contract.Checks {
		c := &m.e.contract.Checks[i]
		if i >= maxClosestTo || len(c.line.Key) > maxClosestText {
			continue
		}
		if n := markdown.Distance(entry.Check.Key, c.line.Key); n < edits {
			best, edits = c, n
		}
	}
	if best == nil && len(m.e.contract.Checks) == 1 {
		return &m.e.contract.Checks[0]
	}
	return best
}

// noEntries explains a section whose evidence is a table or fenced text (E3). Checks that a status
// proves need no entry, so it is an error only while a check lacks proof.
func (m *matcher) noEntries() {
	if !m.ev.Found || len(m.ev.Entries) > 0 || !m.lacking {
		return
	}
	if len(m.ev.Tables) > 0 {
		d := report.New(report.CodeEntryTableUnsupported, "the section holds a table but no entry; evidence is a list")
		d.Help = m.template()
		m.e.add(at(d, m.ev.Tables[0]))
	}
	if len(m.ev.Fences) > 0 {
		d := report.New(report.CodeEntryFenced, "the section holds fenced text but no entry; text in a fence is not read")
		d.Help = m.template()
		m.e.add(at(d, m.ev.Fences[0]))
	}
}

// template is an entry ready to fill, for the first check that lacks one.
func (m *matcher) template() string {
	if m.e.contract != nil {
		for i := range m.e.contract.Checks {
			if m.entries[i] == nil {
				return entryTemplate(m.e.contract.Checks[i], m.head)
			}
		}
	}
	return "- Required check: [RC-1] `the command`\n  Verdict: passed\n  Evidence: <what the final run showed>"
}

// judgeRenewal reports entries whose text was carried over from a body that named another head (E4).
func (e *evaluation) judgeRenewal(ev prbody.Evidence, m *matcher) {
	revisions := e.snapshot.PullRequest.Revisions
	if len(revisions) == 0 {
		return
	}
	open := map[string]string{} // identity -> evidence text
	for i := range ev.Entries {
		entry := &ev.Entries[i]
		if entry.Evidence != nil && m.used[i] && !prbody.Placeholder(entry.Evidence.Text) {
			open[entry.Identity()] = checkline.Squeeze(entry.Evidence.Text)
		}
	}
	carried := map[string]string{} // identity -> head that the older body named
	left := maxRenewalBytes
	for i := len(revisions) - 1; i >= 0 && len(open) > 0; i-- {
		body := revisions[i].Body
		if body == nil || e.isBody(*body) {
			continue
		}
		if left -= len(*body); left < 0 {
			break
		}
		if old, err := prbody.Read(*revisions[i].Body); err == nil {
			e.carriedOver(old, open, carried)
		}
	}
	for i := range ev.Entries {
		entry := &ev.Entries[i]
		if head := carried[entry.Identity()]; head != "" {
			delete(carried, entry.Identity())
			d := report.New(report.CodeEvidenceNotRenewed, fmt.Sprintf("the text of %s stands unchanged since the body named %s as its head", entry.Name(), short(head)))
			d.Check = pointer(entry.Name())
			if e.policy.Unrenewed == policy.Fail {
				d.Severity = report.Error
				m.revoke(entry)
			}
			e.add(at(d, entry.Evidence.Where))
		}
	}
}

// revoke takes back that an entry satisfies its check.
func (m *matcher) revoke(entry *prbody.Entry) {
	for i, of := range m.entries {
		if of == entry {
			m.e.report.Checks[i].Satisfied, m.e.report.Checks[i].TrustLabel = false, nil
		}
	}
}

// maxRenewalBytes bounds how much of the history is read for renewal, the newest bodies first; with
// the body and the task it keeps an evaluation within the time of design section 17.
const maxRenewalBytes = 2 << 20

// isBody reports whether a revision is the body as it stands, whose head is judged already.
func (e *evaluation) isBody(text string) bool {
	body := e.snapshot.PullRequest.Body
	return body != nil && *body == text
}

// carriedOver compares the entries that are still open with one older body: an entry whose text was
// another is no longer open, one with the same text under another head was carried over.
func (e *evaluation) carriedOver(old prbody.Evidence, open, carried map[string]string) {
	named := ""
	for _, marker := range old.Markers {
		if prbody.Canonical(marker.Value.Text) && marker.Value.Text != e.snapshot.PullRequest.HeadSHA {
			named = marker.Value.Text
		}
	}
	before := map[string]string{}
	for _, o := range old.Entries {
		if o.Evidence != nil {
			before[o.Identity()] = checkline.Squeeze(o.Evidence.Text)
		}
	}
	for identity, text := range open {
		switch old, there := before[identity]; {
		case !there || old != text:
			delete(open, identity)
		case named != "":
			delete(open, identity)
			carried[identity] = named
		}
	}
}
