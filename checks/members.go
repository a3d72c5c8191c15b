package checks

import (
	"fmt"
	"slices"

	"github.com/evidence-gate/evidence-gate/prbody"
	"github.com/evidence-gate/evidence-gate/profile/policy"
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

// unjudged lists the members without a judge (design section 1).
var unjudged = []member{
	{"attestations", "attestations", func(s snapshot.Snapshot) bool { return len(s.Attestations) > 0 }},
	{"url_checks", "methods", func(s snapshot.Snapshot) bool { return len(s.URLChecks) > 0 }},
	{"merge_group", "merge queue", func(s snapshot.Snapshot) bool { return s.MergeGroup != nil }},
}

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
		if reader := neededBy[u.Fact]; reader == nil || reader(e) {
			e.need(u)
		}
	}
	return true
}

// neededBy tells when a fact is needed that not every verdict needs; those with no row always are.
// Where a judge finds the need only while it judges, the row says never and the judge asks (need).
var neededBy = map[string]func(*evaluation) bool{
	// Whether evidence was renewed is told from the body's earlier texts, which GitHub hides from
	// tokens without write access. By default it only warns.
	"pull_request.revisions": func(e *evaluation) bool { return e.policy.Unrenewed == policy.Fail },
	// Judged by the policy where it asks by paths, labels, commits or teams; a status of GitHub
	// Actions is not trusted while the changed paths are unknown.
	"changed_paths": never, "labels": never, "commits": never, "teams": never,
	// What a triage refers to, and whose hand wrote it: judged with the attempts.
	"profile": never, "references": never, "permissions": func(e *evaluation) bool { return e.unknownHand() },
}

func never(*evaluation) bool { return false }

// unknownHand reports whether the permission of somebody who wrote the task is not known (C8).
func (e *evaluation) unknownHand() bool {
	issue := e.snapshot.Issue
	if issue == nil {
		return false
	}
	unknown := func(a *snapshot.Actor) bool { return a != nil && a.Type != "Bot" && a.Permission == "" }
	if len(issue.Revisions) == 0 {
		return unknown(issue.Author)
	}
	return slices.ContainsFunc(issue.Revisions, func(r snapshot.Revision) bool { return unknown(r.Editor) })
}

func (e *evaluation) unavailable(fact string) bool {
	for _, u := range e.snapshot.Unavailable {
		if u.Fact == fact {
			return true
		}
	}
	return false
}
