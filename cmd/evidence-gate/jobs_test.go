package main

import (
	"bytes"
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/evidence-gate/evidence-gate/app/store"
)

// deadLetters is a database with one pull request that was given up and one that waits.
func deadLetters(t *testing.T) (url string, id int64) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "gate.db")
	s, err := store.Open(t.Context(), path, time.Now)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, s.Close()) })
	nothing := func(context.Context, *sql.Tx) error { return nil }
	s.SetEnqueue(func(context.Context, *sql.Tx, []store.Target) error { return nil })
	for _, number := range []int{1, 2} {
		change := store.Change{Subject: store.Numbered(5, store.PullRequest, number), Owner: "acme", Repository: "widgets", At: time.Now()}
		_, err := s.Accept(t.Context(), store.Delivery{GUID: fmt.Sprint(number), ReceivedAt: time.Now(), Changes: []store.Change{change}})
		require.NoError(t, err)
	}
	target, err := s.Find(t.Context(), store.Numbered(5, store.PullRequest, 1))
	require.NoError(t, err)
	_, err = s.Fail(t.Context(), target, "grant checks: write\x1b[31m", nothing)
	require.NoError(t, err)
	return "sqlite:" + path, target.ID
}

func command(t *testing.T, environment []string, args ...string) (exit int, out string) {
	t.Helper()
	var text bytes.Buffer
	exit = run(t.Context(), args, environment, &text, &text)
	return exit, text.String()
}

func TestJobs(t *testing.T) {
	t.Parallel()
	url, id := deadLetters(t)
	environment := []string{"EVIDENCE_GATE_DATABASE_URL=" + url}
	exit, out := command(t, environment, "jobs", "list")
	require.Zero(t, exit, out)
	require.Contains(t, out, "acme/widgets#1")
	require.Contains(t, out, "grant checks: write")
	require.NotContains(t, out, "\x1b", "nothing that a terminal obeys")
	require.NotContains(t, out, "acme/widgets#2")
	exit, out = command(t, nil, "jobs", "list", "--all", "--json", "--database-url", url)
	require.Zero(t, exit, out)
	var letters []store.Letter
	require.NoError(t, json.Unmarshal([]byte(out), &letters))
	require.Len(t, letters, 2)

	exit, out = command(t, environment, "jobs", "retry", fmt.Sprint(id))
	require.Zero(t, exit, out)
	require.Contains(t, out, "1 of the jobs will be tried again")
	exit, out = command(t, environment, "jobs", "retry", "4711")
	require.Equal(t, exitFailure, exit)
	require.Contains(t, out, "jobs list")
	exit, out = command(t, environment, "jobs", "retry", "--all")
	require.Zero(t, exit, out)
}

func TestJobsMistakes(t *testing.T) {
	t.Parallel()
	url, _ := deadLetters(t)
	rows := []struct {
		rule string
		args []string
		exit int
		says string
	}{
		{"no command", []string{"jobs"}, exitUsage, "expected list or retry"},
		{"an unknown command", []string{"jobs", "drop"}, exitUsage, `"drop"`},
		{"an argument", []string{"jobs", "list", "now"}, exitUsage, `found "now"`},
		{"neither ids nor all", []string{"jobs", "retry", "--database-url", url}, exitUsage, "or --all instead"},
		{"both", []string{"jobs", "retry", "--all", "1", "--database-url", url}, exitUsage, "or --all instead"},
		{"no number", []string{"jobs", "retry", "x", "--database-url", url}, exitUsage, `found "x"`},
		{"a database that is not there", []string{"jobs", "list", "--database-url", "sqlite:" + filepath.Join(t.TempDir(), "none.db")}, exitFailure, "there is none"},
		{"another database", []string{"jobs", "list", "--database-url", "mysql:x"}, exitUsage, "database_url: "},
	}
	for _, row := range rows {
		t.Run(row.rule, func(t *testing.T) {
			t.Parallel()
			exit, out := command(t, nil, row.args...)
			require.Equal(t, row.exit, exit, out)
			require.Contains(t, out, row.says)
		})
	}
}
