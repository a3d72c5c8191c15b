package githubtest

import "fmt"

func (w *World) pullURL(p *PullRequest) string {
	return fmt.Sprintf("%s/pulls/%d", w.repositoryURL(p.repository), p.number)
}

func pullHTML(p *PullRequest) string {
	return fmt.Sprintf("%s/%s/pull/%d", webURL, p.repository.fullName(), p.number)
}

// pullJSON is the pull request as lists hold it.
func (w *World) pullJSON(p *PullRequest) object {
	u, issue := w.pullURL(p), w.issueURL(&p.thread)
	statuses := w.repositoryURL(p.repository) + "/statuses/" + p.head
	link := func(href string) object { return object{"href": href} }
	people, teams := w.requestedJSON(p)
	json := object{
		"url": u, "id": p.pullID, "node_id": nodeID("PR", p.pullID), "html_url": pullHTML(p),
		"diff_url": pullHTML(p) + ".diff", "patch_url": pullHTML(p) + ".patch", "issue_url": issue,
		"number": p.number, "state": stateOf(p.open), "locked": false, "title": p.title,
		"user": w.userJSON(p.body.author), "body": orNull(p.body.text()),
		"created_at": timestamp(p.body.created()), "updated_at": timestamp(p.updatedAt),
		"closed_at": timestamp(p.closedAt), "merged_at": timestamp(p.mergedAt),
		"merge_commit_sha": orNull(p.mergeSHA), "assignee": nil, "assignees": []object{},
		"requested_reviewers": people, "requested_teams": teams, "labels": w.labelsJSON(&p.thread),
		"milestone": nil, "draft": p.draft, "commits_url": u + "/commits",
		"review_comments_url": u + "/comments",
		"review_comment_url":  w.repositoryURL(p.repository) + "/pulls/comments{/number}",
		"comments_url":        issue + "/comments", "statuses_url": statuses,
		"head": w.headJSON(p), "base": w.baseJSON(p),
		"_links": object{
			"self": link(u), "html": link(pullHTML(p)), "issue": link(issue), "comments": link(issue + "/comments"),
			"review_comments": link(u + "/comments"),
			"review_comment":  link(w.repositoryURL(p.repository) + "/pulls/comments{/number}"),
			"commits":         link(u + "/commits"), "statuses": link(statuses),
		},
		"author_association": p.repository.association(p.body.author), "auto_merge": nil, "active_lock_reason": nil,
	}
	return json
}

// fullPullJSON is what "Get a pull request" answers and webhooks hold.
func (w *World) fullPullJSON(p *PullRequest) object {
	files := len(p.files())
	json := w.pullJSON(p)
	for name, value := range (object{
		"merged": p.merged, "mergeable": nil, "rebaseable": nil, "mergeable_state": "unknown",
		"merged_by": w.nullableUser(p.mergedBy), "comments": len(p.comments), "review_comments": 0,
		"maintainer_can_modify": p.fromFork(), "commits": len(p.commits), "additions": files, "deletions": 0,
		"changed_files": files,
	}) {
		json[name] = value
	}
	return json
}

// headJSON holds null for the repository of a deleted fork.
func (w *World) headJSON(p *PullRequest) object {
	r := p.headRepository
	json := object{
		"label": r.owner.shown().login + ":" + p.headBranch, "ref": p.headBranch, "sha": p.head,
		"user": w.userJSON(r.owner), "repo": nil,
	}
	if !r.deleted {
		json["repo"] = w.repositoryJSON(r)
	}
	return json
}

func (w *World) baseJSON(p *PullRequest) object {
	r := p.repository
	return object{
		"label": r.owner.shown().login + ":" + p.base, "ref": p.base, "sha": p.baseAtOpening,
		"user": w.userJSON(r.owner), "repo": w.repositoryJSON(r),
	}
}

// minimalPull is the pull request as check runs and suites name it.
func (w *World) minimalPull(p *PullRequest) object {
	return object{
		"url": w.pullURL(p), "id": p.pullID, "number": p.number,
		"head": object{"ref": p.headBranch, "sha": p.head, "repo": w.minimalRepository(p.headRepository)},
		"base": object{"ref": p.base, "sha": p.baseAtOpening, "repo": w.minimalRepository(p.repository)},
	}
}

func (w *World) minimalPulls(pulls []*PullRequest) []object {
	list := make([]object, 0, len(pulls))
	for _, p := range pulls {
		list = append(list, w.minimalPull(p))
	}
	return list
}

func (w *World) fileJSON(p *PullRequest, f File) object {
	status := f.Status
	if status == "" {
		status = "modified"
	}
	json := object{
		"sha": "bbcd538c8e72b8c175046e27cc8f907076331401", "filename": f.Path, "status": status,
		"additions": 1, "deletions": 0, "changes": 1,
		"blob_url":     fmt.Sprintf("%s/%s/blob/%s/%s", webURL, p.repository.fullName(), p.head, f.Path),
		"raw_url":      fmt.Sprintf("%s/%s/raw/%s/%s", webURL, p.repository.fullName(), p.head, f.Path),
		"contents_url": fmt.Sprintf("%s/contents/%s?ref=%s", w.repositoryURL(p.repository), f.Path, p.head),
	}
	if f.Previous != "" {
		json["previous_filename"] = f.Previous
	}
	return json
}

func (w *World) reviewJSON(r *Review) object {
	html := fmt.Sprintf("%s#pullrequestreview-%d", pullHTML(r.pull), r.id)
	return object{
		"id": r.id, "node_id": nodeID("PRR", r.id), "user": w.userJSON(r.body.author), "body": orNull(r.body.text()),
		"commit_id": r.commit, "submitted_at": timestamp(r.submittedAt),
		"state": r.state, "html_url": html, "pull_request_url": w.pullURL(r.pull),
		"author_association": r.pull.repository.association(r.body.author),
		"_links":             object{"html": object{"href": html}, "pull_request": object{"href": w.pullURL(r.pull)}},
	}
}
