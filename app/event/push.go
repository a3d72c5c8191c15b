package event

import (
	"slices"
	"strings"

	"github.com/google/go-github/v66/github"

	"github.com/evidence-gate/evidence-gate/profile/policy"
)

// Where a base branch holds what pull requests into it are judged by: besides the policy everything in
// the folder, and Markdown, since the policy may keep its business rules in any such file.
const (
	loopFolder = ".agenticloop/"
	markdown   = ".md"
	// ownersRepository holds the policy that counts in all repositories of an owner (design section 9).
	ownersRepository = ".github"
)

// mostCommits is how many commits GitHub lists in a push ("Webhook events and payloads", push).
const mostCommits = 2048

// push matters where the branch is the base of pull requests and what they are judged by may have
// changed. The pull requests whose head was pushed get an event of their own.
func push(payload []byte, self Self) (Hint, error) {
	var p github.PushEvent
	if err := unmarshal(payload, &p); err != nil {
		return Hint{}, err
	}
	hint := Hint{
		InstallationID: p.GetInstallation().GetID(),
		RepositoryID:   p.GetRepo().GetID(),
		Repo:           repoFrom(p.GetRepo().GetFullName()),
	}
	branch, isBranch := strings.CutPrefix(p.GetRef(), "refs/heads/")
	switch {
	case p.GetRef() == "":
		return Hint{}, missing("ref")
	case !isBranch:
		hint.Reason = "not a branch"
	case p.GetDeleted():
		hint.Reason = "GitHub closes the pull requests into a deleted branch"
	case self.isOwnBot(p.GetSender().GetLogin(), p.GetSender().GetType()):
		hint.Reason = ownDoing
	case !touches(p, judgedBy):
		hint.Reason = "nothing that pull requests are judged by was pushed"
	case strings.EqualFold(hint.Repo.Name, ownersRepository) && branch == p.GetRepo().GetDefaultBranch() && touches(p, isPolicy):
		hint.Reason = "the owner's policy may have changed"
		hint.Installation = hint.InstallationID > 0
		hint.Base = branch
	default:
		hint.Reason = "what pull requests into the branch are judged by may have changed"
		hint.Base = branch
	}
	return hint, nil
}

// touches says whether a pushed commit changes a file of that sort. What a forced push took away, and
// what is not listed, may have been one.
func touches(p github.PushEvent, sort func(path string) bool) bool {
	if p.GetForced() || p.GetCreated() || len(p.Commits) >= mostCommits {
		return true
	}
	for _, commit := range p.Commits {
		if commit != nil && (slices.ContainsFunc(commit.Added, sort) || slices.ContainsFunc(commit.Modified, sort) || slices.ContainsFunc(commit.Removed, sort)) {
			return true
		}
	}
	return false
}

func isPolicy(path string) bool { return path == policy.Path }

func judgedBy(path string) bool {
	return isPolicy(path) || strings.HasPrefix(path, loopFolder) || strings.HasSuffix(strings.ToLower(path), markdown)
}
