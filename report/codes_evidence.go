package report

// About what an entry proves (design sections 3 and 5).
const (
	CodeEvidenceMissing              Code = "evidence.missing"
	CodeEvidenceContradictsVerdict   Code = "evidence.contradicts_verdict"
	CodeEvidenceKindMissing          Code = "evidence.kind_missing"
	CodeEvidenceKindInvalid          Code = "evidence.kind_invalid"
	CodeEvidenceKindMismatch         Code = "evidence.kind_mismatch"
	CodeEvidenceSourceInvalid        Code = "evidence.source_invalid"
	CodeEvidenceSourceNotAllowed     Code = "evidence.source_not_allowed"
	CodeEvidenceCommandMissing       Code = "evidence.command_missing"
	CodeEvidenceCommandMismatch      Code = "evidence.command_mismatch"
	CodeEvidenceExceptionalWithoutId Code = "evidence.exceptional_without_id"
	CodeEvidenceCarrierMissing       Code = "evidence.carrier_missing"
	CodeEvidenceCarrierMismatch      Code = "evidence.carrier_mismatch"
	CodeEvidenceNotConcrete          Code = "evidence.not_concrete"
	CodeEvidenceNotRenewed           Code = "evidence.not_renewed"
	CodeEvidenceSourceUnverified     Code = "evidence.source_unverified"
	CodeEvidenceContradictsStatus    Code = "evidence.contradicts_status"
	CodeEvidenceContractStale        Code = "evidence.contract_stale"
	CodeEvidenceTopologyMismatch     Code = "evidence.topology_mismatch"
	CodeEvidenceUrlMissing           Code = "evidence.url_missing"
	CodeEvidenceUrlMismatch          Code = "evidence.url_mismatch"
	CodeEvidencePatternMismatch      Code = "evidence.pattern_mismatch"
)

