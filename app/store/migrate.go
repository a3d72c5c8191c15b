package store

import (
	"context"
	"embed"
	"fmt"
	"io/fs"
	"log/slog"

	"github.com/pressly/goose/v3"
	"github.com/riverqueue/river/riverdriver/riversqlite"
	"github.com/riverqueue/river/rivermigrate"
)

//go:embed migrations
var migrations embed.FS

// migrate brings our tables and those of the queue to this version.
func (s *Store) migrate(ctx context.Context) error {
	files, err := fs.Sub(migrations, "migrations/sqlite")
	if err != nil {
		return err
	}
	ours, err := goose.NewProvider(goose.DialectSQLite3, s.db, files, goose.WithLogger(goose.NopLogger()))
	if err != nil {
		return fmt.Errorf("prepare migrations: %w", err)
	}
	if _, err := ours.Up(ctx); err != nil {
		return fmt.Errorf("migrate: %w", err)
	}
	queue, err := rivermigrate.New(riversqlite.New(s.db), &rivermigrate.Config{Logger: slog.New(slog.DiscardHandler)})
	if err != nil {
		return fmt.Errorf("prepare migrations of the queue: %w", err)
	}
	if _, err := queue.Migrate(ctx, rivermigrate.DirectionUp, nil); err != nil {
		return fmt.Errorf("migrate the queue: %w", err)
	}
	return nil
}

// putBackRunning makes the jobs of a killed process available at once. The process lock says that
// nobody runs them; the queue's own rescue took 19 to 65 s, since it waits for the dead leader's
// lease and then for its interval (design section 18). The attempt that was cut off does not count.
// Jobs that wait after a failure are made available too: a start is often the repair.
func (s *Store) putBackRunning(ctx context.Context) error {
	return s.write(ctx, func(w writing) error {
		if _, err := w.exec(ctx, `UPDATE river_job
			SET state = 'available', attempt = max(attempt - 1, 0), scheduled_at = datetime('now', 'subsec')
			WHERE state = 'running'`); err != nil {
			return fmt.Errorf("put running jobs back: %w", err)
		}
		if _, err := w.exec(ctx, `UPDATE river_job
			SET state = 'available', scheduled_at = datetime('now', 'subsec') WHERE state = 'retryable'`); err != nil {
			return fmt.Errorf("take up failed jobs: %w", err)
		}
		if _, err := w.exec(ctx, `DELETE FROM river_leader`); err != nil {
			return fmt.Errorf("drop the lease of the process before: %w", err)
		}
		return nil
	})
}
