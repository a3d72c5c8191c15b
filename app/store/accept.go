package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"
)

// Delivery is one webhook delivery and what it names.
type Delivery struct {
	GUID           string
	Event          string
	Action         string
	InstallationID int64
	RepositoryID   int64
	ReceivedAt     time.Time
	Changes        []Change
	Press          *Press // of a button that it tells of
}

// Receipt says what became of a delivery.
type Receipt string

// The receipts.
const (
	Accepted    Receipt = "accepted"     // recorded and queued
	AlreadyDone Receipt = "already_done" // its work was completed before: nothing to do
)

// Accept records the delivery and queues its work. When it returns without an error, both are on
// disk. Deliveries that arrive together share one transaction. A delivery whose id is known is
// accepted again unless its work is done.
func (s *Store) Accept(ctx context.Context, d Delivery) (Receipt, error) {
	return s.group.do(ctx, d)
}

// acceptTogether records several deliveries in one transaction.
func (s *Store) acceptTogether(ctx context.Context, deliveries []Delivery) ([]Receipt, error) {
	receipts := make([]Receipt, len(deliveries))
	err := s.durably(ctx, func(w writing) error {
		changed := newTargetSet()
		for i, d := range deliveries {
			receipt, err := w.accept(ctx, d, changed)
			if err != nil {
				return fmt.Errorf("delivery %s: %w", d.GUID, err)
			}
			receipts[i] = receipt
		}
		if err := s.enqueueAll(ctx, w.tx, changed); err != nil {
			return err
		}
		return promote(ctx, w.tx, changed.waiting)
	})
	return receipts, err
}

const acceptDelivery = `
	INSERT INTO deliveries (guid, event, action, installation_id, repository_id, state, received_at)
	VALUES ($1, $2, $3, $4, $5, 'open', $6)
	ON CONFLICT (guid) DO UPDATE SET
		state       = CASE WHEN deliveries.state = 'done' THEN 'done' ELSE 'open' END,
		finished_at = CASE WHEN deliveries.state = 'done' THEN deliveries.finished_at END
	RETURNING state`

func (w writing) accept(ctx context.Context, d Delivery, changed *targetSet) (Receipt, error) {
	var state string
	if err := w.row(ctx, acceptDelivery,
		d.GUID, d.Event, d.Action, d.InstallationID, d.RepositoryID, millis(d.ReceivedAt)).Scan(&state); err != nil {
		return "", err
	}
	if state == "done" {
		return AlreadyDone, nil
	}
	if d.Press != nil {
		if err := w.press(ctx, d.RepositoryID, *d.Press); err != nil {
			return "", err
		}
	}
	for _, change := range d.Changes {
		target, err := w.record(ctx, change)
		if err != nil {
			return "", err
		}
		if _, err := w.exec(ctx, waitForRun, d.GUID, target.ID, target.Changes); err != nil {
			return "", err
		}
		if !changed.addIfBegun(target, change.At) {
			changed.waiting = append(changed.waiting, target.ID)
		}
	}
	return Accepted, nil
}

// waitForRun makes a delivery wait for the run that has seen the target's present change.
const waitForRun = `
	INSERT INTO waits (guid, target_id, change) VALUES ($1, $2, $3)
	ON CONFLICT (guid, target_id) DO UPDATE SET change = excluded.change`

func (s *Store) enqueueAll(ctx context.Context, tx *sql.Tx, targets *targetSet) error {
	if len(targets.list) == 0 {
		return nil
	}
	if s.enqueue == nil {
		return errors.New("no queue is connected to the store")
	}
	return s.enqueue(ctx, tx, targets.list)
}

// MakeAvailable lets the jobs of the queue that are due within seconds wait as available ones: see
// the queue's own comment.
func MakeAvailable(ctx context.Context, tx *sql.Tx, queue string) error {
	if _, err := tx.ExecContext(ctx, `UPDATE river_job SET state = 'available'
		WHERE state = 'scheduled' AND queue = $1 AND scheduled_at < datetime('now', 'subsec', '+10 seconds')`, queue); err != nil {
		return fmt.Errorf("make queued jobs available: %w", err)
	}
	return nil
}

// targetSet keeps each target once, in order of arrival.
type targetSet struct {
	seen    map[int64]bool
	list    []Target
	waiting []int64 // targets that had a job before
}

func newTargetSet() *targetSet { return &targetSet{seen: map[int64]bool{}} }

// addIfBegun adds a target whose wait began with the change at that time. Otherwise it has a job: the
// one that was queued when the wait began ends only together with it.
func (s *targetSet) addIfBegun(t Target, at time.Time) (begun bool) {
	if begun = millis(t.FirstEventAt) == millis(at); begun {
		s.add(t)
	}
	return begun
}

func (s *targetSet) add(t Target) {
	if !s.seen[t.ID] {
		s.seen[t.ID] = true
		s.list = append(s.list, t)
	}
}
