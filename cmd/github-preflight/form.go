package main

import (
	"context"

	"github.com/evidence-gate/evidence-gate/checks"
	"github.com/evidence-gate/evidence-gate/snapshot"
)

// form is what the evidence of a live pull request has to look like.
type form struct {
	checks.Form
	live      *live
	snapshot  snapshot.Snapshot
	documents map[string]string // the texts that its diagnostics point into
}

// readForm reads the pull request and writes the section for its head.
func readForm(ctx context.Context, p process, o liveOptions) (form, error) {
	l, err := connect(ctx, p, o)
	if err != nil {
		return form{}, couldNotJudge(err)
	}
	s, err := l.snapshot(ctx)
	if err != nil {
		return form{}, couldNotJudge(l.advise(err))
	}
	return form{Form: copyable(checks.FormOf(s), taskOf(s)), live: l, snapshot: s, documents: documents(s)}, nil
}

func taskOf(s snapshot.Snapshot) string {
	if s.Issue == nil || s.Issue.Body == nil {
		return ""
	}
	return *s.Issue.Body
}
