package event

import "github.com/google/go-github/v66/github"

// checkSuite tells of all check runs of an app on a commit at once. GitHub sends rerequested to the app
// that owns the suite, when somebody asks for all its checks again, and requested to every app when a
// commit is pushed.
func checkSuite(payload []byte, self Self) (Hint, error) {
	var p github.CheckSuiteEvent
	if err := unmarshal(payload, &p); err != nil {
		return Hint{}, err
	}
	suite, sender := p.GetCheckSuite(), p.GetSender()
	if suite == nil {
		return Hint{}, missing("check_suite.head_sha")
	}
	hint := hintFrom(p.GetAction(), p.GetRepo(), p.GetInstallation())
	own := self.AppID != 0 && suite.GetApp().GetID() == self.AppID
	byItself := self.isOwnBot(sender.GetLogin(), sender.GetType()) ||
		own && sender.GetType() == "Bot" && sender.GetLogin() == suite.GetApp().GetSlug()+"[bot]"
	switch p.GetAction() {
	case "completed":
		if own {
			hint.Reason = "check suite of the app itself"
			return hint, nil
		}
		hint.Reason = "check suite completed"
	case "requested", "rerequested":
		if byItself {
			hint.Reason = ownDoing
			return hint, nil
		}
		hint.Rerun = own && p.GetAction() == "rerequested"
		hint.Reason = "check suite " + p.GetAction()
	default:
		hint.Reason = noChange
		return hint, nil
	}
	return hint.onHead(suite.GetHeadSHA(), "check_suite.head_sha", suite.PullRequests)
}
