package event

import "github.com/google/go-github/v66/github"

// workflowRun tells that a workflow ended: the name of the workflow behind a check run is known by then.
func workflowRun(payload []byte, self Self) (Hint, error) {
	var p github.WorkflowRunEvent
	if err := unmarshal(payload, &p); err != nil {
		return Hint{}, err
	}
	if p.WorkflowRun == nil {
		return Hint{}, missing("workflow_run.head_sha")
	}
	hint := hintFrom(p.GetAction(), p.GetRepo(), p.GetInstallation())
	switch {
	case p.GetAction() != "completed":
		hint.Reason = noChange
		return hint, nil
	case self.isOwnBot(p.GetSender().GetLogin(), p.GetSender().GetType()):
		hint.Reason = ownDoing
		return hint, nil
	}
	hint.Reason = "workflow run completed"
	return hint.onHead(p.GetWorkflowRun().GetHeadSHA(), "workflow_run.head_sha", p.GetWorkflowRun().PullRequests)
}
