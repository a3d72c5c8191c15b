package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"
)

// LookedUntil is since when no delivery is known to be missing; zero when nobody looked.
func (s *Store) LookedUntil(ctx context.Context) (time.Time, error) {
	var at int64
	err := s.reader.QueryRowContext(ctx, `SELECT looked_until FROM recovery WHERE id = 1`).Scan(&at)
	if errors.Is(err, sql.ErrNoRows) {
		return time.Time{}, nil
	}
	if err != nil {
		return time.Time{}, fmt.Errorf("read when deliveries were looked through: %w", err)
	}
	return fromMillis(at), nil
}

// SetLookedUntil records it.
func (s *Store) SetLookedUntil(ctx context.Context, at time.Time) error {
	return s.write(ctx, func(w writing) error {
		if _, err := w.exec(ctx, `INSERT INTO recovery (id, looked_until) VALUES (1, $1)
			ON CONFLICT (id) DO UPDATE SET looked_until = excluded.looked_until`, millis(at)); err != nil {
			return fmt.Errorf("record when deliveries were looked through: %w", err)
		}
		return nil
	})
}
