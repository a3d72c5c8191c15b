package store

import (
	"context"
	"encoding/json"
	"fmt"
	"time"
)

// Ask is one request for an approval of a head.
type Ask struct {
	HeadSHA string
	Step    string   // review or person
	Via     string   // request, comment or nobody
	Whom    []string // logins and teams
	At      time.Time
}

// Asks are the requests for approvals of one head.
func (s *Store) Asks(ctx context.Context, repositoryID int64, number int, head string) ([]Ask, error) {
	rows, err := s.reader.QueryContext(ctx, `
		SELECT step, via, whom, at FROM asks WHERE repository_id = $1 AND number = $2 AND head_sha = $3 ORDER BY at, step DESC`,
		repositoryID, number, head)
	if err != nil {
		return nil, fmt.Errorf("read who was asked about pull request %d: %w", number, err)
	}
	defer rows.Close()
	var asks []Ask
	for rows.Next() {
		a := Ask{HeadSHA: head}
		var whom string
		var at int64
		if err := rows.Scan(&a.Step, &a.Via, &whom, &at); err != nil {
			return nil, err
		}
		if err := json.Unmarshal([]byte(whom), &a.Whom); err != nil {
			return nil, fmt.Errorf("%w: who was asked about pull request %d: %w", ErrUnreadable, number, err)
		}
		a.At = fromMillis(at)
		asks = append(asks, a)
	}
	return asks, rows.Err()
}

// Asked records a request, the first of its step on a head.
func (s *Store) Asked(ctx context.Context, repositoryID int64, number int, a Ask) error {
	whom, err := json.Marshal(a.Whom)
	if err != nil {
		return err
	}
	return s.write(ctx, func(w writing) error {
		if _, err := w.exec(ctx, `
			INSERT INTO asks (repository_id, number, head_sha, step, via, whom, at) VALUES ($1, $2, $3, $4, $5, $6, $7)
			ON CONFLICT DO NOTHING`, repositoryID, number, a.HeadSHA, a.Step, a.Via, string(whom), millis(a.At)); err != nil {
			return fmt.Errorf("record who was asked about pull request %d: %w", number, err)
		}
		return nil
	})
}
