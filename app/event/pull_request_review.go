package event

import "github.com/google/go-github/v66/github"

// pullRequestReviewActions are those that give, change or take away an approval.
var pullRequestReviewActions = map[string]bool{"submitted": true, "edited": true, "dismissed": true}

// pullRequestReview announces no head: a review is of a commit that may be an older one.
func pullRequestReview(payload []byte, self Self) (Hint, error) {
	var p github.PullRequestReviewEvent
	if err := unmarshal(payload, &p); err != nil {
		return Hint{}, err
	}
	hint := hintFrom(p.GetAction(), p.GetRepo(), p.GetInstallation())
	switch {
	case !pullRequestReviewActions[p.GetAction()]:
		hint.Reason = noChange
	case self.isOwnBot(p.GetSender().GetLogin(), p.GetSender().GetType()):
		hint.Reason = ownDoing
	default:
		hint.Reason = "review changed"
		hint.PullRequests = []int{p.GetPullRequest().GetNumber()}
	}
	return hint, nil
}
