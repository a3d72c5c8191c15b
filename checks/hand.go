package checks

import (
	"fmt"
	"slices"
	"strings"

	"github.com/evidence-gate/evidence-gate/internal/checkline"
	"github.com/evidence-gate/evidence-gate/profile/policy"
	"github.com/evidence-gate/evidence-gate/report"
	"github.com/evidence-gate/evidence-gate/snapshot"
)

// judgeHand judges whose word the contract is (C8): it counts as written by people with write
// permission and by listed agents, or once a maintainer has confirmed it.
func (e *evaluation) judgeHand() bool {
	issue := e.snapshot.Issue
	if e.offline || issue == nil || e.policy.Tasks.Source == policy.FromPolicy {
		return true
	}
	e.noteHands(*issue)
	by, confirmed := e.acceptedBy("confirm_contract", "accept_contract")
	if confirmed {
		e.note("contract_confirmed")
		return true
	}
	for _, hand := range e.lastHands(*issue) {
		switch {
		case hand != nil && e.trustedHand(hand):
			continue
		case hand != nil && hand.Permission == "" && e.unavailable("permissions"):
			continue // reported as a fact that could not be read
		}
		d := report.New(report.CodeContractUntrustedAuthor, fmt.Sprintf("the contract was last written by %s, who %s", handName(hand), e.whyUntrusted(hand)))
		d.Where = &report.Where{Document: IssueDocument}
		if by != "" {
			d.Message += "; " + by
		}
		e.add(d)
		return false
	}
	return true
}

// noteHands notes what the pull request's author did to the task.
func (e *evaluation) noteHands(issue snapshot.Issue) {
	author := e.snapshot.PullRequest.Author
	if author == nil {
		return
	}
	if sameActor(author, issue.Author) {
		e.note("contract_by_author")
	}
	for i, r := range issue.Revisions {
		if i > 0 && sameActor(author, r.Editor) {
			e.note("contract_changed_by_author")
		}
	}
}

func sameActor(a, b *snapshot.Actor) bool {
	return a != nil && b != nil && strings.EqualFold(a.Login, b.Login)
}

// lastHands are those who may have changed the contract last, as far as the history tells: its checks
// decide, not a later edit elsewhere. Where a text in between was erased, whoever made it may be the
// one, and so may whoever edited after it. A nil hand is an account that nobody can name.
func (e *evaluation) lastHands(issue snapshot.Issue) []*snapshot.Actor {
	revisions := issue.Revisions
	if len(revisions) == 0 {
		return []*snapshot.Actor{issue.Author}
	}
	now := e.report.Contract.Digest
	if issue.Body != nil {
		now = e.digestOf(*issue.Body)
	}
	var hands []*snapshot.Actor
	if last := revisions[len(revisions)-1].Body; last != nil && e.digestOf(*last) != now {
		hands = append(hands, nil) // the text at hand is none of the history's
	}
	left := maxHistoryBytes
	for i := len(revisions) - 1; i >= 0; i-- {
		hands = append(hands, revisions[i].Editor)
		if i == 0 {
			break
		}
		is, was := revisions[i].Body, revisions[i-1].Body
		if is == nil || was == nil {
			continue
		}
		if left -= len(*is) + len(*was); left < 0 {
			return append(hands, nil)
		}
		if *is != *was && e.digestOf(*is) != e.digestOf(*was) {
			break
		}
		hands = hands[:len(hands)-1] // this edit changed something else
	}
	return hands
}

// maxHistoryBytes bounds how much of the task's history is read to find who wrote the contract. Who
// wrote one with a longer history is not known.
const maxHistoryBytes = 2 << 20

// digestOf is the digest of the contract in a text of the task; each text is read once.
func (e *evaluation) digestOf(text string) string {
	return e.pastContract(text).digest
}

// pastContract is the contract in a text of the task.
type pastContract struct {
	digest string
	lines  map[string]string // each check and criterion as it is written, by its name
}

func (e *evaluation) pastContract(text string) pastContract {
	if past, known := e.past[text]; known {
		return past
	}
	contract, _ := ReadContract(text)
	past := pastContract{contract.Digest(), map[string]string{}}
	for i := range contract.Checks {
		past.lines[contract.Checks[i].Name()] = checkline.Whole(contract.Checks[i].line.Line)
	}
	for _, c := range contract.Criteria.Criteria {
		past.lines[c.ID] = c.Line()
	}
	if e.past == nil {
		e.past = map[string]pastContract{}
	}
	e.past[text] = past
	return past
}

