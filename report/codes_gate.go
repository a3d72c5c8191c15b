package report

// About the gate itself (design sections 1, 8 and 9).
const (
	CodeSnapshotFactUnavailable Code = "snapshot.fact_unavailable"
	CodeGateUnavailable         Code = "gate.unavailable"
	CodeOverrideActive          Code = "override.active"
)

var gateDefinitions = []Definition{
	{
		Code: CodeSnapshotFactUnavailable, Severity: Error, Owner: Operator, Rule: "section 11",
		Meaning: "a fact that a judge needs could not be read",
		Message: "a fact that is needed for the judgement could not be read",
		Help:    "nothing to write: the app tries again by itself, a command or job is run again. If it stays, look at what the app or the token may read, and at GitHub's status",
	},
	{
		Code: CodeGateUnavailable, Severity: Error, Owner: Operator, Rule: "section 8",
		Meaning: "the gate could not judge; it retries",
		Message: "the gate could not judge this pull request",
		Help:    "nothing to write: the app tries again by itself, a command or job is run again. If it stays, the message says what stands in the way",
	},
	{
		Code: CodeOverrideActive, Severity: Note, Owner: Approver, Rule: "section 9",
		Meaning: "an admin passed the gate for this head; every error is shown as a note",
		Help:    "nothing to do; the override stays visible",
	},
}
