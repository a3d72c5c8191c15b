package github

import (
	"fmt"
	"net/url"
	"strings"
)

// DefaultURL is GitHub's own REST address.
const DefaultURL = "https://api.github.com"

// endpoint is where one GitHub answers.
type endpoint struct {
	rest    *url.URL // no slash at the end
	graphql *url.URL
}

// parseEndpoint reads a REST base URL, and the GraphQL address where it is not the usual one.
// Enterprise Server serves REST at /api/v3 and GraphQL at /api/graphql; everywhere else GraphQL is
// /graphql below the base.
func parseEndpoint(rest, graphql string) (endpoint, error) {
	if rest == "" {
		rest = DefaultURL
	}
	base, err := parseAddress(rest)
	if err != nil {
		return endpoint{}, err
	}
	if graphql == "" {
		beside := *base
		beside.Path = strings.TrimSuffix(base.Path, "/v3") + "/graphql"
		return endpoint{rest: base, graphql: &beside}, nil
	}
	own, err := parseAddress(graphql)
	if err != nil {
		return endpoint{}, err
	}
	return endpoint{rest: base, graphql: own}, nil
}

func parseAddress(text string) (*url.URL, error) {
	u, err := url.Parse(strings.TrimRight(text, "/"))
	if err != nil || (u.Scheme != "https" && u.Scheme != "http") || u.Host == "" {
		return nil, fmt.Errorf("GitHub address: expected a URL such as %s or https://HOST/api/v3, found %q", DefaultURL, quote(HideAddress(text)))
	}
	if u.User != nil || u.RawQuery != "" || u.Fragment != "" {
		return nil, fmt.Errorf("GitHub address: expected no user, query or fragment in %s://%s", u.Scheme, u.Host)
	}
	return u, nil
}

// serves reports whether a request to u stays with this GitHub.
func (e endpoint) serves(u *url.URL) bool {
	return sameOrigin(u, e.rest) || sameOrigin(u, e.graphql)
}

func sameOrigin(a, b *url.URL) bool {
	return a.Scheme == b.Scheme && strings.EqualFold(a.Host, b.Host)
}

// domain is the host without its "api." label: the domain of this GitHub's noreply addresses.
func (e endpoint) domain() string { return strings.TrimPrefix(e.rest.Hostname(), "api.") }
