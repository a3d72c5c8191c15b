package intake

import (
	"bytes"
	"context"
	"crypto/hmac"
	"crypto/sha1"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/evidence-gate/evidence-gate/app/event"
	"github.com/evidence-gate/evidence-gate/app/metrics"
	"github.com/evidence-gate/evidence-gate/app/store"
)

const (
	secret = "It's a Secret to Everybody"
	sha    = "a1b2c3d4e5f6a7b8c9d0e1f2a3b4c5d6e7f8a9b0"
	guid   = "72d3162e-cc78-11e3-81ab-4c9367dc0958"
	opened = `{"action":"opened","number":42,"pull_request":{"head":{"sha":"` + sha + `"}},` +
		`"repository":{"id":5,"full_name":"acme/widgets"},"installation":{"id":9},"sender":{"login":"eng","type":"User"}}`
)

// recorder is a store that notes what it was given.
type recorder struct {
	mu      sync.Mutex
	got     []store.Delivery
	receipt store.Receipt
	err     error
}

func (r *recorder) Accept(_ context.Context, d store.Delivery) (store.Receipt, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.got = append(r.got, d)
	return r.receipt, r.err
}

func serve(t *testing.T, s Store, secrets ...string) (url string, log *bytes.Buffer) {
	t.Helper()
	log = &bytes.Buffer{}
	handler, err := New(Config{
		Secrets: secrets, Store: s, Metrics: metrics.New(), Log: slog.New(slog.NewJSONHandler(log, nil)), Now: time.Now,
		Self: func() event.Self { return event.Self{AppID: 77} },
	})
	require.NoError(t, err)
	server := httptest.NewServer(handler)
	t.Cleanup(server.Close)
	return server.URL, log
}

func sign(key, body string) string {
	mac := hmac.New(sha256.New, []byte(key))
	mac.Write([]byte(body))
	return "sha256=" + hex.EncodeToString(mac.Sum(nil))
}

func sign1(key, body string) string {
	mac := hmac.New(sha1.New, []byte(key))
	mac.Write([]byte(body))
	return "sha1=" + hex.EncodeToString(mac.Sum(nil))
}

// sending is one request; the zero value of a member means a proper one.
type sending struct {
	method string
	body   string
	header map[string]string // "-" leaves one out
}

func send(t *testing.T, url string, s sending) (status int, answer string) {
	t.Helper()
	if s.method == "" {
		s.method = http.MethodPost
	}
	request, err := http.NewRequestWithContext(t.Context(), s.method, url, strings.NewReader(s.body))
	require.NoError(t, err)
	header := map[string]string{
		"Content-Type": "application/json", "X-GitHub-Event": "pull_request", "X-GitHub-Delivery": guid,
		"X-Hub-Signature-256": sign(secret, s.body), "X-Hub-Signature": sign1(secret, s.body),
	}
	for name, value := range s.header {
		header[name] = value
	}
	for name, value := range header {
		if value != "-" {
			request.Header.Set(name, value)
		}
	}
	response, err := http.DefaultClient.Do(request)
	require.NoError(t, err)
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	require.NoError(t, err)
	return response.StatusCode, string(text)
}

