package githubtest

import "fmt"

// checkRunJSON is the check run as REST shows it.
func (w *World) checkRunJSON(run *checkRun) object {
	r := run.suite.repository
	u := fmt.Sprintf("%s/check-runs/%d", w.repositoryURL(r), run.ID)
	html := fmt.Sprintf("%s/%s/runs/%d", webURL, r.fullName(), run.ID)
	details := run.DetailsURL
	if details == "" {
		details = html
	}
	return object{
		"id": run.ID, "name": run.Name, "node_id": nodeID("CR", run.ID), "head_sha": run.HeadSHA,
		"external_id": run.ExternalID, "url": u, "html_url": html, "details_url": details,
		"status": run.Status, "conclusion": orNull(run.Conclusion), "started_at": timestamp(run.StartedAt),
		"completed_at": timestamp(run.CompletedAt),
		"output": object{
			"title": orNull(run.Title), "summary": orNull(run.Summary), "text": orNull(run.Text),
			"annotations_count": 0, "annotations_url": u + "/annotations",
		},
		"check_suite": object{"id": run.suite.id}, "app": w.appJSON(run.suite.app),
		"pull_requests": w.minimalPulls(r.pullsOfCommit(run.HeadSHA)),
	}
}

// checkRunHookJSON is the check run as webhooks hold it: with its whole suite.
func (w *World) checkRunHookJSON(run *checkRun) object {
	json := w.checkRunJSON(run)
	json["check_suite"] = w.checkSuiteJSON(run.suite)
	return json
}

func (w *World) checkSuiteJSON(s *checkSuite) object {
	r := s.repository
	json := object{
		"id": s.id, "node_id": nodeID("CS", s.id), "head_branch": nil, "head_sha": s.sha,
		"status": "completed", "conclusion": nil, "before": nil, "after": nil,
		"url":           fmt.Sprintf("%s/check-suites/%d", w.repositoryURL(r), s.id),
		"pull_requests": w.minimalPulls(r.pullsOfCommit(s.sha)), "app": w.appJSON(s.app),
		"created_at": timestamp(s.createdAt), "updated_at": timestamp(w.now()),
	}
	for _, p := range r.pullsOfCommit(s.sha) {
		json["head_branch"], json["before"], json["after"] = p.headBranch, orNull(p.before), s.sha
	}
	json["status"], json["conclusion"] = s.state()
	return json
}

// state of a suite: completed with the worst conclusion once all its runs are, else in progress.
func (s *checkSuite) state() (status string, conclusion any) {
	status = "queued"
	worst := ""
	for _, run := range s.repository.latestCheckRuns(s.sha) {
		if run.suite != s {
			continue
		}
		if run.Status != "completed" {
			return "in_progress", nil
		}
		status = "completed"
		if worst == "" || passing(worst) {
			worst = run.Conclusion
		}
	}
	return status, orNull(worst)
}

// passing says whether a conclusion lets a required check pass: "About status checks" in GitHub's
// documentation.
func passing(conclusion string) bool {
	return conclusion == "success" || conclusion == "neutral" || conclusion == "skipped"
}
