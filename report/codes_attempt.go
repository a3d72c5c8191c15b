package report

// About attempts, predictions and retries (design section 6, A3 to A5).
const (
	CodeAttemptFieldMissing          Code = "attempt.field_missing"
	CodeAttemptFieldInvalid          Code = "attempt.field_invalid"
	CodeAttemptFieldRepeated         Code = "attempt.field_repeated"
	CodeAttemptNumberRepeated        Code = "attempt.number_repeated"
	CodeAttemptNumberOrder           Code = "attempt.number_order"
	CodeAttemptClassificationMissing Code = "attempt.classification_missing"
	CodeAttemptSubsectionUnknown     Code = "attempt.subsection_unknown"
	CodeAttemptTimeOrder             Code = "attempt.time_order"
	CodePredictionFieldMissing       Code = "prediction.field_missing"
	CodePredictionFieldInvalid       Code = "prediction.field_invalid"
	CodePredictionTargetMissing      Code = "prediction.target_missing"
	CodeRetryPredictionMissing       Code = "retry.prediction_missing"
	CodeRetryPredictionMisplaced     Code = "retry.prediction_misplaced"
	CodeRetryTimeoutNotLarger        Code = "retry.timeout_not_larger"
	CodeRetryTimeoutDiffers          Code = "retry.timeout_differs"
	CodeRetrySecondEscalation        Code = "retry.second_escalation"
	CodeRetryUnchanged               Code = "retry.unchanged"
)

var attemptDefinitions = []Definition{
	{
		Code: CodeAttemptFieldMissing, Severity: Error, Owner: Engineer, Varies: true, Rule: "A3",
		Meaning: "a required field of an attempt is absent" + whenTriaged,
		Help:    "add the line to the attempt, such as - Outcome: failed; github-preflight attempt add writes all of them",
	},
	{
		Code: CodeAttemptFieldInvalid, Severity: Error, Owner: Engineer, Varies: true, Rule: "A3",
		Meaning: "a field of an attempt has a value that is not allowed" + whenTriaged,
		Help:    "write one of the allowed values",
	},
	{
		Code: CodeAttemptFieldRepeated, Severity: Error, Owner: Engineer, Varies: true, Rule: "A3",
		Meaning: "a field of an attempt is given twice" + whenTriaged,
		Help:    "keep one line of each field",
	},
	{
		Code: CodeAttemptNumberRepeated, Severity: Error, Owner: Engineer, Varies: true, Rule: "A3",
		Meaning: "two attempts have one number" + whenTriaged,
		Help:    "give each attempt the next number: #### Attempt 2",
	},
	{
		Code: CodeAttemptNumberOrder, Severity: Error, Owner: Engineer, Varies: true, Rule: "A3",
		Meaning: "attempt numbers go down" + whenTriaged,
		Help:    "append attempts below the others, each with the next number: #### Attempt 2",
	},
	{
		Code: CodeAttemptClassificationMissing, Severity: Error, Owner: Engineer, Varies: true, Rule: "A3",
		Meaning: "a timed-out attempt has no candidate classification" + whenTriaged,
		Help:    "add a line to the attempt: - Candidate classification: one_off (or project_fact, decision, follow_up, blocker)",
	},
	{
		Code: CodeAttemptSubsectionUnknown, Severity: Error, Owner: Engineer, Varies: true, Rule: "A3",
		Meaning: "a level-4 heading in the carrier is no attempt, prediction or triage",
		Help:    "write the heading as #### Attempt 1, or give other text another level of heading",
	},
	{
		Code: CodeAttemptTimeOrder, Severity: Warning, Owner: Engineer, Varies: true, Rule: "A3",
		Meaning: "recorded times go back",
		Help:    "check the lines Recorded at; they are in UTC, such as 2026-11-30T09:12:44Z",
	},
	{
		Code: CodePredictionFieldMissing, Severity: Error, Owner: Engineer, Varies: true, Rule: "A4",
		Meaning: "a required field of a prediction is absent" + whenTriaged,
		Help:    "add the line to the prediction, such as - Chosen timeout ms: 420000; github-preflight attempt predict writes all of them",
	},
	{
		Code: CodePredictionFieldInvalid, Severity: Error, Owner: Engineer, Varies: true, Rule: "A4",
		Meaning: "a field of a prediction has a value that is not allowed" + whenTriaged,
		Help:    "write one of the allowed values",
	},
	{
		Code: CodePredictionTargetMissing, Severity: Error, Owner: Engineer, Varies: true, Rule: "A4",
		Meaning: "the prediction is based on no attempt, or is for neither an existing nor the next attempt" + whenTriaged,
		Help:    "name an attempt that exists, and predict the next one: #### Foreground escalation prediction for attempt 2, - Based on attempt: 1",
	},
	{
		Code: CodeRetryPredictionMissing, Severity: Error, Owner: Engineer, Varies: true, Rule: "A5",
		Meaning: "a foreground retry after a foreground timeout has no prediction" + whenLeft,
		Help:    "take another strategy; before a longer foreground run write a prediction: github-preflight attempt predict RC-1",
	},
	{
		Code: CodeRetryPredictionMisplaced, Severity: Error, Owner: Engineer, Varies: true, Rule: "A5",
		Meaning: "its prediction is not between the two attempts" + whenLeft,
		Help:    "a prediction is written before the run: run in another strategy and append that attempt, or let a maintainer triage this one",
	},
	{
		Code: CodeRetryTimeoutNotLarger, Severity: Error, Owner: Engineer, Varies: true, Rule: "A5",
		Meaning: "its timeout is not larger" + whenLeft,
		Help:    "append a run with another strategy or with the timeout that the prediction chose, or let a maintainer triage this one",
	},
	{
		Code: CodeRetryTimeoutDiffers, Severity: Error, Owner: Engineer, Varies: true, Rule: "A5",
		Meaning: "its timeout is not the predicted choice" + whenLeft,
		Help:    "run with the timeout that the prediction chose and append that attempt, or let a maintainer triage this one",
	},
	{
		Code: CodeRetrySecondEscalation, Severity: Error, Owner: Engineer, Varies: true, Rule: "A5",
		Meaning: "a second foreground escalation" + whenLeft,
		Help:    "take another strategy and append that attempt: background, focused, split or ci",
	},
	{
		Code: CodeRetryUnchanged, Severity: Error, Owner: Engineer, Varies: true, Rule: "A5",
		Meaning: "a timed-out run was repeated with the same strategy and timeout (warning after a failed or blocked one, and once a maintainer has triaged the attempt or a later one is allowed)",
		Help:    "change the strategy, or the commit, before running again, and append that attempt",
	},
}
