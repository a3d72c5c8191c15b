package render

import (
	"fmt"
	"strings"

	"github.com/evidence-gate/evidence-gate/report"
)

// owners in the order in which they are asked to act, which is that of the conclusions.
var owners = []report.Owner{report.Engineer, report.Maintainer, report.Approver, report.Operator, report.Machine}

// ownerNames are the owners as a reader would call them.
var ownerNames = map[report.Owner]string{
	report.Engineer:   "author of the pull request",
	report.Maintainer: "maintainer",
	report.Approver:   "approver",
	report.Operator:   "operator of the gate",
	report.Machine:    "nobody",
}

// ownerTasks say what an owner does about errors.
var ownerTasks = map[report.Owner]string{
	report.Engineer:   "correct what the errors name, then save the body",
	report.Maintainer: "correct the task, or decide",
	report.Approver:   "look at the change and approve the current head",
	report.Operator:   "the app tries again by itself, a command or job is run again; the message says why",
	report.Machine:    "the result is read as soon as it is there",
}

// notes say the notes of a Report in a sentence (design section 11).
var notes = map[string]string{
	"contract_by_author":         "The task was written by the author of the pull request.",
	"contract_changed_by_author": "The author of the pull request edited the task.",
	"contract_confirmed":         "A maintainer confirmed the contract.",
	"policy_changed_here":        "The pull request changes the policy; it was judged by the policy of the base branch.",
	"workflow_changed_by_author": "The pull request changes workflows, so their results count as self-reported.",
	"approved_by_token_possible": "The approval may have been given by a token.",
	"head_not_judged":            "The form only was judged: whether the evidence is for the right commit is unknown without the head.",
	"contract_not_judged":        "The form only was judged: whether every required check has evidence is unknown without the task.",
	"memory_not_judged":          "Comments deleted or changed without a trace are known to the service only.",
	"merged":                     "The pull request is merged; this is its last report.",
}

// documentNames are the documents as a reader would call them.
var documentNames = map[string]string{
	"pull_request.body":   "pull request body",
	"issue.body":          "task",
	"policy":              "policy",
	"organisation_policy": "organisation's policy",
	"profile":             "profile",
	"task_file":           "task file",
}

// byHand says which task counts when a person named one.
func byHand(task string) string {
	return fmt.Sprintf("Judged by the task %s, which was chosen by hand, whatever the pull request closes.", visible(task))
}

func note(name string) string {
	if sentence, ok := notes[name]; ok {
		return sentence
	}
	return visible(name)
}

func document(name string) string {
	if plain, ok := documentNames[name]; ok {
		return plain
	}
	return visible(name)
}

// place is where a diagnostic points, in words.
func place(w *report.Where) string {
	switch {
	case w == nil:
		return ""
	case w.Line < 1:
		return document(w.Document)
	case w.Column < 1:
		return fmt.Sprintf("%s, line %d", document(w.Document), w.Line)
	default:
		return fmt.Sprintf("%s, line %d, column %d", document(w.Document), w.Line, w.Column)
	}
}

// plainWord writes a value of the JSON as words: "self_reported" as "self-reported".
func plainWord(s string) string { return visible(strings.ReplaceAll(s, "_", "-")) }

func counted(n int, one string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %ss", n, one)
}

// tally counts the diagnostics of each severity.
func tally(diagnostics []report.Diagnostic) map[report.Severity]int {
	n := map[report.Severity]int{}
	for _, d := range diagnostics {
		n[d.Severity]++
	}
	return n
}

// bySeverity returns the diagnostics with errors first and notes last, else in their order.
func bySeverity(diagnostics []report.Diagnostic) []report.Diagnostic {
	sorted := make([]report.Diagnostic, 0, len(diagnostics))
	for _, severity := range []report.Severity{report.Error, report.Warning, report.Note} {
		for _, d := range diagnostics {
			if d.Severity == severity {
				sorted = append(sorted, d)
			}
		}
	}
	return sorted
}

// proof says in words what satisfies a check, or what is claimed and was not accepted.
func proof(c report.Check) string {
	switch {
	case !c.Satisfied && c.Verdict == nil:
		return "no proof"
	case !c.Satisfied && *c.Verdict == "passed":
		return "said to have passed, not accepted"
	}
	if c.Via != nil && *c.Via == "triage" && c.Verdict != nil {
		return visible(*c.Verdict) + ", settled by a maintainer's triage"
	}
	var parts []string
	if c.Verdict != nil {
		parts = append(parts, visible(*c.Verdict))
	}
	if c.Via != nil {
		parts = append(parts, "by "+plainVia(*c.Via))
	}
	if len(parts) == 0 {
		return "satisfied"
	}
	return strings.Join(parts, " ")
}

var vias = map[string]string{
	"pr_body":      "the pull request body",
	"status_check": "a status check",
	"url_check":    "a URL check",
	"attestation":  "a signed result",
	"triage":       "a maintainer's triage",
}

func plainVia(via string) string {
	if words, ok := vias[via]; ok {
		return words
	}
	return plainWord(via)
}

// checkText is the text of a check with its id in front; a text that is the command only is quoted
// as the task has it.
func checkText(c report.Check) string {
	text := c.Text
	if c.Command != "" && text == c.Command {
		text = "`" + text + "`"
	}
	if c.ID == nil {
		return text
	}
	return "[" + *c.ID + "] " + text
}

// episodeStates are the states of an episode as a reader would say them (design section 6, A9, A11).
var episodeStates = map[string]string{
	"resolved":       "resolved by a later pass",
	"triaged":        "settled by a maintainer",
	"active":         "waits for a maintainer's triage",
	"pending_triage": "waits: its triage is pending",
	"blocker":        "blocked until a maintainer decides otherwise",
	"exhausted":      "too many attempts: waits for a maintainer's triage",
}

func episodeState(state string) string {
	if words, ok := episodeStates[state]; ok {
		return words
	}
	return plainWord(state)
}

// triage is how the latest attempt of an episode is classified.
func triage(e report.Episode) string {
	if e.Triage == nil {
		return "none"
	}
	return plainWord(*e.Triage)
}
