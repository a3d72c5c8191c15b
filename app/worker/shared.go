package worker

import (
	"cmp"
	"context"
	"slices"

	"github.com/evidence-gate/evidence-gate/app/publish"
	"github.com/evidence-gate/evidence-gate/app/store"
	"github.com/evidence-gate/evidence-gate/internal/github"
	"github.com/evidence-gate/evidence-gate/report"
)

// opinion is the verdict on one of the pull requests that have a head in common.
type opinion struct {
	number int
	report report.Report
	memory string // the block that its check run ends with
}

// share finds the verdict that counts on the target's head: of several open pull requests with that
// head the worst one, whichever of them was judged last (design section 14, Publishing). The others
// are judged afresh, and only those whose policy calls the check run the same. It must be called while
// the head is held, or a verdict from before a change could be published after one from behind it.
func (w *Worker) share(ctx context.Context, from Installation, t task, target *publish.Target, own report.Report) (report.Report, error) {
	others, err := w.Store.SharingHead(ctx, t.Target, target.HeadSHA)
	if err != nil {
		return report.Report{}, err
	}
	opinions := []opinion{{t.Number(), own, target.Memory}}
	for _, other := range others {
		found, name, err := w.opinionOf(ctx, from, t, other, target.HeadSHA, judgedNothing(own))
		if err != nil {
			return report.Report{}, err
		}
		if found == nil {
			continue
		}
		if name == target.Former {
			target.Former = "" // it is still in use
		}
		if name == cmp.Or(target.CheckName, w.CheckName) {
			opinions = append(opinions, *found)
		}
	}
	if len(opinions) == 1 {
		return own, nil
	}
	worst := worstOf(opinions)
	target.Number, target.Sharing, target.Memory = worst.number, sharing(opinions), worst.memory
	return worst.report, nil
}

// opinionOf judges another pull request as it is now, and says what its check run is called. It is nil
// when the pull request does not have the head, is not open or not enrolled. One that cannot be judged
// does not pass; while that may end by itself, the run is tried again, unless the own verdict is that
// nothing can be judged just now.
func (w *Worker) opinionOf(ctx context.Context, from Installation, t task, other store.Target, head string, atOnce bool) (*opinion, string, error) {
	as := t
	as.Target, as.Rerun = other, false
	as.Owner, as.Repository = t.Owner, t.Repository
	as.HeadSHA = "" // whatever an event announced: it has the head or it has not
	facts, _, err := w.loadOnce(ctx, from, as, false)
	switch {
	case github.KindOf(err) == github.NotFound:
		return nil, "", nil
	case err != nil && (atOnce || stepAfter(err, t.attempt, 0) == giveUp):
		r := unavailable(head, clip(err.Error()))
		r.Mode = other.Standing.Mode
		return &opinion{other.Number(), r, w.blockOf(ctx, as, other.Number(), r)}, cmp.Or(other.Standing.CheckName, w.CheckName), nil
	case err != nil:
		return nil, "", err
	case facts.PullRequest.State != "open" || facts.PullRequest.HeadSHA != head || !w.enrolled(facts):
		return nil, "", nil
	}
	policy, readable := policyOf(facts)
	verdict := w.Evaluate(facts, report.Merge)
	contract, err := w.Memory.Learn(ctx, as.RepositoryID, facts, verdict)
	if err != nil {
		return nil, "", err
	}
	memory := w.block(ctx, as, facts, policy.Roles, verdict, contract)
	return &opinion{other.Number(), w.inTime(other, verdict), memory}, cmp.Or(checkName(policy, readable, other.Standing), w.CheckName), nil
}

// weights order conclusions from the one that blocks least.
var weights = map[report.Conclusion]int{
	report.Neutral: 1, report.Success: 1, report.Pending: 2, report.ActionRequired: 3, report.Failure: 4,
}

// worstOf is the opinion that counts; of equals the one with the lowest number, so that it does not
// matter which was judged last. A policy that only reports blocks nothing.
func worstOf(opinions []opinion) opinion {
	weigh := func(o opinion) int {
		if o.report.Mode == publish.ReportOnly {
			return weights[o.report.Conclusion]
		}
		return weights[o.report.Conclusion] * 10
	}
	return slices.MaxFunc(opinions, func(a, b opinion) int {
		return cmp.Or(cmp.Compare(weigh(a), weigh(b)), cmp.Compare(b.number, a.number))
	})
}

// sharing names the opinions in the order of their numbers.
func sharing(opinions []opinion) []publish.Sharing {
	list := make([]publish.Sharing, 0, len(opinions))
	for _, o := range opinions {
		list = append(list, publish.Sharing{Number: o.number, Conclusion: o.report.Conclusion, Mode: o.report.Mode})
	}
	slices.SortFunc(list, func(a, b publish.Sharing) int { return cmp.Compare(a.Number, b.Number) })
	return list
}

// judgedNothing says whether the report is that of a gate that could not judge.
func judgedNothing(r report.Report) bool {
	return len(r.Diagnostics) == 1 && r.Diagnostics[0].Code == report.CodeGateUnavailable
}

// affectedBy are those whose check run this one shared before, and does not share any more: it has
// another head, another name for the run, or none.
func (w *Worker) affectedBy(ctx context.Context, t task, judged store.Judged) ([]int, error) {
	if t.JudgedSHA == judged.HeadSHA && t.Standing.CheckName == judged.Standing.CheckName {
		return nil, nil
	}
	return w.affected(ctx, t, t.JudgedSHA)
}

// affected are the pull requests whose check run may say something else now that this one has left
// these heads.
func (w *Worker) affected(ctx context.Context, t task, left ...string) (numbers []int, err error) {
	for _, head := range left {
		others, err := w.Store.SharingHead(ctx, t.Target, head)
		if err != nil {
			return nil, err
		}
		for _, other := range others {
			numbers = append(numbers, other.Number())
		}
	}
	slices.Sort(numbers)
	return slices.Compact(numbers), nil
}
