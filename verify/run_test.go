//go:build unix

package verify

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestPhasesInOrder(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, checks string
		outcome      string
		steps        []string
		order        string // of those that ran
	}{
		{"everything passes", `checks:
  - { name: down, run: echo down >>order, phase: teardown }
  - { name: a, run: echo a >>order }
  - { name: up, run: echo up >>order, phase: setup }
  - { name: b, run: echo b >>order }
`, Green, []string{"up passed", "a passed", "b passed", "down passed"}, "up a b down"},
		{"a check fails: every other one runs", `checks:
  - { name: a, run: "echo a >>order; exit 1" }
  - { name: b, run: echo b >>order }
  - { name: down, run: echo down >>order, phase: teardown }
`, Failed, []string{"a failed step", "b passed", "down passed"}, "a b down"},
		{"the setup fails: check and serve are skipped, the teardown is not", `checks:
  - { name: one, run: "echo one >>order; exit 1", phase: setup }
  - { name: two, run: echo two >>order, phase: setup }
  - { name: a, run: echo a >>order }
  - { name: s, run: echo s >>order, phase: serve, probe: "http://127.0.0.1:1/" }
  - { name: down, run: echo down >>order, phase: teardown }
  - { name: down too, run: echo down too >>order, phase: teardown }
`, Failed, []string{"one failed step", "two skipped", "a skipped", "s skipped", "down passed", "down too passed"}, "one down down too"},
		{"a teardown that fails fails the run, and the others of it run", `checks:
  - { name: a, run: echo a >>order }
  - { name: down, run: "echo down >>order; exit 2", phase: teardown }
  - { name: down too, run: echo down too >>order, phase: teardown }
`, Failed, []string{"a passed", "down failed step", "down too passed"}, "a down down too"},
		{"the app stage comes after the teardown of a base that passed", `checks:
  - { name: app, run: echo app >>order, stage: app }
  - { name: app up, run: echo app up >>order, stage: app, phase: setup }
  - { name: app down, run: echo app down >>order, stage: app, phase: teardown }
  - { name: a, run: echo a >>order }
  - { name: down, run: echo down >>order, phase: teardown }
`, Green, []string{"a passed", "down passed", "app up passed", "app passed", "app down passed"}, "a down app up app app down"},
		{"the app stage does not run after a check that failed", `checks:
  - { name: app, run: echo app >>order, stage: app }
  - { name: app down, run: echo app down >>order, stage: app, phase: teardown }
  - { name: a, run: "exit 1" }
`, Failed, []string{"a failed step", "app skipped", "app down skipped"}, ""},
		{"the app stage does not run after a teardown that failed", `checks:
  - { name: app, run: echo app >>order, stage: app }
  - { name: a, run: echo a >>order }
  - { name: down, run: "exit 1", phase: teardown }
`, Failed, []string{"a passed", "down failed step", "app skipped"}, "a"},
		{"a step with default: false is left out, and the run is green", `checks:
  - { name: a, run: echo a >>order }
  - { name: load, run: "exit 1", default: false }
`, Green, []string{"a passed", "load skipped"}, "a"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			root := project(t, c.checks)
			r := Run(t.Context(), planOf(t, root, Selection{}), quick())
			require.Equal(t, c.outcome, r.Outcome)
			require.Equal(t, c.steps, steps(r))
			order, _ := os.ReadFile(filepath.Join(root, "order"))
			require.Equal(t, c.order, strings.Join(strings.Fields(string(order)), " "))
			for _, s := range r.Steps {
				require.Equal(t, s.Status == Skipped, s.Status != Passed && s.Status != StepFailed)
				if s.Status == Skipped {
					require.NotEmpty(t, s.Reason)
				}
			}
		})
	}
}

