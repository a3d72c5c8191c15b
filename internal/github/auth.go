package github

import (
	"crypto/rsa"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"sync"
	"time"

	"github.com/bradleyfalzon/ghinstallation/v2"
	"github.com/golang-jwt/jwt/v4"
)

// The App's JWT (design section 14): issued 60 seconds back, against clocks that run ahead of
// GitHub's, and expiring in under 10 minutes, the most GitHub takes.
const (
	jwtBack = 60 * time.Second
	jwtLife = 9 * time.Minute
)

// signer signs the App's JWT with claims of its own, from the injected clock; ghinstallation's are
// fixed at 30 seconds back and the machine's clock.
type signer struct {
	appID int64
	key   *rsa.PrivateKey
	now   func() time.Time
}

func (s signer) Sign(jwt.Claims) (string, error) {
	issued := s.now().Add(-jwtBack).Truncate(time.Second)
	return jwt.NewWithClaims(jwt.SigningMethodRS256, jwt.RegisteredClaims{
		IssuedAt:  jwt.NewNumericDate(issued),
		ExpiresAt: jwt.NewNumericDate(issued.Add(jwtLife)),
		Issuer:    strconv.FormatInt(s.appID, 10),
	}).SignedString(s.key)
}

// appTransport signs requests as the App. Each user gets one of its own: ghinstallation writes to
// it while refreshing a token, so sharing one is a data race.
func (a *App) appTransport() (*ghinstallation.AppsTransport, error) {
	t, err := ghinstallation.NewAppsTransportWithOptions(a.guard, a.config.ID,
		ghinstallation.WithSigner(signer{appID: a.config.ID, key: a.config.PrivateKey, now: a.config.Now}))
	if err != nil {
		return nil, fmt.Errorf("sign in as the App: %w", err)
	}
	t.BaseURL = a.to.rest.String()
	return t, nil
}

// installationTransport adds an installation's token. ghinstallation never drops a token before
// its expiry, so on a 401 a new transport, and with it a new token, takes its place and the request
// is sent once more: GitHub has not acted on a request that it answers with 401.
type installationTransport struct {
	fresh func() (http.RoundTripper, error)

	mu      sync.Mutex
	current http.RoundTripper
}

func (t *installationTransport) RoundTrip(req *http.Request) (*http.Response, error) {
	used, err := t.get()
	if err != nil {
		closeBody(req)
		return nil, err
	}
	resp, err := used.RoundTrip(req)
	if err != nil || resp.StatusCode != http.StatusUnauthorized {
		return resp, err
	}
	t.drop(used)
	again, ok := replay(req)
	if !ok {
		return resp, nil
	}
	_, _ = io.Copy(io.Discard, io.LimitReader(resp.Body, 64<<10))
	_ = resp.Body.Close()
	renewed, err := t.get()
	if err != nil {
		closeBody(again)
		return nil, err
	}
	resp, err = renewed.RoundTrip(again)
	if err == nil && resp.StatusCode == http.StatusUnauthorized {
		t.drop(renewed)
	}
	return resp, err
}

func (t *installationTransport) get() (http.RoundTripper, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.current == nil {
		fresh, err := t.fresh()
		if err != nil {
			return nil, err
		}
		t.current = fresh
	}
	return t.current, nil
}

// drop forgets a transport, unless another request has already replaced it.
func (t *installationTransport) drop(used http.RoundTripper) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.current == used {
		t.current = nil
	}
}

func replay(req *http.Request) (*http.Request, bool) {
	again := req.Clone(req.Context())
	if req.Body == nil || req.Body == http.NoBody {
		return again, true
	}
	if req.GetBody == nil {
		return nil, false
	}
	body, err := req.GetBody()
	if err != nil {
		return nil, false
	}
	again.Body = body
	return again, true
}

// tokenTransport adds a fixed token.
type tokenTransport struct {
	token string
	next  http.RoundTripper
}

func (t tokenTransport) RoundTrip(req *http.Request) (*http.Response, error) {
	signed := req.Clone(req.Context())
	signed.Header.Set("Authorization", "Bearer "+t.token)
	return t.next.RoundTrip(signed)
}
