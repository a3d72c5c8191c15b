//go:build linux

package supervise

import (
	"bufio"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// run starts a shell command; its output is read to the end.
func run(t testing.TB, script string, keep bool) (*Process, func() string) {
	t.Helper()
	return runWithin(t, script, keep, 100*time.Millisecond)
}

func runWithin(t testing.TB, script string, keep bool, grace time.Duration) (*Process, func() string) {
	t.Helper()
	r, w, err := os.Pipe()
	require.NoError(t, err)
	p, err := Start(Command{Args: []string{"/bin/sh", "-c", script}, Dir: t.TempDir(), Env: os.Environ(), Output: w, Keep: keep, Grace: grace})
	require.NoError(t, err)
	require.NoError(t, w.Close())
	t.Cleanup(func() { p.Stop() })
	return p, func() string {
		text, err := io.ReadAll(r)
		require.NoError(t, err)
		return string(text)
	}
}

// gone says whether a process has ended, whoever has to reap it.
func gone(t testing.TB, pid string) bool {
	t.Helper()
	n, err := strconv.Atoi(strings.TrimSpace(pid))
	require.NoError(t, err)
	return syscall.Kill(n, 0) == syscall.ESRCH
}

func needsSubreaper(t testing.TB) {
	if runtime.GOOS != "linux" {
		t.Skip("only Linux has subreapers")
	}
}

func TestStatus(t *testing.T) {
	t.Parallel()
	for script, want := range map[string]Status{
		"exit 0":         {},
		"exit 7":         {Code: 7},
		"nosuchprogram":  {Code: 127},
		"kill -9 $$":     {Code: 137, Signal: "SIGKILL"},
		"kill -TERM $$":  {Code: 143, Signal: "SIGTERM"},
		"exec >&- 2>&-;": {},
	} {
		p, _ := run(t, script, false)
		require.Equal(t, want, p.Status(), script)
		require.Equal(t, Ending{}, p.Wait(), script)
	}
}

func TestOutputIsWhole(t *testing.T) {
	t.Parallel()
	p, output := run(t, "echo one; echo two >&2; cat; echo three", false)
	require.Equal(t, "one\ntwo\nthree\n", output(), "standard input is empty")
	require.Zero(t, p.Status().Code)
}

func TestWhatCannotBeStarted(t *testing.T) {
	t.Parallel()
	null, err := os.OpenFile(os.DevNull, os.O_WRONLY, 0)
	require.NoError(t, err)
	defer null.Close()
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "text"), []byte("no program"), 0o644))
	for _, c := range []Command{
		{Args: []string{"nosuchprogram"}, Dir: dir},
		{Args: []string{"./text"}, Dir: dir},
		{Args: []string{"/bin/sh"}, Dir: filepath.Join(dir, "nosuchfolder")},
	} {
		c.Env, c.Output = os.Environ(), null
		p, err := Start(c)
		if err == nil {
			err = p.Status().Err
			require.Equal(t, Ending{}, p.Wait())
		}
		require.Error(t, err, c)
	}
}

func TestThereIsNoTerminal(t *testing.T) {
	t.Parallel()
	p, output := run(t, "if (: </dev/tty) 2>/dev/null; then echo terminal; else echo none; fi", false)
	require.Equal(t, "none\n", output())
	require.Zero(t, p.Status().Code)
}

// What a command leaves behind ends with it, however it was left.
func TestNothingIsLeft(t *testing.T) {
	t.Parallel()
	needsSubreaper(t)
	for name, script := range map[string]string{
		"a background process":        `sleep 600 & echo $! >pid`,
		"one that ignores SIGTERM":    `(trap '' TERM; while :; do sleep 600; done) & echo $! >pid`,
		"one in its own session":      `setsid sleep 600 >/dev/null 2>&1 & echo $! >pid`,
		"a daemon":                    `( (setsid sh -c 'trap "" TERM HUP; echo $$ >pid; exec sleep 600' ) & )`,
		"a grandchild of a dead one":  `sh -c 'sh -c "echo \$\$ >pid; exec sleep 600" &' & wait`,
		"one that is stopped":         `sleep 600 & echo $! >pid; kill -STOP $!`,
		"one in another group":        `set -m 2>/dev/null; sleep 600 & echo $! >pid`,
		"one that starts many others": `sh -c 'echo $$ >pid; trap "" TERM; for i in 1 2 3 4 5; do setsid sleep 600 & done; exec sleep 600' &`,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p, _ := run(t, script+"\nwhile ! test -s pid; do sleep 0.01; done; exit 3", false)
			require.Equal(t, 3, p.Status().Code)
			ending := p.Wait()
			require.Zero(t, ending.Left)
			require.False(t, ending.Lost)
			pid, err := os.ReadFile(filepath.Join(p.supervisor.Dir, "pid"))
			require.NoError(t, err)
			require.True(t, gone(t, string(pid)))
		})
	}
}

func TestProcessesAreKeptUntilStop(t *testing.T) {
	t.Parallel()
	needsSubreaper(t)
	p, _ := run(t, `setsid sleep 600 & echo $! >pid`, true)
	require.Zero(t, p.Status().Code)
	pid, err := os.ReadFile(filepath.Join(p.supervisor.Dir, "pid"))
	require.NoError(t, err)
	require.False(t, gone(t, string(pid)))
	require.Equal(t, Ending{Ended: 1}, p.Stop())
	require.True(t, gone(t, string(pid)))
	require.Equal(t, Ending{Ended: 1}, p.Stop(), "the second time does nothing")
}

