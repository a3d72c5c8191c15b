package store

import (
	"database/sql"
	"io/fs"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/pressly/goose/v3"
	"github.com/stretchr/testify/require"
)

// oldDatabase is a database as the version before the migration left it, with a pull request that was
// given up, a handled task, a waiting delivery and a link.
func oldDatabase(t *testing.T, version int64) (path string, columns []string) {
	t.Helper()
	path = filepath.Join(t.TempDir(), "gate.db")
	db, err := openPool(dataSource(path, "rwc"))
	require.NoError(t, err)
	db.SetMaxOpenConns(1)
	files, err := fs.Sub(migrations, "migrations/sqlite")
	require.NoError(t, err)
	provider, err := goose.NewProvider(goose.DialectSQLite3, db, files, goose.WithLogger(goose.NopLogger()))
	require.NoError(t, err)
	_, err = provider.UpTo(t.Context(), version)
	require.NoError(t, err)
	for _, statement := range []string{
		`INSERT INTO targets (id, repository_id, kind, name, installation_id, owner, repository, head_sha, changes, handled,
			rerun_at_change, first_event_at, last_event_at, failure, failed_at, enrolment, check_name, mode)
			VALUES (7, 5, 'pull_request', '42', 9, 'acme', 'widgets', 'abc', 4, 3, 2, 1000, 2000, 'no permission', 3000, 'in', 'evidence', 'report'),
			(8, 5, 'issue', '1', 9, 'acme', 'widgets', '', 1, 0, 0, 1000, 2000, '', NULL, '', '', '')`,
		`INSERT INTO deliveries (guid, event, action, installation_id, repository_id, state, received_at)
			VALUES ('d1', 'issues', 'edited', 9, 5, 'open', 1000)`,
		`INSERT INTO waits (guid, target_id, change) VALUES ('d1', 8, 1)`,
		`INSERT INTO wakes (target_id, at) VALUES (7, 4000)`,
		`INSERT INTO links (target_id, task) VALUES (7, 'acme/widgets#1')`,
	} {
		_, err := db.ExecContext(t.Context(), statement)
		require.NoError(t, err)
	}
	columns = columnsOf(t, db, "targets")
	require.NoError(t, db.Close())
	return path, columns
}

func columnsOf(t *testing.T, db *sql.DB, table string) (names []string) {
	t.Helper()
	rows, err := db.QueryContext(t.Context(), `SELECT name FROM pragma_table_info($1)`, table)
	require.NoError(t, err)
	defer rows.Close()
	for rows.Next() {
		var name string
		require.NoError(t, rows.Scan(&name))
		names = append(names, name)
	}
	return names
}

func TestADatabaseOfTheVersionBeforeKeepsItsRows(t *testing.T) {
	t.Parallel()
	path, columns := oldDatabase(t, 3)
	s, q := openAt(t, path)

	target, err := s.Find(t.Context(), Numbered(5, PullRequest, 42))
	require.NoError(t, err)
	require.Equal(t, Target{
		Subject: Numbered(5, PullRequest, 42), ID: 7, InstallationID: 9, Owner: "acme", Repository: "widgets", HeadSHA: "abc",
		Changes: 4, Handled: 3, FirstEventAt: time.UnixMilli(1000).UTC(), LastEventAt: time.UnixMilli(2000).UTC(),
		Failure: "no permission", Standing: Standing{Enrolment: Enrolled, CheckName: "evidence", Mode: "report"},
	}, target)
	linked, err := s.LinkedPullRequests(t.Context(), 5, "acme/widgets#1")
	require.NoError(t, err)
	require.Equal(t, []int{42}, linked)

	task, err := s.Find(t.Context(), Numbered(5, Issue, 1))
	require.NoError(t, err)
	finish(t, s, task)
	require.Equal(t, "done", state(t, s, "d1"), "the delivery still waited for it")

	var wake int64
	require.NoError(t, s.DB().QueryRowContext(t.Context(), `SELECT at FROM wakes WHERE target_id = 7`).Scan(&wake))
	require.EqualValues(t, 4000, wake)
	for _, name := range columns {
		require.Contains(t, columnsOf(t, s.DB(), "targets"), name, "no column is lost")
	}
	for _, kind := range []Kind{Base, Whole} {
		change := pull(1)
		change.Kind, change.Name = kind, "main"
		accept(t, s, delivery("new "+string(kind), change))
	}
	require.Len(t, q.jobs, 2)
	_, err = s.DB().ExecContext(t.Context(), `UPDATE targets SET kind = 'anything'`)
	require.ErrorContains(t, err, "CHECK", "other kinds are still refused")
	requireWhole(t, s)
}

// requireWhole checks the references after the rebuild: they lead to the new table, and a deleted
// target takes along what hangs on it.
func requireWhole(t *testing.T, s *Store) {
	t.Helper()
	var dangling int
	require.NoError(t, s.DB().QueryRowContext(t.Context(), `SELECT count(*) FROM pragma_foreign_key_check`).Scan(&dangling))
	require.Zero(t, dangling)
	var referring []string
	rows, err := s.DB().QueryContext(t.Context(), `SELECT DISTINCT m.name FROM sqlite_master m, pragma_foreign_key_list(m.name) f
		WHERE m.type = 'table' AND f."table" = 'targets'`)
	require.NoError(t, err)
	for rows.Next() {
		var name string
		require.NoError(t, rows.Scan(&name))
		referring = append(referring, name)
	}
	require.NoError(t, rows.Close())
	slices.Sort(referring)
	require.Equal(t, []string{"links", "waits", "wakes"}, referring)
	_, err = s.DB().ExecContext(t.Context(), `DELETE FROM targets WHERE id = 7`)
	require.NoError(t, err)
	linked, err := s.LinkedPullRequests(t.Context(), 5, "acme/widgets#1")
	require.NoError(t, err)
	require.Empty(t, linked)
	require.NotEmpty(t, columnsOf(t, s.DB(), "recovery"))
}

func TestMigratingTwiceChangesNothing(t *testing.T) {
	t.Parallel()
	path, _ := oldDatabase(t, 3)
	first, _ := openAt(t, path)
	require.NoError(t, first.Close())
	second, _ := openAt(t, path)
	_, err := second.Find(t.Context(), Numbered(5, PullRequest, 42))
	require.NoError(t, err)
}
