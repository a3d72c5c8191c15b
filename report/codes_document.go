package report

// About whole documents, their text and their sections (design section 2).
const (
	CodeDocumentTooComplex     Code = "document.too_complex"
	CodeDocumentTooLarge       Code = "document.too_large"
	CodeTextEscapedNewlines    Code = "text.escaped_newlines"
	CodeTextInvisibleCharacter Code = "text.invisible_character"
	CodeSectionMissing         Code = "section.missing"
	CodeSectionDuplicate       Code = "section.duplicate"
	CodeSectionLevel           Code = "section.level"
)

var documentDefinitions = []Definition{
	{
		Code: CodeDocumentTooComplex, Severity: Error, Owner: Engineer, Varies: true, Rule: "M1",
		Meaning: "a document is nested or delimited so that parsing it would take too long",
		Message: "the document is nested or delimited so that reading it would take too long; nothing in it was judged",
		Help:    "remove the deep nesting, the long runs of brackets or backticks, or the oversized table; put long logs into an attachment and link it",
	},
	{
		Code: CodeDocumentTooLarge, Severity: Error, Owner: Engineer, Varies: true, Rule: "M1",
		Meaning: "a document is over 1 MiB (issue, policy or profile: maintainer)",
		Message: "the document is over 1 MiB; nothing in it was judged",
		Help:    "shorten the text; put long logs into an attachment and link it",
	},
	{
		Code: CodeTextEscapedNewlines, Severity: Error, Owner: Engineer, Varies: true, Rule: "M3",
		Meaning: "the body's line breaks arrived as the two characters backslash-n (reported beside section.missing)",
		Message: "the line breaks of the body arrived as the two characters \\n",
		Help:    "write the text to a file and pass the file, for example: gh pr edit --body-file body.md",
	},
	{
		Code: CodeTextInvisibleCharacter, Severity: Error, Owner: Engineer, Varies: true, Rule: "M5",
		Meaning: "zero-width or bidirectional control character in text that has a meaning (in the issue or profile: maintainer)",
		Message: "there is an invisible character in text that has a meaning",
		Help:    "retype the line by hand, without copying it from a chat or a web page",
	},
	{
		Code: CodeSectionMissing, Severity: Error, Owner: Engineer, Varies: true, Rule: "M3",
		Meaning: "the PR body has no live Evidence section (issue: contract.missing instead; carrier: carrier.section_missing; project.md without the section: no diagnostic)",
		Message: "the pull request's body has no live Evidence section",
		Help:    "add a heading on a line of its own: ## Evidence",
	},
	{
		Code: CodeSectionDuplicate, Severity: Error, Owner: Engineer, Varies: true, Rule: "M3",
		Meaning: "two live sections of one name at the winning level (in the issue, policy or profile: maintainer)",
		Message: "there are two live sections of this name",
		Help:    "keep one of them and delete the other heading",
	},
	{
		Code: CodeSectionLevel, Severity: Warning, Owner: Engineer, Varies: true, Rule: "M2",
		Meaning: "the section stands at another heading level than 2 (in the issue: maintainer)",
		Message: "the section stands at another heading level than 2",
		Help:    "write the heading as: ## Evidence",
	},
}
