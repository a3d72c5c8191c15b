package checks

import (
	"fmt"
	"slices"
	"strings"

	"github.com/evidence-gate/evidence-gate/prbody"
	"github.com/evidence-gate/evidence-gate/report"
	"github.com/evidence-gate/evidence-gate/snapshot"
)

// member is one part of a Snapshot that no judge reads yet, with the question whether it holds a
// fact that would matter.
type member struct {
	name    string
	judge   string // who will read it
	matters func(snapshot.Snapshot) bool
}

// unjudged lists the members without a judge (design section 1). Plain comments, approvals and the
// names of labels bear on no verdict by the default policy, so they are not listed.
var unjudged = []member{
	{"policy", "policy", func(s snapshot.Snapshot) bool { return s.Policy != nil }},
	{"organisation_policy", "policy", func(s snapshot.Snapshot) bool { return s.OrganisationPolicy != nil }},
	{"profile", "profile", func(s snapshot.Snapshot) bool { return s.Profile != nil }},
	{"comments", "attempts", func(s snapshot.Snapshot) bool { return carriers(s.Comments) }},
	{"issue.comments", "attempts", func(s snapshot.Snapshot) bool { return s.Issue != nil && carriers(s.Issue.Comments) }},
	{"issue.revisions", "people", func(s snapshot.Snapshot) bool { return s.Issue != nil && untrustedHand(*s.Issue) }},
	{"reviews", "people", func(s snapshot.Snapshot) bool { return rejected(s.Reviews) }},
	{"actions", "people", func(s snapshot.Snapshot) bool { return len(s.Actions) > 0 }},
	{"memory", "memory", func(s snapshot.Snapshot) bool {
		return s.Memory != nil && (s.Memory.Contract != nil || len(s.Memory.Carriers) > 0)
	}},
	{"attestations", "attestations", func(s snapshot.Snapshot) bool { return len(s.Attestations) > 0 }},
	{"url_checks", "methods", func(s snapshot.Snapshot) bool { return len(s.URLChecks) > 0 }},
	{"runs", "methods", func(s snapshot.Snapshot) bool { return len(s.Runs) > 0 }},
	{"merge_group", "merge queue", func(s snapshot.Snapshot) bool { return s.MergeGroup != nil }},
	{"pull_request.changed_files", "people", func(s snapshot.Snapshot) bool {
		return s.PullRequest.ChangedFiles != nil && *s.PullRequest.ChangedFiles == 0
	}},
}

// carrierMarker starts every marker of section 6.
const carrierMarker = "AGENTIC_LOOP_VERIFICATION_"

func carriers(comments []snapshot.Comment) bool {
	for _, c := range comments {
		if strings.Contains(c.Body, carrierMarker) {
			return true
		}
		for _, r := range c.Revisions {
			if r.Body != nil && strings.Contains(*r.Body, carrierMarker) {
				return true
			}
		}
	}
	return false
}

func rejected(reviews []snapshot.Review) bool {
	for _, r := range reviews {
		if r.State == "changes_requested" {
			return true
		}
	}
	return false
}

// untrustedHand reports whether the revision that last changed the contract is by an account that
// is deleted, is no User or is known not to have write permission (C8). An author that was not read
// is left to the people judge.
func untrustedHand(issue snapshot.Issue) bool {
	revisions := issue.Revisions
	if len(revisions) == 0 {
		return issue.Author != nil && !trustedHand(issue.Author)
	}
	if !slices.ContainsFunc(revisions, func(r snapshot.Revision) bool { return !trustedHand(r.Editor) }) {
		return false
	}
	i, left := len(revisions)-1, maxHistoryBytes
	for ; i > 0; i-- {
		is, was := revisions[i].Body, revisions[i-1].Body
		if is == nil || was == nil {
			break
		}
		if *is == *was {
			continue
		}
		if left -= len(*is) + len(*was); left < 0 {
			return true
		}
		if contractDigest(*is) != contractDigest(*was) {
			break
		}
	}
	return !trustedHand(revisions[i].Editor)
}

// maxHistoryBytes bounds how much of the task's history is read to find who wrote the contract; a
// longer one with a hand that is not trusted in it does not count.
const maxHistoryBytes = 2 << 20

func contractDigest(text string) string {
	contract, _ := ReadContract(text)
	return contract.Digest()
}

func trustedHand(hand *snapshot.Actor) bool {
	return hand != nil && (hand.Type == "User" || hand.Type == "") && !slices.Contains(readers, hand.Permission)
}

// readers are the permissions that do not include writing; one that was not read is empty.
var readers = []string{"triage", "read", "none"}

// judgeMembers refuses facts that could not be read and facts that nobody judges yet.
func (e *evaluation) judgeMembers() bool {
	if e.offline {
		return true
	}
	if head := e.snapshot.PullRequest.HeadSHA; !prbody.Canonical(head) {
		d := report.New(report.CodeSnapshotFactUnavailable, fmt.Sprintf("the head commit is %s, not 40 or 64 lower-case hexadecimal digits", quoteOrNothing(head)))
		d.Details = map[string]any{"fact": "pull_request.head_sha"}
		e.add(d)
	}
	for _, m := range unjudged {
		if !m.matters(e.snapshot) {
			continue
		}
		d := report.New(report.CodeGateUnavailable, fmt.Sprintf("the snapshot holds %s, which this version cannot judge (it needs the %s judge)", m.name, m.judge))
		d.Details = map[string]any{"member": m.name}
		d.Help = "wait for a version that can; the README lists what this one judges"
		e.add(d)
	}
	for _, u := range e.snapshot.Unavailable {
		if warnsOnly[u.Fact] {
			continue
		}
		d := report.New(report.CodeSnapshotFactUnavailable, fmt.Sprintf("%s could not be read: %s", u.Fact, u.Reason))
		d.Details = map[string]any{"fact": u.Fact}
		e.add(d)
	}
	return true
}

// warnsOnly lists the facts that can only lead to a warning, so that no verdict needs them: whether
// evidence was renewed is told from the body's earlier texts, which GitHub hides from tokens without
// write access.
var warnsOnly = map[string]bool{"pull_request.revisions": true}

func (e *evaluation) unavailable(fact string) bool {
	for _, u := range e.snapshot.Unavailable {
		if u.Fact == fact {
			return true
		}
	}
	return false
}
