package command

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/evidence-gate/evidence-gate/app/button"
	"github.com/evidence-gate/evidence-gate/app/store"
	"github.com/evidence-gate/evidence-gate/approval"
	"github.com/evidence-gate/evidence-gate/profile/policy"
	"github.com/evidence-gate/evidence-gate/report"
	"github.com/evidence-gate/evidence-gate/snapshot"
)

// verb is a command by which somebody stands behind the pull request or its contract.
type verb struct {
	kind      string // of the action
	head      bool   // it is about one commit, so that it is written on the pull request
	minReason int    // characters; 0: it needs no reason
}

var verbs = map[Name]verb{
	Approve:         {kind: "approve", head: true},
	NeedsHuman:      {kind: "needs_human", head: true, minReason: 1},
	Override:        {kind: "override", head: true, minReason: minReason},
	AcceptContract:  {kind: "accept_contract"},
	ConfirmContract: {kind: "confirm_contract"},
}

// maxReason bounds the reason that is recorded, in characters.
const maxReason = 1000

// stand carries out a command of a person, or says why not.
func (r *run) stand(c comment, command Command, done *effect) finding {
	refuse := func(reason string) finding { return finding{command: command, reason: reason} }
	v := verbs[command.Name]
	a := snapshot.Action{
		Kind: v.kind, Actor: c.Author, Via: "comment", At: c.CreatedAt, CommentID: c.ID, Reason: reasonOf(command.Text),
	}
	if len([]rune(a.Reason)) < v.minReason {
		return refuse(fmt.Sprintf("expected /%s and then why, found no reason.", command.Name))
	}
	if v.head && c.thread.number != r.Facts.PullRequest.Number {
		return refuse("it is about one commit of one pull request: write it there.")
	}
	a.HeadSHA = r.headAt(c.CreatedAt)
	if v.head {
		if reason := r.notHead(a.HeadSHA); reason != "" {
			return refuse(reason)
		}
	} else {
		digest, reason := r.digestFor(c)
		if reason != "" {
			return refuse(reason)
		}
		a.Digest = digest
	}
	if reason, detail := r.discounts(a, done.deeds); reason != "" {
		return finding{command: command, reason: reason, detail: detail}
	}
	done.deeds = append(done.deeds, store.Deed{Thread: c.thread.number, Action: a})
	done.anywhere = true
	done.onTask = done.onTask || c.thread.number != r.Facts.PullRequest.Number
	return finding{command: command}
}

// reasonOf is what follows the word of a command.
func reasonOf(line string) string {
	_, rest, _ := strings.Cut(line, " ")
	runes := []rune(strings.TrimSpace(rest))
	if len(runes) > maxReason {
		return string(runes[:maxReason-1]) + "…"
	}
	return string(runes)
}

// headAt is the commit that was the head when something was written, empty when that is not known.
// GitHub's times are whole seconds: of two commits that were the head within that second the earlier
// one counts.
func (r *run) headAt(written string) string {
	at, err := time.Parse(time.RFC3339, written)
	if err != nil {
		return ""
	}
	head := ""
	for i, h := range r.Heads {
		if h.Since.Before(at) || i == 0 && h.Since.Equal(at) {
			head = h.SHA
		}
	}
	return head
}

// notHead says why what was said of a commit is not said of the head, empty when it is.
func (r *run) notHead(sha string) string {
	head := r.Facts.PullRequest.HeadSHA
	switch {
	case sha == "":
		return fmt.Sprintf("which commit was the head when it was written is not known. The head is `%s` now: look at that one and write it anew.", short(head))
	case sha != head:
		return fmt.Sprintf("the head was `%s` when it was written and is `%s` now: look at that one and write it anew.", short(sha), short(head))
	}
	return ""
}

func short(sha string) string { return sha[:min(len(sha), 12)] }

// digestFor is the contract that whoever wrote a comment had at hand: that of the task's text at the
// time. On a pull request it must be the task that the last published report was about, or somebody
// could put another one in its place in the meantime.
func (r *run) digestFor(c comment) (digest, reason string) {
	issue := r.Facts.Issue
	switch {
	case issue == nil:
		return "", "the pull request has no task whose contract could be meant."
	case c.thread.number != issue.Number && r.PublishedTask != issue.Number:
		return "", fmt.Sprintf("the task is #%d, and no report showed that yet when it was written: look at that task and write it anew.", issue.Number)
	}
	text, known := textAt(*issue, c.CreatedAt)
	if !known || r.unread("issue") || r.unread("issue.revisions") {
		return "", "how the task stood when it was written cannot be read."
	}
	then := r.Facts
	copied := *issue
	copied.Body = &text
	then.Issue = &copied
	if digest = r.Evaluate(then, report.Merge).Contract.Digest; digest == "" {
		return "", "the contract cannot be read."
	}
	return digest, ""
}

