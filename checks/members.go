package checks

import (
	"fmt"
	"strings"

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

// untrustedHand reports whether the contract was last written by an account that is known not to
// have write permission (C8).
func untrustedHand(issue snapshot.Issue) bool {
	hand := issue.Author
	if n := len(issue.Revisions); n > 0 {
		hand = issue.Revisions[n-1].Editor
	}
	if hand == nil {
		return false
	}
	if hand.Type == "Bot" {
		return true
	}
	switch hand.Permission {
	case "triage", "read", "none":
		return true
	}
	return false
}

// judgeMembers refuses facts that could not be read and facts that nobody judges yet.
func (e *evaluation) judgeMembers() bool {
	for _, m := range unjudged {
		if !m.matters(e.snapshot) {
			continue
		}
		d := report.New(report.CodeGateUnavailable, fmt.Sprintf("the snapshot holds %s, which this version cannot judge (it needs the %s judge)", m.name, m.judge))
		d.Details = map[string]any{"member": m.name}
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
