package github

import (
	"errors"
	"net/http"
	"net/url"
	"strings"
	"time"

	gogithub "github.com/google/go-github/v66/github"
)

const defaultUserAgent = "evidence-gate"

// Client acts with one token: an installation's, a user's or a workflow run's. It is safe for
// concurrent use.
type Client struct {
	to    endpoint
	http  *http.Client
	rest  *gogithub.Client
	agent string
	now   func() time.Time
	cache *cache
	asks  *dialect
	room  chan struct{} // of the REST answers that are read at the moment
	appID int64         // 0 when the client is not an App's
}

// TokenConfig is what acting with a ready token needs.
type TokenConfig struct {
	Token      string
	BaseURL    string            // REST address; DefaultURL when empty
	GraphQLURL string            // empty: beside BaseURL
	Transport  http.RoundTripper // nil: a transport of its own with bounded waits
	Now        func() time.Time  // nil: the machine's clock
	UserAgent  string
	Observe    func(Call)
}

// NewTokenClient checks the configuration; it makes no request.
func NewTokenClient(config TokenConfig) (*Client, error) {
	token := strings.TrimSpace(config.Token)
	switch {
	case token == "":
		return nil, errors.New("GitHub token: expected a token in one word, found none: set GH_TOKEN or GITHUB_TOKEN")
	case strings.ContainsFunc(token, unseen):
		return nil, errors.New("GitHub token: expected a token in one word, found a space, a line break or an invisible character inside it: set it anew, without them")
	}
	to, err := parseEndpoint(config.BaseURL, config.GraphQLURL)
	if err != nil {
		return nil, err
	}
	if config.Now == nil {
		config.Now = time.Now
	}
	if config.UserAgent == "" {
		config.UserAgent = defaultUserAgent
	}
	signed := tokenTransport{token: token, next: newGuard(to, config.Transport, config.Observe)}
	return newClient(to, signed, config.UserAgent, config.Now, newDialect(config.Now)), nil
}

func newClient(to endpoint, signed http.RoundTripper, agent string, now func() time.Time, asks *dialect) *Client {
	return &Client{
		to:    to,
		http:  &http.Client{Transport: signed, Timeout: requestTimeout},
		rest:  restClient(to, signed, agent),
		agent: agent,
		now:   now,
		cache: newCache(now),
		room:  make(chan struct{}, mostUnderWay),
		asks:  asks,
	}
}

func restClient(to endpoint, signed http.RoundTripper, agent string) *gogithub.Client {
	c := gogithub.NewClient(&http.Client{Transport: signed, Timeout: requestTimeout})
	c.BaseURL = &url.URL{Scheme: to.rest.Scheme, Host: to.rest.Host, Path: to.rest.Path + "/"}
	c.UserAgent = agent
	return c
}
