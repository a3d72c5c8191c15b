package store

import (
	"context"
	"fmt"
	"time"
)

// Press is one press of a button of a check run. Digest is that of the contract that the check run
// showed, empty when it showed none.
type Press struct {
	GUID      string // of the delivery that told of it
	Number    int    // of the pull request that the check run is about
	Button    string
	Login     string
	Type      string // of the account: User or Bot
	HeadSHA   string // of the check run
	Digest    string
	At        time.Time
	Outcome   Outcome // empty: not handled yet
	RepliedAt time.Time
}

const recordPress = `
	INSERT INTO presses (guid, repository_id, number, button, login, type, head_sha, digest, pressed_at)
	VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)
	ON CONFLICT (guid) DO NOTHING`

func (w writing) press(ctx context.Context, repositoryID int64, p Press) error {
	if _, err := w.exec(ctx, recordPress, p.GUID, repositoryID, p.Number, p.Button, p.Login, p.Type, p.HeadSHA, p.Digest, millis(p.At)); err != nil {
		return fmt.Errorf("record the press of a button: %w", err)
	}
	return nil
}

// Presses are the presses on a pull request's check runs that are kept, the handled ones too, in the
// order in which they were made.
func (s *Store) Presses(ctx context.Context, repositoryID int64, number int) ([]Press, error) {
	rows, err := s.reader.QueryContext(ctx, `
		SELECT guid, button, login, type, head_sha, digest, pressed_at, outcome, coalesce(replied_at, 0)
		FROM presses WHERE repository_id = $1 AND number = $2 ORDER BY pressed_at, guid`, repositoryID, number)
	if err != nil {
		return nil, fmt.Errorf("read the presses on pull request %d: %w", number, err)
	}
	defer rows.Close()
	var list []Press
	for rows.Next() {
		p := Press{Number: number}
		var at, replied int64
		if err := rows.Scan(&p.GUID, &p.Button, &p.Login, &p.Type, &p.HeadSHA, &p.Digest, &at, &p.Outcome, &replied); err != nil {
			return nil, err
		}
		p.At = fromMillis(at)
		if replied != 0 {
			p.RepliedAt = fromMillis(replied)
		}
		list = append(list, p)
	}
	return list, rows.Err()
}

// HandlePress records what became of a press, together with what it did.
func (s *Store) HandlePress(ctx context.Context, repositoryID int64, p Press, done []Deed) error {
	return s.write(ctx, func(w writing) error {
		var replied any
		if !p.RepliedAt.IsZero() {
			replied = millis(p.RepliedAt)
		}
		if _, err := w.exec(ctx, `UPDATE presses SET outcome = $1, handled_at = $2, replied_at = $3 WHERE guid = $4 AND outcome = ''`,
			p.Outcome, millis(s.now()), replied, p.GUID); err != nil {
			return fmt.Errorf("record what became of a press: %w", err)
		}
		for _, d := range done {
			if err := w.act(ctx, repositoryID, source{press: p.GUID}, d); err != nil {
				return fmt.Errorf("record what a press did: %w", err)
			}
		}
		return nil
	})
}
