package main

import (
	"bufio"
	"bytes"
	"context"
	"io"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestDemo(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	var out, logs bytes.Buffer
	require.Zero(t, run(ctx, []string{"demo", "--verbose"}, nil, &out, &logs), logs.String())
	words := regexp.MustCompile(`(?m)^(success|failure|action_required)  step \d+`).FindAllString(out.String(), -1)
	require.Equal(t, []string{
		"failure  step 1", "success  step 2", "failure  step 3", "success  step 4",
		"action_required  step 5", "failure  step 6", "action_required  step 7", "success  step 8",
		"failure  step 9", "action_required  step 10", "action_required  step 11", "action_required  step 12", "success  step 13",
	}, words)
	for _, line := range strings.Split(strings.TrimSpace(logs.String()), "\n") {
		require.Regexp(t, `^\{.*\}$`, line, "the log is JSON lines")
	}
	require.Contains(t, logs.String(), `"msg":"published"`)
}

func TestDemoMistakes(t *testing.T) {
	t.Parallel()
	for _, args := range [][]string{{"demo", "now"}, {"demo", "--port", "80"}} {
		var out bytes.Buffer
		require.Equal(t, exitUsage, run(t.Context(), args, nil, &out, &out))
		require.Contains(t, out.String(), "evidence-gate demo --help")
	}
}

// demoProcess is evidence-gate demo as a process of its own, with a folder for its temporary files.
func demoProcess(t *testing.T, args ...string) (command *exec.Cmd, temporary string) {
	t.Helper()
	temporary = t.TempDir()
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	t.Cleanup(cancel)
	command = exec.CommandContext(ctx, os.Args[0], append([]string{"demo"}, args...)...)
	command.Env = append(os.Environ(), runAsProgram+"=1", "TMPDIR="+temporary)
	command.WaitDelay = time.Second
	return command, temporary
}

func requireEmpty(t *testing.T, folder string) {
	t.Helper()
	left, err := os.ReadDir(folder)
	require.NoError(t, err)
	require.Empty(t, left, "nothing is left behind")
}

func TestDemoStopsAtASignal(t *testing.T) {
	t.Parallel()
	rows := []struct {
		when   string
		args   []string
		signal syscall.Signal
		after  string
		exit   int
	}{
		{"Ctrl-C while it stays", []string{"--keep"}, syscall.SIGINT, "curl -s ", 0},
		{"the terminal is closed while it stays", []string{"--keep"}, syscall.SIGHUP, "curl -s ", 0},
		{"Ctrl-C in the middle of the story", nil, syscall.SIGINT, "failure  step 1", exitFailure},
	}
	for _, row := range rows {
		t.Run(row.when, func(t *testing.T) {
			t.Parallel()
			command, temporary := demoProcess(t, row.args...)
			out, err := command.StdoutPipe()
			require.NoError(t, err)
			require.NoError(t, command.Start())
			lines := bufio.NewScanner(out)
			found := false
			for !found && lines.Scan() {
				found = strings.HasPrefix(lines.Text(), row.after)
			}
			require.True(t, found)
			require.NoError(t, command.Process.Signal(row.signal))
			_, err = io.Copy(io.Discard, out)
			require.NoError(t, err)
			_ = command.Wait()
			require.Equal(t, row.exit, command.ProcessState.ExitCode())
			requireEmpty(t, temporary)
		})
	}
}

func TestDemoIntoAClosedPipe(t *testing.T) {
	t.Parallel()
	command, temporary := demoProcess(t)
	out, err := command.StdoutPipe()
	require.NoError(t, err)
	var logs bytes.Buffer
	command.Stderr = &logs
	require.NoError(t, command.Start())
	require.NoError(t, out.Close())
	require.NoError(t, command.Wait())
	require.Empty(t, logs.String(), "a reader that has gone away is not worth a word")
	requireEmpty(t, temporary)
}

func TestTerminal(t *testing.T) {
	t.Parallel()
	rows := []struct {
		rule        string
		environment []string
		width       int
	}{
		{"nothing is known", nil, 0},
		{"the shell says how wide", []string{"COLUMNS=120"}, 120},
		{"it says nonsense", []string{"COLUMNS=wide"}, 0},
	}
	for _, row := range rows {
		color, width := terminal(&bytes.Buffer{}, row.environment)
		require.False(t, color, "only terminals have colours")
		require.Equal(t, row.width, width, row.rule)
	}
}
