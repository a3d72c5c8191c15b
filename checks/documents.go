package checks

import (
	"fmt"

	"github.com/evidence-gate/evidence-gate/prbody"
	"github.com/evidence-gate/evidence-gate/report"
	"github.com/evidence-gate/evidence-gate/snapshot"
)

// maxSnapshotBytes is how large the documents of one Snapshot may be together (M1).
const maxSnapshotBytes = 16 << 20

// judgeDocuments refuses a Snapshot whose documents are too large together (M1).
func (e *evaluation) judgeDocuments() bool {
	total := 0
	for _, text := range documents(e.snapshot) {
		total += len(text)
	}
	if total <= maxSnapshotBytes {
		return true
	}
	d := report.New(report.CodeDocumentTooLarge, fmt.Sprintf("the documents of this pull request have %d bytes together, at most %d are read", total, maxSnapshotBytes))
	d.Where = &report.Where{Document: prbody.Document}
	e.add(d)
	return false
}

// documents are all texts of a Snapshot that a judge reads as a document.
func documents(s snapshot.Snapshot) []string {
	var out []string
	add := func(texts ...*string) {
		for _, t := range texts {
			if t != nil {
				out = append(out, *t)
			}
		}
	}
	revisions := func(rs []snapshot.Revision) {
		for _, r := range rs {
			add(r.Body)
		}
	}
	comments := func(cs []snapshot.Comment) {
		for _, c := range cs {
			add(&c.Body)
			revisions(c.Revisions)
		}
	}
	add(s.PullRequest.Body)
	revisions(s.PullRequest.Revisions)
	comments(s.Comments)
	if s.Issue != nil {
		add(s.Issue.Body)
		revisions(s.Issue.Revisions)
		comments(s.Issue.Comments)
	}
	for _, f := range []*snapshot.File{s.Policy, s.OrganisationPolicy, s.Profile} {
		if f != nil {
			add(&f.Text)
		}
	}
	if s.Memory != nil {
		for _, c := range s.Memory.Carriers {
			add(&c.Body)
		}
	}
	return out
}
