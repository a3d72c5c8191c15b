package githubtest

import "fmt"

func (w *World) issueURL(t *thread) string {
	return fmt.Sprintf("%s/issues/%d", w.repositoryURL(t.repository), t.number)
}

func reactionsJSON(url string) object {
	json := object{"url": url + "/reactions", "total_count": 0}
	for _, kind := range []string{"+1", "-1", "laugh", "hooray", "confused", "heart", "rocket", "eyes"} {
		json[kind] = 0
	}
	return json
}

func stateOf(open bool) string {
	if open {
		return "open"
	}
	return "closed"
}

// issueJSON is the issue, or the pull request as the issues API shows it. A body that was never
// written is null, as GitHub has it.
func (w *World) issueJSON(t *thread, p *PullRequest) object {
	u := w.issueURL(t)
	html := fmt.Sprintf("%s/%s/issues/%d", webURL, t.repository.fullName(), t.number)
	id := nodeID("I", t.issueID)
	if p != nil {
		html, id = pullHTML(p), nodeID("PR", p.pullID)
	}
	json := object{
		"url": u, "repository_url": w.repositoryURL(t.repository), "labels_url": u + "/labels{/name}",
		"comments_url": u + "/comments", "events_url": u + "/events", "timeline_url": u + "/timeline",
		"html_url": html, "id": t.issueID, "node_id": id, "number": t.number, "title": t.title,
		"user": w.userJSON(t.body.author), "labels": w.labelsJSON(t), "state": stateOf(t.open), "locked": false,
		"assignee": nil, "assignees": []object{}, "milestone": nil, "comments": len(t.comments),
		"created_at": timestamp(t.body.created()), "updated_at": timestamp(t.updatedAt),
		"closed_at": timestamp(t.closedAt), "author_association": t.repository.association(t.body.author),
		"active_lock_reason": nil, "body": orNull(t.body.text()), "reactions": reactionsJSON(u),
		"performed_via_github_app": nil, "state_reason": nil,
	}
	if !t.open && p == nil {
		json["state_reason"] = "completed"
	}
	if p != nil {
		json["draft"] = p.draft
		json["pull_request"] = object{
			"url": w.pullURL(p), "html_url": html, "diff_url": html + ".diff", "patch_url": html + ".patch",
			"merged_at": timestamp(p.mergedAt),
		}
	}
	return json
}

func (w *World) commentJSON(c *Comment) object {
	u := fmt.Sprintf("%s/issues/comments/%d", w.repositoryURL(c.thread.repository), c.id)
	page := "issues"
	if c.pull != nil {
		page = "pull"
	}
	json := object{
		"url": u, "issue_url": w.issueURL(c.thread), "id": c.id, "node_id": nodeID("IC", c.id),
		"html_url": fmt.Sprintf("%s/%s/%s/%d#issuecomment-%d", webURL, c.thread.repository.fullName(), page, c.thread.number, c.id),
		"user":     w.userJSON(c.body.author), "created_at": timestamp(c.body.created()),
		"updated_at": timestamp(c.updatedAt), "author_association": c.thread.repository.association(c.body.author),
		"body": c.body.text(), "reactions": c.reactionsJSON(u), "performed_via_github_app": nil,
	}
	if c.app != nil {
		json["performed_via_github_app"] = w.appJSON(c.app)
	}
	return json
}
