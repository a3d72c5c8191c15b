package app

import (
	"bytes"
	"cmp"
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/evidence-gate/evidence-gate/app/command"
	"github.com/evidence-gate/evidence-gate/app/config"
	"github.com/evidence-gate/evidence-gate/app/event"
	"github.com/evidence-gate/evidence-gate/app/publish"
	"github.com/evidence-gate/evidence-gate/app/worker"
	"github.com/evidence-gate/evidence-gate/internal/github"
	"github.com/evidence-gate/evidence-gate/internal/published"
	"github.com/evidence-gate/evidence-gate/profile/policy"
	"github.com/evidence-gate/evidence-gate/report"
	"github.com/evidence-gate/evidence-gate/snapshot"
)

const (
	secret  = "a webhook secret"
	patient = 20 * time.Second // bounds every wait of a test
	headA   = "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
	headB   = "bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb"
)

var widgets = github.Repo{Owner: "acme", Name: "widgets"}

// fakeGitHub answers the worker from memory. Hooks let a test stand in the way.
type fakeGitHub struct {
	command.GitHub // nil: there are no comments here

	mu        sync.Mutex
	changed   chan struct{} // closed and replaced whenever something was called
	state     string
	head      string
	heads     map[int]string // of single pull requests, where it is not head
	linked    []snapshot.Linked
	closing   map[int][]int
	byHead    map[string][]int
	failures  map[string][]error // by call; the last one stays when sticky
	sticky    bool
	onLoad    func(ctx context.Context) error
	calls     map[string]int
	published []publication
	asked     []int64 // installation ids

	open         []github.OpenPullRequest
	repositories []github.InstalledRepository
	suspended    bool
	title        string // "pending" has the verdict wait
}

type publication struct {
	publish.Target
	Report report.Report
}

func newFakeGitHub() *fakeGitHub {
	return &fakeGitHub{
		changed: make(chan struct{}), state: "open", head: headA,
		closing: map[int][]int{}, byHead: map[string][]int{}, failures: map[string][]error{}, calls: map[string]int{},
	}
}

// call counts, and fails when the test said so.
func (f *fakeGitHub) call(name string) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.calls[name]++
	close(f.changed)
	f.changed = make(chan struct{})
	failures := f.failures[name]
	if len(failures) == 0 {
		return nil
	}
	if !f.sticky || len(failures) > 1 {
		f.failures[name] = failures[1:]
	}
	return failures[0]
}

func (f *fakeGitHub) Installation(_ context.Context, id int64, _ github.Repo) (worker.Installation, error) {
	f.mu.Lock()
	f.asked = append(f.asked, id)
	f.mu.Unlock()
	return f, nil
}

