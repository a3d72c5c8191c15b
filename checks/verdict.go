package checks

import (
	"fmt"

	"github.com/evidence-gate/evidence-gate/prbody"
	"github.com/evidence-gate/evidence-gate/profile/policy"
	"github.com/evidence-gate/evidence-gate/report"
)

// verdict is rule 7, and what a verdict that is no pass needs besides (end of section 5).
func (p *proof) verdict() bool {
	v := p.entry.Verdict
	if v == nil || v.Text == "" {
		d := report.New(report.CodeVerdictMissing, fmt.Sprintf("the entry for %s has no verdict", p.check.Name()))
		d.Help = "Verdict: passed"
		return p.refuse(d, p.entry.Where)
	}
	word, ok := v.Verdict()
	if !ok {
		d := report.New(report.CodeVerdictInvalid, fmt.Sprintf("%q is no verdict; it is exactly one of passed, failed, blocked, not run", firstWords(v.Text)))
		d.Help = "Verdict: " + string(v.NearestVerdict())
		return p.refuse(d, v.Where)
	}
	if word == prbody.NotRun {
		d := report.New(report.CodeVerdictNotFinal, fmt.Sprintf("%s was not run", p.check.Name()))
		d.Help = "run the check on the head commit, then write its verdict"
		return p.refuse(d, v.Where)
	}
	if !p.excerpt(word) {
		return false
	}
	if word == prbody.Passed {
		return true
	}
	return p.exceptional(word)
}

// excerpt judges the Evidence text (E4).
func (p *proof) excerpt(word prbody.Verdict) bool {
	ev := p.entry.Evidence
	if ev == nil || prbody.Placeholder(ev.Text) {
		w := p.entry.Where
		if ev != nil {
			w = ev.Where
		}
		d := report.New(report.CodeEvidenceMissing, fmt.Sprintf("the entry for %s does not say what the run showed", p.check.Name()))
		d.Help = "Evidence: <what the final run showed, such as its closing line and exit code>"
		return p.refuse(d, w)
	}
	want, _ := p.check.ExpectedExit()
	failure, concrete := prbody.Weigh(ev.Text, want)
	if word == prbody.Passed && failure != "" {
		d := report.New(report.CodeEvidenceContradictsVerdict, "the verdict is passed, but the text reports a failure: "+failure)
		d.Help = "Verdict: failed (or run the check again on the head and quote that run alone)"
		if p.m.e.policy.Contradictions == policy.Warn {
			d.Severity = report.Warning
			p.add(at(d, ev.Where))
			return true
		}
		return p.refuse(d, ev.Where)
	}
	if len(p.entry.Observations) == 0 && !concrete {
		d := report.New(report.CodeEvidenceNotConcrete, fmt.Sprintf("%q does not say what was seen", firstWords(ev.Text)))
		d.Help = "Evidence: <what the final run showed, such as its closing line and exit code>"
		return p.refuse(d, ev.Where)
	}
	return true
}

// exceptional judges a verdict of failed or blocked: honest evidence that needs a stable id and a
// carrier whose latest attempt did not pass. At stage review that is complete; at stage merge only
// final triage satisfies the check (A9), and the attempts judge says what is missing.
func (p *proof) exceptional(word prbody.Verdict) bool {
	if p.check.ID == "" {
		d := report.New(report.CodeEvidenceExceptionalWithoutId, fmt.Sprintf("the verdict %s needs a check with a stable id, and this one has none", word))
		d.Help = "ask the maintainer to write the check as: - [RC-1] " + firstWords(p.check.Text)
		return p.refuse(d, p.entry.Verdict.Where)
	}
	standing, recorded := p.m.e.attempts.Of(p.check.ID)
	if !recorded {
		d := report.New(report.CodeEvidenceCarrierMissing, fmt.Sprintf("the verdict of %s is %s, and no comment records the attempts", p.check.ID, word))
		return p.refuse(d, p.entry.Verdict.Where)
	}
	if standing.Passed {
		d := report.New(report.CodeEvidenceCarrierMismatch, fmt.Sprintf("the verdict of %s is %s, but the latest of its recorded attempts passed", p.check.ID, word))
		return p.refuse(d, p.entry.Verdict.Where)
	}
	p.triaged = standing.Satisfied
	return p.triaged || p.m.e.stage == report.Review
}

// formOnly judges entries without a contract: what can be said of their form alone.
func (m *matcher) formOnly() {
	m.lacking = true
	for i := range m.ev.Entries {
		entry := &m.ev.Entries[i]
		c := RequiredCheck{ID: entry.Check.ID, Text: entry.Check.Text}
		p := &proof{m: m, check: &c, entry: entry}
		if !entry.Broken {
			p.form()
		}
	}
	m.noEntries()
}

// form is rules 6 and 7 as far as they need no contract.
func (p *proof) form() bool {
	if p.entry.Implementation != nil && !p.implementation() {
		return false
	}
	v := p.entry.Verdict
	if v != nil {
		if word, ok := v.Verdict(); ok && word != prbody.NotRun {
			return p.excerpt(word)
		}
	}
	return p.verdict()
}
