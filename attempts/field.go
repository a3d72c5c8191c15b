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
	form     string // what to write after the label, for help
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
			attemptArtifact:  {label: "Artifact", form: "<the full id of the commit that ran>, or tree:<sha>, range:<sha>..<sha>, patch:<path>", read: artifact},
			attemptCommand:   {label: "Command", code: true, read: anyText},
			attemptStrategy:  {label: "Strategy", form: choice(Strategies), read: oneOf(Strategies...)},
			attemptTimeout:   {label: "Timeout ms", form: "<milliseconds in plain digits>, or unknown, or none", read: milliseconds},
			attemptOutcome:   {label: "Outcome", form: choice(Outcomes), read: oneOf(Outcomes...)},
			attemptDuration:  {label: "Duration ms", form: "<milliseconds in plain digits>, or unknown, or none", read: milliseconds},
			attemptRequired:  {label: "Required", form: "true, or false", read: oneOf("true", "false")},
			attemptPartial:   {label: "Partial evidence", prose: true, read: anyText},
			attemptNext:      {label: "Proposed next strategy", form: choice(append([]string{None, Unknown}, Strategies...)), read: oneOf(append([]string{None, Unknown}, Strategies...)...)},
			attemptCandidate: {label: "Candidate classification", optional: true, form: choice(Candidates), read: oneOf(Candidates...)},
			attemptBy:        {label: "Recorded by", form: Engineer, read: oneOf(Engineer)},
			attemptAt:        {label: "Recorded at", form: "2026-11-30T09:12:44Z (the time in UTC)", read: instant},
		},
	},
	kindPrediction: {
		name: "prediction", title: "Foreground escalation prediction for attempt ",
		missing: report.CodePredictionFieldMissing, invalid: report.CodePredictionFieldInvalid, repeated: report.CodePredictionFieldInvalid,
		fields: []field{
			predictionBased:    {label: "Based on attempt", form: "<the number of the attempt that timed out>", read: positive},
			predictionEvidence: {label: "Evidence", prose: true, form: "<what the run had done when it was stopped, such as 2,100 of 2,310 tests finished>", read: foreseen},
			predictionWindow:   {label: "Predicted completion window ms", form: "<min>-<max> in milliseconds, such as 200000-290000", read: window},
			predictionChosen:   {label: "Chosen timeout ms", form: "<milliseconds in plain digits, at least the end of the window>", read: positive},
			predictionBy:       {label: "Recorded by", form: Engineer, read: oneOf(Engineer)},
			predictionAt:       {label: "Recorded at", form: "2026-11-30T09:12:44Z (the time in UTC)", read: instant},
		},
	},
	kindTriage: {
		name: "triage", title: "Triage for attempt ",
		missing: report.CodeTriageFieldMissing, invalid: report.CodeTriageFieldInvalid, repeated: report.CodeTriageFieldInvalid,
		fields: []field{
			triageClassification: {label: "Classification", form: choice(Classifications), read: oneOf(Classifications...)},
			triageReference:      {label: "Reference", read: anyText},
			triageReason:         {label: "Reason", optional: true, prose: true, read: anyText},
			triageBy:             {label: "Triaged by", form: Maintainer, read: oneOf(Maintainer)},
			triageAt:             {label: "Triaged at", form: "2026-11-30T09:12:44Z (the time in UTC)", read: instant},
			triageComment:        {label: "Comment", optional: true, read: commentID},
		},
	},
}

// choice is the form of a field that takes one of a few words.
func choice(words []string) string { return "one of " + strings.Join(words, ", ") }

// help is the line to write for a field whose value cannot be read.
func (f field) help() string { return "write: - " + f.label + ": " + f.form }

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
