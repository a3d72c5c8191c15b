package event

import "github.com/google/go-github/v66/github"

// hintFrom is a hint that names where something happened.
func hintFrom(action string, repo *github.Repository, installation *github.Installation) Hint {
	return Hint{
		Action:         action,
		InstallationID: installation.GetID(),
		RepositoryID:   repo.GetID(),
		Repo:           repoFrom(repo.GetFullName()),
	}
}

// onHead makes the hint one about the pull requests with that head. Those that the payload lists may be
// of other repositories that hold the same commit, and GitHub lists none for forks.
func (h Hint) onHead(sha, member string, listed []*github.PullRequest) (Hint, error) {
	if sha == "" {
		return Hint{}, missing(member)
	}
	h.HeadSHA = sha
	for _, pr := range listed {
		if pr.GetBase().GetRepo().GetID() == h.RepositoryID && h.RepositoryID != 0 {
			h.PullRequests = append(h.PullRequests, pr.GetNumber())
		}
	}
	return h, nil
}
