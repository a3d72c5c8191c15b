package githubtest

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// receiver keeps the webhooks that it gets.
type receiver struct {
	*httptest.Server
	mu     sync.Mutex
	got    []received
	status int
}

type received struct {
	header http.Header
	body   []byte
}

func (r received) payload(t *testing.T) map[string]any {
	t.Helper()
	var payload map[string]any
	require.NoError(t, json.Unmarshal(r.body, &payload))
	return payload
}

func (r received) name(t *testing.T) string {
	t.Helper()
	action, _ := r.payload(t)["action"].(string)
	return r.header.Get("X-GitHub-Event") + "." + action
}

func newReceiver(t *testing.T) *receiver {
	t.Helper()
	r := &receiver{status: http.StatusAccepted}
	r.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, request *http.Request) {
		body, _ := io.ReadAll(request.Body)
		r.mu.Lock()
		defer r.mu.Unlock()
		r.got = append(r.got, received{request.Header.Clone(), body})
		w.WriteHeader(r.status)
		_, _ = io.WriteString(w, "thanks")
	}))
	t.Cleanup(r.Close)
	return r
}

func (r *receiver) all() []received {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.Clone(r.got)
}

func (f *fixture) flush() {
	f.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
	defer cancel()
	require.NoError(f, f.server.Webhooks().Flush(ctx))
}

// names of what was received, flushing before.
func (f *fixture) received(r *receiver) []string {
	f.Helper()
	f.flush()
	var names []string
	for _, got := range r.all() {
		names = append(names, got.name(f.T))
	}
	return names
}

func hooked(t *testing.T) (*fixture, *receiver) {
	t.Helper()
	f, target := newFixture(t), newReceiver(t)
	f.server.Webhooks().SetTarget(target.URL)
	return f, target
}

// https://docs.github.com/en/webhooks/webhook-events-and-payloads#delivery-headers
func TestDelivery(t *testing.T) {
	t.Parallel()
	f, target := hooked(t)
	pr := f.repo.OpenPullRequest(PullRequestOptions{Author: "eng", Title: "Dark mode"})
	f.flush()
	got := target.all()
	require.Len(t, got, 1)
	header := got[0].header
	require.Equal(t, "pull_request", header.Get("X-GitHub-Event"))
	require.Equal(t, "application/json", header.Get("Content-Type"))
	require.True(t, strings.HasPrefix(header.Get("User-Agent"), "GitHub-Hookshot/"))
	require.Regexp(t, `^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$`, header.Get("X-GitHub-Delivery"))
	require.NotEmpty(t, header.Get("X-GitHub-Hook-ID"))
	require.Equal(t, "integration", header.Get("X-GitHub-Hook-Installation-Target-Type"))
	require.Equal(t, "1234567", header.Get("X-GitHub-Hook-Installation-Target-ID"))
	require.Equal(t, "sha256="+expectedMAC(f.server.App().WebhookSecret, got[0].body), header.Get("X-Hub-Signature-256"))

	payload := got[0].payload(t)
	require.Equal(t, "opened", payload["action"])
	require.EqualValues(t, pr.Number(), payload["number"])
	require.Equal(t, pr.HeadSHA(), payload["pull_request"].(map[string]any)["head"].(map[string]any)["sha"])
	require.Equal(t, "acme/widgets", payload["repository"].(map[string]any)["full_name"])
	require.EqualValues(t, f.server.World().Installation("acme").ID(), payload["installation"].(map[string]any)["id"])
	require.Equal(t, "eng", payload["sender"].(map[string]any)["login"])

	sent := f.server.Webhooks().Deliveries()
	require.Len(t, sent, 1)
	require.Equal(t, "thanks", sent[0].Answers[0].Body)
	require.Equal(t, http.StatusAccepted, sent[0].Answers[0].Status)
}

func expectedMAC(secret string, body []byte) string {
	m := hmac.New(sha256.New, []byte(secret))
	m.Write(body)
	return hex.EncodeToString(m.Sum(nil))
}

// https://docs.github.com/en/webhooks/using-webhooks/validating-webhook-deliveries, its example values
func TestSignatureOfTheDocumentation(t *testing.T) {
	t.Parallel()
	h := &Webhooks{app: App{WebhookSecret: "It's a Secret to Everybody"}}
	header := http.Header{}
	h.sign(header, []byte("Hello, World!"), Signed)
	require.Equal(t, "sha256=757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17", header.Get("X-Hub-Signature-256"))
}

