package store

import (
	"context"
	"fmt"
	"time"
)

// WakeAt has a target looked at again at a time, in place of a time that was set before.
func (s *Store) WakeAt(ctx context.Context, t Target, at time.Time) error {
	return s.write(ctx, func(w writing) error {
		if _, err := w.exec(ctx, `
			INSERT INTO wakes (target_id, at) VALUES ($1, $2) ON CONFLICT (target_id) DO UPDATE SET at = excluded.at`,
			t.ID, millis(at)); err != nil {
			return fmt.Errorf("set when to look at target %d again: %w", t.ID, err)
		}
		return nil
	})
}

// maxWoken bounds how many targets wake up in one transaction.
const maxWoken = 500

// Wake queues the targets whose time has come, each once.
func (s *Store) Wake(ctx context.Context) error {
	now := s.now()
	due, err := s.targets(ctx, `SELECT `+targetColumns+` FROM targets
		WHERE id IN (SELECT target_id FROM wakes WHERE at <= $1 ORDER BY at LIMIT $2)`, millis(now), maxWoken)
	if err != nil || len(due) == 0 {
		return err
	}
	return s.write(ctx, func(w writing) error {
		changed := newTargetSet()
		for _, t := range due {
			// The time may have been set anew meanwhile.
			result, err := w.exec(ctx, `DELETE FROM wakes WHERE target_id = $1 AND at <= $2`, t.ID, millis(now))
			if err != nil {
				return fmt.Errorf("wake target %d: %w", t.ID, err)
			}
			hit, err := result.RowsAffected()
			if err != nil {
				return err
			}
			if hit == 0 {
				continue
			}
			change := Change{Subject: t.Subject, Owner: t.Owner, Repository: t.Repository, At: now}
			woken, err := w.record(ctx, change)
			if err != nil {
				return err
			}
			changed.addIfBegun(woken, change.At)
		}
		return s.enqueueAll(ctx, w.tx, changed)
	})
}
