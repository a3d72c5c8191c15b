package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"
)

// Figures are the numbers that operators watch.
type Figures struct {
	Waiting     int            // targets with changes that no run has handled, given-up ones aside
	OldestWait  time.Duration  // how long the first of them has waited
	DeadLetters int            // targets on which work was given up
	Jobs        map[string]int // jobs in the queue by state
	Deliveries  map[string]int // deliveries by state
}

// Figures reads the present numbers without getting in the way of the writer.
func (s *Store) Figures(ctx context.Context) (Figures, error) {
	f := Figures{}
	var oldest sql.NullInt64
	err := s.reader.QueryRowContext(ctx, `
		SELECT count(*) FILTER (WHERE failed_at IS NULL), count(*) FILTER (WHERE failed_at IS NOT NULL),
			min(first_event_at) FILTER (WHERE failed_at IS NULL)
		FROM targets WHERE changes > handled`).Scan(&f.Waiting, &f.DeadLetters, &oldest)
	if err != nil {
		return f, fmt.Errorf("count targets: %w", err)
	}
	if oldest.Valid {
		f.OldestWait = max(s.now().Sub(fromMillis(oldest.Int64)), 0)
	}
	if f.Jobs, err = s.countBy(ctx, `SELECT state, count(*) FROM river_job GROUP BY state`); err != nil {
		return f, err
	}
	f.Deliveries, err = s.countBy(ctx, `SELECT state, count(*) FROM deliveries GROUP BY state`)
	return f, err
}

func (s *Store) countBy(ctx context.Context, query string) (map[string]int, error) {
	rows, err := s.reader.QueryContext(ctx, query)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	counts := map[string]int{}
	for rows.Next() {
		var state string
		var count int
		if err := rows.Scan(&state, &count); err != nil {
			return nil, err
		}
		counts[state] = count
	}
	return counts, rows.Err()
}

// JobDue says whether a job of the queue can be run now, without getting in the way of the writer.
func (s *Store) JobDue(ctx context.Context, queue string) (bool, error) {
	var due bool
	err := s.reader.QueryRowContext(ctx, `
		SELECT EXISTS (SELECT 1 FROM river_job
			WHERE state = 'available' AND queue = $1 AND scheduled_at <= datetime('now', 'subsec'))`, queue).Scan(&due)
	if err != nil {
		return false, fmt.Errorf("look for jobs: %w", err)
	}
	return due, nil
}

// Writable proves that the database takes commits.
func (s *Store) Writable(ctx context.Context) error {
	if err := s.present(); err != nil {
		return err
	}
	_, err := s.db.ExecContext(ctx, `
		INSERT INTO heartbeat (id, at) VALUES (1, $1) ON CONFLICT (id) DO UPDATE SET at = excluded.at`, millis(s.now()))
	if err != nil {
		return fmt.Errorf("write to the database: %w", err)
	}
	return nil
}

// DeliveryState is the state of a delivery: open, done or failed; empty for one that is not known.
func (s *Store) DeliveryState(ctx context.Context, guid string) (string, error) {
	var state string
	err := s.reader.QueryRowContext(ctx, `SELECT state FROM deliveries WHERE guid = $1`, guid).Scan(&state)
	if errors.Is(err, sql.ErrNoRows) {
		return "", nil
	}
	return state, err
}
