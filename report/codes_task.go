package report

// About the linked task (design section 11).
const (
	CodeTaskUnreadable  Code = "task.unreadable"
	CodeTaskMissing     Code = "task.missing"
	CodeTaskAmbiguous   Code = "task.ambiguous"
	CodeTaskFromKeyword Code = "task.from_keyword"
	CodeTaskChanged     Code = "task.changed"
)

var taskDefinitions = []Definition{
	{
		Code: CodeTaskUnreadable, Severity: Error, Owner: Maintainer, Rule: "section 11",
		Meaning: "the linked task is in another repository or cannot be read",
		Message: "the linked task is in another repository or cannot be read",
		Help:    "link a task of this repository, or let the app read it",
	},
	{
		Code: CodeTaskMissing, Severity: Error, Owner: Engineer, Rule: "section 11",
		Meaning: "no task is linked",
		Message: "no task is linked to the pull request",
		Help:    "add a line to the pull request's body: Closes #<number of the task>",
	},
	{
		Code: CodeTaskAmbiguous, Severity: Error, Owner: Engineer, Rule: "section 11",
		Meaning: "several linked tasks have required checks",
		Message: "several linked tasks have required checks",
		Help:    "link one task with required checks; mention the others without a closing keyword",
	},
	{
		Code: CodeTaskFromKeyword, Severity: Warning, Owner: Engineer, Rule: "section 14",
		Meaning: "the task was found by its closing keyword because GitHub links none on this base",
		Message: "the task was found by its closing keyword because GitHub links none on this base branch",
		Help:    "nothing to do if the task is the right one",
	},
	{
		Code: CodeTaskChanged, Severity: Error, Owner: Maintainer, Rule: "section 10",
		Meaning: "another task was linked after first sight",
		Help:    "a maintainer accepts the other task with /accept-contract, or link the first one again",
	},
}
