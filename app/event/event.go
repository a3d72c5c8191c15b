// Package event reads webhook payloads. It knows which events and actions can change a verdict and
// what they name; it decides nothing about pull requests. An event is only a hint that some pull
// request may have changed (design section 14): state is always read fresh afterwards.
//
// One file per event, named after it. Payloads are decoded by go-playground/webhooks where that
// reads them faithfully and by go-github for the rest (design section 18).
package event

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"strings"
	"time"
)

// MaxPullRequests bounds how many pull requests one payload may name. GitHub lists those whose head
// is the check run's commit, a handful at most.
const MaxPullRequests = 100

// MaxRepositories bounds how many repositories one payload may name; an installation that got more at
// once is looked through as a whole.
const MaxRepositories = 200

// Words for events that lead to nothing.
const (
	noChange = "action does not change a verdict"
	ownDoing = "done by the app itself"
)

// maxNumber is the largest pull request or issue number that is believed.
const maxNumber = 1<<31 - 1

// ErrMalformed is wrapped by every error about a payload that cannot be read.
var ErrMalformed = errors.New("malformed payload")

// Repo is the owner and name of a repository, as in its full name.
type Repo struct {
	Owner string
	Name  string
}

// String is GitHub's full name of the repository.
func (r Repo) String() string { return r.Owner + "/" + r.Name }

// Repository is a repository beside the one that the event happened in.
type Repository struct {
	ID   int64
	Repo Repo
}

// Self is the GitHub App this service runs as, so that its own doing can be told from a person's.
// Slug may be empty when it is not known.
type Self struct {
	AppID int64
	Slug  string
}

// Hint is what one event names. Nothing named means the event is of no interest.
type Hint struct {
	Event          string
	Action         string
	InstallationID int64 // 0: the payload names none
	RepositoryID   int64
	Repo           Repo
	PullRequests   []int        // numbers in Repo
	Issues         []int        // numbers of tasks in Repo whose pull requests may have changed
	HeadSHA        string       // head of the pull request, or of the pull requests to look for
	Base           string       // branch: every open pull request into it
	Whole          bool         // every open pull request of Repo, or none when it is gone
	Installation   bool         // every repository of the installation, or none when it is gone
	Repositories   []Repository // every open pull request of these
	Rerun          bool         // a person asked for a new run of our check
	HeadSince      time.Time    // by when HeadSHA was the pull request's head, by GitHub's clock; zero: not known
	Press          *Press       // of a button that does more than to judge again
	Reason         string       // why it leads to work, or why it does not, for logs
}

// OfInterest says whether the event can change a verdict.
func (h Hint) OfInterest() bool {
	return len(h.PullRequests) > 0 || len(h.Issues) > 0 || h.HeadSHA != "" || h.Base != "" || h.Whole ||
		h.Installation || len(h.Repositories) > 0
}

type decoder func(payload []byte, self Self) (Hint, error)

var decoders = map[string]decoder{
	"check_run":                 checkRun,
	"check_suite":               checkSuite,
	"installation":              installation,
	"installation_repositories": installationRepositories,
	"issue_comment":             issueComment,
	"issues":                    issues,
	"member":                    member,
	"ping":                      ping,
	"pull_request":              pullRequest,
	"pull_request_review":       pullRequestReview,
	"push":                      push,
	"repository":                repositoryEvent,
	"status":                    status,
	"workflow_run":              workflowRun,
}

// Known says whether the event's name is one that is decoded here.
func Known(name string) bool { return decoders[name] != nil }

// Decode reads the payload of the named event. Events and actions that cannot change a verdict give
// a Hint that is of no interest; a payload that is not one JSON object or lacks what the event must
// name gives an error wrapping ErrMalformed.
func Decode(name string, payload []byte, self Self) (Hint, error) {
	if err := checkObject(payload); err != nil {
		return Hint{}, err
	}
	decode := decoders[name]
	if decode == nil {
		return Hint{Event: name, Reason: "event is not used"}, nil
	}
	hint, err := decode(payload, self)
	if err != nil {
		return Hint{}, fmt.Errorf("%s: %w", name, err)
	}
	hint.Event, hint.Action = name, clip(hint.Action)
	hint.InstallationID = max(hint.InstallationID, 0) // none that GitHub has: it is looked up instead
	if !hint.OfInterest() {
		return hint, nil
	}
	if err := hint.check(); err != nil {
		return Hint{}, fmt.Errorf("%s: %w", name, err)
	}
	return hint, nil
}

