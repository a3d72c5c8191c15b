package store

import (
	"database/sql"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

func pool(t *testing.T) *sql.DB {
	t.Helper()
	db, err := openPool(dataSource(filepath.Join(t.TempDir(), "x.db"), "rwc"))
	require.NoError(t, err)
	db.SetMaxOpenConns(1)
	t.Cleanup(func() { require.NoError(t, db.Close()) })
	_, err = db.ExecContext(t.Context(), `CREATE TABLE a (n INTEGER PRIMARY KEY, t TEXT); CREATE TABLE b (n INTEGER)`)
	require.NoError(t, err, "a script of two statements")
	return db
}

// kept is how many compiled queries the pool's one connection keeps.
func kept(t *testing.T, db *sql.DB) (n int) {
	t.Helper()
	conn, err := db.Conn(t.Context())
	require.NoError(t, err)
	require.NoError(t, conn.Raw(func(inner any) error {
		n = len(inner.(*caching).idle)
		return nil
	}))
	require.NoError(t, conn.Close())
	return n
}

func TestCompiledQueriesAreKept(t *testing.T) {
	t.Parallel()
	db := pool(t)
	for n := range 5 {
		_, err := db.ExecContext(t.Context(), `INSERT INTO a (n, t) VALUES ($1, $2)`, n, "x")
		require.NoError(t, err)
		var got int
		require.NoError(t, db.QueryRowContext(t.Context(), "-- a comment\nSELECT count(*) FROM a WHERE n <= $1", n).Scan(&got))
		require.Equal(t, n+1, got)
	}
	require.Equal(t, 2, kept(t, db))
}

func TestAQueryInUseIsCompiledOnceMore(t *testing.T) {
	t.Parallel()
	db := pool(t)
	_, err := db.ExecContext(t.Context(), `INSERT INTO a (n) VALUES (1), (2), (3)`)
	require.NoError(t, err)
	tx, err := db.BeginTx(t.Context(), nil)
	require.NoError(t, err)
	const query = `SELECT n FROM a WHERE n >= $1 ORDER BY n`
	outer, err := tx.QueryContext(t.Context(), query, 1)
	require.NoError(t, err)
	var pairs [][2]int
	for outer.Next() {
		var pair [2]int
		require.NoError(t, outer.Scan(&pair[0]))
		require.NoError(t, tx.QueryRowContext(t.Context(), query, pair[0]).Scan(&pair[1]))
		pairs = append(pairs, pair)
	}
	require.NoError(t, outer.Err())
	require.NoError(t, outer.Close())
	require.NoError(t, tx.Commit())
	require.Equal(t, [][2]int{{1, 1}, {2, 2}, {3, 3}}, pairs)
}

// TestAFailedQueryCanBeRunAgain: a constraint that was hurt leaves nothing behind in the kept query.
func TestAFailedQueryCanBeRunAgain(t *testing.T) {
	t.Parallel()
	db := pool(t)
	const insert = `INSERT INTO a (n) VALUES ($1)`
	for _, row := range []struct {
		n    int
		hurt bool
	}{{1, false}, {1, true}, {2, false}, {2, true}, {3, false}} {
		_, err := db.ExecContext(t.Context(), insert, row.n)
		require.Equal(t, row.hurt, err != nil, "%v", err)
	}
}

// TestASettingTakesEffectEveryTime: SQLite carries a PRAGMA out while compiling it.
func TestASettingTakesEffectEveryTime(t *testing.T) {
	t.Parallel()
	db := pool(t)
	level := map[string]int{"FULL": 2, "NORMAL": 1}
	for _, want := range []string{"FULL", "NORMAL", "FULL", "NORMAL", "FULL"} {
		_, err := db.ExecContext(t.Context(), `PRAGMA synchronous = `+want)
		require.NoError(t, err)
		var got int
		require.NoError(t, db.QueryRowContext(t.Context(), `PRAGMA synchronous`).Scan(&got))
		require.Equal(t, level[want], got)
	}
	require.Zero(t, kept(t, db))
}

func TestReusable(t *testing.T) {
	t.Parallel()
	for query, want := range map[string]bool{
		"SELECT 1":                       true,
		"\n\t update a SET n = 1":        true,
		"-- name: X :many\n-- y\nDELETE": true,
		"INSERT INTO a VALUES (1)":       true,
		"PRAGMA synchronous = FULL":      false,
		"-- SELECT\nPRAGMA user_version": false,
		"CREATE TABLE a (n); SELECT 1":   false,
		"BEGIN IMMEDIATE":                false,
		"":                               false,
		"-- nothing else":                false,
		"SAVEPOINT one":                  false,
	} {
		require.Equal(t, want, reusable(query), "%q", query)
	}
}
