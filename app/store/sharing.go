package store

import (
	"context"
	"fmt"
	"time"
)

// SharingHead are the other pull requests of the repository that have, or had when they were last
// judged, the head: their verdicts share its check run. Those known to be closed are not among them.
func (s *Store) SharingHead(ctx context.Context, t Target, sha string) ([]Target, error) {
	if sha == "" {
		return nil, nil
	}
	return s.targets(ctx, `SELECT `+targetColumns+` FROM targets
		WHERE repository_id = $1 AND kind = 'pull_request' AND (head_sha = $2 OR judged_sha = $2) AND id <> $3
		ORDER BY id`, t.RepositoryID, sha, t.ID)
}

func (s *Store) targets(ctx context.Context, query string, args ...any) ([]Target, error) {
	rows, err := s.reader.QueryContext(ctx, query, args...)
	if err != nil {
		return nil, fmt.Errorf("find targets: %w", err)
	}
	defer rows.Close()
	var found []Target
	for rows.Next() {
		t, err := scanTarget(rows)
		if err != nil {
			return nil, err
		}
		found = append(found, t)
	}
	return found, rows.Err()
}

// lookAgain records other pull requests of the repository as changed.
func (s *Store) lookAgain(ctx context.Context, w writing, t Target, numbers []int) error {
	changed := newTargetSet()
	for _, number := range numbers {
		change := changeOf(t, number)
		change.Rerun, change.At = false, s.now()
		other, err := w.record(ctx, change)
		if err != nil {
			return err
		}
		changed.addIfBegun(other, change.At)
	}
	return s.enqueueAll(ctx, w.tx, changed)
}

// rememberJudgedHead keeps which head was judged and since when its verdict waits. A person who asks
// for a new run starts the wait anew, and so does another head.
func (w writing) rememberJudgedHead(ctx context.Context, t Target, judged Judged, now time.Time) error {
	if judged.Closed {
		if _, err := w.exec(ctx, `UPDATE targets SET judged_sha = '', pending_since = NULL,
			head_sha = CASE WHEN changes = $1 THEN '' ELSE head_sha END WHERE id = $2`, t.Changes, t.ID); err != nil {
			return fmt.Errorf("forget the head: %w", err)
		}
	}
	if judged.HeadSHA == "" {
		return nil
	}
	var pending any
	switch {
	case !judged.Pending:
	case t.JudgedSHA == judged.HeadSHA && !t.PendingSince.IsZero() && !t.Rerun:
		pending = millis(t.PendingSince)
	default:
		pending = millis(now)
	}
	if _, err := w.exec(ctx, `UPDATE targets SET judged_sha = $1, pending_since = $2 WHERE id = $3`, judged.HeadSHA, pending, t.ID); err != nil {
		return fmt.Errorf("remember the judged head: %w", err)
	}
	return nil
}

// Verdict is how far an open pull request was judged.
type Verdict struct {
	HeadSHA  string    // the head that was judged last, empty when none was
	Waiting  bool      // there are changes that no run has handled
	FailedAt time.Time // when work on it was given up; zero when it was not
}

// Verdicts are those of a repository's pull requests, by their numbers.
func (s *Store) Verdicts(ctx context.Context, repositoryID int64) (map[int]Verdict, error) {
	rows, err := s.reader.QueryContext(ctx, `SELECT name, judged_sha, changes > handled, coalesce(failed_at, 0) FROM targets
		WHERE repository_id = $1 AND kind = 'pull_request'`, repositoryID)
	if err != nil {
		return nil, fmt.Errorf("read the verdicts of repository %d: %w", repositoryID, err)
	}
	defer rows.Close()
	known := map[int]Verdict{}
	for rows.Next() {
		subject := Subject{Kind: PullRequest}
		var v Verdict
		var failed int64
		if err := rows.Scan(&subject.Name, &v.HeadSHA, &v.Waiting, &failed); err != nil {
			return nil, err
		}
		if failed != 0 {
			v.FailedAt = fromMillis(failed)
		}
		known[subject.Number()] = v
	}
	return known, rows.Err()
}

// Overdue queues the pull requests whose verdict has waited for as long as the deadline, and
// that were not looked at since it passed.
func (s *Store) Overdue(ctx context.Context, deadline time.Duration) error {
	now := s.now()
	late, err := s.targets(ctx, `SELECT `+targetColumns+` FROM targets
		WHERE pending_since <= $1 AND last_event_at < pending_since + $2 ORDER BY pending_since LIMIT $3`,
		millis(now.Add(-deadline)), deadline.Milliseconds(), chunk)
	if err != nil || len(late) == 0 {
		return err
	}
	changes := make([]Change, 0, len(late))
	for _, t := range late {
		changes = append(changes, Change{
			Subject: t.Subject, InstallationID: t.InstallationID, Owner: t.Owner, Repository: t.Repository, At: now,
		})
	}
	return s.Sweep(ctx, changes)
}
