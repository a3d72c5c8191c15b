package main

import (
	"crypto/tls"
	"encoding/pem"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"sync/atomic"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"
)

// program runs the whole program as a process of its own, with an environment of its own.
func (w *world) program(t *testing.T, environment []string, args ...string) outcome {
	t.Helper()
	self, err := os.Executable()
	require.NoError(t, err)
	// The test binary is the program when it is called by the program's name.
	link := filepath.Join(t.TempDir(), "github-preflight")
	require.NoError(t, os.Symlink(self, link))
	command := exec.Command(link, args...)
	command.Dir = w.dir
	command.Env = append([]string{"PATH=" + os.Getenv("PATH"), "HOME=" + t.TempDir(), "GH_TOKEN=ghp_eng"}, environment...)
	var out, errs writer
	command.Stdout, command.Stderr = &out, &errs
	err = command.Run()
	if _, exited := err.(*exec.ExitError); err != nil && !exited {
		require.NoError(t, err)
	}
	return outcome{command.ProcessState.ExitCode(), string(out), string(errs)}
}

type writer []byte

func (w *writer) Write(p []byte) (int, error) {
	*w = append(*w, p...)
	return len(p), nil
}

// TestNetworksInBetween runs against a GitHub that only a proxy reaches and whose certificate only
// a file of the network's own vouches for.
func TestNetworksInBetween(t *testing.T) {
	t.Parallel()
	if runtime.GOOS != "linux" {
		t.Skip("SSL_CERT_FILE is read on Linux and the BSDs only")
	}
	w := newWorld(t)
	w.pr.EditBody("eng", w.evidence(w.pr.HeadSHA()))
	to, err := url.Parse(w.URL())
	require.NoError(t, err)
	secure := httptest.NewUnstartedServer(httputil.NewSingleHostReverseProxy(to))
	secure.TLS = &tls.Config{MinVersion: tls.VersionTLS12}
	secure.Config.ErrorLog = quiet()
	secure.StartTLS()
	t.Cleanup(secure.Close)
	certificates := filepath.Join(t.TempDir(), "network.pem")
	require.NoError(t, os.WriteFile(certificates, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: secure.Certificate().Raw}), 0o600))
	proxy, tunnels := connectProxy(t, secure.Listener.Addr().String())

	address := "GITHUB_API_URL=" + secure.URL
	trusted := "SSL_CERT_FILE=" + certificates
	got := w.program(t, []string{address}, "--json")
	require.Equal(t, exitCouldNotJudge, got.code)
	require.Contains(t, got.stderr, "certificate")
	require.Contains(t, got.stderr, "help: the certificate of "+secure.URL+" is not trusted here: set SSL_CERT_FILE")
	got = w.program(t, []string{address, trusted})
	require.Equal(t, exitSuccess, got.code, got.stderr)
	require.Zero(t, tunnels.Load())

	behind := "GITHUB_API_URL=https://example.com" // what httptest's certificate is for
	got = w.program(t, []string{behind, trusted, "HTTPS_PROXY=" + proxy})
	require.Equal(t, exitSuccess, got.code, got.stderr)
	require.NotZero(t, tunnels.Load())
	got = w.program(t, []string{behind, trusted, "HTTPS_PROXY=http://127.0.0.1:1"})
	require.Equal(t, exitCouldNotJudge, got.code)
	require.Contains(t, got.stderr, "help: the proxy refused the connection: check HTTPS_PROXY and NO_PROXY")
}

func TestColoursNever(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	got := w.program(t, []string{"GITHUB_API_URL=" + w.URL(), "NO_COLOR=1"}, "--wait", "1s")
	require.Equal(t, exitFailure, got.code, got.stderr)
	require.NotContains(t, got.stdout+got.stderr, "\x1b")
}

func TestAReaderThatGoesAway(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("sh"); err != nil {
		t.Skip("needs a shell")
	}
	w := newWorld(t)
	self, err := os.Executable()
	require.NoError(t, err)
	link := filepath.Join(t.TempDir(), "github-preflight")
	require.NoError(t, os.Symlink(self, link))
	for _, script := range []string{`"$0" snapshot | true`, `trap "" PIPE; { "$0" snapshot; echo "code $?"  >&2; } | true`, `"$0" brief | head -n 1`} {
		command := exec.Command("sh", "-c", script, link)
		command.Dir = w.dir
		command.Env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + t.TempDir(), "GH_TOKEN=ghp_eng", "GITHUB_API_URL=" + w.URL()}
		out, err := command.CombinedOutput()
		require.NoError(t, err, "%s: %s", script, out)
		require.NotContains(t, string(out), "panic")
		require.NotContains(t, string(out), "broken pipe")
	}
}

// A closed pipe ends the program by the signal that ends others, without a word.
func TestAClosedPipe(t *testing.T) {
	t.Parallel()
	if runtime.GOOS != "linux" {
		t.Skip("signals are asked for as Linux has them")
	}
	self, err := os.Executable()
	require.NoError(t, err)
	link := filepath.Join(t.TempDir(), "github-preflight")
	require.NoError(t, os.Symlink(self, link))
	for _, args := range [][]string{{"--version"}, {"--help"}, {"completion", "bash"}, {"explain"}} {
		reader, out, err := os.Pipe()
		require.NoError(t, err)
		require.NoError(t, reader.Close())
		var errs writer
		command := exec.Command(link, args...)
		command.Env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + t.TempDir()}
		command.Stdout, command.Stderr = out, &errs
		require.Error(t, command.Run())
		require.NoError(t, out.Close())
		status, is := command.ProcessState.Sys().(syscall.WaitStatus)
		require.True(t, is && status.Signaled(), args)
		require.Equal(t, syscall.SIGPIPE, status.Signal(), args)
		require.Empty(t, string(errs), args)
	}
}

// connectProxy is a proxy that leads every tunnel to one address, and the number of its tunnels.
func connectProxy(t *testing.T, to string) (string, *atomic.Int32) {
	t.Helper()
	var tunnels atomic.Int32
	server := httptest.NewServer(http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodConnect || r.Host != "example.com:443" {
			http.Error(rw, "tunnels to example.com only", http.StatusForbidden)
			return
		}
		there, err := net.Dial("tcp", to)
		if err != nil {
			http.Error(rw, err.Error(), http.StatusBadGateway)
			return
		}
		tunnels.Add(1)
		rw.WriteHeader(http.StatusOK)
		here, buffered, err := http.NewResponseController(rw).Hijack()
		if err != nil {
			there.Close()
			return
		}
		go func() {
			_, _ = io.Copy(there, buffered)
			there.Close()
		}()
		_, _ = io.Copy(here, there)
		here.Close()
	}))
	t.Cleanup(server.Close)
	return server.URL, &tunnels
}
