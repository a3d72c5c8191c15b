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
		Meaning: "a required field of an attempt is absent",
		Help:    "add the line to the attempt",
	},
	{
		Code: CodeAttemptFieldInvalid, Severity: Error, Owner: Engineer, Varies: true, Rule: "A3",
		Meaning: "a field of an attempt has a value that is not allowed",
		Help:    "write one of the allowed values",
	},
	{
		Code: CodeAttemptFieldRepeated, Severity: Error, Owner: Engineer, Varies: true, Rule: "A3",
		Meaning: "a field of an attempt is given twice",
		Help:    "keep one line of each field",
	},
	{
		Code: CodeAttemptNumberRepeated, Severity: Error, Owner: Engineer, Varies: true, Rule: "A3",
		Meaning: "two attempts have one number",
		Help:    "give each attempt the next number",
	},
	{
		Code: CodeAttemptNumberOrder, Severity: Error, Owner: Engineer, Varies: true, Rule: "A3",
		Meaning: "attempt numbers go down",
		Help:    "number the attempts upwards",
	},
	{
		Code: CodeAttemptClassificationMissing, Severity: Error, Owner: Engineer, Varies: true, Rule: "A3",
		Meaning: "a timed-out attempt has no candidate classification",
		Help:    "add a line to the attempt: Candidate classification: one_off",
	},
	{
		Code: CodeAttemptSubsectionUnknown, Severity: Error, Owner: Engineer, Varies: true, Rule: "A3",
		Meaning: "a level-4 heading in the carrier is no attempt, prediction or triage",
		Help:    "use level-4 headings only for attempts, predictions and triage",
	},
	{
		Code: CodeAttemptTimeOrder, Severity: Warning, Owner: Engineer, Varies: true, Rule: "A3",
		Meaning: "recorded times go back",
		Help:    "check the recorded times",
	},
	{
		Code: CodePredictionFieldMissing, Severity: Error, Owner: Engineer, Varies: true, Rule: "A4",
		Meaning: "a required field of a prediction is absent",
		Help:    "add the line to the prediction",
	},
	{
		Code: CodePredictionFieldInvalid, Severity: Error, Owner: Engineer, Varies: true, Rule: "A4",
		Meaning: "a field of a prediction has a value that is not allowed",
		Help:    "write one of the allowed values",
	},
	{
		Code: CodePredictionTargetMissing, Severity: Error, Owner: Engineer, Varies: true, Rule: "A4",
		Meaning: "the prediction is based on no attempt, or is for neither an existing nor the next attempt",
		Help:    "name an attempt that exists and, as target, that attempt's successor",
	},
	{
		Code: CodeRetryPredictionMissing, Severity: Error, Owner: Engineer, Varies: true, Rule: "A5",
		Meaning: "a foreground retry after a foreground timeout has no prediction",
		Help:    "before a longer foreground run, write a prediction: #### Foreground escalation prediction for attempt 2",
	},
	{
		Code: CodeRetryPredictionMisplaced, Severity: Error, Owner: Engineer, Varies: true, Rule: "A5",
		Meaning: "its prediction is not between the two attempts",
		Help:    "write the prediction after the timed-out attempt and before the retry",
	},
	{
		Code: CodeRetryTimeoutNotLarger, Severity: Error, Owner: Engineer, Varies: true, Rule: "A5",
		Meaning: "its timeout is not larger",
		Help:    "give the retry a larger timeout, or another strategy",
	},
	{
		Code: CodeRetryTimeoutDiffers, Severity: Error, Owner: Engineer, Varies: true, Rule: "A5",
		Meaning: "its timeout is not the predicted choice",
		Help:    "use the timeout that the prediction chose",
	},
	{
		Code: CodeRetrySecondEscalation, Severity: Error, Owner: Engineer, Varies: true, Rule: "A5",
		Meaning: "a second foreground escalation",
		Help:    "use another strategy: background, focused, split or ci",
	},
	{
		Code: CodeRetryUnchanged, Severity: Error, Owner: Engineer, Varies: true, Rule: "A5",
		Meaning: "a timed-out run was repeated with the same strategy and timeout (warning after a failed or blocked one)",
		Help:    "change the strategy or the timeout before running again",
	},
}
