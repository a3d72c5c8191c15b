package main

import (
	"bytes"
	"context"
	"os"
	"testing"

	"github.com/stretchr/testify/require"
)

// runAsProgram makes the test binary behave as evidence-gate itself, so that a test can start and
// kill a real process without building one.
const runAsProgram = "RUN_AS_EVIDENCE_GATE"

func TestMain(m *testing.M) {
	if os.Getenv(runAsProgram) != "" {
		main()
		return
	}
	os.Exit(m.Run())
}

func TestMistakesAreReportedTogether(t *testing.T) {
	t.Parallel()
	rows := []struct {
		rule        string
		args        []string
		environment []string
		exit        int
		says        []string
	}{
		{"nothing is configured", []string{"serve"}, nil, exitUsage, []string{"app_id: ", "private_key: ", "webhook_secret: "}},
		{"mistakes from everywhere", []string{"serve", "--app-id", "x", "--enrol", "some"}, []string{"EVIDENCE_GATE_LISTN=:1", "EVIDENCE_GATE_DATABASE_URL=postgres://u:hunter2@h/d"},
			exitUsage, []string{`app_id: expected a positive number, found "x"`, "enrol: ", "EVIDENCE_GATE_LISTN: there is no such setting: did you mean EVIDENCE_GATE_LISTEN?", "PostgreSQL is not supported yet"}},
		{"an unknown flag", []string{"serve", "--nope"}, nil, exitUsage, []string{"--nope", "evidence-gate serve --help"}},
		{"an argument", []string{"serve", "now"}, nil, exitUsage, []string{`found "now"`}},
		{"a file that is not there", []string{"serve", "--config", "missing.yml"}, nil, exitUsage, []string{"config: ", "missing.yml"}},
		{"a file named by the environment", []string{"serve"}, []string{"EVIDENCE_GATE_CONFIG=missing.yml"}, exitUsage, []string{"missing.yml"}},
		{"help", []string{"serve", "--help"}, nil, 0, []string{"Nothing is published in a repository that has no policy", "--webhook-secret-file"}},
	}
	for _, row := range rows {
		t.Run(row.rule, func(t *testing.T) {
			t.Parallel()
			var out bytes.Buffer
			require.Equal(t, row.exit, run(context.Background(), row.args, row.environment, &out, &out), out.String())
			for _, text := range row.says {
				require.Contains(t, out.String(), text)
			}
			require.NotContains(t, out.String(), "hunter2", "passwords are not shown")
		})
	}
}
