package command

import (
	"context"
	"fmt"
	"log/slog"
	"maps"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/evidence-gate/evidence-gate/app/store"
	"github.com/evidence-gate/evidence-gate/attempts"
	"github.com/evidence-gate/evidence-gate/checks"
	"github.com/evidence-gate/evidence-gate/internal/github"
	"github.com/evidence-gate/evidence-gate/profile/policy"
	"github.com/evidence-gate/evidence-gate/snapshot"
)

var noon = time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)

const repository = 5

func stamp(t time.Time) string { return t.UTC().Format(time.RFC3339) }

// fake is GitHub with one carrier on the task and what the App wrote.
type fake struct {
	carrier   snapshot.Comment
	onWrite   []func() // run before the write of the same place
	writes    int
	replies   []snapshot.Comment
	reactions []string
	fail      map[string]error
}

func (f *fake) ReadComment(_ context.Context, _ github.Repo, id int64) (snapshot.Comment, error) {
	if id != f.carrier.ID {
		return snapshot.Comment{}, &github.Error{Kind: github.NotFound, Message: "there is none"}
	}
	return f.carrier, f.fail["read"]
}

func (f *fake) EditComment(_ context.Context, _ github.Repo, _ int64, body string) error {
	if f.writes < len(f.onWrite) {
		f.onWrite[f.writes]()
	}
	f.writes++
	if err := f.fail["edit"]; err != nil {
		return err
	}
	f.edit(own, body)
	return nil
}

func (f *fake) edit(by *snapshot.Actor, body string) {
	f.carrier.Body = body
	f.carrier.Revisions = append(f.carrier.Revisions, snapshot.Revision{Editor: by, EditedAt: stamp(noon), Body: &body})
}

func (f *fake) Comments(context.Context, github.Repo, int, time.Time) ([]snapshot.Comment, error) {
	return f.replies, nil
}

func (f *fake) CreateComment(_ context.Context, _ github.Repo, number int, body string) (int64, error) {
	f.replies = append(f.replies, snapshot.Comment{ID: int64(900 + len(f.replies)), Author: own, Body: body})
	return 1, f.fail["create"]
}

func (f *fake) React(_ context.Context, _ github.Repo, id int64, with github.Reaction) error {
	f.reactions = append(f.reactions, fmt.Sprintf("%d %s", id, with))
	return f.fail["react"]
}

func (f *fake) Member(_ context.Context, _ github.Repo, a snapshot.Actor, _ policy.Roles) (snapshot.Actor, []snapshot.Unavailable, error) {
	if err := f.fail["member"]; err != nil {
		return a, nil, err
	}
	for _, known := range []*snapshot.Actor{own, lead, boss, eng, out} {
		if known.Login == a.Login {
			return *known, nil, nil
		}
	}
	return a, []snapshot.Unavailable{{Fact: "permissions", Reason: "403"}}, nil
}

var (
	boss = &snapshot.Actor{Login: "boss", Type: "User", Permission: "admin"}
	own  = &snapshot.Actor{Login: "evidence-gate[bot]", Type: "Bot", Permission: "none"}
	lead = &snapshot.Actor{Login: "lead", Type: "User", Permission: "maintain"}
	eng  = &snapshot.Actor{Login: "eng", Type: "User", Permission: "write"}
	out  = &snapshot.Actor{Login: "out", Type: "User", Permission: "read"}
)

// records is a store in memory, for one repository.
type records struct {
	known   map[int64]store.Handled
	actions []snapshot.Action
	threads []int // of the actions
	presses []store.Press
	queued  []string
	onLook  func()
	failing error
}

func (r *records) Commands(context.Context, int64, ...int) (map[int64]store.Handled, error) {
	known := maps.Clone(r.known)
	if r.onLook != nil {
		r.onLook()
	}
	return known, nil
}