func TestSignatures(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		how           Signature
		old, new, fit bool
	}{
		{Signed, true, true, true},
		{Unsigned, false, false, false},
		{SHA1Only, true, false, false},
		{WrongSecret, true, true, false},
		{WrongPayload, true, true, false},
	} {
		f, target := hooked(t)
		f.server.Webhooks().SetSignature(test.how)
		_, err := f.server.Webhooks().Send(context.Background(), "pull_request", map[string]any{"action": "opened"})
		require.NoError(t, err)
		got := target.all()[0]
		require.Equal(t, test.old, got.header.Get("X-Hub-Signature") != "")
		require.Equal(t, test.new, got.header.Get("X-Hub-Signature-256") != "")
		right := "sha256=" + expectedMAC(f.server.App().WebhookSecret, got.body)
		require.Equal(t, test.fit, right == got.header.Get("X-Hub-Signature-256"))
	}
}

func TestFormEncoding(t *testing.T) {
	t.Parallel()
	f, target := hooked(t)
	f.server.Webhooks().SetForm(true)
	f.repo.AddIssue(IssueOptions{Body: "a & b = c"})
	f.flush()
	got := target.all()[0]
	require.Equal(t, "application/x-www-form-urlencoded", got.header.Get("Content-Type"))
	require.Equal(t, "sha256="+expectedMAC(f.server.App().WebhookSecret, got.body), got.header.Get("X-Hub-Signature-256"), "the form is what is signed")
	form, err := url.ParseQuery(string(got.body))
	require.NoError(t, err)
	require.JSONEq(t, string(f.server.Webhooks().Deliveries()[0].Payload), form.Get("payload"))
}

func TestRawAndPing(t *testing.T) {
	t.Parallel()
	f, target := hooked(t)
	ctx := context.Background()
	_, err := f.server.Webhooks().Send(ctx, "issues", []byte(`{"action": "op`))
	require.NoError(t, err)
	require.Equal(t, `{"action": "op`, string(target.all()[0].body))
	ping, err := f.server.Webhooks().Ping(ctx)
	require.NoError(t, err)
	require.Equal(t, http.StatusAccepted, ping.Answers[0].Status)
	require.Equal(t, "ping", target.all()[1].header.Get("X-GitHub-Event"))
	require.Contains(t, string(target.all()[1].body), `"zen"`)
}

func TestChangesOfPullRequests(t *testing.T) {
	t.Parallel()
	f, target := hooked(t)
	pr := f.repo.OpenPullRequest(PullRequestOptions{Author: "eng", Body: "one", Branch: "dark"})
	f.repo.OpenPullRequest(PullRequestOptions{Author: "eng", Branch: "dark", Base: "release"})
	before := pr.HeadSHA()
	pr.EditBody("bob", "two")
	pr.EditBody("bob", "two")
	after := pr.Push("eng", Commit{})
	require.Equal(t, []string{"pull_request.opened", "pull_request.opened", "pull_request.edited", "pull_request.synchronize", "pull_request.synchronize"},
		f.received(target), "a push reaches every pull request of the branch; the same text is no edit")
	edited := target.all()[2].payload(t)
	require.Equal(t, map[string]any{"body": map[string]any{"from": "one"}}, edited["changes"])
	require.Equal(t, "two", edited["pull_request"].(map[string]any)["body"])
	require.Equal(t, "bob", edited["sender"].(map[string]any)["login"])
	synchronize := target.all()[3].payload(t)
	require.Equal(t, before, synchronize["before"])
	require.Equal(t, after, synchronize["after"])
	require.Equal(t, after, synchronize["pull_request"].(map[string]any)["head"].(map[string]any)["sha"])
}

func TestCheckRunEvents(t *testing.T) {
	t.Parallel()
	f, target := hooked(t)
	pr := f.repo.OpenPullRequest(PullRequestOptions{Author: "eng"})
	created := f.do("POST", "/repos/acme/widgets/check-runs", map[string]any{"name": "Evidence", "head_sha": pr.HeadSHA(), "status": "in_progress"})
	id := int64(created.at("id").(float64))
	path := fmt.Sprintf("/repos/acme/widgets/check-runs/%d", id)
	require.Equal(t, 200, f.do("PATCH", path, map[string]any{"external_id": "d1"}).status)
	require.Equal(t, 200, f.do("PATCH", path, map[string]any{"conclusion": "success"}).status)
	f.repo.AddCheckRun(CheckRunOptions{SHA: pr.HeadSHA(), Name: "npm test"})
	foreign := f.repo.AddCheckRun(CheckRunOptions{SHA: pr.HeadSHA(), Name: "lint", App: "linter", Status: "queued"})
	f.repo.Rerequest("lead", id)
	f.repo.RequestAction("lead", id, "evaluate")
	f.repo.Rerequest("lead", foreign)
	f.repo.SetCheckRun(foreign, "completed", "success")
	require.Equal(t, []string{
		"pull_request.opened", "check_run.created", "check_run.completed", "check_run.created", "check_run.completed", "check_run.created",
		"check_run.rerequested", "check_run.requested_action", "check_run.completed",
	}, f.received(target), "a re-run goes only to the app that made the run")
	own := target.all()[1].payload(t)
	require.Equal(t, f.server.App().Slug+"[bot]", own["sender"].(map[string]any)["login"])
	require.EqualValues(t, f.server.App().ID, own["check_run"].(map[string]any)["app"].(map[string]any)["id"])
	button := target.all()[7].payload(t)
	require.Equal(t, map[string]any{"identifier": "evaluate"}, button["requested_action"])
	require.Equal(t, "lead", button["sender"].(map[string]any)["login"])
}

