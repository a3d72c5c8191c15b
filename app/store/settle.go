package store

import (
	"context"
	"database/sql"
	"fmt"
	"time"
)

// InTx is the queue's part of a transaction: completing or discarding the job.
type InTx func(ctx context.Context, tx *sql.Tx) error

// Judged is what a finished run leaves behind about a pull request.
type Judged struct {
	HeadSHA  string
	Tasks    []string // the tasks it is linked to, as owner/name#number; nil keeps the ones known
	Standing Standing // empty keeps the one known
	Pending  bool     // the verdict waits for something
	Closed   bool     // it is not open: it has no head any more that others could share
	Again    []int    // pull requests of the repository whose verdict may differ because of it
}

// Finish records that a run which had seen t is done, together with the deliveries that waited for
// it. When the target changed meanwhile, the job is not completed and again is true: it must run
// once more. Otherwise complete is called in the same transaction.
func (s *Store) Finish(ctx context.Context, t Target, judged Judged, complete InTx) (again bool, err error) {
	err = s.write(ctx, func(w writing) error {
		if err := w.remember(ctx, t, judged, s.now()); err != nil {
			return err
		}
		if err := s.lookAgain(ctx, w, t, judged.Again); err != nil {
			return err
		}
		again, err = w.settle(ctx, t, s.now(), complete)
		return err
	})
	return again, err
}

// Resolve records the pull requests that a head or issue stands for as changed, hands the waiting
// deliveries over to them, and finishes t as Finish does.
func (s *Store) Resolve(ctx context.Context, t Target, numbers []int, complete InTx) (again bool, err error) {
	err = s.write(ctx, func(w writing) error {
		changed := newTargetSet()
		for _, number := range numbers {
			change := changeOf(t, number)
			pull, err := w.record(ctx, change)
			if err != nil {
				return err
			}
			if err := w.handOver(ctx, t, pull); err != nil {
				return err
			}
			changed.addIfBegun(pull, change.At)
		}
		if err := s.enqueueAll(ctx, w.tx, changed); err != nil {
			return err
		}
		again, err = w.settle(ctx, t, s.now(), complete)
		return err
	})
	return again, err
}

// changeOf is the change of a pull request found for t. It happened when t last changed, so that
// the wait for further events is not served twice.
func changeOf(t Target, number int) Change {
	change := Change{
		Subject:        Numbered(t.RepositoryID, PullRequest, number),
		InstallationID: t.InstallationID,
		Owner:          t.Owner,
		Repository:     t.Repository,
		Rerun:          t.Rerun,
		At:             t.LastEventAt,
	}
	if t.Kind == Head {
		change.HeadSHA = t.Name
	}
	return change
}

func (w writing) handOver(ctx context.Context, from, to Target) error {
	_, err := w.exec(ctx, `
		INSERT INTO waits (guid, target_id, change)
		SELECT guid, $1, $2 FROM waits WHERE target_id = $3 AND change <= $4
		ON CONFLICT (guid, target_id) DO UPDATE SET change = excluded.change`,
		to.ID, to.Changes, from.ID, from.Changes)
	return err
}

// settleTarget marks what the run had seen as handled. The wait starts anew when there is more.
const settleTarget = `
	UPDATE targets SET handled = $1, failure = '', failed_at = NULL,
		first_event_at = CASE WHEN changes > $1 THEN $2 ELSE first_event_at END
	WHERE id = $3 RETURNING changes`

func (w writing) settle(ctx context.Context, t Target, now time.Time, complete InTx) (again bool, err error) {
	var changes int64
	if err := w.row(ctx, settleTarget, t.Changes, millis(now), t.ID).Scan(&changes); err != nil {
		return false, fmt.Errorf("finish target %d: %w", t.ID, err)
	}
	if _, err := w.exec(ctx, endDeliveries, millis(now), t.ID, t.Changes); err != nil {
		return false, fmt.Errorf("end deliveries: %w", err)
	}
	if _, err := w.exec(ctx, endWaits, t.ID, t.Changes); err != nil {
		return false, fmt.Errorf("end waits: %w", err)
	}
	if changes > t.Changes {
		return true, nil
	}
	return false, complete(ctx, w.tx)
}

// endDeliveries ends those that waited for what the run had seen and for nothing else.
const endDeliveries = `
	UPDATE deliveries SET state = 'done', finished_at = $1
	WHERE guid IN (SELECT guid FROM waits WHERE target_id = $2 AND change <= $3)
		AND NOT EXISTS (SELECT 1 FROM waits other WHERE other.guid = deliveries.guid AND other.target_id <> $2)`

const endWaits = `DELETE FROM waits WHERE target_id = $1 AND change <= $2`

// Fail records that work on t was given up, and why; discard is called in the same transaction. A
// target that changed meanwhile is not given up: again is true and the job must run once more.
func (s *Store) Fail(ctx context.Context, t Target, reason string, discard InTx) (again bool, err error) {
	err = s.write(ctx, func(w writing) error {
		result, err := w.exec(ctx, `UPDATE targets SET failure = $1, failed_at = $2 WHERE id = $3 AND changes = $4`,
			reason, millis(s.now()), t.ID, t.Changes)
		if err != nil {
			return fmt.Errorf("give up target %d: %w", t.ID, err)
		}
		if hit, err := result.RowsAffected(); err != nil || hit == 0 {
			again = err == nil
			return err
		}
		if err := w.failDeliveries(ctx, t, s.now()); err != nil {
			return err
		}
		return discard(ctx, w.tx)
	})
	return again, err
}

