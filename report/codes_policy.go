package report

// About the verification profile, the policy and empty changes (design sections 7, 9 and 10).
const (
	CodeProfileEmptyState       Code = "profile.empty_state"
	CodeProfileIdInvalid        Code = "profile.id_invalid"
	CodeProfileIdDuplicate      Code = "profile.id_duplicate"
	CodeProfileCommandDuplicate Code = "profile.command_duplicate"
	CodeProfileFieldMissing     Code = "profile.field_missing"
	CodeProfileFieldInvalid     Code = "profile.field_invalid"
	CodeProfileFieldRepeated    Code = "profile.field_repeated"
	CodeProfileSourceNotDurable Code = "profile.source_not_durable"
	CodeProfileDecisionMissing  Code = "profile.decision_missing"
	CodeProfileRoutineFact      Code = "profile.routine_fact"
	CodePolicyInvalid           Code = "policy.invalid"
	CodeChangeEmpty             Code = "change.empty"
)

var policyDefinitions = []Definition{
	{
		Code: CodeProfileEmptyState, Severity: Warning, Owner: Maintainer, Varies: true, Rule: "section 7",
		Meaning: "no facts, and not the exact empty sentence" + whenChanged,
		Help:    "write exactly: No project-wide verification operating facts are currently recorded.",
	},
	{
		Code: CodeProfileIdInvalid, Severity: Warning, Owner: Maintainer, Varies: true, Rule: "section 7",
		Meaning: "a fact's heading is no VF- id" + whenChanged,
		Help:    "begin the heading with VF-, such as ### VF-full-suite",
	},
	{
		Code: CodeProfileIdDuplicate, Severity: Warning, Owner: Maintainer, Varies: true, Rule: "section 7",
		Meaning: "one VF- id twice" + whenChanged,
		Help:    "give each fact a name of its own: ### VF-<name>",
	},
	{
		Code: CodeProfileCommandDuplicate, Severity: Warning, Owner: Maintainer, Varies: true, Rule: "section 7",
		Meaning: "one command has two facts" + whenChanged,
		Help:    "keep one fact of the command and delete the other",
	},
	{
		Code: CodeProfileFieldMissing, Severity: Warning, Owner: Maintainer, Varies: true, Rule: "section 7",
		Meaning: "a field of a fact is absent" + whenChanged,
		Help:    "add the line to the fact, such as - Strategy: background; github-preflight profile record writes all of them",
	},
	{
		Code: CodeProfileFieldInvalid, Severity: Warning, Owner: Maintainer, Varies: true, Rule: "section 7",
		Meaning: "a field of a fact has a value that is not allowed" + whenChanged,
		Help:    "write one of the allowed values",
	},
	{
		Code: CodeProfileFieldRepeated, Severity: Warning, Owner: Maintainer, Varies: true, Rule: "section 7",
		Meaning: "a field of a fact is given twice" + whenChanged,
		Help:    "keep one line of each field",
	},
	{
		Code: CodeProfileSourceNotDurable, Severity: Warning, Owner: Maintainer, Varies: true, Rule: "section 7",
		Meaning: "a fact's source is no durable reference" + whenChanged,
		Help:    "name what stays: a task, issue:#42, pr:42, commit:<sha>, a URL or the path of a Markdown file",
	},
	{
		Code: CodeProfileDecisionMissing, Severity: Warning, Owner: Maintainer, Varies: true, Rule: "section 7",
		Meaning: "a fact's decision does not exist at the base" + whenChanged,
		Help:    "name a decision that exists on the base branch, or write: - Decision: none",
	},
	{
		Code: CodeProfileRoutineFact, Severity: Warning, Owner: Maintainer, Varies: true, Rule: "section 7",
		Meaning: "a routine pass is recorded as a fact" + whenChanged,
		Help:    "delete the fact; a command that just passes needs none",
	},
	{
		Code: CodePolicyInvalid, Severity: Error, Owner: Maintainer, Rule: "section 9",
		Meaning: ".github/evidence.yml cannot be read as a policy",
		Help:    "correct .github/evidence.yml on the base branch; github-preflight policy validate names every fault of it",
	},
	{
		Code: CodeChangeEmpty, Severity: Error, Owner: Maintainer, Varies: true, Rule: "section 10",
		Meaning: "the pull request changes no file (note with a line `No code reason: …`)",
		Help:    "push the change, or say why there is none in the Evidence section: No code reason: …",
	},
}