func TestHowOneStepEnds(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, step string
		want       string // status and kind
		code       int    // -1: none
		reason     string
	}{
		{"exit 0", `run: "exit 0"`, "passed", 0, ""},
		{"exit 1", `run: "exit 1"`, "failed step", 1, "exit code 1"},
		{"exit 126", `run: "exit 126"`, "failed step", 126, "exit code 126"},
		{"a program that is not there", `run: nosuchprogram`, "failed env", 127, "exit code 127: a program was not found"},
		{"without a shell", `run: [sh, -c, "exit 4"]`, "failed step", 4, "exit code 4"},
		{"without a shell nothing is expanded", `run: [test, "$HOME", "=", "$HOME"]`, "passed", 0, ""},
		{"a program that is not there, without a shell", `run: [nosuchprogram]`, "failed env", -1, "could not be started"},
		{"a folder as a program", `run: [/]`, "failed env", -1, "could not be started"},
		{"ended by a signal", `run: kill -SEGV $$`, "failed step", -1, "ended by SIGSEGV"},
		{"too slow", `run: sleep 600, timeout: 50ms`, "failed timeout", -1, "stopped after 50ms"},
		{"too slow, and ignoring SIGTERM", `run: "trap '' TERM; while :; do sleep 600; done", timeout: 50ms`, "failed timeout", -1, "stopped after 50ms"},
		{"it changes the folder", `run: cd /; exit 0`, "passed", 0, ""},
		{"it reads from standard input", `run: 'test -z "$(cat)"'`, "passed", 0, ""},
		{"it needs a terminal", `run: "read line </dev/tty"`, "failed step", 2, "exit code 2"},
		{"it closes its output", `run: "exec >&- 2>&-; sleep 0.05; exit 3"`, "failed step", 3, "exit code 3"},
		{"it prints binary", `run: "head -c 5000 /dev/urandom; exit 5"`, "failed step", 5, "exit code 5"},
		{"it forks and exits", `run: "(sleep 600 &) ; exit 0"`, "passed", 0, ""},
		{"the folder is the project's", `run: 'test "$PWD" = "$(pwd -P)" && test -d .github'`, "passed", 0, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			r := runs(t, "checks:\n  - { name: it, "+c.step+" }\n")
			s := r.Steps[0]
			require.Equal(t, c.want, strings.TrimSpace(s.Status+" "+s.Failure), s.Reason)
			require.Contains(t, s.Reason, c.reason)
			if c.code < 0 {
				require.Nil(t, s.ExitCode)
			} else {
				require.Equal(t, c.code, *s.ExitCode)
			}
			require.Equal(t, c.want == "passed", r.Outcome == Green)
		})
	}
}

// What the setup starts serves the checks, and is ended after the teardown; what a check leaves is
// ended with it.
func TestBackgroundProcesses(t *testing.T) {
	t.Parallel()
	root := project(t, `checks:
  - { name: db, run: "setsid sleep 600 >/dev/null 2>&1 & echo $! >db", phase: setup }
  - { name: db serves, run: 'kill -0 "$(cat db)"' }
  - { name: forks, run: "setsid sleep 600 & echo $! >forked" }
  - { name: fork is gone, run: '! kill -0 "$(cat forked)" 2>/dev/null' }
  - { name: db still serves, run: 'kill -0 "$(cat db)"', phase: teardown }
`)
	r := Run(t.Context(), planOf(t, root, Selection{}), quick())
	require.Equal(t, Green, r.Outcome, r.Failure)
	require.Equal(t, 1, stepOf(t, r, "forks").Ended)
	require.True(t, gone(t, content(t, root, "db")))
	require.True(t, gone(t, content(t, root, "forked")))
}

// The output of a setup step is whole although a process of it goes on holding it.
func TestOutputOfASetupThatGoesOn(t *testing.T) {
	t.Parallel()
	root := project(t, `checks:
  - { name: db, run: "sleep 600 & head -c 200000 /dev/zero; echo started", phase: setup }
  - { name: check, run: "true" }
`)
	logs, err := OpenLogs(root, clock())
	require.NoError(t, err)
	options := quick()
	options.Logs = logs
	r := Run(t.Context(), planOf(t, root, Selection{}), options)
	require.Equal(t, Green, r.Outcome)
	require.EqualValues(t, 200_008, r.Steps[0].OutputBytes)
	require.True(t, strings.HasSuffix(content(t, root, r.Steps[0].Log), "started\n"))
}

func TestAStepThatKillsItsParent(t *testing.T) {
	t.Parallel()
	root := project(t, `checks:
  - { name: killer, run: "sleep 600 & echo $! >pid; kill -9 $PPID; sleep 600" }
  - { name: next, run: "true" }
  - { name: down, run: "true", phase: teardown }
`)
	r := Run(t.Context(), planOf(t, root, Selection{}), quick())
	require.Equal(t, []string{"killer failed step", "next passed", "down passed"}, steps(r))
	require.Equal(t, Failed, r.Outcome)
	require.True(t, gone(t, content(t, root, "pid")))
}