func TestIntake(t *testing.T) {
	t.Parallel()
	form := url.Values{"payload": {opened}}.Encode()
	asForm := map[string]string{"Content-Type": "application/x-www-form-urlencoded"}
	rows := []struct {
		rule   string
		with   sending
		status int
		says   string
		stored bool
	}{
		{"a signed delivery", sending{body: opened}, 202, "accepted", true},
		{"JSON with a charset", sending{body: opened, header: map[string]string{"Content-Type": "application/json; charset=utf-8"}}, 202, "accepted", true},
		{"a form", sending{body: form, header: asForm}, 202, "accepted", true},
		{"signed with the new secret during a change", sending{body: opened, header: map[string]string{"X-Hub-Signature-256": sign("new secret", opened)}}, 202, "accepted", true},
		{"an event that is not used", sending{body: `{"forkee":{}}`, header: map[string]string{"X-GitHub-Event": "fork"}}, 202, "event is not used", false},
		{"an event nobody knows", sending{body: `{}`, header: map[string]string{"X-GitHub-Event": "tomorrow"}}, 202, "event is not used", false},
		{"an action that changes nothing", sending{body: strings.Replace(opened, "opened", "assigned", 1)}, 202, "does not change a verdict", false},
		{"a ping", sending{body: `{"zen":"z"}`, header: map[string]string{"X-GitHub-Event": "ping"}}, 202, "ping", false},

		{"no signature", sending{body: opened, header: map[string]string{"X-Hub-Signature-256": "-", "X-Hub-Signature": "-"}}, 401, "no signature", false},
		{"a SHA-1 signature only", sending{body: opened, header: map[string]string{"X-Hub-Signature-256": "-"}}, 401, "only a SHA-1 signature", false},
		{"a signature with another secret", sending{body: opened, header: map[string]string{"X-Hub-Signature-256": sign("other", opened)}}, 401, "signature is wrong", false},
		{"a signature with an empty secret", sending{body: opened, header: map[string]string{"X-Hub-Signature-256": sign("", opened)}}, 401, "signature is wrong", false},
		{"a signature of another body", sending{body: opened, header: map[string]string{"X-Hub-Signature-256": sign(secret, opened+" ")}}, 401, "signature is wrong", false},
		{"a signature of the form's payload instead of the form", sending{body: form, header: map[string]string{
			"Content-Type": asForm["Content-Type"], "X-Hub-Signature-256": sign(secret, opened)}}, 401, "signature is wrong", false},
		{"a signature without its prefix", sending{body: opened, header: map[string]string{"X-Hub-Signature-256": strings.TrimPrefix(sign(secret, opened), "sha256=")}}, 401, "wrong form", false},
		{"a SHA-1 digest in the new header", sending{body: opened, header: map[string]string{"X-Hub-Signature-256": sign1(secret, opened)}}, 401, "wrong form", false},
		{"a shortened signature", sending{body: opened, header: map[string]string{"X-Hub-Signature-256": sign(secret, opened)[:20]}}, 401, "wrong form", false},

		{"a GET", sending{method: http.MethodGet}, 405, "expected POST", false},
		{"no event", sending{body: opened, header: map[string]string{"X-GitHub-Event": "-"}}, 400, "X-GitHub-Event", false},
		{"no delivery id", sending{body: opened, header: map[string]string{"X-GitHub-Delivery": "-"}}, 400, "X-GitHub-Delivery", false},
		{"a delivery id that is none", sending{body: opened, header: map[string]string{"X-GitHub-Delivery": "a b"}}, 400, "GUID", false},
		{"a very long delivery id", sending{body: opened, header: map[string]string{"X-GitHub-Delivery": strings.Repeat("a", 101)}}, 400, "GUID", false},
		{"truncated JSON", sending{body: opened[:100]}, 400, "cut off", false},
		{"truncated JSON of an event that is not used", sending{body: `{"a":`, header: map[string]string{"X-GitHub-Event": "fork"}}, 400, "cut off", false},
		{"no body", sending{}, 400, "not JSON", false},
		{"a form without a payload", sending{body: "a=b", header: asForm}, 400, "payload", false},
		{"a form with two payloads", sending{body: form + "&" + form, header: asForm}, 400, "payload", false},
		{"a form that is none", sending{body: "%zz", header: asForm}, 400, "payload", false},
		{"another content type", sending{body: opened, header: map[string]string{"Content-Type": "text/plain"}}, 415, "application/json", false},
		{"no content type", sending{body: opened, header: map[string]string{"Content-Type": "-"}}, 415, "application/json", false},
	}
	for _, row := range rows {
		t.Run(row.rule, func(t *testing.T) {
			t.Parallel()
			record := &recorder{receipt: store.Accepted}
			address, log := serve(t, record, secret, "new secret")
			status, answer := send(t, address, row.with)
			require.Equal(t, row.status, status, answer)
			require.Contains(t, answer, row.says)
			require.Equal(t, row.stored, len(record.got) == 1)
			require.NotContains(t, log.String()+answer, secret, "secrets stay out of logs and answers")
		})
	}
}

func TestIntakeRecordsTheHint(t *testing.T) {
	t.Parallel()
	record := &recorder{receipt: store.Accepted}
	address, _ := serve(t, record, secret)
	status, _ := send(t, address, sending{body: opened})
	require.Equal(t, 202, status)
	require.Len(t, record.got, 1)
	d := record.got[0]
	require.WithinDuration(t, time.Now(), d.ReceivedAt, time.Minute)
	change := store.Change{
		Subject: store.Subject{RepositoryID: 5, Kind: store.PullRequest, Name: "42"}, InstallationID: 9,
		Owner: "acme", Repository: "widgets", HeadSHA: sha, At: d.ReceivedAt,
	}
	require.Equal(t, store.Delivery{
		GUID: guid, Event: "pull_request", Action: "opened", InstallationID: 9, RepositoryID: 5,
		ReceivedAt: d.ReceivedAt, Changes: []store.Change{change},
	}, d)
}

