package store

import (
	"context"
	"fmt"
	"time"
)

// HeadAt is a commit and since when it was the head of a pull request, by GitHub's clock.
type HeadAt struct {
	SHA   string
	Since time.Time
}

// Heads are the commits that were the head of a pull request, as far as it is known, in order.
func (s *Store) Heads(ctx context.Context, repositoryID int64, number int) ([]HeadAt, error) {
	rows, err := s.reader.QueryContext(ctx, `
		SELECT sha, since FROM heads WHERE repository_id = $1 AND number = $2 ORDER BY since, id`, repositoryID, number)
	if err != nil {
		return nil, fmt.Errorf("read the heads of pull request %d: %w", number, err)
	}
	defer rows.Close()
	var heads []HeadAt
	for rows.Next() {
		var h HeadAt
		var since int64
		if err := rows.Scan(&h.SHA, &since); err != nil {
			return nil, err
		}
		h.Since = fromMillis(since)
		heads = append(heads, h)
	}
	return heads, rows.Err()
}

// SeeHead records that a commit was the head of a pull request at a time.
func (s *Store) SeeHead(ctx context.Context, repositoryID int64, number int, h HeadAt) error {
	return s.write(ctx, func(w writing) error { return w.seeHead(ctx, repositoryID, number, h) })
}

// seeHead adds a row unless that commit was the head by then anyway.
func (w writing) seeHead(ctx context.Context, repositoryID int64, number int, h HeadAt) error {
	_, err := w.exec(ctx, `
		INSERT INTO heads (repository_id, number, sha, since) SELECT $1, $2, $3, $4
		WHERE coalesce((SELECT sha FROM heads WHERE repository_id = $1 AND number = $2 AND since <= $4
			ORDER BY since DESC, id DESC LIMIT 1), '') <> $3`, repositoryID, number, h.SHA, millis(h.Since))
	if err != nil {
		return fmt.Errorf("record the head of pull request %d: %w", number, err)
	}
	return nil
}
