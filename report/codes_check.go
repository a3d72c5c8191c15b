package report

// About checks that nothing proves, status checks, URL checks and baseline results (design sections 5, 10, 12 and 13).
const (
	CodeCheckUnsatisfied      Code = "check.unsatisfied"
	CodeCheckPending          Code = "check.pending"
	CodeCheckPersonRequired   Code = "check.person_required"
	CodeCheckPatternUnmatched Code = "check.pattern_unmatched"
	CodeCheckArtifactMissing  Code = "check.artifact_missing"
	CodeStatusAmbiguous       Code = "status.ambiguous"
	CodeStatusWrongApp        Code = "status.wrong_app"
	CodeUrlUnchecked          Code = "url.unchecked"
	CodeUrlFailed             Code = "url.failed"
	CodeBaselineReuseRefused  Code = "baseline.reuse_refused"
)

var checkDefinitions = []Definition{
	{
		Code: CodeCheckUnsatisfied, Severity: Error, Owner: Engineer, Rule: "section 5.8",
		Meaning: "the check has no acceptable proof",
		Message: "nothing proves this check",
		Help:    "add an entry for it to the Evidence section; github-preflight scaffold writes the form",
	},
	{
		Code: CodeCheckPending, Severity: Error, Owner: Machine, Rule: "section 5.8",
		Meaning: "only a running status, URL check or verifier is missing",
		Message: "the status check that proves this is still running",
		Help:    "nothing to write: the result is read when the status check ends",
	},
	{
		Code: CodeCheckPersonRequired, Severity: Error, Owner: Approver, Rule: "section 10",
		Meaning: "a check with `method: manual` waits for a person",
		Help:    "a maintainer looks and approves",
	},
	{
		Code: CodeCheckPatternUnmatched, Severity: Error, Owner: Engineer, Rule: "section 13",
		Meaning: "`method: log_match` and the excerpt does not match",
		Help:    "quote the line of the output that the check's pattern asks for",
	},
	{
		Code: CodeCheckArtifactMissing, Severity: Error, Owner: Engineer, Rule: "section 13",
		Meaning: "`method: artifact` without a link",
		Help:    "add a link to the stored result to the entry",
	},
	{
		Code: CodeStatusAmbiguous, Severity: Error, Owner: Engineer, Rule: "section 5.8",
		Meaning: "several producers report the status of that name",
		Message: "several producers report a status check of this name",
		Help:    "a maintainer can pin the one that counts in the task: (app: github-actions)",
	},
	{
		Code: CodeStatusWrongApp, Severity: Error, Owner: Engineer, Rule: "section 5.8",
		Meaning: "the status comes from another app than the pinned one",
		Message: "the status check comes from another app than the one the check names",
		Help:    "let the named app run the check, or record its result as an entry of the Evidence section",
	},
	{
		Code: CodeUrlUnchecked, Severity: Error, Owner: Approver, Rule: "section 13",
		Meaning: "the URL check could not be made; a person must look",
		Help:    "a person opens the address and approves",
	},
	{
		Code: CodeUrlFailed, Severity: Error, Owner: Engineer, Rule: "section 13",
		Meaning: "the URL answered with a status that is not expected",
		Help:    "make the address answer as expected, then ask again with /evaluate",
	},
	{
		Code: CodeBaselineReuseRefused, Severity: Error, Owner: Engineer, Rule: "section 12",
		Meaning: "a baseline result is used where one of its conditions does not hold",
		Help:    "run the baseline again on this base",
	},
}
