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
		Meaning: "no facts, and not the exact empty sentence (every profile.*: error for `profile validate` and for a PR that changes the file)",
		Help:    "write exactly: No project-wide verification operating facts are currently recorded",
	},
	{
		Code: CodeProfileIdInvalid, Severity: Warning, Owner: Maintainer, Varies: true, Rule: "section 7",
		Meaning: "a fact's heading is no VF- id",
		Help:    "begin the heading with: ### VF-",
	},
	{
		Code: CodeProfileIdDuplicate, Severity: Warning, Owner: Maintainer, Varies: true, Rule: "section 7",
		Meaning: "one VF- id twice",
		Help:    "give each fact a name of its own",
	},
	{
		Code: CodeProfileCommandDuplicate, Severity: Warning, Owner: Maintainer, Varies: true, Rule: "section 7",
		Meaning: "one command has two facts",
		Help:    "keep one fact per command",
	},
	{
		Code: CodeProfileFieldMissing, Severity: Warning, Owner: Maintainer, Varies: true, Rule: "section 7",
		Meaning: "a field of a fact is absent",
		Help:    "add the line to the fact",
	},
	{
		Code: CodeProfileFieldInvalid, Severity: Warning, Owner: Maintainer, Varies: true, Rule: "section 7",
		Meaning: "a field of a fact has a value that is not allowed",
		Help:    "write one of the allowed values",
	},
	{
		Code: CodeProfileFieldRepeated, Severity: Warning, Owner: Maintainer, Varies: true, Rule: "section 7",
		Meaning: "a field of a fact is given twice",
		Help:    "keep one line of each field",
	},
	{
		Code: CodeProfileSourceNotDurable, Severity: Warning, Owner: Maintainer, Varies: true, Rule: "section 7",
		Meaning: "a fact's source is no durable reference",
		Help:    "name a task, an issue, a pull request, a commit, a URL or a Markdown file",
	},
	{
		Code: CodeProfileDecisionMissing, Severity: Warning, Owner: Maintainer, Varies: true, Rule: "section 7",
		Meaning: "a fact's decision does not exist at the base",
		Help:    "name a decision that exists on the base branch",
	},
	{
		Code: CodeProfileRoutineFact, Severity: Warning, Owner: Maintainer, Varies: true, Rule: "section 7",
		Meaning: "a routine pass is recorded as a fact",
		Help:    "remove the fact: a routine pass needs none",
	},
	{
		Code: CodePolicyInvalid, Severity: Error, Owner: Maintainer, Rule: "section 9",
		Meaning: ".github/evidence.yml cannot be read as a policy",
		Help:    "correct .github/evidence.yml on the base branch",
	},
	{
		Code: CodeChangeEmpty, Severity: Error, Owner: Maintainer, Varies: true, Rule: "section 10",
		Meaning: "the pull request changes no file",
		Help:    "push the change, or add a line to the section: No code reason: …",
	},
}
