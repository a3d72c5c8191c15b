package checks

import (
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/evidence-gate/evidence-gate/internal/checkline"
	"github.com/evidence-gate/evidence-gate/prbody"
	"github.com/evidence-gate/evidence-gate/report"
)

// observations is rule 5: one record per declared observation. Each declared observation reports
// its own first failure.
func (p *proof) observations() bool {
	if len(p.check.Observations) == 0 {
		return true
	}
	records := make(map[string][]prbody.Observation, len(p.entry.Observations))
	for _, o := range p.entry.Observations {
		name := foldName(o.Name.Text)
		records[name] = append(records[name], o)
	}
	failed := 0
	for _, declared := range p.check.Observations {
		if !p.observation(declared, records[foldName(declared.Name)]) {
			if failed++; failed == maxObservationFailures {
				break
			}
		}
	}
	return failed == 0
}

// maxObservationFailures bounds how many observations of one check are reported.
const maxObservationFailures = 50

func (p *proof) observation(declared Declaration, records []prbody.Observation) bool {
	switch {
	case len(records) == 0:
		message := fmt.Sprintf("%s asks for the observation %q, and the entry has no record of it", firstWords(p.check.Name()), declared.Name)
		w := p.entry.Where
		if p.entry.Names != nil {
			message += "; names alone prove nothing"
			w = p.entry.Names.Where
		}
		d := report.New(report.CodeObservationMissing, message)
		d.Help = p.recordTemplate(declared)
		return p.refuse(d, w)
	case len(records) > 1:
		d := report.New(report.CodeObservationDuplicate, fmt.Sprintf("the observation %q has %d records", declared.Name, len(records)))
		d.Help = "keep one record for it"
		return p.refuse(d, records[1].Name.Where)
	}
	return p.record(declared, records[0])
}

func (p *proof) record(declared Declaration, o prbody.Observation) bool {
	for _, rule := range []func(Declaration, prbody.Observation) bool{p.level, p.result, p.artifact, p.recordSource} {
		if !rule(declared, o) {
			return false
		}
	}
	return true
}

func (p *proof) level(declared Declaration, o prbody.Observation) bool {
	help := "Level: " + declared.Level
	if o.Level == nil {
		d := report.New(report.CodeObservationLevelMissing, fmt.Sprintf("the record of %q does not say at which level it was seen", declared.Name))
		d.Help = help
		return p.refuse(d, o.Name.Where)
	}
	found := checkline.Fold(o.Level.Text)
	if !slices.Contains(levels, found) {
		d := report.New(report.CodeObservationLevelInvalid, fmt.Sprintf("%s is no level; it is one of %s", quoteOrNothing(o.Level.Text), strings.Join(levels, ", ")))
		d.Help = help
		return p.refuse(d, o.Level.Where)
	}
	if found != declared.Level {
		d := report.New(report.CodeObservationLevelMismatch, fmt.Sprintf("%q must be seen at level %s, and the record is at level %s", declared.Name, declared.Level, found))
		d.Help = help + " (after observing it there)"
		d.Details = map[string]any{"expected_level": declared.Level, "found_level": found}
		return p.refuse(d, o.Level.Where)
	}
	return true
}

// minResult is the length from which a result can say what was seen (section 5, rule 5).
const minResult = 12

func (p *proof) result(declared Declaration, o prbody.Observation) bool {
	if o.Result == nil || prbody.Placeholder(o.Result.Text) {
		w := o.Name.Where
		if o.Result != nil {
			w = o.Result.Where
		}
		d := report.New(report.CodeObservationResultMissing, fmt.Sprintf("the record of %q does not say what was seen", declared.Name))
		d.Help = "Result: <what you did and what you saw>"
		return p.refuse(d, w)
	}
	result := checkline.Squeeze(o.Result.Text)
	if len([]rune(result)) >= minResult && prbody.Observed(result) && !sameWords(result, declared.Name) {
		return true
	}
	d := report.New(report.CodeObservationResultGeneric, fmt.Sprintf("the result %q does not say what was seen", firstWords(result)))
	d.Help = "Result: <what you did and what you saw, not a count or a verdict>"
	return p.refuse(d, o.Result.Where)
}

// sameWords reports whether two texts differ in nothing but case, spaces and punctuation.
func sameWords(a, b string) bool {
	split := func(s string) []string {
		return strings.FieldsFunc(strings.ToLower(s), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
	}
	return slices.Equal(split(a), split(b))
}

func (p *proof) artifact(declared Declaration, o prbody.Observation) bool {
	what := fmt.Sprintf("the artifact of %q", declared.Name)
	if o.Artifact == nil {
		return p.refuse(shaDiagnostic("observation.artifact_", what, "Artifact", prbody.Missing, "", p.m.head), o.Name.Where)
	}
	fault := prbody.CompareSHA(o.Artifact.SHA(), p.m.head)
	if fault == prbody.NoFault {
		return true
	}
	return p.refuse(shaDiagnostic("observation.artifact_", what, "Artifact", fault, o.Artifact.SHA(), p.m.head), o.Artifact.Where)
}

func (p *proof) recordSource(declared Declaration, o prbody.Observation) bool {
	help := "Source: " + p.source
	if o.Source == nil {
		d := report.New(report.CodeObservationSourceMissing, fmt.Sprintf("the record of %q names no source", declared.Name))
		d.Help = help
		return p.refuse(d, o.Name.Where)
	}
	if found := checkline.Fold(o.Source.Text); found != p.source {
		d := report.New(report.CodeObservationSourceMismatch, fmt.Sprintf("the record of %q names the source %s, its entry %s", declared.Name, quoteOrNothing(found), p.source))
		d.Help = help
		return p.refuse(d, o.Source.Where)
	}
	return true
}

// recordTemplate is an observation record ready to fill.
func (p *proof) recordTemplate(declared Declaration) string {
	return strings.Join(recordLines(declared, p.m.head, p.source), "\n")
}