func (f *fakeGitHub) Snapshot(ctx context.Context, repo github.Repo, number int) (snapshot.Snapshot, error) {
	if err := f.call("snapshot"); err != nil {
		return snapshot.Snapshot{}, err
	}
	if f.onLoad != nil {
		if err := f.onLoad(ctx); err != nil {
			return snapshot.Snapshot{}, err
		}
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	return snapshot.Snapshot{
		Schema: snapshot.Schema, Repository: snapshot.Repository{Owner: repo.Owner, Name: repo.Name},
		PullRequest: snapshot.PullRequest{Number: number, State: f.state, Title: f.title, HeadSHA: cmp.Or(f.heads[number], f.head)}, Linked: f.linked,
	}, nil
}

func (f *fakeGitHub) PullRequestsClosing(_ context.Context, _ github.Repo, issue int) ([]int, error) {
	err := f.call("closing")
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.closing[issue], err
}

func (f *fakeGitHub) PullRequestsByHead(_ context.Context, _ github.Repo, sha string) ([]int, error) {
	err := f.call("by_head")
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.byHead[sha], err
}

func (f *fakeGitHub) Open(context.Context, github.Repo) ([]github.OpenPullRequest, error) {
	err := f.call("open")
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.open, err
}

func (f *fakeGitHub) Refresh() { _ = f.call("refresh") }

func (f *fakeGitHub) InstallationFor(context.Context, github.Repo) (int64, error) {
	return 9, f.call("installation_for")
}

func (f *fakeGitHub) InstallationByID(_ context.Context, id int64) (github.Installation, error) {
	err := f.call("installation_by_id")
	f.mu.Lock()
	defer f.mu.Unlock()
	return github.Installation{ID: id, Suspended: f.suspended}, err
}

func (f *fakeGitHub) Repositories(context.Context, int64) ([]github.InstalledRepository, error) {
	err := f.call("repositories")
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.repositories, err
}

func (f *fakeGitHub) Published(context.Context, github.Repo, string, string) ([]published.State, error) {
	return nil, nil
}

func (f *fakeGitHub) RequestReviews(context.Context, github.Repo, int, []string, []string) error {
	return f.call("request_reviews")
}

func (f *fakeGitHub) MaintainersOf(context.Context, github.Repo, policy.Roles) ([]string, error) {
	return nil, f.call("maintainers")
}

func (f *fakeGitHub) Publish(_ context.Context, target publish.Target, r report.Report) (publish.Outcome, error) {
	if err := f.call("publish"); err != nil {
		return publish.Outcome{}, err
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	f.published = append(f.published, publication{target, r})
	return publish.Outcome{Did: publish.Created, Run: publish.Published{ID: 1, HeadSHA: target.HeadSHA, ExternalID: string(r.Conclusion)}}, nil
}

func (f *fakeGitHub) count(name string) int {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.calls[name]
}

func (f *fakeGitHub) publications() []publication {
	f.mu.Lock()
	defer f.mu.Unlock()
	return slices.Clone(f.published)
}

func (f *fakeGitHub) fail(name string, failures ...error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.failures[name] = failures
}

func (f *fakeGitHub) set(do func()) {
	f.mu.Lock()
	defer f.mu.Unlock()
	do()
}

// running is a service under test.
type running struct {
	*Service
	t       *testing.T
	github  *fakeGitHub
	path    string
	log     *syncBuffer
	stop    context.CancelFunc
	stopped chan error
	guids   int
}

type syncBuffer struct {
	mu  sync.Mutex
	buf bytes.Buffer
}

func (b *syncBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.buf.Write(p)
}

func (b *syncBuffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.buf.String()
}

// verdict is a stand-in for the engine: the rules of evidence are not under test here.
func verdict(s snapshot.Snapshot, stage report.Stage) report.Report {
	conclusion := report.Success
	var found []report.Diagnostic
	if s.PullRequest.Title == "pending" {
		conclusion, found = report.Pending, []report.Diagnostic{report.New(report.CodeCheckPending, "it runs")}
	}
	return report.Report{
		Schema: report.Schema, Conclusion: conclusion, Diagnostics: found, Stage: stage, HeadSHA: s.PullRequest.HeadSHA,
		Title: fmt.Sprintf("Judged #%d", s.PullRequest.Number),
	}
}

func start(t *testing.T) *running {
	t.Helper()
	return startAt(t, newDatabase(t), newFakeGitHub())
}

func startAt(t *testing.T, path string, fake *fakeGitHub) *running {
	t.Helper()
	log := &syncBuffer{}
	service, err := New(config.Config{
		Listen: "127.0.0.1:0", AdminListen: "127.0.0.1:0", DatabasePath: path, WebhookSecrets: []string{secret},
		Enrol: config.EnrolAll,
	}, Deps{
		GitHub: fake, Evaluate: verdict, Self: func() event.Self { return event.Self{AppID: 77} },
		Log: slog.New(slog.NewJSONHandler(log, nil)), firstBackoff: 10 * time.Millisecond, grace: 2 * time.Second,
		overdueEvery: 50 * time.Millisecond,
	})
	require.NoError(t, err)
	ctx, stop := context.WithCancel(context.Background())
	r := &running{Service: service, t: t, github: fake, path: path, log: log, stop: stop, stopped: make(chan error, 1)}
	go func() { r.stopped <- service.Run(ctx) }()
	t.Cleanup(func() {
		stop()
		if t.Failed() {
			t.Log(log.String())
		}
		r.end()
	})
	return r
}

// end stops the service and waits for it; a second call does nothing.
func (r *running) end() {
	r.t.Helper()
	r.stop()
	select {
	case err, open := <-r.stopped:
		if open {
			require.NoError(r.t, err)
			close(r.stopped)
		}
	case <-time.After(30 * time.Second):
		r.t.Fatal("the service did not stop within 30 seconds")
	}
}

// deliver sends a signed delivery and gives the answer.
func (r *running) deliver(guid, name, payload string) (status int, answer string) {
	r.t.Helper()
	request, err := http.NewRequestWithContext(r.t.Context(), http.MethodPost, r.WebhookURL(), strings.NewReader(payload))
	require.NoError(r.t, err)
	mac := hmac.New(sha256.New, []byte(secret))
	mac.Write([]byte(payload))
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("X-GitHub-Event", name)
	request.Header.Set("X-GitHub-Delivery", guid)
	request.Header.Set("X-Hub-Signature-256", "sha256="+hex.EncodeToString(mac.Sum(nil)))
	return r.do(request)
}

func (r *running) do(request *http.Request) (status int, answer string) {
	r.t.Helper()
	response, err := http.DefaultClient.Do(request)
	require.NoError(r.t, err)
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	require.NoError(r.t, err)
	return response.StatusCode, string(body)
}

// accept delivers under a fresh id, expects 202 and gives the id.
func (r *running) accept(name, payload string) (guid string) {
	r.t.Helper()
	r.guids++
	guid = fmt.Sprintf("delivery-%d", r.guids)
	status, answer := r.deliver(guid, name, payload)
	require.Equal(r.t, http.StatusAccepted, status, answer)
	return guid
}

func (r *running) get(path string) (status int, body string) {
	r.t.Helper()
	request, err := http.NewRequestWithContext(r.t.Context(), http.MethodGet, r.AdminURL()+path, nil)
	require.NoError(r.t, err)
	return r.do(request)
}

// until waits until the condition holds; it looks again often, since the database sends no signals.
func (r *running) until(what string, condition func() bool) {
	r.t.Helper()
	require.Eventually(r.t, condition, patient, 5*time.Millisecond, what)
}

func (r *running) deliveryIs(guid, state string) {
	r.t.Helper()
	r.until("delivery "+guid+" is "+state, func() bool {
		got, err := r.store.DeliveryState(r.t.Context(), guid)
		require.NoError(r.t, err)
		return got == state
	})
}

func (r *running) metric(line string) bool {
	r.t.Helper()
	_, body := r.get("/metrics")
	return slices.Contains(strings.Split(body, "\n"), line)
}

const from = `"repository":{"id":5,"full_name":"acme/widgets"},"installation":{"id":9},"sender":{"login":"eng","type":"User"}`

func pullRequest(action string, number int, head string) string {
	return fmt.Sprintf(`{"action":%q,"number":%d,"pull_request":{"head":{"sha":%q}},%s}`, action, number, head, from)
}

func issue(action string, number int) string {
	return fmt.Sprintf(`{"action":%q,"issue":{"number":%d},%s}`, action, number, from)
}

func checkRun(action string, app int, head string) string {
	return fmt.Sprintf(`{"action":%q,"check_run":{"head_sha":%q,"app":{"id":%d}},%s}`, action, head, app, from)
}
