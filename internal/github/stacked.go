package github

import (
	"cmp"
	"context"
	"slices"

	"github.com/evidence-gate/evidence-gate/snapshot"
)

// stackedOn reads the open pull requests whose head branch is the base of this one (section 10). A
// fork may have a branch of that name too, and the branch may be the head of a pull request into
// another repository: neither is one that this one is stacked on. Who opened them is part of who did
// the work, so that the commits count as unread where that cannot be told.
func (l *loading) stackedOn(ctx context.Context, pr *pullRequestNode, own string) ([]snapshot.StackedOn, error) {
	if pr.BaseRef == nil {
		return nil, nil // GitHub closes what comes from a branch that is deleted
	}
	if pr.BaseRef.Stacked == nil {
		l.holes.add(factCommits, "GitHub left out on which pull requests this one is stacked")
		return nil, nil
	}
	nodes, err := rest(ctx, l, list{"MoreStacked", pr.BaseRef.ID, factCommits}, pr.BaseRef.Stacked)
	if err != nil {
		return nil, err
	}
	var found []snapshot.StackedOn
	for _, n := range nodes {
		if n.Number != pr.Number && !n.IsCrossRepository && n.Repository != nil && n.Repository.NameWithOwner == own {
			found = append(found, snapshot.StackedOn{Number: n.Number, Author: actor(n.Author)})
		}
	}
	slices.SortFunc(found, func(a, b snapshot.StackedOn) int { return cmp.Compare(a.Number, b.Number) })
	return found, nil
}
