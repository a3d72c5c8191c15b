package event

import "github.com/go-playground/webhooks/v6/github"

// issuesActions are those that change or take away the contract of the pull requests that close the
// issue.
var issuesActions = map[string]bool{"edited": true, "deleted": true, "transferred": true}

func issues(payload []byte, self Self) (Hint, error) {
	var p github.IssuesPayload
	if err := unmarshal(payload, &p); err != nil {
		return Hint{}, err
	}
	hint := Hint{Action: p.Action, RepositoryID: p.Repository.ID, Repo: repoFrom(p.Repository.FullName)}
	if p.Installation != nil {
		hint.InstallationID = p.Installation.ID
	}
	switch {
	case !issuesActions[p.Action]:
		hint.Reason = "action does not change a verdict"
	case self.isOwnBot(p.Sender.Login, p.Sender.Type):
		hint.Reason = "done by the app itself"
	default:
		hint.Reason = "task changed"
		hint.Issues = []int{int(p.Issue.Number)}
	}
	return hint, nil
}
