package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/evidence-gate/evidence-gate/internal/githubtest"
)

const (
	patience = 30 * time.Second // bounds every wait
	// afterRestart is what "within seconds" means here; the queue's own rescue takes 19 and more.
	afterRestart = 10 * time.Second
)

// process is evidence-gate serve as a process of its own.
type process struct {
	t        *testing.T
	command  *exec.Cmd
	webhooks string
	admin    string
	logs     io.Closer // our end of the pipe that it logs to
	ended    chan struct{}

	mu  sync.Mutex
	log bytes.Buffer
}

func startProcess(t *testing.T, gh *githubtest.Server, folder string) *process {
	t.Helper()
	key, secret := filepath.Join(folder, "app.pem"), filepath.Join(folder, "webhook.secret")
	require.NoError(t, os.WriteFile(key, gh.App().PrivateKeyPEM(), 0o600))
	require.NoError(t, os.WriteFile(secret, []byte(gh.App().WebhookSecret+"\n"), 0o600))
	p := &process{t: t, ended: make(chan struct{})}
	p.command = exec.Command(os.Args[0], "serve", "--app-id", strconv.FormatInt(gh.App().ID, 10),
		"--private-key-file", key, "--webhook-secret-file", secret, "--github-url", gh.URL(), "--enrol", "all",
		"--listen", "127.0.0.1:0", "--admin-listen", "127.0.0.1:0", "--database-url", "sqlite:"+filepath.Join(folder, "gate.db"))
	p.command.Env = append(os.Environ(), runAsProgram+"=1")
	logs, err := p.command.StderrPipe()
	require.NoError(t, err)
	p.logs = logs
	require.NoError(t, p.command.Start())
	t.Cleanup(func() {
		_ = p.command.Process.Kill()
		<-p.ended
		if t.Failed() {
			t.Log(p.logged())
		}
	})
	serving := make(chan struct{})
	go p.read(logs, serving)
	select {
	case <-serving:
	case <-p.ended:
		t.Fatalf("the service ended at once: %s", p.logged())
	case <-time.After(patience):
		t.Fatal("the service did not start")
	}
	return p
}

// read follows the log, waits for the line that names the ports, and reaps the process.
func (p *process) read(logs io.Reader, serving chan<- struct{}) {
	defer close(p.ended)
	for lines := bufio.NewScanner(logs); lines.Scan(); {
		p.mu.Lock()
		p.log.WriteString(lines.Text() + "\n")
		p.mu.Unlock()
		var line struct{ Msg, Webhooks, Admin string }
		if json.Unmarshal(lines.Bytes(), &line) == nil && line.Msg == "serving" {
			p.webhooks, p.admin = line.Webhooks, line.Admin
			close(serving)
		}
	}
	_ = p.command.Wait()
}

func (p *process) logged() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.log.String()
}

// end sends a signal and gives the exit code; -1 when the signal itself ended the process.
func (p *process) end(signal os.Signal) int {
	p.t.Helper()
	require.NoError(p.t, p.command.Process.Signal(signal))
	select {
	case <-p.ended:
	case <-time.After(patience):
		p.t.Fatal("the process did not end")
	}
	return p.command.ProcessState.ExitCode()
}

func (p *process) metrics() string {
	response, err := http.Get(p.admin + "/metrics")
	if err != nil {
		return ""
	}
	defer response.Body.Close()
	text, _ := io.ReadAll(response.Body)
	return string(text)
}

const task = "## Required Checks\n\n- [RC-1] `npm test`\n"

// place is a repository with a pull request that is about to be opened.
func place(gh *githubtest.Server) (*githubtest.Repository, githubtest.PullRequestOptions) {
	repo, _, options := placeWithTask(gh)
	return repo, options
}

func placeWithTask(gh *githubtest.Server) (*githubtest.Repository, *githubtest.Issue, githubtest.PullRequestOptions) {
	repo := gh.World().AddRepository("acme/widgets", githubtest.RepositoryOptions{})
	repo.SetRole("eng", "write")
	repo.SetRole("lead", "maintain")
	issue := repo.AddIssue(githubtest.IssueOptions{Author: "lead", Title: "Dark mode", Body: task})
	return repo, issue, githubtest.PullRequestOptions{Author: "eng", Title: "Add dark mode", Body: "Closes #1"}
}

