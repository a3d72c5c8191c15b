package report

// About the head marker and Implementation head (design section 3, E6).
const (
	CodeHeadMissing          Code = "head.missing"
	CodeHeadOutsideSection   Code = "head.outside_section"
	CodeHeadAmbiguous        Code = "head.ambiguous"
	CodeHeadAbbreviated      Code = "head.abbreviated"
	CodeHeadNotCanonical     Code = "head.not_canonical"
	CodeHeadFabricated       Code = "head.fabricated"
	CodeHeadStale            Code = "head.stale"
	CodeArtifactMissing      Code = "artifact.missing"
	CodeArtifactAbbreviated  Code = "artifact.abbreviated"
	CodeArtifactNotCanonical Code = "artifact.not_canonical"
	CodeArtifactFabricated   Code = "artifact.fabricated"
	CodeArtifactStale        Code = "artifact.stale"
)

var headDefinitions = []Definition{
	{
		Code: CodeHeadMissing, Severity: Error, Owner: Engineer, Rule: "E6",
		Meaning: "no head marker anywhere",
		Message: "the Evidence section does not say which commit the evidence is for",
		Help:    "add a line to the section: Current PR head: <the pull request's headRefOid>",
	},
	{
		Code: CodeHeadOutsideSection, Severity: Error, Owner: Engineer, Rule: "E6",
		Meaning: "the head marker stands only outside the section (instead of head.missing)",
		Message: "the head marker stands only outside the Evidence section",
		Help:    "move the line \"Current PR head: …\" below the heading \"## Evidence\"",
	},
	{
		Code: CodeHeadAmbiguous, Severity: Error, Owner: Engineer, Rule: "E6",
		Meaning: "two head markers with different values",
		Message: "two head markers name different commits",
		Help:    "keep one line \"Current PR head: …\", the one that names the pull request's head",
	},
	{
		Code: CodeHeadAbbreviated, Severity: Error, Owner: Engineer, Rule: "E6",
		Meaning: "the head is shortened",
		Message: "the head is shortened",
		Help:    "write all digits of the commit, as git rev-parse HEAD prints them",
	},
	{
		Code: CodeHeadNotCanonical, Severity: Error, Owner: Engineer, Rule: "E6",
		Meaning: "the head is not 40 or 64 lower-case hex digits",
		Message: "the head is not 40 or 64 lower-case hexadecimal digits",
		Help:    "write the commit as git rev-parse HEAD prints it: all digits, lower case",
	},
	{
		Code: CodeHeadFabricated, Severity: Error, Owner: Engineer, Rule: "E6",
		Meaning: "the head shares seven or more leading digits with the real one but differs",
		Message: "the head starts like the pull request's head but is another value",
		Help:    "copy headRefOid, do not retype or complete it: gh pr view --json headRefOid",
	},
	{
		Code: CodeHeadStale, Severity: Error, Owner: Engineer, Rule: "E6",
		Meaning: "the head is another commit",
		Message: "the head is another commit than the pull request's",
		Help:    "run the checks again on the current head, then name it: Current PR head: <the pull request's headRefOid>",
	},
	{
		Code: CodeArtifactMissing, Severity: Error, Owner: Engineer, Rule: "section 5.6",
		Meaning: "Implementation head is absent where its kind requires it",
		Message: "the entry's kind requires an Implementation head and there is none",
		Help:    "add a line to the entry: Implementation head: <the pull request's headRefOid>",
	},
	{
		Code: CodeArtifactAbbreviated, Severity: Error, Owner: Engineer, Rule: "E6",
		Meaning: "Implementation head is shortened",
		Message: "the Implementation head is shortened",
		Help:    "write all digits of the commit, as git rev-parse HEAD prints them",
	},
	{
		Code: CodeArtifactNotCanonical, Severity: Error, Owner: Engineer, Rule: "E6",
		Meaning: "Implementation head is not 40 or 64 lower-case hex digits",
		Message: "the Implementation head is not 40 or 64 lower-case hexadecimal digits",
		Help:    "write the commit as git rev-parse HEAD prints it: all digits, lower case",
	},
	{
		Code: CodeArtifactFabricated, Severity: Error, Owner: Engineer, Rule: "E6",
		Meaning: "Implementation head starts like the head but differs",
		Message: "the Implementation head starts like the pull request's head but is another value",
		Help:    "copy headRefOid, do not retype or complete it: gh pr view --json headRefOid",
	},
	{
		Code: CodeArtifactStale, Severity: Error, Owner: Engineer, Rule: "E6",
		Meaning: "Implementation head is another commit",
		Message: "the Implementation head is another commit than the pull request's",
		Help:    "check again on the current head, then name it: Implementation head: <the pull request's headRefOid>",
	},
}