func TestAStepThatDeletesTheProject(t *testing.T) {
	t.Parallel()
	root := project(t, `checks:
  - { name: deletes, run: 'rm -rf "$PWD"' }
  - { name: next, run: "true" }
  - { name: down, run: "true", phase: teardown }
`)
	s := session(t, root)
	r, err := Verify(t.Context(), s)
	require.NoError(t, err)
	require.Equal(t, []string{"deletes failed env", "next failed env", "down failed env"}, steps(r))
	require.Contains(t, r.Steps[0].Reason, "is gone")
	require.NoDirExists(t, root, "nothing brings the folder back")
	require.NotEmpty(t, r.Warnings)
	requireResult(t, r)
}

func TestAStepThatReplacesTheProject(t *testing.T) {
	t.Parallel()
	root := project(t, `checks: [{ name: moves, run: 'mv "$PWD" "$PWD.old" && mkdir "$PWD"' }, { name: next, run: "true" }]`+"\n")
	r := Run(t.Context(), planOf(t, root, Selection{}), quick())
	require.Equal(t, []string{"moves failed env", "next failed env"}, steps(r))
	require.Contains(t, r.Steps[0].Reason, "another folder is in the place of the project's folder")
}

// stopper ends a context when a step has printed a line.
type stopper struct {
	step string
	stop func()
	done chan struct{}
}

func (s *stopper) Started(step Step, _, _ int, last func() string) {
	if step.Title() != s.step {
		return
	}
	s.done = make(chan struct{})
	go func() {
		defer close(s.done)
		for last() != "ready" {
			time.Sleep(time.Millisecond)
		}
		s.stop()
	}()
}

func (s *stopper) Finished(StepResult, int, int) {}

func TestInterruption(t *testing.T) {
	t.Parallel()
	root := project(t, `checks:
  - { name: a, run: "true" }
  - { name: long, run: "echo ready; exec sleep 600" }
  - { name: next, run: "true" }
  - { name: app, run: "true", stage: app }
  - { name: down, run: echo down >down, phase: teardown }
`)
	ctx, stop := context.WithCancel(t.Context())
	options := quick()
	options.Progress = &stopper{step: "long", stop: stop}
	r := Run(ctx, planOf(t, root, Selection{}), options)
	require.Equal(t, []string{"a passed", "long failed interrupted", "next skipped", "down passed", "app skipped"}, steps(r))
	require.Equal(t, Failed, r.Outcome)
	require.Equal(t, KindInterrupted, r.Failure.Kind)
	require.Equal(t, 130, r.ExitCode())
	require.Equal(t, "interrupted", stepOf(t, r, "next").Reason)
	require.FileExists(t, filepath.Join(root, "down"))
}

// An interruption counts although everything passed: nobody knows what it left out.
func TestInterruptionDuringTheTeardown(t *testing.T) {
	t.Parallel()
	root := project(t, `checks:
  - { name: a, run: "true" }
  - { name: down, run: "echo ready; while ! test -e go; do sleep 0.01; done", phase: teardown }
`)
	ctx, stop := context.WithCancel(t.Context())
	options := quick()
	options.Progress = &stopper{step: "down", stop: func() {
		stop()
		_ = os.WriteFile(filepath.Join(root, "go"), nil, 0o644)
	}}
	r := Run(ctx, planOf(t, root, Selection{}), options)
	require.Equal(t, []string{"a passed", "down passed"}, steps(r), "the first Ctrl-C does not end the teardown")
	require.Equal(t, 130, r.ExitCode())

	root = project(t, `checks:
  - { name: a, run: "true" }
  - { name: down, run: "echo ready; exec sleep 600", phase: teardown }
`)
	ctx, stop = context.WithCancel(t.Context())
	force := make(chan struct{})
	options = quick()
	options.Force = force
	options.Progress = &stopper{step: "down", stop: func() { stop(); close(force) }}
	r = Run(ctx, planOf(t, root, Selection{}), options)
	require.Equal(t, []string{"a passed", "down failed interrupted"}, steps(r), "the second one does")
	require.Equal(t, 130, r.ExitCode())
}

func TestNothingRunsAfterAnEarlyInterruption(t *testing.T) {
	t.Parallel()
	ctx, stop := context.WithCancel(t.Context())
	stop()
	root := project(t, `checks:
  - { name: up, run: "true", phase: setup }
  - { name: a, run: "true" }
  - { name: down, run: "true", phase: teardown }
`)
	r := Run(ctx, planOf(t, root, Selection{}), quick())
	require.Equal(t, []string{"up skipped", "a skipped", "down passed"}, steps(r))
	require.Equal(t, 130, r.ExitCode())
	require.NotEmpty(t, r.Failure.Reason)
}
