//go:build unix

package verify

import (
	"context"
	"fmt"
	"net"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// serves runs one server on a free port.
func serves(t *testing.T, run, more string) (StepResult, string, string) {
	t.Helper()
	port := freePort(t)
	root := project(t, fmt.Sprintf("checks:\n  - { name: web, run: %q, phase: serve, probe: \"http://localhost:${PORT}/healthz\"%s }\n", run, more))
	r := Run(t.Context(), planOf(t, root, Selection{}, "PORT="+port), quick())
	c, err := net.DialTimeout("tcp", "127.0.0.1:"+port, time.Second)
	if err == nil {
		c.Close()
	}
	require.Error(t, err, "nothing serves any more")
	require.Equal(t, r.Steps[0].Status == Passed, r.Outcome == Green)
	return r.Steps[0], root, port
}

func TestServe(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, run, more string
		want, reason    string
	}{
		{"it answers", `TEST_SERVER=200 exec "$SELF"`, "", "passed", ""},
		{"it answers that there is no such page", `TEST_SERVER=404 exec "$SELF"`, "", "passed", ""},
		{"it redirects, which is not followed", `TEST_SERVER=302 exec "$SELF"`, "", "passed", ""},
		{"it answers without an end", `TEST_SERVER=endless exec "$SELF"`, "", "passed", ""},
		{"it stops in the middle of its answer", `TEST_SERVER=stuck exec "$SELF"`, ", probe_timeout: 2s", "passed", ""},
		{"it is ready after a while", `TEST_SERVER=slow exec "$SELF"`, "", "passed", ""},
		{"it answers 500", `TEST_SERVER=500 exec "$SELF"`, ", probe_timeout: 2s", "failed timeout", "within 2s: the status was 500"},
		{"it accepts and says nothing", `TEST_SERVER=silent exec "$SELF"`, ", probe_timeout: 2s", "failed timeout", "no status under 500 from http://localhost:"},
		{"it speaks another language", `TEST_SERVER="not http" exec "$SELF"`, ", probe_timeout: 2s", "failed timeout", "within 2s: what came is no answer in HTTP"},
		{"it never listens", `exec sleep 600`, ", probe_timeout: 100ms", "failed timeout", "within 100ms: nothing accepts connections there"},
		{"the step's timeout is shorter", `exec sleep 600`, ", timeout: 100ms", "failed timeout", "within 100ms"},
		{"it ends early", `echo no; exit 7`, "", "failed step", "the server ended before it answered: exit code 7"},
		{"it ends early and well", `exit 0`, "", "failed step", "the server ended before it answered: exit code 0"},
		{"it is not there", `nosuchserver`, "", "failed env", "exit code 127"},
		{"it ignores SIGTERM", `trap '' TERM; TEST_SERVER=200 "$SELF"; :`, "", "passed", ""},
		{"it goes on in another session after its group was stopped", `TEST_SERVER=200 setsid "$SELF" & exec sleep 600`, "", "failed step", "still answers after the server was stopped"},
		{"it becomes a daemon", `TEST_SERVER=200 setsid "$SELF" & exit 0`, "", "failed step", "the server ended before it answered"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			s, _, _ := serves(t, c.run, c.more)
			require.Equal(t, c.want, strings.TrimSpace(s.Status+" "+s.Failure), s.Reason)
			require.Contains(t, s.Reason, c.reason)
			require.True(t, strings.HasPrefix(s.Probe, "http://localhost:"))
		})
	}
}

// What answers already would answer in place of the server.
func TestAPortInUseIsRefused(t *testing.T) {
	t.Parallel()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	defer l.Close()
	_, port, err := net.SplitHostPort(l.Addr().String())
	require.NoError(t, err)
	root := project(t, `checks:
  - { name: web, run: echo >started, phase: serve, probe: "http://127.0.0.1:${PORT}/" }
  - { name: down, run: "true", phase: teardown }
`)
	r := Run(t.Context(), planOf(t, root, Selection{}, "PORT="+port), quick())
	require.Equal(t, []string{"web failed env", "down passed"}, steps(r))
	require.Contains(t, r.Steps[0].Reason, "refused: something answers on port "+port+" already")
	require.Equal(t, 5, r.ExitCode())
	require.NoFileExists(t, filepath.Join(root, "started"))
}

