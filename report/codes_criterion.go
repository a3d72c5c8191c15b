package report

// About acceptance criteria (design section 10).
const (
	CodeCriterionUnsatisfied   Code = "criterion.unsatisfied"
	CodeCriterionInvalid       Code = "criterion.invalid"
	CodeCriterionMissing       Code = "criterion.missing"
	CodeCriterionRedMissing    Code = "criterion.red_missing"
	CodeCriterionRuleUncovered Code = "criterion.rule_uncovered"
)

var criterionDefinitions = []Definition{
	{
		Code: CodeCriterionUnsatisfied, Severity: Error, Owner: Engineer, Rule: "section 10",
		Meaning: "an acceptance criterion has no evidence, or its check failed",
		Help:    "add an entry: - Criterion: [AC-1], with a line Evidence: check:RC-1",
	},
	{
		Code: CodeCriterionInvalid, Severity: Error, Owner: Maintainer, Rule: "section 10",
		Meaning: "an acceptance criterion is malformed or doubled",
		Help:    "write: - [AC-1] (kind: unit) what must hold",
	},
	{
		Code: CodeCriterionMissing, Severity: Error, Owner: Maintainer, Rule: "section 10",
		Meaning: "the policy requires criteria and the task has none",
		Help:    "add to the task: ## Acceptance Criteria",
	},
	{
		Code: CodeCriterionRedMissing, Severity: Error, Owner: Engineer, Rule: "section 10",
		Meaning: "a regression criterion has no failed run before its pass",
		Help:    "Evidence: test:`its name`; before the change 1 failed, after it 0 failed",
	},
	{
		Code: CodeCriterionRuleUncovered, Severity: Note, Owner: Maintainer, Rule: "section 10",
		Meaning: "a business rule that no criterion covers",
		Help:    "add a criterion that names the rule: (from: docs/rules.md#br-3)",
	},
}
