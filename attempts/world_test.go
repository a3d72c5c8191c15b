package attempts_test

import (
	"fmt"
	"strings"

	"github.com/evidence-gate/evidence-gate/attempts"
	"github.com/evidence-gate/evidence-gate/report"
	"github.com/evidence-gate/evidence-gate/snapshot"
)

// The people of the tests.
var (
	eng     = &snapshot.Actor{Login: "eng", Type: "User", Permission: "write"}
	eng2    = &snapshot.Actor{Login: "eng2", Type: "User", Permission: "write"}
	lead    = &snapshot.Actor{Login: "lead", Type: "User", Permission: "maintain"}
	boss    = &snapshot.Actor{Login: "boss", Type: "User", Permission: "admin"}
	reader  = &snapshot.Actor{Login: "passer-by", Type: "User", Permission: "read"}
	gateBot = &snapshot.Actor{Login: "evidence-gate[bot]", Type: "Bot", Permission: "none"}
)

// Two commits.
const (
	head  = "3f9c1a7be2d84065c1b7a9e0d3f4628517ab90cd"
	older = "9b0e4d2c7a61f35880cc1e2d49ab73f6105e8d24"
)

// attempt writes attempt n: a failed foreground run, changed by "Label: value" lines. A line without
// a value takes the field away.
func attempt(n int, changes ...string) string {
	lines := []string{
		"Artifact: " + head, "Command: `npm test`", "Strategy: foreground", "Timeout ms: 180000", "Outcome: failed", "Duration ms: 4200",
		"Required: true", "Partial evidence: 3 failing in the cache suite", "Proposed next strategy: none", "Candidate classification:",
		"Recorded by: engineer", fmt.Sprintf("Recorded at: 2026-11-29T09:%02d:00Z", n),
	}
	return fmt.Sprintf("#### Attempt %d\n\n%s", n, bullets(lines, changes))
}

// timeout is attempt n as a foreground timeout.
func timeout(n int, changes ...string) string {
	return attempt(n, append([]string{"Outcome: timed_out", "Duration ms: 180000", "Candidate classification: project_fact"}, changes...)...)
}

// prediction writes a prediction for attempt n, based on the one before.
func prediction(n int, changes ...string) string {
	lines := []string{
		fmt.Sprintf("Based on attempt: %d", n-1), "Evidence: 2,100 of 2,310 tests finished before the limit",
		"Predicted completion window ms: 200000-290000", "Chosen timeout ms: 300000", "Recorded by: engineer",
		fmt.Sprintf("Recorded at: 2026-11-29T09:%02d:00Z", n),
	}
	return fmt.Sprintf("#### Foreground escalation prediction for attempt %d\n\n%s", n, bullets(lines, changes))
}

// triage writes a triage of attempt n: a one_off.
func triage(n int, changes ...string) string {
	lines := []string{
		"Classification: one_off", "Reference: none", "Reason: the build host ran out of disk; freed and verified",
		"Triaged by: maintainer", "Triaged at: 2026-11-29T10:00:00Z", "Comment:",
	}
	return fmt.Sprintf("#### Triage for attempt %d\n\n%s", n, bullets(lines, changes))
}

func bullets(lines, changes []string) string {
	var out strings.Builder
	for _, line := range lines {
		label, _, _ := strings.Cut(line, ":")
		for _, c := range changes {
			if changed, _, _ := strings.Cut(c, ":"); changed == label {
				line = c
			}
		}
		if !strings.HasSuffix(line, ":") {
			out.WriteString("- " + line + "\n")
		}
	}
	return out.String() + "\n"
}

// carrier is the text of a carrier of a check.
func carrier(check string, subsections ...string) string {
	return "<!-- AGENTIC_LOOP_VERIFICATION_ATTEMPTS:" + check + " -->\n\n## Verification Attempts\n\n### " + check + "\n\n" +
		strings.Join(subsections, "") + "[[agent: engineer]]\n"
}

// triageComment is the text of a triage comment.
func triageComment(check string, subsections ...string) string {
	return "<!-- AGENTIC_LOOP_VERIFICATION_TRIAGE:" + check + " -->\n\n## Verification Attempts\n\n### " + check + "\n\n" + strings.Join(subsections, "")
}

// clock is a time of the tests' day.
func clock(hhmm string) string { return "2026-11-29T" + hhmm + ":00Z" }

// comment is a comment that was never edited.
func comment(id int64, author *snapshot.Actor, at, body string) snapshot.Comment {
	return snapshot.Comment{ID: id, Author: author, Body: body, CreatedAt: clock(at), UpdatedAt: clock(at)}
}

// edit is one revision.
type edit struct {
	by   *snapshot.Actor
	at   string
	body string
}

// edited is a comment with its revisions, the first by its author.
func edited(id int64, edits ...edit) snapshot.Comment {
	last := edits[len(edits)-1]
	c := snapshot.Comment{ID: id, Author: edits[0].by, Body: last.body, CreatedAt: clock(edits[0].at), UpdatedAt: clock(last.at)}
	for i := range edits {
		c.Revisions = append(c.Revisions, snapshot.Revision{Editor: edits[i].by, EditedAt: clock(edits[i].at), Body: &edits[i].body})
	}
	return c
}

// facts are those of a pull request by eng in a repository with two maintainers, at stage merge.
func facts(task ...snapshot.Comment) attempts.Facts {
	return attempts.Facts{
		Stage: report.Merge, Task: task, Author: eng, Maintainers: 2, Maintainer: role("maintain", "admin"), Trusted: role("write", "maintain", "admin"),
		Checks: []string{"RC-1", "RC-2"}, Facts: []string{"VF-full-suite"}, References: snapshot.References{Decisions: []string{"D-cache"}, Tasks: []string{"T-9"}},
	}
}
