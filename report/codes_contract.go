package report

// About the contract (design section 4).
const (
	CodeContractMissing                  Code = "contract.missing"
	CodeContractCheckOutsideList         Code = "contract.check_outside_list"
	CodeContractAnnotationUnknown        Code = "contract.annotation_unknown"
	CodeContractKindInvalid              Code = "contract.kind_invalid"
	CodeContractSourceInvalid            Code = "contract.source_invalid"
	CodeContractCommandMissing           Code = "contract.command_missing"
	CodeContractStatusOnNonCommand       Code = "contract.status_on_non_command"
	CodeContractObservationUnsatisfiable Code = "contract.observation_unsatisfiable"
	CodeContractLevelInvalid             Code = "contract.level_invalid"
	CodeContractMethodInvalid            Code = "contract.method_invalid"
	CodeContractIdDuplicate              Code = "contract.id_duplicate"
	CodeContractIdentityDuplicate        Code = "contract.identity_duplicate"
	CodeContractIdentityEmpty            Code = "contract.identity_empty"
	CodeContractChanged                  Code = "contract.changed"
	CodeContractProseIgnored             Code = "contract.prose_ignored"
	CodeContractHiddenCheck              Code = "contract.hidden_check"
	CodeContractCommandAmbiguous         Code = "contract.command_ambiguous"
	CodeContractOptionUnused             Code = "contract.option_unused"
	CodeContractUntrustedAuthor          Code = "contract.untrusted_author"
)

var contractDefinitions = []Definition{
	{
		Code: CodeContractMissing, Severity: Error, Owner: Maintainer, Rule: "C1",
		Meaning: "the task declares no required check",
		Message: "the task declares no required check",
		Help:    "add to the task: ## Required Checks, and below it one list item per check, such as - [RC-1] `npm test`",
	},
	{
		Code: CodeContractCheckOutsideList, Severity: Error, Owner: Maintainer, Rule: "C1",
		Meaning: "an [RC-n] stands outside the top-level list (paragraph, table, heading or nested item)",
		Message: "a check's id stands outside the top-level list, where no check is read",
		Help:    "make it a list item of its own in the section: - [RC-1] …",
	},
	{
		Code: CodeContractAnnotationUnknown, Severity: Error, Owner: Maintainer, Rule: "C2",
		Meaning: "an annotation's name is a near miss of a known one",
		Message: "an annotation's name is nearly, but not quite, a known one",
		Help:    "correct the name; known are kind, source, observations, status, app, topology, method, url, expected, pattern",
	},
	{
		Code: CodeContractKindInvalid, Severity: Error, Owner: Maintainer, Rule: "C6",
		Meaning: "unknown kind of a check",
		Message: "the check's kind is none of: command, manual, contract_proof",
		Help:    "write a known kind, for example: (kind: manual)",
	},
	{
		Code: CodeContractSourceInvalid, Severity: Error, Owner: Maintainer, Rule: "C6",
		Meaning: "unknown source of a check",
		Message: "the check's source is none of: pr_body, status_check, manual_observation, automated_observation",
		Help:    "write a known source, for example: [source: pr_body]",
	},
	{
		Code: CodeContractCommandMissing, Severity: Error, Owner: Maintainer, Rule: "C6",
		Meaning: "a command check without a code span",
		Message: "a command check has no command",
		Help:    "write the command as a code span: - [RC-1] `npm test`",
	},
	{
		Code: CodeContractStatusOnNonCommand, Severity: Error, Owner: Maintainer, Rule: "C6",
		Meaning: "status_check on a check that is no command",
		Message: "status_check is allowed on a check that is no command",
		Help:    "remove status_check from the sources, or make the check a command",
	},
	{
		Code: CodeContractObservationUnsatisfiable, Severity: Error, Owner: Maintainer, Rule: "C6",
		Meaning: "observations that no allowed source can prove",
		Message: "the check declares observations that none of its sources can prove",
		Help:    "allow a source that can: [source: manual_observation]",
	},
	{
		Code: CodeContractLevelInvalid, Severity: Error, Owner: Maintainer, Rule: "C6",
		Meaning: "unknown observation level",
		Message: "an observation's level is none of: running_path, unit, parser, helper, mock",
		Help:    "write a known level: [observations: name@unit]",
	},
	{
		Code: CodeContractMethodInvalid, Severity: Error, Owner: Maintainer, Rule: "C2",
		Meaning: "unknown method of a check",
		Message: "the check's method is unknown",
		Help:    "write one of external_check, log_match (with a pattern), artifact, person and manual, or remove the annotation",
	},
	{
		Code: CodeContractIdDuplicate, Severity: Error, Owner: Maintainer, Rule: "C6",
		Meaning: "one id is used twice",
		Message: "one id is used for two checks",
		Help:    "give each check a number of its own",
	},
	{
		Code: CodeContractIdentityDuplicate, Severity: Error, Owner: Maintainer, Rule: "C6",
		Meaning: "two id-less checks have one match key",
		Message: "two checks without id cannot be told apart",
		Help:    "remove one of them, or give both an id: - [RC-1] …",
	},
	{
		Code: CodeContractIdentityEmpty, Severity: Error, Owner: Maintainer, Rule: "C6",
		Meaning: "nothing is left of the check once its annotations are removed",
		Message: "nothing is left of the check once its id and annotations are removed",
		Help:    "say what is to be checked after the id: - [RC-1] `npm test`",
	},
	{
		Code: CodeContractChanged, Severity: Error, Owner: Maintainer, Rule: "section 10",
		Meaning: "a remembered check was changed or removed and nobody accepted it",
		Help:    "a maintainer reads the change and accepts it with /accept-contract",
	},
	{
		Code: CodeContractProseIgnored, Severity: Warning, Owner: Maintainer, Rule: "C1",
		Meaning: "text in the section that is no check",
		Message: "text in the section is no check and was ignored",
		Help:    "make it a list item if it is a requirement; else move it out of the section",
	},
	{
		Code: CodeContractHiddenCheck, Severity: Warning, Owner: Maintainer, Rule: "C1",
		Meaning: "a check is commented out, quoted or fenced",
		Message: "a check is commented out, quoted or fenced and does not count",
		Help:    "take it out of the comment, quote or fence if it is to count; else delete it",
	},
	{
		Code: CodeContractCommandAmbiguous, Severity: Warning, Owner: Maintainer, Rule: "C3",
		Meaning: "a check has several code spans; the first is the command",
		Message: "the check has several code spans; the first one is the command",
		Help:    "keep one code span per check, the command",
	},
	{
		Code: CodeContractOptionUnused, Severity: Warning, Owner: Maintainer, Rule: "C6",
		Meaning: "status, app, expected or pattern is given where nothing reads it",
		Message: "an annotation is given where nothing reads it",
		Help:    "remove the annotation, or declare what makes it count: status and app need a command, pattern needs a method",
	},
	{
		Code: CodeContractUntrustedAuthor, Severity: Error, Owner: Maintainer, Rule: "C8",
		Meaning: "the contract was last written by someone without write permission and nobody confirmed it",
		Help:    "a maintainer reads the task and confirms it with /confirm-contract",
	},
}