// TestKill kills the process between the 202 and the publication, at every point that makes a
// difference. Nothing that was answered 202 may be lost, no check run doubled or left in progress.
func TestKill(t *testing.T) {
	t.Parallel()
	create := githubtest.Match{Method: http.MethodPost, Path: "/repos/*/*/check-runs"}
	rows := []struct {
		when    string
		faults  []githubtest.Fault
		reached func(gh *githubtest.Server, repo *githubtest.Repository, head string) bool
	}{
		{"before anything was read", []githubtest.Fault{{Times: -1, Latency: time.Hour}},
			func(*githubtest.Server, *githubtest.Repository, string) bool { return true }},
		{"while the check run was being created", []githubtest.Fault{{Match: create, Times: -1, Latency: time.Hour}},
			func(gh *githubtest.Server, _ *githubtest.Repository, _ string) bool {
				return gh.CountRequests(githubtest.Match{Method: http.MethodGet, Path: "/repos/*/*/commits/*/check-runs"}) > 0
			}},
		{"when the check run was created and the answer got lost", []githubtest.Fault{{Match: create, AfterEffect: true, Drop: true}},
			func(_ *githubtest.Server, repo *githubtest.Repository, head string) bool {
				return len(repo.CheckRuns(head)) > 0
			}},
		{"when the check run was there and its record was not", nil,
			func(_ *githubtest.Server, repo *githubtest.Repository, head string) bool {
				return len(repo.CheckRuns(head)) > 0
			}},
	}
	for _, row := range rows {
		t.Run(row.when, func(t *testing.T) {
			t.Parallel()
			ctx, cancel := context.WithTimeout(t.Context(), 2*patience)
			defer cancel()
			gh, folder := githubtest.NewT(t), t.TempDir()
			repo, options := place(gh)
			first := startProcess(t, gh, folder)
			for _, fault := range row.faults {
				gh.Fail(fault)
			}
			gh.Webhooks().SetTarget(first.webhooks)
			pull := repo.OpenPullRequest(options)
			head := pull.HeadSHA()
			require.NoError(t, gh.WaitFor(ctx, func() bool {
				sent := gh.Webhooks().Deliveries()
				return len(sent) > 0 && len(sent[0].Answers) > 0
			}))
			require.Equal(t, http.StatusAccepted, gh.Webhooks().Deliveries()[0].Answers[0].Status)
			require.NoError(t, gh.WaitFor(ctx, func() bool { return row.reached(gh, repo, head) }))
			require.Equal(t, -1, first.end(syscall.SIGKILL))

			gh.ClearFaults()
			started := time.Now()
			second := startProcess(t, gh, folder)
			require.Eventually(t, func() bool {
				numbers := second.metrics()
				return strings.Contains(numbers, "evidence_gate_deliveries{state=\"open\"} 0\n") &&
					strings.Contains(numbers, "evidence_gate_waiting 0\n")
			}, afterRestart, 20*time.Millisecond, "the work is done within seconds")
			require.Less(t, time.Since(started), afterRestart)

			runs := repo.CheckRuns(head)
			require.Len(t, runs, 1, "exactly one check run")
			require.Equal(t, "completed", runs[0].Status)
			require.Equal(t, "failure", runs[0].Conclusion, "there is no evidence in the body")
			require.Contains(t, second.metrics(), "evidence_gate_dead_letters 0\n")
		})
	}
}

func TestServeFromWebhookToCheckRunAndStop(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	gh := githubtest.NewT(t)
	repo, options := place(gh)
	service := startProcess(t, gh, t.TempDir())
	gh.Webhooks().SetTarget(service.webhooks)
	pull := repo.OpenPullRequest(options)
	require.NoError(t, gh.WaitFor(ctx, func() bool { return len(repo.CheckRuns(pull.HeadSHA())) == 1 }))
	require.Equal(t, "failure", repo.CheckRuns(pull.HeadSHA())[0].Conclusion)

	pull.EditBody("eng", "Closes #1\n\n## Evidence\nCurrent PR head: "+pull.HeadSHA()+
		"\n\n- Required check: [RC-1] `npm test`\n  Verdict: passed\n  Evidence: final run: 128 passing, 0 failing (exit 0)\n")
	require.NoError(t, gh.WaitFor(ctx, func() bool { return repo.CheckRuns(pull.HeadSHA())[0].Conclusion == "success" }))
	require.Len(t, repo.CheckRuns(pull.HeadSHA()), 1, "updated in place")

	require.Zero(t, service.end(syscall.SIGTERM), service.logged())
	require.Contains(t, service.logged(), `"msg":"stopped"`)
	require.NotContains(t, service.logged(), gh.App().WebhookSecret)
	require.NotContains(t, service.logged(), "128 passing", "private text stays out of the log")
}

// TestServeOutlivesTheReaderOfItsLog: without care the system ends a process that writes to a pipe
// which nobody reads any more.
func TestServeOutlivesTheReaderOfItsLog(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	gh := githubtest.NewT(t)
	repo, options := place(gh)
	service := startProcess(t, gh, t.TempDir())
	require.NoError(t, service.logs.Close())
	gh.Webhooks().SetTarget(service.webhooks)
	pull := repo.OpenPullRequest(options)
	require.NoError(t, gh.WaitFor(ctx, func() bool { return len(repo.CheckRuns(pull.HeadSHA())) == 1 }))
	require.Zero(t, service.end(syscall.SIGTERM))
}
