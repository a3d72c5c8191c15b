// Package store keeps what the service must not forget, on disk before it is promised: deliveries,
// the targets they named and what is still to do for them (design section 14). It holds all SQL of
// the service and knows the rules that need one transaction: a delivery is done only with the work
// it asked for, and a change during a run leads to another run. What the work is, and when it runs,
// is left to the queue and the worker.
//
// Payloads are not kept: the hint read from one suffices.
package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/url"
	"os"
	"time"

	_ "modernc.org/sqlite" // the driver "sqlite"
)

// ErrClosed is returned by a store that has been closed.
var ErrClosed = errors.New("the store is closed")

// readers is how many reads run beside the writer.
const readers = 4

// Clock tells the time.
type Clock func() time.Time

// Enqueue puts a job for each target into the queue, in the transaction that recorded the change. A
// target that has a job already keeps that one.
type Enqueue func(ctx context.Context, tx *sql.Tx, targets []Target) error

// Store is the database of one service process. Its methods are safe for concurrent use.
type Store struct {
	db      *sql.DB // one connection: SQLite has one writer
	reader  *sql.DB
	lock    *lock
	path    string      // of the database, links followed
	file    os.FileInfo // what was there when it was opened
	now     Clock
	enqueue Enqueue
	group   *group
	turn    chan struct{} // holds one: see write
}

// Open locks, opens and migrates the SQLite file at path, creating it when there is none, and puts
// jobs back that a killed process left running. Only one process may have it open.
func Open(ctx context.Context, path string, now Clock) (*Store, error) {
	s := &Store{now: now, turn: make(chan struct{}, 1)}
	if err := s.open(ctx, path); err != nil {
		return nil, errors.Join(fmt.Errorf("open database %s: %w: %s", path, err, advice(err)), s.Close())
	}
	s.group = newGroup(s.acceptTogether)
	return s, nil
}

func (s *Store) open(ctx context.Context, path string) (err error) {
	if path, err = resolve(path); err != nil {
		return err
	}
	if s.lock, err = acquire(path + ".lock"); err != nil {
		return err
	}
	// Created first so that nobody else can read it: SQLite would use the umask alone.
	file, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return err
	}
	if err := file.Close(); err != nil {
		return err
	}
	if err := s.identify(path); err != nil {
		return err
	}
	if s.db, err = openPool(dataSource(path, "rw")); err != nil {
		return err
	}
	s.db.SetMaxOpenConns(1)
	if err := s.migrate(ctx); err != nil {
		return err
	}
	if err := s.putBackRunning(ctx); err != nil {
		return err
	}
	if s.reader, err = openPool(dataSource(path, "ro")); err != nil {
		return err
	}
	s.reader.SetMaxOpenConns(readers)
	s.reader.SetMaxIdleConns(readers)
	return s.reader.PingContext(ctx)
}

// dataSource is the address of the file for the driver. A transaction takes the write lock at its
// start (design section 18). With synchronous=NORMAL a commit survives the end of the process, but
// not the loss of power: that is enough for everything but what was promised, see durably.
func dataSource(path, mode string) string {
	options := url.Values{
		"mode":    {mode},
		"_txlock": {"immediate"},
		"_pragma": {"busy_timeout(5000)", "journal_mode(WAL)", "synchronous(NORMAL)", "foreign_keys(1)"},
	}
	if mode == "ro" {
		options["_txlock"] = []string{"deferred"}
		options["_pragma"] = []string{"busy_timeout(5000)", "query_only(1)"}
	}
	return "file:" + (&url.URL{Path: path}).EscapedPath() + "?" + options.Encode()
}

// DB is the connection pool for the queue, which keeps its jobs in the same database.
func (s *Store) DB() *sql.DB { return s.db }

// SetEnqueue says how jobs get into the queue. It must be called before anything is accepted.
func (s *Store) SetEnqueue(enqueue Enqueue) { s.enqueue = enqueue }

// Close finishes what is being written and closes the database. It may be called more than once.
func (s *Store) Close() error {
	var errs []error
	if s.group != nil {
		s.group.close()
	}
	if s.reader != nil {
		errs = append(errs, s.reader.Close())
	}
	if s.db != nil {
		errs = append(errs, s.db.Close())
	}
	return errors.Join(append(errs, s.lock.release())...)
}

// write runs one transaction of a job or of housekeeping. One of them at a time waits for the
// connection, which goes to its waiters in no order: a delivery that has to be answered would
// otherwise stand behind every job that ends at the same moment.
func (s *Store) write(ctx context.Context, do func(w writing) error) error {
	select {
	case s.turn <- struct{}{}:
		defer func() { <-s.turn }()
	case <-ctx.Done():
		return fmt.Errorf("wait for the database: %w", ctx.Err())
	}
	return s.transact(ctx, s.db.BeginTx, do)
}

// durably runs one transaction that is on disk when it returns, together with everything committed
// before it: the log is written in order. Without the flush, work that was done may have to be done
// again after a loss of power; a promise would be broken.
func (s *Store) durably(ctx context.Context, do func(w writing) error) (err error) {
	if err := s.present(); err != nil {
		return err
	}
	conn, err := s.db.Conn(ctx)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, conn.Close()) }()
	if _, err := conn.ExecContext(ctx, `PRAGMA synchronous = FULL`); err != nil {
		return err
	}
	defer func() {
		_, reset := conn.ExecContext(context.WithoutCancel(ctx), `PRAGMA synchronous = NORMAL`)
		err = errors.Join(err, reset)
	}()
	return s.transact(ctx, conn.BeginTx, do)
}

func (s *Store) transact(ctx context.Context, begin func(context.Context, *sql.TxOptions) (*sql.Tx, error), do func(w writing) error) error {
	tx, err := begin(ctx, nil)
	if err != nil {
		return err
	}
	if err := do(writing{tx}); err != nil {
		return errors.Join(err, ignoreDone(tx.Rollback()))
	}
	return tx.Commit()
}

// writing is a transaction.
type writing struct{ tx *sql.Tx }

func (w writing) row(ctx context.Context, query string, args ...any) *sql.Row {
	return w.tx.QueryRowContext(ctx, query, args...)
}

func (w writing) exec(ctx context.Context, query string, args ...any) (sql.Result, error) {
	return w.tx.ExecContext(ctx, query, args...)
}

func ignoreDone(err error) error {
	if errors.Is(err, sql.ErrTxDone) {
		return nil
	}
	return err
}

func millis(t time.Time) int64 { return t.UnixMilli() }

func fromMillis(ms int64) time.Time { return time.UnixMilli(ms).UTC() }
