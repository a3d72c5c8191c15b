package event

import (
	"fmt"
	"regexp"
	"slices"

	"github.com/google/go-github/v66/github"

	"github.com/evidence-gate/evidence-gate/app/button"
	"github.com/evidence-gate/evidence-gate/internal/published"
)

// Press is a press of a button on one of the App's check runs, which does more than to judge again. It
// is about the pull request and the contract that the check run showed to whoever pressed.
type Press struct {
	Button  button.Name
	Login   string
	Type    string // of the account
	Number  int    // of the pull request
	HeadSHA string
	Digest  string // of the contract, empty when none was shown
}

// pressing are the buttons whose press is recorded; any other only judges again.
var pressing = []button.Name{button.Approve, button.AcceptContract}

// loginForm is what logins are made of; one ends up in a request path.
var loginForm = regexp.MustCompile(`^[A-Za-z0-9](?:[A-Za-z0-9_-]{0,98}[A-Za-z0-9_])?(?:\[bot\])?$`)

// pressOf is the press that an event on one of the App's own check runs tells of; nil when it is none,
// or one on a check run that does not say what it is about.
func pressOf(p *github.CheckRunEvent, repositoryID int64) (*Press, error) {
	if p.GetAction() != "requested_action" || p.RequestedAction == nil {
		return nil, nil
	}
	name := button.Name(p.RequestedAction.Identifier)
	if !slices.Contains(pressing, name) {
		return nil, nil
	}
	run := p.GetCheckRun()
	about, err := published.Decode(run.GetOutput().GetText())
	if err != nil || about.RepositoryID != repositoryID || about.HeadSHA != run.GetHeadSHA() {
		return nil, nil
	}
	press := &Press{
		Button: name, Login: p.GetSender().GetLogin(), Type: p.GetSender().GetType(),
		Number: about.PullRequest, HeadSHA: about.HeadSHA, Digest: about.Digest,
	}
	if !loginForm.MatchString(press.Login) {
		return nil, fmt.Errorf("%w: expected the login of who pressed a button, found %q", ErrMalformed, clip(press.Login))
	}
	return press, nil
}
