package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/evidence-gate/evidence-gate/snapshot"
)

// ErrUnreadable is a record that is there and is not what was written. Who needs it must not go on as
// if there were none.
var ErrUnreadable = errors.New("a record of the database is damaged")

// Contract is what is remembered of a pull request's contract; nil when there was none to remember
// yet. known is false for a pull request that was never looked at.
func (s *Store) Contract(ctx context.Context, repositoryID int64, number int) (contract *snapshot.RememberedContract, known bool, err error) {
	var text, digest string
	err = s.reader.QueryRowContext(ctx, `SELECT contract, digest FROM contracts WHERE repository_id = $1 AND number = $2`,
		repositoryID, number).Scan(&text, &digest)
	switch {
	case errors.Is(err, sql.ErrNoRows):
		return nil, false, nil
	case err != nil:
		return nil, false, fmt.Errorf("read the contract of pull request %d: %w", number, err)
	case Digest(text) != digest:
		return nil, true, fmt.Errorf("%w: the contract of pull request %d of repository %d", ErrUnreadable, number, repositoryID)
	case text == "":
		return nil, true, nil
	}
	contract = new(snapshot.RememberedContract)
	if err := json.Unmarshal([]byte(text), contract); err != nil {
		return nil, true, fmt.Errorf("%w: the contract of pull request %d of repository %d: %w", ErrUnreadable, number, repositoryID, err)
	}
	return contract, true, nil
}

// RememberContract keeps a contract in place of the one that was remembered; nil says that there was
// none yet.
func (s *Store) RememberContract(ctx context.Context, repositoryID int64, number int, contract *snapshot.RememberedContract) error {
	text := []byte{}
	if contract != nil {
		var err error
		if text, err = json.Marshal(contract); err != nil {
			return fmt.Errorf("write the contract of pull request %d: %w", number, err)
		}
	}
	return s.write(ctx, func(w writing) error {
		if _, err := w.exec(ctx, `
			INSERT INTO contracts (repository_id, number, contract, digest, seen_at) VALUES ($1, $2, $3, $4, $5)
			ON CONFLICT (repository_id, number) DO UPDATE SET contract = excluded.contract, digest = excluded.digest`,
			repositoryID, number, string(text), Digest(string(text)), millis(s.now())); err != nil {
			return fmt.Errorf("remember the contract of pull request %d: %w", number, err)
		}
		return nil
	})
}

// Published records the task that the published report of a pull request was about, 0 for none.
func (s *Store) Published(ctx context.Context, t Target, issue int) error {
	return s.write(ctx, func(w writing) error {
		if _, err := w.exec(ctx, `UPDATE targets SET judged_issue = $1 WHERE id = $2 AND judged_issue <> $1`, issue, t.ID); err != nil {
			return fmt.Errorf("record the task of target %d: %w", t.ID, err)
		}
		return nil
	})
}

// PublishedTask is the task that the last published report of a pull request was about, 0 when it was
// about none or none was published.
func (s *Store) PublishedTask(ctx context.Context, t Target) (issue int, err error) {
	if err = s.reader.QueryRowContext(ctx, `SELECT judged_issue FROM targets WHERE id = $1`, t.ID).Scan(&issue); err != nil {
		return 0, fmt.Errorf("read the task of target %d: %w", t.ID, err)
	}
	return issue, nil
}
