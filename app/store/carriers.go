package store

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"
	"time"
)

// How many bytes of carriers are kept of one account on one issue or pull request. Accounts have
// rooms of their own, so that nobody takes another's: the small one is that of an account whose
// carriers count in its own pull requests only.
const (
	carrierRoom    = 8 << 20 // half of what a Snapshot's documents may have together (M1)
	carrierRoomOwn = 1 << 20
)

// CarrierState says what is kept of a text.
type CarrierState string

// The states.
const (
	Kept      CarrierState = "kept"
	Contained CarrierState = "contained" // a later text of the comment contains its history
	NoRoom    CarrierState = "no_room"   // its author had no room left
)

// Carrier is one text of a comment with attempt history, as the service saw it. Thread is the number
// of the issue or pull request that the comment stands on.
type Carrier struct {
	ID        int64 // of the record; 0 for a new one
	Thread    int
	CommentID int64
	Check     string
	State     CarrierState
	Body      string // private; empty unless it is kept
	Digest    string // of the text
	Author    string // login of the comment's author
	ByOther   bool   // the text is by another hand than the author's; known when it is seen, not stored
	Trusted   bool   // the author's carriers counted in every pull request when it was last seen
	SeenAt    time.Time
}

// Digest identifies a text.
func Digest(text string) string {
	sum := sha256.Sum256([]byte(text))
	return "sha256:" + hex.EncodeToString(sum[:])
}

// Carriers are the texts that were seen on those issues and pull requests of the repository, in the
// order in which they were first seen.
func (s *Store) Carriers(ctx context.Context, repositoryID int64, threads ...int) ([]Carrier, error) {
	if len(threads) == 0 {
		return nil, nil
	}
	marks, args := inThreads(repositoryID, threads)
	rows, err := s.reader.QueryContext(ctx, `
		SELECT id, thread, comment_id, check_id, state, body, digest, author, trusted, seen_at
		FROM carriers WHERE repository_id = $1 AND thread IN (`+marks+`) ORDER BY id`, args...)
	if err != nil {
		return nil, fmt.Errorf("read the carriers of repository %d: %w", repositoryID, err)
	}
	defer rows.Close()
	var seen []Carrier
	for rows.Next() {
		var c Carrier
		var body []byte
		var at int64
		if err := rows.Scan(&c.ID, &c.Thread, &c.CommentID, &c.Check, &c.State, &body, &c.Digest, &c.Author, &c.Trusted, &at); err != nil {
			return nil, err
		}
		c.Body, c.SeenAt = string(body), fromMillis(at)
		seen = append(seen, c)
	}
	return seen, rows.Err()
}

// inThreads writes the placeholders of a list of threads, which come after the repository's id.
func inThreads(repositoryID int64, threads []int) (marks string, args []any) {
	list := make([]string, len(threads))
	args = []any{repositoryID}
	for i, thread := range threads {
		list[i] = fmt.Sprintf("$%d", i+2)
		args = append(args, thread)
	}
	return strings.Join(list, ", "), args
}

// SeeCarriers keeps new texts, and drops the texts of the records given, which later ones contain. A
// text that is known already stays as it was first seen; only trust is added to it.
func (s *Store) SeeCarriers(ctx context.Context, repositoryID int64, seen []Carrier, contained []int64) error {
	return s.write(ctx, func(w writing) error {
		for _, id := range contained {
			if _, err := w.exec(ctx, `UPDATE carriers SET state = 'contained', body = ''
				WHERE repository_id = $1 AND id = $2`, repositoryID, id); err != nil {
				return fmt.Errorf("drop the text of a carrier: %w", err)
			}
		}
		for _, c := range seen {
			if err := w.see(ctx, repositoryID, c); err != nil {
				return fmt.Errorf("keep a carrier of comment %d: %w", c.CommentID, err)
			}
		}
		return nil
	})
}

const seeCarrier = `
	INSERT INTO carriers (repository_id, thread, comment_id, digest, check_id, state, body, author, trusted, seen_at)
	VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
	ON CONFLICT (repository_id, comment_id, digest) DO UPDATE SET trusted = max(carriers.trusted, excluded.trusted)`

func (w writing) see(ctx context.Context, repositoryID int64, c Carrier) error {
	state, body := c.State, []byte(c.Body)
	if state == Kept {
		fits, err := w.fits(ctx, repositoryID, c)
		if err != nil {
			return err
		}
		if !fits {
			state = NoRoom
		}
	}
	if state != Kept {
		body = []byte{}
	}
	_, err := w.exec(ctx, seeCarrier, repositoryID, c.Thread, c.CommentID, Digest(c.Body), c.Check, state, body,
		c.Author, boolInt(c.Trusted), millis(c.SeenAt))
	return err
}

// fits says whether the author of a carrier has room for it.
func (w writing) fits(ctx context.Context, repositoryID int64, c Carrier) (bool, error) {
	var used int
	err := w.row(ctx, `SELECT coalesce(sum(length(body)), 0) FROM carriers
		WHERE repository_id = $1 AND thread = $2 AND author = $3`, repositoryID, c.Thread, c.Author).Scan(&used)
	room := carrierRoomOwn
	if c.Trusted {
		room = carrierRoom
	}
	return used+len(c.Body) <= room, err
}

// forgetUnkept drops what is known of a comment's texts that had no room: a maintainer accepted that
// they are lost.
func (w writing) forgetUnkept(ctx context.Context, repositoryID, commentID int64) error {
	_, err := w.exec(ctx, `DELETE FROM carriers WHERE repository_id = $1 AND comment_id = $2 AND state = 'no_room'`, repositoryID, commentID)
	return err
}
