package report

// About attempt carriers (design section 6, A1 to A3, A7).
const (
	CodeCarrierMarkerRepeated Code = "carrier.marker_repeated"
	CodeCarrierSectionMissing Code = "carrier.section_missing"
	CodeCarrierEmpty          Code = "carrier.empty"
	CodeCarrierCheckMismatch  Code = "carrier.check_mismatch"
	CodeCarrierDuplicate      Code = "carrier.duplicate"
	CodeCarrierRewritten      Code = "carrier.rewritten"
	CodeCarrierUnknownCheck   Code = "carrier.unknown_check"
	CodeCarrierTrailerMissing Code = "carrier.trailer_missing"
	CodeCarrierUntrusted      Code = "carrier.untrusted"
	CodeCarrierHistoryErased  Code = "carrier.history_erased"
	CodeCarrierRoutine        Code = "carrier.routine"
)

var carrierDefinitions = []Definition{
	{
		Code: CodeCarrierMarkerRepeated, Severity: Error, Owner: Engineer, Rule: "A1",
		Meaning: "a comment has two live markers",
		Help:    "keep one marker; record the other check in a comment of its own: github-preflight attempt add RC-2",
	},
	{
		Code: CodeCarrierSectionMissing, Severity: Error, Owner: Engineer, Rule: "A1",
		Meaning: "the carrier has no (or a second) Verification Attempts section",
		Help:    "write the heading once, below the marker: ## Verification Attempts",
	},
	{
		Code: CodeCarrierEmpty, Severity: Error, Owner: Engineer, Rule: "A1",
		Meaning: "the carrier has no attempt",
		Help:    "add the first attempt below the heading of the check: #### Attempt 1 (github-preflight attempt add writes it)",
	},
	{
		Code: CodeCarrierCheckMismatch, Severity: Error, Owner: Engineer, Rule: "A1",
		Meaning: "the heading under the section is not exactly the marker's check",
		Help:    "write the marker's id in the heading: ### RC-1",
	},
	{
		Code: CodeCarrierDuplicate, Severity: Error, Owner: Engineer, Rule: "A1",
		Meaning: "a second carrier for one check",
		Help:    "move the attempts of the second comment to the end of the first, then delete the second",
	},
	{
		Code: CodeCarrierRewritten, Severity: Error, Owner: Engineer, Rule: "A7",
		Meaning: "recorded history was changed, removed or deleted and is not restored or accepted",
		Help:    "put the lost text back as it was and append what is new below it; what must not stay is accepted by a maintainer's comment: /accept-loss RC-1 because …",
	},
	{
		Code: CodeCarrierUnknownCheck, Severity: Warning, Owner: Engineer, Rule: "A1",
		Meaning: "the carrier's check is not in the contract (its episode still counts at merge)",
		Help:    "write the id of a check of the task in the marker and in the heading: ### RC-1",
	},
	{
		Code: CodeCarrierTrailerMissing, Severity: Warning, Owner: Engineer, Rule: "A1",
		Meaning: "the last live line is not the agent trailer",
		Help:    "end the comment with the line: [[agent: engineer]]",
	},
	{
		Code: CodeCarrierUntrusted, Severity: Warning, Owner: Engineer, Rule: "A2",
		Meaning: "a carrier by somebody without write permission is ignored",
		Help:    "let the author of the pull request or somebody with write permission record the attempts, or list the account in the policy under roles: trusted",
	},
	{
		Code: CodeCarrierHistoryErased, Severity: Error, Owner: Maintainer, Rule: "A7",
		Meaning: "a revision was erased from GitHub's edit history",
		Help:    "a maintainer reads the carrier and comments: /accept-loss RC-1 because …",
	},
	{
		Code: CodeCarrierRoutine, Severity: Note, Owner: Engineer, Rule: "A10",
		Meaning: "the carrier holds only a pass; none is needed",
		Help:    "nothing to do; a first pass needs no carrier, only its entry in the Evidence section",
	},
}
