package main

import (
	"context"
	"strings"

	"github.com/evidence-gate/evidence-gate/profile"
	"github.com/evidence-gate/evidence-gate/report"
	"github.com/evidence-gate/evidence-gate/snapshot"
)

// form is the Evidence section of a live pull request, ready to fill.
type form struct {
	live        *live
	snapshot    snapshot.Snapshot
	section     string // empty when the task is not in order
	diagnostics []report.Diagnostic
	task        string // the text of the task
}

// readForm reads the pull request and writes the section for its head.
func readForm(ctx context.Context, p process, e engine, o liveOptions) (form, error) {
	l, err := connect(ctx, p, o)
	if err != nil {
		return form{}, couldNotJudge(err)
	}
	s, err := l.snapshot(ctx)
	if err != nil {
		return form{}, couldNotJudge(l.advise(err))
	}
	f := form{live: l, snapshot: s}
	f.section, f.diagnostics, f.task = section(e, s)
	return f, nil
}

// section is the form for the task of a Snapshot. Without one task to go by there is none, and the
// judges' own words say why.
func section(e engine, s snapshot.Snapshot) (text string, diagnostics []report.Diagnostic, task string) {
	linking := aboutTask(e.evaluate(s, report.Review).Diagnostics)
	if s.Issue == nil || s.Issue.Body == nil || report.Conclude(linking) != report.Success {
		return "", linking, ""
	}
	known, _ := profile.Judge(s)
	text, diagnostics = e.form(*s.Issue.Body, s.PullRequest.HeadSHA, known)
	return text, diagnostics, *s.Issue.Body
}

// aboutTask are the diagnostics of how the task was found: while it is not known which one counts,
// there is nothing to write.
func aboutTask(all []report.Diagnostic) []report.Diagnostic {
	var found []report.Diagnostic
	for _, d := range all {
		fact, _ := d.Details["fact"].(string)
		if strings.HasPrefix(string(d.Code), "task.") || d.Code == report.CodeSnapshotFactUnavailable && (fact == "" || fact == "issue") {
			found = append(found, d)
		}
	}
	return found
}
