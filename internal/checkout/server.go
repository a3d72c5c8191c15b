package checkout

import (
	"fmt"
	"net/url"
	"slices"
	"strings"

	"github.com/evidence-gate/evidence-gate/internal/github"
)

const (
	githubCom = "github.com"
	tenancy   = ".ghe.com" // GitHub Enterprise Cloud with data residency
)

// Server is a GitHub and the token for it.
type Server struct {
	Host      string // of the web pages and remotes; empty when only an address is known
	API       string // REST address
	GraphQL   string // GraphQL address; empty when it is the usual one beside API
	Token     string
	TokenFrom string // where the token was found, such as GH_TOKEN
}

// The variables that move the addresses, as GitHub Actions sets them.
const (
	apiVariable     = "GITHUB_API_URL"
	graphqlVariable = "GITHUB_GRAPHQL_URL"
)

// server decides the addresses and the token for a host; an empty host is github.com, or whatever
// the addresses in the environment lead to.
//
// A token goes to the host that it is for: gh's own tokens only to that host's own address, over
// TLS. Who sets an address together with GH_TOKEN or GITHUB_TOKEN means both.
func (s Surroundings) server(host string) (Server, error) {
	api, graphql := s.Getenv(apiVariable), s.Getenv(graphqlVariable)
	moved := api != "" || graphql != ""
	led := hostOf(api)
	switch {
	case led != "" && host != "" && led != host:
		return Server{}, fmt.Errorf("%s leads to %s, but the repository is on %s: set %s for that host, or unset it", apiVariable, led, github.Plain(github.HideAddress(host)), apiVariable)
	case host == "" && api != "":
		host = led
	case host == "":
		host = githubCom
	}
	found := Server{Host: host, API: first(api, addressOf(host)), GraphQL: graphql}
	if moved {
		found.Token, found.TokenFrom = s.fromEnvironment(host)
	}
	if found.Token == "" && host != "" && addresses(host, api, graphql) {
		found.Token, found.TokenFrom = s.Token(host)
	}
	if found.Token = strings.TrimSpace(found.Token); found.Token == "" {
		return Server{}, fmt.Errorf("%w%s", noToken(found), s.passedOver())
	}
	return found, nil
}

// fromEnvironment is the token of the variables that are read for a host.
func (s Surroundings) fromEnvironment(host string) (token, source string) {
	names := []string{"GH_TOKEN", "GITHUB_TOKEN"}
	if host != "" && isServer(host) {
		names = append([]string{"GH_ENTERPRISE_TOKEN", "GITHUB_ENTERPRISE_TOKEN"}, names...)
	}
	for _, name := range names {
		if token := s.Getenv(name); token != "" {
			return token, name
		}
	}
	return "", ""
}

func noToken(s Server) error {
	api, host := github.Plain(github.HideAddress(s.API)), github.Plain(github.HideAddress(s.Host))
	switch {
	case !addresses(s.Host, s.API, s.GraphQL):
		return fmt.Errorf("there is no token for the address %s: set GH_TOKEN; a login of gh is for its own host only", api)
	case isServer(s.Host):
		return fmt.Errorf("there is no token for %s: run gh auth login --hostname %s, or set GH_ENTERPRISE_TOKEN", host, host)
	}
	return fmt.Errorf("there is no token for %s: run gh auth login, or set GH_TOKEN", host)
}

// isServer says whether the host is an Enterprise Server of somebody's own.
func isServer(host string) bool { return host != githubCom && !strings.HasSuffix(host, tenancy) }

// addressOf is the REST address of a host.
func addressOf(host string) string {
	if isServer(host) {
		return "https://" + host + "/api/v3"
	}
	return "https://api." + host
}

// hostOf is the host whose own REST or GraphQL address this is, empty when it cannot be told.
func hostOf(address string) string {
	u, err := url.Parse(strings.TrimRight(address, "/"))
	if err != nil {
		return ""
	}
	host := strings.ToLower(u.Host)
	switch path := u.Path; {
	case path == "/api/v3" || path == "/api/graphql":
		return host
	case (path == "" || path == "/graphql") && (host == "api."+githubCom || strings.HasPrefix(host, "api.") && strings.HasSuffix(host, tenancy)):
		return strings.TrimPrefix(host, "api.")
	}
	return ""
}

// addresses says whether every address that was set is the host's own, over TLS.
func addresses(host string, set ...string) bool {
	return !slices.ContainsFunc(set, func(address string) bool {
		return address != "" && (hostOf(address) != host || !strings.HasPrefix(address, "https://"))
	})
}

// hosts are the hosts that a remote may lead to.
type hosts struct {
	names []string
	any   bool
}

// hosts are those named outright, else those that the addresses lead to, else those with a token.
func (s Surroundings) hosts(named string) hosts {
	if named = first(named, strings.ToLower(s.Getenv("GH_HOST"))); named != "" {
		return hosts{names: []string{named}}
	}
	if api := s.Getenv(apiVariable); api != "" {
		web, _ := url.Parse(s.Getenv("GITHUB_SERVER_URL"))
		if host := hostOf(api); host != "" {
			return hosts{names: []string{host}}
		}
		if web != nil && web.Host != "" {
			return hosts{names: []string{strings.ToLower(web.Host)}}
		}
		return hosts{any: true}
	}
	names := []string{githubCom}
	for _, host := range s.Hosts() {
		if host = strings.ToLower(host); !slices.Contains(names, host) {
			names = append(names, host)
		}
	}
	return hosts{names: names}
}

func (h hosts) have(host string) bool { return h.any || slices.Contains(h.names, host) }

func (h hosts) only() string {
	if len(h.names) == 1 {
		return h.names[0]
	}
	return ""
}

func (h hosts) String() string {
	var names []string
	for _, name := range h.names {
		names = append(names, github.Plain(github.HideAddress(name)))
	}
	return strings.Join(names, " or ")
}