// Of two runs that serve on one port at once, none is answered by the other's server.
func TestTwoRunsServeOnOnePort(t *testing.T) {
	t.Parallel()
	port := freePort(t)
	checks := `checks: [{ name: web, run: 'TEST_SERVER=200 exec "$SELF"', phase: serve, probe: "http://127.0.0.1:${PORT}/" }]` + "\n"
	var all sync.WaitGroup
	results := make([]Result, 4)
	for i := range results {
		plan := planOf(t, project(t, checks), Selection{}, "PORT="+port)
		all.Go(func() { results[i] = Run(t.Context(), plan, quick()) })
	}
	all.Wait()
	passed := 0
	for _, r := range results {
		s := r.Steps[0]
		if s.Status == Passed {
			passed++
			continue
		}
		require.Equal(t, KindEnv, s.Failure, s.Reason)
		require.Contains(t, s.Reason, "port "+port)
	}
	require.NotZero(t, passed)
}

func TestServersAreInterrupted(t *testing.T) {
	t.Parallel()
	ctx, stop := context.WithCancel(t.Context())
	options := quick()
	options.Progress = &stopper{step: "web", stop: stop}
	root := project(t, `checks: [{ name: web, run: "echo ready; exec sleep 600", phase: serve, probe: "http://127.0.0.1:${PORT}/" }]`+"\n")
	r := Run(ctx, planOf(t, root, Selection{}, "PORT="+freePort(t)), options)
	require.Equal(t, []string{"web failed interrupted"}, steps(r))
	require.Equal(t, 130, r.ExitCode())
}

// A token may be part of a probe; it is shown nowhere.
func TestATokenInAProbe(t *testing.T) {
	t.Parallel()
	root := project(t, `pass_env: [PROBE_KEY]
checks: [{ name: web, run: exec sleep 600, phase: serve, probe: "http://127.0.0.1:${PORT}/?key=${PROBE_KEY}", probe_timeout: 50ms }]
`)
	plan := planOf(t, root, Selection{}, "PORT="+freePort(t), "PROBE_KEY=hunter22")
	r := Run(t.Context(), plan, quick())
	for _, text := range []string{r.Steps[0].Probe, r.Steps[0].Reason, r.Failure.Reason, plan.Listing().Steps[0].Probe} {
		require.Contains(t, text, "?key=***")
		require.NotContains(t, text, "hunter22")
	}
}

// An answer may be announced, a head may be too long, and a server may say only the start of one.
func TestAnswers(t *testing.T) {
	t.Parallel()
	for head, want := range map[string]string{
		"HTTP/1.1 204 No Content\r\n\r\n":                                          "true the status was 204",
		"HTTP/1.1 103 Early Hints\r\n\r\nHTTP/1.1 503 Service Unavailable\r\n\r\n": "false the status was 503",
		"HTTP/1.0 302 Found\r\nLocation: http://192.0.2.1/\r\n\r\n":                "true the status was 302",
		"HTTP/1.1 200 OK\r\nX: " + strings.Repeat("x", 200_000):                    "false what came is no answer in HTTP",
		strings.Repeat("HTTP/1.1 100 Continue\r\n\r\n", 10_000):                    "false what came is no answer in HTTP",
		"HTTP/1.1 20":             "false what came is no answer in HTTP",
		"SSH-2.0-OpenSSH_9.6\r\n": "false what came is no answer in HTTP",
		"":                        "false what came is no answer in HTTP",
	} {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		require.NoError(t, err)
		go func() {
			c, err := l.Accept()
			if err != nil {
				return
			}
			_, _ = c.Read(make([]byte, 4_096))
			_, _ = c.Write([]byte(head))
			c.Close()
		}()
		p, err := parseProbe("http://" + l.Addr().String() + "/healthz")
		require.NoError(t, err)
		answered, why := p.ask(t.Context())
		require.Equal(t, want, fmt.Sprint(answered, " ", why), "%.40q", head)
		require.NoError(t, l.Close())
	}
}
