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
		Help:    "keep one marker per comment; write a comment of its own for each check",
	},
	{
		Code: CodeCarrierSectionMissing, Severity: Error, Owner: Engineer, Rule: "A1",
		Meaning: "the carrier has no (or a second) Verification Attempts section",
		Help:    "write the heading once, below the marker: ## Verification Attempts",
	},
	{
		Code: CodeCarrierEmpty, Severity: Error, Owner: Engineer, Rule: "A1",
		Meaning: "the carrier has no attempt",
		Help:    "add the first attempt: #### Attempt 1",
	},
	{
		Code: CodeCarrierCheckMismatch, Severity: Error, Owner: Engineer, Rule: "A1",
		Meaning: "the heading under the section is not exactly the marker's check",
		Help:    "write the marker's id in the heading: ### RC-1",
	},
	{
		Code: CodeCarrierDuplicate, Severity: Error, Owner: Engineer, Rule: "A1",
		Meaning: "a second carrier for one check",
		Help:    "append to the first carrier and delete the second",
	},
	{
		Code: CodeCarrierRewritten, Severity: Error, Owner: Engineer, Rule: "A7",
		Meaning: "recorded history was changed, removed or deleted and is not restored or accepted",
		Help:    "put the lost text back as it was; append what is new below it",
	},
	{
		Code: CodeCarrierUnknownCheck, Severity: Warning, Owner: Engineer, Rule: "A1",
		Meaning: "the carrier's check is not in the contract (its episode still counts at merge)",
		Help:    "correct the id in the marker and in the heading",
	},
	{
		Code: CodeCarrierTrailerMissing, Severity: Warning, Owner: Engineer, Rule: "A1",
		Meaning: "the last live line is not the agent trailer",
		Help:    "end the comment with the line: [[agent: engineer]]",
	},
	{
		Code: CodeCarrierUntrusted, Severity: Warning, Owner: Engineer, Rule: "A2",
		Meaning: "a carrier by somebody without write permission is ignored",
		Help:    "let somebody with write permission record the attempts",
	},
	{
		Code: CodeCarrierHistoryErased, Severity: Error, Owner: Maintainer, Rule: "A7",
		Meaning: "a revision was erased from GitHub's edit history",
		Help:    "a maintainer accepts the loss",
	},
	{
		Code: CodeCarrierRoutine, Severity: Note, Owner: Engineer, Rule: "A10",
		Meaning: "the carrier holds only a pass; none is needed",
		Help:    "no carrier is needed for a first pass",
	},
}
