package github

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// stub is a small GitHub for answers that the simulator never gives. Token requests are answered
// with the tokens in order, the last one again and again.
type stub struct {
	*httptest.Server
	tokens []string
	answer func(w http.ResponseWriter, r *http.Request)

	mu       sync.Mutex
	handed   int
	requests []seen
}

type seen struct {
	method, path, authorization, body string
}

const firstToken = "ghs_firstSecretToken"

func newStub(t *testing.T, answer http.HandlerFunc) *stub {
	t.Helper()
	s := &stub{tokens: []string{firstToken}, answer: answer}
	s.Server = httptest.NewServer(http.HandlerFunc(s.serve))
	t.Cleanup(s.Close)
	return s
}

func (s *stub) serve(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	s.mu.Lock()
	s.requests = append(s.requests, seen{r.Method, r.URL.Path, r.Header.Get("Authorization"), string(body)})
	if strings.HasSuffix(r.URL.Path, "/access_tokens") && s.tokens != nil {
		token := s.tokens[min(s.handed, len(s.tokens)-1)]
		s.handed++
		s.mu.Unlock()
		w.WriteHeader(http.StatusCreated)
		fmt.Fprintf(w, `{"token": %q, "expires_at": %q}`, token, time.Now().Add(time.Hour).UTC().Format(time.RFC3339))
		return
	}
	s.mu.Unlock()
	r.Body = io.NopCloser(strings.NewReader(string(body)))
	s.answer(w, r)
}

// calls are the requests for anything but tokens.
func (s *stub) calls() []seen {
	s.mu.Lock()
	defer s.mu.Unlock()
	var calls []seen
	for _, r := range s.requests {
		if !strings.HasSuffix(r.path, "/access_tokens") {
			calls = append(calls, r)
		}
	}
	return calls
}

func (s *stub) tokensHanded() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.handed
}

func (s *stub) app(t *testing.T, change ...func(*AppConfig)) *App {
	t.Helper()
	config := AppConfig{ID: 77, PrivateKey: testKey(), BaseURL: s.URL}
	for _, c := range change {
		c(&config)
	}
	app, err := NewApp(config)
	require.NoError(t, err)
	return app
}

func (s *stub) installation(t *testing.T, change ...func(*AppConfig)) *Client {
	t.Helper()
	c, err := s.app(t, change...).Installation(5)
	require.NoError(t, err)
	return c
}

func reply(w http.ResponseWriter, status int, body any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(body)
}

type object = map[string]any

func message(text string) object { return object{"message": text} }

var (
	widgets = Repo{Owner: "acme", Name: "widgets"}
	headSHA = strings.Repeat("a1", 20)
	baseSHA = strings.Repeat("0b", 20)
)

// at is a clock that stands still.
func at(moment time.Time) func(*AppConfig) {
	return func(c *AppConfig) { c.Now = func() time.Time { return moment } }
}