// checkObject refuses what is not exactly one complete JSON object, whatever the event.
func checkObject(payload []byte) error {
	if !json.Valid(payload) {
		return fmt.Errorf("%w: expected one JSON object, found text that is not JSON or is cut off (%d bytes)", ErrMalformed, len(payload))
	}
	if !bytes.HasPrefix(bytes.TrimLeft(payload, " \t\r\n"), []byte("{")) {
		return fmt.Errorf("%w: expected a JSON object, found another JSON value", ErrMalformed)
	}
	return nil
}

var (
	ownerPattern = regexp.MustCompile(`^[A-Za-z0-9](?:[A-Za-z0-9_-]{0,98}[A-Za-z0-9_])?$`)
	namePattern  = regexp.MustCompile(`^[A-Za-z0-9._-]{1,100}$`)
	shaPattern   = regexp.MustCompile(`^(?:[0-9a-f]{40}|[0-9a-f]{64})$`)
)

// check refuses a hint that names something GitHub cannot have named. Values from here go into URLs
// and queries.
func (h Hint) check() error {
	for _, r := range h.Repositories {
		if err := r.check(); err != nil {
			return err
		}
	}
	if len(h.Repositories) > 0 || h.Installation && h.RepositoryID == 0 {
		if h.Repo.Owner != "" && !ownerPattern.MatchString(h.Repo.Owner) {
			return fmt.Errorf("%w: expected installation.account.login, found %q", ErrMalformed, clip(h.Repo.Owner))
		}
		return nil
	}
	if err := (Repository{h.RepositoryID, h.Repo}).check(); err != nil {
		return err
	}
	if len(h.Base) > maxBranch {
		return fmt.Errorf("%w: expected a branch of at most %d bytes, found %q", ErrMalformed, maxBranch, clip(h.Base))
	}
	if len(h.PullRequests) > MaxPullRequests {
		return fmt.Errorf("%w: expected at most %d pull requests, found %d", ErrMalformed, MaxPullRequests, len(h.PullRequests))
	}
	for _, number := range append(append([]int{}, h.PullRequests...), h.Issues...) {
		if number <= 0 || number > maxNumber {
			return fmt.Errorf("%w: expected a positive number of a pull request or issue, found %d", ErrMalformed, number)
		}
	}
	if h.HeadSHA != "" && !shaPattern.MatchString(h.HeadSHA) {
		return fmt.Errorf("%w: expected a head SHA of 40 or 64 hexadecimal digits, found %q", ErrMalformed, clip(h.HeadSHA))
	}
	return nil
}

// maxBranch is git's own limit of a name in its file store, with room.
const maxBranch = 1024

func (r Repository) check() error {
	if r.ID <= 0 {
		return fmt.Errorf("%w: expected repository.id, found none", ErrMalformed)
	}
	if !ownerPattern.MatchString(r.Repo.Owner) || !namePattern.MatchString(r.Repo.Name) || strings.Trim(r.Repo.Name, ".") == "" {
		return fmt.Errorf("%w: expected repository.full_name as owner/name, found %q", ErrMalformed, clip(r.Repo.String()))
	}
	return nil
}

// repoFrom splits GitHub's full name.
func repoFrom(fullName string) Repo {
	owner, name, _ := strings.Cut(fullName, "/")
	return Repo{Owner: owner, Name: name}
}

// isOwnBot says whether the account is the bot of the app itself, as far as the slug is known.
func (s Self) isOwnBot(login, kind string) bool {
	return s.Slug != "" && kind == "Bot" && login == s.Slug+"[bot]"
}

func clip(text string) string {
	const limit = 80
	if len(text) <= limit {
		return text
	}
	return text[:limit] + "..."
}

func missing(member string) error {
	return fmt.Errorf("%w: expected %s, found none", ErrMalformed, member)
}
