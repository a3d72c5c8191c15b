package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"
	"time"
)

// Letter is work that is not done: given up, or still to do.
type Letter struct {
	ID         int64     `json:"id"` // of the target
	Kind       Kind      `json:"kind"`
	Repository string    `json:"repository"` // owner/name, or the owner of an installation
	Name       string    `json:"name"`
	State      string    `json:"state"` // failed, or that of its job; none when it has no job
	Attempts   int       `json:"attempts"`
	Since      time.Time `json:"since"`              // of the first event that waits
	FailedAt   time.Time `json:"failed_at,omitzero"` // when it was given up
	Reason     string    `json:"reason,omitempty"`   // why it was given up
}

// Failed is the State of work that was given up.
const Failed = "failed"

// Letters reads the unfinished work of a database that a service may be using at the same time, and has
// it tried again.
type Letters struct {
	db  *sql.DB
	now Clock
}

// OpenLetters opens the database without taking it from the service. It must be closed.
func OpenLetters(ctx context.Context, path string, now Clock) (*Letters, error) {
	path, err := resolve(path)
	if err == nil {
		_, err = os.Stat(path)
	}
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("open database %s: there is none: give the service's own setting with --database-url", path)
	}
	if err != nil {
		return nil, err
	}
	db, err := openPool(dataSource(path, "rw"))
	if err != nil {
		return nil, err
	}
	db.SetMaxOpenConns(1)
	l := &Letters{db: db, now: now}
	var version int64
	if err := db.QueryRowContext(ctx, `SELECT max(version_id) FROM goose_db_version`).Scan(&version); err != nil || version < lettersVersion {
		return nil, errors.Join(fmt.Errorf("open database %s: it is no database of this version: start the service once, it brings it up to date", path), err, db.Close())
	}
	return l, nil
}

// lettersVersion is the migration that made the tables as they are read here.
const lettersVersion = 4

// Close closes the database.
func (l *Letters) Close() error { return l.db.Close() }

// List gives the work that was given up, and with all everything that is not done, the oldest first.
func (l *Letters) List(ctx context.Context, all bool) ([]Letter, error) {
	which := `failed_at IS NOT NULL`
	if all {
		which = `(failed_at IS NOT NULL OR changes > handled)`
	}
	rows, err := l.db.QueryContext(ctx, `
		SELECT targets.id, targets.kind, owner, repository, name, coalesce(job.state, ''), coalesce(job.attempt, 0),
			first_event_at, coalesce(failed_at, 0), failure
		FROM targets LEFT JOIN river_job job ON failed_at IS NULL AND job.state NOT IN ('completed', 'cancelled', 'discarded')
			AND json_extract(job.args, '$.target_id') = targets.id
		WHERE `+which+` ORDER BY first_event_at, targets.id`)
	if err != nil {
		return nil, fmt.Errorf("read unfinished work: %w", err)
	}
	defer rows.Close()
	letters := []Letter{}
	for rows.Next() {
		var one Letter
		var owner, repository string
		var since, failed int64
		if err := rows.Scan(&one.ID, &one.Kind, &owner, &repository, &one.Name, &one.State, &one.Attempts, &since, &failed, &one.Reason); err != nil {
			return nil, err
		}
		one.Repository = strings.TrimSuffix(owner+"/"+repository, "/")
		one.Since = fromMillis(since)
		if failed != 0 {
			one.State, one.FailedAt = Failed, fromMillis(failed)
		}
		letters = append(letters, one)
	}
	return letters, rows.Err()
}

// Retry has the given-up work tried again within seconds by the running service, or by the next one. No
// ids: all of it. It says how much that is.
func (l *Letters) Retry(ctx context.Context, ids ...int64) (int, error) {
	which, args := ``, []any{millis(l.now())}
	if len(ids) > 0 {
		marks := make([]string, len(ids))
		for i, id := range ids {
			args = append(args, id)
			marks[i] = fmt.Sprintf("$%d", i+2)
		}
		which = ` AND id IN (` + strings.Join(marks, ", ") + `)`
	}
	result, err := l.db.ExecContext(ctx, `INSERT INTO wakes (target_id, at)
		SELECT id, $1 FROM targets WHERE failed_at IS NOT NULL`+which+`
		ON CONFLICT (target_id) DO UPDATE SET at = excluded.at`, args...)
	if err != nil {
		return 0, fmt.Errorf("have work tried again: %w", err)
	}
	count, err := result.RowsAffected()
	return int(count), err
}
