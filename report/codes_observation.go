package report

// About observation records (design section 5, rule 5).
const (
	CodeObservationMissing              Code = "observation.missing"
	CodeObservationDuplicate            Code = "observation.duplicate"
	CodeObservationLevelMissing         Code = "observation.level_missing"
	CodeObservationLevelInvalid         Code = "observation.level_invalid"
	CodeObservationLevelMismatch        Code = "observation.level_mismatch"
	CodeObservationResultMissing        Code = "observation.result_missing"
	CodeObservationResultGeneric        Code = "observation.result_generic"
	CodeObservationArtifactMissing      Code = "observation.artifact_missing"
	CodeObservationArtifactAbbreviated  Code = "observation.artifact_abbreviated"
	CodeObservationArtifactNotCanonical Code = "observation.artifact_not_canonical"
	CodeObservationArtifactFabricated   Code = "observation.artifact_fabricated"
	CodeObservationArtifactStale        Code = "observation.artifact_stale"
	CodeObservationSourceMissing        Code = "observation.source_missing"
	CodeObservationSourceMismatch       Code = "observation.source_mismatch"
)

var observationDefinitions = []Definition{
	{
		Code: CodeObservationMissing, Severity: Error, Owner: Engineer, Rule: "section 5.5",
		Meaning: "a declared observation has no record",
		Message: "a declared observation has no record",
		Help:    "add a record to the entry: lines Observation, Level, Result, Artifact and Source",
	},
	{
		Code: CodeObservationDuplicate, Severity: Error, Owner: Engineer, Rule: "section 5.5",
		Meaning: "a declared observation has two records",
		Message: "a declared observation has two records",
		Help:    "keep one record of each observation",
	},
	{
		Code: CodeObservationLevelMissing, Severity: Error, Owner: Engineer, Rule: "section 5.5",
		Meaning: "the record has no level",
		Message: "the observation record has no level",
		Help:    "add a line to the record: Level: running_path",
	},
	{
		Code: CodeObservationLevelInvalid, Severity: Error, Owner: Engineer, Rule: "section 5.5",
		Meaning: "unknown level in the record",
		Message: "the record's level is none of: running_path, unit, parser, helper, mock",
		Help:    "write the level that the check declares: Level: running_path",
	},
	{
		Code: CodeObservationLevelMismatch, Severity: Error, Owner: Engineer, Rule: "section 5.5",
		Meaning: "the record's level is not the declared one",
		Message: "the record's level is not the declared one",
		Help:    "observe at the declared level; a unit test does not stand for the running program",
	},
	{
		Code: CodeObservationResultMissing, Severity: Error, Owner: Engineer, Rule: "section 5.5",
		Meaning: "the record has no result",
		Message: "the observation record has no result",
		Help:    "add a line that says what was seen: Result: …",
	},
	{
		Code: CodeObservationResultGeneric, Severity: Error, Owner: Engineer, Rule: "section 5.5",
		Meaning: "the result says nothing about what was seen",
		Message: "the result says nothing about what was seen",
		Help:    "say what was done and what was seen, for example: Result: chose Dark, reloaded, the page stayed dark",
	},
	{
		Code: CodeObservationArtifactMissing, Severity: Error, Owner: Engineer, Rule: "section 5.5",
		Meaning: "the record has no artifact",
		Message: "the observation record does not say which commit was observed",
		Help:    "add a line to the record: Artifact: <the pull request's headRefOid>",
	},
	{
		Code: CodeObservationArtifactAbbreviated, Severity: Error, Owner: Engineer, Rule: "section 5.5",
		Meaning: "the record's artifact is shortened",
		Message: "the record's artifact is shortened",
		Help:    "write all digits of the commit, as git rev-parse HEAD prints them",
	},
	{
		Code: CodeObservationArtifactNotCanonical, Severity: Error, Owner: Engineer, Rule: "section 5.5",
		Meaning: "the record's artifact is not 40 or 64 lower-case hex digits",
		Message: "the record's artifact is not 40 or 64 lower-case hexadecimal digits",
		Help:    "write the commit as git rev-parse HEAD prints it: all digits, lower case",
	},
	{
		Code: CodeObservationArtifactFabricated, Severity: Error, Owner: Engineer, Rule: "section 5.5",
		Meaning: "the record's artifact starts like the head but differs",
		Message: "the record's artifact starts like the pull request's head but is another value",
		Help:    "copy headRefOid, do not retype or complete it: gh pr view --json headRefOid",
	},
	{
		Code: CodeObservationArtifactStale, Severity: Error, Owner: Engineer, Rule: "section 5.5",
		Meaning: "the record's artifact is another commit",
		Message: "the record's artifact is another commit than the pull request's head",
		Help:    "observe again on the current head, then name it: Artifact: <the pull request's headRefOid>",
	},
	{
		Code: CodeObservationSourceMissing, Severity: Error, Owner: Engineer, Rule: "section 5.5",
		Meaning: "the record has no source",
		Message: "the observation record has no source",
		Help:    "repeat the entry's source in the record: Source: manual_observation",
	},
	{
		Code: CodeObservationSourceMismatch, Severity: Error, Owner: Engineer, Rule: "section 5.5",
		Meaning: "the record's source is not the entry's source",
		Message: "the record's source is not the entry's source",
		Help:    "write one source in both places",
	},
}
