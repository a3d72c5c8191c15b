package event

import "github.com/go-playground/webhooks/v6/github"

var issueCommentActions = map[string]bool{"created": true, "edited": true, "deleted": true}

// writtenBy is the member of a comment that webhooks v6 does not read.
type writtenBy struct {
	Comment struct {
		App struct {
			ID int64 `json:"id"`
		} `json:"performed_via_github_app"`
	} `json:"comment"`
}

// issueComment handles comments of tasks and of pull requests' conversations alike; GitHub sends
// both as this event and marks the latter by issue.pull_request.
func issueComment(payload []byte, self Self) (Hint, error) {
	var p github.IssueCommentPayload
	if err := unmarshal(payload, &p); err != nil {
		return Hint{}, err
	}
	var by writtenBy
	if err := unmarshal(payload, &by); err != nil {
		return Hint{}, err
	}
	hint := Hint{Action: p.Action, RepositoryID: p.Repository.ID, Repo: repoFrom(p.Repository.FullName)}
	if p.Installation != nil {
		hint.InstallationID = p.Installation.ID
	}
	own := by.Comment.App.ID == self.AppID && self.AppID != 0 &&
		p.Sender.Type == "Bot" && p.Sender.Login == p.Comment.User.Login
	switch {
	case !issueCommentActions[p.Action]:
		hint.Reason = "action does not change a verdict"
	case own || self.isOwnBot(p.Sender.Login, p.Sender.Type):
		hint.Reason = "done by the app itself"
	case p.Issue.PullRequest != nil:
		hint.Reason = "comment on the pull request changed"
		hint.PullRequests = []int{int(p.Issue.Number)}
	default:
		hint.Reason = "comment on the task changed"
		hint.Issues = []int{int(p.Issue.Number)}
	}
	return hint, nil
}