// textAt is the text of a task at a time. Of an edit within that second the text before it counts.
func textAt(issue snapshot.Issue, written string) (text string, known bool) {
	at, err := time.Parse(time.RFC3339, written)
	if err != nil {
		return "", false
	}
	found := issue.Body
	for i, r := range issue.Revisions {
		edited, err := time.Parse(time.RFC3339, r.EditedAt)
		if err != nil {
			return "", false
		}
		if i == 0 || edited.Before(at) {
			found = r.Body
		}
	}
	if found == nil {
		return "", false
	}
	return *found, true
}

// discounts says why an action would not count if it were recorded; the judges decide, not this
// package. A detail may hold text of others.
func (r *run) discounts(a snapshot.Action, before []store.Deed) (reason, detail string) {
	with := r.Facts
	with.Actions = slices.Clone(with.Actions)
	for _, d := range before {
		with.Actions = append(with.Actions, d.Action)
	}
	switch a.Kind {
	case "approve":
		with.Actions = append(with.Actions, a)
		return r.noApproval(with, a)
	case "accept_contract":
		return r.noAcceptance(with, a)
	case "confirm_contract":
		with.Actions = []snapshot.Action{a}
		if slices.Contains(r.Evaluate(with, report.Merge).Notes, "contract_confirmed") {
			return "", ""
		}
		return r.notAllowed(a.Actor), ""
	case "override":
		with.Actions = []snapshot.Action{a}
		if found, refused := approval.FindOverride(with, r.Roles); found == nil {
			return "it does not count.", refused
		}
	case "needs_human":
		with.Actions = []snapshot.Action{a}
		if !r.ask(with).Asked {
			return "it takes a reviewer: somebody with write permission, or an agent that the policy lists.", ""
		}
	}
	return "", ""
}

// ask is the judge of approvals by itself: an evaluation that ends at the contract does not come to it.
func (r *run) ask(s snapshot.Snapshot) approval.Result {
	return approval.Judge(approval.Facts{Snapshot: s, Policy: r.Policy, Level: r.Policy.Level, Stage: report.Review, SelfReported: true})
}

func (r *run) noApproval(with snapshot.Snapshot, a snapshot.Action) (reason, detail string) {
	for _, list := range [][]report.Approval{r.Evaluate(with, report.Merge).Approvals, r.ask(with).Approvals} {
		for _, listed := range list {
			if !strings.EqualFold(listed.Actor, a.Actor.Login) {
				continue
			}
			if listed.Counts {
				return "", ""
			}
			return "it does not count.", listed.Actor + " " + listed.Because
		}
	}
	return "it does not count: a later word of the same account stands against it.", ""
}

func (r *run) noAcceptance(with snapshot.Snapshot, a snapshot.Action) (reason, detail string) {
	before := r.Evaluate(with, report.Merge)
	if !slices.ContainsFunc(before.Diagnostics, acceptable) {
		return "there is nothing to accept: nothing was taken from the contract since the pull request was first seen.", ""
	}
	with.Actions = append(with.Actions, a)
	after := r.Evaluate(with, report.Merge)
	left := slices.IndexFunc(after.Diagnostics, acceptable)
	if left < 0 {
		return "", ""
	}
	return r.notAllowed(a.Actor), after.Diagnostics[left].Message
}

func acceptable(d report.Diagnostic) bool { return button.Acceptable(d.Code) }

// notAllowed words why an account may not decide about the contract, which a judge found.
func (r *run) notAllowed(a *snapshot.Actor) string {
	switch {
	case !r.Roles.Person(a):
		return "only a person decides about a contract."
	case r.Policy.ContractChanges == policy.Admins && a.Permission != "admin":
		return "the policy leaves it to admins."
	case !r.Roles.Maintainer(a):
		return "it takes the maintainer's role of the repository's policy."
	}
	return "it is not about the contract as it stands now: look at the task and decide anew."
}
