package event

import "github.com/google/go-github/v66/github"

// checkRun is read by go-github: webhooks v6 lacks external_id and requested_action.
//
// The check runs of the app itself trigger nothing, except when somebody asks for a re-run or
// presses a button on one; GitHub sends those two only to the app that owns the check run.
func checkRun(payload []byte, self Self) (Hint, error) {
	var p github.CheckRunEvent
	if err := unmarshal(payload, &p); err != nil {
		return Hint{}, err
	}
	run, sender := p.GetCheckRun(), p.GetSender()
	hint := Hint{
		Action:         p.GetAction(),
		InstallationID: p.GetInstallation().GetID(),
		RepositoryID:   p.GetRepo().GetID(),
		Repo:           repoFrom(p.GetRepo().GetFullName()),
	}
	ownRun := self.AppID != 0 && run.GetApp().GetID() == self.AppID
	ownDoing := self.isOwnBot(sender.GetLogin(), sender.GetType()) ||
		ownRun && sender.GetType() == "Bot" && sender.GetLogin() == run.GetApp().GetSlug()+"[bot]"

	switch p.GetAction() {
	case "rerequested", "requested_action":
		if ownDoing {
			hint.Reason = "done by the app itself"
			return hint, nil
		}
		hint.Rerun = ownRun
		hint.Reason = "a new run was asked for"
		if ownRun {
			press, err := pressOf(&p, hint.RepositoryID)
			if err != nil {
				return Hint{}, err
			}
			if press != nil {
				hint.Press, hint.HeadSHA, hint.PullRequests = press, press.HeadSHA, []int{press.Number}
				hint.Reason = "a button was pressed"
				return hint, nil
			}
		}
	case "completed":
		if ownRun {
			hint.Reason = "check run of the app itself"
			return hint, nil
		}
		hint.Reason = "check run completed"
	default:
		hint.Reason = "action does not change a verdict"
		return hint, nil
	}
	hint.HeadSHA = run.GetHeadSHA()
	if hint.HeadSHA == "" {
		return Hint{}, missing("check_run.head_sha")
	}
	hint.PullRequests = pullRequestsOf(run, hint.RepositoryID)
	return hint, nil
}

// pullRequestsOf lists the pull requests into this repository that the check run names. GitHub
// names none for forks, and may name those of other repositories that hold the same commit.
func pullRequestsOf(run *github.CheckRun, repositoryID int64) []int {
	var numbers []int
	for _, pr := range run.PullRequests {
		if pr.GetBase().GetRepo().GetID() == repositoryID {
			numbers = append(numbers, pr.GetNumber())
		}
	}
	return numbers
}
