package event

import "github.com/go-playground/webhooks/v6/github"

// pullRequestActions are those after which the verdict may differ. A base change arrives as edited.
// A closed pull request is judged no more, but others may have had its head in common.
var pullRequestActions = map[string]bool{
	"opened":             true,
	"closed":             true,
	"edited":             true,
	"synchronize":        true,
	"reopened":           true,
	"ready_for_review":   true,
	"converted_to_draft": true,
	"labeled":            true,
	"unlabeled":          true,
}

func pullRequest(payload []byte, self Self) (Hint, error) {
	var p github.PullRequestPayload
	if err := unmarshal(payload, &p); err != nil {
		return Hint{}, err
	}
	hint := Hint{
		Action:         p.Action,
		InstallationID: p.Installation.ID,
		RepositoryID:   p.Repository.ID,
		Repo:           repoFrom(p.Repository.FullName),
	}
	switch {
	case !pullRequestActions[p.Action]:
		hint.Reason = "action does not change a verdict"
		return hint, nil
	case self.isOwnBot(p.Sender.Login, p.Sender.Type):
		hint.Reason = "done by the app itself"
		return hint, nil
	}
	hint.Reason = "pull request changed"
	hint.PullRequests = []int{int(p.Number)}
	hint.HeadSHA = p.PullRequest.Head.Sha
	hint.HeadSince = p.PullRequest.UpdatedAt // at the latest: the event is about this state
	return hint, nil
}
