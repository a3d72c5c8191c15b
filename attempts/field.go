package attempts

import (
	"strings"

	"github.com/evidence-gate/evidence-gate/report"
)

// kind is what a level-4 heading of a carrier opens.
type kind int

const (
	kindUnknown kind = iota
	kindAttempt
	kindPrediction
	kindTriage
)

// field is one row of a table of fields.
type field struct {
	label    string // as it is written in canonical form
	optional bool   // may be absent; cross rules may still ask for it
	prose    bool   // text in which any character may stand
	code     bool   // written as a code span
	read     reader
}

// kindRow is everything that is known about one kind of subsection.
type kindRow struct {
	name     string // in messages
	title    string // of the heading, before the number
	missing  report.Code
	invalid  report.Code
	repeated report.Code
	fields   []field
}

// Places of the fields in the rows below.
const (
	attemptArtifact = iota
	attemptCommand
	attemptStrategy
	attemptTimeout
	attemptOutcome
	attemptDuration
	attemptRequired
	attemptPartial
	attemptNext
	attemptCandidate
	attemptBy
	attemptAt
)

const (
	predictionBased = iota
	predictionEvidence
	predictionWindow
	predictionChosen
	predictionBy
	predictionAt
)

const (
	triageClassification = iota
	triageReference
	triageReason
	triageBy
	triageAt
	triageComment
)

// kinds are the tables of A3, A4 and A6.
var kinds = [...]kindRow{
	kindUnknown: {name: "subsection"},
	kindAttempt: {
		name: "attempt", title: "Attempt ",
		missing: report.CodeAttemptFieldMissing, invalid: report.CodeAttemptFieldInvalid, repeated: report.CodeAttemptFieldRepeated,
		fields: []field{
			attemptArtifact:  {label: "Artifact", read: artifact},
			attemptCommand:   {label: "Command", code: true, read: anyText},
			attemptStrategy:  {label: "Strategy", read: oneOf(Strategies...)},
			attemptTimeout:   {label: "Timeout ms", read: milliseconds},
			attemptOutcome:   {label: "Outcome", read: oneOf(Outcomes...)},
			attemptDuration:  {label: "Duration ms", read: milliseconds},
			attemptRequired:  {label: "Required", read: oneOf("true", "false")},
			attemptPartial:   {label: "Partial evidence", prose: true, read: anyText},
			attemptNext:      {label: "Proposed next strategy", read: oneOf(append([]string{None, Unknown}, Strategies...)...)},
			attemptCandidate: {label: "Candidate classification", optional: true, read: oneOf(Candidates...)},
			attemptBy:        {label: "Recorded by", read: oneOf(Engineer)},
			attemptAt:        {label: "Recorded at", read: instant},
		},
	},
	kindPrediction: {
		name: "prediction", title: "Foreground escalation prediction for attempt ",
		missing: report.CodePredictionFieldMissing, invalid: report.CodePredictionFieldInvalid, repeated: report.CodePredictionFieldInvalid,
		fields: []field{
			predictionBased:    {label: "Based on attempt", read: positive},
			predictionEvidence: {label: "Evidence", prose: true, read: foreseen},
			predictionWindow:   {label: "Predicted completion window ms", read: window},
			predictionChosen:   {label: "Chosen timeout ms", read: positive},
			predictionBy:       {label: "Recorded by", read: oneOf(Engineer)},
			predictionAt:       {label: "Recorded at", read: instant},
		},
	},
	kindTriage: {
		name: "triage", title: "Triage for attempt ",
		missing: report.CodeTriageFieldMissing, invalid: report.CodeTriageFieldInvalid, repeated: report.CodeTriageFieldInvalid,
		fields: []field{
			triageClassification: {label: "Classification", read: oneOf(Classifications...)},
			triageReference:      {label: "Reference", read: anyText},
			triageReason:         {label: "Reason", optional: true, prose: true, read: anyText},
			triageBy:             {label: "Triaged by", read: oneOf(Maintainer)},
			triageAt:             {label: "Triaged at", read: instant},
			triageComment:        {label: "Comment", optional: true, read: commentID},
		},
	},
}

// lookup finds a field by its label, case ignored; -1 when the kind has none of that name.
func (k kind) lookup(label string) int {
	for i := range kinds[k].fields {
		if row := &kinds[k].fields[i]; len(row.label) == len(label) && strings.EqualFold(row.label, label) {
			return i
		}
	}
	return -1
}

// heading reads what a title of level 4 opens and for which attempt; digits is what stands in the
// place of the number.
func heading(title string) (k kind, digits string) {
	for k := kindAttempt; k <= kindTriage; k++ {
		name := kinds[k].title
		if len(title) > len(name) && strings.EqualFold(title[:len(name)], name) {
			if digits := title[len(name):]; strings.Trim(digits, "0123456789") == "" {
				return k, digits
			}
		}
	}
	return kindUnknown, ""
}