func TestWhoGetsNoWebhooks(t *testing.T) {
	t.Parallel()
	f, target := hooked(t)
	w := f.server.World()
	other := w.AddRepository("other/widgets", RepositoryOptions{NotInstalled: true})
	other.AddIssue(IssueOptions{})
	w.Installation("acme").Suspend()
	f.repo.AddIssue(IssueOptions{})
	w.Installation("acme").Unsuspend()
	w.Installation("acme").Uninstall()
	f.repo.AddIssue(IssueOptions{})
	require.Equal(t, []string{"installation.suspend", "installation.unsuspend", "installation.deleted"}, f.received(target))
}

func TestHoldReorderDuplicate(t *testing.T) {
	t.Parallel()
	f, target := hooked(t)
	hooks := f.server.Webhooks()
	hooks.Hold()
	pr := f.repo.OpenPullRequest(PullRequestOptions{Author: "eng"})
	pr.EditBody("eng", "two")
	hooks.Duplicate(2)
	pr.Close("eng")
	require.Empty(t, target.all())
	require.Len(t, hooks.Pending(), 4)
	hooks.Reorder(func(list []Delivery) []Delivery {
		slices.Reverse(list)
		return list[:3] // GitHub lost the first one
	})
	hooks.Release()
	require.Equal(t, []string{"pull_request.closed", "pull_request.closed", "pull_request.edited"}, f.received(target))
	got := target.all()
	require.Equal(t, got[0].header.Get("X-GitHub-Delivery"), got[1].header.Get("X-GitHub-Delivery"), "a duplicate keeps its GUID")
	require.NotEqual(t, got[0].header.Get("X-GitHub-Delivery"), got[2].header.Get("X-GitHub-Delivery"))
}

func TestFlushKeepsHolding(t *testing.T) {
	t.Parallel()
	f, target := hooked(t)
	f.server.Webhooks().Hold()
	f.repo.AddIssue(IssueOptions{})
	require.Equal(t, []string{"issues.opened"}, f.received(target))
	f.repo.AddIssue(IssueOptions{})
	require.Len(t, f.server.Webhooks().Pending(), 1)
}

func TestRedeliver(t *testing.T) {
	t.Parallel()
	f, target := hooked(t)
	target.status = http.StatusServiceUnavailable
	f.repo.AddIssue(IssueOptions{})
	f.flush()
	failed := f.server.Webhooks().Deliveries()[0]
	require.Equal(t, http.StatusServiceUnavailable, failed.Answers[0].Status)
	target.mu.Lock()
	target.status = http.StatusAccepted
	target.mu.Unlock()
	require.Len(t, target.all(), 1, "GitHub does not send again by itself")
	answer, err := f.server.Webhooks().Redeliver(context.Background(), failed.GUID)
	require.NoError(t, err)
	require.Equal(t, http.StatusAccepted, answer.Status)
	got := target.all()
	require.Equal(t, got[0].header.Get("X-GitHub-Delivery"), got[1].header.Get("X-GitHub-Delivery"))
	require.Equal(t, got[0].body, got[1].body)
	_, err = f.server.Webhooks().Redeliver(context.Background(), "unknown")
	require.Error(t, err)
}

func TestTargetDown(t *testing.T) {
	t.Parallel()
	f, target := hooked(t)
	target.Close()
	f.repo.AddIssue(IssueOptions{})
	f.flush()
	answers := f.server.Webhooks().Deliveries()[0].Answers
	require.Error(t, answers[0].Err)
	require.Zero(t, answers[0].Status)
}

func TestSendingFollowsNoRedirect(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	target := httptest.NewServer(http.RedirectHandler("http://127.0.0.1:1/", http.StatusFound))
	t.Cleanup(target.Close)
	f.server.Webhooks().SetTarget(target.URL)
	sent, err := f.server.Webhooks().Send(context.Background(), "ping", object{})
	require.NoError(t, err)
	require.Equal(t, http.StatusFound, sent.Answers[0].Status)
}
