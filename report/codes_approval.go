package report

// About approvals (design section 10).
const (
	CodeApprovalMissing          Code = "approval.missing"
	CodeApprovalPersonMissing    Code = "approval.person_missing"
	CodeApprovalStale            Code = "approval.stale"
	CodeApprovalNotIndependent   Code = "approval.not_independent"
	CodeApprovalSameConnector    Code = "approval.same_connector"
	CodeApprovalSameProvider     Code = "approval.same_provider"
	CodeApprovalOwnWork          Code = "approval.own_work"
	CodeApprovalEscalated        Code = "approval.escalated"
	CodeApprovalChangesRequested Code = "approval.changes_requested"
	CodeApprovalPersonRequested  Code = "approval.person_requested"
)

var approvalDefinitions = []Definition{
	{
		Code: CodeApprovalMissing, Severity: Error, Owner: Approver, Rule: "section 10",
		Meaning: "no independent approval of this head",
		Help:    "somebody who wrote none of this approves the current head: by a review, the Approve button or a comment /approve",
	},
	{
		Code: CodeApprovalPersonMissing, Severity: Error, Owner: Approver, Rule: "section 10",
		Meaning: "no approval by a person with maintainer role",
		Help:    "a maintainer approves the current head",
	},
	{
		Code: CodeApprovalStale, Severity: Error, Owner: Approver, Rule: "section 10",
		Meaning: "the only approval is of an older commit",
		Help:    "approve again, on the current head",
	},
	{
		Code: CodeApprovalNotIndependent, Severity: Error, Owner: Approver, Rule: "section 10",
		Meaning: "the approver wrote, edited or posted what he approves",
		Help:    "somebody else approves",
	},
	{
		Code: CodeApprovalSameConnector, Severity: Error, Owner: Approver, Rule: "section 10",
		Meaning: "reviewer and author have one connector, or one is unknown",
		Help:    "somebody with another connector approves",
	},
	{
		Code: CodeApprovalSameProvider, Severity: Error, Owner: Approver, Rule: "section 10",
		Meaning: "reviewer and author have one provider, or one is unknown",
		Help:    "somebody with another provider approves",
	},
	{
		Code: CodeApprovalOwnWork, Severity: Error, Owner: Approver, Rule: "section 10",
		Meaning: "a maintainer approved his own evidence while another maintainer is there",
		Help:    "the other maintainer approves",
	},
	{
		Code: CodeApprovalEscalated, Severity: Error, Owner: Approver, Rule: "section 10",
		Meaning: "too many rejections: only a person can approve now",
		Help:    "a maintainer decides",
	},
	{
		Code: CodeApprovalChangesRequested, Severity: Error, Owner: Engineer, Rule: "section 10",
		Meaning: "a reviewer asks for changes on this head",
		Help:    "answer the request and ask for another review",
	},
	{
		Code: CodeApprovalPersonRequested, Severity: Error, Owner: Approver, Rule: "section 10",
		Meaning: "a reviewer asked for a person",
		Help:    "a maintainer looks",
	},
}
