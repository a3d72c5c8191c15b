package githubtest

import "maps"

// webhook is one event that the world produced: what GitHub would send to the app.
type webhook struct {
	event        string
	installation *Installation
	payload      object
}

// emit sends an event about a repository to the app, if it is installed there, not suspended and
// subscribed to the event.
func (w *World) emit(event, action string, r *Repository, sender *account, members object) {
	i := w.installationFor(r)
	if i == nil || !i.suspendedAt.IsZero() || !contains(i.events, event) {
		return
	}
	payload := object{
		"repository": w.repositoryJSON(r), "sender": w.userJSON(sender),
		"installation": object{"id": i.id, "node_id": nodeID("IN", i.id)},
	}
	if action != "" {
		payload["action"] = action
	}
	if r.owner.kind == "Organization" {
		payload["organization"] = w.organizationJSON(r.owner)
	}
	maps.Copy(payload, members)
	w.send(webhook{event: event, installation: i, payload: payload})
}

func (w *World) send(h webhook) {
	if w.hook != nil {
		w.hook(h)
	}
}

func contains(list []string, s string) bool {
	for _, item := range list {
		if item == s {
			return true
		}
	}
	return false
}

func (w *World) organizationJSON(a *account) object {
	u := w.apiURL + "/orgs/" + a.login
	return object{
		"login": a.login, "id": a.id, "node_id": accountNodeID(a), "url": u, "repos_url": u + "/repos",
		"events_url": u + "/events", "hooks_url": u + "/hooks", "issues_url": u + "/issues",
		"members_url": u + "/members{/member}", "public_members_url": u + "/public_members{/member}",
		"avatar_url": w.userJSON(a)["avatar_url"], "description": nil,
	}
}

func (w *World) emitPull(p *PullRequest, action string, sender *account, more object) {
	members := object{"number": p.number, "pull_request": w.fullPullJSON(p)}
	maps.Copy(members, more)
	w.emit("pull_request", action, p.repository, sender, members)
}

func (w *World) emitIssue(i *Issue, action string, sender *account, more object) {
	members := object{"issue": w.issueJSON(&i.thread, nil)}
	maps.Copy(members, more)
	w.emit("issues", action, i.repository, sender, members)
}

func (w *World) emitComment(c *Comment, action string, sender *account, more object) {
	members := object{"issue": w.issueJSON(c.thread, c.pull), "comment": w.commentJSON(c)}
	maps.Copy(members, more)
	w.emit("issue_comment", action, c.thread.repository, sender, members)
}

func (w *World) emitReview(r *Review, action string, sender *account, more object) {
	members := object{"review": w.reviewJSON(r), "pull_request": w.pullJSON(r.pull)}
	maps.Copy(members, more)
	w.emit("pull_request_review", action, r.pull.repository, sender, members)
}

// emitCheckRun sends what happened to a check run. A re-run and a button go only to the app that
// made it; without a sender it is that app's bot.
func (w *World) emitCheckRun(run *checkRun, action string, sender *account, more object) {
	own := run.suite.app.slug == w.app.Slug
	if (action == "rerequested" || action == "requested_action") && !own {
		return
	}
	if sender == nil {
		sender = w.account(run.suite.app.slug + botSuffix)
	}
	members := object{"check_run": w.checkRunHookJSON(run)}
	maps.Copy(members, more)
	w.emit("check_run", action, run.suite.repository, sender, members)
}

func (w *World) emitCheckSuite(s *checkSuite, action string, sender *account) {
	suite := w.checkSuiteJSON(s)
	suite["latest_check_runs_count"] = len(s.repository.latestCheckRuns(s.sha))
	suite["check_runs_url"] = suite["url"].(string) + "/check-runs"
	suite["head_commit"] = w.headCommitJSON(s.repository.commits[s.sha])
	w.emit("check_suite", action, s.repository, sender, object{"check_suite": suite})
}

func (w *World) headCommitJSON(c *commit) object {
	who := func(g gitActor) object { return object{"name": g.name, "email": g.email} }
	return object{
		"id": c.sha, "tree_id": c.sha, "message": c.message, "timestamp": timestamp(c.at),
		"author": who(c.authors[0]), "committer": who(c.committer),
	}
}

func (w *World) emitInstallation(i *Installation, action string) {
	repositories := []object{}
	for _, r := range w.repositories {
		if i.covers(r) && !r.deleted {
			repositories = append(repositories, object{
				"id": r.id, "node_id": nodeID("R", r.id), "name": r.name, "full_name": r.fullName(), "private": !r.public,
			})
		}
	}
	payload := object{"action": action, "installation": w.installationJSON(i), "sender": w.userJSON(i.account)}
	if action != "suspend" && action != "unsuspend" {
		payload["repositories"] = repositories
	}
	w.send(webhook{event: "installation", installation: i, payload: payload})
}

func (w *World) emitStatus(r *Repository, s *commitStatus) {
	c := r.commits[s.SHA]
	git := func(g gitActor) object { return object{"name": g.name, "email": g.email, "date": timestamp(c.at)} }
	u := w.repositoryURL(r) + "/commits/" + c.sha
	tree := w.repositoryURL(r) + "/git/trees/" + c.sha
	w.emit("status", "", r, s.creator, object{
		"id": s.id, "sha": s.SHA, "name": r.fullName(), "avatar_url": w.userJSON(s.creator)["avatar_url"],
		"target_url": orNull(s.TargetURL), "context": s.Context, "description": orNull(s.Description), "state": s.State,
		"commit": object{
			"sha": c.sha, "node_id": nodeID("C", r.id), "url": u, "html_url": webURL + "/" + r.fullName() + "/commit/" + c.sha,
			"comments_url": u + "/comments", "parents": []object{},
			"author": w.nullableUser(c.authors[0].account), "committer": w.nullableUser(c.committer.account),
			"commit": object{
				"author": git(c.authors[0]), "committer": git(c.committer), "message": c.message,
				"tree": object{"sha": c.sha, "url": tree}, "url": w.repositoryURL(r) + "/git/commits/" + c.sha,
				"comment_count": 0, "verification": object{
					"verified": false, "reason": "unsigned", "signature": nil, "payload": nil,
				},
			},
		},
		"branches": r.branchesAt(c.sha), "created_at": timestamp(s.createdAt), "updated_at": timestamp(s.createdAt),
	})
}

func (r *Repository) branchesAt(sha string) []object {
	branches := []object{}
	for _, name := range sortedKeys(r.branches) {
		if r.branches[name] == sha {
			branches = append(branches, object{
				"name": name, "protected": false,
				"commit": object{"sha": sha, "url": r.world.repositoryURL(r) + "/commits/" + sha},
			})
		}
	}
	return branches
}
