package checks

import (
	"fmt"
	"slices"
	"strings"

	"github.com/evidence-gate/evidence-gate/report"
	"github.com/evidence-gate/evidence-gate/snapshot"
)

// judgeTask judges how the task was found (section 11, section 14 Loading). While the linking has
// an error nothing else is judged (C6).
func (e *evaluation) judgeTask() bool {
	if e.offline {
		if e.snapshot.Issue == nil {
			e.note("contract_not_judged")
		}
		return true
	}
	var unreadable, candidates []snapshot.Linked
	for _, l := range e.snapshot.Linked {
		switch {
		case !l.Readable || e.foreign(l):
			unreadable = append(unreadable, l)
		case l.HasChecks && !known(candidates, l.Number):
			candidates = append(candidates, l)
		}
	}
	switch {
	case len(unreadable) > 0:
		e.add(taskUnreadable(unreadable))
	case len(candidates) > 1:
		e.add(taskAmbiguous(candidates))
	case e.snapshot.Issue == nil && len(e.snapshot.Linked) == 0:
		return e.withoutTask()
	case e.snapshot.Issue == nil && len(candidates) == 1:
		if !e.unavailable("issue") {
			e.add(report.New(report.CodeSnapshotFactUnavailable, fmt.Sprintf("the text of the linked task %s was not read", shortName(candidates[0]))))
		}
	case e.snapshot.Issue == nil && len(e.policy.Contract()) > 0:
		return true
	case e.snapshot.Issue == nil:
		d := report.New(report.CodeContractMissing, fmt.Sprintf("none of the linked tasks (%s) declares a required check", names(e.snapshot.Linked)))
		e.add(d)
	case len(candidates) == 1 && candidates[0].Number != e.snapshot.Issue.Number, len(e.snapshot.Linked) > 0 && !known(e.snapshot.Linked, e.snapshot.Issue.Number):
		e.add(report.New(report.CodeSnapshotFactUnavailable, fmt.Sprintf("the linked task is %s, but the text that was read is of #%d",
			names(e.snapshot.Linked), e.snapshot.Issue.Number)))
	case !e.policy.Tasks.ID.Match(e.snapshot.Issue.Title):
		d := report.New(report.CodeTaskMissing, fmt.Sprintf("the linked issue #%d, %q, is no task: its title does not match the policy's id_pattern %s",
			e.snapshot.Issue.Number, firstWords(e.snapshot.Issue.Title), e.policy.Tasks.ID))
		e.add(d)
	default:
		e.noteKeyword()
		return true
	}
	return false
}

// withoutTask judges a pull request that no task is linked to. Where the policy requires none, what
// the policy itself declares is judged, and without that nothing is (section 9).
func (e *evaluation) withoutTask() bool {
	switch {
	case e.unavailable("issue"):
	case e.policy.Tasks.Require:
		e.add(report.New(report.CodeTaskMissing, "no task is linked to this pull request"))
	case len(e.policy.Contract()) > 0:
		return true
	default:
		e.neutral = "no task is linked, and the policy requires none"
	}
	return false
}

// foreign reports whether a task is in another repository than the pull request.
func (e *evaluation) foreign(l snapshot.Linked) bool {
	own := e.snapshot.Repository
	return own.Owner != "" && !strings.EqualFold(l.Repository, own.FullName())
}

// known reports whether the list names the task with that number; all are of one repository.
func known(linked []snapshot.Linked, number int) bool {
	return slices.ContainsFunc(linked, func(l snapshot.Linked) bool { return l.Number == number })
}

func (e *evaluation) noteKeyword() {
	for _, l := range e.snapshot.Linked {
		if l.Source == "keyword" && l.Number == e.snapshot.Issue.Number {
			e.add(report.New(report.CodeTaskFromKeyword, fmt.Sprintf(
				"the task %s was found by its closing keyword, because GitHub links no issue when the base is not the default branch", shortName(l))))
			return
		}
	}
}

func taskUnreadable(linked []snapshot.Linked) report.Diagnostic {
	return report.New(report.CodeTaskUnreadable, fmt.Sprintf("the linked task %s cannot be read: it is in another repository, or the app has no access to it", names(linked)))
}

func taskAmbiguous(linked []snapshot.Linked) report.Diagnostic {
	d := report.New(report.CodeTaskAmbiguous, fmt.Sprintf("%d linked tasks declare required checks: %s", len(linked), names(linked)))
	d.Help = "close only one of them with this pull request; mention the others without a closing keyword"
	return d
}

func shortName(l snapshot.Linked) string { return fmt.Sprintf("%s#%d", l.Repository, l.Number) }

// maxNames bounds the names that one message lists.
const maxNames = 10

func names(linked []snapshot.Linked) string {
	var out []string
	for i, l := range linked {
		if i == maxNames {
			out = append(out, "…")
			break
		}
		out = append(out, shortName(l))
	}
	return strings.Join(out, ", ")
}
