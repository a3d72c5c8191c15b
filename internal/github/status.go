package github

import (
	"context"
	"slices"
	"strings"

	"github.com/evidence-gate/evidence-gate/snapshot"
)

// actionsApp is the slug of GitHub Actions, whose runs are those of a workflow.
const actionsApp = "github-actions"

// statusChecks reads check runs and commit statuses of the head commit. Right after a push GitHub
// may still list the commits of before it: then nothing is known of the head yet.
func (l *loading) statusChecks(ctx context.Context, pr *pullRequestNode) ([]snapshot.StatusCheck, error) {
	if pr.Head == nil || len(pr.Head.Nodes) == 0 || pr.Head.Nodes[0] == nil || pr.Head.Nodes[0].Commit == nil {
		l.holes.add(factStatusChecks, "GitHub lists no commit of the pull request")
		return nil, nil
	}
	head := pr.Head.Nodes[0].Commit
	if head.OID != pr.HeadRefOID {
		return nil, l.incomplete("the head is %s and the last commit that GitHub lists is %s: the push is not visible everywhere yet", pr.HeadRefOID, head.OID)
	}
	if head.Rollup == nil {
		return nil, nil
	}
	nodes, err := rest(ctx, l, list{"MoreContexts", head.ID, factStatusChecks}, head.Rollup.Contexts)
	if err != nil {
		return nil, err
	}
	var checks []snapshot.StatusCheck
	for _, n := range nodes {
		switch n.Type {
		case "CheckRun":
			run := n.checkRun()
			if run.App == actionsApp && slices.Contains(l.client.asks.missing(), workflowField) {
				l.holes.add(factStatusChecks, lacking(workflowField))
			}
			checks = append(checks, run)
		case "StatusContext":
			checks = append(checks, n.commitStatus())
		}
	}
	return checks, nil
}

func (n contextNode) checkRun() snapshot.StatusCheck {
	c := snapshot.StatusCheck{
		Name:        n.Name,
		Status:      strings.ToLower(n.Status),
		StartedAt:   n.StartedAt,
		CompletedAt: n.CompletedAt,
		URL:         n.DetailsURL,
	}
	if n.Conclusion != nil {
		lower := strings.ToLower(*n.Conclusion)
		c.Conclusion = &lower
	}
	if n.CheckSuite == nil {
		return c
	}
	if n.CheckSuite.App != nil {
		c.App = n.CheckSuite.App.Slug
	}
	if run := n.CheckSuite.WorkflowRun; run != nil && run.Workflow != nil {
		c.Workflow = run.Workflow.Name
	}
	return c
}

func (n contextNode) commitStatus() snapshot.StatusCheck {
	c := snapshot.StatusCheck{
		Context:   n.Context,
		State:     strings.ToLower(n.State),
		CreatedAt: n.CreatedAt,
		URL:       n.TargetURL,
	}
	if creator := actor(n.Creator); creator != nil {
		c.Creator = creator.Login
	}
	return c
}
