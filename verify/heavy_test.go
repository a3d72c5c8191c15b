//go:build unix

package verify

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/evidence-gate/evidence-gate/internal/fulltest"
	"github.com/evidence-gate/evidence-gate/profile/policy"
)

// heavy runs the policy of a folder in a process of its own, and says how much memory that took.
func heavy(root string) {
	fail := func(err error) {
		if err != nil {
			fmt.Println(err)
			os.Exit(1)
		}
	}
	text, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(policy.Path)))
	fail(err)
	p, _ := policy.Read(string(text), policy.Repository)
	plan, err := NewPlan(root, p, Selection{}, os.Environ())
	fail(err)
	logs, err := OpenLogs(root, time.Now())
	fail(err)
	r := Run(context.Background(), plan, Options{Logs: logs})
	status, err := os.ReadFile("/proc/self/status")
	fail(err)
	peak := regexp.MustCompile(`VmHWM:\s+(\d+) kB`).FindSubmatch(status)
	fmt.Println(r.Outcome, r.Steps[0].OutputBytes, string(peak[1]))
}

// What a step prints beyond what is kept is never in memory: 200 steps with 10 MiB of output each, and
// one with 1 GiB, stay under 64 MiB.
func TestMemoryIsBounded(t *testing.T) {
	t.Parallel()
	if raceDetector || runtime.GOOS != "linux" {
		t.Skip("measures memory by /proc, and without the race detector")
	}
	many, large := 20, 128
	if fulltest.Enabled() {
		many, large = 200, 1024
	}
	var all strings.Builder
	all.WriteString("checks:\n")
	for n := range many {
		fmt.Fprintf(&all, "  - { name: s%d, run: \"yes 'one line of output that is like others' | head -c 10485760\" }\n", n)
	}
	for name, c := range map[string]struct {
		checks string
		bytes  int
	}{
		"many steps":   {all.String(), 10 << 20},
		"large output": {fmt.Sprintf("checks: [{ name: a, run: head -c %d /dev/zero }]\n", large<<20), large << 20},
	} {
		program := exec.Command("/proc/self/exe")
		program.Env = append(os.Environ(), "TEST_HEAVY="+project(t, c.checks))
		out, err := program.Output()
		require.NoError(t, err, string(out))
		said := strings.Fields(string(out))
		require.Equal(t, []string{Green, strconv.Itoa(c.bytes)}, said[:2], name)
		peak, err := strconv.Atoi(said[2])
		require.NoError(t, err)
		t.Logf("%s: %d kB", name, peak)
		require.Less(t, peak, 64<<10, name)
	}
}

// emptySteps is a project with so many steps that do nothing.
func emptySteps(t testing.TB, n int) Plan {
	var all strings.Builder
	all.WriteString("checks:\n")
	for i := range n {
		fmt.Fprintf(&all, "  - { name: s%d, run: \":\" }\n", i)
	}
	return planOf(t, project(t, all.String()), Selection{})
}

// An empty step costs under 10 ms over sh -c. The quickest of some is compared: the machine may be
// busy with something else.
func TestAnEmptyStepIsQuick(t *testing.T) {
	t.Parallel()
	if raceDetector {
		t.Skip("the race detector makes programs start slowly")
	}
	plan := emptySteps(t, 1)
	logs, err := OpenLogs(plan.Root, clock())
	require.NoError(t, err)
	step, shell := time.Hour, time.Hour
	for try := 0; try < 20 || try < 200 && step-shell >= 10*time.Millisecond; try++ {
		step = min(step, timed(func() { require.Equal(t, Green, Run(t.Context(), plan, Options{Logs: logs}).Outcome) }))
		shell = min(shell, timed(func() { require.NoError(t, exec.Command("/bin/sh", "-c", ":").Run()) }))
	}
	t.Logf("%s over sh -c", step-shell)
	require.Less(t, step-shell, 10*time.Millisecond)
}

func timed(do func()) time.Duration {
	begin := time.Now()
	do()
	return time.Since(begin)
}

func BenchmarkEmptyStep(b *testing.B) {
	b.Run("sh -c", func(b *testing.B) {
		for b.Loop() {
			require.NoError(b, exec.Command("/bin/sh", "-c", ":").Run())
		}
	})
	b.Run("step", func(b *testing.B) {
		plan := emptySteps(b, 1)
		logs, err := OpenLogs(plan.Root, clock())
		require.NoError(b, err)
		for b.Loop() {
			require.Equal(b, Green, Run(b.Context(), plan, Options{Logs: logs}).Outcome)
		}
	})
}
