package githubtest

import (
	"regexp"
	"slices"
	"strconv"
)

// GitHub's closing keywords: "Linking a pull request to an issue" in its documentation.
var closingKeyword = regexp.MustCompile(`(?i)\b(?:close[sd]?|fix(?:e[sd])?|resolve[sd]?):?\s+` +
	`(?:https://github\.com/([\w.-]+/[\w.-]+)/issues/(\d+)|([\w.-]+/[\w.-]+)?#(\d+))\b`)

// Text that GitHub does not read keywords in: comments and code.
var notProse = regexp.MustCompile("(?s)<!--.*?(?:-->|$)|```.*?(?:```|$)|~~~.*?(?:~~~|$)|`[^`\n]*`")

// closing are the issues that the pull request closes when it is merged: named by a keyword in its
// body or linked by hand. There are none unless its base is the default branch.
func (p *PullRequest) closing() []*Issue {
	if p.base != p.repository.defaultBranch {
		return nil
	}
	var issues []*Issue
	add := func(i *Issue) {
		if i != nil && !i.gone() && !slices.Contains(issues, i) {
			issues = append(issues, i)
		}
	}
	text := notProse.ReplaceAllString(p.body.text(), " ")
	for _, m := range closingKeyword.FindAllStringSubmatch(text, -1) {
		repository, number := m[1]+m[3], m[2]+m[4]
		add(p.repository.issueNamed(repository, number))
	}
	for _, i := range p.manualLinks {
		add(i)
	}
	return issues
}

func (r *Repository) issueNamed(fullName, number string) *Issue {
	if fullName != "" {
		r = r.world.repository(fullName)
	}
	n, err := strconv.Atoi(number)
	if r == nil || err != nil {
		return nil
	}
	return r.issues[n]
}

// closedBy are the pull requests that close an issue, in all repositories.
func (i *Issue) closedBy(includeClosed bool) []*PullRequest {
	var pulls []*PullRequest
	for _, r := range i.repository.world.repositories {
		for _, p := range r.sortedPulls() {
			if (p.open || includeClosed) && slices.Contains(p.closing(), i) {
				pulls = append(pulls, p)
			}
		}
	}
	return pulls
}

// pullsWithCommit are the pull requests that GitHub associates with a commit of this repository:
// merged and open ones that hold it. Commits that only a fork's branch holds are associated with
// none; who wants those must look through the open pull requests.
func (r *Repository) pullsWithCommit(sha string) []*PullRequest {
	var pulls []*PullRequest
	for _, p := range r.sortedPulls() {
		if (p.merged && p.mergeSHA == sha) ||
			((p.open || p.merged) && (!p.fromFork() || p.merged) && slices.Contains(p.commits, sha)) {
			pulls = append(pulls, p)
		}
	}
	return pulls
}