var evidenceDefinitions = []Definition{
	{
		Code: CodeEvidenceMissing, Severity: Error, Owner: Engineer, Rule: "E4",
		Meaning: "evidence text is absent or a placeholder",
		Message: "the evidence text is absent or a placeholder",
		Help:    "say what ran and what came out, for example: Evidence: 128 passing, 0 failing (exit 0)",
	},
	{
		Code: CodeEvidenceContradictsVerdict, Severity: Error, Owner: Engineer, Varies: true, Rule: "E4",
		Meaning: "passed, but the text reports a failure (warning with policy contradictions: warn)",
		Message: "the verdict is passed, but the evidence text reports a failure",
		Help:    "fix the failure and run again; or, if a later run passed, say so in order: first run 3 failing, fixed, rerun 0 failing (exit 0)",
	},
	{
		Code: CodeEvidenceKindMissing, Severity: Error, Owner: Engineer, Rule: "section 5.2",
		Meaning: "the declared kind is not recorded in the entry",
		Message: "the check declares a kind and the entry records none",
		Help:    "add a line to the entry: Kind: manual",
	},
	{
		Code: CodeEvidenceKindInvalid, Severity: Error, Owner: Engineer, Rule: "section 5.2",
		Meaning: "unknown kind in the entry",
		Message: "the entry's kind is none of: command, manual, contract_proof",
		Help:    "write the kind that the check declares, for example: Kind: manual",
	},
	{
		Code: CodeEvidenceKindMismatch, Severity: Error, Owner: Engineer, Rule: "section 5.2",
		Meaning: "the entry's kind is not the check's",
		Message: "the entry's kind is not the check's",
		Help:    "prove the check in the way that it declares; a command never proves a manual check",
	},
	{
		Code: CodeEvidenceSourceInvalid, Severity: Error, Owner: Engineer, Rule: "section 5.3",
		Meaning: "unknown source in the entry",
		Message: "the entry's source is none of: pr_body, status_check, manual_observation, automated_observation",
		Help:    "write a source that the check lists, for example: Source: manual_observation",
	},
	{
		Code: CodeEvidenceSourceNotAllowed, Severity: Error, Owner: Engineer, Rule: "section 5.3",
		Meaning: "the check does not list the entry's source",
		Message: "the check does not list the entry's source",
		Help:    "prove the check by a source that it lists",
	},
	{
		Code: CodeEvidenceCommandMissing, Severity: Error, Owner: Engineer, Rule: "section 5.4",
		Meaning: "the entry carries no command",
		Message: "the entry carries no command",
		Help:    "write the check's command as a code span: - Required check: [RC-1] `npm test`",
	},
	{
		Code: CodeEvidenceCommandMismatch, Severity: Error, Owner: Engineer, Rule: "section 5.4",
		Meaning: "the entry carries another command",
		Message: "the entry carries another command than the check",
		Help:    "run the check's command exactly and write it as declared. Only the program's absolute folder, its version suffix and .exe may differ",
	},
	{
		Code: CodeEvidenceExceptionalWithoutId, Severity: Error, Owner: Engineer, Rule: "section 5",
		Meaning: "failed or blocked evidence for a check without a stable id",
		Message: "a failed or blocked result is recorded for a check without a stable id",
		Help:    "a maintainer can give the check an id in the task: - [RC-1] …",
	},
	{
		Code: CodeEvidenceCarrierMissing, Severity: Error, Owner: Engineer, Rule: "section 5",
		Meaning: "failed or blocked evidence without an attempt carrier",
		Message: "the verdict is failed or blocked and no attempt carrier tells of it",
		Help:    "record the attempt in a comment of the task: github-preflight attempt add RC-1 (docs/triage.md shows the comment)",
	},
	{
		Code: CodeEvidenceCarrierMismatch, Severity: Error, Owner: Engineer, Rule: "section 5",
		Meaning: "failed or blocked evidence, but the carrier's latest attempt passed",
		Message: "the verdict is failed or blocked, but the carrier's latest attempt passed",
		Help:    "write the verdict of the latest attempt, or record the newer one: github-preflight attempt add RC-1",
	},
	{
		Code: CodeEvidenceNotConcrete, Severity: Error, Owner: Engineer, Rule: "E4",
		Meaning: "the text is only cheers, hedges or verdict words",
		Message: "the evidence text says nothing that was seen",
		Help:    "say what ran and what came out, for example: Evidence: 128 passing, 0 failing (exit 0)",
	},
	{
		Code: CodeEvidenceNotRenewed, Severity: Warning, Owner: Engineer, Varies: true, Rule: "E4",
		Meaning: "the text is unchanged since a body that named another head (error with policy unrenewed: fail)",
		Message: "the evidence text is unchanged since a body that named another head",
		Help:    "run the check on this head and write down what came out",
	},
	{
		Code: CodeEvidenceSourceUnverified, Severity: Error, Owner: Engineer, Rule: "section 5.8",
		Meaning: "the entry says status_check but no such status stands on the head",
		Message: "the entry's source is status_check but no such status stands on the head",
		Help:    "wait for the status check to finish on this head, or run the check and write: Source: pr_body",
	},
	{
		Code: CodeEvidenceContradictsStatus, Severity: Error, Owner: Engineer, Rule: "section 5.8",
		Meaning: "passed, but the status of the same name failed on the head",
		Message: "the verdict is passed, but the status check of the same name failed on the head",
		Help:    "look at the failed run, fix its cause and run it again",
	},
	{
		Code: CodeEvidenceContractStale, Severity: Error, Owner: Engineer, Rule: "section 12",
		Meaning: "the result was recorded for another contract",
		Help:    "run the check again for the task as it reads now",
	},
	{
		Code: CodeEvidenceTopologyMismatch, Severity: Error, Owner: Engineer, Rule: "section 12",
		Meaning: "the proof ran on another tree than the check demands",
		Help:    "run the check on the tree that it demands",
	},
	{
		Code: CodeEvidenceUrlMissing, Severity: Error, Owner: Engineer, Rule: "section 13",
		Meaning: "a URL check's entry names no URL",
		Help:    "add a line with the contract's address to the entry: URL: https://…",
	},
	{
		Code: CodeEvidenceUrlMismatch, Severity: Error, Owner: Engineer, Rule: "section 13",
		Meaning: "the entry names another URL than the contract",
		Help:    "copy the address from the task's Required Checks",
	},
	{
		Code: CodeEvidencePatternMismatch, Severity: Error, Owner: Engineer, Rule: "section 13",
		Meaning: "the entry names another pattern than the contract",
		Help:    "leave Pattern out of the entry, or copy it from the task's Required Checks",
	},
}