func TestTheHeadOfACheckRunIsNotAnnouncedForItsPullRequests(t *testing.T) {
	t.Parallel()
	hint := event.Hint{Event: "check_run", RepositoryID: 5, PullRequests: []int{42}, HeadSHA: sha, Rerun: true}
	changes := delivery(guid, hint, time.Now()).Changes
	require.Len(t, changes, 1)
	require.Equal(t, store.PullRequest, changes[0].Kind)
	require.Empty(t, changes[0].HeadSHA, "the check run may be of an older commit")
	require.True(t, changes[0].Rerun)

	hint.PullRequests = nil
	changes = delivery(guid, hint, time.Now()).Changes
	require.Len(t, changes, 1, "a fork's check run names its head only")
	require.Equal(t, store.Subject{RepositoryID: 5, Kind: store.Head, Name: sha}, changes[0].Subject)
}

func TestIntakeAnswersForARedelivery(t *testing.T) {
	t.Parallel()
	address, _ := serve(t, &recorder{receipt: store.AlreadyDone}, secret)
	status, answer := send(t, address, sending{body: opened})
	require.Equal(t, 202, status)
	require.Contains(t, answer, "work is done")
}

func TestIntakeSizeLimit(t *testing.T) {
	t.Parallel()
	record := &recorder{receipt: store.Accepted}
	address, _ := serve(t, record, secret)
	padded := func(size int) string {
		return opened[:len(opened)-1] + strings.Repeat(" ", size-len(opened)) + "}"
	}
	status, answer := send(t, address, sending{body: padded(25 << 20)})
	require.Equal(t, 202, status, answer)
	status, answer = send(t, address, sending{body: padded(25<<20 + 1)})
	require.Equal(t, 413, status)
	require.Contains(t, answer, "26214400 bytes")
	require.Len(t, record.got, 1)
}

func TestIntakeSizeLimitWithoutALength(t *testing.T) {
	t.Parallel()
	address, _ := serve(t, &recorder{}, secret)
	endless := io.LimitReader(zeros{}, 25<<20+1)
	request, err := http.NewRequestWithContext(t.Context(), http.MethodPost, address, endless)
	require.NoError(t, err)
	request.Header.Set("X-Hub-Signature-256", sign(secret, ""))
	response, err := http.DefaultClient.Do(request)
	require.NoError(t, err)
	require.NoError(t, response.Body.Close())
	require.Equal(t, 413, response.StatusCode)
}

type zeros struct{}

func (zeros) Read(p []byte) (int, error) { clear(p); return len(p), nil }

func TestIntakeWhenTheStoreIsDown(t *testing.T) {
	t.Parallel()
	t.Run("it fails", func(t *testing.T) {
		t.Parallel()
		address, log := serve(t, &recorder{err: errors.New("disk full")}, secret)
		status, answer := send(t, address, sending{body: opened})
		require.Equal(t, 503, status)
		require.NotContains(t, answer, "disk full", "that is for the log")
		require.Contains(t, log.String(), "disk full")
	})
	t.Run("it is closed", func(t *testing.T) {
		t.Parallel()
		s, err := store.Open(t.Context(), filepath.Join(t.TempDir(), "gate.db"), time.Now)
		require.NoError(t, err)
		require.NoError(t, s.Close())
		address, _ := serve(t, s, secret)
		status, _ := send(t, address, sending{body: opened})
		require.Equal(t, 503, status)
	})
}

func TestNewRefusesToAcceptUnsignedDeliveries(t *testing.T) {
	t.Parallel()
	for _, secrets := range [][]string{nil, {""}, {secret, ""}, {" "}} {
		_, err := New(Config{Secrets: secrets})
		require.ErrorContains(t, err, "webhook_secret", "%q", secrets)
	}
}

// TestPublishedExample checks the signature against the example of GitHub's documentation
// ("Validating webhook deliveries", testing the webhook payload validation).
func TestPublishedExample(t *testing.T) {
	t.Parallel()
	header := http.Header{"X-Hub-Signature-256": {"sha256=757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17"}}
	signature, refused := signatureOf(header)
	require.Nil(t, refused)
	require.Nil(t, verify(signature, []byte("Hello, World!"), [][]byte{[]byte(secret)}))
}
