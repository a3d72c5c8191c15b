package githubtest

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/golang-jwt/jwt/v4"
	"github.com/stretchr/testify/require"
)

var start = time.Date(2026, 11, 30, 10, 0, 0, 0, time.UTC)

// complaints collects what the simulator reports.
type complaints struct {
	mu   sync.Mutex
	list []string
}

func (c *complaints) Errorf(format string, args ...any) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.list = append(c.list, fmt.Sprintf(format, args...))
}

func (c *complaints) all() string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return strings.Join(c.list, "\n")
}

// fixture is a simulator with one repository and a caller with an installation token.
type fixture struct {
	*testing.T
	server *Server
	clock  *Clock
	repo   *Repository
	token  string
	told   *complaints // nil: complaints fail the test
}

func newFixture(t *testing.T) *fixture { return startFixture(t, RepositoryOptions{}, nil) }

func startFixture(t *testing.T, o RepositoryOptions, told *complaints) *fixture {
	t.Helper()
	f := &fixture{T: t, clock: NewClock(start), told: told}
	var reporter Reporter = t
	if told != nil {
		reporter = told
	}
	server, err := New(reporter, Options{Clock: f.clock.Now})
	require.NoError(t, err)
	t.Cleanup(server.Close)
	f.server = server
	f.repo = server.World().AddRepository("acme/widgets", o)
	f.token = f.installationToken("acme")
	return f
}

// appJWT signs claims with a key; the app's own by default.
func (f *fixture) appJWT(change func(jwt.MapClaims)) string {
	f.Helper()
	now := f.clock.Now()
	claims := jwt.MapClaims{
		"iat": now.Add(-time.Minute).Unix(), "exp": now.Add(9 * time.Minute).Unix(),
		"iss": strconv.FormatInt(f.server.App().ID, 10),
	}
	if change != nil {
		change(claims)
	}
	token, err := jwt.NewWithClaims(jwt.SigningMethodRS256, claims).SignedString(f.server.App().PrivateKey)
	require.NoError(f, err)
	return token
}

func (f *fixture) installationToken(account string) string {
	f.Helper()
	id := f.server.World().Installation(account).ID()
	a := f.as(f.appJWT(nil), "POST", fmt.Sprintf("/app/installations/%d/access_tokens", id), nil)
	require.Equal(f, http.StatusCreated, a.status, a.text)
	return a.object()["token"].(string)
}

// reply is an answer to a request.
type reply struct {
	t      *testing.T
	status int
	header http.Header
	text   string
}

func (r reply) object() map[string]any {
	r.t.Helper()
	var o map[string]any
	require.NoError(r.t, json.Unmarshal([]byte(r.text), &o), r.text)
	return o
}

func (r reply) list() []map[string]any {
	r.t.Helper()
	var l []map[string]any
	require.NoError(r.t, json.Unmarshal([]byte(r.text), &l), r.text)
	return l
}

// at follows member names and list indexes.
func (r reply) at(path ...any) any {
	r.t.Helper()
	var value any
	require.NoError(r.t, json.Unmarshal([]byte(r.text), &value), r.text)
	for _, step := range path {
		switch s := step.(type) {
		case string:
			members, ok := value.(map[string]any)
			require.Truef(r.t, ok, "no object at %v of %s", step, r.text)
			value = members[s]
		case int:
			elements, ok := value.([]any)
			require.Truef(r.t, ok && s < len(elements), "no element %v of %s", step, r.text)
			value = elements[s]
		}
	}
	return value
}

func (f *fixture) do(method, path string, body any) reply {
	f.Helper()
	return f.as(f.token, method, path, body)
}

func (f *fixture) as(token, method, path string, body any, headers ...string) reply {
	f.Helper()
	r, err := f.try(token, method, path, body, headers...)
	require.NoError(f, err)
	return r
}

func (f *fixture) try(token, method, path string, body any, headers ...string) (reply, error) {
	f.Helper()
	var encoded []byte
	if raw, ok := body.(string); ok {
		encoded = []byte(raw)
	} else if body != nil {
		var err error
		encoded, err = json.Marshal(body)
		require.NoError(f, err)
	}
	if !strings.HasPrefix(path, "http") {
		path = f.server.URL() + path
	}
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, method, path, bytes.NewReader(encoded))
	require.NoError(f, err)
	if token != "" {
		request.Header.Set("Authorization", "Bearer "+token)
	}
	for i := 0; i+1 < len(headers); i += 2 {
		request.Header.Set(headers[i], headers[i+1])
	}
	client := &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	response, err := client.Do(request)
	if err != nil {
		return reply{}, err
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	require.NoError(f, err)
	return reply{t: f.T, status: response.StatusCode, header: response.Header, text: string(text)}, nil
}

func (f *fixture) graphql(query string, variables map[string]any) reply {
	f.Helper()
	return f.do("POST", "/graphql", map[string]any{"query": query, "variables": variables})
}

func (f *fixture) wait(cond func() bool) {
	f.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
	defer cancel()
	require.NoError(f, f.server.WaitFor(ctx, cond))
}
