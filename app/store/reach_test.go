package store

import (
	"context"
	"database/sql"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
)

func whole(repositoryID int64) Change {
	return Change{Subject: Subject{RepositoryID: repositoryID, Kind: Whole}, InstallationID: 9, Owner: "acme", Repository: "widgets", At: noon}
}

func TestWhatARepositoryStandsForIsBackgroundWork(t *testing.T) {
	t.Parallel()
	s, _ := open(t)
	var background []string
	s.SetEnqueue(func(_ context.Context, _ *sql.Tx, targets []Target) error {
		for _, target := range targets {
			if target.Background {
				background = append(background, target.Name)
			}
		}
		return nil
	})
	accept(t, s, delivery("d1", whole(5)))
	var changes []Change
	for number := range 2*chunk + 1 {
		changes = append(changes, pull(number+1))
	}
	target := find(t, s, whole(5))
	again, err := s.Expand(t.Context(), target, changes, nothing)
	require.NoError(t, err)
	require.False(t, again)
	require.Len(t, background, len(changes))
	require.Equal(t, "open", state(t, s, "d1"), "the delivery waits for all of them")
	for number := range 2 * chunk {
		finish(t, s, find(t, s, pull(number+1)))
	}
	require.Equal(t, "open", state(t, s, "d1"))
	finish(t, s, find(t, s, pull(2*chunk+1)))
	require.Equal(t, "done", state(t, s, "d1"))
}

func TestAnEventBringsItsJobBeforeTheBackgroundWork(t *testing.T) {
	t.Parallel()
	s, _ := open(t)
	require.NoError(t, s.Sweep(t.Context(), []Change{pull(1), pull(2)}))
	for number := 1; number <= 2; number++ {
		_, err := s.DB().ExecContext(t.Context(), `INSERT INTO river_job
			(args, attempt, kind, max_attempts, priority, queue, state, scheduled_at, created_at)
			VALUES ($1, 1, 'evaluate', 10, 1, 'sweeps', 'available', datetime('now', 'subsec'), datetime('now', 'subsec'))`,
			fmt.Sprintf(`{"target_id":%d}`, find(t, s, pull(number)).ID))
		require.NoError(t, err)
	}
	backlog, err := s.Backlog(t.Context())
	require.NoError(t, err)
	require.Equal(t, 2, backlog)
	later := pull(2)
	later.At = noon.Add(1)
	later.At = later.At.Add(1e9)
	accept(t, s, delivery("d1", later))
	var args string
	require.NoError(t, s.DB().QueryRowContext(t.Context(), `SELECT args FROM river_job WHERE queue = 'events'`).Scan(&args))
	require.Equal(t, fmt.Sprintf(`{"target_id":%d}`, find(t, s, pull(2)).ID), args)
	backlog, err = s.Backlog(t.Context())
	require.NoError(t, err)
	require.Equal(t, 1, backlog)
}

// TestForgettingLeavesNothingOfARepository looks into every table that names a repository.
func TestForgettingLeavesNothingOfARepository(t *testing.T) {
	t.Parallel()
	s, _ := open(t)
	const other = 6
	for _, id := range []int64{5, other} {
		change := pull(1)
		change.RepositoryID = id
		accept(t, s, Delivery{GUID: fmt.Sprint("d", id), Event: "pull_request", RepositoryID: id, ReceivedAt: noon, Changes: []Change{change}})
		for _, table := range private {
			fill(t, s, table, id)
		}
	}
	accept(t, s, delivery("gone", whole(5)))
	require.NotEmpty(t, rowsOf(t, s, 5))
	_, err := s.Forget(t.Context(), find(t, s, whole(5)), []int64{5, 0}, nothing)
	require.NoError(t, err)
	require.Equal(t, map[string]int{"targets": 1, "deliveries": 2}, rowsOf(t, s, 5), "the target itself, and deliveries, which hold no text")
	require.Equal(t, "done", state(t, s, "d5"), "nothing is left to wait for")
	require.Equal(t, "done", state(t, s, "gone"))

	require.Equal(t, "open", state(t, s, "d6"))
	require.Len(t, rowsOf(t, s, other), len(private)+2, "another repository keeps everything")
	repositories, err := s.RepositoriesOf(t.Context(), 9)
	require.NoError(t, err)
	require.Equal(t, []int64{5, other}, repositories)
}

// fill puts a row of made-up values into a table.
func fill(t *testing.T, s *Store, table string, repositoryID int64) {
	t.Helper()
	allowed := map[string]string{"kind": "triage", "state": "kept", "outcome": "done", "step": "person"}
	columns, marks, args := "", "", []any{}
	for _, name := range columnsOf(t, s.DB(), table) {
		value := any(int64(1))
		switch {
		case name == "id":
			continue
		case name == "repository_id":
			value = repositoryID
		case name == "guid":
			value = fmt.Sprint("press", repositoryID)
		case allowed[name] != "":
			value = allowed[name]
		}
		args = append(args, value)
		columns, marks = columns+", "+name, fmt.Sprintf("%s, $%d", marks, len(args))
	}
	_, err := s.DB().ExecContext(t.Context(), `INSERT INTO `+table+` (`+columns[2:]+`) VALUES (`+marks[2:]+`)`, args...)
	require.NoError(t, err, table)
}

// rowsOf counts the rows of a repository in every table that has a column for one.
func rowsOf(t *testing.T, s *Store, repositoryID int64) map[string]int {
	t.Helper()
	rows, err := s.DB().QueryContext(t.Context(), `SELECT m.name FROM sqlite_master m, pragma_table_info(m.name) c
		WHERE m.type = 'table' AND c.name = 'repository_id'`)
	require.NoError(t, err)
	var tables []string
	for rows.Next() {
		var name string
		require.NoError(t, rows.Scan(&name))
		tables = append(tables, name)
	}
	require.NoError(t, rows.Close())
	require.GreaterOrEqual(t, len(tables), len(private)+2)
	counts := map[string]int{}
	for _, table := range tables {
		var count int
		require.NoError(t, s.DB().QueryRowContext(t.Context(), `SELECT count(*) FROM `+table+` WHERE repository_id = $1`, repositoryID).Scan(&count))
		if count > 0 {
			counts[table] = count
		}
	}
	return counts
}
