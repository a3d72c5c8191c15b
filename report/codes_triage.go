package report

// About triage and episodes (design section 6, A6 to A11).
const (
	CodeTriageFieldMissing     Code = "triage.field_missing"
	CodeTriageFieldInvalid     Code = "triage.field_invalid"
	CodeTriageTargetMissing    Code = "triage.target_missing"
	CodeTriageMisplaced        Code = "triage.misplaced"
	CodeTriageRepeated         Code = "triage.repeated"
	CodeTriageReferenceInvalid Code = "triage.reference_invalid"
	CodeTriageReferenceMissing Code = "triage.reference_missing"
	CodeTriageNotMaintainer    Code = "triage.not_maintainer"
	CodeTriageTextIgnored      Code = "triage.text_ignored"
	CodeEpisodeActive          Code = "episode.active"
	CodeEpisodePendingTriage   Code = "episode.pending_triage"
	CodeEpisodeBlocker         Code = "episode.blocker"
	CodeEpisodeUnrecorded      Code = "episode.unrecorded"
	CodeEpisodeSlower          Code = "episode.slower"
	CodeEpisodeExhausted       Code = "episode.exhausted"
)

var triageDefinitions = []Definition{
	{
		Code: CodeTriageFieldMissing, Severity: Warning, Owner: Maintainer, Rule: "A6",
		Meaning: "a required field of a triage is absent; it does not count",
		Help:    "add the line to the triage, or write it as a comment: /triage RC-1 attempt 1 one_off because …",
	},
	{
		Code: CodeTriageFieldInvalid, Severity: Warning, Owner: Maintainer, Rule: "A6",
		Meaning: "a field of a triage has a value that is not allowed; it does not count",
		Help:    "write one of the allowed values",
	},
	{
		Code: CodeTriageTargetMissing, Severity: Warning, Owner: Maintainer, Rule: "A6",
		Meaning: "the triage names no existing attempt",
		Help:    "name an attempt that is recorded: #### Triage for attempt 1",
	},
	{
		Code: CodeTriageMisplaced, Severity: Warning, Owner: Maintainer, Rule: "A6",
		Meaning: "the triage stands before its attempt",
		Help:    "write the triage below its attempt, or as a comment: /triage RC-1 attempt 1 one_off because …",
	},
	{
		Code: CodeTriageRepeated, Severity: Warning, Owner: Maintainer, Rule: "A6",
		Meaning: "a second triage of one attempt; the latest counts",
		Help:    "nothing to do if the latest is meant; else write the right one below it",
	},
	{
		Code: CodeTriageReferenceInvalid, Severity: Warning, Owner: Maintainer, Rule: "A6",
		Meaning: "the reference has not the form its classification needs; it does not count",
		Help:    "one_off and pending: none; project_fact: VF-…; decision: D-…; follow_up: issue:#12 or a task; blocker: one of these or blocker:<name>",
	},
	{
		Code: CodeTriageReferenceMissing, Severity: Warning, Owner: Maintainer, Rule: "A6",
		Meaning: "the reference does not exist at the base; it does not count",
		Help:    "name a fact, a decision or a task that exists on the base branch",
	},
	{
		Code: CodeTriageNotMaintainer, Severity: Warning, Owner: Maintainer, Rule: "A6",
		Meaning: "the triage was not written by a maintainer's hand; it does not count",
		Help:    "a maintainer writes the triage, for example as a comment: /triage RC-1 attempt 1 one_off because …",
	},
	{
		Code: CodeTriageTextIgnored, Severity: Warning, Owner: Maintainer, Rule: "A6",
		Meaning: "a triage comment holds more than triage subsections (A6)",
		Help:    "keep only the two headings and the triage in that comment; write the rest in another one",
	},
	{
		Code: CodeEpisodeActive, Severity: Error, Owner: Maintainer, Rule: "A9",
		Meaning: "the latest attempt did not pass and has no final triage (stage merge)",
		Help:    "a maintainer comments: /triage RC-1 attempt 1 one_off because …; or record a new attempt that passes",
	},
	{
		Code: CodeEpisodePendingTriage, Severity: Error, Owner: Maintainer, Rule: "A9",
		Meaning: "the latest attempt's triage is pending (stage merge)",
		Help:    "a maintainer finishes it: /triage RC-1 attempt 1 one_off because …; or record a new attempt that passes",
	},
	{
		Code: CodeEpisodeBlocker, Severity: Error, Owner: Maintainer, Rule: "A9",
		Meaning: "the latest attempt is triaged as a blocker (stage merge)",
		Help:    "solve the blocker and record a new attempt that passes: github-preflight attempt add RC-1",
	},
	{
		Code: CodeEpisodeUnrecorded, Severity: Note, Owner: Engineer, Rule: "A10",
		Meaning: "an earlier body said failed or blocked and no carrier tells of it",
		Help:    "record it if it was a run that did not pass: github-preflight attempt add RC-1",
	},
	{
		Code: CodeEpisodeSlower, Severity: Note, Owner: Engineer, Rule: "A10",
		Meaning: "the retry took over 1.5 times as long as before",
		Help:    "look whether the check has become slower",
	},
	{
		Code: CodeEpisodeExhausted, Severity: Error, Owner: Maintainer, Rule: "A11",
		Meaning: "max_attempts attempts did not pass and nobody triaged",
		Help:    "a maintainer comments on the latest attempt: /triage RC-1 attempt 3 one_off because …",
	},
}
