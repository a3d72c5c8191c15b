package event

import "github.com/google/go-github/v66/github"

// repositoryActions are those after which every verdict in the repository may differ: its name and
// owner are part of what pull requests link to, its default branch decides what closes an issue, and
// who may see it decides who has a role. A deleted one is looked for once more, to forget it.
var repositoryActions = map[string]bool{
	"renamed": true, "transferred": true, "privatized": true, "publicized": true, "edited": true, "unarchived": true, "deleted": true,
}

func repositoryEvent(payload []byte, self Self) (Hint, error) {
	var p github.RepositoryEvent
	if err := unmarshal(payload, &p); err != nil {
		return Hint{}, err
	}
	hint := hintFrom(p.GetAction(), p.GetRepo(), p.GetInstallation())
	switch {
	case !repositoryActions[p.GetAction()]:
		hint.Reason = noChange
	case self.isOwnBot(p.GetSender().GetLogin(), p.GetSender().GetType()):
		hint.Reason = ownDoing
	default:
		hint.Reason = "repository " + p.GetAction()
		hint.Whole = true
	}
	return hint, nil
}
