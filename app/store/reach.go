package store

import (
	"context"
	"database/sql"
	"fmt"
	"strings"
)

// chunk bounds how many changes one transaction records, so that no delivery waits for long.
const chunk = 200

// Expand records what t stands for as changed, hands the waiting deliveries over to it, and finishes t
// as Finish does. It is background work, however much of it there is. After a kill in the middle it is
// done again; what was recorded twice is judged once.
func (s *Store) Expand(ctx context.Context, t Target, changes []Change, complete InTx) (again bool, err error) {
	for len(changes) > 0 {
		part := changes[:min(chunk, len(changes))]
		changes = changes[len(part):]
		if err := s.recordBackground(ctx, &t, part); err != nil {
			return false, err
		}
	}
	return s.Finish(ctx, t, Judged{}, complete)
}

// Sweep records pull requests that were found without an event. They wait in a queue of their own.
func (s *Store) Sweep(ctx context.Context, changes []Change) error {
	return s.recordBackground(ctx, nil, changes)
}

func (s *Store) recordBackground(ctx context.Context, from *Target, changes []Change) error {
	return s.write(ctx, func(w writing) error {
		changed := newTargetSet()
		for _, change := range changes {
			target, err := w.record(ctx, change)
			if err != nil {
				return err
			}
			if from != nil {
				if err := w.handOver(ctx, *from, target); err != nil {
					return err
				}
			}
			target.Background = true
			changed.addIfBegun(target, change.At)
		}
		return s.enqueueAll(ctx, w.tx, changed)
	})
}

// promote brings the jobs of targets, for which events came in while they waited as background work,
// before the rest of it.
func promote(ctx context.Context, tx *sql.Tx, ids []int64) error {
	if len(ids) == 0 {
		return nil
	}
	marks, args := make([]string, len(ids)), make([]any, 0, len(ids)+2)
	args = append(args, Events, Sweeps)
	for i, id := range ids {
		marks[i] = fmt.Sprintf("$%d", i+3)
		args = append(args, id)
	}
	_, err := tx.ExecContext(ctx, `UPDATE river_job SET queue = $1
		WHERE queue = $2 AND state IN ('available', 'scheduled', 'retryable')
			AND json_extract(args, '$.target_id') IN (`+strings.Join(marks, ", ")+`)`, args...)
	if err != nil {
		return fmt.Errorf("bring background work forward: %w", err)
	}
	return nil
}

// The queues: of work that webhooks ask for, and of work that was found without them or is so much
// that webhooks would starve behind it.
const (
	Events = "events"
	Sweeps = "sweeps"
)

// Backlog is how many jobs of background work wait or run.
func (s *Store) Backlog(ctx context.Context) (int, error) {
	var count int
	err := s.reader.QueryRowContext(ctx, `SELECT count(*) FROM river_job
		WHERE queue = $1 AND state IN ('available', 'scheduled', 'running')`, Sweeps).Scan(&count)
	if err != nil {
		return 0, fmt.Errorf("count background work: %w", err)
	}
	return count, nil
}

// private are the tables that hold texts and deeds of people, by repository.
var private = []string{"carriers", "actions", "commands", "contracts", "heads", "presses", "asks"}

// Forget deletes everything that is stored about the repositories, private texts among it, and finishes
// t as Finish does. Deliveries stay, without what they waited for: they hold no text.
func (s *Store) Forget(ctx context.Context, t Target, repositoryIDs []int64, complete InTx) (again bool, err error) {
	err = s.write(ctx, func(w writing) error {
		for _, id := range repositoryIDs {
			if err := w.forget(ctx, id, t.ID, millis(s.now())); err != nil {
				return fmt.Errorf("forget repository %d: %w", id, err)
			}
		}
		again, err = w.settle(ctx, t, s.now(), complete)
		return err
	})
	return again, err
}

func (w writing) forget(ctx context.Context, repositoryID, but, now int64) error {
	if repositoryID == 0 {
		return nil // an installation is no repository
	}
	for _, table := range private {
		if _, err := w.exec(ctx, `DELETE FROM `+table+` WHERE repository_id = $1`, repositoryID); err != nil {
			return err
		}
	}
	if _, err := w.exec(ctx, `UPDATE deliveries SET state = 'done', finished_at = $1
		WHERE state = 'open' AND guid IN (SELECT guid FROM waits JOIN targets ON targets.id = waits.target_id
			WHERE targets.repository_id = $2 AND targets.id <> $3)
		AND NOT EXISTS (SELECT 1 FROM waits JOIN targets ON targets.id = waits.target_id
			WHERE waits.guid = deliveries.guid AND (targets.repository_id <> $2 OR targets.id = $3))`, now, repositoryID, but); err != nil {
		return err
	}
	_, err := w.exec(ctx, `DELETE FROM targets WHERE repository_id = $1 AND id <> $2`, repositoryID, but)
	return err
}

// RepositoriesOf are the repositories whose events last named the installation.
func (s *Store) RepositoriesOf(ctx context.Context, installationID int64) ([]int64, error) {
	rows, err := s.reader.QueryContext(ctx, `
		SELECT DISTINCT repository_id FROM targets WHERE installation_id = $1 AND repository_id <> 0 ORDER BY repository_id`, installationID)
	if err != nil {
		return nil, fmt.Errorf("find the repositories of installation %d: %w", installationID, err)
	}
	defer rows.Close()
	var ids []int64
	for rows.Next() {
		var id int64
		if err := rows.Scan(&id); err != nil {
			return nil, err
		}
		ids = append(ids, id)
	}
	return ids, rows.Err()
}