// changedBy says who gave a check of the task its present text, or took it out, as far as the edit
// history tells; empty where it does not.
func (e *evaluation) changedBy(name string) string {
	revisions, left := e.snapshot.Issue.Revisions, maxHistoryBytes
	for i := len(revisions) - 1; i > 0; i-- {
		is, was := revisions[i].Body, revisions[i-1].Body
		if is == nil || was == nil {
			return ""
		}
		if left -= len(*is) + len(*was); left < 0 {
			return ""
		}
		if e.pastContract(*is).lines[name] != e.pastContract(*was).lines[name] {
			return fmt.Sprintf("by %s at %s", handName(revisions[i].Editor), revisions[i].EditedAt)
		}
	}
	return ""
}

// trustedHand reports whether a contract counts as written by an account (C8).
func (e *evaluation) trustedHand(hand *snapshot.Actor) bool {
	if _, agent := e.policy.Roles.Agent(hand); agent {
		return true
	}
	return (hand.Type == "User" || hand.Type == "") && !policy.Bot(hand) && slices.Contains(writers, hand.Permission)
}

// writers are the permissions that include writing; one that was not read is empty.
var writers = []string{"write", "maintain", "admin"}

func handName(hand *snapshot.Actor) string {
	if hand == nil {
		return "a deleted account"
	}
	return hand.Login
}

func (e *evaluation) whyUntrusted(hand *snapshot.Actor) string {
	switch {
	case hand == nil:
		return "can no longer be asked"
	case policy.Bot(hand) || hand.Type != "User" && hand.Type != "":
		return "is no person and no agent that the policy lists"
	case hand.Permission == "":
		return "is not known to have write permission"
	}
	return "has the permission " + hand.Permission + ", not write"
}

// acceptedBy finds a maintainer's acceptance that covers the contract at hand. refused says why the
// last one that was tried does not count.
func (e *evaluation) acceptedBy(kinds ...string) (refused string, accepted bool) {
	for _, a := range e.snapshot.Actions {
		if !slices.Contains(kinds, a.Kind) {
			continue
		}
		why := e.mayNotAccept(a.Actor)
		if why == "" && !e.covers(a) {
			why = "accepted another text of it"
		}
		if why == "" {
			return "", true
		}
		refused = handName(a.Actor) + " " + why
	}
	return refused, false
}

// mayNotAccept is why an account may not accept a contract, empty when it may: a maintainer's person
// does (section 10), or whom the policy names.
func (e *evaluation) mayNotAccept(a *snapshot.Actor) string {
	switch {
	case a == nil:
		return "cannot accept it"
	case !e.policy.Roles.Person(a):
		return "is no person, and only a person accepts it"
	case e.policy.ContractChanges == policy.Admins && a.Permission != "admin":
		return "is no admin, and only an admin accepts it"
	case e.policy.ContractChanges != policy.Anyone && !e.policy.Roles.Maintainer(a):
		return "is no maintainer, and only a maintainer accepts it"
	}
	return ""
}

// covers reports whether an acceptance is about the contract at hand: by its digest, else by the text
// that stood when it was given (section 11).
func (e *evaluation) covers(a snapshot.Action) bool {
	digest := e.report.Contract.Digest
	if a.Digest != "" {
		return a.Digest == digest
	}
	if e.snapshot.Issue.Body == nil {
		return false
	}
	then := textAt(*e.snapshot.Issue, a.At)
	return then != nil && e.digestOf(*then) == e.digestOf(*e.snapshot.Issue.Body)
}

// textAt is the text of a task at a time, by its edit history: the present one where there is no
// history or no time. It is nil when the history does not tell.
func textAt(issue snapshot.Issue, at string) *string {
	when := moment(&at)
	if len(issue.Revisions) == 0 || when.IsZero() {
		return issue.Body
	}
	text := issue.Revisions[0].Body
	for _, r := range issue.Revisions {
		if moment(&r.EditedAt).After(when) {
			break
		}
		text = r.Body
	}
	return text
}
