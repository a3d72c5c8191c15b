package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strconv"
	"time"
)

// Kind says what a target is.
type Kind string

// The kinds of targets. All but pull requests are looked up to find the pull requests to judge.
const (
	PullRequest  Kind = "pull_request"
	Head         Kind = "head"
	Issue        Kind = "issue"
	Base         Kind = "base"         // a branch: the open pull requests into it
	Whole        Kind = "repository"   // all open pull requests of the repository
	Installation Kind = "installation" // all repositories of an installation; its RepositoryID is 0
)

// ErrNoTarget is returned for a target that is not (any more) in the store.
var ErrNoTarget = errors.New("no such target")

// Subject is what a target is about: one thing of one repository.
type Subject struct {
	RepositoryID int64
	Kind         Kind
	Name         string // number of the pull request or issue, SHA, branch, or id of the installation
}

// Number is the number of a pull request or issue, 0 for anything else.
func (s Subject) Number() int {
	if s.Kind != PullRequest && s.Kind != Issue {
		return 0
	}
	number, _ := strconv.Atoi(s.Name)
	return number
}

// Numbered is the subject of a pull request's or issue's number.
func Numbered(repositoryID int64, kind Kind, number int) Subject {
	return Subject{RepositoryID: repositoryID, Kind: kind, Name: strconv.Itoa(number)}
}

// Change is one event's news about a subject.
type Change struct {
	Subject
	InstallationID int64  // 0: not known, the one known before is kept
	Owner          string // of the repository, as the event has it
	Repository     string
	HeadSHA        string    // of a pull request, empty when not known
	HeadSince      time.Time // by when it was the head, by GitHub's clock; zero: not known
	Rerun          bool      // a person asked for a new run
	At             time.Time
}

// Target is a subject and how far it has been handled.
type Target struct {
	Subject
	ID             int64
	InstallationID int64
	Owner          string
	Repository     string
	HeadSHA        string // last known head of a pull request, empty when not known
	Changes        int64  // how many changes were recorded: the dirty counter
	Handled        int64  // how many of them the last finished run had seen
	Rerun          bool   // a person asked for a new run since then
	FirstEventAt   time.Time
	LastEventAt    time.Time
	Failure        string // why work on it was given up, empty otherwise
	Standing       Standing
	JudgedSHA      string    // head that was judged last, empty when none was or it is closed
	PendingSince   time.Time // since when the verdict on that head waits; zero when it does not
	Background     bool      // found by a sweep: not stored, tells the queue where it belongs
}

const targetColumns = `id, repository_id, kind, name, installation_id, owner, repository, head_sha,
	changes, handled, rerun_at_change > handled, first_event_at, last_event_at, failure, enrolment, check_name, mode, judged_sha, coalesce(pending_since, 0)`

func scanTarget(row interface{ Scan(...any) error }) (Target, error) {
	var t Target
	var first, last, pending int64
	err := row.Scan(&t.ID, &t.RepositoryID, &t.Kind, &t.Name, &t.InstallationID, &t.Owner, &t.Repository, &t.HeadSHA,
		&t.Changes, &t.Handled, &t.Rerun, &first, &last, &t.Failure,
		&t.Standing.Enrolment, &t.Standing.CheckName, &t.Standing.Mode, &t.JudgedSHA, &pending)
	if pending != 0 {
		t.PendingSince = fromMillis(pending)
	}
	t.FirstEventAt, t.LastEventAt = fromMillis(first), fromMillis(last)
	return t, err
}

// Target reads a target as it is now; its Changes is what a run that starts now has seen.
func (s *Store) Target(ctx context.Context, id int64) (Target, error) {
	t, err := scanTarget(s.reader.QueryRowContext(ctx, `SELECT `+targetColumns+` FROM targets WHERE id = $1`, id))
	if errors.Is(err, sql.ErrNoRows) {
		return Target{}, fmt.Errorf("target %d: %w", id, ErrNoTarget)
	}
	return t, err
}

// Find reads the target of a subject.
func (s *Store) Find(ctx context.Context, subject Subject) (Target, error) {
	t, err := scanTarget(s.reader.QueryRowContext(ctx,
		`SELECT `+targetColumns+` FROM targets WHERE repository_id = $1 AND kind = $2 AND name = $3`,
		subject.RepositoryID, subject.Kind, subject.Name))
	if errors.Is(err, sql.ErrNoRows) {
		return Target{}, fmt.Errorf("%s %s of repository %d: %w", subject.Kind, subject.Name, subject.RepositoryID, ErrNoTarget)
	}
	return t, err
}

const recordChange = `
	INSERT INTO targets (repository_id, kind, name, installation_id, owner, repository, head_sha,
		changes, handled, rerun_at_change, first_event_at, last_event_at, failure)
	VALUES ($1, $2, $3, $4, $5, $6, $7, 1, 0, $8, $9, $9, '')
	ON CONFLICT (repository_id, kind, name) DO UPDATE SET
		installation_id = CASE WHEN excluded.installation_id <> 0 THEN excluded.installation_id ELSE targets.installation_id END,
		owner           = excluded.owner,
		repository      = excluded.repository,
		head_sha        = CASE WHEN excluded.head_sha <> '' THEN excluded.head_sha ELSE targets.head_sha END,
		changes         = targets.changes + 1,
		rerun_at_change = CASE WHEN excluded.rerun_at_change > 0 THEN targets.changes + 1 ELSE targets.rerun_at_change END,
		first_event_at  = CASE WHEN targets.changes = targets.handled OR targets.failed_at IS NOT NULL
			THEN excluded.first_event_at ELSE targets.first_event_at END,
		last_event_at   = excluded.last_event_at,
		failure         = '',
		failed_at       = NULL
	RETURNING ` + targetColumns

// record counts a change. The first change after a finished or given-up run starts a new wait.
func (w writing) record(ctx context.Context, c Change) (Target, error) {
	t, err := scanTarget(w.row(ctx, recordChange,
		c.RepositoryID, c.Kind, c.Name, c.InstallationID, c.Owner, c.Repository, c.HeadSHA, boolInt(c.Rerun), millis(c.At)))
	if err != nil {
		return Target{}, fmt.Errorf("record a change of %s %s: %w", c.Kind, c.Name, err)
	}
	if c.Kind == PullRequest && c.HeadSHA != "" && !c.HeadSince.IsZero() {
		return t, w.seeHead(ctx, c.RepositoryID, c.Number(), HeadAt{c.HeadSHA, c.HeadSince})
	}
	return t, nil
}

func boolInt(b bool) int {
	if b {
		return 1
	}
	return 0
}
