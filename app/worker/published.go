package worker

import (
	"context"
	"slices"
	"strings"

	"github.com/evidence-gate/evidence-gate/approval"
	"github.com/evidence-gate/evidence-gate/internal/published"
	"github.com/evidence-gate/evidence-gate/profile/policy"
	"github.com/evidence-gate/evidence-gate/report"
	"github.com/evidence-gate/evidence-gate/snapshot"
)

// readBack reads what was published of a pull request's contract before, should the store have lost it.
func (w *Worker) readBack(from Installation, t task, name string) func(context.Context, snapshot.Snapshot) (*snapshot.RememberedContract, error) {
	return func(ctx context.Context, s snapshot.Snapshot) (*snapshot.RememberedContract, error) {
		states, err := from.Published(ctx, t.repo, s.PullRequest.HeadSHA, name)
		if err != nil {
			return nil, err
		}
		for _, state := range states {
			if state.RepositoryID == t.RepositoryID && state.PullRequest == t.Number() && state.Contract != nil {
				return state.Contract, nil
			}
		}
		return nil, nil
	}
}

// block is the machine-readable end of a check run's text: the contract as it is remembered now and the
// actions that count.
func (w *Worker) block(ctx context.Context, t task, s snapshot.Snapshot, roles policy.Roles, r report.Report, contract *snapshot.RememberedContract) string {
	return w.encode(ctx, t, published.State{
		RepositoryID: t.RepositoryID, PullRequest: t.Number(), HeadSHA: r.HeadSHA, Digest: r.Contract.Digest,
		Contract: contract, Actions: counting(s, roles, r),
	})
}

// blockOf is the end of a text that shows another pull request's report: what is remembered of that one
// is left out.
func (w *Worker) blockOf(ctx context.Context, t task, number int, r report.Report) string {
	return w.encode(ctx, t, published.State{
		RepositoryID: t.RepositoryID, PullRequest: number, HeadSHA: r.HeadSHA, Digest: r.Contract.Digest, Left: true,
	})
}

// encode leaves the block out where it cannot be written: then the buttons only judge again.
func (w *Worker) encode(ctx context.Context, t task, state published.State) string {
	block, err := published.Encode(state)
	if err != nil {
		t.log.WarnContext(ctx, "the memory cannot be published", "error", err.Error())
		return ""
	}
	return block
}

// counting are the actions that bear on the verdict on this head.
func counting(s snapshot.Snapshot, roles policy.Roles, r report.Report) []snapshot.Action {
	var list []snapshot.Action
	override, _ := approval.FindOverride(s, roles)
	for i := range s.Actions {
		a := &s.Actions[i]
		if a.Actor == nil || !slices.Contains(published.Kinds, a.Kind) {
			continue
		}
		counts := true
		switch a.Kind {
		case "approve":
			counts = a.HeadSHA == r.HeadSHA && slices.ContainsFunc(r.Approvals, func(of report.Approval) bool {
				return of.Counts && strings.EqualFold(of.Actor, a.Actor.Login)
			})
		case "override":
			counts = a == override
		case "accept_contract", "confirm_contract":
			counts = a.Digest == r.Contract.Digest
		}
		if counts {
			list = append(list, *a)
		}
	}
	return list
}
