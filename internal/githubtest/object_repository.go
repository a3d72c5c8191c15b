package githubtest

// Links that every repository object has, relative to the repository's own address.
var repositoryLinks = map[string]string{
	"forks_url": "/forks", "keys_url": "/keys{/key_id}", "collaborators_url": "/collaborators{/collaborator}",
	"teams_url": "/teams", "hooks_url": "/hooks", "issue_events_url": "/issues/events{/number}",
	"events_url": "/events", "assignees_url": "/assignees{/user}", "branches_url": "/branches{/branch}",
	"tags_url": "/tags", "blobs_url": "/git/blobs{/sha}", "git_tags_url": "/git/tags{/sha}",
	"git_refs_url": "/git/refs{/sha}", "trees_url": "/git/trees{/sha}", "statuses_url": "/statuses/{sha}",
	"languages_url": "/languages", "stargazers_url": "/stargazers", "contributors_url": "/contributors",
	"subscribers_url": "/subscribers", "subscription_url": "/subscription", "commits_url": "/commits{/sha}",
	"git_commits_url": "/git/commits{/sha}", "comments_url": "/comments{/number}",
	"issue_comment_url": "/issues/comments{/number}", "contents_url": "/contents/{+path}",
	"compare_url": "/compare/{base}...{head}", "merges_url": "/merges",
	"archive_url": "/{archive_format}{/ref}", "downloads_url": "/downloads", "issues_url": "/issues{/number}",
	"pulls_url": "/pulls{/number}", "milestones_url": "/milestones{/number}",
	"notifications_url": "/notifications{?since,all,participating}", "labels_url": "/labels{/name}",
	"releases_url": "/releases{/id}", "deployments_url": "/deployments",
}

func (w *World) repositoryURL(r *Repository) string { return w.apiURL + "/repos/" + r.fullName() }

func (w *World) repositoryJSON(r *Repository) object {
	name, openIssues, forks := r.fullName(), 0, 0
	for _, i := range r.issues {
		if i.open && !i.gone() {
			openIssues++
		}
	}
	openIssues += len(r.openPulls())
	for _, o := range w.repositories {
		if o.parent == r && !o.deleted {
			forks++
		}
	}
	json := object{
		"id": r.id, "node_id": nodeID("R", r.id), "name": r.name, "full_name": name, "private": !r.public,
		"owner": w.userJSON(r.owner), "html_url": webURL + "/" + name, "description": nil,
		"fork": r.parent != nil, "url": w.repositoryURL(r),
		"created_at": timestamp(r.createdAt), "updated_at": timestamp(r.createdAt), "pushed_at": timestamp(r.createdAt),
		"git_url": "git://github.com/" + name + ".git", "ssh_url": "git@github.com:" + name + ".git",
		"clone_url": webURL + "/" + name + ".git", "svn_url": webURL + "/" + name,
		"homepage": nil, "size": 0, "stargazers_count": 0, "watchers_count": 0, "language": nil,
		"has_issues": true, "has_projects": true, "has_downloads": true, "has_wiki": true, "has_pages": false,
		"has_discussions": false, "forks_count": forks, "mirror_url": nil, "archived": r.archived, "disabled": false,
		"open_issues_count": openIssues, "license": nil, "allow_forking": true, "is_template": false,
		"web_commit_signoff_required": false, "topics": []string{}, "visibility": visibility(r),
		"forks": forks, "open_issues": openIssues, "watchers": 0, "default_branch": r.defaultBranch,
		"custom_properties": object{},
	}
	for link, path := range repositoryLinks {
		json[link] = w.repositoryURL(r) + path
	}
	return json
}

// fullRepositoryJSON is what "Get a repository" answers: more than lists and webhooks hold.
func (w *World) fullRepositoryJSON(r *Repository) object {
	json := w.repositoryJSON(r)
	json["network_count"], json["subscribers_count"] = 0, 0
	json["temp_clone_token"] = nil
	if r.owner.kind == "Organization" {
		json["organization"] = w.userJSON(r.owner)
	}
	if r.parent != nil {
		json["parent"], json["source"] = w.repositoryJSON(r.parent), w.repositoryJSON(r.parent)
	}
	return json
}

// minimalRepository is the repository as check runs name it.
func (w *World) minimalRepository(r *Repository) object {
	return object{"id": r.id, "url": w.repositoryURL(r), "name": r.name}
}

func visibility(r *Repository) string {
	if r.public {
		return "public"
	}
	return "private"
}

func (w *World) labelJSON(r *Repository, l *label) object {
	return object{
		"id": l.id, "node_id": nodeID("LA", l.id), "url": w.repositoryURL(r) + "/labels/" + l.name,
		"name": l.name, "color": l.color, "default": false, "description": nil,
	}
}

func (w *World) labelsJSON(t *thread) []object {
	labels := make([]object, 0, len(t.labels))
	for _, l := range t.labels {
		labels = append(labels, w.labelJSON(t.repository, l))
	}
	return labels
}

// association is GitHub's author_association.
func (r *Repository) association(a *account) string {
	switch {
	case a == nil || a.deleted:
		return "NONE"
	case a == r.owner:
		return "OWNER"
	case atLeast(r.roles[a], "write") && r.owner.kind == "Organization":
		return "MEMBER"
	case r.roles[a] != "" && r.roles[a] != "none":
		return "COLLABORATOR"
	}
	return "CONTRIBUTOR"
}
