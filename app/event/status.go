package event

import "github.com/google/go-github/v66/github"

// status is a commit status of whatever state: a check may rest on it, or wait for it again.
func status(payload []byte, self Self) (Hint, error) {
	var p github.StatusEvent
	if err := unmarshal(payload, &p); err != nil {
		return Hint{}, err
	}
	hint := hintFrom("", p.GetRepo(), p.GetInstallation())
	if self.isOwnBot(p.GetSender().GetLogin(), p.GetSender().GetType()) {
		hint.Reason = ownDoing
		return hint, nil
	}
	hint.Reason = "commit status changed"
	return hint.onHead(p.GetSHA(), "sha", nil)
}
