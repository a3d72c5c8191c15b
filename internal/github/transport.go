package github

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"strconv"
	"strings"
	"time"
)

const (
	// requestTimeout bounds one request with its answer. GitHub itself gives up after 10 seconds.
	requestTimeout = 30 * time.Second
	// answerLimit bounds one answer in bytes. A page of 100 comments of 65,536 characters each is
	// under it in any script; a Snapshot's documents may not exceed 16 MiB anyway (M1).
	answerLimit = 32 << 20
	// tokenLimit bounds the answer that carries an installation token: with every repository of a
	// large installation named in it.
	tokenLimit = 4 << 20
)

// Call is one finished request, for metrics.
type Call struct {
	API       string // rest, graphql or token
	Method    string
	Status    int // 0: no answer
	Took      time.Duration
	Remaining int // what is left of the rate limit; -1 when GitHub does not say
}

// guard is the innermost transport, below everything that adds a token. It refuses to leave this
// GitHub's hosts (ghinstallation adds the token again on every redirect), bounds every answer, and
// lets no token answer through that ghinstallation would stumble over.
type guard struct {
	to      endpoint
	next    http.RoundTripper
	observe func(Call)
}

func newGuard(to endpoint, next http.RoundTripper, observe func(Call)) *guard {
	if next == nil {
		next = defaultTransport()
	}
	if observe == nil {
		observe = func(Call) {}
	}
	return &guard{to: to, next: redacting{next}, observe: observe}
}

func defaultTransport() http.RoundTripper {
	return &http.Transport{
		Proxy:                 http.ProxyFromEnvironment,
		DialContext:           (&net.Dialer{Timeout: 10 * time.Second, KeepAlive: 30 * time.Second}).DialContext,
		ForceAttemptHTTP2:     true,
		MaxIdleConns:          64,
		MaxIdleConnsPerHost:   32,
		IdleConnTimeout:       90 * time.Second,
		TLSHandshakeTimeout:   10 * time.Second,
		ResponseHeaderTimeout: 20 * time.Second,
	}
}

func (g *guard) RoundTrip(req *http.Request) (*http.Response, error) {
	if !g.to.serves(req.URL) {
		closeBody(req)
		return nil, &Error{Kind: Unavailable, Message: fmt.Sprintf(
			"a redirect leads from %s://%s to %s://%s and was not followed, so that the token stays with this GitHub: correct the GitHub address",
			g.to.rest.Scheme, g.to.rest.Host, req.URL.Scheme, quote(req.URL.Host))}
	}
	start := time.Now()
	resp, err := g.next.RoundTrip(req)
	g.observe(g.call(req, resp, time.Since(start)))
	if err != nil {
		return nil, err
	}
	if isTokenRequest(req) && resp.StatusCode/100 == 2 {
		return checkedToken(resp)
	}
	resp.Body = &boundedBody{ReadCloser: resp.Body, left: answerLimit}
	return resp, nil
}

func (g *guard) call(req *http.Request, resp *http.Response, took time.Duration) Call {
	c := Call{API: "rest", Method: req.Method, Took: took, Remaining: -1}
	switch {
	case isTokenRequest(req):
		c.API = "token"
	case req.URL.Path == g.to.graphql.Path:
		c.API = "graphql"
	}
	if resp == nil {
		return c
	}
	c.Status = resp.StatusCode
	if n, err := strconv.Atoi(resp.Header.Get("X-RateLimit-Remaining")); err == nil {
		c.Remaining = n
	}
	return c
}

func isTokenRequest(req *http.Request) bool {
	return req.Method == http.MethodPost && strings.HasSuffix(req.URL.Path, "/access_tokens")
}

// checkedToken reads a token answer whole: ghinstallation panics on null and would send an empty
// token for ever when there is none in it.
func checkedToken(resp *http.Response) (*http.Response, error) {
	defer resp.Body.Close()
	text, err := io.ReadAll(io.LimitReader(resp.Body, tokenLimit+1))
	if err != nil {
		return nil, err
	}
	var answer struct {
		Token     string    `json:"token"`
		ExpiresAt time.Time `json:"expires_at"`
	}
	if json.Unmarshal(text, &answer) != nil || answer.Token == "" || answer.ExpiresAt.IsZero() {
		return nil, &Error{Kind: Unavailable, Status: resp.StatusCode,
			Message: "expected an installation token with its expiry, found another answer: a proxy may have answered instead of GitHub"}
	}
	resp.Body = io.NopCloser(bytes.NewReader(text))
	return resp, nil
}

// boundedBody fails, rather than ends, when an answer is over the limit: half an answer is none.
type boundedBody struct {
	io.ReadCloser
	left int64
}

func (b *boundedBody) Read(p []byte) (int, error) {
	if int64(len(p)) > b.left+1 {
		p = p[:b.left+1]
	}
	n, err := b.ReadCloser.Read(p)
	b.left -= int64(n)
	if b.left < 0 {
		return n, &Error{Kind: TooLarge, Message: fmt.Sprintf("GitHub's answer is over %d MiB", answerLimit>>20)}
	}
	return n, err
}

func closeBody(req *http.Request) {
	if req.Body != nil {
		_ = req.Body.Close()
	}
}
