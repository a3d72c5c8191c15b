// Package memory keeps what the service has seen of a pull request and GitHub may no longer show: the
// texts of carriers (A7) and the contract at first sight (design section 10). A carrier that was
// deleted, or changed without a trace in GitHub's history, and a contract that was weakened, are judged
// against them. The package decides what is kept and what of it a judgement needs; whether history was
// rewritten is left to package attempts, and what weakens a contract to package checks.
package memory

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/evidence-gate/evidence-gate/app/store"
	"github.com/evidence-gate/evidence-gate/snapshot"
)

// fact is what a Snapshot calls this memory where it is not whole.
const fact = "memory"

// Store is where things are kept.
type Store interface {
	Carriers(ctx context.Context, repositoryID int64, threads ...int) ([]store.Carrier, error)
	SeeCarriers(ctx context.Context, repositoryID int64, seen []store.Carrier, contained []int64) error
	Actions(ctx context.Context, repositoryID int64, threads ...int) ([]snapshot.Action, error)
	Contract(ctx context.Context, repositoryID int64, number int) (contract *snapshot.RememberedContract, known bool, err error)
	RememberContract(ctx context.Context, repositoryID int64, number int, contract *snapshot.RememberedContract) error
}

// Memory is the memory of all pull requests.
type Memory struct {
	Store Store
	Now   func() time.Time
}

// Pull is the pull request that is being judged.
type Pull struct {
	RepositoryID int64
	Trusted      func(*snapshot.Actor) bool // whose carriers count in every pull request (A2)
	// Published reads back what the App published of the contract before; nil when it published
	// nothing that can be read. A nil func: nothing is looked for.
	Published func(context.Context, snapshot.Snapshot) (*snapshot.RememberedContract, error)
}

// Threads are the numbers of the task and the pull request of a Snapshot: where its comments stand.
func Threads(s snapshot.Snapshot) []int {
	threads := []int{s.PullRequest.Number}
	if s.Issue != nil {
		threads = append([]int{s.Issue.Number}, threads...)
	}
	return threads
}

// Recalled is a Snapshot with what GitHub no longer shows and with what maintainers did.
type Recalled struct {
	snapshot.Snapshot
	Missed []store.Carrier // texts that were seen, had no room and are gone: the memory is not whole
}

// Recall keeps every new text of a carrier that the Snapshot shows, and completes the Snapshot. Once it
// returns, the texts are stored: what a verdict rests on is not forgotten, whatever becomes of the run.
func (m Memory) Recall(ctx context.Context, pull Pull, s snapshot.Snapshot) (Recalled, error) {
	threads := Threads(s)
	known, err := m.Store.Carriers(ctx, pull.RepositoryID, threads...)
	if err != nil {
		return Recalled{}, err
	}
	shown := m.shown(s)
	fresh, contained := compare(known, countingOf(shown, pull, s))
	if len(fresh) > 0 {
		if err := m.Store.SeeCarriers(ctx, pull.RepositoryID, fresh, contained); err != nil {
			return Recalled{}, err
		}
		// What had no room shows only now.
		if known, err = m.Store.Carriers(ctx, pull.RepositoryID, threads...); err != nil {
			return Recalled{}, err
		}
	}
	if s.Actions, err = m.Store.Actions(ctx, pull.RepositoryID, threads...); err != nil {
		return Recalled{}, err
	}
	contract, err := m.contract(ctx, pull, &s)
	if err != nil {
		return Recalled{}, err
	}
	return remind(s, known, shown, contract), nil
}

// carrierMarker finds a carrier's marker (A1). Where it is no live one, the text is kept for nothing.
var carrierMarker = regexp.MustCompile(`AGENTIC_LOOP_VERIFICATION_ATTEMPTS:[ \t]*([A-Za-z]{1,8}-[0-9]{1,30})`)

