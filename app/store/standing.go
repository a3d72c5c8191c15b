package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
)

// Enrolment says whether anything is published in a repository.
type Enrolment string

// The enrolments. Whether a repository is enrolled is not known before one of its pull requests was
// judged.
const (
	Enrolled    Enrolment = "in"
	NotEnrolled Enrolment = "out"
)

// Standing is how a pull request's report was published last.
type Standing struct {
	Enrolment Enrolment // empty: it was never judged
	CheckName string    // of its check run, empty when there is none
	Mode      string    // of the policy
}

// StandingOf is that of the pull request, or, when it was never judged, of the one of its repository
// that had an event last. It is empty when none was judged.
func (s *Store) StandingOf(ctx context.Context, t Target) (Standing, error) {
	if t.Standing.Enrolment != "" {
		return t.Standing, nil
	}
	var found Standing
	err := s.reader.QueryRowContext(ctx, `
		SELECT enrolment, check_name, mode FROM targets
		WHERE repository_id = $1 AND enrolment <> '' ORDER BY last_event_at DESC, id DESC LIMIT 1`,
		t.RepositoryID).Scan(&found.Enrolment, &found.CheckName, &found.Mode)
	if err != nil && !errors.Is(err, sql.ErrNoRows) {
		return Standing{}, fmt.Errorf("read how pull requests of repository %d were published: %w", t.RepositoryID, err)
	}
	return found, nil
}
