package worker

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/evidence-gate/evidence-gate/app/store"
	"github.com/evidence-gate/evidence-gate/profile/policy"
	"github.com/evidence-gate/evidence-gate/snapshot"
)

// lasting are the kinds of actions that a role of the time when they were done suffices for: they are
// about what is past, and not about who stands behind the pull request now.
var lasting = []string{"accept_loss", "triage"}

// asNow gives the actors of actions the roles that they have now: who lost a role stands behind nothing
// any more, and who was renamed is known by the comment. What cannot be read is missing, and their
// actions do not count.
func (w *Worker) asNow(ctx context.Context, from Installation, t task, roles policy.Roles, s snapshot.Snapshot) (snapshot.Snapshot, error) {
	s.Actions = slices.Clone(s.Actions)
	read := map[string]*snapshot.Actor{}
	for i := range s.Actions {
		a := &s.Actions[i]
		if slices.Contains(lasting, a.Kind) || a.Actor == nil {
			continue
		}
		if c := commentOf(s, a.CommentID); c != nil {
			a.Actor = c.Author // the loader has read whoever writes commands
			continue
		}
		login := strings.ToLower(a.Actor.Login)
		if read[login] == nil {
			now, missing, err := from.Member(ctx, t.repo, snapshot.Actor{Login: a.Actor.Login, Type: a.Actor.Type}, roles)
			if err != nil {
				return s, err
			}
			for _, u := range missing {
				if !unread(s, u.Fact) {
					s.Unavailable = append(slices.Clone(s.Unavailable), u)
				}
			}
			read[login] = &now
		}
		a.Actor = read[login]
	}
	return s, nil
}

func commentOf(s snapshot.Snapshot, id int64) *snapshot.Comment {
	threads := [][]snapshot.Comment{s.Comments}
	if s.Issue != nil {
		threads = append(threads, s.Issue.Comments)
	}
	for _, comments := range threads {
		for i := range comments {
			if id != 0 && comments[i].ID == id {
				return &comments[i]
			}
		}
	}
	return nil
}

// heads are the commits that were the head, since when, with the present one. One that no event told
// of counts as the head from after everything that GitHub shows by now: what was written by then may
// have been about the commit before it. Both are GitHub's times, so that our clock does not matter.
func (w *Worker) heads(ctx context.Context, t task, s snapshot.Snapshot) ([]store.HeadAt, error) {
	known, err := w.Store.Heads(ctx, t.RepositoryID, t.Number())
	if err != nil {
		return nil, err
	}
	head := s.PullRequest.HeadSHA
	if len(known) > 0 && known[len(known)-1].SHA == head {
		return known, nil
	}
	since := latest(s)
	if len(known) > 0 && since.Before(known[len(known)-1].Since) {
		since = known[len(known)-1].Since
	}
	seen := store.HeadAt{SHA: head, Since: since.Add(time.Second)}
	return append(known, seen), w.Store.SeeHead(ctx, t.RepositoryID, t.Number(), seen)
}

// latest is the latest time that GitHub shows of anything that was said or done.
func latest(s snapshot.Snapshot) time.Time {
	var last time.Time
	see := func(at string) {
		if when, err := time.Parse(time.RFC3339, at); err == nil && when.After(last) {
			last = when
		}
	}
	comments := func(list []snapshot.Comment) {
		for _, c := range list {
			see(c.CreatedAt)
			see(c.UpdatedAt)
		}
	}
	see(s.PullRequest.CreatedAt)
	comments(s.Comments)
	if s.Issue != nil {
		comments(s.Issue.Comments)
		for _, r := range s.Issue.Revisions {
			see(r.EditedAt)
		}
	}
	for _, r := range s.PullRequest.Revisions {
		see(r.EditedAt)
	}
	for _, r := range s.Reviews {
		see(r.SubmittedAt)
	}
	return last
}