func (r *records) HandleCommand(_ context.Context, _ int64, c store.Command, effect store.Effect) error {
	if r.failing != nil {
		return r.failing
	}
	digest := store.Digest(c.Body)
	c.Body = ""
	r.known[c.CommentID] = store.Handled{Command: c, Digest: digest}
	for _, deed := range effect.Actions {
		r.actions, r.threads = append(r.actions, deed.Action), append(r.threads, deed.Thread)
	}
	for _, change := range effect.Changes {
		r.queued = append(r.queued, string(change.Kind)+" "+change.Name)
	}
	return nil
}

func (r *records) Presses(context.Context, int64, int) ([]store.Press, error) {
	return slices.Clone(r.presses), r.failing
}

func (r *records) HandlePress(_ context.Context, _ int64, p store.Press, done []store.Deed) error {
	at := slices.IndexFunc(r.presses, func(other store.Press) bool { return other.GUID == p.GUID })
	r.presses[at] = p
	for _, deed := range done {
		r.actions, r.threads = append(r.actions, deed.Action), append(r.threads, deed.Thread)
	}
	return nil
}

// fixture is a pull request of eng with a task and its carrier.
type fixture struct {
	*testing.T
	github  *fake
	store   *records
	handler *Handler
	request Request
}

func newFixture(t *testing.T) *fixture {
	t.Helper()
	s := &records{known: map[int64]store.Handled{}}
	f := &fixture{T: t, github: &fake{fail: map[string]error{}}, store: s, handler: &Handler{Store: s, Evaluate: checks.Evaluate, Now: func() time.Time { return noon }}}
	f.github.carrier = snapshot.Comment{ID: 101, Author: eng, CreatedAt: stamp(noon.Add(-time.Hour)), UpdatedAt: stamp(noon.Add(-time.Hour))}
	f.github.edit(eng, carrierOf(t, 1))
	f.request = Request{
		GitHub: f.github, Log: slog.New(slog.DiscardHandler), Repo: github.Repo{Owner: "acme", Name: "widgets"}, RepositoryID: repository,
		App: "evidence-gate", Policy: policy.Effective{Policy: policy.Default()}, Known: &attempts.Known{},
		Facts: snapshot.Snapshot{
			Repository:  snapshot.Repository{Maintainers: 2},
			PullRequest: snapshot.PullRequest{Number: 42, Author: eng},
			Issue:       &snapshot.Issue{Number: 7, Comments: []snapshot.Comment{f.github.carrier}},
		},
	}
	return f
}

func carrierOf(t *testing.T, times int) string {
	t.Helper()
	attempt := attempts.Attempt{
		Artifact: "3f9c1a7be2d84065c1b7a9e0d3f4628517ab90cd", Command: "npm test", Strategy: attempts.Split,
		TimeoutMS: "180000", Outcome: attempts.Failed, DurationMS: "4200", Required: "true",
		PartialEvidence: "3 failing in the cache suite", ProposedNext: attempts.None, RecordedAt: "2020-01-01T09:00:00Z",
	}
	draft, err := attempts.NewCarrier("RC-1", attempt)
	require.NoError(t, err)
	for range times - 1 {
		draft, err = attempts.AppendAttempt(draft.Body, attempt, nil)
		require.NoError(t, err)
	}
	return draft.Body
}

// write puts a comment into the conversation, written so long ago.
func (f *fixture) write(id int64, by *snapshot.Actor, ago time.Duration, body string) {
	at := stamp(noon.Add(-ago))
	f.request.Facts.Comments = append(f.request.Facts.Comments, snapshot.Comment{
		ID: id, Author: by, Body: body, CreatedAt: at, UpdatedAt: at, Revisions: []snapshot.Revision{{Editor: by, EditedAt: at, Body: &body}},
	})
}

func (f *fixture) handle() (changed bool) {
	f.Helper()
	changed, err := f.handler.Handle(f.Context(), f.request)
	require.NoError(f, err)
	return changed
}

func (f *fixture) outcomes() map[int64]store.Outcome {
	f.Helper()
	found := map[int64]store.Outcome{}
	for id, h := range f.store.known {
		found[id] = h.Outcome
	}
	return found
}
