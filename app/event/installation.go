package event

import "github.com/google/go-github/v66/github"

// installationActions are those after which the app may do more than before, or nothing any more. While
// an installation is suspended its work fails, and is taken up again afterwards.
var installationActions = map[string]string{
	"created":                  "the app was installed",
	"unsuspend":                "the installation is not suspended any more",
	"new_permissions_accepted": "the installation has other permissions",
	"deleted":                  "the app was uninstalled",
}

func installation(payload []byte, _ Self) (Hint, error) {
	var p github.InstallationEvent
	if err := unmarshal(payload, &p); err != nil {
		return Hint{}, err
	}
	hint := Hint{Action: p.GetAction(), InstallationID: p.GetInstallation().GetID()}
	reason := installationActions[p.GetAction()]
	switch {
	case p.GetAction() == "suspend":
		hint.Reason = "the installation is suspended: its work waits"
	case reason == "":
		hint.Reason = noChange
	case hint.InstallationID <= 0:
		return Hint{}, missing("installation.id")
	default:
		hint.Reason = reason
		hint.Installation = true
		hint.Repo.Owner = p.GetInstallation().GetAccount().GetLogin()
	}
	return hint, nil
}
