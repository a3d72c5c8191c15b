package store

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/evidence-gate/evidence-gate/snapshot"
)

// Outcome is what became of a comment's slash commands.
type Outcome string

// The outcomes.
const (
	Done    Outcome = "done"    // carried out
	Refused Outcome = "refused" // not carried out, or not all of it, and its author was told why
	Ignored Outcome = "ignored" // not carried out, without a word
)

// Command is a comment whose slash commands were handled.
type Command struct {
	CommentID int64
	Thread    int
	Author    string
	Outcome   Outcome
	Body      string // the text it had; only its digest is kept
	HandledAt time.Time
	RepliedAt time.Time // zero: not answered in words
}

// Deed is an action that is recorded. Thread is the issue or pull request on which it is looked for; its comment is the
// one that it is about, such as a carrier, or else the one that it was written in.
type Deed struct {
	Thread int
	snapshot.Action
}

// Effect is what a command did beside its answer. Changes are what has to be looked at again because
// of it.
type Effect struct {
	Actions []Deed
	Changes []Change
}

// source is where an action came from: a comment or a press.
type source struct {
	comment int64
	press   string
}

// Handled is what is known of a handled comment.
type Handled struct {
	Command
	Digest string // of the text that was handled; Body is empty
}

// Unchanged says whether the comment still has the text that was handled.
func (h Handled) Unchanged(body string) bool { return h.Digest == Digest(body) }

// Commands are the handled comments of those issues and pull requests, by the id of the comment.
func (s *Store) Commands(ctx context.Context, repositoryID int64, threads ...int) (map[int64]Handled, error) {
	known := map[int64]Handled{}
	if len(threads) == 0 {
		return known, nil
	}
	marks, args := inThreads(repositoryID, threads)
	rows, err := s.reader.QueryContext(ctx, `
		SELECT comment_id, thread, author, outcome, digest, handled_at, coalesce(replied_at, 0)
		FROM commands WHERE repository_id = $1 AND thread IN (`+marks+`)`, args...)
	if err != nil {
		return nil, fmt.Errorf("read the handled commands of repository %d: %w", repositoryID, err)
	}
	defer rows.Close()
	for rows.Next() {
		var h Handled
		var at, replied int64
		if err := rows.Scan(&h.CommentID, &h.Thread, &h.Author, &h.Outcome, &h.Digest, &at, &replied); err != nil {
			return nil, err
		}
		h.HandledAt = fromMillis(at)
		if replied != 0 {
			h.RepliedAt = fromMillis(replied)
		}
		known[h.CommentID] = h
	}
	return known, rows.Err()
}

const handleCommand = `
	INSERT INTO commands (repository_id, comment_id, thread, author, outcome, digest, handled_at, replied_at)
	VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
	ON CONFLICT (repository_id, comment_id) DO UPDATE SET
		digest = excluded.digest, replied_at = coalesce(excluded.replied_at, commands.replied_at)`

// HandleCommand records that a comment was handled, together with what it did. Recorded again, the
// outcome and the actions of the first time stand; the text and the reply are those of the last.
func (s *Store) HandleCommand(ctx context.Context, repositoryID int64, c Command, effect Effect) error {
	return s.write(ctx, func(w writing) error {
		var replied any
		if !c.RepliedAt.IsZero() {
			replied = millis(c.RepliedAt)
		}
		if _, err := w.exec(ctx, handleCommand, repositoryID, c.CommentID, c.Thread, c.Author, c.Outcome,
			Digest(c.Body), millis(c.HandledAt), replied); err != nil {
			return fmt.Errorf("record the command of comment %d: %w", c.CommentID, err)
		}
		for _, action := range effect.Actions {
			if err := w.act(ctx, repositoryID, source{comment: c.CommentID}, action); err != nil {
				return fmt.Errorf("record what comment %d did: %w", c.CommentID, err)
			}
		}
		changed := newTargetSet()
		for _, change := range effect.Changes {
			target, err := w.record(ctx, change)
			if err != nil {
				return err
			}
			changed.addIfBegun(target, change.At)
		}
		return s.enqueueAll(ctx, w.tx, changed)
	})
}

// acceptLoss is the kind of an action by which a maintainer accepts that history is lost (A7).
const acceptLoss = "accept_loss"

const recordAction = `
	INSERT INTO actions (repository_id, thread, kind, via, command_id, press, comment_id, check_id, attempt, digest, reason, head_sha,
		actor, actor_type, actor_permission, actor_teams, at)
	VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17)
	ON CONFLICT DO NOTHING`

func (w writing) act(ctx context.Context, repositoryID int64, from source, a Deed) error {
	if a.Actor == nil {
		return errors.New("expected who did it, found nobody")
	}
	at, err := time.Parse(time.RFC3339, a.At)
	if err != nil {
		return fmt.Errorf("expected when it was done: %w", err)
	}
	teams, err := json.Marshal(a.Actor.Teams)
	if err != nil {
		return err
	}
	if a.Kind == acceptLoss {
		if err := w.forgetUnkept(ctx, repositoryID, a.CommentID); err != nil {
			return err
		}
	}
	_, err = w.exec(ctx, recordAction, repositoryID, a.Thread, a.Kind, a.Via, from.comment, from.press, a.CommentID, a.Check, a.Attempt, a.Digest,
		a.Reason, a.HeadSHA, a.Actor.Login, a.Actor.Type, a.Actor.Permission, string(teams), millis(at))
	return err
}

// Actions are what was done on those issues and pull requests, in the order in which it was recorded.
// An actor has the role that it had then.
func (s *Store) Actions(ctx context.Context, repositoryID int64, threads ...int) ([]snapshot.Action, error) {
	if len(threads) == 0 {
		return nil, nil
	}
	marks, args := inThreads(repositoryID, threads)
	rows, err := s.reader.QueryContext(ctx, `
		SELECT kind, via, comment_id, check_id, attempt, digest, reason, head_sha,
			actor, actor_type, actor_permission, actor_teams, at
		FROM actions WHERE repository_id = $1 AND thread IN (`+marks+`) ORDER BY id`, args...)
	if err != nil {
		return nil, fmt.Errorf("read the actions of repository %d: %w", repositoryID, err)
	}
	defer rows.Close()
	var actions []snapshot.Action
	for rows.Next() {
		a := snapshot.Action{Actor: &snapshot.Actor{}}
		var teams string
		var at int64
		if err := rows.Scan(&a.Kind, &a.Via, &a.CommentID, &a.Check, &a.Attempt, &a.Digest, &a.Reason, &a.HeadSHA,
			&a.Actor.Login, &a.Actor.Type, &a.Actor.Permission, &teams, &at); err != nil {
			return nil, err
		}
		if err := json.Unmarshal([]byte(teams), &a.Actor.Teams); err != nil {
			return nil, fmt.Errorf("read the teams of an actor: %w", err)
		}
		a.At = fromMillis(at).Format(time.RFC3339)
		actions = append(actions, a)
	}
	return actions, rows.Err()
}
