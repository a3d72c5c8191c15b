package memory

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/evidence-gate/evidence-gate/app/button"
	"github.com/evidence-gate/evidence-gate/app/store"
	"github.com/evidence-gate/evidence-gate/checks"
	"github.com/evidence-gate/evidence-gate/report"
	"github.com/evidence-gate/evidence-gate/snapshot"
)

// contract is what is remembered of the pull request's contract (design section 10). At first sight it
// is what the App published before, should the store have lost it, else the text of the task as it
// stood when the pull request was created. While there is none, additions are taken: what comes first
// is remembered. A record that is damaged leaves the memory incomplete, and nothing passes.
func (m Memory) contract(ctx context.Context, pull Pull, s *snapshot.Snapshot) (*snapshot.RememberedContract, error) {
	number := s.PullRequest.Number
	remembered, known, err := m.Store.Contract(ctx, pull.RepositoryID, number)
	if errors.Is(err, store.ErrUnreadable) {
		s.Unavailable = append(slices.Clone(s.Unavailable), snapshot.Unavailable{Fact: fact, Reason: "what was remembered of the contract cannot be read"})
		return nil, nil
	}
	if err != nil || remembered != nil || s.Issue == nil || unread(*s, "issue") || unread(*s, "issue.revisions") {
		return remembered, err
	}
	if !known && pull.Published != nil {
		if remembered, err = pull.Published(ctx, *s); err != nil {
			return nil, fmt.Errorf("read what was published of the contract: %w", err)
		}
	}
	if remembered == nil && !known {
		remembered = checks.Remember(*s)
	}
	if remembered == nil {
		remembered = Present(*s)
	}
	return remembered, m.Store.RememberContract(ctx, pull.RepositoryID, number, remembered)
}

// Present is the contract of a Snapshot as it stands now; nil when there is none that can be judged.
func Present(s snapshot.Snapshot) *snapshot.RememberedContract {
	s.PullRequest.CreatedAt = "" // no earlier text
	return checks.Remember(s)
}

// Learn keeps the contract as it stands now when the report says that it may: additions are taken,
// and what a maintainer accepted replaces what was remembered. It returns what is remembered then.
func (m Memory) Learn(ctx context.Context, repositoryID int64, s snapshot.Snapshot, r report.Report) (*snapshot.RememberedContract, error) {
	var remembered *snapshot.RememberedContract
	if s.Memory != nil {
		remembered = s.Memory.Contract
	}
	if remembered == nil || !accepted(r) {
		return remembered, nil
	}
	now := Present(s)
	if now == nil || now.Issue == remembered.Issue && now.Digest == remembered.Digest {
		return remembered, nil
	}
	return now, m.Store.RememberContract(ctx, repositoryID, s.PullRequest.Number, now)
}

// accepted says whether the contract was compared with the remembered one and nothing was held against
// it. Checks are in a report only then. Under an override findings are notes and stand in the report
// all the same.
func accepted(r report.Report) bool {
	return len(r.Checks) > 0 && !slices.ContainsFunc(r.Diagnostics, func(d report.Diagnostic) bool { return button.Acceptable(d.Code) })
}

func unread(s snapshot.Snapshot, what string) bool {
	return slices.ContainsFunc(s.Unavailable, func(u snapshot.Unavailable) bool { return u.Fact == what })
}
