//go:build unix

package verify

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/stretchr/testify/require"

	"github.com/evidence-gate/evidence-gate/profile/policy"
	"github.com/evidence-gate/evidence-gate/verify/tamper"
)

// The test program is also the servers and the long runs that tests need as processes of their own.
func TestMain(m *testing.M) {
	switch {
	case os.Getenv("TEST_SERVER") != "":
		server(os.Getenv("TEST_SERVER"), os.Getenv("PORT"))
	case os.Getenv("TEST_HEAVY") != "":
		heavy(os.Getenv("TEST_HEAVY"))
	default:
		os.Exit(m.Run())
	}
}

// server answers on a port in one of several ways.
func server(how, port string) {
	listener, err := net.Listen("tcp", "127.0.0.1:"+port)
	if err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
	fmt.Println("listening")
	if how == "silent" {
		for {
			if _, err := listener.Accept(); err != nil {
				os.Exit(1)
			}
		}
	}
	if how == "not http" {
		for {
			c, err := listener.Accept()
			if err != nil {
				os.Exit(1)
			}
			fmt.Fprintln(c, "220 mail.example.com ESMTP")
			c.Close()
		}
	}
	status, err := strconv.Atoi(how)
	asked := 0
	_ = http.Serve(listener, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked++
		switch {
		case err == nil:
			w.Header().Set("Location", "http://192.0.2.1/")
			w.WriteHeader(status)
		case how == "endless":
			for {
				if _, err := w.Write(make([]byte, 1<<16)); err != nil {
					return
				}
			}
		case how == "stuck":
			w.WriteHeader(http.StatusOK)
			w.(http.Flusher).Flush()
			<-r.Context().Done()
		case how == "slow" && asked < 3:
			w.WriteHeader(http.StatusServiceUnavailable)
		}
	}))
}

// freePort is a port that nobody listens on.
func freePort(t testing.TB) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	defer l.Close()
	_, port, err := net.SplitHostPort(l.Addr().String())
	require.NoError(t, err)
	return port
}

// project is a folder with a policy that declares these checks.
func project(t testing.TB, checks string) string {
	t.Helper()
	root, err := filepath.EvalSymlinks(t.TempDir())
	require.NoError(t, err)
	write(t, root, checks)
	return root
}

func write(t testing.TB, root, checks string) {
	t.Helper()
	file := filepath.Join(root, filepath.FromSlash(policy.Path))
	require.NoError(t, os.MkdirAll(filepath.Dir(file), 0o755))
	require.NoError(t, os.WriteFile(file, []byte("version: 1\n"+checks), 0o644))
}

func readPolicy(t testing.TB, root string) policy.Policy {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(policy.Path)))
	require.NoError(t, err)
	p, faults := policy.Read(string(text), policy.Repository)
	require.Empty(t, faults)
	return p
}

// plan is that of the whole project, with the environment that tests need.
func planOf(t testing.TB, root string, s Selection, environ ...string) Plan {
	t.Helper()
	plan, err := NewPlan(root, readPolicy(t, root), s, append(testEnviron(), environ...))
	require.NoError(t, err)
	return plan
}

func testEnviron() []string {
	self, _ := os.Executable()
	return []string{"PATH=" + os.Getenv("PATH"), "HOME=/nonexistent", "SELF=" + self}
}

// quick are options with which nothing takes long.
func quick() Options { return Options{Grace: 200 * time.Millisecond, Poll: 10 * time.Millisecond} }

// runs runs the checks of a policy.
func runs(t testing.TB, checks string, environ ...string) Result {
	t.Helper()
	return Run(t.Context(), planOf(t, project(t, checks), Selection{}, environ...), quick())
}

// steps tells of each step how it ended: "name passed", "name failed step".
func steps(r Result) []string {
	var all []string
	for _, s := range r.Steps {
		all = append(all, strings.TrimSpace(s.Name+" "+s.Status+" "+s.Failure))
	}
	return all
}

func stepOf(t testing.TB, r Result, name string) StepResult {
	t.Helper()
	for _, s := range r.Steps {
		if s.Name == name {
			return s
		}
	}
	t.Fatalf("there is no step %q", name)
	return StepResult{}
}

// session is one call of verify in a project, with a state folder of its own.
func session(t testing.TB, root string) Session {
	t.Helper()
	key, err := tamper.Locate(t.Context(), root)
	require.NoError(t, err)
	return Session{Root: root, Policy: readPolicy(t, root), Environ: testEnviron(), Store: tamper.StoreAt(t.TempDir()), Key: key,
		Version: "v1.2.3", Now: clock, Options: quick()}
}

// clock is a clock that stands.
func clock() time.Time { return time.Date(2026, 11, 30, 10, 0, 0, 0, time.UTC) }

// gone says whether a process has ended.
func gone(t testing.TB, pid string) bool {
	t.Helper()
	n, err := strconv.Atoi(strings.TrimSpace(pid))
	require.NoError(t, err)
	return syscall.Kill(n, 0) == syscall.ESRCH
}

func content(t testing.TB, path ...string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(path...))
	require.NoError(t, err)
	return string(text)
}

// requireResult holds a result against the schema.
func requireResult(t testing.TB, r Result) {
	t.Helper()
	schema, err := jsonschema.NewCompiler().Compile("../schema/verify-result.json")
	require.NoError(t, err)
	text, err := json.Marshal(r)
	require.NoError(t, err)
	value, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	require.NoError(t, err)
	require.NoError(t, schema.Validate(value), string(text))
}
