package report

// About the form of entries and their verdicts (design section 3, E1 to E5).
const (
	CodeEntryUnchecked        Code = "entry.unchecked"
	CodeEntryFieldRepeated    Code = "entry.field_repeated"
	CodeEntryFieldInline      Code = "entry.field_inline"
	CodeEntryTableUnsupported Code = "entry.table_unsupported"
	CodeEntryFenced           Code = "entry.fenced"
	CodeEntryDuplicate        Code = "entry.duplicate"
	CodeEntryIdMissing        Code = "entry.id_missing"
	CodeEntryUnknownCheck     Code = "entry.unknown_check"
	CodeEntryTextDiffers      Code = "entry.text_differs"
	CodeVerdictMissing        Code = "verdict.missing"
	CodeVerdictInvalid        Code = "verdict.invalid"
	CodeVerdictNotFinal       Code = "verdict.not_final"
)

var entryDefinitions = []Definition{
	{
		Code: CodeEntryUnchecked, Severity: Error, Owner: Engineer, Rule: "E1",
		Meaning: "the entry's task box is not ticked",
		Message: "the entry's task box is not ticked",
		Help:    "tick the box once the check is done: - [x] Required check: …",
	},
	{
		Code: CodeEntryFieldRepeated, Severity: Error, Owner: Engineer, Rule: "E3",
		Meaning: "a field is given twice in one entry or record",
		Message: "a field is given twice in one entry or record",
		Help:    "keep one line of each field; sum up several runs in one Evidence text",
	},
	{
		Code: CodeEntryFieldInline, Severity: Error, Owner: Engineer, Rule: "E3",
		Meaning: "two labels on one line",
		Message: "two fields stand on one line",
		Help:    "write one field per line",
	},
	{
		Code: CodeEntryTableUnsupported, Severity: Error, Owner: Engineer, Rule: "E3",
		Meaning: "a table in the section and no entries",
		Message: "the section holds a table and no entries",
		Help:    "write one list item per check, beginning with: - Required check: [RC-1] …",
	},
	{
		Code: CodeEntryFenced, Severity: Error, Owner: Engineer, Rule: "E3",
		Meaning: "no entries, only fenced text in the section",
		Message: "the section holds only fenced text and no entries",
		Help:    "take the entries out of the code fence",
	},
	{
		Code: CodeEntryDuplicate, Severity: Error, Owner: Engineer, Rule: "E5",
		Meaning: "one id (or match key) has two entries",
		Message: "one check has two entries",
		Help:    "keep one entry per check and sum up repeated runs in its Evidence text",
	},
	{
		Code: CodeEntryIdMissing, Severity: Error, Owner: Engineer, Rule: "E5",
		Meaning: "the entry matches a check with an id but leaves the id out",
		Message: "the entry matches a check with an id but leaves the id out",
		Help:    "put the id in front of the check's text: - Required check: [RC-1] …",
	},
	{
		Code: CodeEntryUnknownCheck, Severity: Warning, Owner: Engineer, Varies: true, Rule: "E5",
		Meaning: "the entry belongs to no declared check (error when its verdict is failed or blocked)",
		Message: "the entry belongs to no declared check",
		Help:    "copy id and text from the task's Required Checks, or remove the entry",
	},
	{
		Code: CodeEntryTextDiffers, Severity: Warning, Owner: Engineer, Rule: "section 5.1",
		Meaning: "the id matches but the check's text differs",
		Message: "the id matches but the check's text is another",
		Help:    "copy the text of the check from the task's Required Checks",
	},
	{
		Code: CodeVerdictMissing, Severity: Error, Owner: Engineer, Rule: "E4",
		Meaning: "the entry has no verdict",
		Message: "the entry has no verdict",
		Help:    "add a line to the entry: Verdict: passed",
	},
	{
		Code: CodeVerdictInvalid, Severity: Error, Owner: Engineer, Rule: "E4",
		Meaning: "the verdict is none of the four words",
		Message: "the verdict is none of: passed, failed, blocked, not run",
		Help:    "write exactly one of the four words: Verdict: passed",
	},
	{
		Code: CodeVerdictNotFinal, Severity: Error, Owner: Engineer, Rule: "E4",
		Meaning: "the verdict is `not run`",
		Message: "the check was not run",
		Help:    "run the check, then write what came out: Verdict: passed",
	},
}