func TestStopGroup(t *testing.T) {
	t.Parallel()
	needsSubreaper(t)
	p, _ := runWithin(t, `setsid sh -c 'echo $$ >pid; exec sleep 600' & exec 2>/dev/null; trap 'exit 9' TERM
		while ! test -s pid; do sleep 0.01; done; touch ready; while :; do sleep 0.01; done`, false, 20*time.Second)
	require.Eventually(t, func() bool {
		_, err := os.Stat(filepath.Join(p.supervisor.Dir, "ready"))
		return err == nil
	}, 20*time.Second, 5*time.Millisecond)
	pid, err := os.ReadFile(filepath.Join(p.supervisor.Dir, "pid"))
	require.NoError(t, err)
	p.StopGroup()
	require.Equal(t, 9, p.Status().Code, "SIGTERM comes before SIGKILL")
	require.False(t, gone(t, string(pid)), "another session is not of the group")
	require.Zero(t, p.Stop().Left)
	require.True(t, gone(t, string(pid)))
}

// A command that kills its parent kills the supervisor; what it leaves is ended nevertheless.
func TestTheSupervisorIsKilled(t *testing.T) {
	t.Parallel()
	needsSubreaper(t)
	p, output := run(t, `setsid sh -c 'trap "" TERM; echo $$; exec sleep 600' & sleep 600 & kill -9 $PPID; sleep 600`, false)
	status := p.Status()
	require.True(t, status.Lost)
	require.NotZero(t, status.Code)
	require.True(t, p.Wait().Lost)
	if pid := output(); pid != "" {
		require.True(t, gone(t, pid))
	}
	p, _ = run(t, `kill -TERM $PPID; kill -HUP $PPID; kill -INT $PPID; exit 4`, false)
	require.Equal(t, Status{Code: 4}, p.Status(), "other signals do nothing to it")
}

// A command that stops the supervisor gains nothing.
func TestTheSupervisorIsStopped(t *testing.T) {
	t.Parallel()
	needsSubreaper(t)
	p, _ := run(t, `sleep 600 & echo $! >pid; kill -STOP $PPID; touch ready; sleep 600`, false)
	require.Eventually(t, func() bool {
		_, err := os.Stat(filepath.Join(p.supervisor.Dir, "ready"))
		return err == nil
	}, 20*time.Second, 5*time.Millisecond)
	ending := p.Stop()
	require.False(t, ending.Lost)
	require.Zero(t, ending.Left)
	pid, err := os.ReadFile(filepath.Join(p.supervisor.Dir, "pid"))
	require.NoError(t, err)
	require.True(t, gone(t, string(pid)))
}

// When the program is killed, the supervisor ends what it watches over.
func TestTheProgramIsKilled(t *testing.T) {
	t.Parallel()
	needsSubreaper(t)
	program := exec.Command("/proc/self/exe")
	program.Args = []string{killedProgram}
	out, err := program.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, program.Start())
	line, err := bufio.NewReader(out).ReadString('\n')
	require.NoError(t, err)
	require.False(t, gone(t, line))
	require.NoError(t, program.Process.Kill())
	require.Error(t, program.Wait())
	require.Eventually(t, func() bool { return gone(t, line) }, 10*time.Second, 5*time.Millisecond)
}

const killedProgram = "program that will be killed"

func TestMain(m *testing.M) {
	if os.Args[0] != killedProgram {
		os.Exit(m.Run())
	}
	_, err := Start(Command{Args: []string{"/bin/sh", "-c", "echo $$; exec sleep 600"}, Env: os.Environ(), Output: os.Stdout, Grace: time.Second})
	if err != nil {
		os.Exit(1)
	}
	select {}
}

func TestTheNameOfAProcessMayHoldAnything(t *testing.T) {
	t.Parallel()
	needsSubreaper(t)
	dir := t.TempDir()
	name := filepath.Join(dir, "a) Z 1 1")
	sleep, err := exec.LookPath("sleep")
	require.NoError(t, err)
	require.NoError(t, os.Symlink(sleep, name))
	c := exec.Command(name, "600")
	require.NoError(t, c.Start())
	e, ok := lookUp(c.Process.Pid)
	require.NoError(t, c.Process.Kill())
	require.Error(t, c.Wait())
	require.True(t, ok)
	require.Equal(t, os.Getpid(), e.parent)
	require.False(t, e.zombie)
}

func BenchmarkEmptyCommand(b *testing.B) {
	for _, way := range []string{"sh", "supervised"} {
		b.Run(way, func(b *testing.B) {
			for b.Loop() {
				if way == "sh" {
					require.NoError(b, exec.Command("/bin/sh", "-c", ":").Run())
					continue
				}
				r, w, err := os.Pipe()
				require.NoError(b, err)
				p, err := Start(Command{Args: []string{"/bin/sh", "-c", ":"}, Env: os.Environ(), Output: w})
				require.NoError(b, err)
				w.Close()
				_, _ = io.ReadAll(r)
				r.Close()
				p.Wait()
			}
		})
	}
}