// failDeliveries fails every delivery that waited for t, whatever else it waits for: it can be asked
// for again.
func (w writing) failDeliveries(ctx context.Context, t Target, now time.Time) error {
	if _, err := w.exec(ctx, `
		UPDATE deliveries SET state = 'failed', finished_at = $1
		WHERE guid IN (SELECT guid FROM waits WHERE target_id = $2 AND change <= $3)`,
		millis(now), t.ID, t.Changes); err != nil {
		return fmt.Errorf("fail deliveries: %w", err)
	}
	_, err := w.exec(ctx, `
		DELETE FROM waits WHERE guid IN (SELECT guid FROM waits WHERE target_id = $1 AND change <= $2)`, t.ID, t.Changes)
	return err
}

// remember keeps the head and the linked tasks of a judged pull request. A change that arrived during
// the run may have announced a newer head, which stands.
func (w writing) remember(ctx context.Context, t Target, judged Judged, now time.Time) error {
	if err := w.rememberJudgedHead(ctx, t, judged, now); err != nil {
		return err
	}
	if judged.HeadSHA != "" {
		if _, err := w.exec(ctx, `UPDATE targets SET head_sha = $1 WHERE id = $2 AND changes = $3`, judged.HeadSHA, t.ID, t.Changes); err != nil {
			return fmt.Errorf("remember the head: %w", err)
		}
	}
	if judged.Standing.Enrolment != "" {
		if _, err := w.exec(ctx, `UPDATE targets SET enrolment = $1, check_name = $2, mode = $3 WHERE id = $4`,
			judged.Standing.Enrolment, judged.Standing.CheckName, judged.Standing.Mode, t.ID); err != nil {
			return fmt.Errorf("remember how it was published: %w", err)
		}
	}
	if judged.Tasks == nil {
		return nil
	}
	if _, err := w.exec(ctx, `DELETE FROM links WHERE target_id = $1`, t.ID); err != nil {
		return fmt.Errorf("forget linked tasks: %w", err)
	}
	for _, task := range judged.Tasks {
		if _, err := w.exec(ctx, `INSERT INTO links (target_id, task) VALUES ($1, $2) ON CONFLICT DO NOTHING`, t.ID, task); err != nil {
			return fmt.Errorf("remember linked task: %w", err)
		}
	}
	return nil
}

// LinkedPullRequests are the pull requests of the repository that were linked to the task, given as
// owner/name#number, when they were last judged. GitHub no longer tells once a task is deleted.
func (s *Store) LinkedPullRequests(ctx context.Context, repositoryID int64, task string) ([]int, error) {
	rows, err := s.reader.QueryContext(ctx, `
		SELECT targets.name FROM links JOIN targets ON targets.id = links.target_id
		WHERE links.task = $1 AND targets.repository_id = $2 AND targets.kind = 'pull_request'
		ORDER BY targets.id`, task, repositoryID)
	if err != nil {
		return nil, fmt.Errorf("linked pull requests of %s: %w", task, err)
	}
	defer rows.Close()
	var numbers []int
	for rows.Next() {
		subject := Subject{Kind: PullRequest}
		if err := rows.Scan(&subject.Name); err != nil {
			return nil, err
		}
		numbers = append(numbers, subject.Number())
	}
	return numbers, rows.Err()
}

// Requeue queues every target that has changes to handle and was not given up. Those that have a job
// keep it, and all should have one; it is a safety net.
func (s *Store) Requeue(ctx context.Context) error {
	return s.write(ctx, func(w writing) error {
		rows, err := w.tx.QueryContext(ctx, `SELECT `+targetColumns+` FROM targets
			WHERE changes > handled AND failed_at IS NULL ORDER BY first_event_at`)
		if err != nil {
			return fmt.Errorf("find unfinished targets: %w", err)
		}
		defer rows.Close()
		unfinished := newTargetSet()
		for rows.Next() {
			t, err := scanTarget(rows)
			if err != nil {
				return err
			}
			unfinished.add(t)
		}
		if err := rows.Err(); err != nil {
			return err
		}
		return s.enqueueAll(ctx, w.tx, unfinished)
	})
}

// Prune forgets deliveries that ended before the time given, and heads and tasks that have been
// handled by then. GitHub redelivers for three days.
func (s *Store) Prune(ctx context.Context, before time.Time) error {
	return s.write(ctx, func(w writing) error {
		if _, err := w.exec(ctx, `DELETE FROM deliveries WHERE finished_at < $1`, millis(before)); err != nil {
			return fmt.Errorf("forget old deliveries: %w", err)
		}
		if _, err := w.exec(ctx, `DELETE FROM presses WHERE handled_at < $1`, millis(before)); err != nil {
			return fmt.Errorf("forget handled presses: %w", err)
		}
		if _, err := w.exec(ctx, `DELETE FROM targets
			WHERE kind <> 'pull_request' AND changes = handled AND last_event_at < $1`, millis(before)); err != nil {
			return fmt.Errorf("forget handled heads and tasks: %w", err)
		}
		return nil
	})
}