// Check is the check of a carrier, empty for a text that is none.
func Check(body string) string {
	if found := carrierMarker.FindStringSubmatch(body); found != nil {
		return strings.ToUpper(found[1])
	}
	return ""
}

// shown lists the texts of carriers that GitHub shows, those of each comment oldest first.
func (m Memory) shown(s snapshot.Snapshot) []text {
	var texts []text
	add := func(thread int, comments []snapshot.Comment) {
		for _, c := range comments {
			for _, of := range textsOf(c) {
				if check := Check(of.body); check != "" {
					texts = append(texts, text{c.Author, store.Carrier{
						Thread: thread, CommentID: c.ID, Check: check, Body: of.body, Digest: store.Digest(of.body), ByOther: of.byOther, State: store.Kept, SeenAt: m.Now(),
					}})
				}
			}
		}
	}
	if s.Issue != nil {
		add(s.Issue.Number, s.Issue.Comments)
	}
	add(s.PullRequest.Number, s.Comments)
	return texts
}

// text is a text of a comment and whose comment it is.
type text struct {
	author *snapshot.Actor
	store.Carrier
}

// textOf is one text that a comment had.
type textOf struct {
	body    string
	byOther bool // by another hand than the comment's author, as far as is known
}

// textsOf are the texts that a comment had, oldest first, the current one last.
func textsOf(c snapshot.Comment) []textOf {
	var texts []textOf
	for _, r := range c.Revisions {
		if r.Body != nil {
			other := r.Editor == nil || c.Author == nil || !strings.EqualFold(r.Editor.Login, c.Author.Login)
			texts = append(texts, textOf{*r.Body, other})
		}
	}
	if len(texts) == 0 || texts[len(texts)-1].body != c.Body {
		texts = append(texts, textOf{c.Body, len(texts) > 0})
	}
	return texts
}

// countingOf leaves out the carriers of strangers, which count in no pull request (A2). The author of
// this pull request is none.
func countingOf(shown []text, pull Pull, s snapshot.Snapshot) []store.Carrier {
	var counting []store.Carrier
	for _, t := range shown {
		if t.author == nil {
			continue
		}
		t.Author, t.Trusted = t.author.Login, pull.Trusted(t.author)
		if t.Trusted || isAuthor(t.Author, s) {
			counting = append(counting, t.Carrier)
		}
	}
	return counting
}

func isAuthor(login string, s snapshot.Snapshot) bool {
	return s.PullRequest.Author != nil && strings.EqualFold(s.PullRequest.Author.Login, login)
}

// remind gives the Snapshot the texts that GitHub no longer shows, as far as they count in this pull
// request. One that was seen and had no room leaves the memory incomplete.
func remind(s snapshot.Snapshot, known []store.Carrier, shown []text, contract *snapshot.RememberedContract) Recalled {
	var missed []store.Carrier
	visible := map[key]bool{}
	for _, t := range shown {
		visible[keyOf(t.Carrier)] = true
	}
	var carriers []snapshot.RememberedCarrier
	for _, c := range known {
		if visible[keyOf(c)] || c.State == store.Contained || !c.Trusted && !isAuthor(c.Author, s) {
			continue
		}
		if c.State == store.NoRoom {
			missed = append(missed, c)
			s.Unavailable = append(slices.Clone(s.Unavailable), snapshot.Unavailable{Fact: fact, Reason: fmt.Sprintf(
				"a text of comment %d with attempts of %s was seen, was too much to keep and is no longer on GitHub: a maintainer can accept that with /accept-loss %s because …", c.CommentID, c.Check, c.Check)})
			continue
		}
		carriers = append(carriers, snapshot.RememberedCarrier{
			CommentID: c.CommentID, Check: c.Check, Body: c.Body, Author: c.Author, SeenAt: c.SeenAt.UTC().Format(time.RFC3339),
		})
	}
	if len(carriers) > 0 || contract != nil {
		s.Memory = &snapshot.Memory{Contract: contract, Carriers: carriers}
	}
	return Recalled{s, missed}
}
