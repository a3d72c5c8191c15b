package event

import "github.com/google/go-github/v66/github"

var memberActions = map[string]bool{"added": true, "removed": true, "edited": true}

// member tells that somebody's permission changed: whose word counts may have changed with it.
func member(payload []byte, self Self) (Hint, error) {
	var p github.MemberEvent
	if err := unmarshal(payload, &p); err != nil {
		return Hint{}, err
	}
	hint := hintFrom(p.GetAction(), p.GetRepo(), p.GetInstallation())
	switch {
	case !memberActions[p.GetAction()]:
		hint.Reason = noChange
	case self.isOwnBot(p.GetSender().GetLogin(), p.GetSender().GetType()):
		hint.Reason = ownDoing
	default:
		hint.Reason = "somebody's permission changed"
		hint.Whole = true
	}
	return hint, nil
}
