package event

import "github.com/google/go-github/v66/github"

// installationRepositories names the repositories that came or went; where there are more than fit, the
// whole installation is looked through.
func installationRepositories(payload []byte, _ Self) (Hint, error) {
	var p github.InstallationRepositoriesEvent
	if err := unmarshal(payload, &p); err != nil {
		return Hint{}, err
	}
	hint := Hint{Action: p.GetAction(), InstallationID: p.GetInstallation().GetID()}
	if p.GetAction() != "added" && p.GetAction() != "removed" {
		hint.Reason = noChange
		return hint, nil
	}
	hint.Reason = "repositories " + p.GetAction()
	for _, r := range append(append([]*github.Repository{}, p.RepositoriesAdded...), p.RepositoriesRemoved...) {
		if r != nil {
			hint.Repositories = append(hint.Repositories, Repository{ID: r.GetID(), Repo: repoFrom(r.GetFullName())})
		}
	}
	if len(hint.Repositories) > MaxRepositories {
		hint.Repositories = nil
		hint.Installation = true
		hint.Repo.Owner = p.GetInstallation().GetAccount().GetLogin()
	}
	return hint, nil
}
